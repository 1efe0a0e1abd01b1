"""Unseen cards are dealt anew as everybody knows they can lie: never anything else, and all of it."""

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

import damier
from damier.core import calls
from damier.core.compile import COMPILER_ON
from damier.core.rng import below, new_rng
from damier.games.cards.pack import PACK_32, PACK_52, cards_in
from damier.games.cards.unseen import deal_unseen
from tests.random_games import random_positions

TRIALS = 40 if COMPILER_ON else 8
DRAWS = 60  # for each possible deal


def possible_deals(unseen: list[int], lacks: list[int], needs: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to deal the cards, by brute force: the hands as sets."""
    if not needs:
        yield ()
        return
    for hand in itertools.combinations(unseen, needs[0]):
        cards = sum(1 << card for card in hand)
        if not cards & lacks[0]:
            rest = [card for card in unseen if card not in hand]
            for others in possible_deals(rest, lacks[1:], needs[1:]):
                yield (cards, *others)


def random_deal(seed: int) -> tuple[int, list[int], list[int]]:
    """Unseen cards, what hands lack and how many cards they need; at least one deal is possible."""
    rng = new_rng(seed)
    count = 3 + below(rng, 4)
    players = 2 + below(rng, 2)
    needs = [1 + below(rng, 2) for _ in range(players)]
    while sum(needs) > count:
        needs[needs.index(max(needs))] -= 1
    order = [below(rng, 7) for _ in range(3 * players)]
    lacks = [sum(1 << card for card in set(order[3 * p : 3 * p + 3])) for p in range(players)]
    return (1 << count) - 1, lacks, needs


@pytest.mark.parametrize("seed", range(TRIALS))
def test_every_possible_deal_comes_up_about_equally_often(seed: int) -> None:
    unseen, lacks, needs = random_deal(seed)
    possible = set(possible_deals(cards_in(unseen), lacks, needs))
    if not possible:
        return
    rng, drawn = new_rng(seed, 1), Counter[tuple[int, ...]]()
    for _ in range(DRAWS * len(possible)):
        hands = np.zeros(len(needs), np.uint64)
        left = int(deal_unseen(hands, np.array(lacks, np.uint64), np.array(needs), np.uint64(unseen), rng))
        assert left | sum(map(int, hands)) == unseen
        drawn[tuple(map(int, hands))] += 1
    assert set(drawn) == possible
    assert max(drawn.values()) < 2 * DRAWS
    assert min(drawn.values()) > DRAWS / 3


def test_some_deals_are_restricted() -> None:
    """Otherwise the test above would say nothing about them."""
    kinds = [random_deal(seed) for seed in range(TRIALS)]
    several = [sum(bool(lack & unseen) for lack in lacks) > 1 for unseen, lacks, _ in kinds]
    possible = [any(True for _ in possible_deals(cards_in(unseen), lacks, needs)) for unseen, lacks, needs in kinds]
    assert sum(map(bool.__and__, several, possible)) > TRIALS / 4


# -- whole games: what is dealt anew can be played again ---------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["whist:players=3", "whist:variant=german", "hearts:passing=drawn", "belote", "bridgeplay"]
)
def test_a_deal_is_one_from_which_the_same_game_could_have_been_played(name: str) -> None:
    """A position's text replays the whole game with all checks, so an impossible deal has none."""
    game = damier.game(name)
    for seed in range(3 if COMPILER_ON else 1):
        for position in random_positions(game, seed):
            ply = len(position.history)
            if position.is_over or ply % 5 != seed:
                continue
            for observer in range(game.num_players):
                state = position.state
                game.run(calls.determinize, state, observer, new_rng(seed, ply))
                dealt = game.position(game.format_position(state))
                assert dealt.observation(observer) == position.observation(observer), position
                assert dealt.player == position.player


def test_a_german_hand_has_no_more_of_a_suit_than_it_can_have_drawn() -> None:
    """Player 1 has no club when the ace is led, and draws the two of clubs: the hand may have that one club."""
    game = damier.game("whist:variant=german")
    text = "AKQ.AK.AKQ.AKQJT 98765.QJT98.JT9. 2S AC 9D 2C 3D"
    position = game.position(text)
    clubs = sum(1 << card for card in range(13))
    counts = Counter[int]()
    for number in range(300):
        state = position.state
        game.run(calls.determinize, state, 0, new_rng(1, number))
        counts[(int(state.hands[1]) & clubs).bit_count()] += 1
    assert set(counts) == {0, 1}


# -- what cards show ---------------------------------------------------------------------------------------------


def test_a_belote_hand_that_plays_a_low_trump_has_no_higher_one() -> None:
    deal = "J9...AT7 A.A.A.98 K.K.K.KQ Q.Q.QJ.J TS take 8S 7S 7H 8H 9H 7D 8D 9D 10H JH 10D"
    position = damier.game("belote").position(f"{deal} 10S AS KS QS")
    lacks = position.state.lacks
    trumps = {card for card in cards_in(int(lacks[2])) if card // 8 == 3}
    assert trumps == {PACK_32.card(name) for name in ("JS", "9S", "QS")}, "higher than the ace, and no belote"


def test_a_heart_led_early_shows_a_hand_of_hearts() -> None:
    game = damier.game("hearts:passing=none")
    deal = ".AKQJT98765432.. AKQJ..AKQJ.AKQJ2 T987..T987.T9876 65432..65432.543"
    position = game.position(f"{deal} 2C 10C 5C 5H")
    assert int(position.state.lacks[0]) & (1 << PACK_52.card("AS")), "only hearts: nothing else could be played"


# -- texts and bad input -------------------------------------------------------------------------------------------

BAD = {
    "whist:players=5": "expected 2 to 4 players, got 5",
    "whist:cards=8": "expected hands of 1 to 7 cards, got 8",
    "whist:variant=solo": "expected the variant knockout or german, got 'solo'",
    "whist:variant=german,players=3": "German whist is for 2 players",
    "hearts:passing=up": "expected passing to be one of",
    "bridgeplay:cards=0": "expected hands of 1 to 13 cards, got 0",
    "bridgeplay:trump=X": "expected trump to be one of",
    "bridgeplay:cards=3,target=4": "expected a target of 0 to 3 tricks, got 4",
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_options_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(damier.DamierError, match=BAD[name].replace("(", "\\(")):
        damier.game(name)


TEXTS = {
    "A... K...": "expected 4 hands",
    "S:A. K... Q... J...": "expected a hand like",
    "S:A... A... Q... J...": "a card is twice",
    "S:A... K...X Q... J...": "expected a card like KS or 10H",
    "S:A... K.A.. Q... J...": "hands of 1, 2, 1, 1 cards",
    "S:A... K... Q... J... KS KS": "the move 'KS' is not possible there",
}


@pytest.mark.parametrize("text", TEXTS)
def test_wrong_texts_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(damier.DamierError, match=TEXTS[text]):
        damier.game("bridgeplay:cards=1").position(text)


def test_a_variant_is_part_of_the_name() -> None:
    for name in ("whist", "whist:variant=german", "whist:players=3", "hearts:passing=none", "bridgeplay:cards=3"):
        assert damier.game(name).name == name
        assert damier.game(damier.game(name).name) == damier.game(name)
