"""Draughts against naive rules, py-draughts (Russian, Brazilian, Frisian) and OpenSpiel (English), move by move."""

from collections.abc import Iterator
from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.squares import Squares
from damier.games.draughts.captures import captured_of, start_of, target_of
from damier.games.draughts.variants import VARIANTS
from tests.random_games import random_positions
from tests.reference.test_naive_rules import compare_a_game

NAIVE_GAMES = 8 if COMPILER_ON else 2
FOREIGN_GAMES = 100 if COMPILER_ON else 3

BOARDS = [
    *(f"draughts:rules={rules}" for rules in VARIANTS),
    "draughts:rules=international,size=8,draw_after=200",
    "draughts:rules=russian,size=10",
    "draughts:rules=russian,first=black,choice=italian",
    "draughts:rules=frisian,first=black",
    "draughts:rules=english,backward=yes,flying=yes",
    "draughts:size=6,promotion=stop,man_resets=yes",
    "draughts:size=4",
]

Triple = tuple[int, int, frozenset[int]]  # start, end, captured squares


def triple(move: int) -> Triple:
    captured = int(captured_of(move))
    return int(start_of(move)), int(target_of(move)), frozenset(i for i in range(50) if captured >> i & 1)


@pytest.mark.parametrize("name", BOARDS)
def test_rules_agree_with_naive_ones_in_random_games(name: str) -> None:
    for number in range(NAIVE_GAMES):
        compare_a_game(damier.game(name), seed=number)


# -- py-draughts: squares are numbered as ours, from 0 ---------------------------------------------------------


@pytest.mark.parametrize("rules", ["russian", "brazilian", "frisian"])
def test_rules_agree_with_py_draughts_in_random_games(rules: str) -> None:
    foreign = pytest.importorskip("draughts", reason="py-draughts is not installed")
    board_type = getattr(foreign, f"{rules.capitalize()}Board")
    game = damier.game(f"draughts:rules={rules}")
    for seed in range(FOREIGN_GAMES):
        _compare_with_py_draughts(game, board_type(), seed)


def _compare_with_py_draughts(game: damier.Game, board: Any, seed: int) -> None:
    theirs: dict[Triple, Any] = {}
    for position in random_positions(game, seed):
        if position.history:
            board.push(theirs[triple(position.history[-1])])
        theirs = {_as_triple(move): move for move in board.legal_moves}
        resting = game.rules.tired_king(position.state)  # a rule of Frisian draughts that is not in theirs
        if position.returns != (0, 0):
            expected = {move for move in theirs if move[0] != resting or move[2]}
            assert {triple(move) for move in position.moves()} == expected, position


# -- OpenSpiel: each jump is a move of its own, and White at the bottom moves first ------------------------------


def test_english_rules_agree_with_open_spiel_in_random_games() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = damier.game("draughts:rules=english,draw_after=40,man_resets=no")
    for seed in range(FOREIGN_GAMES):
        _compare_with_open_spiel(game, pyspiel.load_game("checkers").new_initial_state(), seed)


def _compare_with_open_spiel(game: damier.Game, foreign: Any, seed: int) -> None:
    theirs: dict[Triple, Any] = {}
    for position in random_positions(game, seed):
        if position.history:
            foreign = theirs[triple(position.history[-1])]
        theirs = dict(_whole_moves(foreign))
        assert {triple(move) for move in position.moves()} == set(theirs), position
        assert position.is_over == foreign.is_terminal()
        if position.is_over:
            assert list(position.returns or ()) == foreign.returns(), position
        else:
            assert position.player == foreign.current_player(), position


def _whole_moves(foreign: Any, start: int = -1, captured: frozenset[int] = frozenset()) -> Iterator[tuple[Triple, Any]]:
    """Every move, all its jumps made, and the state after it."""
    for action in foreign.legal_actions():
        text = foreign.action_to_string(action)
        (row, col), (to_row, to_col) = _place(text[:2]), _place(text[2:4])
        after = foreign.child(action)
        taken = captured
        if abs(to_row - row) == 2:
            taken = captured | {_square((row + to_row) // 2, (col + to_col) // 2)}
        begun = start if start >= 0 else _square(row, col)
        if not after.is_terminal() and after.current_player() == foreign.current_player():
            yield from _whole_moves(after, begun, taken)
        else:
            yield (begun, _square(to_row, to_col), taken), after


def _place(name: str) -> tuple[int, int]:
    row, col = divmod(Squares(8, 8).parse(name), 8)
    return row, col


def _square(row: int, col: int) -> int:
    """Our number of a square, with the board turned by half."""
    return 31 - (row * 4 + col // 2)


# -- deeper than the published counts ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["russian", "brazilian"])
def test_leaves_agree_with_py_draughts_where_there_are_kings(rules: str) -> None:
    foreign = pytest.importorskip("draughts", reason="py-draughts is not installed")
    board = getattr(foreign, f"{rules.capitalize()}Board")()
    position = damier.game(f"draughts:rules={rules}").start()
    positions = list(random_positions(position.game, 3))
    middle = positions[len(positions) * 2 // 3]
    for move in middle.history:
        board.push(next(each for each in board.legal_moves if _as_triple(each) == triple(move)))
    depth = 4 if COMPILER_ON else 2
    assert damier.perft(middle, depth) == _count(board, depth)


def _as_triple(move: Any) -> Triple:
    return move.square_list[0], move.square_list[-1], frozenset(move.captured_list)


def _count(board: Any, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in {_as_triple(move): move for move in board.legal_moves}.values():
        board.push(move)
        total += _count(board, depth - 1)
        board.pop()
    return total
