"""The course of a game in a room: its moves, who sits where, and who may see what.

In a game of hidden information a seat for a person belongs to one browser, its *holder*. The browser that begins the
game has the first such seat; the others are free until somebody takes them.
"""

from dataclasses import dataclass, replace
from typing import Any

from damier.core.position import Position
from damier.core.protocol import REFEREE
from damier.core.teams import payoffs_if_lost
from damier.web.permissions import HUMAN

Json = dict[str, Any]
Values = list[float] | None  # a player's evaluation of a position, by player number

OUTSIDE = -2
"""Somebody who has no seat in a game of hidden information."""


@dataclass(frozen=True, eq=False)
class Course:
    """The moves so far and the players. It is replaced as a whole."""

    positions: tuple[Position, ...]
    seats: tuple[str, ...]
    thoughts: tuple[Values, ...] = ()  # by ply
    resigned: int | None = None  # the seat
    holders: tuple[str, ...] = ()  # the visitor in each seat, or "", in a game of hidden information

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.position.is_over

    @property
    def returns(self) -> list[float] | None:
        """The payoffs; a player who resigned loses with their team, and the others share the win."""
        if self.resigned is None:
            return None if self.position.returns is None else list(self.position.returns)
        return list(payoffs_if_lost(self.position.game.teams, self.resigned))

    def after(self, following: Position, values: Values) -> "Course":
        missing = (None,) * (len(self.positions) - 1 - len(self.thoughts))
        return replace(self, positions=(*self.positions, following), thoughts=(*self.thoughts, *missing, values))

    def before(self, ply: int) -> "Course":
        """The course up to a ply, without a resignation."""
        return replace(self, positions=self.positions[: ply + 1], thoughts=self.thoughts[:ply], resigned=None)

    def fields(self) -> Json:
        """The record for the database."""
        return {
            "seats": list(self.seats),
            "holders": list(self.holders),
            "moves": list(self.position.history),
            "thoughts": list(self.thoughts),
            "returns": self.returns,
            "resigned": self.resigned,
        }

    # -- hidden information ----------------------------------------------------------------------------------

    @property
    def has_secrets(self) -> bool:
        """Whether people play a game of hidden information, finished or not."""
        return self.position.game.is_hidden and HUMAN in self.seats

    @property
    def is_secret(self) -> bool:
        """Whether somebody must not see everything now. Players among themselves are watched with open cards."""
        return self.has_secrets and not self.is_over

    def held(self, token: str) -> list[int]:
        """The seats of a visitor."""
        return [seat for seat, holder in enumerate(self.holders) if token and holder == token]

    @property
    def free(self) -> list[int]:
        """The seats that a visitor may take."""
        return [seat for seat, who in enumerate(zip(self.seats, self.holders, strict=True)) if who == (HUMAN, "")]

    def taken(self, seat: int, token: str) -> "Course":
        return replace(self, holders=(*self.holders[:seat], token, *self.holders[seat + 1 :]))

    def viewer(self, token: str) -> int:
        """Whose eyes a visitor has: REFEREE sees everything, OUTSIDE nothing. A visitor with several seats has those of
        the player to move, or else of whom moved last."""
        if not self.is_secret:
            return REFEREE
        held = self.held(token)
        movers = (position.player for position in reversed(self.positions))
        return next((mover for mover in movers if mover in held), held[0]) if held else OUTSIDE


def first_holders(position: Position, seats: list[str], token: str) -> list[str]:
    """The holders at the beginning: the first seat for a person belongs to the visitor who begins."""
    first = seats.index(HUMAN) if position.game.is_hidden and HUMAN in seats else -1
    return [token if seat == first else "" for seat in range(len(seats))]
