"""Rules of draughts that random games seldom meet: draws, precedence among captures, promotion on the way."""

import pytest

import damier
from damier import Position
from damier.games.draughts.rules import ADVANCE, CENTRE, GUARD, Draughts


def set_up(game: object, fen: str) -> Position:
    return damier.game(game).position(fen)


def moves_of(rules: str, fen: str) -> set[str]:
    return set(set_up(f"draughts:rules={rules}", fen).notations())


# -- the end -------------------------------------------------------------------------------------------------


def test_dames8_is_drawn_after_40_moves_without_a_capture() -> None:
    position = set_up("dames8", "W:WK29,21:BK4,12:H39")
    assert not position.is_over
    assert position.play("a3-b4").returns == (0, 0)  # a man's move changes nothing


def test_elsewhere_a_mans_move_is_progress() -> None:
    position = set_up("draughts:rules=russian", "W:WK29,21:BK4,12:H29")
    assert not position.play("a3-b4").is_over
    assert position.play("a1-b2").returns == (0, 0)


def test_who_cannot_move_has_lost() -> None:
    assert set_up("dames8", "W:W21:B14,17").returns == (-1, 1)
    assert set_up("dames8", "B:WK1:B").returns == (1, -1)
    assert set_up("draughts:rules=english", "W:W:B1").returns == (1, -1)  # player 0 is Black there


# -- captures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "near", "far"),
    [
        ("dames8", {"b6xf6", "b6xg5", "b6xh4"}, {"b6xh4"}),  # a king at once: lands and captures at a distance
        ("russian", {"b6xf6", "b6xg5", "b6xh4"}, {"b6xh4"}),
        ("pool", {"b6xf6"}, {"b6xd8"}),  # goes on as a man
        ("brazilian", {"b6xf6"}, {"b6xd8"}),
        ("czech", {"b6xd8"}, {"b6xd8"}),  # stops
        ("english", {"9x2"}, {"9x2"}),
    ],
)
def test_a_man_that_reaches_the_last_row_while_capturing(rules: str, near: set[str], far: set[str]) -> None:
    assert moves_of(rules, "W:Wb6:Bc7,e7") == near
    assert moves_of(rules, "W:Wb6:Bc7,g5") == far


def test_a_man_that_passed_the_last_row_is_a_king_only_where_it_became_one() -> None:
    for rules, kings in (("russian", 1), ("pool", 0)):
        after = set_up(f"draughts:rules={rules}", "W:Wb6:Bc7,e7,a7").play("b6xf6")
        assert int(after.state.kings[0]).bit_count() == kings


@pytest.mark.parametrize(
    ("rules", "fen", "expected"),
    [
        ("russian", "W:Wc3,e1:Bd4,d6,f2", {"c3xc7", "e1xg3"}),
        ("brazilian", "W:Wc3,e1:Bd4,d6,f2", {"c3xc7"}),  # most pieces
        ("russian", "W:WKc3,e1:Bd4,f2,h8", {"c3xe5", "c3xf6", "c3xg7", "e1xg3"}),
        ("czech", "W:WKc3,e1:Bd4,f2,h8", {"c3xe5", "c3xf6", "c3xg7"}),  # with the king
        ("russian,choice=most", "W:Wc3,e1:BKd4,f2", {"c3xe5", "e1xg3"}),
        ("russian,choice=most_kings", "W:Wc3,e1:BKd4,f2", {"c3xe5"}),
        ("italian", "W:W18:BK14,K15", {"18-13"}),  # a man may not take a king
        ("italian", "W:WK22,24:B18,20", {"22x13"}),  # with the king
        ("english,choice=italian", "W:WK31:BK26,17,27,K19", {"31x13"}),  # the king that comes first
        ("frisian", "W:W28,50:BK22,44,3", {"28x17"}),  # a king is worth more than a man
        ("frisian", "W:W28,48:BK22,43,34,3", {"48x30"}),  # two men are worth more than a king
    ],
)
def test_which_capture_must_be_played(rules: str, fen: str, expected: set[str]) -> None:
    assert moves_of(rules, fen) == expected


