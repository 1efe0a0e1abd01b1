"""The engine of games with tricks: dealing, following suit, winning tricks, and what players know of the cards.

Sets of cards and of moves are 64-bit words; see `pack` for the numbers of the cards. A move is a card, or a number from
the size of the pack on: a bid, the choice of a trump suit.

What a player must do is a list of *demands*, sets of cards in order: who holds a card of the first set plays one of it,
else of the second, and so on; who holds none plays any card. A card outside a demand shows everybody that the hand
lacks the whole set. `lacks` collects this, and `known` the cards that everybody knows a player to hold.

The public moves of a game are its *story*: six bits each (move + 1), ten in a word.
"""

from typing import Any

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.protocol import CHANCE, Moves, Observation, Record, Rng, Values
from damier.games.cards.pack import Pack
from damier.games.cards.people import CardsForPeople
from damier.games.cards.unseen import NO_CARDS, deal_unseen, random_card

NO_CARD = -1
NO_TRUMP = -1
IN_WORD = 10  # events of a word of the story
EVENT_BITS = 6


def words_for(events: int) -> int:
    """The words of a story with that many events."""
    return -(-events // IN_WORD)


def trick_record(players: int, events: int, *more: Any) -> np.dtype[Any]:
    """The record of a game with tricks, and what the game adds."""
    return np.dtype(
        [
            ("player", np.int8),
            ("turn", np.int8),  # whose card is played next, or whose turn it is to bid; also while chance moves
            ("dealt", np.int8),  # cards dealt
            ("trump", np.int8),  # the suit, or NO_TRUMP
            ("led", np.int8),  # the first card of the trick, or NO_CARD
            ("best", np.int8),  # the card that wins the trick so far
            ("master", np.int8),  # who played it
            ("in_trick", np.int8),  # cards in the trick
            ("num_events", np.int16),
            ("stock", np.uint64),  # cards that nobody holds and nobody has seen
            ("hands", np.uint64, (players,)),
            ("laid", np.uint64, (players,)),  # the cards that each has played
            ("lacks", np.uint64, (players,)),
            ("known", np.uint64, (players,)),
            ("tricks", np.int8, (players,)),  # won
            ("story", np.int64, (words_for(events),)),
            *more,
        ]
    )


class Tricks(CardsForPeople):
    """What all games with tricks share. A game adds `legal`, `demand`, `play` and `returns`."""

    num_demands = 1

    def __init__(self, pack: Pack) -> None:
        ranks = len(pack.ranks)
        self._pack = pack
        self.ranks, self.size = ranks, pack.size
        self.pack = np.uint64((1 << pack.size) - 1)
        self.suits = np.array([((1 << ranks) - 1) << ranks * suit for suit in range(4)], np.uint64)
        self.suit_of = np.arange(pack.size) // ranks  # of a card; to look up is faster than to divide
        self.rank_of = np.arange(pack.size) % ranks

    # -- dealing ---------------------------------------------------------------------------------------------

    def clear(self, state: Record) -> None:
        """Set all common fields: nothing is dealt."""
        state.player = CHANCE
        state.turn = state.dealt = state.in_trick = state.num_events = state.master = 0
        state.trump = NO_TRUMP
        state.led = state.best = NO_CARD
        state.stock = self.pack
        state.hands[:] = NO_CARDS
        state.laid[:] = NO_CARDS
        state.lacks[:] = NO_CARDS
        state.known[:] = NO_CARDS
        state.tricks[:] = 0
        state.story[:] = 0

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        """A card of the stock, each equally likely."""
        return self.list_outcomes(state.stock, out, probs)

    def list_outcomes(self, cards: Bits, out: Moves, probs: Values) -> int:
        count = self.list_cards(cards, out)
        probs[:count] = 1 / count
        return count

    def list_cards(self, cards: Bits, out: Moves) -> int:
        count = 0
        while cards != NO_CARDS:
            out[count] = lowest(cards)
            cards = drop_lowest(cards)
            count += 1
        return count

    def deal(self, state: Record, player: int, card: int) -> None:
        state.stock &= ~bit(card)
        state.hands[player] |= bit(card)
        state.dealt += 1

    # -- moves -----------------------------------------------------------------------------------------------

    def moves(self, state: Record, out: Moves) -> int:
        return self.list_cards(self.legal(state), out)

    def sample(self, state: Record, rng: Rng) -> int:
        legal = self.legal(state)
        return -1 if legal == NO_CARDS else random_card(legal, rng)

    def legal(self, state: Record) -> Bits:
        """The set of legal moves. Here: the cards that may be played."""
        return self.playable(state)

    def demand(self, state: Record, number: int) -> Bits:
        """The set of cards that a player must play one of, if possible; empty if there is no such demand. Here: the
        suit that was led."""
        return NO_CARDS if state.in_trick == 0 else self.suits[self.suit_of[state.led]]

    def playable(self, state: Record) -> Bits:
        """The cards that may be played from the hand whose turn it is."""
        hand = state.hands[state.turn]
        for number in range(self.num_demands):
            asked = hand & self.demand(state, number)
            if asked != NO_CARDS:
                return asked
        return hand

    def lay(self, state: Record, card: int) -> None:
        """Play a card from the hand whose turn it is."""
        self.reveal(state, card)
        state.hands[state.turn] &= ~bit(card)
        state.laid[state.turn] |= bit(card)
        self.tell(state, card)
        if state.in_trick == 0:
            state.led = state.best = card
            state.master = state.turn
        elif self.beats(state, card):
            state.best = card
            state.master = state.turn
        state.in_trick += 1

    def reveal(self, state: Record, card: int) -> None:
        """Note what everybody learns from a card about the rest of the hand."""
        for number in range(self.num_demands):
            asked = self.demand(state, number)
            if asked & bit(card) != NO_CARDS:
                return
            state.lacks[state.turn] |= asked

    def beats(self, state: Record, card: int) -> bool:
        """Whether a card wins over the best one in the trick."""
        suit, best = self.suit_of[card], self.suit_of[state.best]
        if suit == best:
            return self.height(state, card) > self.height(state, state.best)
        return bool(suit == state.trump)

    def height(self, state: Record, card: int) -> int:
        """The place of a card in the order of its suit."""
        return int(self.rank_of[card])

    def end_trick(self, state: Record) -> None:
        """The master of the trick takes it, and leads next."""
        state.tricks[state.master] += 1
        state.turn = state.master
        state.in_trick = 0
        state.led = state.best = NO_CARD

    def tell(self, state: Record, event: int) -> None:
        """Add a public move to the story."""
        number = int(state.num_events)
        state.story[number // IN_WORD] |= np.int64(event + 1) << np.int64(EVENT_BITS * (number % IN_WORD))
        state.num_events += 1

    def event(self, state: Record, number: int) -> int:
        """The public move with that number."""
        return int(state.story[number // IN_WORD] >> np.int64(EVENT_BITS * (number % IN_WORD)) & 63) - 1

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, how many cards are dealt, and the story."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        return self.observe_story(state, out, 2)

    def observe_story(self, state: Record, out: Observation, count: int) -> int:
        """Write the words of the story from a place on; return the place after them."""
        for word in range((state.num_events + IN_WORD - 1) // IN_WORD):
            out[count] = state.story[word]
            count += 1
        return count

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        self.deal_again(state, observer, rng)

    def sure(self, state: Record, observer: int, player: int) -> Bits:
        """The cards in a hand that the observer knows to be there."""
        return state.hands[player] if player == observer else state.hands[player] & state.known[player]

    def deal_again(self, state: Record, observer: int, rng: Rng) -> None:
        """Deal the hidden cards anew among the other hands and the stock, with what everybody knows."""
        unseen = state.stock
        needs = np.zeros(state.hands.size, np.int64)
        for player in range(state.hands.size):
            held = self.sure(state, observer, player)
            hidden = state.hands[player] & ~held
            needs[player] = popcount(hidden)
            unseen |= hidden
            state.hands[player] = held
        state.stock = deal_unseen(state.hands, state.lacks, needs, unseen, rng)
