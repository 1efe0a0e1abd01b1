"""Belote: one deal of the French game with bidding classique; players 0 and 2 against 1 and 3.

32 cards. In trumps the order is J 9 A 10 K Q 8 7, in the other suits A 10 K Q J 9 8 7. Everybody gets five cards and a
card is turned up. From player 0 on each may take its suit as trumps; if all pass, each may name another suit. If all
pass again the deal is over and nobody scores. The taker gets the card turned up and two more cards, the others three.
Player 0 leads.

Suit must be followed. A trump that is played must be higher than the trumps in the trick, if possible. Who can't follow
must trump, higher than the trumps in the trick if possible, unless the partner is winning the trick: then any card may
be played. Who holds king and queen of trumps announces belote with the first of them: 20 points for the team.

Cards count 152 points, the last trick 10 more; all eight tricks (capot) count 252. The taker's team must have more
points than the other, belote included, or scores nothing but its belote: the others score 162, or 252 if they took all
tricks. If both have the same number (litige) the others score theirs, and the taker's team only its belote.

Moves: the cards 0 to 31, 32 to pass, 33 + suit to take.
"""

import numpy as np

from damier.core.bits import Bits, bit, popcount
from damier.core.messages import say
from damier.core.protocol import CHANCE, Observation, Record, Rng, Values
from damier.core.view import Hand
from damier.games.cards.pack import PACK_32, SUIT_NAMES, cards_in, suit_name
from damier.games.cards.tricks import NO_CARD, Tricks, trick_record, words_for
from damier.games.cards.unseen import NO_CARDS, random_cards

RANKS = 8
FIRST = 5  # cards of the first deal
PASS = 32
TAKE = 33
EVENTS = 1 + 8 + 32  # the card turned up, bids, cards
NOBODY = -1
QUEEN, KING = 4, 5  # ranks

#              7  8  9  J  Q  K  10  A
PLAIN_POINTS = 0, 0, 0, 2, 3, 4, 10, 11
TRUMP_POINTS = 0, 0, 14, 20, 3, 4, 10, 11
TRUMP_ORDER = 0, 1, 6, 7, 2, 3, 4, 5
LAST_TRICK, BELOTE, ALL, CAPOT = 10, 20, 162, 252
SCALE = float(CAPOT + BELOTE)


