"""Blokus for people: moves, boards, options and Pentobi's game records, right and wrong."""

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import damier
from damier import Position
from damier.core.errors import DamierError, MoveError, SpecError
from damier.games.blokus.blksgf import VARIANTS, BlksgfError, BlksgfGame, format_blksgf, parse_blksgf
from damier.games.blokus.notation import MARKS
from damier.games.blokus.pieces import PIECES
from tests.random_games import random_positions

DUO = damier.game("blokus:board=duo")


def _error_of(function: Callable[[str], object], text: str) -> str:
    """What is said of a text, nothing if it is right."""
    try:
        function(text)
    except DamierError as error:
        return str(error)
    return ""


# -- moves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["f9,e10,f10,g10,f11", "F11 F10 G10 e10,f9", "x f9 f11", "X g10 e10"])
def test_a_placement_is_read_in_many_spellings(text: str) -> None:
    assert DUO.start().play(text).line() == "f9,e10,f10,g10,f11"


BAD_MOVES = {
    "": "expected squares from a1 to n14",
    ",": "expected squares from a1 to n14",
    "a1,b15": "expected squares from a1 to n14, like a1,b1, got 'a1,b15'",
    "pass": "expected squares from a1 to n14",
    "a1": "blue has no piece that fits there",
    "e10,e12": "blue has no piece that fits there",
    "X a1": "blue can't place X on a1",
    "O": "blue can place O in 4 ways, name more of its squares: e9,f9,e10,f10",
    "L5 e10 e13": "blue can place L5 on e13 and e10 in 4 ways, name more of its squares",
    "F q77": "or a piece and some of its squares",
}


@pytest.mark.parametrize("text", BAD_MOVES)
def test_a_bad_move_is_explained_in_one_line(text: str) -> None:
    with pytest.raises(MoveError) as raised:
        DUO.start().play(text)
    assert BAD_MOVES[text] in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_piece_that_is_gone_and_a_game_that_is_over_are_named() -> None:
    with pytest.raises(MoveError, match="yellow has no I5 left"):
        DUO.start().play_all("e10,e11 j5,j6,j7,j8,j9 f9").play("I5 i4")
    over = list(random_positions(damier.game("blokus:board=tiny"), 1))[-1]
    with pytest.raises(MoveError, match="the game is over"):
        over.play("a1")


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="abnz019 ,XF5\n", max_size=30))
def test_any_text_is_a_move_or_an_error_of_one_line(text: str) -> None:
    assert "\n" not in _error_of(DUO.start().play, text)


