"""How games with tricks show themselves: notation, tables of cards, positions as text.

A position's text is the hands as they were dealt, and then the moves. Reading it plays them.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.protocol import CHANCE, REFEREE, Record
from damier.core.view import FACE_DOWN, Card, CardTable, Hand
from damier.games.cards.pack import SUIT_NAMES, Pack, cards_in, suit_name


class CardsForPeople:
    """The part of a game with tricks that is never compiled."""

    _pack: Pack
    num_players: int
    hands_prefix = ""  # before the hands of a position's text
    words_before = 0  # how many moves may be written before the hands

    # -- moves -----------------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return self._pack.name(move) if move < self._pack.size else self._word(state, move)

    def _word(self, state: Record, move: int) -> str:
        """The notation of a move that is no card. Here: the suits."""
        return SUIT_NAMES[move - self._pack.size]

    def parse_move(self, state: Record, text: str) -> int:
        """Also `TH` for 10H."""
        return self._pack.card(text)

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """Everybody sees what is played; a card that is dealt is seen by its owner only."""
        is_hidden = state.player == CHANCE and not self._is_seen_deal(state, observer)
        return HIDDEN if is_hidden else self.format_move(state, move)

    def _is_seen_deal(self, state: Record, observer: int) -> bool:
        """Whether the observer sees the outcome of chance here."""
        return bool(state.dealt % self.num_players == observer)

    def events(self, state: Record) -> list[int]:
        """The public moves so far."""
        rules: Any = self
        return [rules.event(state, number) for number in range(int(state.num_events))]

    # -- positions as text -----------------------------------------------------------------------------------

    def format_position(self, state: Record) -> str:
        again = np.zeros(1, state.dtype)[0]
        rules: Any = self
        rules.setup(again)
        hands = self._dealt(state)
        before = self._told(again, self._before_deal(state))
        self._prepare(again, hands)
        self._told(again, self._deal_moves(hands))
        after = self._told(again, self._after_deal(state))
        return " ".join([*before, self.hands_prefix + " ".join(map(self._pack.format_hand, hands)), *after])

    def _told(self, state: Record, moves: list[int]) -> list[str]:
        """The notations of moves, which are played."""
        words = []
        for move in moves:
            words.append(self.format_move(state, move))
            self._play_checked(state, move)
        return words

    def parse_position(self, state: Record, text: str) -> None:
        before, hands, after = self._parts(text)
        rules: Any = self
        rules.setup(state)
        for word in before:
            self._play_checked(state, self._read(state, word))
        self._prepare(state, hands)
        for move in self._deal_moves(hands):
            self._play_checked(state, move)
        for word in after:
            self._play_checked(state, self._read(state, word))

    def _parts(self, text: str) -> tuple[list[str], list[int], list[str]]:
        """The words before the hands, the hands as sets, and the words after them."""
        words = text.removeprefix(self.hands_prefix).split()
        first = next((number for number, word in enumerate(words) if "." in word), 0)
        last = first + self.num_players
        if len(words) < last or first > self.words_before:
            raise ValueError(say("cards.hands", count=self.num_players))
        hands = [self._pack.parse_hand(word) for word in words[first:last]]
        if len(set().union(*hands)) < sum(map(len, hands)):
            raise ValueError(say("cards.twice", got=" ".join(words[first:last])))
        return words[:first], [_mask(hand) for hand in hands], words[last:]

    def _before_deal(self, state: Record) -> list[int]:
        """The moves before the deal. Here: none."""
        return []

    def _prepare(self, state: Record, hands: list[int]) -> None:
        """Prepare the pack for these hands. Here: it is always the same."""

    def _dealt(self, state: Record) -> list[int]:
        """The hands as they were dealt. Here: what players hold and what they have played."""
        return [int(hand) | int(laid) for hand, laid in zip(state.hands, state.laid, strict=True)]

    def _after_deal(self, state: Record) -> list[int]:
        """All moves since then, those of chance included. Here: the story."""
        return self.events(state)

    def _deal_moves(self, hands: list[int]) -> list[int]:
        """The outcomes of chance that deal these hands, a card to each player in turn."""
        piles = [cards_in(hand) for hand in hands]
        most = max(map(len, piles), default=0)
        sizes = [len(pile) for pile in piles]
        if sorted(sizes, reverse=True) != sizes or most > min(sizes, default=0) + 1:
            raise ValueError(say("cards.uneven", sizes=sizes))
        return [pile[number] for number in range(most) for pile in piles if number < len(pile)]

    def _play_checked(self, state: Record, move: int) -> None:
        rules: Any = self
        if move not in self._legal_now(state):
            raise ValueError(say("cards.illegal", move=self.format_move(state, move)))
        rules.play(state, move)

    def _read(self, state: Record, word: str) -> int:
        """The move that a word of a position's text means."""
        for move in self._legal_now(state):
            name = self.format_move(state, move).lower()
            if word.lower() in (name, name.replace("10", "t")):
                return move
        raise ValueError(say("cards.illegal", move=word))

    def _legal_now(self, state: Record) -> list[int]:
        rules: Any = self
        out, probs = np.zeros(rules.max_moves, np.int64), np.zeros(rules.max_moves)
        count = rules.chance(state, out, probs) if state.player == CHANCE else rules.moves(state, out)
        return [int(move) for move in out[:count]]

    # -- tables ----------------------------------------------------------------------------------------------

    def view(self, state: Record, observer: int) -> CardTable:
        may_move = state.player != CHANCE and observer in (state.player, REFEREE)
        moves = self._legal_now(state) if may_move else []
        hands = [self._hand(state, player, observer, moves) for player in range(self.num_players)]
        return CardTable((*hands, *self._middle(state, observer, moves)), tuple(self._notes(state)))

    def _hand(self, state: Record, player: int, observer: int, moves: list[int]) -> Hand:
        """A player's cards: those that the observer knows, and the others face down."""
        rules: Any = self
        held = int(state.hands[player])
        seen = held if observer == REFEREE else int(rules.sure(state, observer, player))
        faces = self._faces(cards_in(seen), moves if player == int(state.turn) else [])
        down = (FACE_DOWN,) * (held & ~seen).bit_count()
        return Hand(self._title(player), (*faces, *down), player)

    def _faces(self, cards: Iterable[int], moves: list[int]) -> tuple[Card, ...]:
        return tuple(
            self._pack.face(card, self._pack.name(card) if card in moves else "") for card in self._pack.sorted(cards)
        )

    def _title(self, player: int) -> str:
        return say("cards.of-player", player=player + 1)

    def _middle(self, state: Record, observer: int, moves: list[int]) -> list[Hand]:
        """What lies on the table: the trick and the one before it, and bids that the observer may make."""
        plays = self._plays(state)
        begun = len(plays) - int(state.in_trick)
        hands = [Hand(say("cards.trick"), self._laid(plays[begun:]))]
        if begun > 0:  # everybody who is in has played at least once
            size = len({player for _, player in plays})
            hands.append(Hand(say("cards.last-trick"), self._laid(plays[begun - size : begun])))
        bids = [move for move in moves if move >= self._pack.size]
        if bids:
            hands.append(Hand(say("cards.bidding"), tuple(self._bid(state, move) for move in bids)))
        return hands

    def _plays(self, state: Record) -> list[tuple[int, int]]:
        """The cards played since they were dealt, in their order, and who played them. A card that was turned up
        before is in the story twice."""
        players = {card: player for player, laid in enumerate(state.laid) for card in cards_in(laid)}
        found = [(card, players.pop(card)) for card in reversed(self.events(state)) if card in players]
        return found[::-1]

    def _laid(self, plays: Iterable[tuple[int, int]]) -> tuple[Card, ...]:
        return tuple(self._pack.face(card, player=player) for card, player in plays)

    def _bid(self, state: Record, move: int) -> Card:
        name = self._bid_name(state, move)
        return Card(name, name, "", self.format_move(state, move))

    def _bid_name(self, state: Record, move: int) -> str:
        """A bid in the reader's language. Here: the suits."""
        return suit_name(move - self._pack.size)

    def _notes(self, state: Record) -> list[str]:
        """Trump, and the tricks that each has won."""
        notes = [] if state.trump < 0 else [say("cards.trump", suit=suit_name(state.trump))]
        return [*notes, say("cards.tricks", tricks=" ".join(map(str, state.tricks.tolist())))]


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)
