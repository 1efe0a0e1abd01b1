"""The laws of hidden information on every position of a small game.

All positions that look the same to an observer form an *information set*: each of them is possible for all the observer
knows. A deal must be one of them, each must come up, and nothing that is shown may tell them apart.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from damier.core import calls, knowledge
from damier.core.compile import COMPILER_ON
from damier.core.conformance.hidden import Seen, after, heard, listed, looks_of, short
from damier.core.conformance.trial import Trial
from damier.core.position import Position
from damier.core.record_text import format_record, shortened
from damier.core.rng import below, new_rng

MOST_NODES = 12_000 if COMPILER_ON else 2_000  # uncompiled rules take a hundred times as long
_MOST_SETS = 100  # whose deals are counted
_MOST_STATES = 40  # of an information set whose frequencies are compared
_DRAWS = 400  # deals from one position
_FEW_DRAWS = 40  # deals where the observer does not move: only what is possible is checked


@dataclass
class InformationSet:
    """The positions before the end that an observer can't tell apart, and what all of them must share."""

    observer: int
    positions: list[Position] = field(default_factory=list)
    weights: dict[bytes, float] = field(default_factory=dict)  # of each record: how likely chance makes it
    choices: set[tuple[int, ...]] = field(default_factory=set)  # what the players did on the way
    pasts: set[tuple[Any, ...]] = field(default_factory=set)  # what the observer saw and did on the way
    looks: dict[str, Any] = field(default_factory=dict)
    story: tuple[str, ...] = ()  # what the observer was shown of the others' moves


@dataclass(frozen=True)
class Node:
    """A position of the tree, with what led there."""

    position: Position
    weight: float  # the product of the probabilities of chance
    choices: tuple[int, ...]  # the players' moves
    pasts: tuple[tuple[Any, ...], ...]  # of each player: their observations at their turns, and their moves
    stories: tuple[tuple[str, ...], ...]  # of each player: the others' moves, as shown to them


Sets = dict[tuple[int, int, Seen], InformationSet]


def check_possible(trial: Trial, seed: int) -> dict[str, Any] | None:
    """Check every position; None if there are too many of them."""
    nodes = _all_nodes(trial.game.start())
    if nodes is None:
        return None
    sets: Sets = {}
    for node in nodes:
        for observer in range(trial.game.num_players):
            _place(trial, sets, node, observer)
        _compare_texts(trial, node)
    turns = [each for each in sets.values() if each.positions[0].player == each.observer]
    rng = new_rng(seed)
    for _ in range(min(len(turns), _MOST_SETS)):
        check_deals(trial, turns[below(rng, len(turns))], seed)
    others = [each for each in sets.values() if each.positions[0].player != each.observer]
    for _ in range(min(len(others), _MOST_SETS)):
        _check_possible_deals(trial, others[below(rng, len(others))], _FEW_DRAWS, seed)
    counts = Counter(each.observer for each in turns)
    return {
        "recall": "perfect" if all(len(each.pasts) == 1 for each in turns) else "imperfect",
        "is_exact": True,
        "nodes": len(nodes),
        "information_sets": [counts[player] for player in range(trial.game.num_players)],
    }


def _all_nodes(start: Position) -> list[Node] | None:
    """Every position before the end of the game; None if there are too many."""
    nothing = ((),) * start.game.num_players
    waiting = [Node(start, 1.0, (), nothing, nothing)]
    found: list[Node] = []
    while waiting:
        node = waiting.pop()
        if len(found) + len(waiting) > MOST_NODES:
            return None
        if not node.position.is_over:
            found.append(node)
            waiting.extend(_children(node))
    return found


def _children(node: Node) -> Iterator[Node]:
    pos = node.position
    if pos.is_chance:
        for outcome, probability in pos.outcomes.items():
            yield Node(pos.play(outcome), node.weight * probability, node.choices, node.pasts, node.stories)
        return
    seen = pos.observation()
    for move in pos.moves():
        pasts = list(node.pasts)
        pasts[pos.player] += ((seen, move),)
        stories = tuple(
            story if observer == pos.player else story + heard(pos, move, observer)
            for observer, story in enumerate(node.stories)
        )
        yield Node(pos.play(move), node.weight, (*node.choices, move), tuple(pasts), stories)