# -- options -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("board=huge", "expected board to be classic or duo or junior or tiny, got huge"),
        ("players=5", "expected players to be 2 or 3 or 4, got 5"),
        ("players=4,colours=3", "expected colours to be 4, got 3"),
        ("size=21", "expected size to be 5 to 20, got 21"),
        ("board=duo,size=8", "expected size to be 10 to 20, got 8"),
        ("pieces=6", "expected pieces to be 1 to 5, got 6"),
        ("history=9", "expected history to be 1 to 8, got 9"),
        ("scoring=best", "expected scoring to be advanced or basic, got best"),
    ],
)
def test_an_option_out_of_range_is_told(options: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        damier.game(f"blokus:{options}")


# -- what a network sees -------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["board=tiny", "board=tiny,players=3", "board=tiny,players=4", "board=duo"])
def test_the_history_planes_are_the_positions_before(options: str) -> None:
    game = damier.game(f"blokus:{options},history=4")
    colours, squares = game.rules.num_colours, game.rules.num_rows**2
    rows, cols = game.rules.seen_row, game.rules.seen_col

    def occupied(position: Position) -> NDArray[np.float32]:
        """[colour, square], the board as it lies."""
        me = int(position.state.colour)
        planes = position.encode()[:colours, rows[me], cols[me]]
        return np.roll(planes, me, axis=0)

    positions = list(random_positions(game, 2))
    for ply, position in enumerate(positions):
        planes, me = position.encode(), int(position.state.colour)
        for age in range(4):
            shown = planes[colours * age : colours * (age + 1), rows[me], cols[me]]
            before = occupied(positions[ply - age]) if age <= ply else np.zeros((colours, squares))
            assert (np.roll(shown, me, axis=0) == before).all()


@pytest.mark.parametrize("options", ["board=tiny,players=4", "board=junior", "players=3,colours=4"])
def test_a_network_sees_what_each_colour_can_place(options: str) -> None:
    game = damier.game(f"blokus:{options}")
    rules, colours = game.rules, game.rules.num_colours
    names = [PIECES[piece].name for piece in rules.piece_set]
    for position in list(random_positions(game, 3))[:-1]:
        planes, me = position.encode(), int(position.state.colour)
        covered = planes[3 * colours : 4 * colours, rules.seen_row[me], rules.seen_col[me]]
        for turn in range(colours):
            state = position.state
            state.colour = (me + turn) % colours
            moves = Position(game, state).moves()
            assert set(np.flatnonzero(covered[turn])) == {cell for move in moves for cell in rules.cells_of(move)}
            of_pieces = planes[4 * colours + 2 * len(names) * turn :][: 2 * len(names)]
            placeable = {name for name, plane in zip(names, of_pieces[1::2], strict=True) if plane.all()}
            assert placeable == {rules.piece_name(move) for move in moves}


@pytest.mark.parametrize(
    ("options", "turn"),
    [
        ("players=2,size=8,pieces=4", "left-right"),
        ("board=tiny,players=4", "three-quarter turn"),
        ("board=duo", "half turn"),
        ("board=junior,history=3", "half turn"),
        ("players=2,colours=4", "three-quarter turn"),
    ],
)
def test_a_network_sees_the_same_whichever_colour_is_to_move(options: str, turn: str) -> None:
    """Begin the game as the second colour on the turned board: all that a network sees and answers is the same."""
    game = damier.game(f"blokus:{options}")
    image = np.argsort(game.rules.squares.symmetries()[turn])
    one, state = game.start(), game.start().state
    state.colour = state.player = 1
    other = Position(game, state)
    rng = random.Random(5)
    while not one.is_over:
        assert (one.encode() == other.encode()).all()
        move = rng.choice(one.moves())
        turned = game.rules.numbers[frozenset(int(image[square]) for square in game.rules.cells_of(move))]
        assert sorted(map(one.action, one.moves())) == sorted(map(other.action, other.moves()))
        assert one.action(move) == other.action(turned)
        one, other = one.play(move), other.play(turned)
    assert (np.roll(np.array(one.returns), 1) == np.array(other.returns)).all()


def test_who_starts_further_in_sees_the_board_turned_by_its_corner() -> None:
    rules = damier.game("blokus:board=tiny").rules
    seen = rules.seen_row * rules.num_rows + rules.seen_col
    assert rules.starts == [(0, 0), (7, 7)]
    assert (seen[0] == np.arange(100)).all()
    assert (seen[1] == rules.squares.symmetries()["half turn"]).all()
    assert rules.are_alike


def test_positions_are_equal_however_they_were_reached() -> None:
    one = DUO.start().play_all("e10 j5 d11,c12,d12 k4,l4 f9,f8")
    other = DUO.start().play_all("e10 j5 f8,f9 k4,l4 d11,c12,d12")
    assert one == other
    assert one.key == other.key


# -- the board -----------------------------------------------------------------------------------------------


def test_the_board_shows_points_scores_and_what_is_left() -> None:
    drawn = damier.game("blokus:players=2,size=8,pieces=4").start().play("a8,b8,c8").draw(unicode=False).splitlines()
    assert drawn[0] == "8 B B B . . . . +"
    assert drawn[8] == "  a b c d e f g h"
    assert drawn[10] == "  B blue     3  left: 1 2 V3 I4 L4 O T4 Z4"
    assert drawn[11].startswith("> Y yellow   0  left: 1 2 I3")
    assert "Z4" in drawn[-1]


def test_each_colour_has_its_own_mark_and_belongs_to_its_player() -> None:
    symbols = damier.game("blokus:players=3,colours=4").start().view().symbols[:4]
    assert [symbol.colour for symbol in symbols] == ["blue", "yellow", "red", "green"]
    assert [symbol.player for symbol in symbols] == [0, 1, 2, -1]
    assert len({symbol.unicode for symbol in symbols}) == len(MARKS)


# -- game records --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", VARIANTS.values())
def test_a_game_is_written_and_read(spec: str) -> None:
    positions = list(random_positions(damier.game(spec), 3))
    end = positions[-1]
    read = parse_blksgf(format_blksgf(end))
    assert (read.start, read.moves) == (end.game.start(), end.history)
    told = BlksgfGame(end.game.start(), end.history[:5], {"PB": "a [b\\] c", "C": "two\nlines"})
    assert parse_blksgf(format_blksgf(told)) == told


@pytest.mark.parametrize("spec", VARIANTS.values())
def test_a_position_that_was_set_up_is_written_and_read(spec: str) -> None:
    positions = list(random_positions(damier.game(spec), 5))
    for index in (1, 2, 9, len(positions) - 6):
        start = Position(positions[index].game, positions[index].state)
        moves = positions[index + 3].history[index:]
        text = format_blksgf(BlksgfGame(start, moves))
        read = parse_blksgf(text)
        assert (read.start.player, read.start.moves(), read.moves) == (start.player, start.moves(), moves)
        assert format_blksgf(read) == text


def test_other_variations_and_old_files_are_read() -> None:
    text = "( ;GM[Blokus] ;BLUE[a20][a19] (;YELLOW[t20];RED[t1]TE[1]) (;2[s20,t20] (;3[t1]) ) )\n"
    assert parse_blksgf(text).end.line() == "a19,a20 t20 t1"


BAD_RECORDS = {
    "": "line 1: expected a game, got nothing",
    "(": "line 1: expected a ) at the end",
    ")": "line 1: expected a ( before this )",
    "B[e10]": "line 1: expected a game to begin with (;",
    "(;)": "line 1: expected a property GM that is Blokus, Blokus Two-Player",
    "(;GM[Blokus Trigon])": "got 'Blokus Trigon'",
    "(;GM[Blokus Duo]\n;B[e10)": "line 2: expected ( ; ) or a property like B[e10], got 'B[e10)'",
    "(;GM[Blokus Duo]\n;B[a1])": "line 2: illegal move 'a1': blue has no piece that fits there",
    "(;GM[Blokus Duo];B[zz])": "expected squares from a1 to n14, like a1,b1, got 'zz'",
    "(;GM[Blokus Duo];B[])": "expected squares",
    "(;GM[Blokus Duo];W[j5])": "expected a move of blue, got one of yellow",
    "(;GM[Blokus Duo])(;GM[Blokus])": "expected one game, got a second one",
    "(;GM[Blokus Duo]AB[a1,a2][a1])": "expected free squares, got 'a1'",
    "(;GM[Blokus Duo]AB[a1,c1])": "expected the squares of a piece, got 'a1,c1'",
    "(;GM[Blokus Duo]AB[a1][a3])": "expected no more than there are, got another 1 of blue",
    "(;GM[Blokus Duo]AE[a1])": "expected AE to remove a piece that was set up, got 'a1'",
    "(;GM[Blokus Duo]PL[7])": "expected a colour to move, got '7'",
    "(;GM[Blokus Duo];B[e10];PL[B])": "expected PL before the first move",
}


@pytest.mark.parametrize("text", BAD_RECORDS)
def test_a_bad_record_is_explained_in_one_line(text: str) -> None:
    with pytest.raises(BlksgfError, match="blksgf line") as raised:
        parse_blksgf(text)
    assert BAD_RECORDS[text] in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_pentobi_does_not_play_is_not_written() -> None:
    with pytest.raises(BlksgfError, match="Pentobi does not play blokus:board=tiny; it plays blokus, "):
        format_blksgf(damier.game("blokus:board=tiny").start())


GOOD = "(;GM[Blokus Duo]PB[a]AB[e10][f11,f12]AW[j5]PL[B];B[g10](;W[k4])(;W[i4]))"


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_damaged_record_is_read_or_answered_by_an_error_of_one_line(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, len(GOOD)))
    text = GOOD[:start] + data.draw(st.text(alphabet="(;)[]\\ABWPLE14ej0,\n ", max_size=12)) + GOOD[end:]
    assert "\n" not in _error_of(parse_blksgf, text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_answered_by_an_error_of_one_line(text: str) -> None:
    with pytest.raises(BlksgfError) as raised:
        parse_blksgf(text)
    assert "\n" not in str(raised.value)
