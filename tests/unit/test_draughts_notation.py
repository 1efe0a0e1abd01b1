"""Draughts as people write it: squares, moves, FEN and PDN."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier import Position
from damier.core.errors import PositionError
from damier.core.rng import below, new_rng
from damier.games.draughts.notation import routes
from damier.games.draughts.pdn import PdnError, PdnGame, format_pdn, parse_pdn
from damier.games.draughts.variants import VARIANTS

rules = st.sampled_from(sorted(VARIANTS))


def game_of(name: str) -> damier.Game:
    return damier.game("dames8" if name == "dames8" else f"draughts:rules={name}")


def played(game: damier.Game, seed: int, plies: int) -> Position:
    """A position of a random game."""
    position, rng = game.start(), new_rng(seed)
    while len(position.history) < plies and not position.is_over:
        moves = position.moves()
        position = position.play(moves[below(rng, len(moves))])
    return position


def set_up(game: object, fen: str) -> Position:
    return damier.game(game).position(fen)


def _complaint(read: Callable[..., object], *given: object) -> str:
    """What a reader says of a text that it can't read. Any other error fails the test."""
    try:
        read(*given)
    except (PositionError, PdnError) as error:
        return str(error)
    return ""


# -- moves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "first_moves"),
    [
        ("dames8", "a3-b4 c3-b4 c3-d4 e3-d4 e3-f4 g3-f4 g3-h4"),
        ("english", "9-13 9-14 10-14 10-15 11-15 11-16 12-16"),  # Black begins, on squares 1 to 12
        ("italian", "21-17 21-18 22-18 22-19 23-19 23-20 24-20"),  # the dark corner is on the right
        ("spanish", "12-16 12-15 11-15 11-14 10-14 10-13 9-13"),  # ... and White has squares 1 to 12
        ("international", "31-26 31-27 32-27 32-28 33-28 33-29 34-29 34-30 35-30"),
    ],
)
def test_first_moves_are_written_as_in_their_country(name: str, first_moves: str) -> None:
    assert sorted(game_of(name).start().notations()) == sorted(first_moves.split())


def test_moves_are_read_in_every_usual_form() -> None:
    before = game_of("russian").start().play_all("c3-d4 d6-c5 e3-f4")
    after = before.play("c5xg5")
    assert len(after.history) == 4
    for text in ("C5xG5", "c5:g5", "c5-g5", "14x16", "14:16", "c5xe3xg5", "c5:e3:g5"):
        assert before.play(text) == after


def test_captures_with_the_same_ends_are_told_apart_by_where_they_land() -> None:
    position = set_up("draughts:rules=english", "W:W23:B10,11,18,19")
    assert sorted(position.notations()) == ["23x14x7", "23x16x7"]
    assert position.play("23x14x7").text() == "B:W7:B11,19"
    assert position.play("23:16:7").text() == "B:W7:B10,18"
    with pytest.raises(damier.MoveError, match="illegal move '23x7'"):
        position.play("23x7")
    start, four_rows_up = 5 * 8 + 4, ((7 - 4) * 15 + 7) // 2
    assert sorted(map(position.action, position.moves())) == [four_rows_up * 64 + start, 113 * 64 + 1]


def test_a_capture_of_the_same_pieces_by_two_routes_is_one_move() -> None:
    position = set_up("draughts:rules=russian", "W:We3:Bd4,d6,f4,f6")
    (move,) = position.moves()
    assert position.notation(move) == "e3xe3"
    squares = game_of("russian").rules.squares.at
    c5, e7, g5, e3 = squares(3, 2), squares(1, 4), squares(3, 6), squares(5, 4)
    ways = set(routes(position.game.rules, position.state, move))
    assert ways == {(e3, c5, e7, g5, e3), (e3, g5, e7, c5, e3)}
    assert position.play("e3:c5:e7:g5:e3").text() == "B:W23:B"


