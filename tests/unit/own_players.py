"""Players as a user writes them, in a module that other processes can import."""

import os
from dataclasses import dataclass
from typing import Any

import damier


class First:
    """The shortest player there is."""

    def choose(self, pos: damier.Position) -> int:
        return pos.moves()[0]


class Last:
    def choose(self, pos: damier.Position) -> str:
        return pos.notations()[-1]


class Seeded:
    """Any move, by the seed."""

    def choose(self, pos: damier.Position, seed: int) -> int:
        return pos.moves()[seed % len(pos.moves())]


class Searching(damier.Player):
    """One that tells what it thinks."""

    def search(self, pos: damier.Position, seed: int = 0) -> damier.SearchResult:
        move = pos.moves()[seed % len(pos.moves())]
        return damier.SearchResult(move, "", values=(0.5, -0.5))


@dataclass(frozen=True)
class Nth:
    n: int = 0

    def choose(self, pos: damier.Position) -> int:
        return pos.moves()[self.n % len(pos.moves())]


class Counting:
    """Remembers, from one move to the next."""

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, pos: damier.Position) -> int:
        self.moves += 1
        if self.moves > 5:
            raise AssertionError("more moves than a game of tic-tac-toe has")
        return pos.moves()[0]


class Where:
    """Fails, and tells in which process."""

    def __init__(self, held: Any = None) -> None:
        self.held = held

    def choose(self, pos: damier.Position) -> int:
        raise RuntimeError(f"process {os.getpid()}")


class Inner:
    """One that asks a search of ours."""

    def __init__(self) -> None:
        self.inner = damier.player("uct:sims=10")

    def choose(self, pos: damier.Position, seed: int) -> int:
        return self.inner.search(pos, seed).move


@dataclass(frozen=True)
class Timed:
    """One that is given a time, and needs none of it."""

    seconds: float = 1.0

    def choose(self, pos: damier.Position) -> int:
        return pos.moves()[0]
