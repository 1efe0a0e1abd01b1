"""Hearts: one deal of four players, each for themselves.

Each heart taken counts one point against you, and the queen of spades 13. Who takes all 26 "shoots the moon": 26 points
for each of the others. Before play everybody may pass three cards on: to the left (player + 1), across or to the right.

The holder of the two of clubs leads it. Suit must be followed. In the first trick nobody plays a heart or the queen of
spades, unless the hand has nothing else. Hearts are led only after a heart or the queen of spades was played, or from a
hand of hearts only. These are the rules of OpenSpiel's `hearts` with its default options.

Moves: cards. With `passing=drawn` chance first draws the direction: 0 no passing, 1 left, 2 across, 3 right.
"""

from typing import ClassVar

import numpy as np

from damier.core.bits import Bits, bit
from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Record, Rng, Values
from damier.core.view import Card, Hand
from damier.games.cards.pack import PACK_52, cards_in
from damier.games.cards.tricks import NO_CARD, Tricks, trick_record, words_for
from damier.games.cards.unseen import NO_CARDS, random_card

DIRECTIONS = ("none", "left", "across", "right")
DRAWN = "drawn"
UNDRAWN = -1
PASSED = 3  # cards that each passes on
TWO_OF_CLUBS = bit(0)
QUEEN = bit(3 * 13 + 10)
HEARTS = np.uint64(((1 << 13) - 1) << 26)
POINTS = HEARTS | QUEEN
ALL_POINTS = 26
QUEEN_POINTS = 13
SCALE = 0.75 * ALL_POINTS  # shooting the moon is 19.5 points better than the average


