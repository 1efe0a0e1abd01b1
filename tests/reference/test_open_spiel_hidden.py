"""Our games of hidden information against those of OpenSpiel (Lanctot et al. 2019), move by move in random games.

Both must have the same player to move, the same moves and payoffs, and the same information sets: two positions that a
player can't tell apart in one are the same for that player in the other.

OpenSpiel leaks in one of these games: an information state of dark Hex contains the length of the history. With the
classical rules it says how often the other player failed (with the abrupt rules everybody can count the turns).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import damier
from damier import Position
from damier.core.compile import COMPILER_ON
from tests.random_games import random_positions

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

NUM_GAMES = 300 if COMPILER_ON else 30


def goofspiel(options: str) -> str:
    return f"turn_based_simultaneous_game(game=goofspiel(imp_info=True,{options}))"


PAIRS = {
    "kuhn": "kuhn_poker",
    "leduc": "leduc_poker",
    "leduc:suits=false": "leduc_poker(suit_isomorphism=True)",
    "liarsdice": "liars_dice",
    "liarsdice:dice=2,sides=3": "liars_dice(numdice=2,dice_sides=3)",
    "goofspiel": goofspiel("num_cards=4,points_order=descending"),
    "goofspiel:cards=5,order=ascending,scoring=points": goofspiel(
        "num_cards=5,points_order=ascending,returns_type=point_difference"
    ),
    "goofspiel:cards=6,order=random": goofspiel("num_cards=6,points_order=random"),
    "phantom": "phantom_ttt",
    "phantom:rules=abrupt": "phantom_ttt(gameversion=abrupt)",
    "darkhex": "dark_hex(gameversion=cdh)",
    "darkhex:rows=2,cols=3,rules=abrupt": "dark_hex(num_rows=2,num_cols=3,gameversion=adh)",
}


@dataclass
class Partition:
    """For each information set of ours those of OpenSpiel that were met in it, and the other way round."""

    ours: dict[Any, set[Any]] = field(default_factory=dict)
    theirs: dict[Any, set[Any]] = field(default_factory=dict)

    def add(self, ours: Any, theirs: Any) -> None:
        self.ours.setdefault(ours, set()).add(theirs)
        self.theirs.setdefault(theirs, set()).add(ours)

    def is_the_same(self) -> bool:
        return all(len(met) == 1 for met in (*self.ours.values(), *self.theirs.values()))


def actions(before: Position, move: int) -> list[int]:
    """A move of ours in OpenSpiel, which rolls dice one by one and numbers faces from 0."""
    if before.is_chance and before.game.title == "liarsdice":
        return [int(face) - 1 for face in before.game.rules.hands[move]]
    return [move]


def play_both(ours: str, theirs: str, games: int) -> Iterator[tuple[Position, Any]]:
    """Every position of random games and its twin in OpenSpiel, compared."""
    game, foreign = damier.game(ours), pyspiel.load_game(theirs)
    for seed in range(games):
        twin = foreign.new_initial_state()
        before: Position | None = None
        for position in random_positions(game, seed):
            if before is not None:
                for action in actions(before, position.history[-1]):
                    twin.apply_action(action)
            compare(position, twin)
            before = position
            yield position, twin


def compare(position: Position, twin: Any) -> None:
    assert position.is_over == twin.is_terminal(), position
    if position.is_over:
        amounts = [payoff * position.game.unit_size for payoff in position.returns or ()]
        size = 2 if position.game.unit == "points" else 1  # theirs are points less the mean: half the difference
        assert amounts == pytest.approx([size * amount for amount in twin.returns()]), position
    elif position.is_chance:
        assert twin.is_chance_node(), position
        compare_outcomes(position, dict(twin.chance_outcomes()))
    else:
        assert position.player == twin.current_player(), position
        assert sorted(position.moves()) == twin.legal_actions(), position


def compare_outcomes(position: Position, outcomes: dict[int, float]) -> None:
    """The same cards are as likely; of dice, hands that add up to the sides of the first die."""
    if position.game.title == "liarsdice":
        assert len(outcomes) == position.game.rules.sides
        assert sum(position.outcomes.values()) == pytest.approx(1)
    else:
        assert position.outcomes == pytest.approx(outcomes), position


def number_of_games(config: pytest.Config) -> int:
    """A few, as long as nobody asks for more: pytest tests/reference/test_open_spiel_hidden.py --games 10000."""
    return int(config.getoption("games") or NUM_GAMES)


def without_length(text: str) -> str:
    """An information state of dark Hex: the board, the length of the history, the player's moves."""
    *board, _, tries = text.split("\n")
    return "\n".join([*board, tries])


@pytest.mark.parametrize("name", PAIRS)
def test_rules_and_information_sets_agree_with_open_spiel(name: str, pytestconfig: pytest.Config) -> None:
    leak_free: Callable[[str], str] = without_length if name == "darkhex" else str
    partition = Partition()
    for position, twin in play_both(name, PAIRS[name], number_of_games(pytestconfig)):
        if not position.is_over and not position.is_chance:
            player = position.player
            seen = leak_free(twin.information_state_string(player))
            partition.add((player, position.observation()), (player, seen))
    assert partition.is_the_same()


def test_an_information_state_of_dark_hex_says_how_often_the_other_failed() -> None:
    """Ours does not: one of our information sets is several there, by the length of the history alone."""
    partition = Partition()
    for position, twin in play_both("darkhex", PAIRS["darkhex"], 100):
        if not position.is_over:
            partition.add((position.player, position.observation()), twin.information_state_string(position.player))
    split = [met for met in partition.ours.values() if len(met) > 1]
    assert split
    assert all(len({without_length(text) for text in met}) == 1 for met in split)
    assert all(len(met) == 1 for met in partition.theirs.values())


@pytest.mark.parametrize("name", ["kuhn", "leduc", "liarsdice", "phantom", "phantom:rules=abrupt"])
def test_information_sets_agree_with_open_spiels_numbers(name: str) -> None:
    partition = Partition()
    for position, twin in play_both(name, PAIRS[name], 100 if COMPILER_ON else 10):
        if not position.is_over and not position.is_chance:
            numbers = np.array(twin.information_state_tensor(position.player)).tobytes()
            partition.add((position.player, position.observation()), (position.player, numbers))
    assert partition.is_the_same()
