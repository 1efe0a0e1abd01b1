"""A person. The program that runs the game, the terminal or the web page, asks them for moves."""

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.search.player import Player
from damier.search.result import SearchResult


class Human(Player):
    """You, at the keyboard."""

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        raise DamierError("player.person")
