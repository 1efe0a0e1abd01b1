"""A cache of recently used values with a limit in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from damier.core.game import Game
from damier.core.position import Position

K = TypeVar("K")
V = TypeVar("V")

OBJECT_BYTES = 1000  # of anything that is kept, at least
POINTER_BYTES = 8


class LastUsed(Generic[K, V]):
    """A cache with a size limit. It drops the least recently used value that is not needed."""

    def __init__(
        self, most: int, weigh: Callable[[V], int], is_needed: Callable[[V], bool] = lambda value: False
    ) -> None:
        self.most, self.weigh, self.is_needed = most, weigh, is_needed
        self.weight = 0
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[K]:
        return iter(list(self._kept))

    def get(self, key: K) -> V | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: K, value: V) -> V:
        """Store a value, or update its size."""
        self._drop(key)
        weight = self.weigh(value)
        self._kept[key] = value, weight
        self.weight += weight
        if self.weight > self.most:
            for old in [old for old, (each, _) in self._kept.items() if old != key and not self.is_needed(each)]:
                self._drop(old)
                if self.weight <= self.most:
                    break
        return value

    def values(self) -> list[V]:
        return [value for value, _ in self._kept.values()]

    def _drop(self, key: K) -> None:
        if key in self._kept:
            self.weight -= self._kept.pop(key)[1]


def game_bytes(game: Game) -> int:
    """The bytes of a game: the tables of its rules."""
    return OBJECT_BYTES + _array_bytes(game.rules, 4)


def _array_bytes(thing: Any, depth: int) -> int:
    if isinstance(thing, np.ndarray):
        return int(thing.nbytes)
    if depth == 0 or isinstance(thing, str | bytes | int | float | type):
        return 0
    if isinstance(thing, dict | list | tuple):
        inside = list(thing.values()) if isinstance(thing, dict) else list(thing)
        return POINTER_BYTES * len(inside) + sum(_array_bytes(each, depth - 1) for each in inside)
    return sum(_array_bytes(each, depth - 1) for each in getattr(thing, "__dict__", {}).values())


def line_bytes(line: Sequence[Position]) -> int:
    """The bytes of a line of positions with their game: each has its record and all the moves that led to it."""
    last = line[-1]
    moves = len(line) * len(last.history) // 2
    return game_bytes(last.game) + len(line) * (OBJECT_BYTES + last.game.dtype.itemsize) + POINTER_BYTES * moves
