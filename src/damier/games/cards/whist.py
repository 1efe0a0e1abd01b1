"""Whist: tricks with a trump suit. Each variant is a module: `knockout` and `german`."""

from typing import ClassVar

from damier.core.messages import say
from damier.games.cards.tricks import Tricks

MOST_CARDS = 7  # in the first deal of knockout whist


class Whist(Tricks):
    """Whist: tricks with a trump suit; knockout whist for two to four players, German whist for two."""

    version = 1
    choices: ClassVar = {"variant": ("knockout", "german")}
    max_moves = 52

    def __new__(cls, variant: str = "knockout", players: int = 2, cards: int = MOST_CARDS) -> "Whist":
        """The rules of the variant."""
        from damier.games.cards.german import GermanWhist
        from damier.games.cards.knockout import KnockoutWhist

        variants: dict[str, type[Whist]] = {"knockout": KnockoutWhist, "german": GermanWhist}
        if variant not in variants:
            raise ValueError(say("whist.variant", got=variant))
        return super().__new__(variants[variant])
