"""One-player games: their scores, their notation, and how they are played in the terminal."""

import pytest

import damier
from damier.core.errors import MoveError, RulesError
from tests.unit.command import Damier, run_damier


def test_left_is_right() -> None:
    start = damier.game("leftmove:depth=4").start()
    best, worst, middling = (start.play_all(moves) for moves in ("l l l l", "right right right right", "l r r l"))
    assert [position.game.score(position.state) for position in (best, worst, middling)] == [4, 0, 2]
    assert [position.returns for position in (best, worst, middling)] == [(1.0,), (-1.0,), (0.0,)]


def test_any_cell_names_its_group() -> None:
    start = damier.game("samegame:board=1122/2211").start()
    assert start.notations() == ["a1", "a2", "c1", "c2"]
    assert start.play("b1") == start.play("a1")
    with pytest.raises(MoveError, match="illegal move 'e1'"):
        start.play("e1")


def test_cells_fall_and_columns_close_up() -> None:
    position = damier.game("samegame:board=31113/22222/31113").start().play("a2")
    rows = [[cell + 1 for cell in row] for row in position.view().cells]
    assert rows == [[0] * 5, [3, 1, 1, 1, 3], [3, 1, 1, 1, 3]]
    position = position.play("b1")
    rows = [[cell + 1 for cell in row] for row in position.view().cells]
    assert rows == [[0] * 5, [3, 3, 0, 0, 0], [3, 3, 0, 0, 0]]
    assert position.game.score(position.state) == 3**2 + 4**2
    assert position.play("a1").game.score(position.play("a1").state) == 3**2 + 4**2 + 2**2 + 1000


def test_seeds_give_different_boards() -> None:
    boards = {damier.game(f"samegame:seed={seed}").start().draw(False) for seed in range(20)}
    assert len(boards) == 20
    puzzles = {damier.game(f"sliding:size=4,seed={seed}").start().draw(False) for seed in range(20)}
    assert len(puzzles) == 20


@pytest.mark.parametrize("variant", ["5D", "5t"])
def test_morpion_starts_with_28_moves(variant: str) -> None:
    start = damier.game(f"morpion:variant={variant}").start()
    assert len(start.moves()) == 28
    assert start.play("s21-o21") == start.play("o21-s21")


def test_lines_of_morpion_may_share_an_end_in_5t_only() -> None:
    lines = "o21-s21 r21-r17 q21-u17"
    for variant, is_legal in (("5D", False), ("5T", True)):
        position = damier.game(f"morpion:variant={variant}").start().play_all(lines)
        state = position.state
        state.points[:] = 0
        state.legal[:] = state.num_legal = state.num_moves = 0
        rules = position.game.rules
        state.points[32 * 9 + 5 : 32 * 9 + 10] = 16
        for point in range(32 * 9 + 5, 32 * 9 + 5 + rules.taken):
            state.points[point] |= 1  # a line is drawn to the right
        state.points[32 * 9 + 10 : 32 * 9 + 13] = 16  # three dots follow it, and a fourth would make a line
        rules.add_lines_through(state, 32 * 9 + 11)
        ends = [rules.format_move(state, move) for move in state.legal[: state.num_legal]]
        assert ("j23-n23" in ends) is is_legal, variant


def test_a_game_of_morpion_that_leaves_the_grid_is_stopped() -> None:
    game = damier.game("morpion")
    states = game.new_states(1)
    states[0].points[33:37] = 16  # beside the left edge
    game.rules.add_lines_through(states[0], 34)
    position = damier.Position(game, states[0])
    outwards = next(move for move in position.moves() if move % 5 == 0)
    with pytest.raises(RulesError, match="the game has grown beyond the 32 x 32 points"):
        position.play(outwards)


def test_the_drawing_of_morpion_tells_lines_apart_that_follow_each_other() -> None:
    game = damier.game("morpion")
    states = game.new_states(1)
    states[0].points[32 * 9 + 5 : 32 * 9 + 15] = 16 + 1
    assert "*---*---*---*---*   *---*---*---*---*" in game.draw(states[0])


def test_the_key_of_a_sliding_puzzle_does_not_count_moves() -> None:
    start = damier.game("sliding").start()
    tile = start.moves()[0]
    there_and_back = start.play(tile).play(tile)
    assert there_and_back != start
    assert there_and_back.key == start.key
    last = damier.game("sliding:limit=2").start().play(tile).play(tile)
    assert last.is_over
    assert last.key != start.key


def test_a_sliding_puzzle_pays_more_for_fewer_moves() -> None:
    start = damier.game("sliding:board=123456708,limit=3").start()
    assert start.distance() == 1
    assert start.play("8").returns == (0.75,)
    assert start.play_all("7 7 8").returns == (0.25,)
    assert start.play_all("7 7 5").returns == (-1.0,)
    assert start.evaluate() == (0.75,)
    assert start.play_all("7 7").play("5").evaluate() == (-1.0,)


def test_games_without_a_distance_say_so() -> None:
    with pytest.raises(RulesError, match="leftmove has no `distance`"):
        damier.game("leftmove").start().distance()


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("leftmove:depth=2", "l r", "the game is over, score 1, payoff +0"),
        ("samegame:board=112/221", "a1 a1 a1", "the game is over, score"),
        ("sliding:board=123456708", "8", "the game is over, score 1, payoff +0.99"),
    ],
)
def test_a_person_plays_alone(game: str, moves: str, told: str) -> None:
    played = run_damier("play", game, stdin="\n".join(moves.split()) + "\n")
    assert told in played.stdout


@pytest.mark.parametrize("name", ["leftmove", "samegame:rows=5,cols=5", "morpion", "sliding:scramble=3,limit=9"])
def test_players_play_alone(name: str, damier_: Damier) -> None:
    assert "the game is over, score" in damier_("play", name, "--seat", "random", "--seed", "1")[1]


def test_uct_finds_the_left() -> None:
    result = damier.player("uct:sims=500").search(damier.game("leftmove:depth=6").start(), seed=1)
    assert result.notation == "left"
