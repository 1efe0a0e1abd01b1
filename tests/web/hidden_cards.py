"""A small game whose cards have unmistakable texts, to look for in all that a server sends.

Three players get two of seven cards each. At their turn they may look at the card that is left, which nobody notices,
and then put one of their cards on the table, face down. In a second round they open the other one. The highest card
face down wins.

Moves: 0 and 1 put the first or second card down, LOOK looks, OPEN opens. Outcomes of chance: the card dealt.
"""

from typing import Any

import numpy as np

from damier import CHANCE, FACE_DOWN, REFEREE, Card, CardTable, Hand, below
from damier.core.protocol import Moves, Observation, Rng, Values

CARDS = ("s7193", "s2846", "s5527", "s9381", "s4460", "s6615", "s3072")
PLAYERS, LOOK, OPEN, NONE = 3, 2, 3, -1


class HiddenCards:
    """Two of seven cards for each of three players; one is put down unseen."""

    version = 1
    num_players = PLAYERS
    max_moves = 7
    max_length = 16
    max_observation = 10
    State = np.dtype(
        [
            ("player", np.int8),
            ("dealt", np.int8),
            ("cards", np.int8, (7,)),  # two of each player, and the one that is left
            ("looked", np.int8, (PLAYERS,)),
            ("down", np.int8, (PLAYERS,)),  # which of the two lies face down
            ("opened", np.int8),  # how many opened their other card
        ]
    )

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.cards[:] = NONE
        state.down[:] = NONE
        state.looked[:] = 0
        state.dealt = state.opened = 0

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        count = 0
        for card in range(7):
            is_dealt = False
            for place in range(state.dealt):
                is_dealt = is_dealt or state.cards[place] == card
            if not is_dealt:
                out[count] = card
                count += 1
        probs[:count] = 1 / count
        return count

    def moves(self, state: Any, out: Moves) -> int:
        if state.opened == PLAYERS:
            return 0
        if state.down[state.player] != NONE:
            out[0] = OPEN
            return 1
        out[0], out[1], out[2] = 0, 1, LOOK
        return 2 if state.looked[state.player] else 3

    def play(self, state: Any, move: int) -> None:
        if state.player == CHANCE:
            state.cards[state.dealt] = move
            state.dealt += 1
            if state.dealt == 7:
                state.player = 0
        elif move == LOOK:
            state.looked[state.player] = 1
        else:
            if move == OPEN:
                state.opened += 1
            else:
                state.down[state.player] = move
            state.player = (state.player + 1) % PLAYERS

    def returns(self, state: Any, out: Values) -> None:
        best, winner = -1, 0
        for player in range(PLAYERS):
            card = state.cards[2 * player + state.down[player]]
            if card > best:
                best, winner = card, player
        out[:] = -1 / 2
        out[winner] = 1

    def observe(self, state: Any, player: int, out: Observation) -> int:
        out[0] = state.cards[2 * player]
        out[1] = state.cards[2 * player + 1]
        out[2] = state.down[player]
        out[3] = state.cards[6] if state.looked[player] else NONE
        out[4] = state.looked[player]
        out[5] = state.opened
        for number in range(state.opened):
            out[6 + number] = state.cards[2 * number + 1 - state.down[number]]
        return 6 + int(state.opened)

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        """Deal the cards that the observer has not seen, and forget who looked."""
        if state.player == CHANCE:
            self._deal(state, observer, state.dealt, rng)
            return
        for player in range(PLAYERS):
            had_turn = state.down[player] != NONE or state.player == player
            if player != observer and had_turn:
                state.looked[player] = below(rng, 2)
                if state.down[player] != NONE:
                    down = below(rng, 2)
                    if player < state.opened:  # the open card stays where it is
                        open_card = state.cards[2 * player + 1 - state.down[player]]
                        state.cards[2 * player + down] = NONE
                        state.cards[2 * player + 1 - down] = open_card
                    state.down[player] = down
        self._deal(state, observer, 7, rng)

    def _deal(self, state: Any, observer: int, count: int, rng: Rng) -> None:
        free = 0
        kept = np.zeros(7, np.int8)
        for place in range(count):
            owner = place // 2
            is_open = owner < state.opened and place < 6 and place % 2 == 1 - state.down[owner]
            kept[place] = owner == observer or is_open or (place == 6 and state.looked[observer] == 1)
        pack = np.zeros(7, np.int8)
        for card in range(7):
            is_kept = False
            for place in range(count):
                is_kept = is_kept or (kept[place] == 1 and state.cards[place] == card)
            if not is_kept:
                pack[free] = card
                free += 1
        for place in range(count):
            if kept[place] == 0:
                drawn = below(rng, free)
                state.cards[place] = pack[drawn]
                free -= 1
                pack[drawn] = pack[free]

    # -- for people --------------------------------------------------------------------------------------------

    def format_move(self, state: Any, move: int) -> str:
        if state.player == CHANCE:
            return CARDS[move]
        if move == LOOK:
            return "look"
        if move == OPEN:
            return f"open-{self._text(state, state.player, 1 - state.down[state.player])}"
        return f"down-{self._text(state, state.player, move)}"

    def format_seen(self, state: Any, move: int, observer: int) -> str:
        """Everybody sees opened cards, and their own when they are dealt."""
        if state.player == CHANCE:
            return CARDS[move] if state.dealt // 2 == observer else "?"
        return self.format_move(state, move) if move == OPEN else "?"

    def view(self, state: Any, observer: int) -> CardTable:
        hands = [Hand(f"Hand {player}", self._hand(state, player, observer), player) for player in range(PLAYERS)]
        is_seen = state.dealt == 7 and (observer == REFEREE or state.looked[observer])
        left = (Card(CARDS[state.cards[6]], CARDS[state.cards[6]]),) if is_seen else (FACE_DOWN,)
        return CardTable((*hands, Hand("Left", left)))

    def _hand(self, state: Any, player: int, observer: int) -> tuple[Card, ...]:
        cards = []
        for number in range(2):
            text = self._text(state, player, number)
            is_open = player < state.opened and state.down[player] != number
            if not (is_open or observer in (player, REFEREE)):
                cards.append(FACE_DOWN)
            elif text:
                is_free = observer == player == state.player and state.down[player] == NONE
                cards.append(Card(text, text, move=f"down-{text}" if is_free else ""))
        if observer not in (player, REFEREE):
            cards.sort(key=lambda card: card.unicode, reverse=True)  # the place of an open card would tell the other's
        return tuple(cards)

    def _text(self, state: Any, player: int, number: int) -> str:
        card = state.cards[2 * player + number]
        return "" if card == NONE else CARDS[card]
