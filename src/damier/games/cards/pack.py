"""Packs of cards for people: names of cards and hands as text.

A card is suit * ranks + rank. The suits are clubs, diamonds, hearts, spades; the ranks are in the order of a plain
suit, the lowest first. A set of cards is a 64-bit word with one bit for each card.
"""

from collections.abc import Iterable

from damier.core.messages import say
from damier.core.view import EMPTY, Card

SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
FULL = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PIQUET = ("7", "8", "9", "J", "Q", "K", "10", "A")  # the 32 cards as belote ranks them

_LETTERS = {"10": "T"}  # in a hand each rank is one character


class Pack:
    """The names of the cards of a pack."""

    def __init__(self, ranks: tuple[str, ...]) -> None:
        self.ranks = ranks
        self.size = 4 * len(ranks)

    def name(self, card: int) -> str:
        """The notation of a card: `KS`, `10H`."""
        suit, rank = divmod(int(card), len(self.ranks))
        return self.ranks[rank] + SUITS[suit]

    def card(self, name: str) -> int:
        """The card with this name; ValueError if there is none."""
        text = name.strip().upper()
        rank = {"T": "10"}.get(text[:-1], text[:-1])
        if text[-1:] not in SUITS or not text or rank not in self.ranks:
            raise ValueError(say("cards.no-card", got=name))
        return SUITS.index(text[-1]) * len(self.ranks) + self.ranks.index(rank)

    def face(self, card: int, move: str = "", player: int = EMPTY) -> Card:
        """A card as a table shows it."""
        suit, rank = divmod(int(card), len(self.ranks))
        colour = "red" if suit in (1, 2) else "black"
        return Card(self.ranks[rank] + SYMBOLS[suit], self.name(card), colour, move, player)

    def format_hand(self, cards: int) -> str:
        """A hand as in PBN: spades, hearts, diamonds, clubs with dots between them, `AK2.T9..QJ`."""
        listed = self.sorted(cards_in(cards))
        suits: list[list[str]] = [[], [], [], []]
        for card in listed:
            suit, rank = divmod(card, len(self.ranks))
            suits[suit].append(_LETTERS.get(self.ranks[rank], self.ranks[rank]))
        return ".".join("".join(suit) for suit in reversed(suits))

    def parse_hand(self, text: str) -> list[int]:
        """The cards of a hand; ValueError if it is none."""
        suits = text.split(".")
        if len(suits) != 4:
            raise ValueError(say("cards.hand", got=text))
        cards = [self.card(rank + suit) for suit, ranks in zip("SHDC", suits, strict=True) for rank in ranks]
        if len(set(cards)) < len(cards):
            raise ValueError(say("cards.twice", got=text))
        return cards

    def sorted(self, cards: Iterable[int]) -> list[int]:
        """The cards in the order in which a person holds them: suit by suit, the highest first."""
        return sorted(cards, reverse=True)


def cards_in(cards: int) -> list[int]:
    """The cards of a set, the lowest first."""
    return [card for card in range(64) if int(cards) >> card & 1]


def suit_name(suit: int) -> str:
    """The name of a suit in the reader's language."""
    return say(("cards.clubs", "cards.diamonds", "cards.hearts", "cards.spades")[int(suit)])


PACK_52, PACK_32 = Pack(FULL), Pack(PIQUET)