@pytest.mark.parametrize("text", ["", "c3", "c3-", "c3-c4", "c3-d4-e5", "z9-z8", "99-98", "c3 d4", "0-1", "c3--d4"])
def test_what_is_no_legal_move_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(damier.MoveError, match=r"illegal move .*: expected one of a3-b4") as caught:
        game_of("dames8").start().play(text)
    assert "\n" not in str(caught.value)


# -- FEN -----------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(name=rules, seed=st.integers(0, 999), plies=st.integers(0, 80))
def test_a_position_is_read_back_as_it_was_written(name: str, seed: int, plies: int) -> None:
    position = played(game_of(name), seed, plies)
    assert position.game.position(position.text()) == position


def test_fen_of_the_first_position() -> None:
    white, black = ",".join(map(str, range(21, 33))), ",".join(map(str, range(1, 13)))
    assert game_of("dames8").start().text() == f"W:W{white}:B{black}"
    assert game_of("english").start().text() == f"B:W{white}:B{black}"
    assert game_of("spanish").start().text() == f"W:W{black}:B{white}"


def test_fen_is_read_in_every_usual_form() -> None:
    expected = set_up("draughts:rules=russian", "W:W21,22,K1:B5,6,7,K32")
    for text in (
        "W:B5,6,7,K32:W21,22,K1",
        " w : W 21, 22, K1 : B 5,6,7,K32 . ",
        "W:Wa3,c3,Kb8:Ba7,c7,e7,Kg1",
        "W:W21-22,K1:B5-7,K32:H0:F1",
    ):
        assert set_up("draughts:rules=russian", text) == expected


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected W or B"),
        ("W", "expected W or B"),
        ("X:W21:B1", "expected W or B"),
        ("W:W21", "expected W or B"),
        ("W:W21:W22:B1", "expected W or B"),
        ("W:W21:B1:Q3", "expected W or B"),
        ("W:W33:B1", "expected a dark square, got '33'"),
        ("W:Wa2:B1", "expected a dark square, got 'a2'"),
        ("W:W21,foo:B1", "expected a dark square, got 'foo'"),
        ("W:W21,21:B1", "square a3 is given twice"),
        ("W:W21:B21", "square a3 is given to both players"),
        ("W:W1:B21", "a man can't be on b8"),
        ("W:W9-32:B1", "expected at most 12 pieces of a colour, got 24"),
        ("W:W21:B1:H41", "expected H0 to H40"),
        ("W:W21:B1:Hx\n", "expected H0 to H40"),
    ],
)
def test_bad_fen_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        set_up("dames8", text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_fen_counts_the_moves_of_a_frisian_king() -> None:
    position = set_up("draughts:rules=frisian", "W:WK46,45:B3").play_all("46-41 3-8 41-46 8-12")
    assert position.text() == "W:W45,K46:B12:+0+246"
    tired = position.game.position("W:W45,K46:B12:+0+346")
    assert tired.notations() == ["45-40"]  # the king must rest


@pytest.mark.parametrize("text", ["W:W45,K46:B12:+0+445", "W:W45,K46:B12:+0+245", "W:W45,K46:B12:+x", "W:W45:B12:+0+4"])
def test_bad_counts_of_king_moves_give_one_clear_line(text: str) -> None:
    assert "has no position" in _complaint(set_up, "draughts:rules=frisian", text)


@given(st.text(alphabet="WBKH:,-.0123456789ax \n", max_size=40))
def test_any_text_is_fen_or_an_error(text: str) -> None:
    assert "\n" not in _complaint(set_up, "dames8", text)


# -- PDN -----------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(name=rules, seed=st.integers(0, 999), plies=st.integers(0, 120))
def test_a_game_is_read_back_as_it_was_written(name: str, seed: int, plies: int) -> None:
    position = played(game_of(name), seed, plies)
    (read,) = parse_pdn(format_pdn(position))
    assert read.end == position
    assert read.end.history == position.history


@settings(max_examples=40, deadline=None)
@given(name=rules, seed=st.integers(0, 999), plies=st.integers(1, 40), more=st.integers(0, 30))
def test_a_game_from_the_middle_is_read_back_as_it_was_written(name: str, seed: int, plies: int, more: int) -> None:
    start = game_of(name).position(played(game_of(name), seed, plies).text())
    end = start
    for _ in range(more):
        if not end.is_over:
            end = end.play(end.moves()[seed % len(end.moves())])
    game = PdnGame(start, end.history, {"Event": 'a "test" \\ of mine', "White": "N. N."})
    read = parse_pdn(format_pdn(game, game))
    assert [each.end for each in read] == [end, end]
    assert read[0].start == start
    assert read[1].tags["Event"] == game.tags["Event"]


ANNOTATED = """
% a line for programs
[Event "Sijbrands \\"x\\""] ; a comment
[GameType "25,W,8,8,A0,0"]
[Result "1-0"]
1. c3-d4! {a comment
over two lines} d6-c5 $5 2. b2-c3?! (2. d4:b6 a7:c5 (2... c7:a5)) 2... f6-g5 1-0
[GameType "21"] 1. 11-15 23-19 2. 8-11 *
[GameType "20"] 32-28 19-23 28x19 1-1
"""


def test_what_people_add_to_their_games_is_skipped() -> None:
    russian, english, international = parse_pdn(ANNOTATED)
    assert russian.end.line() == "c3-d4 d6-c5 b2-c3 f6-g5"
    assert (russian.tags["Event"], russian.result) == ('Sijbrands "x"', "1-0")
    assert english.end.line() == "11-15 23-19 8-11"
    assert english.start.game.name == "draughts:rules=english"
    assert (international.result, len(international.moves)) == ("1-1", 3)


def test_the_rules_can_be_told_instead_of_read() -> None:
    (game,) = parse_pdn("1. c3-d4 d6-c5 *", game="draughts:rules=brazilian,draw_after=10")
    assert game.end.game.name == "draughts:rules=brazilian,draw_after=10"


def test_the_result_is_that_of_the_game() -> None:
    lost = set_up("draughts:rules=english", "B:W21:B")
    assert PdnGame(lost).result == "1-0"
    assert PdnGame(set_up("draughts:rules=international", "W:W:B5")).result == "0-2"
    assert PdnGame(game_of("dames8").start()).result == "*"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1. c3-d4 *", "PDN line 1: expected a tag GameType"),
        ('[GameType "99"] *', "PDN line 1: expected a tag GameType"),
        ('[GameType "25"]\n\n1. c3-d4 d4-c3 *', "PDN line 3: illegal move 'd4-c3' in draughts:rules=russian"),
        ('[GameType "25"]\nhello', "PDN line 2: expected a tag, a move or a result, got 'hello'"),
        ('[GameType "25"] {never closed', "PDN line 1: expected a tag, a move or a result, got '{never'"),
        ('[GameType "25"] ( 1. c3-d4', "PDN line 1: expected a ')' for every '('"),
        ('[GameType "25"] )', "PDN line 1: expected no ')' without a '('"),
        (
            '[GameType "25"]\n[FEN "W:W1:B2"] *',
            "PDN line 1: draughts:rules=russian has no position 'W:W1:B2': a man can't be on b8",
        ),
        ("[GameType 25] *", "PDN line 1: expected a tag, a move or a result, got '[GameType'"),
    ],
)
def test_bad_pdn_gives_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(PdnError) as caught:
        parse_pdn(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


WORDS = [
    "1.",
    "c3-d4",
    "d6-c5",
    "d4:b6",
    "32-28",
    "x",
    "-",
    "*",
    "1-0",
    "1/2-1/2",
    "$3",
    "!",
    "%",
    ";",
    "\n",
    " ",
    "\x00",
]
TAGS = ['[GameType "25"]', '[GameType "20"]', '[FEN "W:W21:B1"]', '[Rules "dames8"]', *'[]"\\{}()']


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(TAGS + WORDS) | st.text(max_size=5), max_size=20).map("".join))
def test_any_text_is_pdn_or_an_error(text: str) -> None:
    for game in (None, "dames8"):
        assert "\n" not in _complaint(parse_pdn, text, game)
