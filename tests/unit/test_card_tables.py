"""Tables of games with tricks: who played what, the trick before this one, and what each may do."""

import damier
from damier.core.messages import speaking, spoken
from damier.core.view import CardTable, Hand

SUITS = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"  # a deal of hearts: a suit for each


def hand(pos: damier.Position, title: str) -> Hand | None:
    view = pos.view()
    assert isinstance(view, CardTable)
    return next((each for each in view.hands if each.title == title), None)


def words(found: Hand | None) -> list[str]:
    return [] if found is None else [f"{card.player + 1}:{card.ascii}" for card in found.cards]


def test_the_last_trick_stays_on_the_table_until_the_next_is_full() -> None:
    pos = damier.game("hearts:passing=none").position(SUITS)
    assert (words(hand(pos, "Trick")), hand(pos, "Last trick")) == ([], None)
    for number, move in enumerate(("2C", "AS", "2H", "AD", "3C")):
        for viewer in range(4):
            assert hand(pos.seen_by(viewer), "Last trick") == hand(pos, "Last trick"), "everybody has seen it"
        if number < 4:
            assert hand(pos, "Last trick") is None
        pos = pos.play(move)
    last = "4:2C 1:AS 2:2H 3:AD"
    assert (words(hand(pos, "Trick")), words(hand(pos, "Last trick"))) == (["4:3C"], last.split())
    assert f"Last trick  {last}" in pos.draw(unicode=False)


def test_a_card_that_was_turned_up_and_then_led_is_one_card_of_the_trick() -> None:
    pos = damier.game("whist:variant=german").start()
    while pos.is_chance:
        pos = pos.play(pos.moves()[0])
    for _ in range(2):
        pos = pos.play(pos.moves()[-1])
    up, winner = int(pos.history[26]), pos.state.turn
    while pos.is_chance:
        pos = pos.play(pos.moves()[0])
    for _ in range(2):
        pos = pos.play(up if up in pos.moves() else pos.moves()[0])
    found = hand(pos, "Last trick")
    assert found is not None
    assert [card.player for card in found.cards] == [winner, 1 - winner]
    assert found.cards[0].ascii == pos.game.rules.format_move(pos.state, up)


def test_the_referee_may_move_for_all_and_sees_what_was_laid_aside() -> None:
    pos = damier.game("hearts:passing=left").position(f"{SUITS} AS KS")
    assert sum(bool(card.move) for each in pos.view().hands for card in each.cards) == 11
    assert [card.ascii for card in hand(pos, "Player 1 passes on").cards] == ["AS", "KS"]  # type: ignore[union-attr]
    assert not any(card.move for each in pos.seen_by(1).view().hands for card in each.cards)
    assert hand(pos.seen_by(1), "Player 1 passes on") is None
    bids = damier.game("goofspiel").start()
    while bids.is_chance:
        bids = bids.play(bids.moves()[0])
    assert [bool(card.move) for card in bids.view().hands[1].cards] == [True] * 4


def test_bids_are_said_in_the_readers_language() -> None:
    pos = damier.game("belote").start()
    while pos.is_chance:
        pos = pos.play(pos.moves()[0])
    with speaking("fr"):
        assert "passer prendre" in " ".join(pos.draw().split())
    for _ in range(4):
        pos = pos.play("pass")
    found = hand(pos, "Bids")
    assert found is not None
    with speaking("fr"):
        assert set(spoken([card.unicode for card in found.cards])) < {"passer", "trèfle", "carreau", "cœur", "pique"}
    assert [card.move for card in found.cards] == [pos.notation(move) for move in pos.moves()]
