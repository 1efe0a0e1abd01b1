"""The player: all that a caller may ask of whoever sits at the board.

A search is a player: its parameters are the fields of a frozen dataclass, in the module of the algorithm. A class of
your own needs `choose` or `search` and nothing else; `damier.players` gives it the rest of what is declared here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget
from damier.core.position import Position
from damier.search.result import SearchNode, SearchResult


class Player:
    """A seat at the board. Its options are the constructor's arguments. Every ability but `search` has a default."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Options that are one of a few words."""
    parts: ClassVar[Mapping[str, PartKind]] = {}
    """Options that are parts of the search which you may bring: their kinds."""

    grows: ClassVar[bool] = False
    """Whether a search of the same position goes on with the tree of the last one."""

    @property
    def budget(self) -> Budget | None:
        """What bounds a search; None for a player that nothing bounds."""
        return None

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Choose a move in this position; the same seed gives the same move."""
        raise NotImplementedError

    def prepare(self, pos: Position) -> None:
        """Compile what a search of this game needs, without searching."""

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        """Whether a search from here ends within about so many seconds, whatever its options say."""
        return True

    def judged(self, pos: Position) -> Position:
        """The position as this player judges it, with weights of its own for example."""
        return pos

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """Look inside: the node of the last search's tree to which these moves lead; None where there is none."""
        return None

    def close(self) -> None:
        """The game is over: release what is more than memory, a process for example. A later search starts anew."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A frozen player is copied and sent as its options: what it has compiled and remembers stays behind."""
        if is_dataclass(self) and type(self).__dataclass_params__.frozen:
            options = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
            return _made, (type(self), options)
        return super().__reduce_ex__(protocol)


def _made(cls: type[Player], options: Mapping[str, Any]) -> Player:
    return cls(**options)
