"""damier: a laboratory for game-playing programs.

Write the part you care about as an ordinary Python class: a game, a player, an evaluation, a selection rule or a
playout policy. damier compiles it, and everything else is there, at native speed.
"""

import importlib
from typing import TYPE_CHECKING, Any

from damier.core.version import __version__ as __version__

if TYPE_CHECKING:
    from damier.arena import match as match
    from damier.arena import tournament as tournament
    from damier.core.bits import bit as bit
    from damier.core.bits import drop_lowest as drop_lowest
    from damier.core.bits import lowest as lowest
    from damier.core.bits import nth_lowest as nth_lowest
    from damier.core.bits import popcount as popcount
    from damier.core.compile import Struct as Struct
    from damier.core.compile import kernel as kernel
    from damier.core.errors import CompileError as CompileError
    from damier.core.errors import DamierError as DamierError
    from damier.core.errors import ForfeitError as ForfeitError
    from damier.core.errors import MoveError as MoveError
    from damier.core.errors import PositionError as PositionError
    from damier.core.errors import RulesError as RulesError
    from damier.core.errors import SpecError as SpecError
    from damier.core.file_formats import FileFormat as FileFormat
    from damier.core.game import Game as Game
    from damier.core.generic import list_moves as list_moves
    from damier.core.generic import random_move as random_move
    from damier.core.messages import say as say
    from damier.core.position import Position as Position
    from damier.core.protocol import CHANCE as CHANCE
    from damier.core.protocol import REFEREE as REFEREE
    from damier.core.rng import below as below
    from damier.core.rng import new_rng as new_rng
    from damier.core.rng import uniform as uniform
    from damier.core.squares import Squares as Squares
    from damier.core.view import EMPTY as EMPTY
    from damier.core.view import FACE_DOWN as FACE_DOWN
    from damier.core.view import Card as Card
    from damier.core.view import CardTable as CardTable
    from damier.core.view import Grid as Grid
    from damier.core.view import Hand as Hand
    from damier.core.view import Symbol as Symbol
    from damier.core.view import Tile as Tile
    from damier.games import check_game as check_game
    from damier.games import game as game
    from damier.players import player as player
    from damier.players.check import check as check
    from damier.players.check import check_player as check_player
    from damier.search.hidden.equilibrium import Equilibrium as Equilibrium
    from damier.search.hidden.equilibrium import equilibrium as equilibrium
    from damier.search.hidden.equilibrium import exploitability as exploitability
    from damier.search.perft import perft as perft
    from damier.search.player import Player as Player
    from damier.search.playouts import playouts as playouts
    from damier.search.result import SearchResult as SearchResult
    from damier.search.solve import solve as solve

_PLACES = {
    "damier.arena": ("match", "tournament"),
    "damier.core.bits": ("bit", "drop_lowest", "lowest", "nth_lowest", "popcount"),
    "damier.core.compile": ("Struct", "kernel"),
    "damier.core.errors": (
        "CompileError",
        "DamierError",
        "ForfeitError",
        "MoveError",
        "PositionError",
        "RulesError",
        "SpecError",
    ),
    "damier.core.file_formats": ("FileFormat",),
    "damier.core.game": ("Game",),
    "damier.core.generic": ("list_moves", "random_move"),
    "damier.core.messages": ("say",),
    "damier.core.position": ("Position",),
    "damier.core.protocol": ("CHANCE", "REFEREE"),
    "damier.core.rng": ("below", "new_rng", "uniform"),
    "damier.core.squares": ("Squares",),
    "damier.core.view": ("EMPTY", "FACE_DOWN", "Card", "CardTable", "Grid", "Hand", "Symbol", "Tile"),
    "damier.games": ("check_game", "game"),
    "damier.players": ("player",),
    "damier.players.check": ("check", "check_player"),
    "damier.search.hidden.equilibrium": ("Equilibrium", "equilibrium", "exploitability"),
    "damier.search.perft": ("perft",),
    "damier.search.player": ("Player",),
    "damier.search.playouts": ("playouts",),
    "damier.search.result": ("SearchResult",),
    "damier.search.solve": ("solve",),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

__all__ = list(_PLACE_OF)


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: `damier --help` needs no compiler.

    Compiled code may say `damier.popcount` too: the compiler asks the module like anybody else.
    """
    if name not in _PLACE_OF:
        raise AttributeError(f"module 'damier' has no attribute '{name}'")
    value = getattr(importlib.import_module(_PLACE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(globals().keys() | _PLACE_OF.keys())
