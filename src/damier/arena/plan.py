"""What is to be played: a plan knows every game of a tournament before the first is begun."""

import hashlib
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from damier.core.cache import cache_folder
from damier.core.errors import DamierError, MoveError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import new_rng, next_word
from damier.players import player

_OPENINGS, _GAMES = 1, 2  # which random numbers: see `_word`
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

    The players meet in groups: every pair for a game with two seats, every three for three seats and so on. With
    fewer players than seats there is one group, and some sit down twice. In a *round* a group plays one opening in
    every seating, so that no player has a better seat or a better opening than another. Rounds are interleaved:
    after any number of them the table is fair.
    """

    game: Game
    players: tuple[str, ...]
    games: int  # at least that many for each group, rounded up to whole rounds
    seed: int = 0
    openings: int | tuple[str, ...] = 0  # so many random moves, or a list of openings in the game's notation

    def __post_init__(self) -> None:
        seats = self.game.num_players
        if seats < 2:
            raise SpecError(f"{self.game.name} has one seat and nobody to play against; `damier analyse` searches it")
        if len(self.players) < 2:
            raise SpecError(f"expected at least two players, got {len(self.players)}: {' '.join(self.players)}")
        if len(set(self.players)) < len(self.players):
            twice = next(name for name in self.players if self.players.count(name) > 1)
            raise SpecError(f"'{twice}' is named twice; a tournament compares different players")
        if self.games < 1:
            raise SpecError(f"expected at least one game, got {self.games}")
        for name in self.players:
            if name.partition(":")[0] == "human":
                raise SpecError("'human' can't play in the arena, which may run for hours; `damier play` is for people")
            player(name)  # an error in its options is told before anything is played
        if isinstance(self.openings, int):
            if not 0 <= self.openings < self.game.max_length:
                most = self.game.max_length - 1
                raise SpecError(f"expected 0 to {most} random moves as opening, got {self.openings}")
        elif not self.openings:
            raise SpecError("expected at least one opening, got an empty list")
        _ = self.listed_openings

    @property
    def is_match(self) -> bool:
        return len(self.players) == 2

    @property
    def settings(self) -> dict[str, Any]:
        """What makes two plans the same, fit for JSON."""
        return {
            "game": self.game.name,
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "openings": self.openings if isinstance(self.openings, int) else list(self.openings),
        }

    @property
    def code(self) -> str:
        """A hash of what the rules and the searches are compiled from: games of other code are other games."""
        return hashlib.sha256(f"{cache_folder().name} {self.game.type_name}".encode()).hexdigest()[:16]

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        size = min(len(self.players), self.game.num_players)
        return list(itertools.combinations(range(len(self.players)), size))

    @cached_property
    def seatings(self) -> list[tuple[int, ...]]:
        """For each seat the member of the group: every way to seat the group in which nobody is left out."""
        members = range(len(self.groups[0]))
        every = itertools.product(members, repeat=self.game.num_players)
        return [seating for seating in every if set(seating) == set(members)]

    @property
    def num_rounds(self) -> int:
        return math.ceil(self.games / len(self.seatings))

    @property
    def games_per_group(self) -> int:
        return self.num_rounds * len(self.seatings)

    @property
    def round_size(self) -> int:
        """The games of one round, all groups together."""
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
                raise MoveError(f"opening {line}, '{text}': {error}") from None
            if position.is_over:
                raise MoveError(f"opening {line}, '{text}': the game is over before the players begin")
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
        raise DamierError(f"{self.game.name} mostly ends within {plies} random moves; ask for a shorter opening")

    def _word(self, purpose: int, number: int) -> int:
        """A random number of this plan: 63 bits, which every database can hold."""
        return next_word(new_rng(self.seed, (number << 2) | purpose)) >> 1
