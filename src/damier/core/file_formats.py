"""Games in text files, as programs exchange them: what a game states in `file_formats`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position


class RecordedGame(Protocol):
    """A game that was read from a file."""

    @property
    def start(self) -> "Position":
        """The position at which it begins."""

    @property
    def end(self) -> "Position":
        """The position after its last move."""

    @property
    def players(self) -> list[str]:
        """The names of those who played, where the file says."""


@dataclass(frozen=True)
class FileFormat:
    """A format of files that hold games, with its reader and its writer."""

    name: str
    """The name people know it by: PDN."""
    extension: str
    """How the names of such files end, without the dot: pdn."""
    read: Callable[[str, "Game | None"], Iterator[RecordedGame]]
    """The games of a text, each read when it is asked for. Without a game, the text says which one it is."""
    write: Callable[["Position"], str]
    """The text of the moves that led to a position; a DamierError for a game that the format doesn't know."""
    count: Callable[[str], int] = lambda text: 1
    """How many games a text holds, without reading their moves."""
    games: Mapping[str, str] = field(default_factory=dict)
    """The names that other programs give to games in this format, and ours."""
