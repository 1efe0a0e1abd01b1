"""The plan of a tournament: it knows every game before the first one begins."""

import hashlib
import itertools
import math
import pickle
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from damier.arena.brought import Parcel, can_leave, class_of_brought, fresh
from damier.arena.sources import own_parts, source_of
from damier.core.cache import cache_folder
from damier.core.errors import DamierError, MoveError, SpecError
from damier.core.game import Game
from damier.core.messages import say
from damier.core.numbers import LONGEST, whole_number
from damier.core.position import Position
from damier.core.rng import new_rng, next_word
from damier.core.spec import build, split_spec
from damier.core.teams import sides_of
from damier.players import class_of
from damier.players.guests import is_ours, seated
from damier.players.printing import printing_to_stderr
from damier.search.player import Player
from damier.work.pool import is_found_elsewhere

_OPENINGS, _GAMES = 1, 2  # separate streams of random numbers, see `_word`
_TRIES = 100  # to find an opening that does not end the game


@dataclass(frozen=True)
class Pairing:
    """One game of a plan."""

    number: int
    seating: tuple[int, ...]  # for each seat, the number of the player
    opening: tuple[int, ...]  # moves made before the players take over
    seed: int


@dataclass(frozen=True)
class Plan:
    """A round robin of `players`, by their text names; a match is one of two players.

    The players meet in groups: every pair for a game with two seats, every three for three seats and so on. With fewer
    players than seats there is one group, and some players take two seats. A team counts as one seat: one player takes
    all of it. In a *round* a group plays one opening in
    every seating, so no player has a better seat or a better opening than another. Rounds are interleaved: after any
    number of them the table is fair.
    """

    game: Game
    players: tuple[str, ...]
    games: int  # at least that many for each group, rounded up to whole rounds
    seed: int = 0
    openings: int | tuple[str, ...] = 0  # a number of random moves, or a list of openings in the game's notation
    move_seconds: float | None = None  # a player who thinks longer about a move loses
    brought: Mapping[str, Any] = field(default_factory=dict, hash=False)  # by name: classes and instances from Python

    def __post_init__(self) -> None:
        seats = self.game.num_players
        if seats < 2:
            raise SpecError("arena.one-seat", game=self.game.name)
        if len(self.players) < 2:
            raise SpecError("arena.two-players", count=len(self.players), players=" ".join(self.players))
        if len(set(self.players)) < len(self.players):
            twice = next(name for name in self.players if self.players.count(name) > 1)
            raise SpecError("arena.named-twice", player=twice)
        object.__setattr__(self, "games", whole_number("games", self.games, least=1))
        object.__setattr__(self, "seed", whole_number("seed", self.seed))
        for name in self.players:
            if name.partition(":")[0] == "human":
                raise SpecError("arena.person")
        if self.move_seconds is not None and not 0 < self.move_seconds <= LONGEST:
            raise SpecError("arena.move-seconds", got=self.move_seconds)
        if isinstance(self.openings, int):
            if not 0 <= self.openings < self.game.max_length:
                most = self.game.max_length - 1
                raise SpecError("arena.random-moves", most=most, got=self.openings)
        elif not self.openings:
            raise SpecError("arena.no-openings")
        _ = self.listed_openings

    @property
    def is_match(self) -> bool:
        return len(self.players) == 2

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that identify a plan, ready for JSON."""
        limit = {} if self.move_seconds is None else {"move_seconds": self.move_seconds}
        return {
            "game": self.game.name,
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings if isinstance(self.openings, int) else list(self.openings),
        } | limit

    # -- the players and their code --------------------------------------------------------------------------

    def seat(self, index: int) -> Player:
        """A player for one game. A search keeps its tree from one move to the next, never from one game to the next."""
        name = self.players[index]
        self._check_parts(index)
        if name in self.brought:
            return fresh(self.brought[name], name)
        with printing_to_stderr():
            return seated(build(self._classes[index], *split_spec(name)), name)

    @cached_property
    def _classes(self) -> list[type]:
        """The classes, loaded once: if a file is edited meanwhile, only one version plays."""
        return [
            class_of_brought(self.brought[name]) if name in self.brought else class_of(split_spec(name)[0])
            for name in self.players
        ]

    def check_players(self) -> None:
        """Make each player once, so wrong options, failing constructors and searches that need open cards are reported
        before the first game."""
        for index in range(len(self.players)):
            self.seat(index).check_sight(self.game)

    @property
    def has_guests(self) -> bool:
        """Whether a player is a user's class, or was given in Python."""
        return bool(self.brought) or not all(map(is_ours, self._classes))

    @property
    def bound(self) -> list[str]:
        """The names of players that no other process can load: of a running script, or with data that can't be sent."""
        rules = type(self.game.rules)
        own = [name for name, given in self.brought.items() if not can_leave(given)]
        return own if is_found_elsewhere(rules) else [rules.__qualname__, *own]

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """A hash of the code of each class that does not come with damier: the rules, the players, and their parts."""
        players = range(len(self.players))
        return source_of(type(self.game.rules)), *map(self._source, players), *map(self._part_sources, players)

    def _source(self, index: int) -> str:
        given = self.brought.get(self.players[index])
        cls = self._classes[index]
        return source_of(cls) + ("" if given is None or given is cls else f" {_state_of(given)}")

    def _part_sources(self, index: int) -> str:
        name = self.players[index]
        options = _attributes(self.brought[name]) if name in self.brought else split_spec(name)[1]
        with printing_to_stderr():
            return "+".join(map(source_of, own_parts(self._classes[index], options)))

    def _check_parts(self, index: int) -> None:
        """Check the parts of a player, which are loaded again with each player."""
        if self.sources[1 + len(self.players) + index] not in ("", self._part_sources(index)):
            raise _changed(self.players[index])

    @cached_property
    def code(self) -> str:
        """A hash of the code of the rules and the players: games of other code are other games."""
        told = f"{cache_folder().name} {self.game.type_name} {' '.join(self.sources)}".rstrip()
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def __reduce__(self) -> Any:
        """Pack for another process, which refuses to play if it finds other code there."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        parcels = {name: Parcel(given) for name, given in self.brought.items()}
        return _unpacked, (values | {"brought": parcels}, self.sources)

    # -- the games -------------------------------------------------------------------------------------------

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team; a seat of its own for each player, in a game without teams."""
        return sides_of(self.game.teams)

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        size = min(len(self.players), len(self.sides))
        return list(itertools.combinations(range(len(self.players)), size))

    @cached_property
    def seatings(self) -> list[tuple[int, ...]]:
        """Every seating of the group in which nobody is left out: for each seat, the member of the group. Partners are
        the same member."""
        members = range(len(self.groups[0]))
        every = itertools.product(members, repeat=len(self.sides))
        side_of = {seat: number for number, seats in enumerate(self.sides) for seat in seats}
        return [
            tuple(by_side[side_of[seat]] for seat in range(self.game.num_players))
            for by_side in every
            if set(by_side) == set(members)
        ]

    @property
    def num_rounds(self) -> int:
        return math.ceil(self.games / len(self.seatings))

    @property
    def games_per_group(self) -> int:
        return self.num_rounds * len(self.seatings)

    @property
    def round_size(self) -> int:
        """The number of games of one round, over all groups."""
        return len(self.seatings) * len(self.groups)

    @property
    def num_games(self) -> int:
        return self.num_rounds * self.round_size

    def pairing(self, number: int) -> Pairing:
        round_number, within = divmod(number, self.round_size)
        group, seating = divmod(within, len(self.seatings))
        members = self.groups[group]
        return Pairing(
            number=number,
            seating=tuple(members[i] for i in self.seatings[seating]),
            opening=self.opening(round_number),
            seed=self._word(_GAMES, number),
        )

    def opening(self, round_number: int) -> tuple[int, ...]:
        if not isinstance(self.openings, int):
            return self.listed_openings[round_number % len(self.listed_openings)]
        return self._random_opening(round_number, self.openings) if self.openings else ()

    @cached_property
    def listed_openings(self) -> list[tuple[int, ...]]:
        listed: Sequence[str] = () if isinstance(self.openings, int) else self.openings
        read = []
        for line, text in enumerate(listed, start=1):
            try:
                position = self.game.start().play_all(text)
            except MoveError as error:
                raise MoveError("arena.bad-opening", line=line, text=text, why=error.message) from None
            if position.is_over:
                raise MoveError("arena.bad-opening", line=line, text=text, why=say("arena.begun-over"))
            read.append(position.history)
        return read

    def _random_opening(self, round_number: int, plies: int) -> tuple[int, ...]:
        rng = new_rng(self._word(_OPENINGS, round_number))
        for _ in range(_TRIES):
            position: Position = self.game.start()
            while len(position.history) < plies and not position.is_over:
                position = position.play(position.random_move(rng))
            if not position.is_over:
                return position.history
        raise DamierError("arena.long-opening", game=self.game.name, moves=plies)

    def _word(self, purpose: int, number: int) -> int:
        """A random number of this plan, with 63 bits: every database can store it."""
        return next_word(new_rng(self.seed, (number << 2) | purpose)) >> 1


def _unpacked(values: dict[str, Any], sources: tuple[str, ...]) -> Plan:
    plan = Plan(**values)
    for name, there, here in zip((plan.game.name, *2 * plan.players), sources, plan.sources, strict=True):
        if there.partition(" ")[0] != here.partition(" ")[0]:  # without the state: pickled again it may look different
            raise _changed(name)
    return plan


def _changed(name: str) -> DamierError:
    return DamierError("arena.changed", name=name)


def _attributes(given: object) -> dict[str, Any]:
    return {} if isinstance(given, type) else getattr(given, "__dict__", {})


def _state_of(given: object) -> str:
    """A hash of the state of an instance. A state that can't be read equals no other."""
    try:
        data = pickle.dumps(given)
    except Exception:  # anything that its own code raises
        data = uuid.uuid4().bytes
    return hashlib.sha256(data).hexdigest()[:16]
