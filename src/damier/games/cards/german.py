"""German whist for two players.

Each gets 13 cards, and the next card is turned up; its suit is trump for the whole game. While there is a stock, the
winner of a trick takes the card that is turned up, the loser takes the next one unseen, and another card is turned up.
Tricks don't count yet. When the stock is used up the last 13 tricks are played, and who wins most of them wins.

Moves: the cards 0 to 51. Chance deals, draws for the loser of a trick, and turns cards up.

What everybody knows of a hand is exact. A hand has *slots*: 13 for the cards dealt and one for each card drawn unseen,
in the order of time. A hand that does not follow suit lacks this suit in all slots so far; later slots may have it. A
card that is played from an unknown slot is counted in the earliest slot that it can have come from, so `free` has the
latest slots that can be free. A hand is possible if for each time, no more of its cards need a later slot than there
are free.
"""

import numpy as np

from damier.core.bits import Bits, bit, drop_lowest, lowest, popcount
from damier.core.messages import say
from damier.core.protocol import CHANCE, Observation, Planes, Record, Rng, Values
from damier.core.view import Hand
from damier.games.cards.pack import PACK_52
from damier.games.cards.tricks import NO_CARD, trick_record, words_for
from damier.games.cards.unseen import NO_CARDS, random_card, random_cards
from damier.games.cards.whist import MOST_CARDS, Whist

HAND = 13
EVENTS = 52 + HAND  # plays, and cards turned up
NOBODY = -1


