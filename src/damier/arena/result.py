"""The statistics of the games: scores, intervals, ratings. All of them are computed from the records."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from damier.arena.plan import Plan
from damier.arena.rating import Ratings, fit
from damier.arena.sprt import Sprt
from damier.arena.statistics import Interval, wilson
from damier.core.messages import Message, say
from damier.store.record import GameRecord

MOSTLY = 0.9  # in a small game a few games may be equal by chance


@dataclass(frozen=True)
class Score:
    """Points out of the number that was possible."""

    points: float
    out_of: float

    @property
    def score(self) -> float | None:
        return self.points / self.out_of if self.out_of else None

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval."""
        return wilson(self.points, self.out_of)

    @property
    def percent(self) -> str:
        return "-" if self.score is None else f"{self.score:.1%}"

    @property
    def interval_text(self) -> str:
        low, high = self.interval
        return f"{100 * low:.1f} - {high:.1%}"

    def as_json(self) -> dict[str, Any]:
        return {"points": self.points, "out_of": self.out_of, "score": self.score, "interval": self.interval}


@dataclass(frozen=True)
class Standing:
    """The results of one player against all others together."""

    player: str
    games: int
    wins: int  # games won alone
    draws: int  # games in which the point was shared
    losses: int
    forfeits: int  # losses by failing: an error, an illegal move, too long a search
    total: Score
    per_seat: tuple[Score, ...]
    elo: float
    elo_interval: Interval
    seconds: float  # thinking time for a game

    @property
    def elo_text(self) -> Message:
        """The interval of the rating."""
        return say("remark.elo-interval", low=self.elo_interval[0], high=self.elo_interval[1])

    def as_json(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if name not in ("total", "per_seat")}
        return own | {"total": self.total.as_json(), "per_seat": [seat.as_json() for seat in self.per_seat]}


@dataclass(frozen=True)
class Tournament:
    """The outcome of a tournament. The winners of a game share one point."""

    plan: Plan
    records: tuple[GameRecord, ...]
    sprt: Sprt | None = None

    @property
    def players(self) -> tuple[str, ...]:
        return self.plan.players

    @property
    def games(self) -> int:
        return len(self.records)

    @property
    def draws(self) -> int:
        return sum(record.is_draw for record in self.records)

    @property
    def forfeits(self) -> tuple[GameRecord, ...]:
        """The games that ended because the player to move failed."""
        return tuple(record for record in self.records if record.forfeit is not None)

    @property
    def distinct(self) -> int:
        """The number of different games: two identical games say no more than one."""
        return len({(record.seating, record.moves) for record in self.records})

    @property
    def seats(self) -> tuple[Score, ...]:
        """The points of each seat or team, all players together: the advantage of moving first."""
        by_seat = zip(*(record.points for record in self.counted), strict=True)
        return tuple(Score(float(sum(points)), self.games) for points in by_seat)

    @cached_property
    def ratings(self) -> Ratings | None:
        return fit(self.counted, len(self.players))

    @cached_property
    def counted(self) -> tuple[GameRecord, ...]:
        """The games as they are counted: a team is one seat."""
        return tuple(record.by_side(self.plan.sides) for record in self.records)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The players in the order in which they were named."""
        return tuple(self._standing(player) for player in range(len(self.players)))

    @cached_property
    def ranking(self) -> tuple[Standing, ...]:
        """The best first."""
        return tuple(sorted(self.standings, key=lambda standing: standing.elo, reverse=True))

    @property
    def remarks(self) -> list[Message]:
        """Warnings to read before trusting the tables, each a sentence or two."""
        remarks = [say("remark.seats", shares=[seat.percent for seat in self.seats], draws=self.draws)]
        if self.ratings and self.ratings.has_prior:
            remarks.append(say("remark.prior"))
        if self.distinct < MOSTLY * self.games and not self.plan.game.uses_chance:  # dice make games independent
            remarks.append(say("remark.few-different", distinct=self.distinct, games=self.games))
        if self.forfeits:
            first = self.forfeits[0]
            count, number = len(self.forfeits), first.number + 1
            remarks.append(say("remark.forfeits", count=count, number=number, why=first.forfeit))
        return remarks

    def pair(self, first: int, second: int) -> Score:
        """The first player's share of the points that the two won, in games with both."""
        both = [record for record in self.records if first in record.seating and second in record.seating]
        points = float(sum(record.points_of(first) for record in both))
        return Score(points, points + float(sum(record.points_of(second) for record in both)))

    def _standing(self, player: int) -> Standing:
        own = [record for record in self.counted if player in record.seating]
        results = Counter(float(record.points_of(player)) for record in own)
        seats = range(len(self.plan.sides))
        ratings = self.ratings
        thinking = [
            spent
            for record in own
            for seated, spent in zip(record.seating, record.seconds, strict=True)
            if seated == player
        ]
        return Standing(
            player=self.players[player],
            games=len(own),
            wins=results[1],
            draws=len(own) - results[1] - results[0],
            losses=results[0],
            forfeits=sum(record.forfeited_by == player for record in own),
            total=Score(float(sum(record.points_of(player) for record in own)), len(own)),
            per_seat=tuple(self._at_seat(own, player, seat) for seat in seats),
            elo=ratings.elo[player] if ratings else 0.0,
            elo_interval=ratings.intervals[player] if ratings else (0.0, 0.0),
            seconds=sum(thinking) / max(1, len(own)),
        )

    @staticmethod
    def _at_seat(records: list[GameRecord], player: int, seat: int) -> Score:
        there = [record for record in records if record.seating[seat] == player]
        return Score(float(sum(record.points[seat] for record in there)), len(there))

    def as_json(self) -> dict[str, Any]:
        numbers = range(len(self.players))
        return {
            "game": self.plan.game.name,
            "players": list(self.players),
            "games": self.games,
            "planned": self.plan.num_games,
            "seed": self.plan.seed,
            "openings": self.plan.openings,
            "draws": self.draws,
            "distinct": self.distinct,
            "forfeits": [
                {"game": record.number, "player": self.players[record.forfeited_by or 0], "reason": record.forfeit}
                for record in self.forfeits
            ],
            "standings": [standing.as_json() for standing in self.ranking],
            "pairs": [
                {"first": self.players[i], "second": self.players[j]} | self.pair(i, j).as_json()
                for i in numbers
                for j in numbers
                if i < j
            ],
            "seats": [seat.as_json() for seat in self.seats],
            "rated_with_prior": bool(self.ratings and self.ratings.has_prior),
        }


