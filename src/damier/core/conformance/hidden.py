"""The laws of hidden information, on random positions: what players know, deals, and what drawings and moves reveal.

`possible` checks every position of a small game.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from damier.core import calls, knowledge
from damier.core.conformance.trial import Guarded, Trial, same_bytes
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE, Record
from damier.core.record_text import shortened
from damier.core.rng import new_rng

_DEALS = 12  # how often a position is dealt anew
_MOVES = 30  # of a position whose looks are compared
_BARREN = 25  # positions after which it is sure that dealing anew never changes anything

_AGAIN = 3  # times that a deal is repeated
_TWO_DEALS = "the same random numbers gave two different deals of one position; draw them from `rng` only"

Seen = tuple[int, ...]


class Turn(NamedTuple):
    """A turn of a player: the legal moves, how it came about, what the player saw and did before, and the moves of the
    others as the player was shown them."""

    moves: list[int]
    history: tuple[int, ...]
    past: tuple[tuple[Seen, int], ...]
    story: tuple[str, ...]


class Knowing:
    """What the players of random games knew: it is compared from position to position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turns: dict[tuple[int, Seen], Turn] = {}
        self.past: list[tuple[tuple[Seen, int], ...]] = []  # of each player in this game: observations and moves
        self.stories: list[tuple[str, ...]] = []  # of each player in this game: the others' moves, as shown
        self.has_perfect_recall = True
        self.dealt = 0
        # For each observer: a position of each observation, whether there were two, and whether deals ever changed one.
        self.first: list[dict[tuple[int, Seen], bytes]] = [{} for _ in range(game.num_players)]
        self.has_secrets = [False] * game.num_players
        self.has_varied = [False] * game.num_players

    def start(self) -> None:
        self.past = [()] * self.game.num_players
        self.stories = [()] * self.game.num_players

    def visit(self, trial: Trial, moves: list[int]) -> None:
        """Compare what the player to move knows with every turn before."""
        mover = trial.position.player
        if moves:
            for observer in range(self.game.num_players):
                check_observe(trial, observer)  # uncompiled first, where an index out of bounds is an error
        self.look_for_secrets(trial.position)
        if mover == CHANCE or not moves:
            return
        here = Turn(moves, trial.history, self.past[mover], self.stories[mover])
        there = self.turns.setdefault((mover, trial.position.observation()), here)
        same = f"player {mover} knows the same as {after(there.history)}"
        trial.require(there.moves == moves, "observe", f"{same}, where the moves are {there.moves}, not {moves}")
        is_later = here.history != there.history and here.history[: len(there.history)] == there.history
        trial.require(not is_later, "observe", f"{same}, and has moved since")
        shown = f"and was shown the moves {listed(here.story)}, not {listed(there.story)}"
        trial.require(there.story == here.story, "format_seen", f"{same}, {shown}")
        self.has_perfect_recall &= there.past == here.past

    def play(self, pos: Position, move: int) -> None:
        if pos.player == CHANCE:
            return
        for observer in set(range(self.game.num_players)) - {pos.player}:
            self.stories[observer] += heard(pos, move, observer)
        self.past[pos.player] += ((pos.observation(), move),)

    def look_closely(self, trial: Trial, moves: list[int], seed: int) -> None:
        """Check a position before the end of the game, for every observer."""
        if not moves:
            return
        for observer in range(self.game.num_players):
            self.has_varied[observer] |= check_deals(trial, observer, seed)
            check_seen_moves(trial, moves, observer, seed)
        self.dealt += trial.position.player != CHANCE
        if self.dealt >= _BARREN:
            self.check_variety(trial)

    def look_for_secrets(self, pos: Position) -> None:
        """Something is hidden from a player who knows the same in two positions."""
        for observer, first in enumerate(self.first):
            if not self.has_secrets[observer] and not pos.is_over:
                record = pos.state.tobytes()
                self.has_secrets[observer] = first.setdefault((pos.player, pos.observation(observer)), record) != record

    def check_variety(self, trial: Trial) -> None:
        never = f"it changed nothing in {self.dealt} positions, for any observer"
        trial.require(any(self.has_varied), "determinize", never)
        for observer in range(self.game.num_players):
            found = f"player {observer}, who does not see everything, was dealt nothing but the truth"
            is_told = self.has_secrets[observer] and not self.has_varied[observer]
            trial.require(not is_told, "determinize", f"{found} in {self.dealt} positions")

    def report(self) -> dict[str, Any]:
        return {"recall": "perfect" if self.has_perfect_recall else "imperfect", "is_exact": False}


def check_observe(trial: Trial, observer: int) -> tuple[int, ...]:
    """The observation of a player; compiled and uncompiled rules agree on it, and it keeps to its bound."""
    most = trial.game.max_observation
    plain, compiled = np.full(most, -99, np.int64), Guarded(most, np.dtype(np.int64))
    compiled.array[:] = -98
    count = trial.call_plain("observe", trial.plain, observer, plain)
    trial.require(
        isinstance(count, int | np.integer) and 0 <= count <= most,
        "observe",
        f"it returned {count}, expected 0 to max_observation = {most}",
    )
    found = trial.game.run(calls.observe, trial.compiled.array[0], observer, compiled.array)
    seen = tuple(plain[:count].tolist())
    trial.require(tuple(compiled.array[:found].tolist()) == seen, "agree", f"on `observe` of player {observer}")
    trial.require(compiled.is_intact(), "observe", "it wrote outside of `out`")
    trial.compare("observe")
    return seen


