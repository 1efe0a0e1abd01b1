"""Averaging over deals: search many possible deals with open cards, and take the move that is best on average.

Perfect-information Monte Carlo: Levy, The million pound bridge program, 1989; Ginsberg, GIB: steps toward an
expert-level bridge-playing program, 1999. Deals d_1 ... d_n are drawn that are possible for all the player knows; in
each the value of every move m is searched as if all saw everything; and the move is played with the highest average

    v(m) = 1/n sum over i of v(m, d_i)

A move that is best in every deal is best if all cards are seen from then on, and if the searches inside are exact. It
is best whatever is hidden only where the play after it can be the same in all deals. Otherwise the average is too
optimistic: it supposes that the player will know, in each deal, what to do next (*strategy fusion*; Frank and Basin,
Search in games with incomplete information, 1998).

How it deviates: equal deals are searched once and counted as often as they were drawn. A search that prunes knows the
value of its best move only; then the position after each move is searched separately. Where a search gives no values,
each deal votes for its move, and no value is returned.
"""

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from damier.core.budget import Budget
from damier.core.errors import DamierError, SpecError
from damier.core.position import Position
from damier.core.rng import below, new_rng, next_word
from damier.players import player
from damier.players.human import Human
from damier.search.pace import on_the_clock
from damier.search.player import Player, Sight
from damier.search.result import SearchResult

DEALS = 20
MOST_DEALS = 1_000_000
Values = tuple[float, ...]  # by player
INNER = "uct:sims=500"


class Worlds:
    """The worlds counted so far: for each move the sum of its values, and in how many worlds it was best."""

    def __init__(self, pos: Position) -> None:
        self.moves, self.player = pos.moves(), pos.player
        count = len(self.moves)
        self.total, self.weight = [0.0] * count, [0] * count  # of the worlds in which a move has a value
        self.best_in = [0] * count
        self.values: list[list[Values | None]] = [[] for _ in self.moves]  # of each move, by world
        self.has_votes = False  # whether a search gave no values
        self.count = self.nodes = self.sims = 0

    def add(self, found: "Found") -> None:
        """Count the result of a world."""
        self.count += 1
        known = [value for value in found.by_move if value is not None]
        for i, value in enumerate(found.by_move):
            if value is not None:
                self.total[i] += value
                self.weight[i] += 1
                self.best_in[i] += value == max(known)
        for have, more in zip(self.values, found.values or [None] * len(self.moves), strict=True):
            have.append(more)
        self.has_votes |= found.is_vote

    def add_work(self, found: "Found") -> None:
        """Count what a search has cost."""
        self.nodes, self.sims = self.nodes + found.nodes, self.sims + found.sims

    @property
    def means(self) -> list[float]:
        """The average value of each move; -1 for a move that has none."""
        return [total / weight if weight else -1.0 for total, weight in zip(self.total, self.weight, strict=True)]

    def values_of(self, pos: Position, number: int) -> Values | None:
        """The average value of a move, by player. Two players or teams have opposite values; with more, the searches
        must have told them in all worlds."""
        game, mean = pos.game, self.means[number]
        teams = game.teams or tuple(range(game.num_players))
        if len(set(teams)) <= 2:
            return tuple(mean if team == teams[self.player] else 0.0 - mean for team in teams)
        known = [values for values in self.values[number] if values is not None]
        if len(known) < self.count:
            return None
        return tuple(sum(column) / self.count for column in zip(*known, strict=True))

    def result(self, pos: Position, rng: Any, seconds: float) -> SearchResult:
        means = [float(votes) for votes in self.best_in] if self.has_votes else self.means
        best = [i for i, mean in enumerate(means) if mean == max(means)]
        chosen = best[below(rng, len(best))]
        shared = sum(self.best_in)
        return SearchResult(
            move=self.moves[chosen],
            notation=pos.notation(self.moves[chosen]),
            values=None if self.has_votes else self.values_of(pos, chosen),
            moves=tuple(self.moves),
            policy=tuple(count / shared for count in self.best_in),
            scores=() if self.has_votes else tuple(means),
            pv=(self.moves[chosen],),  # what follows is in no single deal
            nodes=self.nodes,
            sims=self.sims,
            deals=self.count,
            best_in=tuple(self.best_in),
            seconds=seconds,
        )


@dataclass
class Found:
    """What a search found in one world: for each move its value for the mover, or None. A vote is 1 for the move that
    was chosen, and 0 for the others."""

    by_move: list[float | None]
    values: Sequence[Values | None] = ()  # of each move, by player, if the search says so
    is_vote: bool = False
    nodes: int = 0
    sims: int = 0


