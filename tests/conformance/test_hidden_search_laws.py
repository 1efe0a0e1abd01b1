"""Players of games with hidden information keep the laws: nothing is seen that may not be seen, the same seed gives the
same result, moves are legal, more budget is not worse, and searches that need open cards refuse."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.knowledge import redeal
from damier.core.loading import load_class
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.games import REGISTRY as GAMES
from damier.players import REGISTRY
from damier.search.player import Player, Sight
from damier.search.result import SearchResult

needs_compiler = pytest.mark.skipif(not COMPILER_ON, reason="thousands of simulations, which need the compiler")

GUESS = "tests/conformance/hidden_games.py:Guess"

# Every player that sees what its seat may see, with small budgets; a new one must be listed here.
HONEST = {
    "random": ["random"],
    "pimc": ["pimc:deals=5,search=(minimax:depth=2)", "pimc:deals=3,search=random"],
    "ismcts": ["ismcts:sims=1", "ismcts:sims=37", "ismcts:sims=101,observers=multiple", "ismcts:sims=23,cutoff=2"],
    "cfr": ["cfr:iterations=3"],
    "belief": ["belief"],
}
CHEATS = {"cheat": ["cheat:search=(minimax:depth=2)", "cheat:search=(minimax:depth=2),searches=3"]}
NOT_HELD = {"human", "engine"}  # a person and another program; the web page and GTP have tests of their own
ELSEWHERE = {"zero"}  # needs a network: tests/unit/test_guided_hidden.py
SMALL_GAMES_ONLY = {
    "belief",
    "cfr:iterations=3",
    "pimc:deals=5,search=(minimax:depth=2)",
}  # the others need no compiler there
SMALL = ["kuhn", GUESS]
WANTED = [*SMALL, "leduc", "phantom:rows=3,cols=3,k=3", "whist", "hearts"]
HIDDEN = [name for name in WANTED if ".py" in name or name.partition(":")[0] in GAMES]


def specs_of(players: dict[str, list[str]]) -> list[str]:
    return [spec for specs in players.values() for spec in specs]


def pairs() -> list[tuple[str, str]]:
    """Every honest player on every game that it can play."""
    small = [game for game in HIDDEN if game in SMALL]
    return [(spec, game) for spec in specs_of(HONEST) for game in (small if spec in SMALL_GAMES_ONLY else HIDDEN)]


def sight_of(name: str) -> Sight:
    kind: type[Player] = load_class(REGISTRY[name])
    return kind.sight


def test_every_player_that_plays_with_hidden_information_is_held_to_the_laws() -> None:
    assert {name for name in REGISTRY if sight_of(name) is Sight.OWN} - NOT_HELD == set(HONEST) | ELSEWHERE
    assert {name for name in REGISTRY if sight_of(name) is Sight.ALL} == set(CHEATS)


@cache
def turns(game: str) -> list[tuple[Position, Position]]:
    """Turns of random games, each with another true position in which the player to move knows the same."""
    found = []
    for number in range(8):
        rng, position, last = new_rng(number), damier.game(game).start(), None
        while not position.is_over:
            other = None if position.is_chance else other_truth(position)
            if other is not None and (last is None or below(rng, 3)):
                last = position, other
            position = position.play(position.random_move(rng))
        found += [last] if last else []
    assert len(found) > 4
    return found


def other_truth(position: Position) -> Position | None:
    for seed in range(20):
        other = Position(position.game, redeal(position.game, position.state, position.player, new_rng(seed))[0])
        if other != Position(position.game, position.state):
            return other
    return None


def told(result: SearchResult) -> Any:
    """All that a search says, except for how long it took."""
    return replace(result, seconds=0.0)


# -- nothing is seen that may not be seen --------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize(("spec", "game"), pairs())
def test_a_result_depends_on_the_observation_and_the_seed_alone(spec: str, game: str) -> None:
    for seed, (position, other) in enumerate(turns(game)):
        assert position.observation() == other.observation()
        assert position.state.tobytes() != other.state.tobytes()
        player = damier.player(spec)
        found = told(player.search(position, seed))
        assert found == told(damier.player(spec).search(other, seed)), "what is hidden made a difference"
        assert found == told(player.search(position, seed)), "the same seed gave another result"
        assert found.move in position.moves()
        assert set(found.moves) <= set(position.moves())
        assert found.values is None or len(found.values) == position.game.num_players


@needs_compiler
@pytest.mark.parametrize("spec", specs_of(CHEATS))
def test_a_cheat_sees_what_is_hidden(spec: str) -> None:
    jack, king = (damier.game("kuhn").position(text) for text in ("JQ b", "KQ b"))
    assert damier.player(spec).search(jack).notation == "call"
    assert damier.player(spec).search(king).notation == "fold"
    found = told(damier.player(spec).search(jack, 5))
    assert found == told(damier.player(spec).search(jack, 5))


@pytest.mark.parametrize("name", [name for name in REGISTRY if sight_of(name) is Sight.OPEN and name not in NOT_HELD])
def test_a_search_for_open_cards_refuses_in_one_line(name: str) -> None:
    position = damier.game("kuhn").position("KJ")
    with pytest.raises(damier.SpecError, match="kuhn hides some") as raised:
        damier.player(name).search(position)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("names", [("uct:sims=3", "random"), ("random", "alphabeta"), ("careful", "ismcts")])
def test_a_match_refuses_before_its_first_game(names: tuple[str, str], tmp_path: Any) -> None:
    with pytest.raises(damier.SpecError, match="needs open cards"):
        damier.match("kuhn", *names, games=2)


# -- what is plain is found, and more is not worse -----------------------------------------------------------------


@pytest.mark.skipif(COMPILER_ON, reason="runs with NUMBA_DISABLE_JIT=1, where it costs less")
@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize("name", [name for name in GAMES if damier.game(name).is_hidden])
def test_information_sets_are_searched_from_the_first_turn_to_the_last(name: str, observers: str) -> None:
    """Goofspiel once was too short: the end of a whole game inside the tree was taken for a game that goes on."""
    player, position, rng = (
        damier.player(f"ismcts:sims=60,observers={observers}"),
        damier.game(name).start(),
        new_rng(3),
    )
    while position.is_chance:
        position = position.play(position.random_move(rng))
    first = position
    while not position.is_over:
        last, position = position, position.play(position.random_move(rng))
    for place in (first, *([] if last.is_chance else [last])):
        assert player.search(place, seed=2).move in place.moves()


def plain_answers() -> Iterator[tuple[Position, str]]:
    """Positions of Kuhn poker in which nothing that is hidden matters."""
    for text, answer in (("QK b", "call"), ("JK b", "call"), ("QJ b", "fold"), ("KJ b", "fold"), ("KQ pb", "call")):
        yield damier.game("kuhn").position(text), answer


SEARCHING = ["ismcts:sims={}", "ismcts:observers=multiple,sims={}", "pimc:search=(minimax:depth=3),deals={}"]


@needs_compiler
@pytest.mark.parametrize("spec", SEARCHING)
def test_more_budget_is_not_worse_and_no_budget_is_unlike_its_neighbours(spec: str) -> None:
    answers = list(plain_answers())

    def mistakes(budget: int) -> int:
        player = damier.player(spec.format(budget))
        return sum(player.search(pos, seed).notation != answer for seed in range(8) for pos, answer in answers)

    counts = [mistakes(budget) for budget in (1, 2, 3, 10, 11, 40, 199)]
    for fewer, more in pairwise(counts):
        assert more <= fewer + 3 * sqrt(max(1, fewer)), counts
    assert counts[1:] == [0] * len(counts[1:]), counts  # both moves end the game, and two simulations try both


@needs_compiler
def test_a_check_that_is_called_less_often_is_found_with_enough_simulations() -> None:
    """A bet with the queen loses against a king that calls and wins nothing from a jack that folds."""
    position = damier.game("kuhn").position("QJ")
    player = damier.player("ismcts:observers=multiple,sims=3000")
    assert [player.search(position, seed).notation for seed in range(5)] == ["check"] * 5


# -- what averaging over deals gets wrong --------------------------------------------------------------------------


@needs_compiler
def test_averaging_over_deals_takes_a_coin_that_is_never_seen_for_a_win() -> None:
    """Strategy fusion: see `hidden_games.Guess`."""
    position = damier.game(GUESS).start().play(0)
    fused = damier.player("pimc:deals=30,search=(minimax:depth=3)").search(position)
    assert fused.notation == "go"
    assert fused.scores == (0.25, 1.0)
    assert (fused.deals, fused.best_in) == (30, (0, 30))
    for spec in ("ismcts:sims=2000", "ismcts:sims=2000,observers=multiple"):
        found = damier.player(spec).search(position)
        assert found.notation == "sure"
        assert found.scores[0] == 0.25 > found.scores[1]
        guess = damier.player(spec).search(position.play("go"))
        assert guess.values is not None
        assert abs(guess.values[0]) < 0.1


@needs_compiler
def test_moves_that_an_observer_can_not_tell_apart_share_their_statistics() -> None:
    position = damier.game(f"{GUESS}:hider=1").start()
    single = damier.player("ismcts:sims=500")
    assert single.search(position).notation == "sure"
    node = single.node([1])
    assert node is not None
    assert [child.visits for child in node.children] == [node.children[0].visits] * 2
    multiple = damier.player("ismcts:sims=5000,observers=multiple")
    found = multiple.search(position)
    node = multiple.node([1])
    assert node is not None
    assert sum(child.visits for child in node.children) <= node.visits
    assert found.scores[1] < 0.3, "the two players must not fall into step"


@needs_compiler
def test_a_player_that_sees_everything_reaches_what_averaging_only_hopes_for() -> None:
    position = damier.game(GUESS).start().play(1).play(1)
    assert [damier.player("cheat:search=(minimax:depth=3)").search(position).notation] == ["right"]
    assert damier.player("pimc:deals=40,search=(minimax:depth=3)").search(position).scores[0] < 0.8
