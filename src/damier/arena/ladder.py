"""A ladder: a player against a program with levels, from the weakest level upwards until it loses, at equal time.

Each level is a match. Before it, a few games are played only to measure how long the program thinks about a move at
this level; the player gets that time as its `seconds`. Clocks are compared, so at most one game for each core is played
at the same time, and by default only one.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from damier.arena.plan import Plan
from damier.arena.result import Match
from damier.arena.run import Conclusion, Watcher, run
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.core.spec import format_spec, split_spec
from damier.players.external.engines_file import FILE, LEVEL, EngineSettings, read_engine
from damier.players.external.program import ExternalPlayer
from damier.store.record import GameRecord
from damier.work.pool import num_cores

FIRST_SECONDS = 0.1  # for a move of the player, in the games that measure the first level
LEAST_SECONDS = 0.001
MEASURING = 5  # one measuring game for every five of the match
UNEVEN = 1.25  # times of a move that differ by this factor are not equal
EVEN = 0.5  # the score below which a level is lost
_DOUBTS = ("remark.few-different", "remark.forfeits")


@dataclass(frozen=True)
class Pace:
    """How many moves a player made, and how long it thought about them."""

    moves: int
    seconds: float  # in all

    @property
    def mean(self) -> float | None:
        return self.seconds / self.moves if self.moves else None


def pace(plan: Plan, records: Sequence[GameRecord], player: int) -> Pace:
    """Count a player's moves, without those of the openings, and its time. A search that fails counts as neither."""
    moves, seconds = 0, 0.0
    for record in records:
        before = record.positions(plan.game)[record.opening : -1]
        moves += sum(not pos.is_chance and record.seating[pos.player] == player for pos in before)
        seconds += sum(spent for seat, spent in zip(record.seating, record.seconds, strict=True) if seat == player)
    return Pace(moves, seconds)


@dataclass(frozen=True)
class Rung:
    """A level that was played."""

    level: str
    seconds: float  # given to the player for a move
    measured: Pace | None  # of the program, in the games before the match; None if the time was fixed
    match: Match  # the player is the first, the program the second

    @property
    def is_lost(self) -> bool:
        return self.match.score < EVEN

    @cached_property
    def paces(self) -> tuple[Pace, Pace]:
        """How long the player and the program really thought, in the match."""
        first, second = (pace(self.match.plan, self.match.records, player) for player in (0, 1))
        return first, second

    @property
    def remarks(self) -> list[Message]:
        """What makes the score doubtful: few different games, forfeits, and times that are not equal after all."""
        remarks = [remark for remark in self.match.remarks if remark.key in _DOUBTS]
        player, engine = (found.mean for found in self.paces)
        if self.measured and player and engine and not 1 / UNEVEN <= player / engine <= UNEVEN:
            remarks.append(say("remark.uneven", ratio=player / engine))
        return remarks

    def as_json(self) -> dict[str, Any]:
        player, engine = self.paces
        return {
            "level": self.level,
            "seconds": self.seconds,
            "measured": self.measured and vars(self.measured) | {"mean": self.measured.mean},
            "seconds_per_move": {"player": player.mean, "engine": engine.mean},
            "is_lost": self.is_lost,
            "match": self.match.as_json(),
        }


class Climber(Watcher, Protocol):
    """An observer of a ladder."""

    def measure(self, engine: str) -> None:
        """The games that measure the program's time begin."""

    def reach(self, rung: Rung) -> None:
        """A level has been played."""


