"""Kuhn poker: three cards, one bet. Harold Kuhn, A simplified two-person poker, 1950.

Each player puts one chip into the pot and gets one of the cards J, Q, K. Player 0 checks or bets a chip. After a bet
the other folds or calls; after a check the other checks or bets, and then the first folds or calls. The highest card
wins the pot if nobody folded.

Moves of players: 0 = pass (check or fold), 1 = bet (or call). Outcomes of chance: the card dealt, 0 = J, 1 = Q, 2 = K,
first to player 0, then to player 1.
"""

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Record, Rng, Values
from damier.core.rng import below
from damier.core.view import FACE_DOWN, Card, CardTable, Hand

CARDS = "JQK"
PASS, BET = 0, 1
NO_CARD = -1
LONGEST = 3  # pass, bet, and the answer


class Kuhn:
    """Kuhn poker: three cards, two players, one bet."""

    version = 1
    num_players = 2
    max_moves = 3
    max_length = 2 + LONGEST
    max_observation = 1 + LONGEST
    least_payoff = -1.0
    unit = "chips"
    unit_size = 2.0  # a player can lose two chips
    State = np.dtype(
        [
            ("player", np.int8),
            ("cards", np.int8, (2,)),  # of each player, or NO_CARD
            ("num_bets", np.int8),  # moves made
            ("bets", np.int8, (LONGEST,)),  # the moves: PASS or BET
        ]
    )

    def setup(self, state: Record) -> None:
        state.player = CHANCE
        state.cards[:] = NO_CARD
        state.num_bets = 0
        state.bets[:] = 0

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        count = 0
        for card in range(3):
            if state.cards[0] != card:
                out[count] = card
                count += 1
        probs[:count] = 1 / count
        return count

    def moves(self, state: Record, out: Moves) -> int:
        if self.is_over(state):
            return 0
        out[0], out[1] = PASS, BET
        return 2

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            if state.cards[0] == NO_CARD:
                state.cards[0] = move
            else:
                state.cards[1] = move
                state.player = 0
            return
        state.bets[state.num_bets] = move
        state.num_bets += 1
        state.player = 1 - state.player

    def is_over(self, state: Record) -> bool:
        """Two passes end it, and so does any answer to a bet."""
        last = state.num_bets - 1
        if last < 1:
            return False
        return bool(state.bets[last - 1] == BET or state.bets[last] == PASS)

    def returns(self, state: Record, out: Values) -> None:
        """The winner gets what the other put in: one chip, or two after a called bet."""
        last = state.num_bets - 1
        is_folded = state.bets[last - 1] == BET and state.bets[last] == PASS
        winner = 0 if state.cards[0] > state.cards[1] else 1
        if is_folded:
            winner = (last + 1) % 2  # the player who did not fold: player 0 makes the moves 0 and 2
        chips = 2 if state.bets[last] == BET else 1
        out[winner] = chips / 2
        out[1 - winner] = -chips / 2

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player knows their card and all moves."""
        out[0] = state.cards[player]
        for number in range(state.num_bets):
            out[1 + number] = state.bets[number]
        return 1 + state.num_bets

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """The other has one of the two cards that the observer does not hold."""
        other = 1 - observer
        if state.cards[other] != NO_CARD and state.cards[observer] != NO_CARD:
            state.cards[other] = (state.cards[observer] + 1 + below(rng, 2)) % 3
        elif state.cards[other] != NO_CARD:
            state.cards[other] = below(rng, 3)

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        if state.player == CHANCE:
            return CARDS[move]
        faces_bet = state.num_bets > 0 and state.bets[state.num_bets - 1] == BET
        return (("fold", "call") if faces_bet else ("check", "bet"))[move]

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Everybody sees the moves, and only their own card."""
        receiver = 0 if state.cards[0] == NO_CARD else 1
        return HIDDEN if state.player == CHANCE and receiver != observer else self.format_move(state, move)

    def format_position(self, state: Record) -> str:
        """Two cards and the moves: `KJ pb`; `--` before the deal."""
        cards = "".join("-" if card == NO_CARD else CARDS[card] for card in state.cards)
        bets = "".join("pb"[bet] for bet in state.bets[: state.num_bets])
        return f"{cards} {bets}".strip()

    def parse_position(self, state: Record, text: str) -> None:
        cards, _, bets = text.partition(" ")
        if len(cards) != 2 or set(cards) - set(f"{CARDS}-") or set(bets) - set("pb") or len(bets) > LONGEST:
            raise ValueError(say("kuhn.position"))
        state.cards[:] = [NO_CARD if card == "-" else CARDS.index(card) for card in cards]
        if (cards[0] == cards[1] and cards != "--") or cards[0] == "-" != cards[1] or ("-" in cards and bets):
            raise ValueError(say("kuhn.cards"))
        state.player = CHANCE if "-" in cards else 0
        for bet in bets:
            if self.is_over(state):
                raise ValueError(say("kuhn.over"))
            self.play(state, "pb".index(bet))

    def view(self, state: Record, observer: int) -> CardTable:
        hands = [
            Hand(say("cards.of-player", player=player + 1), self._hand(state, player, observer), player)
            for player in (0, 1)
        ]
        return CardTable(tuple(hands), (say("cards.moves", moves=" ".join(self._bets(state)) or "-"),))

    def _hand(self, state: Record, player: int, observer: int) -> tuple[Card, ...]:
        if observer not in (player, REFEREE):
            return (FACE_DOWN,)
        card = int(state.cards[player])
        return () if card == NO_CARD else (Card(CARDS[card], CARDS[card]),)

    def _bets(self, state: Record) -> list[str]:
        """The moves so far in notation."""
        words = []
        for number, bet in enumerate(state.bets[: state.num_bets].tolist()):
            faces_bet = number > 0 and state.bets[number - 1] == BET
            words.append((("fold", "call") if faces_bet else ("check", "bet"))[bet])
        return words
