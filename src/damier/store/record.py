"""The record of a played game, with everything needed to replay it."""

from dataclasses import dataclass, replace
from fractions import Fraction

from damier.core.game import Game
from damier.core.position import Position


@dataclass(frozen=True)
class GameRecord:
    number: int  # in its plan
    seating: tuple[int, ...]  # for each seat, the number of the player
    opening: int  # how many of the moves were made before the players took over
    moves: tuple[int, ...]
    returns: tuple[float, ...]  # by seat
    seed: int
    seconds: tuple[float, ...]  # thinking time by seat
    forfeit: str | None = None  # why the game ended early: the player to move failed, and lost it

    def by_side(self, sides: tuple[tuple[int, ...], ...]) -> "GameRecord":
        """The same game with a single seat for each side, which consists of these seats."""
        if len(sides) == len(self.seating):
            return self
        return replace(
            self,
            seating=tuple(self.seating[seats[0]] for seats in sides),
            returns=tuple(self.returns[seats[0]] for seats in sides),
            seconds=tuple(sum(self.seconds[seat] for seat in seats) for seats in sides),
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest payoff; all of them, if it was a draw."""
        best = max(self.returns)
        return tuple(seat for seat, payoff in enumerate(self.returns) if payoff == best)

    @property
    def points(self) -> tuple[Fraction, ...]:
        """The points by seat: the winners of a game share one point."""
        share = Fraction(1, len(self.winners))
        return tuple(share if seat in self.winners else Fraction(0) for seat in range(len(self.returns)))

    def points_of(self, player: int) -> Fraction:
        """The points of a player over all of their seats."""
        own = (points for points, seated in zip(self.points, self.seating, strict=True) if seated == player)
        return sum(own, Fraction(0))

    @property
    def is_draw(self) -> bool:
        return len(self.winners) == len(self.returns)

    @property
    def forfeited_by(self) -> int | None:
        """The number of the player who forfeited the game."""
        return None if self.forfeit is None else self.seating[self.returns.index(min(self.returns))]

    def positions(self, game: Game) -> list[Position]:
        """Replay the game, from the first position to the last."""
        positions = [game.start()]
        for move in self.moves:
            positions.append(positions[-1].play(move))
        return positions
