"""What a player may look at: a position seen by a player does not hold what is hidden from them."""

import pickle
from collections import Counter

import pytest

import damier
from damier.core.errors import MoveError, PositionError, RulesError, SpecError
from damier.core.knowledge import redeal
from damier.core.rng import below, new_rng
from damier.search.player import Player, Sight
from tests.conformance import broken_hidden

START = damier.game("kuhn").start()
KING_JACK = START.play_all("K J check")


def test_a_player_sees_their_own_card_and_all_moves() -> None:
    seen = KING_JACK.seen_by(1)
    assert seen.draw(unicode=False).splitlines() == ["Player 1  ?", "Player 2  J", "", "Moves: check"]
    assert seen.line() == "J check"
    assert seen.observation() == KING_JACK.observation(1) == (0, 0)
    assert (seen.player, seen.notations()) == (1, ["check", "bet"])
    assert "as player 1 sees it" in repr(seen)


def test_the_referee_sees_everything() -> None:
    assert KING_JACK.line() == "K J check"
    assert "K" in KING_JACK.draw()
    assert KING_JACK.observer == damier.REFEREE


def test_what_is_hidden_is_nowhere_in_the_position() -> None:
    """Two positions that look the same to a player are the same, in every byte."""
    queen_jack = START.play_all("Q J check")
    assert KING_JACK.seen_by(1) == queen_jack.seen_by(1)
    assert pickle.dumps(KING_JACK.seen_by(1)) == pickle.dumps(queen_jack.seen_by(1))
    assert KING_JACK.seen_by(0) != queen_jack.seen_by(0)


def test_a_seen_position_is_seen_by_its_observer_alone() -> None:
    seen = KING_JACK.seen_by(1)
    assert seen.seen_by(1) is seen
    with pytest.raises(PositionError, match="this is what player 1 sees; what player 0 sees is not in it"):
        seen.seen_by(0)
    with pytest.raises(PositionError, match="expected an observer from 0 to 1, got 2"):
        KING_JACK.seen_by(2)
    with pytest.raises(PositionError, match="what player 1 sees has no text"):
        seen.text()


def test_an_observation_is_of_a_player_and_of_the_observer_only() -> None:
    with pytest.raises(PositionError, match="expected an observer from 0 to 1, got 7"):
        KING_JACK.observation(7)
    with pytest.raises(PositionError, match="this is what player 1 sees; what player 0 sees is not in it"):
        KING_JACK.seen_by(1).observation(0)
    assert KING_JACK.deal(3) == KING_JACK.deal(new_rng(3))


def test_play_goes_on_in_a_seen_position() -> None:
    after = KING_JACK.seen_by(1).play("bet")
    assert (after.line(), after.player, after.observer) == ("J check bet", 0, 1)


def test_deals_are_the_possible_cards_equally_often() -> None:
    rng = new_rng(1)
    drawn = Counter(KING_JACK.deal(rng).text() for _ in range(2000))
    assert set(drawn) == {"QJ p", "KJ p"}
    assert 900 < drawn["KJ p"] < 1100
    assert KING_JACK.seen_by(0).deal(rng).is_open


def test_at_the_end_everything_is_open() -> None:
    end = KING_JACK.play("check")
    assert end.seen_by(1) is end
    assert end.line() == "K J check check"


def test_a_game_without_hidden_information_is_seen_by_all() -> None:
    start = damier.game("tictactoe").start()
    assert start.seen_by(1) is start
    assert start.deal(new_rng(0)) is start


def test_a_deal_that_contradicts_the_observation_is_refused() -> None:
    game = damier.game(broken_hidden.DealsTheObserversCoin())
    tossed = game.start().play(0)
    seed = next(seed for seed in range(99) if below(new_rng(seed), 2) == 1)  # which deals the other side of the coin
    with pytest.raises(RulesError, match=r"`determinize` contradicts what player 0 knows: expected .*, got"):
        redeal(game, tossed.state, 0, new_rng(seed))


def test_an_observation_that_is_too_long_is_refused() -> None:
    start = damier.game(broken_hidden.KnowsMoreThanItSays()).start()
    with pytest.raises(RulesError, match="`observe` returned 3 numbers, expected 0 to max_observation = 2"):
        start.observation(0)


class Spy:
    """A player of your own, who remembers what it was shown."""

    def __init__(self) -> None:
        self.shown: list[damier.Position] = []

    def choose(self, pos: damier.Position) -> int:
        self.shown.append(pos)
        return pos.moves()[0]

    def prepare(self, pos: damier.Position) -> None:
        self.shown.append(pos)


def test_a_player_is_shown_their_own_part() -> None:
    spy = Spy()
    player = damier.player(spy)
    player.prepare(KING_JACK)
    assert player.search(KING_JACK).move == 0
    assert spy.shown == [KING_JACK.seen_by(1)] * 2


def test_a_search_that_needs_open_cards_refuses_in_one_line() -> None:
    for name in ("uct:sims=10", "alphabeta:depth=2", "careful"):
        with pytest.raises(SpecError, match=r"needs open cards, and kuhn hides some; try ismcts or pimc"):
            damier.player(name).search(KING_JACK)
    assert damier.player("minimax:depth=3").search(KING_JACK.opened()).notation in ("check", "bet")


def test_a_player_that_cheats_says_so() -> None:
    class Cheat(Player):
        sight = Sight.ALL

        def search(self, pos: damier.Position, seed: int = 0) -> damier.SearchResult:
            assert pos.is_open
            return damier.SearchResult(0, pos.line())

    assert Cheat().search(KING_JACK).notation == "K J check"


def test_a_wrong_move_is_refused_without_telling_the_cards() -> None:
    with pytest.raises(MoveError) as error:
        KING_JACK.seen_by(1).play("call")
    assert "K" not in str(error.value).replace("kuhn", "")