class Hearts(Tricks):
    """Hearts: four players avoid hearts and the queen of spades, or take them all."""

    version = 1
    num_players = 4
    num_demands = 2
    max_moves = 52
    max_length = 1 + 52 + 4 * PASSED + 52
    max_observation = 6 + words_for(52)
    least_payoff = -1.0
    unit = "points"
    unit_size = SCALE
    choices: ClassVar = {"passing": (*DIRECTIONS, DRAWN)}
    State = trick_record(
        4,
        52,
        ("direction", np.int8),  # of passing, or UNDRAWN
        ("num_passed", np.int8),  # cards passed by all
        ("passes", np.int8, (4, PASSED)),  # the cards that each passes on
        ("broken", np.int8),  # whether hearts may be led
        ("at_stake", np.int8),  # points in the trick
        ("points", np.int8, (4,)),
    )

    def __init__(self, passing: str = "left") -> None:
        super().__init__(PACK_52)
        if passing not in (*DIRECTIONS, DRAWN):
            raise ValueError(say("hearts.passing", known=(*DIRECTIONS, DRAWN), got=passing))
        self.passing = passing
        self.words_before = int(passing == DRAWN)
        self.first_direction = UNDRAWN if passing == DRAWN else DIRECTIONS.index(passing)

    def setup(self, state: Record) -> None:
        self.clear(state)
        state.direction = self.first_direction
        state.num_passed = state.broken = state.at_stake = 0
        state.passes[:] = NO_CARD
        state.points[:] = 0

    # -- moves -----------------------------------------------------------------------------------------------

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        return self.list_outcomes(np.uint64(15) if state.direction == UNDRAWN else state.stock, out, probs)

    def is_passing(self, state: Record) -> bool:
        return bool(state.dealt == 52 and state.direction > 0 and state.num_passed < 4 * PASSED)

    def demand(self, state: Record, number: int) -> Bits:
        if state.in_trick > 0:
            if number == 0:
                return self.suits[self.suit_of[state.led]]
            return ~POINTS & self.pack if state.num_events < 4 else NO_CARDS
        if number > 0:
            return NO_CARDS
        if state.num_events == 0:
            return TWO_OF_CLUBS
        return NO_CARDS if state.broken else ~HEARTS & self.pack

    def legal(self, state: Record) -> Bits:
        return state.hands[state.turn] if self.is_passing(state) else self.playable(state)

    def play(self, state: Record, move: int) -> None:
        if state.direction == UNDRAWN:
            state.direction = move
        elif state.player == CHANCE:
            self.deal(state, state.dealt % 4, move)
            if state.dealt == 52:
                self.begin(state)
        elif self.is_passing(state):
            self.pass_on(state, move)
        else:
            self.play_card(state, move)

    def begin(self, state: Record) -> None:
        """After the deal: pass cards, or lead the two of clubs."""
        if self.is_passing(state):
            state.player = state.turn = 0
            return
        for player in range(4):
            if state.hands[player] & TWO_OF_CLUBS != NO_CARDS:
                state.player = state.turn = player
                state.known[player] = TWO_OF_CLUBS

    def pass_on(self, state: Record, card: int) -> None:
        state.passes[state.turn, state.num_passed % PASSED] = card
        state.hands[state.turn] &= ~bit(card)
        state.num_passed += 1
        state.player = state.turn = state.num_passed // PASSED % 4
        if state.num_passed == 4 * PASSED:
            for player in range(4):
                state.hands[(player + state.direction) % 4] |= self.passed(state, player)
            self.begin(state)

    def passed(self, state: Record, player: int) -> Bits:
        """The cards that a player has passed on, as a set."""
        cards = NO_CARDS
        for number in range(PASSED):
            if state.passes[player, number] != NO_CARD:
                cards |= bit(state.passes[player, number])
        return cards

    def play_card(self, state: Record, card: int) -> None:
        self.lay(state, card)
        if bit(card) & POINTS != NO_CARDS:
            state.broken = 1
            state.at_stake += QUEEN_POINTS if bit(card) == QUEEN else 1
        state.turn = (state.turn + 1) % 4
        if state.in_trick == 4:
            self.end_trick(state)
            state.points[state.turn] += state.at_stake
            state.at_stake = 0
        state.player = state.turn

    # -- the end ---------------------------------------------------------------------------------------------

    def returns(self, state: Record, out: Values) -> None:
        """How far a player's points are below the average of all."""
        for player in range(4):
            out[player] = (ALL_POINTS / 4 - state.points[player]) / SCALE
        for shooter in range(4):
            if state.points[shooter] == ALL_POINTS:
                for player in range(4):
                    out[player] = 1.0 if player == shooter else -1 / 3

    def evaluate(self, state: Record, out: Values) -> None:
        """The points so far."""
        taken = 0.0
        for player in range(4):
            taken += state.points[player]
        for player in range(4):
            out[player] = (taken / 4 - state.points[player]) / SCALE

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, what they passed on and got, how many cards were dealt and passed, and the story."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        out[2] = state.direction
        out[3] = state.num_passed
        out[4] = 0
        for number in range(PASSED):
            out[4] = 64 * out[4] + state.passes[player, number] + 1
        is_done = state.num_passed == 4 * PASSED
        out[5] = np.int64(self.passed(state, (player - state.direction) % 4)) if is_done else 0
        return self.observe_story(state, out, 6)

    def sure(self, state: Record, observer: int, player: int) -> Bits:
        """Also the cards that the observer passed on."""
        if player == observer:
            return state.hands[player]
        known = state.known[player]
        if state.num_passed == 4 * PASSED and player == (observer + state.direction) % 4:
            known |= self.passed(state, observer)
        return state.hands[player] & known

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Deal the other hands anew, and with them what the others passed on to each other."""
        is_done = state.num_passed == 4 * PASSED
        if not is_done:
            for player in range(4):
                if player != observer:
                    state.hands[player] |= self.passed(state, player)
        self.deal_again(state, observer, rng)
        for player in range(4):
            receiver = (player + state.direction) % 4
            if player != observer and (receiver != observer or not is_done) and state.num_passed > 0:
                self.pass_again(state, player, is_done, rng)

    def pass_again(self, state: Record, player: int, is_done: bool, rng: Rng) -> None:
        """Draw the cards that a player passes on: from the hand, or later from what the receiver has had."""
        receiver = (player + state.direction) % 4
        cards = state.hands[receiver] | state.laid[receiver] if is_done else state.hands[player]
        for number in range(PASSED):
            if state.passes[player, number] != NO_CARD:
                card = random_card(cards, rng)
                state.passes[player, number] = card
                cards &= ~bit(card)
                if not is_done:
                    state.hands[player] &= ~bit(card)

    # -- for people ------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return DIRECTIONS[move] if state.direction == UNDRAWN else super().format_move(state, move)

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Nobody sees what another passes on."""
        if state.direction == UNDRAWN:
            return DIRECTIONS[move]
        return HIDDEN if self.is_passing(state) else super().format_seen(state, move, observer)

    def _before_deal(self, state: Record) -> list[int]:
        return [int(state.direction)] if self.passing == DRAWN and state.direction != UNDRAWN else []

    def _dealt(self, state: Record) -> list[int]:
        """Take back what was passed on."""
        hands = [int(hand) | int(laid) for hand, laid in zip(state.hands, state.laid, strict=True)]
        passed = [int(self.passed(state, player)) for player in range(4)]
        if state.num_passed == 4 * PASSED:
            hands = [hand & ~passed[(player - int(state.direction)) % 4] for player, hand in enumerate(hands)]
        return [hand | own for hand, own in zip(hands, passed, strict=True)]

    def _after_deal(self, state: Record) -> list[int]:
        passed = [int(card) for cards in state.passes for card in cards if card != NO_CARD]
        return [*passed, *self.events(state)]

    def _middle(self, state: Record, observer: int, moves: list[int]) -> list[Hand]:
        middle = super()._middle(state, observer, moves)
        if not self.is_passing(state):
            return middle
        if observer != REFEREE:
            return [*middle, Hand(say("hearts.passed-on"), self._aside(state, observer))]
        hands = ((player, self._aside(state, player)) for player in range(4))
        return [*middle, *(Hand(say("hearts.passed-by", player=player + 1), cards) for player, cards in hands if cards)]

    def _aside(self, state: Record, player: int) -> tuple[Card, ...]:
        """The cards that a player has laid aside to pass on."""
        return self._faces(cards_in(int(self.passed(state, player))), [])

    def _notes(self, state: Record) -> list[str]:
        return [*super()._notes(state), say("cards.points", points=" ".join(map(str, state.points.tolist())))]
