"""The heuristic values of the games, on positions where they are known."""

import json
from pathlib import Path

import pytest

import damier
from tests.unit.command import Damier


@pytest.mark.parametrize(
    ("moves", "first", "second"),
    [
        ("b2 c2", 6, 4),  # X in the middle, O beside it on the right
        ("b2 a2 c2 b1", 4, 3),  # O X X in the middle row, O below the middle
        ("", 8, 8),
    ],
)
def test_tictactoe_counts_the_open_lines_of_each_player(moves: str, first: int, second: int) -> None:
    position = damier.game("tictactoe").start().play_all(moves)
    rules, state = position.game.rules, position.state
    assert (rules.open_lines(state, 0), rules.open_lines(state, 1)) == (first, second)
    assert position.evaluate() == ((first - second) / 8, (second - first) / 8)


def test_connect4_counts_the_fours_that_are_still_open() -> None:
    start = damier.game("connect4").start()
    assert start.game.rules.open_fours(start.game.rules.board) == 69
    assert start.evaluate() == (0.0, 0.0)
    # in the middle of the bottom row 7 fours meet: 4 in the row, 1 upright, 2 aslant
    assert start.play("d").evaluate() == (7 / 69, -7 / 69)
    # in the corner, 3: one in each direction
    assert start.play("a").evaluate() == (3 / 69, -3 / 69)


def test_connect4_counts_the_fours_of_every_board() -> None:
    for rows, cols in ((4, 4), (5, 6), (7, 8), (15, 4), (6, 9)):
        rules = damier.game(f"connect4:rows={rows},cols={cols}").rules
        fours = rows * (cols - 3) + cols * (rows - 3) + 2 * (rows - 3) * (cols - 3)
        assert rules.open_fours(rules.board) == fours


def test_mnk_prefers_the_middle_and_open_rows() -> None:
    start = damier.game("mnk:rows=5,cols=5,k=4").start()
    middle, corner = start.play("c3").evaluate()[0], start.play("a1").evaluate()[0]
    assert middle > corner > 0 == start.evaluate()[0]
    three = start.play_all("b3 a1 c3 a5 d3").evaluate()[0]
    blocked = start.play_all("b3 a3 c3 e3 d3").evaluate()[0]
    assert three > blocked


def test_othello_weighs_corners_mobility_and_discs() -> None:
    start = damier.game("othello").start()
    assert start.evaluate() == (0.0, 0.0)
    state = start.state
    state.discs[0] |= 1  # a corner for the first player, one disc more, the same mobility
    corner = damier.Position(start.game, state)
    assert corner.evaluate()[0] == pytest.approx(0.5 * 1 + 0.4 * 0 + 0.1 * 1 / 5)


def test_a_game_without_evaluation_says_so() -> None:
    with pytest.raises(damier.RulesError, match="Nim has no `evaluate`"):
        damier.game("examples/nim.py:Nim").start().evaluate()


def test_analyse_tells_what_each_feature_adds(tmp_path: Path, damier_: Damier) -> None:
    """For the player to move; together they are the evaluation. The weights are those of a file."""
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"corners": 2, "mobility": 1, "discs": 1}))
    command = ("analyse", f"othello:size=4,weights={path}", "--moves", "b1", "--player", "random")
    told = json.loads(damier_(*command, "--json")[1])["evaluation"]
    assert [(each["feature"], each["weight"]) for each in told] == [
        ("corners", 0.5),
        ("mobility", 0.25),
        ("discs", 0.25),
    ]
    position = damier.game(f"othello:size=4,weights={path}").start().play("b1")
    assert told[2]["amounts"] == [0.8, 0.2]  # 4 discs to 1
    assert told[2]["adds"] == pytest.approx(0.25 * (0.2 - 0.8))
    assert sum(each["adds"] for each in told) == pytest.approx(position.evaluate()[position.player])
    own = ("analyse", "othello:size=4", "--moves", "b1", "--player", f"alphabeta:depth=1,weights={path}", "--json")
    assert json.loads(damier_(*own)[1])["evaluation"] == told, "the weights of a player"
    table = damier_(*command)[1]
    assert "-0.15" in next(line for line in table.splitlines() if "discs" in line)
