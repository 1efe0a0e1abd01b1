"""Liar's Dice for two: roll in secret, and raise the bid until somebody calls the other a liar. OpenSpiel's rules.

Each player rolls the dice under a cup. Player 0 begins. A bid `2-5` says that both players together have at least two
dice that show 5. The highest face is wild: it counts as every face. A bid must be higher than the one before: more
dice, or as many dice of a higher face. Instead of a bid a player may say `liar`. Then all dice are shown. The last
bidder wins if the bid is true, and else the other.

Moves: bids are numbered by quantity and then by face, and `liar` comes after them. With one die of three sides each:

    0 1-1    1 1-2    2 1-3    3 2-1    4 2-2    5 2-3    6 liar

Outcomes of chance: the number of the hand, a sorted row of faces, in the order of these rows: with two dice of three
sides 0 is 11, 1 is 12, 2 is 13, 3 is 22, 4 is 23, 5 is 33. Chance rolls for player 0 first.
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Record, Rng, Values
from damier.core.rng import below
from damier.core.view import FACE_DOWN, Card, CardTable, Hand

MOST_DICE, MOST_SIDES = 5, 9


class LiarsDice:
    """Liar's Dice for two: bid on hidden dice, or call the other a liar."""

    version = 1
    num_players = 2

    def __init__(self, dice: int = 1, sides: int = 6) -> None:
        if not 1 <= dice <= MOST_DICE:
            raise ValueError(say("number.between", what="dice", least=1, most=MOST_DICE, got=dice))
        if not 2 <= sides <= MOST_SIDES:
            raise ValueError(say("number.between", what="sides", least=2, most=MOST_SIDES, got=sides))
        self.dice, self.sides = dice, sides
        self.num_bids = self.liar = 2 * dice * sides
        rows = list(combinations_with_replacement(range(1, sides + 1), dice))
        self.hands = np.array(rows, np.int8)  # [hand, die]
        ways = [factorial(dice) // prod(factorial(row.count(face)) for face in set(row)) for row in rows]
        self.chances = np.array(ways) / sides**dice
        self.max_moves = max(self.num_bids + 1, len(rows))
        self.max_length = 2 + self.num_bids + 1
        self.max_observation = dice + self.num_bids
        self.State = np.dtype(
            [
                ("player", np.int8),
                ("is_called", np.int8),  # whether somebody said `liar`
                ("last", np.int8),  # the highest bid, or -1
                ("faces", np.int8, (2, dice)),  # of each player's dice, sorted; 0 before the roll
                ("bids", np.int8, (self.num_bids,)),  # for each bid whether it was made
            ]
        )

    def setup(self, state: Record) -> None:
        state.player = CHANCE
        state.is_called = 0
        state.last = -1
        state.faces[:] = 0
        state.bids[:] = 0

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        count = self.chances.size
        for hand in range(count):
            out[hand] = hand
            probs[hand] = self.chances[hand]
        return count

    def moves(self, state: Record, out: Moves) -> int:
        if state.is_called:
            return 0
        count = 0
        for bid in range(state.last + 1, self.num_bids):
            out[count] = bid
            count += 1
        if state.last >= 0:
            out[count] = self.liar
            count += 1
        return count

    def play(self, state: Record, move: int) -> None:
        if state.player == CHANCE:
            roller = 0 if state.faces[0, 0] == 0 else 1
            for die in range(self.dice):
                state.faces[roller, die] = self.hands[move, die]
            state.player = CHANCE if roller == 0 else 0
            return
        if move == self.liar:
            state.is_called = 1
        else:
            state.last = move
            state.bids[move] = 1
        state.player = 1 - state.player

    def returns(self, state: Record, out: Values) -> None:
        """After `liar` the player who would move next made the last bid."""
        bidder = state.player
        out[bidder] = 1 if self.is_true(state, state.last) else -1
        out[1 - bidder] = -out[bidder]

    def is_true(self, state: Record, bid: int) -> bool:
        """Whether there are as many dice as a bid says; the highest face is wild."""
        quantity, face = 1 + bid // self.sides, 1 + bid % self.sides
        count = 0
        for player in range(2):
            for die in range(self.dice):
                shown = state.faces[player, die]
                count += shown in (face, self.sides)
        return bool(count >= quantity)

    # -- hidden information ----------------------------------------------------------------------------------

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """A player knows their dice and all bids, which rise."""
        for die in range(self.dice):
            out[die] = state.faces[player, die]
        count = self.dice
        for bid in range(state.last + 1):
            if state.bids[bid]:
                out[count] = bid
                count += 1
        return count

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """The other rolls again; each die is put into its place among those before."""
        other = 1 - observer
        if state.faces[other, 0] == 0:
            return
        for die in range(self.dice):
            face, place = 1 + below(rng, self.sides), die
            while place > 0 and state.faces[other, place - 1] > face:
                state.faces[other, place] = state.faces[other, place - 1]
                place -= 1
            state.faces[other, place] = face

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return self._row(self.hands[move]) if state.player == CHANCE else self._bid(move)

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Everybody hears the bids, and sees only their own dice."""
        roller = 0 if state.faces[0, 0] == 0 else 1
        return HIDDEN if state.player == CHANCE and roller != observer else self.format_move(state, move)

    def format_position(self, state: Record) -> str:
        """The dice of both players and the bids: `25 13 1-3,2-1`; `--` for dice that are not rolled yet."""
        return " ".join([*map(self._row, state.faces), ",".join(self._words(state))]).strip()

    def parse_position(self, state: Record, text: str) -> None:
        rows = {self._row(hand): number for number, hand in enumerate(self.hands)}
        words = text.split()
        blank = "-" * self.dice
        if not 2 <= len(words) <= 3 or set(words[:2]) - {*rows, blank}:
            raise ValueError(say("liarsdice.position", dice=self.dice, sides=self.sides))
        if (words[0] == blank and words[1] != blank) or (words[1] == blank and len(words) > 2):
            raise ValueError(say("liarsdice.order"))
        self.setup(state)
        for word in words[:2]:
            if word != blank:
                self.play(state, rows[word])
        numbers = {self._bid(bid): bid for bid in range(self.num_bids + 1)}
        for word in words[2].split(",") if len(words) > 2 else []:
            out = np.zeros(self.max_moves, np.int64)
            legal = out[: self.moves(state, out)].tolist()
            if numbers.get(word) not in legal:
                raise ValueError(say("liarsdice.bids"))
            self.play(state, numbers[word])

    def view(self, state: Record, observer: int) -> CardTable:
        hands = [
            Hand(say("cards.of-player", player=player + 1), self._dice(state, player, observer), player)
            for player in (0, 1)
        ]
        return CardTable(tuple(hands), (say("cards.bids", bids=" ".join(self._words(state)) or "-"),))

    def _dice(self, state: Record, player: int, observer: int) -> tuple[Card, ...]:
        faces = [int(face) for face in state.faces[player] if face]
        if observer not in (player, REFEREE):
            return (FACE_DOWN,) * self.dice
        return tuple(Card(str(face), str(face)) for face in faces)

    def _row(self, faces: Record) -> str:
        return "".join(str(face) if face else "-" for face in faces)

    def _bid(self, bid: int) -> str:
        return "liar" if bid == self.liar else f"{1 + bid // self.sides}-{1 + bid % self.sides}"

    def _words(self, state: Record) -> list[str]:
        """The bids so far, and `liar` at the end."""
        made = [self._bid(int(bid)) for bid in np.flatnonzero(state.bids)]
        return [*made, self._bid(self.liar)] if state.is_called else made
