"""The memory of a search: the same check wherever there is such an option."""

import pytest

import damier
from damier.core.errors import SpecError
from damier.core.loading import load_class
from damier.core.spec import defaults
from damier.players import REGISTRY
from damier.search.solve import Solver

WITH_MEMORY = [name for name in REGISTRY if "memory" in defaults(load_class(REGISTRY[name]))]


def test_there_are_such_players() -> None:
    assert {"uct", "shuss", "halving", "alphabeta", "astar", "zero", "perfect"} <= set(WITH_MEMORY)


@pytest.mark.parametrize("megabytes", [0, -1, 10**8, 2**63, -(2**63)])
@pytest.mark.parametrize("name", WITH_MEMORY)
def test_no_player_is_made_with_memory_that_can_not_be(name: str, megabytes: int) -> None:
    with pytest.raises(SpecError):
        damier.player(f"{name}:memory={megabytes}")


@pytest.mark.parametrize("name", ["halving", "shuss", "uct", "grave"])
def test_a_search_ends_in_the_least_memory(name: str) -> None:
    pos = damier.game("tictactoe").start()
    assert damier.player(f"{name}:memory=1,sims=50").search(pos).move in pos.moves()


def test_the_error_says_what_was_expected() -> None:
    with pytest.raises(SpecError, match=r"expected memory from 1 to \d+ megabytes, which this computer has, got 0"):
        Solver(damier.game("tictactoe"), 0)