class Belote(Tricks):
    """Belote: the French game of tricks and trumps for two teams of two."""

    version = 1
    num_players = 4
    teams = (0, 1, 0, 1)
    num_demands = 3
    max_moves = 32
    max_length = 32 + 1 + 8 + 32
    max_observation = 4 + words_for(EVENTS)
    least_payoff = -1.0
    unit = "points"
    unit_size = SCALE
    State = trick_record(
        4,
        EVENTS,
        ("turned", np.int8),  # the card turned up, or NO_CARD
        ("num_bids", np.int8),
        ("taker", np.int8),  # or NOBODY
        ("belote", np.int8),  # who announced it, or NOBODY
        ("first", np.uint64, (4,)),  # the five cards that each got first
        ("points", np.int16, (2,)),  # of each team, without belote
    )

    def __init__(self) -> None:
        super().__init__(PACK_32)
        self.plain_points = np.array(PLAIN_POINTS)
        self.trump_points = np.array(TRUMP_POINTS)
        self.trump_order = np.array(TRUMP_ORDER)
        # [rank]: the ranks above it in trumps
        above = [[rank for rank in range(RANKS) if TRUMP_ORDER[rank] > TRUMP_ORDER[low]] for low in range(RANKS)]
        self.above = np.array([sum(1 << rank for rank in ranks) for ranks in above], np.uint64)

    def setup(self, state: Record) -> None:
        self.clear(state)
        state.turned = NO_CARD
        state.num_bids = 0
        state.taker = state.belote = NOBODY
        state.first[:] = NO_CARDS
        state.points[:] = 0

    # -- dealing and bidding ---------------------------------------------------------------------------------

    def receiver(self, state: Record) -> int:
        """Who gets the next card: in turn at first, later each gets all cards at once."""
        if state.dealt < 4 * FIRST:
            return int(state.dealt % 4)
        for player in range(4):
            if popcount(state.hands[player]) < RANKS:
                return player
        return 0

    def is_bidding(self, state: Record) -> bool:
        return bool(state.turned != NO_CARD and state.taker == NOBODY and state.num_bids < 8)

    def bids(self, state: Record) -> Bits:
        suit = state.turned // self.ranks
        if state.num_bids < 4:
            return bit(PASS) | bit(TAKE + suit)
        return np.uint64(0b11111 << PASS) & ~bit(TAKE + suit)

    def bid(self, state: Record, move: int) -> None:
        self.tell(state, move)
        state.num_bids += 1
        if move == PASS:
            state.player = state.turn = (state.turn + 1) % 4
            return
        state.taker = state.turn
        state.trump = move - TAKE
        state.hands[state.taker] |= bit(state.turned)
        state.known[state.taker] |= bit(state.turned)
        state.turn = 0
        state.player = CHANCE

    # -- moves -----------------------------------------------------------------------------------------------

    def legal(self, state: Record) -> Bits:
        if self.is_bidding(state):
            return self.bids(state)
        return NO_CARDS if state.taker == NOBODY else self.playable(state)

    def demand(self, state: Record, number: int) -> Bits:
        if state.in_trick == 0:
            return NO_CARDS
        suit, trumps = state.led // self.ranks, self.suits[state.trump]
        higher = trumps
        if state.best // self.ranks == state.trump:
            higher = self.above[state.best % self.ranks] << np.uint64(self.ranks * state.trump)
        if suit == state.trump:
            return higher if number == 0 else trumps
        if number == 0:
            return self.suits[suit]
        if (state.turn - state.master) % 2 == 0:
            return NO_CARDS  # the partner is winning
        return higher if number == 1 else trumps

    def height(self, state: Record, card: int) -> int:
        rank = card % self.ranks
        return int(self.trump_order[rank] if card // self.ranks == state.trump else rank)

    def play(self, state: Record, move: int) -> None:
        if state.player != CHANCE:
            if self.is_bidding(state):
                self.bid(state, move)
            else:
                self.play_card(state, move)
        elif state.dealt == 4 * FIRST and state.turned == NO_CARD:
            state.turned = move
            state.stock &= ~bit(move)
            self.tell(state, move)
            state.player = state.turn
        else:
            self.deal_next(state, move)

    def deal_next(self, state: Record, card: int) -> None:
        self.deal(state, self.receiver(state), card)
        if state.dealt == 4 * FIRST:
            for player in range(4):
                state.first[player] = state.hands[player]
        elif state.stock == NO_CARDS:
            state.player = state.turn

    def play_card(self, state: Record, card: int) -> None:
        self.announce(state, card)
        self.lay(state, card)
        state.turn = (state.turn + 1) % 4
        if state.in_trick == 4:
            self.count_trick(state)
        state.player = state.turn

    def announce(self, state: Record, card: int) -> None:
        """Who plays king or queen of trumps and has the other says so; who says nothing does not have it."""
        rank = card % self.ranks
        if card // self.ranks != state.trump or rank not in (KING, QUEEN):
            return
        player = state.turn
        other = bit(card - rank + KING + QUEEN - rank)
        if state.hands[player] & other != NO_CARDS:
            state.belote = player
            state.known[player] |= other
        else:
            state.lacks[player] |= other

    def count_trick(self, state: Record) -> None:
        """The four cards of the trick are the last in the story; their points go to the team that takes it."""
        team = state.master % 2
        for back in range(1, 5):
            card = self.event(state, state.num_events - back)
            points = self.trump_points if card // self.ranks == state.trump else self.plain_points
            state.points[team] += points[card % self.ranks]
        self.end_trick(state)
        if state.hands[state.turn] == NO_CARDS:
            state.points[team] += LAST_TRICK

    # -- the end ---------------------------------------------------------------------------------------------

    def returns(self, state: Record, out: Values) -> None:
        lead = 0
        if state.taker != NOBODY:
            lead = self.score_of(state, 0) - self.score_of(state, 1)
        for player in range(4):
            out[player] = lead / SCALE if player % 2 == 0 else -lead / SCALE

    def with_belote(self, state: Record, team: int) -> int:
        """The points of a team's tricks, with belote."""
        return int(state.points[team]) + self.belote_of(state, team)

    def belote_of(self, state: Record, team: int) -> int:
        return BELOTE if state.belote != NOBODY and state.belote % 2 == team else 0

    def score_of(self, state: Record, team: int) -> int:
        """What a team scores for the deal."""
        taking = state.taker % 2
        took, other = self.with_belote(state, taking), self.with_belote(state, 1 - taking)
        own = self.belote_of(state, team)
        tricks = state.tricks[team] + state.tricks[team + 2]
        if tricks in (0, RANKS):
            return own + (CAPOT if tricks == RANKS else 0)
        if took > other:
            return int(state.points[team]) + own
        if team == taking:
            return own
        return ALL + own if took < other else int(state.points[team]) + own

    def evaluate(self, state: Record, out: Values) -> None:
        """The points so far."""
        lead = self.with_belote(state, 0) - self.with_belote(state, 1)
        for player in range(4):
            out[player] = lead / SCALE if player % 2 == 0 else -lead / SCALE

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, the five cards that they got first, who announced belote, and the story."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        out[2] = np.int64(state.first[player])
        out[3] = state.belote
        return self.observe_story(state, out, 4)

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Deal the other hands anew, and say which of their cards came first."""
        self.deal_again(state, observer, rng)
        if state.dealt < 4 * FIRST:
            return
        for player in range(4):
            if player != observer:
                cards = state.hands[player] | state.laid[player]
                if player == state.taker:
                    cards &= ~bit(state.turned)
                state.first[player] = random_cards(cards, FIRST, rng)

    # -- for people ------------------------------------------------------------------------------------------

    def _word(self, state: Record, move: int) -> str:
        """In the first round there is only one suit to take."""
        if move == PASS:
            return "pass"
        return "take" if state.num_bids < 4 else SUIT_NAMES[move - TAKE]

    def _bid_name(self, state: Record, move: int) -> str:
        if move == PASS:
            return say("belote.pass")
        return say("belote.take") if state.num_bids < 4 else suit_name(move - TAKE)

    def _is_seen_deal(self, state: Record, observer: int) -> bool:
        is_turned = state.dealt == 4 * FIRST and state.turned == NO_CARD
        return bool(is_turned or self.receiver(state) == observer)

    def _dealt(self, state: Record) -> list[int]:
        return [int(cards) for cards in (state.hands if state.dealt < 4 * FIRST else state.first)]

    def _after_deal(self, state: Record) -> list[int]:
        """The story, and after the bids the rest of the deal."""
        told = self.events(state)
        bids = 1 + int(state.num_bids)
        turned = 0 if state.turned == NO_CARD else 1 << int(state.turned)
        held = zip(state.hands, state.laid, self._dealt(state), strict=True)
        rest = [card for hand, laid, first in held for card in cards_in((int(hand) | int(laid)) & ~first & ~turned)]
        return [*told[:bids], *rest, *told[bids:]]

    def _middle(self, state: Record, observer: int, moves: list[int]) -> list[Hand]:
        middle = super()._middle(state, observer, moves)
        if self.is_bidding(state):
            middle[0] = Hand(say("cards.turned-up"), (self._pack.face(state.turned),))
        return middle

    def _notes(self, state: Record) -> list[str]:
        notes = [*super()._notes(state), say("cards.points", points=" ".join(map(str, state.points.tolist())))]
        if state.taker != NOBODY:
            notes.append(say("belote.taker", player=int(state.taker) + 1))
        if state.belote != NOBODY:
            notes.append(say("belote.announced", player=int(state.belote) + 1))
        return notes