@dataclass(frozen=True)
class Match(Tournament):
    """The outcome of a match, from the first player's side."""

    @property
    def score(self) -> float:
        return self.standings[0].total.score or 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the score."""
        return self.standings[0].total.interval

    @property
    def wins(self) -> int:
        return self.standings[0].wins

    @property
    def losses(self) -> int:
        return self.standings[0].losses

    @property
    def per_seat(self) -> tuple[Score, ...]:
        """The first player's score in each seat."""
        return self.standings[0].per_seat

    @property
    def elo(self) -> float:
        """How much stronger the first player is."""
        return self.ratings.difference(0, 1)[0] if self.ratings else 0.0

    @property
    def elo_interval(self) -> Interval:
        return self.ratings.difference(0, 1)[1] if self.ratings else (-math.inf, math.inf)

    @property
    def round_scores(self) -> list[float]:
        """The first player's score in each round, up to the first round that is not complete."""
        by_number = {record.number: record for record in self.records}
        scores = (round_score(self.plan, by_number, number) for number in range(self.plan.num_rounds))
        return [score for score in itertools.takewhile(lambda score: score is not None, scores) if score is not None]

    @property
    def verdict(self) -> str | None:
        """The hypothesis that the sequential test accepts: `elo0`, `elo1`, or None so far."""
        return self.sprt.verdict(self.round_scores) if self.sprt else None

    @property
    def remarks(self) -> list[Message]:
        return [*super().remarks, *([self._tell_verdict(self.sprt)] if self.sprt else [])]

    def _tell_verdict(self, sprt: Sprt) -> Message:
        low, high = sprt.bounds
        facts = {"games": self.games, "ratio": sprt.llr(self.round_scores), "low": low, "high": high}
        if self.verdict is None:
            return say("remark.undecided", **facts)
        return say("remark.decided", **facts, elo=sprt.elo0 if self.verdict == "elo0" else sprt.elo1)

    def as_json(self) -> dict[str, Any]:
        document = super().as_json() | {
            "score": self.score,
            "interval": self.interval,
            "wins": self.wins,
            "losses": self.losses,
            "elo": self.elo,
            "elo_interval": self.elo_interval,
            "per_seat": [seat.as_json() for seat in self.per_seat],
        }
        if self.sprt:
            low, high = self.sprt.bounds
            llr = self.sprt.llr(self.round_scores)
            document["sprt"] = vars(self.sprt) | {"llr": llr, "bounds": [low, high], "accepted": self.verdict}
        return document

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<Match {self.players[0]} - {self.players[1]}, {self.games} games: "
            f"{self.score:.1%} ({low:.1%} to {high:.1%})>"
        )


def round_score(plan: Plan, records: Mapping[int, GameRecord], number: int) -> float | None:
    """The first player's score in a round; None while a game of it is missing."""
    games = [records.get(game) for game in range(number * plan.round_size, (number + 1) * plan.round_size)]
    points = [float(game.points_of(0)) for game in games if game is not None]
    return sum(points) / len(points) if len(points) == len(games) else None