def check_deals(trial: Trial, observer: int, seed: int) -> bool:
    """Deal a position anew some times: it looks the same to its observer, in every way the game can show it. Return
    whether anything was changed."""
    looks, has_varied = dict(looks_of(trial, trial.position.state, observer)), False
    dealt = trial.position.state
    for number in range(_DEALS):
        dealt = check_deal(trial, observer, dealt, seed + number)
        has_varied |= not same_bytes(dealt, trial.position.state)
        for rule, look in looks_of(trial, dealt, observer):
            shown = f"`{rule}` shows player {observer} {short(looks[rule])}, and {short(look)} in another deal"
            trial.require(look == looks[rule], "observe", shown)
    return has_varied


def check_deal(trial: Trial, observer: int, other: Record, seed: int) -> Record:
    """Deal a position anew, compiled and uncompiled; the observer must not notice. From another deal of the position
    the same random numbers give the same."""
    state = trial.position.state
    dealt, twin = trial.position.state, trial.position.state
    trial.call_plain("determinize", twin, observer, new_rng(seed))
    trial.game.run(calls.determinize, dealt, observer, new_rng(seed))
    for again in (trial.position.state for _ in range(_AGAIN)):
        trial.game.run(calls.determinize, again, observer, new_rng(seed))
        trial.require(same_bytes(dealt, again), "determinize", _TWO_DEALS)
    trial.require(same_bytes(dealt, twin), "agree", "on `determinize`")
    knew, knows = (list(knowledge.observation(trial.game, each, observer)) for each in (state, dealt))
    trial.require(knew == knows, "determinize", f"player {observer} knew {knew} and now knows {knows}")
    for start in (other.copy(), dealt.copy()):
        trial.game.run(calls.determinize, start, observer, new_rng(seed))
        found = (
            f"player {observer} is dealt one thing from one deal and another from another, by the same random numbers"
        )
        trial.require(same_bytes(dealt, start), "determinize", found)
    trial.require(
        int(dealt.player) == int(state.player), "determinize", f"player {dealt.player} moves, not {state.player}"
    )
    if observer == trial.position.player:
        here, there = trial.position.moves(), Position(trial.game, dealt).moves()
        found = f"player {observer} has the moves {here}, and {there} in another deal that looks the same"
        trial.require(here == there, "observe", found)
    return dealt


def looks_of(trial: Trial, state: Record, observer: int) -> Iterator[tuple[str, Any]]:
    """What the game shows of a position to an observer, by the rule that shows it."""
    yield "draw", trial.guard("draw", trial.game.draw, state, False, observer)
    if trial.game.has("view"):
        yield "view", trial.guard("view", trial.game.view, state, observer)
    if trial.game.has("encode") and state.player == observer:
        planes = np.zeros(trial.game.encode_shape, np.float32)
        trial.call_plain("encode", state, planes)
        yield "encode", planes.tobytes()
    if state.player == observer and not Position(trial.game, state).is_over:
        moves = Position(trial.game, state).moves()
        yield "format_move", [trial.guard("format_move", trial.game.format_move, state, move) for move in moves]


def heard(pos: Position, move: int, observer: int) -> tuple[str, ...]:
    """What an observer hears of a move; nothing if they can't notice it."""
    result = pos.play(move)
    return knowledge.told(pos.game, pos.state, move, result.state, observer, result.is_over)


def check_seen_moves(trial: Trial, moves: list[int], observer: int, seed: int) -> None:
    """Moves that an observer can't tell apart are written the same for them, and dealt the same afterwards."""
    pos = trial.position
    if pos.player == observer:
        return
    met: dict[tuple[int, Seen], tuple[int, str, Position]] = {}
    for move in moves[:_MOVES]:
        text = trial.guard("format_seen", knowledge.seen_move, trial.game, pos.state, move, observer)
        trial.require(isinstance(text, str) and bool(text), "format_seen", f"got {text!r} for move {move}")
        result = pos.play(move)
        if result.is_over:
            continue
        other, written, twin = met.setdefault((result.player, result.observation(observer)), (move, text, result))
        found = f"player {observer} can't tell {other} and {move} apart, which are written {written!r} and {text!r}"
        trial.require(text == written, "format_seen", found)
        dealt, same = result.state, twin.state
        for state in (dealt, same):
            trial.game.run(calls.determinize, state, observer, new_rng(seed))
        found = f"player {observer} can't tell {other} and {move} apart, and the deals after them differ"
        found = _TWO_DEALS if other == move else f"{found} by the same random numbers"
        trial.require(same_bytes(dealt, same), "determinize", found)


def after(line: tuple[int, ...]) -> str:
    return f"after the moves {' '.join(map(str, line))}" if line else "at the start"


def listed(story: tuple[str, ...]) -> str:
    return shortened(" ".join(story)) or "none"


def short(look: Any) -> str:
    """A text for a message: a drawing on one line, not too long."""
    if isinstance(look, bytes):
        return str(np.round(np.frombuffer(look, np.float32), 3).tolist())
    return shortened(" / ".join(str(look).split("\n")))
