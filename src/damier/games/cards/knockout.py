"""Knockout whist for two to four players.

It is a series of deals from 52 cards: first of `cards` cards each, then one card fewer each time. Suit must be
followed; the highest trump wins the trick, else the highest card of the suit that was led. Who takes no trick in a deal
is out. The last player left wins.

In the first deal a card is turned up for trump, and player 0 leads. Later the player with most tricks in the deal
before (chance decides between equals) sees their new hand, chooses the trump suit and leads.

Moves: the cards 0 to 51, and 52 + suit to choose a trump suit. Outcomes of chance: cards; the number of a player where
equals cut for the choice.
"""

import numpy as np

from damier.core.bits import Bits, bit, lowest, popcount
from damier.core.messages import say
from damier.core.protocol import CHANCE, Moves, Observation, Record, Values
from damier.games.cards.pack import PACK_52
from damier.games.cards.tricks import NO_TRUMP, trick_record, words_for
from damier.games.cards.unseen import NO_CARDS
from damier.games.cards.whist import MOST_CARDS, Whist

CHOOSE = 52  # the first of four moves that choose the trump suit
CHOICES = np.uint64(0b1111 << CHOOSE)

DEALING, TURNING, CUTTING, CHOOSING, PLAYING, OVER = range(6)


class KnockoutWhist(Whist):
    """Knockout whist: who takes no trick in a deal is out."""

    def __init__(self, variant: str = "knockout", players: int = 2, cards: int = MOST_CARDS) -> None:
        super().__init__(PACK_52)
        if not 2 <= players <= 4:
            raise ValueError(say("whist.players", got=players))
        if not 1 <= cards <= MOST_CARDS:
            raise ValueError(say("whist.cards", most=MOST_CARDS, got=cards))
        self.variant, self.players, self.cards = variant, players, cards
        self.num_players = players
        self.least_payoff = -1 / (players - 1)
        in_all = players * cards * (cards + 1) // 2
        events = in_all + 1 + 2 * (cards - 1)  # cards, the first trump, and the choices and cuts of the other deals
        self.max_length = in_all + events
        self.max_observation = 3 + words_for(events)
        self.State = trick_record(
            players,
            events,
            ("stage", np.int8),
            ("hand_size", np.int8),  # cards of each player in this deal
            ("chooser", np.int8),  # who chooses the trump suit and leads
            ("turned", np.uint64),  # the card turned up for trump, if it is the first deal
            ("is_in", np.int8, (players,)),  # whether each player is still in
        )

    def setup(self, state: Record) -> None:
        self.clear(state)
        state.stage = DEALING
        state.hand_size = self.cards
        state.chooser = 0
        state.turned = NO_CARDS
        state.is_in[:] = 1

    # -- the players who are still in ------------------------------------------------------------------------

    def num_in(self, state: Record) -> int:
        count = 0
        for player in range(self.players):
            count += state.is_in[player]
        return count

    def receiver(self, state: Record) -> int:
        """Who gets the next card: players who are in, in turn."""
        number = state.dealt % self.num_in(state)
        for player in range(self.players):
            if state.is_in[player]:
                if number == 0:
                    return player
                number -= 1
        return 0

    def after(self, state: Record, player: int) -> int:
        """The next player who is in."""
        player = (player + 1) % self.players
        while not state.is_in[player]:
            player = (player + 1) % self.players
        return player

    # -- moves -----------------------------------------------------------------------------------------------

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        return self.list_outcomes(self.tied(state) if state.stage == CUTTING else state.stock, out, probs)

    def tied(self, state: Record) -> Bits:
        """The players who took most tricks, as a set."""
        most, found = 0, NO_CARDS
        for player in range(self.players):
            if state.tricks[player] > most:
                most, found = state.tricks[player], NO_CARDS
            if state.tricks[player] == most:
                found |= bit(player)
        return found

    def legal(self, state: Record) -> Bits:
        if state.stage == CHOOSING:
            return CHOICES
        return self.playable(state) if state.stage == PLAYING else NO_CARDS

    def play(self, state: Record, move: int) -> None:
        if state.stage == DEALING:
            self.deal(state, self.receiver(state), move)
            if state.dealt == state.hand_size * self.num_in(state):
                self.end_dealing(state)
        elif state.stage == TURNING:
            state.stock &= ~bit(move)
            state.turned = bit(move)
            self.tell(state, move)
            self.begin_play(state, move // self.ranks)
        elif state.stage == CUTTING:
            self.tell(state, move)
            self.begin_deal(state, move)
        elif state.stage == CHOOSING:
            self.tell(state, move)
            self.begin_play(state, move - CHOOSE)
        else:
            self.lay(state, move)
            state.turn = self.after(state, state.turn)
            if state.in_trick == self.num_in(state):
                self.end_trick(state)
            state.player = state.turn
            if state.in_trick == 0 and state.hands[state.turn] == NO_CARDS:
                self.end_deal(state)

    def end_dealing(self, state: Record) -> None:
        state.turn = state.chooser
        state.stage = TURNING if state.hand_size == self.cards else CHOOSING
        if state.stage == CHOOSING:
            state.player = state.chooser

    def begin_play(self, state: Record, trump: int) -> None:
        state.trump = trump
        state.stage = PLAYING
        state.player = state.turn = state.chooser

    def end_deal(self, state: Record) -> None:
        """Who took no trick is out; the best of the others chooses the next trump suit."""
        for player in range(self.players):
            if state.tricks[player] == 0:
                state.is_in[player] = 0
        best = self.tied(state)
        if self.num_in(state) == 1:
            state.stage = OVER
        elif popcount(best) > 1:
            state.stage = CUTTING
            state.player = CHANCE
        else:
            self.begin_deal(state, lowest(best))

    def begin_deal(self, state: Record, chooser: int) -> None:
        state.stage = DEALING
        state.player = CHANCE
        state.turn = state.chooser = chooser
        state.hand_size -= 1
        state.dealt = 0
        state.trump = NO_TRUMP
        state.stock = self.pack
        state.turned = NO_CARDS
        state.laid[:] = NO_CARDS
        state.lacks[:] = NO_CARDS
        state.tricks[:] = 0

    # -- the end ---------------------------------------------------------------------------------------------

    def returns(self, state: Record, out: Values) -> None:
        for player in range(self.players):
            out[player] = 1.0 if state.is_in[player] else -1 / (self.players - 1)

    def evaluate(self, state: Record, out: Values) -> None:
        """The tricks of this deal: half the way to winning for all of them."""
        if state.stage == OVER:
            self.returns(state, out)
            return
        count = self.num_in(state)
        total = 0
        for player in range(self.players):
            total += state.tricks[player]
        for player in range(self.players):
            alive = (self.players - count) / (count * (self.players - 1)) if state.is_in[player] else 0.0
            lead = (state.tricks[player] - total / count) / state.hand_size if state.is_in[player] else 0.0
            out[player] = (
                0.5 * (alive + lead / (self.players - 1)) if state.is_in[player] else -0.5 / (self.players - 1)
            )

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, how many cards are dealt, and the story. In earlier deals all cards were played."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        out[2] = state.hand_size
        return self.observe_story(state, out, 3)

    # -- for people ------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return str(move) if state.stage == CUTTING else super().format_move(state, move)

    def _is_seen_deal(self, state: Record, observer: int) -> bool:
        return bool(state.stage != DEALING or self.receiver(state) == observer)

    def _dealt(self, state: Record) -> list[int]:
        return self._deals(state)[0][0]

    def _after_deal(self, state: Record) -> list[int]:
        (_, moves), *later = self._deals(state)
        for hands, events in later:
            moves = [*moves, *self._deal_moves([hand for hand in hands if hand]), *events]
        return moves

    def _deals(self, state: Record) -> list[tuple[list[int], list[int]]]:
        """The hands and the public moves of each deal so far."""
        told, deals = self.events(state), []
        is_in, leader = [True] * self.players, 0
        for size in range(self.cards, int(state.hand_size), -1):
            count = 1 + size * sum(is_in)  # a trump suit, and all cards
            hands, won, trump = (
                [0] * self.players,
                [0] * self.players,
                told[0] // 13 if size == self.cards else told[0] - CHOOSE,
            )
            for start in range(1, count, sum(is_in)):
                order = [(leader + i) % self.players for i in range(self.players) if is_in[(leader + i) % self.players]]
                trick = dict(zip(order, told[start : start + len(order)], strict=True))
                led = trick[leader] // 13
                for player, card in trick.items():
                    hands[player] |= 1 << card
                leader = max(order, key=lambda player: _rank(trick[player], led, trump))
                won[leader] += 1
            is_in = [bool(tricks) for tricks in won]
            is_cut = won.count(max(won)) > 1
            leader = told[count] if is_cut and len(told) > count else won.index(max(won))
            deals.append((hands, told[: count + is_cut]))
            told = told[count + is_cut :]
        hands = [int(hand) | int(laid) for hand, laid in zip(state.hands, state.laid, strict=True)]
        return [*deals, (hands, told)]


def _rank(card: int, led: int, trump: int) -> tuple[bool, bool, int]:
    return card // 13 == trump, card // 13 == led, card % 13
