"""Playing a plan: games already played are read from the database, the rest is played and saved."""

import warnings
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from damier.arena.brought import named
from damier.arena.plan import Plan
from damier.arena.playing import game_task
from damier.arena.result import Match, Tournament, round_score
from damier.arena.sprt import Sprt
from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.numbers import whole_number
from damier.games import game as find_game
from damier.store.attendance import attending
from damier.store.record import GameRecord
from damier.work.pool import Here, Host, closing_all, hosts_for, num_cores, play_on

if TYPE_CHECKING:
    from damier.store.database import Store


class Watcher(Protocol):
    """An observer of a plan that is being played."""

    def begin(self, plan: Plan, played: Sequence[GameRecord]) -> None: ...

    def add(self, record: GameRecord) -> None: ...


class Conclusion:
    """Marks what was played within it as finished at its end: `with Conclusion() as conclusion: ...`.

    If the program is killed, or fails, before the result is shown, the same command shows it and plays nothing again.
    """

    def __init__(self) -> None:
        self.played: list[tuple[Store, int]] = []
        self._stores = ExitStack()

    def open(self, database: str | None) -> "Store":
        from damier.store.database import Store  # imported here, because SQLAlchemy loads slowly

        return self._stores.enter_context(closing(Store(database)))

    def __enter__(self) -> "Conclusion":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with self._stores:
            for store, event in self.played if kind is None else ():
                store.finish(event)

    def forget(self) -> None:
        """Finish the last event now, whatever comes: the same command does not take its games again."""
        store, event = self.played.pop()
        store.finish(event)


def match(
    game: Any,
    first: Any,
    second: Any,
    games: int = 100,
    seed: int = 0,
    openings: int | Sequence[str] = 0,
    sprt: Sprt | tuple[float, float] | None = None,
    move_seconds: float | None = None,
    **how: Any,
) -> Match:
    """Play two players against each other, with balanced seats; see `run` for the other arguments.

    A player is a text name, `file.py:Class`, or a class or an instance of your own. With `sprt=(elo0, elo1)` the match
    ends when the sequential test is decided, or after `games` at the latest. A player who thinks longer than
    `move_seconds` about a move loses the game.
    """
    players, brought = named((first, second))
    plan = Plan(find_game(game), players, games, seed, _openings(openings), move_seconds, brought)
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    result = run(plan, sprt=test, **how)
    assert isinstance(result, Match)
    return result


def tournament(
    game: Any,
    players: Sequence[Any],
    games: int = 60,
    seed: int = 0,
    openings: int | Sequence[str] = 0,
    move_seconds: float | None = None,
    **how: Any,
) -> Tournament:
    """Play a round robin: every pair (for three seats, every three, ...) plays `games` games; see `match`, `run`."""
    names, brought = named(players)
    return run(Plan(find_game(game), names, games, seed, _openings(openings), move_seconds, brought), **how)


def run(
    plan: Plan,
    *,
    sprt: Sprt | None = None,
    database: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    only_first: int | None = None,
    watcher: Watcher | None = None,
    conclusion: Conclusion | None = None,
) -> Tournament:
    """Play a plan to its end and return the result.

    Each game is saved in `database` (a file or a URL; the user's own by default) the moment it ends. The same plan run
    again after an interruption continues where it stopped, unless `fresh`. `workers` processes play at the same time,
    by default one for each core; or a `cluster` plays, the address of a Ray cluster, or `local`. With `only_first` the
    plan ends after that many of its games. It counts as finished when its last game is over, or at the end of the
    `conclusion`.
    """
    if workers is not None:
        whole_number("workers", workers, least=1)
    if sprt and not plan.is_match:
        raise SpecError("arena.test-of-two", count=len(plan.players))
    plan.check_players()
    with Conclusion() if conclusion is None else nullcontext(conclusion) as end, ExitStack() as stack:
        store = end.open(database)
        partly = {} if only_first is None else {"only_first": only_first}
        event = store.open_event(plan, partly | ({"sprt": vars(sprt)} if sprt else {}), fresh)
        stack.enter_context(attending(store.url, event))
        records = {record.number: record for record in store.records(event)}
        if watcher:
            watcher.begin(plan, list(records.values()))
        decided = _Decision(plan, sprt, records, plan.num_games if only_first is None else only_first)
        if not decided.is_made():
            missing = [number for number in range(decided.end) if number not in records]
            with closing(_play(plan, missing, workers, cluster)) as played:
                for record in played:
                    record = store.save(event, record)
                    records[record.number] = record
                    if watcher:
                        watcher.add(record)
                    if decided.is_made():
                        break
        counted = sorted(number for number in records if number < decided.end)
        assert len(counted) == decided.end, "a game was lost"
        end.played.append((store, event))
    kind = Match if plan.is_match else Tournament
    return kind(plan, tuple(records[number] for number in counted), sprt)


def _play(
    plan: Plan, numbers: list[int], workers: int | None, cluster: str | None
) -> Generator[GameRecord, None, None]:
    if not numbers:
        return
    task, is_watched = partial(game_task, plan), plan.move_seconds is not None
    bound = plan.bound
    if bound and (cluster is not None or is_watched):
        where = say("arena.cluster" if cluster is not None else "arena.apart")
        raise SpecError("arena.not-loaded", where=where, names=bound)
    if cluster is not None:
        from damier.search.guided.zero import networks_of
        from damier.work.cluster import play_on_cluster

        networks = networks_of([plan.seat(index) for index in range(len(plan.players))], plan.game)
        yield from play_on_cluster(task, plan.game, numbers, cluster, networks, is_watched)
        return
    wanted = min(workers or num_cores(), len(numbers))
    if bound and plan.has_guests:
        if wanted > 1:
            warnings.warn(say("arena.all-here", names=bound).text(), stacklevel=2)
        hosts: list[Host] = [Here(task)]  # no threads: a class of your own need not be thread-safe
    else:
        hosts = hosts_for(task, plan.game, wanted, is_watched)
    with closing_all(hosts):
        yield from play_on(hosts, numbers)


class _Decision:
    """The point at which the sequential test ends the match.

    It takes the rounds in their order and not in the order in which they end, so the number of workers, or an
    interruption, changes nothing. Games beyond the end may have been played by then; they are kept and not counted.
    """

    def __init__(self, plan: Plan, sprt: Sprt | None, records: dict[int, GameRecord], end: int) -> None:
        self.plan, self.sprt, self.records, self.end = plan, sprt, records, end
        self.scores: list[float] = []

    def is_made(self) -> bool:
        if self.sprt is None:
            return False
        while len(self.scores) < self.plan.num_rounds:
            score = round_score(self.plan, self.records, len(self.scores))
            if score is None:
                return False
            self.scores.append(score)
            if self.sprt.verdict(self.scores):
                self.end = len(self.scores) * self.plan.round_size
                return True
        return False


def _openings(openings: int | Iterable[str]) -> int | tuple[str, ...]:
    if isinstance(openings, str):
        raise SpecError("arena.openings", got=openings)
    return tuple(openings) if isinstance(openings, Iterable) else whole_number("openings", openings)
