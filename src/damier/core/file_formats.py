"""File formats of games, which a game declares in `file_formats`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position


class RecordedGame(Protocol):
    """A game read from a file."""

    @property
    def start(self) -> "Position":
        """Its first position."""

    @property
    def end(self) -> "Position":
        """The position after its last move."""

    @property
    def players(self) -> list[str]:
        """The names of the players, if the file has them."""


@dataclass(frozen=True)
class FileFormat:
    """A format of files that hold games, with its reader and its writer."""

    name: str
    """Its usual name: PDN."""
    extension: str
    """The extension of such files, without the dot: pdn."""
    read: Callable[[str, "Game | None"], Iterator[RecordedGame]]
    """The games of a text, read lazily. Without a game, the text names it."""
    write: Callable[["Position"], str]
    """The text of the moves that led to a position; a DamierError for a game that the format doesn't know."""
    count: Callable[[str], int] = lambda text: 1
    """The number of games in a text, without reading their moves."""
    games: Mapping[str, str] = field(default_factory=dict)
    """The names of games in this format, and our names for them."""
