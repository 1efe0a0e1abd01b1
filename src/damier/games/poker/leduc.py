"""Leduc poker: six cards, two rounds of betting, one card on the table. The rules are those of OpenSpiel.

Finnegan Southey and others, Bayes' bluff: opponent modelling in poker, UAI 2005.

Each player puts one chip into the pot and gets one of six cards: J, Q and K in two suits. In a round player 0 begins;
a player folds (only after a raise), calls (or checks) or raises, at most two raises a round. A raise is 2 chips in the
first round and 4 in the second. Between the rounds a card is laid open on the table. If nobody folds, a pair with that
card wins, and else the higher card; equal ranks share the pot.

Moves of players: 0 = fold, 1 = call or check, 2 = raise. Outcomes of chance: the card dealt, first to player 0, then to
player 1, then on the table. Cards are numbered by rank:

    0 J♠   1 J♥   2 Q♠   3 Q♥   4 K♠   5 K♥

If suits don't count, the cards are the ranks 0 J, 1 Q, 2 K, and each is there twice.
"""

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Planes, Record, Rng, Values
from damier.core.rng import below
from damier.core.view import FACE_DOWN, Card, CardTable, Hand

RANKS = "JQK"
FOLD, CALL, RAISE = 0, 1, 2
LETTERS = "fcr"  # of the moves, in a position as text
NO_CARD = -1
ROUNDS, LONGEST, MOST_RAISES = 2, 4, 2  # check, raise, raise, call
ANTE = 1
MOST_CHIPS = 13  # the ante, and two raises in each round