class Inside:
    """A search with open cards, of the positions of one search. It is made anew each time and remembers nothing."""

    def __init__(self, given: Any) -> None:
        self.player = player(given) if isinstance(given, str) else player(copy.copy(given))

    def look(self, world: Position, seed: int) -> Found:
        """The values of all moves in a world."""
        if self.player.scores_are_bounds:
            return self._look_at_each(world, seed)
        result = self.player.search(world, seed)
        if not result.scores:
            return _vote(world, result)
        scores = dict(zip(result.moves, result.scores, strict=True))
        visits = dict(zip(result.moves, result.visits, strict=True)) if result.visits else {}
        by_move = [scores[move] if visits.get(move, 1) else None for move in world.moves()]
        values = dict(zip(result.moves, result.move_values, strict=True)) if result.move_values else {}
        told = [values.get(move) if visits.get(move, 1) else None for move in world.moves()]
        return Found(by_move, told, nodes=result.nodes, sims=result.sims)

    def _look_at_each(self, world: Position, seed: int) -> Found:
        found, known = Found([]), []
        for move in world.moves():
            values = self._values(world.play(move), seed, found)
            if values is None:
                return _vote(world, self.player.search(world, seed))
            known.append(values)
        found.by_move = [values[world.player] for values in known]
        found.values = known
        return found

    def _values(self, pos: Position, seed: int, found: Found) -> Values | None:
        """The values of a position, by player; at a chance node the average over its outcomes."""
        if pos.is_over:
            return pos.returns
        if not pos.is_chance:
            result = self.player.search(pos, seed)
            found.nodes, found.sims = found.nodes + result.nodes, found.sims + result.sims
            return result.values
        mean = [0.0] * pos.game.num_players
        for outcome, prob in pos.outcomes.items():
            values = self._values(pos.play(outcome), seed, found)
            if values is None:
                return None
            mean = [have + prob * more for have, more in zip(mean, values, strict=True)]
        return tuple(mean)


def _vote(world: Position, result: SearchResult) -> Found:
    by_move: list[float | None] = [float(move == result.move) for move in world.moves()]
    return Found(by_move, is_vote=True, nodes=result.nodes, sims=result.sims)


@dataclass
class Compiled:
    """For which game a player has compiled its search."""

    game: Any = None


@dataclass(frozen=True, init=False)
class OfAnother(Player):
    """The common part of players that search with another player inside, with open cards.

    The other player is the option `search`; the attribute is `inside`, because `search` is what every player does.
    """

    players: ClassVar[tuple[str, ...]] = ("search",)

    inside: Any
    _compiled: Compiled = field(init=False, repr=False, compare=False)

    def _sit(self, inside: Any) -> None:
        made = player(inside)  # refuses what is wrong, before any game
        if isinstance(made, Human):
            raise SpecError("player.person")
        if made.sight is Sight.ALL:
            raise SpecError("search.inside-cheats", got=inside if isinstance(inside, str) else type(made).__name__)
        object.__setattr__(self, "inside", inside)
        object.__setattr__(self, "_compiled", Compiled())

    def prepare(self, pos: Position) -> None:
        """Compile the search inside."""
        if self._compiled.game != pos.game:
            Inside(self.inside).player.prepare(pos.opened())
            self._compiled.game = pos.game

    def __reduce_ex__(self, protocol: Any) -> Any:
        options = {name: value for name, value in vars(self).items() if not name.startswith("_")}
        return _made, (type(self), options)


def _made(cls: type[Player], options: dict[str, Any]) -> Player:
    return cls(search=options.pop("inside"), **options)  # type: ignore[call-arg]


@dataclass(frozen=True, init=False)
class Pimc(OfAnother):
    """Averages over possible deals, each searched with open cards by the player inside."""

    deals: int
    seconds: float | None

    def __init__(self, deals: int = DEALS, seconds: float | None = None, search: Any = INNER) -> None:
        if isinstance(player(search), Pimc):
            raise SpecError("search.inside-averages", got=search if isinstance(search, str) else "Pimc")
        if not 1 <= deals <= MOST_DEALS:
            raise SpecError("number.between", what="deals", least=1, most=MOST_DEALS, got=deals)
        object.__setattr__(self, "deals", deals)
        object.__setattr__(self, "seconds", seconds)
        _ = self.budget
        self._sit(search)

    @property
    def budget(self) -> Budget | None:
        """The time limit, if there is one; `deals` limits the search in any case."""
        return None if self.seconds is None else Budget(seconds=self.seconds)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        share = seconds if self.seconds is not None else seconds / self.deals
        return Inside(self.inside).player.keeps_time(pos.opened(), share)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search deals that are possible for what the player to move knows: all of `deals`, or as many as the time
        allows, and at least one."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        self.prepare(pos)
        worlds, inside, rng, seeds = Worlds(pos), Inside(self.inside), new_rng(seed), new_rng(seed, 1)
        known: dict[Position, Found] = {}
        with on_the_clock(pos, self.budget or Budget(sims=self.deals)) as began:
            for number in range(self.deals):
                if number > 0 and self.seconds is not None and time.perf_counter() >= began + self.seconds:
                    break
                world = pos.deal(rng)
                if world not in known:
                    known[world] = inside.look(world, next_word(seeds) >> 1)
                    worlds.add_work(known[world])
                worlds.add(known[world])
            return worlds.result(pos, rng, time.perf_counter() - began)
