"""The counts in this folder's data files.

A file holds positions of one game: the moves that lead there and, after 1, 2, ... further moves, the leaves
of the move tree (`perft`) and the different positions (`distinct`). A position may name another board than
the file's, and `about` says what is special about it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """The counts of one position."""

    game: str
    moves: str
    perft: list[int]
    distinct: list[int]
    about: str = ""

    def __str__(self) -> str:
        return f"{self.game} after {len(self.moves.split())} moves"


def path_of(name: str) -> Path:
    """The file of a registered game."""
    return FOLDER / f"{name}.json"


def cases() -> list[Case]:
    """Every position of every file."""
    files = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    return [Case(**{"game": file["game"]} | position) for file in files for position in file["positions"]]
