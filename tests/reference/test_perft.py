"""Perft and the count of positions in compiled code against recursion over Positions."""

from pathlib import Path

import pytest

import damier
from damier import Position
from damier.search.perft import distinct, divide
from tests.conformance.games import CountUp, FarApart, HighCard, Pig

NIM = f"{Path(__file__).parents[2]}/examples/nim.py:Nim"

CASES = [
    ("tictactoe", 5),
    ("connect4", 4),
    ("mnk:rows=2,cols=4,k=3", 5),
    ("othello", 4),
    ("othello:size=4", 6),
    (NIM, 6),
    (Pig, 5),
    (CountUp, 11),
    (HighCard, 6),
    (FarApart, 5),
]


def short_name(value: object) -> str:
    return value.__name__ if isinstance(value, type) else Path(str(value)).name


def naive_perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(naive_perft(position.play(move), depth - 1) for move in position.moves())


@pytest.mark.parametrize(("rules", "depth"), CASES, ids=short_name)
def test_perft_counts_what_recursion_counts(rules: object, depth: int) -> None:
    start = damier.game(rules).start()
    for smaller in range(depth + 1):
        assert damier.perft(start, smaller) == naive_perft(start, smaller)


@pytest.mark.parametrize(("rules", "depth"), CASES, ids=short_name)
def test_divide_splits_perft_by_the_first_move(rules: object, depth: int) -> None:
    start = damier.game(rules).start()
    behind = dict(divide(start, depth))
    assert list(behind) == start.moves()
    assert sum(behind.values()) == damier.perft(start, depth)


@pytest.mark.parametrize(("rules", "depth"), CASES, ids=short_name)
def test_distinct_counts_what_a_set_of_positions_holds(rules: object, depth: int) -> None:
    positions = {damier.game(rules).start()}
    for count in distinct(damier.game(rules).start(), depth):
        assert count == len(positions)
        positions = {position.play(move) for position in positions for move in position.moves()}
