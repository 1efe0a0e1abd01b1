"""Backgammon against OpenSpiel: the positions that each roll can lead to, and the results, in random games.

`python -m tests.reference.test_backgammon` plays a thousand games; here there are fewer.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import damier
from damier import Position
from damier.core.compile import COMPILER_ON
from damier.core.rng import below, new_rng
from damier.games.backgammon.notation import START, position_id

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

NUM_GAMES = 25 if COMPILER_ON else 1
OPENINGS = Path(__file__).parents[3] / "shared" / "data" / "backgammon_openings.json"
NUM_POSITIONS = {
    11: 42,
    21: 15,
    22: 75,
    31: 16,
    32: 17,
    33: 73,
    41: 14,
    42: 18,
    43: 17,
    44: 52,
    51: 8,
    52: 8,
    53: 9,
    54: 9,
    55: 4,
    61: 10,
    62: 14,
    63: 14,
    64: 14,
    65: 7,
    66: 11,
}
BAR = 100  # in OpenSpiel
FULL = "backgammon(scoring_type=full_scoring)"

Board = tuple[int, ...]


def test_every_opening_roll_leads_to_as_many_positions_as_elsewhere() -> None:
    """Doubles do not open a game, so it starts from a position on roll."""
    start = damier.game(f"backgammon:position={START}").start()
    assert {roll: len(start.play(roll).moves()) for roll in start.moves()} == NUM_POSITIONS
    assert {roll: len(_successors(start.play(roll))) for roll in start.moves()} == NUM_POSITIONS


@pytest.mark.skipif(not OPENINGS.is_file(), reason=f"{OPENINGS} is not there")
def test_the_counts_of_positions_are_those_of_the_file() -> None:
    listed = json.loads(OPENINGS.read_text())["rolls"]
    assert {int(roll.replace("-", "")): count for roll, count in listed.items()} == NUM_POSITIONS


def test_turns_and_results_agree_with_open_spiel_in_random_games() -> None:
    payoffs = [compare_a_game(seed) for seed in range(NUM_GAMES)]
    if COMPILER_ON:
        assert {round(3 * abs(payoff)) for payoff in payoffs} == {1, 2, 3}  # gammons and backgammons among them


def compare_a_game(seed: int) -> float:
    """Play a random game in both programs; return the first player's payoff."""
    position, rng = damier.game("backgammon:gammons=true").start(), new_rng(seed)
    foreign = pyspiel.load_game(FULL).new_initial_state()
    while not position.is_over:
        moves = position.moves()
        move = moves[below(rng, len(moves))]
        if position.is_chance:
            foreign.apply_action(_foreign_roll(foreign, position, move))
            position = position.play(move)
            continue
        ours, theirs = _successors(position), _foreign_successors(foreign)
        assert set(ours) == set(theirs), position
        position = position.play(move)
        foreign = theirs[_board(position)]
    assert foreign.is_terminal()
    assert [3 * payoff for payoff in position.returns or ()] == pytest.approx(foreign.returns())
    return (position.returns or (0,))[0]


def _foreign_roll(foreign: Any, position: Position, outcome: int) -> int:
    """OpenSpiel tells the order of the dice, which means nothing but in the first roll of a game."""
    first, second = divmod(outcome, 10)
    low, high = min(first, second), max(first, second)
    if position.history:
        wanted = f" (roll: {low}{high})"
    else:
        wanted = f" X starts, (roll: {low}{high})" if first > second else f" O starts, (roll: {high}{low})"
    outcomes = [action for action, _ in foreign.chance_outcomes()]
    return int(next(action for action in outcomes if foreign.action_to_string(-1, action).endswith(wanted)))


def _successors(position: Position) -> dict[Board, int]:
    return {_board(position.play(move)): move for move in position.moves()}


def _board(position: Position) -> Board:
    """The checkers of both on the points of player 0, and on the bars."""
    points = position.state.points
    first = [int(points[0, point]) for point in range(1, 26)]
    second = [int(points[1, 25 - point]) for point in range(1, 25)] + [int(points[1, 25])]
    return (*first, *second)


def _foreign_successors(state: Any) -> dict[Board, Any]:
    """Where a whole turn leads. OpenSpiel plays a double as two turns of two steps, and asks only of each of the two
    that it uses as many dice as possible; the rules ask it of all four steps."""
    mover = state.current_player()
    ends = {}
    for action in state.legal_actions():
        after = state.child(action)
        steps = _steps(state, mover, action)
        if not after.is_terminal() and after.is_player_node() and after.current_player() == mover:
            for second in after.legal_actions():
                end = after.child(second)
                ends[_foreign_board(end)] = steps + _steps(after, mover, second), end
        else:
            ends[_foreign_board(after)] = steps, after
    most = max(steps for steps, _ in ends.values())
    return {board: end for board, (steps, end) in ends.items() if steps == most}


def _steps(state: Any, player: int, action: int) -> int:
    return sum(0 <= step.pos < 24 or step.pos == BAR for step in state.spiel_move_to_checker_moves(player, action))


def _foreign_board(state: Any) -> Board:
    first = [state.board(0, place) for place in range(23, -1, -1)]
    second = [state.board(1, place) for place in range(23, -1, -1)]
    return (*first, state.board(0, BAR), *second, state.board(1, BAR))


def test_a_position_id_is_read_as_it_was_written() -> None:
    position, rng = damier.game("backgammon").start(), new_rng(5)
    while not position.is_over:
        if position.is_chance and position.history:
            read = damier.game(f"backgammon:position={position_id(position.state)}").start()
            swapped = position.state.points if position.state.turn == 0 else position.state.points[::-1]
            assert (read.state.points == swapped).all()
        moves = position.moves()
        position = position.play(moves[below(rng, len(moves))])


if __name__ == "__main__":
    for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 1000):
        compare_a_game(number)
    print("no difference")
