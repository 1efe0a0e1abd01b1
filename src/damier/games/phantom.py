"""Phantom m,n,k games: k in a row on a board of rows x cols, and nobody sees the other's stones.

Phantom tic-tac-toe is the 3,3,3 game. The 4,4,4 game is one of the test games of Peter Cowling, Edward Powley and
Daniel Whitehouse, Information set Monte Carlo tree search, 2012. A try on an occupied square tells the player that it
is occupied. The rules of trying are those of `blind`, the rows those of `mnk`. Squares and moves are numbered row by
row from the top left:

     0 | 1 | 2
    ---+---+---
     3 | 4 | 5
    ---+---+---
     6 | 7 | 8
"""

from damier.core.protocol import Record
from damier.core.squares import Squares
from damier.games.blind import Blind
from damier.games.mnk import MNK


class Phantom(Blind, MNK):  # type: ignore[misc]  # the view of a hidden game takes the observer
    """Phantom m,n,k game: k in a row, and you do not see the other's stones; phantom tic-tac-toe."""

    version = 1

    def __init__(self, rows: int = 3, cols: int = 3, k: int = 3, rules: str = "classical") -> None:
        MNK.__init__(self, rows, cols, k)
        self.set_board(Squares(rows, cols), rules)

    def has_won(self, state: Record, square: int) -> bool:
        return self.makes_row(state, square)