def test_a_frisian_king_rests_after_three_moves_while_there_are_men() -> None:
    position = set_up("draughts:rules=frisian", "W:WK46,45:B3").play_all("46-41 3-8 41-46 8-12 46-41 12-17")
    assert set(position.notations()) == {"45-40"}
    again = position.play_all("45-40 17-22")
    assert any(notation.startswith("41-") for notation in again.notations())
    without_men = set_up("draughts:rules=frisian", "W:WK46:B3").play_all("46-41 3-8 41-46 8-12 46-41 12-17")
    assert all(notation.startswith("41-") for notation in without_men.notations())


def test_more_moves_than_there_is_room_for_are_an_error_and_do_no_harm() -> None:
    for fen in ("W:WKa1:Bh8", "W:WKc3:Bb2,b4,d4,d2"):
        rules = Draughts()
        rules.max_moves = 3
        position = damier.Position(damier.Game(rules), set_up("dames8", fen).state)
        with pytest.raises(damier.RulesError, match="expected 0 to max_moves = 3"):
            position.moves()


# -- options and the rest ------------------------------------------------------------------------------------


def test_options_are_kept_as_they_were_given() -> None:
    game = damier.game("draughts:rules=english,flying=yes,draw_after=20")
    assert game.name == "draughts:rules=english,flying=true,draw_after=20"
    assert (game.options["flying"], game.options["backward"], game.rules.size) == (True, None, None)
    assert damier.game(game.name) == game
    assert damier.game("dames8").name == "dames8"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("draughts:rules=chinese", "expected rules to be one of dames8, russian, .*, got chinese"),
        ("draughts:size=12", "expected size to be one of 4, 6, 8, 10, got 12"),
        ("draughts:choice=some", "expected choice to be one of free, king, .*, got some"),
        ("draughts:promotion=late", "expected promotion to be one of stop, pass, continue, got late"),
        ("draughts:first=red", "expected first to be one of white, black, got red"),
        ("draughts:draw_after=0", "expected draw_after from 1 to 1000, got 0"),
        ("draughts:flying=maybe", "flying must be true or false, got 'maybe'"),
    ],
)
def test_bad_options_are_named(name: str, says: str) -> None:
    with pytest.raises(damier.SpecError, match=says):
        damier.game(name)


def test_evaluation_is_each_players_share_of_the_strength() -> None:
    assert damier.game("dames8").start().evaluate() == (0.0, 0.0)
    position = set_up("dames8", "W:Wc1,d4,Kh2:Bh6")
    white = 2 + 3 + GUARD + 3 * ADVANCE + CENTRE  # d4 has advanced three rows and stands in the centre
    black = 1 + 2 * ADVANCE
    assert position.evaluate()[0] == pytest.approx((white - black) / (white + black))


def test_free_dark_squares_are_nobodys() -> None:
    view = set_up("draughts:rules=english", "B:WK1,9:B2,K32").view()
    assert [symbol.player for symbol in view.symbols] == [1, 1, 0, 0, -1]
    assert view.cells[0] == (-1, 1, -1, 2, -1, 4, -1, 4)


# -- what a network sees -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("white", "black"),
    [
        ("W:W21,22,K30:B12,K3,9", "B:B12,11,K3:W21,K30,24"),
        # 23 captures, five of which share start and end with another
        ("W:WK31,K29:B26,27,18,19,10,11", "B:BK2,K4:W7,6,15,14,23,22"),
    ],
)
def test_the_board_turned_and_the_colours_exchanged_look_the_same(white: str, black: str) -> None:
    one, other = set_up("dames8", white), set_up("dames8", black)
    assert one.player != other.player
    assert (one.encode() == other.encode()).all()
    half_turn = {31 - square: square for square in range(32)}

    def turned(move: int) -> int:
        captured = sum(1 << half_turn[square] for square in range(32) if move >> 12 + square & 1)
        return captured << 12 | half_turn[move >> 6 & 63] << 6 | half_turn[move & 63]

    assert {one.action(move): turned(move) for move in one.moves()} == {other.action(m): m for m in other.moves()}
