"""The player: everything that a caller may ask of a search, a person or a program.

A search is a player: its parameters are the fields of a frozen dataclass, in the module of the algorithm. A class of
your own needs only `choose` or `search`; `damier.players` adds the rest of what is declared here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget
from damier.core.position import Position
from damier.search.result import SearchNode, SearchResult


class Player:
    """A player. Its options are the constructor's arguments. Every ability except `search` has a default."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Options with a fixed set of values."""
    parts: ClassVar[Mapping[str, PartKind]] = {}
    """Options that are parts of the search which you may bring, with their kinds."""

    grows: ClassVar[bool] = False
    """Whether a search of the same position continues with the tree of the last one."""

    @property
    def budget(self) -> Budget | None:
        """The limit of a search; None for a player without a limit."""
        return None

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Choose a move in this position; the same seed gives the same move."""
        raise NotImplementedError

    def prepare(self, pos: Position) -> None:
        """Compile what a search of this game needs, without searching."""

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        """Whether a search from here ends within about that many seconds, whatever its options are."""
        return True

    def judged(self, pos: Position) -> Position:
        """The position as this player evaluates it, with its own weights for example."""
        return pos

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """The node of the last search's tree that these moves lead to; None if there is none."""
        return None

    def close(self) -> None:
        """Release resources such as a process when the game is over. A later search starts again."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Copy and send a frozen player as its options, without what it has compiled and remembers."""
        if is_dataclass(self) and type(self).__dataclass_params__.frozen:
            options = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
            return _made, (type(self), options)
        return super().__reduce_ex__(protocol)


def _made(cls: type[Player], options: Mapping[str, Any]) -> Player:
    return cls(**options)