class GermanWhist(Whist):
    """German whist for two: play for good cards first, then for tricks."""

    num_players = 2
    max_length = 104
    max_observation = 3 + HAND + words_for(EVENTS)
    least_payoff = -1.0
    num_actions = 52
    encode_shape = (13, 4, HAND)

    def __init__(self, variant: str = "knockout", players: int = 2, cards: int = MOST_CARDS) -> None:
        super().__init__(PACK_52)
        if players != 2 or cards != MOST_CARDS:
            raise ValueError(say("whist.german"))
        self.variant, self.players, self.cards = variant, players, cards
        self.State = trick_record(
            2,
            EVENTS,
            ("up", np.int8),  # the card turned up, or NO_CARD
            ("drawer", np.int8),  # who draws next, or NOBODY
            ("rounds", np.int8),  # tricks played, in both phases
            ("draws", np.int8, (HAND,)),  # the cards drawn unseen, by round
            ("since", np.int8, (2, 4)),  # of each player and suit: the first slot, in rounds, that can have the suit
            ("slots", np.uint64, (2,)),  # the slots of each player
            ("free", np.uint64, (2,)),  # those that are not counted as used
            ("counted", np.int8, (HAND,)),  # of each round, the played card that is counted as drawn there, or NO_CARD
        )

    def setup(self, state: Record) -> None:
        self.clear(state)
        state.up = NO_CARD
        state.drawer = NOBODY
        state.rounds = 0
        state.draws[:] = NO_CARD
        state.since[:] = 0
        state.slots[:] = np.uint64((1 << HAND) - 1)
        state.free[:] = np.uint64((1 << HAND) - 1)
        state.counted[:] = NO_CARD

    # -- moves -----------------------------------------------------------------------------------------------

    def play(self, state: Record, move: int) -> None:
        if state.player != CHANCE:
            self.lay(state, move)
            state.player = state.turn = 1 - state.turn
            if state.in_trick == 2:
                self.end_round(state)
        elif state.dealt < 2 * HAND:
            self.deal(state, state.dealt % 2, move)
        elif state.drawer != NOBODY:
            self.draw_unseen(state, move)
        else:
            self.turn_up(state, move)

    def end_round(self, state: Record) -> None:
        self.end_trick(state)
        state.rounds += 1
        state.player = state.turn
        if state.rounds <= HAND:
            winner = state.turn
            state.tricks[winner] = 0  # tricks of the first phase don't count
            state.hands[winner] |= bit(state.up)
            state.known[winner] |= bit(state.up)
            state.up = NO_CARD
            state.drawer = 1 - winner
            state.player = CHANCE

    def draw_unseen(self, state: Record, card: int) -> None:
        state.stock &= ~bit(card)
        state.hands[state.drawer] |= bit(card)
        state.draws[state.rounds - 1] = card
        state.slots[state.drawer] |= bit(self.slot(state.rounds))
        state.free[state.drawer] |= bit(self.slot(state.rounds))
        state.drawer = NOBODY
        if state.stock == NO_CARDS:
            state.player = state.turn

    def turn_up(self, state: Record, card: int) -> None:
        state.stock &= ~bit(card)
        state.up = card
        self.tell(state, card)
        if state.rounds == 0:
            state.trump = card // self.ranks
        state.player = state.turn

    # -- the end ---------------------------------------------------------------------------------------------

    def returns(self, state: Record, out: Values) -> None:
        out[0] = 1.0 if state.tricks[0] > state.tricks[1] else -1.0
        out[1] = -out[0]

    def evaluate(self, state: Record, out: Values) -> None:
        """The tricks that count, and for those to come the strength of the hands."""
        lead = state.tricks[0] - state.tricks[1]
        left = HAND - state.tricks[0] - state.tricks[1]
        strengths = self.strength(state, 0), self.strength(state, 1)
        total = strengths[0] + strengths[1]
        if total > 0:
            lead += left * (strengths[0] - strengths[1]) / total
        out[0] = lead / HAND
        out[1] = -out[0]

    def strength(self, state: Record, player: int) -> float:
        """High cards and trumps: an ace is worth 13, and a trump 13 more than another card."""
        trumps = state.hands[player] & self.suits[state.trump] if state.trump >= 0 else NO_CARDS
        strength = HAND * popcount(trumps)
        hand = state.hands[player]
        while hand != NO_CARDS:
            strength += lowest(hand) % self.ranks
            hand = drop_lowest(hand)
        return float(strength)

    # -- hidden information ----------------------------------------------------------------------------------

    def slot(self, since: int) -> int:
        """The number of the first slot from a round on: 13 slots are dealt, and one is drawn after each round."""
        return 0 if since == 0 else HAND - 1 + since

    def reveal(self, state: Record, card: int) -> None:
        """Use up a slot, and note a suit that was not followed."""
        player = state.turn
        if state.known[player] & bit(card) == NO_CARDS:
            slot = lowest(self.free_from(state.free[player], state.since[player, card // self.ranks]))
            state.free[player] &= ~bit(slot)
            if slot >= HAND:
                state.counted[slot - HAND] = card
        if state.in_trick == 1 and card // self.ranks != state.led // self.ranks:
            state.since[player, state.led // self.ranks] = min(HAND + 1, state.rounds + 1)

    def free_from(self, slots: Bits, since: int) -> Bits:
        """The slots from a round on."""
        start = np.uint64(self.slot(since))
        return slots >> start << start

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, the cards that they drew, how many cards are dealt, and the story."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        out[2] = state.drawer
        count = 3
        for number in range(min(HAND, state.rounds)):
            is_own = state.draws[number] != NO_CARD and self.holds(state, player, state.draws[number])
            out[count] = state.draws[number] if is_own else NO_CARD
            count += 1
        return self.observe_story(state, out, count)

    def holds(self, state: Record, player: int, card: int) -> bool:
        """Whether a player has a card, or has played it."""
        return bool((state.hands[player] | state.laid[player]) & bit(card) != NO_CARDS)

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Draw the other's hand from the unseen cards: one card after the other, if the hand is possible with it."""
        other = 1 - observer
        held = self.sure(state, observer, other)
        unseen = state.stock | (state.hands[other] & ~held)
        count = popcount(state.hands[other] & ~held)
        drawn = self.possible_hand(state, other, unseen, count, rng)
        state.hands[other] = held | drawn
        state.stock = unseen & ~drawn
        if state.rounds > 0:
            self.draw_again(state, other, drawn, rng)

    def draw_again(self, state: Record, player: int, drawn: Bits, rng: Rng) -> None:
        """Say when the cards of a hand were drawn, and those that were played."""
        used = state.slots[player] & ~state.free[player]
        for number in range(min(HAND, state.rounds)):
            if used & bit(HAND + number) != NO_CARDS:
                state.draws[number] = state.counted[number]
        free = state.free[player]
        for since in range(HAND + 1, -1, -1):  # the last slots first, which the fewest cards fit
            for suit in range(4):
                cards = drawn & self.suits[suit] if state.since[player, suit] == since else NO_CARDS
                while cards != NO_CARDS:
                    slot = random_card(self.free_from(free, since), rng)
                    free &= ~bit(slot)
                    if slot >= HAND:
                        state.draws[slot - HAND] = lowest(cards)
                    cards = drop_lowest(cards)

    def possible_hand(self, state: Record, player: int, unseen: Bits, count: int, rng: Rng) -> Bits:
        is_free = True
        for suit in range(4):
            is_free &= state.since[player, suit] == 0
        if is_free:
            return np.uint64(random_cards(unseen, count, rng))
        drawn = NO_CARDS
        waiting = unseen
        while popcount(drawn) < count and waiting != NO_CARDS:
            card = random_card(waiting, rng)
            if self.fits(state, player, drawn | bit(card)):
                drawn |= bit(card)
                waiting &= ~bit(card)
            else:
                waiting &= ~self.suits[card // self.ranks]
        return drawn

    def fits(self, state: Record, player: int, drawn: Bits) -> bool:
        """Whether there are free slots for all these cards."""
        for suit in range(4):
            start = state.since[player, suit]
            late = 0
            for other in range(4):
                if state.since[player, other] >= start:
                    late += popcount(drawn & self.suits[other])
            if late > popcount(self.free_from(state.free[player], start)):
                return False
        return True

    # -- networks --------------------------------------------------------------------------------------------

    def encode(self, state: Record, out: Planes) -> None:
        """Planes of suits and ranks, as the player to move knows the cards: the own hand, the cards that the other is
        known to hold, those that each has played, the card turned up, the card led, the trump suit, the suits that the
        other can't have, what may be played, the unseen cards; and three filled ones: rounds played, tricks of each."""
        me = state.turn
        other = 1 - me
        out[:] = 0
        self.mark(out, 0, state.hands[me])
        self.mark(out, 1, state.hands[other] & state.known[other])
        self.mark(out, 2, state.laid[me])
        self.mark(out, 3, state.laid[other])
        if state.up != NO_CARD:
            self.mark(out, 4, bit(state.up))
        if state.in_trick == 1:
            self.mark(out, 5, bit(state.led))
        if state.trump >= 0:
            self.mark(out, 6, self.suits[state.trump])
        for suit in range(4):
            if self.free_from(state.free[other], state.since[other, suit]) == NO_CARDS:
                self.mark(out, 7, self.suits[suit])
        self.mark(out, 8, self.playable(state))
        self.mark(out, 9, state.stock | (state.hands[other] & ~state.known[other]))
        out[10] = state.rounds / (2 * HAND)
        out[11] = state.tricks[me] / HAND
        out[12] = state.tricks[other] / HAND

    def mark(self, out: Planes, plane: int, cards: Bits) -> None:
        while cards != NO_CARDS:
            card = lowest(cards)
            out[plane, card // self.ranks, card % self.ranks] = 1
            cards = drop_lowest(cards)

    # -- for people ------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return self._pack.name(move)

    def _is_seen_deal(self, state: Record, observer: int) -> bool:
        if state.dealt < 2 * HAND:
            return bool(state.dealt % 2 == observer)
        return bool(state.drawer in (NOBODY, observer))

    def _dealt(self, state: Record) -> list[int]:
        turned = set(self._turned(state)) | set(state.draws.tolist())
        later = sum(1 << card for card in turned if card != NO_CARD)
        return [(int(hand) | int(laid)) & ~later for hand, laid in zip(state.hands, state.laid, strict=True)]

    def _turned(self, state: Record) -> list[int]:
        """The cards turned up so far: the first event, and one after each of the first twelve rounds."""
        return self.events(state)[: 3 * HAND : 3]

    def _after_deal(self, state: Record) -> list[int]:
        """The story, and after each round of the first phase the card that the loser drew."""
        told = self.events(state)
        moves = told[:1]
        for number in range(HAND):
            plays = told[1 + 3 * number : 3 + 3 * number]
            drawn = [int(card) for card in state.draws[number : number + 1] if card != NO_CARD]
            moves += [*plays, *drawn, *told[3 + 3 * number : 4 + 3 * number][: number < HAND - 1]]
        return moves + told[3 * HAND :]

    def _middle(self, state: Record, observer: int, moves: list[int]) -> list[Hand]:
        turned = () if state.up == NO_CARD else (self._pack.face(state.up),)
        return [Hand(say("cards.turned-up"), turned), *super()._middle(state, observer, moves)]

    def _notes(self, state: Record) -> list[str]:
        return [*super()._notes(state), say("cards.stock", count=int(state.stock).bit_count())]