def _place(trial: Trial, sets: Sets, node: Node, observer: int) -> None:
    """Put a position into its information set, and compare it with the first one there."""
    pos = node.position
    trial.history = pos.history
    # Everybody knows who moves.
    known = sets.setdefault((observer, pos.player, pos.observation(observer)), InformationSet(observer))
    if known.positions:
        _compare(trial, known, node)
    else:
        known.looks, known.story = dict(looks_of(trial, pos.state, observer)), node.stories[observer]
    known.positions.append(pos)
    record = pos.state.tobytes()
    known.weights[record] = known.weights.get(record, 0.0) + node.weight
    known.choices.add(node.choices)
    known.pasts.add(node.pasts[observer])
    is_again = any(seen == pos.observation() for seen, _ in node.pasts[observer]) if pos.player == observer else False
    trial.require(not is_again, "observe", f"player {observer} knows the same as at an earlier turn")


def _compare(trial: Trial, known: InformationSet, node: Node) -> None:
    """Nothing tells a position from the first one of its information set."""
    pos, first, observer = node.position, known.positions[0], known.observer
    other = f"{after(first.history)}, which player {observer} can't tell apart"
    same = pos.player != observer or pos.moves() == first.moves()
    trial.require(same, "observe", f"the moves are {pos.moves()}, and {first.moves()} {other}")
    for rule, look in looks_of(trial, pos.state, observer):
        found = f"`{rule}` shows player {observer} {short(look)}, and {short(known.looks[rule])} {other}"
        trial.require(look == known.looks[rule], "observe", found)
    story = node.stories[observer]
    found = f"player {observer} was shown the moves {listed(story)}, and {listed(known.story)} {other}"
    trial.require(story == known.story, "format_seen", found)


def _compare_texts(trial: Trial, node: Node) -> None:
    """Moves after which an observer knows the same are written the same for them."""
    pos = node.position
    trial.history = pos.history
    for observer in set(range(trial.game.num_players)) - {pos.player}:
        texts: dict[tuple[int, Seen], tuple[int, str]] = {}
        for move in pos.moves():
            result = pos.play(move)
            if not result.is_over:
                text = knowledge.seen_move(trial.game, pos.state, move, observer)
                other, written = texts.setdefault((result.player, result.observation(observer)), (move, text))
                found = (
                    f"player {observer} is shown {text!r} for {move} and {written!r} for {other}, and can't know that"
                )
                trial.require(text == written, "format_seen", found)


def check_deals(trial: Trial, known: InformationSet, seed: int) -> None:
    """Deal from a position of an information set: only what is possible, all of it, and as often as chance makes it."""
    count = len(known.weights)
    drawn = _check_possible_deals(trial, known, _DRAWS, seed)
    found = f"player {known.observer} is dealt the same in {_DRAWS} deals, and {count} are possible"
    trial.require(len(drawn) > 1 or count == 1, "determinize", found)
    if len(known.choices) == 1 and 1 < count <= _MOST_STATES:  # nothing is hidden but what chance dealt
        _compare_frequencies(trial, known, drawn)


def _check_possible_deals(trial: Trial, known: InformationSet, draws: int, seed: int) -> Counter[bytes]:
    """Deal some times, only what is possible; return how often each record came."""
    position = known.positions[seed % len(known.positions)]
    trial.history = position.history
    rng, drawn = new_rng(seed), Counter[bytes]()
    for _ in range(draws):
        state = position.state
        trial.game.run(calls.determinize, state, known.observer, rng)
        drawn[state.tobytes()] += 1
        if state.tobytes() not in known.weights:
            shown = shortened(format_record(state))
            trial.require(False, "determinize", f"player {known.observer} is dealt what is not possible: {shown}")
    return drawn


def _compare_frequencies(trial: Trial, known: InformationSet, drawn: Counter[bytes]) -> None:
    """Pearson's chi-squared has mean k - 1 and variance 2 (k - 1); 8 deviations never happen by chance."""
    total = sum(known.weights.values())
    expected = {state: _DRAWS * weight / total for state, weight in known.weights.items()}
    chi_squared = sum((drawn[state] - count) ** 2 / count for state, count in expected.items())
    freedom = len(expected) - 1
    listed = [(drawn[state], round(count, 1)) for state, count in expected.items()][:6]
    found = f"player {known.observer} is dealt some cards too often: counts and expected counts are {listed}"
    trial.require(chi_squared < freedom + 8 * (2 * freedom) ** 0.5 + 8, "determinize", found)
