"""Deals of games without chance: all that is possible comes up, and nothing else does."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

import damier
from damier import Position
from damier.core import calls
from damier.core.compile import COMPILER_ON, kernel
from damier.core.rng import new_rng

DRAWS = 2_000

GAMES = [
    "goofspiel",
    "phantom:rows=2,cols=2,k=2",
    "darkhex:rows=2,cols=2",
    "darkhex:rows=2,cols=2,rules=abrupt",
]


@kernel
def deal_often(game: Any, state: Any, dealt: Any, observer: int, rng: Any) -> None:
    for number in range(dealt.size):
        dealt[number] = state
        game.determinize(dealt[number], observer, rng)


def information_sets(game: damier.Game) -> dict[Any, list[Position]]:
    """By the observer, the player to move and the observation: every position before the end."""
    found: dict[Any, list[Position]] = defaultdict(list)
    waiting = [game.start()]
    while waiting:
        position = waiting.pop()
        if not position.is_over:
            for observer in range(2):
                found[observer, position.player, position.observation(observer)].append(position)
            waiting += [position.play(move) for move in position.moves()]
    return found


@pytest.mark.skipif(not COMPILER_ON, reason="takes many deals")
@pytest.mark.parametrize("name", GAMES)
def test_every_position_that_is_possible_comes_up(name: str) -> None:
    game, rng = damier.game(name), new_rng(1)
    for (observer, _, _), positions in information_sets(game).items():
        possible = {position.state.tobytes() for position in positions}
        dealt = game.new_states(DRAWS)
        game.run(deal_often, positions[0].state, dealt, observer, rng)
        assert {record.tobytes() for record in np.unique(dealt)} == possible, positions[0]


@pytest.mark.skipif(not COMPILER_ON, reason="takes many deals")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("goofspiel:cards=13,order=random", "13,1,5,9,2,3,11,4,6 13,1,2,9,3,4,11,5,6 12,2,4,10,1,3,13,6,5"),
        ("phantom:rows=4,cols=4,k=4", "a1,a2,a3,b4,c4,d3 b1,b2,b3,c1,c2,d4"),
        ("darkhex:rows=5,cols=5,rules=abrupt", "a1,b2,c3,d4,e5,a2,a3,a4 a5,b1,b2,c3,c4,d1,d4,e1"),
    ],
)
def test_deals_in_the_middle_of_a_game_are_consistent(name: str, text: str) -> None:
    game = damier.game(name)
    position = game.position(text)
    assert not position.is_over
    for observer in range(2):
        dealt = game.new_states(200)
        game.run(deal_often, position.state, dealt, observer, new_rng(2))
        for record in dealt:
            world = Position(game, record)
            assert world.observation(observer) == position.observation(observer)
            assert game.position(world.text()) == world  # it can be played
            assert world.player == position.player
            assert not world.is_over
        assert len(np.unique(dealt)) > 20


def test_a_deal_needs_no_more_than_the_observation() -> None:
    """The same random numbers give the same deal from every position that looks the same."""
    game = damier.game("phantom:rows=2,cols=2,k=2")
    for (observer, _, _), positions in information_sets(game).items():
        dealt = set()
        for position in positions:
            state = position.state
            game.run(calls.determinize, state, observer, new_rng(3))
            dealt.add(state.tobytes())
        assert len(dealt) == 1
