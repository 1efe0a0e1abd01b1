"""The player: everything that a caller may ask of a search, a person or a program.

A search is a player: its parameters are the fields of a frozen dataclass, in the module of the algorithm. A class of
your own needs only `choose` or `search`; `damier.players` adds the rest of what is declared here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import wraps
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.search.result import SearchNode, SearchResult


class Sight(Enum):
    """What a player sees in a game of hidden information."""

    OWN = "what its seat may see"
    OPEN = "nothing: it is for games in which everybody sees everything"
    ALL = "everything: it cheats"


class Player:
    """A player. Its options are the constructor's arguments. Every ability except `search` has a default.

    A player is given the referee's position and sees its own part of it: each method below that takes a position is
    called with what `sight` allows, whoever calls it.
    """

    sight: ClassVar[Sight] = Sight.OWN
    """What the player sees in a game of hidden information."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Options with a fixed set of values."""
    parts: ClassVar[Mapping[str, PartKind]] = {}
    """Options that are parts of the search which you may bring, with their kinds."""

    players: ClassVar[tuple[str, ...]] = ()
    """Options that are players themselves."""

    grows: ClassVar[bool] = False
    """Whether a search of the same position continues with the tree of the last one."""

    scores_are_bounds: ClassVar[bool] = False
    """Whether the scores of moves that are not the best one are only bounds, because the search prunes."""

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

    def check_game(self, game: Game) -> None:
        """Raise an error if the player lacks what it needs for this game, for example a network."""

    def judged(self, pos: Position) -> Position:
        """The position as this player evaluates it, with its own weights for example."""
        return pos

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """The node of the last search's tree that these moves lead to; None if there is none."""
        return None

    def close(self) -> None:
        """Release resources such as a process when the game is over. A later search starts again."""

    def check_sight(self, game: Game) -> None:
        """Raise a SpecError if the player needs open cards and the game has hidden ones."""
        if game.is_hidden and self.sight is Sight.OPEN:
            raise SpecError("search.hidden", search=type(self).__name__, game=game.name)

    def __init_subclass__(cls, **facts: Any) -> None:
        super().__init_subclass__(**facts)
        for name in _LOOKING & vars(cls).keys():
            setattr(cls, name, _with_own_eyes(vars(cls)[name]))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Copy and send a frozen player as its options, without what it has compiled and remembers."""
        if is_dataclass(self) and type(self).__dataclass_params__.frozen:
            options = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
            return _made, (type(self), options)
        return super().__reduce_ex__(protocol)


_LOOKING = {"search", "prepare", "keeps_time", "judged"}


def _with_own_eyes(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a player, called with the part of a position that the player may see."""

    @wraps(method)
    def looking(self: Player, pos: Position, *given: Any, **named: Any) -> Any:
        if pos.game.is_hidden and not pos.is_open:
            self.check_sight(pos.game)
            pos = pos.opened() if self.sight is Sight.ALL else pos.seen_by(max(0, pos.player))
        return method(self, pos, *given, **named)

    return looking


def _made(cls: type[Player], options: Mapping[str, Any]) -> Player:
    return cls(**options)