class Leduc:
    """Leduc poker: six cards, two rounds of betting, and a card on the table."""

    version = 1
    num_players = 2
    num_actions = 3
    max_length = 3 + ROUNDS * LONGEST
    max_observation = 2 + ROUNDS * LONGEST
    least_payoff = -1.0
    unit = "chips"
    unit_size = float(MOST_CHIPS)
    State = np.dtype(
        [
            ("player", np.int8),
            ("cards", np.int8, (2,)),  # of each player, or NO_CARD
            ("table", np.int8),  # the open card, or NO_CARD
            ("chips", np.int8, (2,)),  # what each player has put into the pot
            ("num_bets", np.int8, (ROUNDS,)),  # moves made in each round
            ("bets", np.int8, (ROUNDS, LONGEST)),  # the moves: FOLD, CALL or RAISE
        ]
    )

    def __init__(self, suits: bool = True) -> None:
        self.suits = suits
        self.num_cards = 6 if suits else 3
        self.copies = 6 // self.num_cards
        self.per_rank = self.num_cards // 3
        self.raises = np.array([2, 4])
        self.max_moves = self.num_cards
        self.encode_shape = (2 * self.num_cards + ROUNDS * LONGEST * 3, 1, 1)

    def setup(self, state: Record) -> None:
        state.player = CHANCE
        state.cards[:] = NO_CARD
        state.table = NO_CARD
        state.chips[:] = ANTE
        state.num_bets[:] = 0
        state.bets[:] = 0

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        count = total = 0
        for card in range(self.num_cards):
            left = self.copies - (state.cards[0] == card) - (state.cards[1] == card)
            if left > 0:
                out[count] = card
                probs[count] = left
                count += 1
                total += left
        probs[:count] /= total
        return count

    def moves(self, state: Record, out: Moves) -> int:
        if self.is_over(state):
            return 0
        count = 0
        if state.chips[state.player] < state.chips[1 - state.player]:
            out[count] = FOLD
            count += 1
        out[count] = CALL
        count += 1
        if self.count_raises(state) < MOST_RAISES:
            out[count] = RAISE
            count += 1
        return count

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            self.deal(state, move)
            return
        mover, other, current = state.player, 1 - state.player, self.round(state)
        if move != FOLD:
            state.chips[mover] = state.chips[other]
        if move == RAISE:
            state.chips[mover] += self.raises[current]
        state.bets[current, state.num_bets[current]] = move
        state.num_bets[current] += 1
        state.player = CHANCE if current == 0 and self.is_closed(state, 0) else other

    def deal(self, state: Record, card: int) -> None:
        """The first card is player 0's, the second player 1's, the third lies on the table."""
        if state.cards[0] == NO_CARD:
            state.cards[0] = card
        elif state.cards[1] == NO_CARD:
            state.cards[1] = card
            state.player = 0
        else:
            state.table = card
            state.player = 0

    def round(self, state: Record) -> int:
        """0 before the card on the table, 1 after it."""
        return 0 if state.table == NO_CARD else 1

    def count_raises(self, state: Record) -> int:
        current = self.round(state)
        raises = 0
        for number in range(state.num_bets[current]):
            raises += state.bets[current, number] == RAISE
        return raises

    def is_closed(self, state: Record, number: int) -> bool:
        """Whether a round is over without a fold: by a call that is not the check of player 0."""
        last = state.num_bets[number] - 1
        return bool(last >= 1 and state.bets[number, last] == CALL)

    def is_folded(self, state: Record) -> bool:
        current = self.round(state)
        last = state.num_bets[current] - 1
        return bool(last >= 0 and state.bets[current, last] == FOLD)

    def is_over(self, state: Record) -> bool:
        return self.is_folded(state) or self.is_closed(state, 1)

    def returns(self, state: Record, out: Values) -> None:
        """The winner gets what the other put in."""
        margin = self.strength(state, 0) - self.strength(state, 1)
        if self.is_folded(state):
            margin = 1 if state.player == 0 else -1  # the player who would move next did not fold
        sign = 1 if margin > 0 else -1 if margin < 0 else 0
        loser = 1 if margin > 0 else 0
        out[0] = sign * state.chips[loser] / MOST_CHIPS
        out[1] = -out[0]

    def strength(self, state: Record, player: int) -> int:
        """A pair with the card on the table beats every other hand."""
        rank = state.cards[player] // self.per_rank
        is_pair = state.table != NO_CARD and rank == state.table // self.per_rank
        return int(rank + 3 * is_pair)

    def encode(self, state: Record, out: Planes) -> None:
        """What the player to move knows: their card, the card on the table, and each move of both rounds."""
        out[:] = 0
        if state.player != CHANCE:
            out[state.cards[state.player], 0, 0] = 1
        if state.table != NO_CARD:
            out[self.num_cards + state.table, 0, 0] = 1
        for current in range(ROUNDS):
            for number in range(state.num_bets[current]):
                place = 3 * (LONGEST * current + number) + state.bets[current, number]
                out[2 * self.num_cards + place, 0, 0] = 1

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player knows their card, the card on the table and all moves. The moves show where a round ends."""
        out[0], out[1] = state.cards[player], state.table
        count = 2
        for current in range(ROUNDS):
            for number in range(state.num_bets[current]):
                out[count] = state.bets[current, number]
                count += 1
        return count

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """The other has one of the cards that the observer does not see, all equally likely."""
        other = 1 - observer
        if state.cards[other] == NO_CARD:
            return
        seen = int(state.cards[observer] != NO_CARD) + int(state.table != NO_CARD)
        skipped = below(rng, 6 - seen)
        for card in range(self.num_cards):
            skipped -= self.copies - (state.cards[observer] == card) - (state.table == card)
            if skipped < 0:
                state.cards[other] = card
                return

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        if state.player == CHANCE:
            return self._card(move).ascii
        return self._word(move, bool(state.chips[0] != state.chips[1]))

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Everybody sees the moves and the card on the table, and only their own card."""
        receiver = 0 if state.cards[0] == NO_CARD else 1
        is_hidden = state.player == CHANCE and state.cards[1] == NO_CARD and receiver != observer
        return HIDDEN if is_hidden else self.format_move(state, move)

    def format_position(self, state: Record) -> str:
        """The cards of the players, then the moves, and the card on the table between the rounds: `KS JH cc QS r`; `--`
        for a card that is not dealt yet."""
        cards = " ".join("--" if card == NO_CARD else self._card(card).ascii for card in state.cards.tolist())
        table = "" if state.table == NO_CARD else self._card(int(state.table)).ascii
        rounds = ("".join(LETTERS[bet] for bet in self._bets(state, number)) for number in range(ROUNDS))
        return " ".join((cards, *f" {table} ".join(rounds).split()))

    def parse_position(self, state: Record, text: str) -> None:
        names = {self._card(card).ascii: card for card in range(self.num_cards)}
        words = text.split()
        is_known = all(word in names or word == "--" or not set(word) - set(LETTERS) for word in words)
        if len(words) < 2 or not is_known or set(words[:2]) - {*names, "--"}:
            raise ValueError(say("leduc.position", cards=list(names)))
        if (words[0] == "--" and words[1] != "--") or ("--" in words and len(words) > 2):
            raise ValueError(say("leduc.order"))
        self.setup(state)
        for word in words:
            if word in names:
                self._play_checked(state, [names[word]], True)
            elif word != "--":
                self._play_checked(state, [LETTERS.index(bet) for bet in word], False)

    def _play_checked(self, state: Record, moves: list[int], is_deal: bool) -> None:
        """Make moves, or deal cards; ValueError where they are not possible."""
        out, probs = np.zeros(self.max_moves, np.int64), np.zeros(self.max_moves)
        for move in moves:
            is_chance = state.player == CHANCE
            count = self.chance(state, out, probs) if is_chance else self.moves(state, out)
            if is_chance != is_deal or move not in out[:count].tolist():
                raise ValueError(say("leduc.order"))
            self.play(state, move)

    def view(self, state: Record, observer: int) -> CardTable:
        hands = [
            Hand(say("cards.of-player", player=player + 1), self._hand(state, player, observer), player)
            for player in (0, 1)
        ]
        table = () if state.table == NO_CARD else (self._card(int(state.table)),)
        facing, words = False, []
        for number in range(ROUNDS):
            for bet in self._bets(state, number):
                words.append(self._word(bet, facing))
                facing = bet == RAISE
        notes = (
            say("cards.chips", first=int(state.chips[0]), second=int(state.chips[1])),
            say("cards.moves", moves=" ".join(words) or "-"),
        )
        return CardTable((*hands, Hand(say("cards.table"), table)), notes)

    def _hand(self, state: Record, player: int, observer: int) -> tuple[Card, ...]:
        if observer not in (player, REFEREE):
            return (FACE_DOWN,)
        card = int(state.cards[player])
        return () if card == NO_CARD else (self._card(card),)

    def _card(self, card: int) -> Card:
        rank = RANKS[card // self.per_rank]
        if not self.suits:
            return Card(rank, rank)
        return Card(f"{rank}♥", f"{rank}H", "red") if card % 2 else Card(f"{rank}♠", f"{rank}S")

    def _bets(self, state: Record, number: int) -> list[int]:
        """The moves of a round."""
        return [int(bet) for bet in state.bets[number, : state.num_bets[number]]]

    def _word(self, bet: int, faces_raise: bool) -> str:
        return "fold" if bet == FOLD else "raise" if bet == RAISE else "call" if faces_raise else "check"
