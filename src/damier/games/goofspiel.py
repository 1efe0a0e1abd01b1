"""Goofspiel (the Game of Pure Strategy): bid a card for each prize, and hide what you bid. OpenSpiel's rules.

Merrill Flood invented it in the 1930s; Sheldon Ross, Goofspiel: the game of pure strategy, 1971.

Each player has the cards 1 to n, and the same cards are the prizes. One prize is turned up at a time, and both players
bid one of their cards at once. The higher card takes the prize; equal cards discard it. The cards bid stay hidden: the
players learn only who won. The last prize is played by itself, as everybody has one card left.

At the table both players bid at the same time. Here player 0 bids first, and player 1 does not see that bid.

A move, and an outcome of chance, is the number of a card less 1; people write the card:

    move   0  1  2  3 ...
    card   1  2  3  4 ...
"""

from typing import ClassVar

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Record, Rng, Values
from damier.core.rng import shuffle
from damier.core.view import FACE_DOWN, Card, CardTable, Hand

MOST_CARDS = 13
ORDERS = ("random", "descending", "ascending")
SCORINGS = ("win", "points")
RESULTS = {1: "+", 0: "=", -1: "-"}


class Goofspiel:
    """Goofspiel: bid hidden cards for prizes, and learn only who won."""

    version = 1
    num_players = 2
    choices: ClassVar = {"order": ORDERS, "scoring": SCORINGS}

    def __init__(self, cards: int = 4, order: str = "descending", scoring: str = "win") -> None:
        if not 2 <= cards <= MOST_CARDS:
            raise ValueError(say("number.between", what="cards", least=2, most=MOST_CARDS, got=cards))
        if order not in ORDERS:
            raise ValueError(say("goofspiel.order", known=list(ORDERS), got=order))
        if scoring not in SCORINGS:
            raise ValueError(say("goofspiel.scoring", known=list(SCORINGS), got=scoring))
        self.cards, self.order, self.scoring = cards, order, scoring
        self.uses_chance = order == "random"
        self.first, self.step = (cards, -1) if order == "descending" else (1, 1)
        self.pays_points = scoring == "points"
        self.total = cards * (cards + 1) // 2
        self.unit = "points" if self.pays_points else ""
        self.unit_size = float(self.total) if self.pays_points else 1.0
        self.max_moves = cards
        self.max_length = (3 if self.uses_chance else 2) * (cards - 1)
        self.max_observation = 3 * cards
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("num_rounds", np.int8),  # prizes that were bid for
                ("prizes", np.int8, (cards,)),  # in the order in which they were turned up, then zeros
                ("bids", np.int8, (2, cards)),  # of each player: the card bid in each round, then zeros
            ]
        )

    def setup(self, state: Record) -> None:
        state.num_rounds = 0
        state.prizes[:] = 0
        state.bids[:] = 0
        self.begin_round(state)

    def begin_round(self, state: Record) -> None:
        """Turn up a prize. Nothing is left to choose in the last round."""
        number = state.num_rounds
        if number == self.cards - 1:
            state.prizes[number] = self.left_over(state.prizes)
            for player in range(2):
                state.bids[player, number] = self.left_over(state.bids[player])
            state.num_rounds += 1
            state.player = 0
        elif self.uses_chance:
            state.player = CHANCE
        else:
            state.prizes[number] = self.first + self.step * number
            state.player = 0

    def left_over(self, played: Moves) -> int:
        """The only card that is not among the others."""
        return int(self.total - played.sum())

    def is_left(self, played: Moves, card: int) -> bool:
        for number in range(self.cards):
            if played[number] == card:
                return False
        return True

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        count = self.write_left(state.prizes, out)
        probs[:count] = 1 / count
        return count

    def moves(self, state: Record, out: Moves) -> int:
        return 0 if state.num_rounds == self.cards else self.write_left(state.bids[state.player], out)

    def write_left(self, played: Moves, out: Moves) -> int:
        """Write the cards, less 1, that are not among those played."""
        count = 0
        for card in range(1, self.cards + 1):
            if self.is_left(played, card):
                out[count] = card - 1
                count += 1
        return count

    def play(self, state: Record, move: int) -> None:
        number = state.num_rounds
        if state.player == CHANCE:
            state.prizes[number] = move + 1
            state.player = 0
            return
        state.bids[state.player, number] = move + 1
        if state.player == 0:
            state.player = 1
        else:
            state.num_rounds += 1
            self.begin_round(state)

    def result(self, state: Record, number: int) -> int:
        """Of a round that was played: 1 if player 0 won it, -1 if player 1 did, 0 for equal bids."""
        margin = state.bids[0, number] - state.bids[1, number]
        return 1 if margin > 0 else -1 if margin < 0 else 0

    def lead(self, state: Record) -> int:
        """Player 0's points less player 1's."""
        lead = 0
        for number in range(state.num_rounds):
            lead += self.result(state, number) * state.prizes[number]
        return lead

    def returns(self, state: Record, out: Values) -> None:
        lead = self.lead(state)
        if self.pays_points:
            out[0] = lead / self.total
        else:
            out[0] = 1 if lead > 0 else -1 if lead < 0 else 0
        out[1] = -out[0]

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player knows the prizes, their own bids and who won each prize: three numbers a round."""
        count = 0
        for number in range(state.num_rounds):
            out[count] = state.prizes[number]
            out[count + 1] = state.bids[player, number]
            out[count + 2] = self.result(state, number)
            count += 3
        current = state.num_rounds
        if current < self.cards and state.prizes[current]:
            out[count] = state.prizes[current]
            count += 1
            if state.bids[player, current]:
                out[count] = state.bids[player, current]
                count += 1
        return count

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Share out the other's cards from the highest down: each goes to a round that the other won or lost, or to the
        hand. The place is random, as long as the cards below can fill the rest."""
        other, rounds = 1 - observer, int(state.num_rounds)
        sign = 1 if other == 0 else -1
        filled = np.zeros(self.cards, np.int64)  # the card of each round, then the cards in the hand
        results = np.zeros(self.cards, np.int64)  # 1 where the other won
        for number in range(rounds):
            results[number] = sign * self.result(state, number)
            if results[number] == 0:
                filled[number] = state.bids[observer, number]
        places = np.arange(self.cards)
        for card in range(self.cards, 0, -1):
            if self.is_left(filled, card):
                shuffle(places, self.cards, rng)
                self.put(card, filled, results, state.bids[observer], places)
        for number in range(rounds):
            state.bids[other, number] = filled[number]
        if state.bids[other, rounds]:  # this bid is hidden too
            state.bids[other, rounds] = filled[rounds]

    def put(self, card: int, filled: Moves, results: Moves, mine: Moves, places: Moves) -> None:
        """Put a card into the first of the places where it may be and leaves the others possible."""
        for place in places:
            margin = card - mine[place]
            if filled[place] == 0 and (results[place] == 0 or results[place] * margin > 0):
                filled[place] = card
                if self.can_fill(card - 1, filled, results, mine):
                    return
                filled[place] = 0

    def can_fill(self, highest: int, filled: Moves, results: Moves, mine: Moves) -> bool:
        """Whether the cards up to the highest can fill the open rounds. For every card x there must be enough cards
        from x up for the rounds that need one of them, and enough cards up to x for those that need one of those (by
        Hall's theorem)."""
        above = below_or_equal = 0  # cards that are left: from x up, and up to x
        for card in range(1, highest + 1):
            above += self.is_left(filled, card)
        for card in range(1, highest + 2):
            need_above = need_below = 0
            here = int(card <= highest and self.is_left(filled, card))
            below_or_equal += here
            for number in range(self.cards):
                if filled[number] == 0:
                    need_above += results[number] > 0 and mine[number] + 1 >= card
                    need_below += results[number] < 0 and mine[number] - 1 <= card
            if need_above > above or need_below > below_or_equal:
                return False
            above -= here
        return True

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return str(move + 1)

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Everybody sees the prizes, and nobody the other's bids."""
        return self.format_move(state, move) if state.player == CHANCE else HIDDEN

    def format_known(self, state: Record, player: int) -> str:
        """The player's results of the rounds: `+` won, `=` equal bids, `-` lost."""
        signs = [self.result(state, number) * (1 if player == 0 else -1) for number in range(state.num_rounds)]
        return f"({' '.join(RESULTS[sign] for sign in signs)})" if signs else ""

    def format_position(self, state: Record) -> str:
        """The prizes and the bids of both players, in the order of the rounds: `4,3 2,4 4`; `-` for none."""
        return " ".join(",".join(str(card) for card in row if card) or "-" for row in (state.prizes, *state.bids))

    def parse_position(self, state: Record, text: str) -> None:
        words = text.split()
        rows = [[] if word == "-" else word.split(",") for word in words]
        if len(rows) != 3 or not all(card.isdecimal() and len(card) <= 2 for row in rows for card in row):
            raise ValueError(say("goofspiel.position"))
        prizes, *bids = ([int(card) - 1 for card in row] for row in rows)
        self.setup(state)
        out, probs = np.zeros(self.cards, np.int64), np.zeros(self.cards)
        while True:  # play the rounds again
            is_chance, number = state.player == CHANCE, int(state.num_rounds)
            listed = prizes if is_chance else bids[state.player]
            legal = out[: self.chance(state, out, probs) if is_chance else self.moves(state, out)].tolist()
            if number >= len(listed) or number == self.cards:
                break
            if listed[number] not in legal:
                raise ValueError(say("goofspiel.cards", cards=self.cards))
            self.play(state, listed[number])
        if self.format_position(state) != " ".join(words):
            raise ValueError(say("goofspiel.rounds"))

    def view(self, state: Record, observer: int) -> CardTable:
        hands = []
        for player in (0, 1):
            hands.append(Hand(say("cards.of-player", player=player + 1), self._hand(state, player, observer), player))
            hands.append(Hand(say("goofspiel.bids"), self._bids(state, player, observer), player))
        prizes = tuple(self._card(card) for card in state.prizes.tolist() if card)
        results = [self.result(state, number) for number in range(state.num_rounds)]
        first, second = (
            sum(int(prize) for prize, result in zip(state.prizes, results, strict=False) if result == sign)
            for sign in (1, -1)
        )
        notes = (
            say("goofspiel.winners", winners=" ".join("=12"[result] for result in results) or "-"),
            say("goofspiel.points", first=first, second=second),
        )
        return CardTable((Hand(say("goofspiel.prizes"), prizes), *hands), notes)

    def _hand(self, state: Record, player: int, observer: int) -> tuple[Card, ...]:
        left = [card for card in range(1, self.cards + 1) if self.is_left(state.bids[player], card)]
        if observer not in (player, REFEREE):
            return (FACE_DOWN,) * (self.cards - int(state.num_rounds))
        is_turn = state.player == player
        return tuple(self._card(card, str(card) if is_turn else "") for card in left)

    def _bids(self, state: Record, player: int, observer: int) -> tuple[Card, ...]:
        if observer not in (player, REFEREE):
            return (FACE_DOWN,) * int(state.num_rounds)
        return tuple(self._card(card) for card in state.bids[player].tolist() if card)

    def _card(self, card: int, move: str = "") -> Card:
        return Card(str(card), str(card), move=move)
