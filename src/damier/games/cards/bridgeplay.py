"""The card play of bridge, with a given contract: South declares, West leads, North is dummy.

The players are 0 South, 1 West, 2 North and 3 East; South and North play against West and East. After the opening lead
dummy's hand lies open, and South plays its cards: player 2 never moves. Suit must be followed; the highest trump wins
the trick, else the highest card of the suit that was led.

With `cards` below 13 the pack has the highest ranks only, so everybody knows which cards are in play: an ending. A
position's text may have any cards.

Moves: the cards 0 to 51.
"""

from typing import ClassVar

import numpy as np

from damier.core.messages import say
from damier.core.protocol import CHANCE, Observation, Record, Values
from damier.games.cards.pack import PACK_52
from damier.games.cards.tricks import NO_TRUMP, Tricks, trick_record, words_for

TRUMPS = ("C", "D", "H", "S", "NT")
DECLARER, LEADER, DUMMY = 0, 1, 2
HAND = 13


class BridgePlay(Tricks):
    """Bridge play: declarer and dummy against two defenders, with a given trump suit."""

    version = 1
    num_players = 4
    teams = (0, 1, 0, 1)
    max_moves = 52
    max_observation = 3 + words_for(52)
    least_payoff = -1.0
    choices: ClassVar = {"trump": TRUMPS}
    hands_prefix = "S:"
    State = trick_record(4, 52)

    def __init__(self, cards: int = HAND, trump: str = "S", target: int = 0) -> None:
        super().__init__(PACK_52)
        if not 1 <= cards <= HAND:
            raise ValueError(say("bridgeplay.cards", most=HAND, got=cards))
        if trump not in TRUMPS:
            raise ValueError(say("bridgeplay.trump", known=TRUMPS, got=trump))
        if not 0 <= target <= cards:
            raise ValueError(say("bridgeplay.target", most=cards, got=target))
        self.cards, self.trump, self.target = cards, trump, target
        self.trump_suit = NO_TRUMP if trump == "NT" else TRUMPS.index(trump)
        self.max_length = 8 * cards
        self.unit, self.unit_size = ("", 1.0) if target else ("tricks", float(cards))
        highest = ((1 << cards) - 1) << HAND - cards
        self.pack = np.uint64(sum(highest << HAND * suit for suit in range(4)))

    def setup(self, state: Record) -> None:
        self.clear(state)
        state.trump = self.trump_suit

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            self.deal(state, state.dealt % 4, move)
            if state.dealt == 4 * self.cards:
                state.player = state.turn = LEADER
            return
        self.lay(state, move)
        if state.num_events == 1:
            state.known[DUMMY] = state.hands[DUMMY]
        state.turn = (state.turn + 1) % 4
        if state.in_trick == 4:
            self.end_trick(state)
        state.player = DECLARER if state.turn == DUMMY else state.turn

    # -- the end ---------------------------------------------------------------------------------------------

    def lead(self, state: Record) -> int:
        """How many tricks more declarer's side has."""
        return int(state.tricks[0] + state.tricks[2] - state.tricks[1] - state.tricks[3])

    def returns(self, state: Record, out: Values) -> None:
        """The lead as a share of all tricks; with a target, whether it is reached."""
        value = self.lead(state) / self.cards
        if self.target > 0:
            value = 1.0 if state.tricks[0] + state.tricks[2] >= self.target else -1.0
        self.share(value, out)

    def evaluate(self, state: Record, out: Values) -> None:
        """The tricks so far."""
        self.share(self.lead(state) / self.cards, out)

    def share(self, value: float, out: Values) -> None:
        for player in range(4):
            out[player] = value if player % 2 == 0 else -value

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player's hand, after the opening lead dummy's too, how many cards are dealt, and the story."""
        out[0] = np.int64(state.hands[player])
        out[1] = state.dealt
        out[2] = np.int64(state.hands[DUMMY] & state.known[DUMMY])
        return self.observe_story(state, out, 3)

    # -- for people ------------------------------------------------------------------------------------------

    def format_known(self, state: Record, player: int) -> str:
        """Dummy's cards, after the opening lead."""
        cards = int(state.hands[DUMMY] & state.known[DUMMY])
        return f"(N:{self._pack.format_hand(cards)})" if cards else ""

    def _prepare(self, state: Record, hands: list[int]) -> None:
        """The hands may have any cards, if they are all dealt."""
        if sum(hand.bit_count() for hand in hands) == 4 * self.cards:
            state.stock = np.uint64(hands[0] | hands[1] | hands[2] | hands[3])

    def _title(self, player: int) -> str:
        return say(("bridgeplay.south", "bridgeplay.west", "bridgeplay.north", "bridgeplay.east")[player])