@dataclass(frozen=True)
class Ladder:
    """What is to be played: a player without its time, and a program of `engines.toml`, named without its level."""

    game: Game
    player: str
    engine: str
    games: int  # of each level, rounded up to whole rounds
    first: str | None = None  # levels; by default the lowest and the highest one
    last: str | None = None
    seconds: float | None = None  # for a move of the player; by default as long as the program takes
    seed: int = 0
    openings: int | tuple[str, ...] = 0

    def __post_init__(self) -> None:
        if not self.settings.levels:
            place, example = f"{{{LEVEL}}}", 'levels = "1-9"'
            raise SpecError("ladder.no-levels", engine=self._name, file=FILE, example=example, place=place)
        if LEVEL in self._options:
            raise SpecError("ladder.level-given", engine=self.engine)
        for level in (self.first, self.last):
            options = {} if level is None else {LEVEL: level}
            ExternalPlayer(self._name, **self._options, **options).check_sight(self.game)
        if not self.levels:
            raise SpecError("ladder.downwards", first=self.first, last=self.last)
        if "seconds" in split_spec(self.player)[1]:
            raise SpecError("ladder.seconds-given", player=self.player)
        self.plan(self.levels[0], self._first_seconds).check_players()

    @property
    def _name(self) -> str:
        return split_spec(self.engine)[0]

    @property
    def _options(self) -> dict[str, str]:
        return split_spec(self.engine)[1]

    @property
    def _first_seconds(self) -> float:
        return FIRST_SECONDS if self.seconds is None else self.seconds

    @property
    def settings(self) -> EngineSettings:
        return read_engine(self._name)

    @property
    def levels(self) -> list[str]:
        """The levels to be played, upwards."""
        every = self.settings.all_levels()
        begin = 0 if self.first is None else every.index(self.first)
        return every[begin : None if self.last is None else every.index(self.last) + 1]

    def plan(self, level: str, seconds: float) -> Plan:
        """The match of a level."""
        return Plan(self.game, (self._timed(seconds), self.opponent(level)), self.games, self.seed, self.openings)

    def opponent(self, level: str) -> str:
        return format_spec("engine", {"name": self._name} | self._options | {LEVEL: level})

    def climb(
        self,
        past_loss: bool = False,
        workers: int = 1,
        watcher: Climber | None = None,
        conclusion: Conclusion | None = None,
        **how: Any,
    ) -> Iterator[Rung]:
        """Play level after level, to the last or to the first that is lost, unless `past_loss`.

        See `damier.arena.run` for `how`. A ladder that was interrupted continues where it stopped.
        """
        if not 1 <= workers <= num_cores():
            raise SpecError("number.between", what="workers", least=1, most=num_cores(), got=workers)
        with Conclusion() if conclusion is None else nullcontext(conclusion) as end:
            how |= {"workers": workers, "conclusion": end}
            seconds = self._first_seconds
            for level in self.levels:
                measured = None
                if self.seconds is None:
                    if watcher is not None:
                        watcher.measure(self.opponent(level))
                    measured = self._measure(level, seconds, how)
                    seconds = _rounded(measured)
                match = run(self.plan(level, seconds), watcher=watcher, **how)
                assert isinstance(match, Match)
                rung = Rung(level, seconds, measured, match)
                if watcher is not None:
                    watcher.reach(rung)
                yield rung
                if rung.is_lost and not past_loss:
                    return

    def _measure(self, level: str, seconds: float, how: dict[str, Any]) -> Pace:
        """How long the program thinks about a move at this level, in games against the player."""
        opponent = self.opponent(level)
        games = max(1, self.plan(level, seconds).num_games // MEASURING)
        # The first seatings of a plan give most seats to the first player.
        plan = Plan(self.game, (opponent, self._timed(seconds)), games, self.seed, self.openings)
        played = run(plan, only_first=games, **how)
        measured = pace(plan, played.records, 0)
        if measured.moves == 0:
            how["conclusion"].forget()
            why = played.records[0].forfeit or say("ladder.no-moves")
            raise DamierError("ladder.not-measured", engine=opponent, why=why)
        return measured

    def _timed(self, seconds: float) -> str:
        name, options = split_spec(self.player)
        return format_spec(name, options | {"seconds": f"{seconds:g}"})


def _rounded(measured: Pace) -> float:
    """The mean with three digits, because it becomes part of a player's name."""
    assert measured.mean is not None
    return max(LEAST_SECONDS, float(f"{measured.mean:.3g}"))
