"""The rules of the games, one module or folder a game, and the table of their names.

A line here registers a game: its class and, for a preset, its options.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from damier.core import conformance
from damier.core.file_formats import FileFormat
from damier.core.game import Game
from damier.core.loading import is_file_name, load_class
from damier.core.numbers import whole_number
from damier.core.position import Position
from damier.core.spec import build, defaults, file_options, split_spec, unknown


@dataclass(frozen=True)
class RegisteredGame:
    """Where to find the rules of a game, and the options that its name presets."""

    locator: str
    preset: dict[str, Any] = field(default_factory=dict)
    summary: str = ""  # default: the first line of the class's docstring


REGISTRY = {
    "tictactoe": RegisteredGame("damier.games.tictactoe:TicTacToe"),
    "connect4": RegisteredGame("damier.games.connect4:Connect4"),
    "mnk": RegisteredGame("damier.games.mnk:MNK"),
    "gomoku": RegisteredGame(
        "damier.games.mnk:MNK", {"rows": 15, "cols": 15, "k": 5}, "Gomoku: five in a row on 15 x 15, free style."
    ),
    "connect5": RegisteredGame(
        "damier.games.mnk:MNK", {"rows": 10, "cols": 10, "k": 5}, "Connect5: five in a row on 10 x 10."
    ),
    "othello": RegisteredGame("damier.games.othello:Othello"),
    "draughts": RegisteredGame("damier.games.draughts.rules:Draughts"),
    "blokus": RegisteredGame("damier.games.blokus.rules:Blokus"),
    "dames8": RegisteredGame(
        "damier.games.draughts.rules:Draughts",
        {"rules": "dames8"},
        "Dames: the draughts of the research papers, on 8 x 8.",
    ),
    "leftmove": RegisteredGame("damier.games.leftmove:LeftMove"),
    "samegame": RegisteredGame("damier.games.samegame:SameGame"),
    "morpion": RegisteredGame("damier.games.morpion:Morpion"),
    "sliding": RegisteredGame("damier.games.sliding:Sliding"),
    "tree": RegisteredGame("damier.games.trees.rules:ExplicitTree"),
    "backgammon": RegisteredGame("damier.games.backgammon.rules:Backgammon"),
    "pig": RegisteredGame("damier.games.pig:Pig"),
    "pacman": RegisteredGame("damier.games.pacman.rules:PacMan"),
    "kuhn": RegisteredGame("damier.games.poker.kuhn:Kuhn"),
    "leduc": RegisteredGame("damier.games.poker.leduc:Leduc"),
    "liarsdice": RegisteredGame("damier.games.liarsdice:LiarsDice"),
    "goofspiel": RegisteredGame("damier.games.goofspiel:Goofspiel"),
    "phantom": RegisteredGame("damier.games.phantom:Phantom"),
    "darkhex": RegisteredGame("damier.games.darkhex:DarkHex"),
    "whist": RegisteredGame("damier.games.cards.whist:Whist"),
    "hearts": RegisteredGame("damier.games.cards.hearts:Hearts"),
    "belote": RegisteredGame("damier.games.cards.belote:Belote"),
    "bridgeplay": RegisteredGame("damier.games.cards.bridgeplay:BridgePlay"),
}

SEVERAL = ("tictactoe", "connect4", "othello:size=6", "dames8", "pig:goal=20,turns=8", "blokus:board=tiny,players=3")
"""A few games on which to try a class that is for any game: with chance, with one player, with three."""


def game(game: object) -> Game:
    """A game by its text name (`connect4:rows=7`), as `path/to/file.py:Class`, or from your own class or an instance of
    it."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        return Game(game() if isinstance(game, type) else game)
    name, options = split_spec(game)
    registered = _registered(name)
    rules = build(load_class(registered.locator), name, registered.preset | options)
    return Game(rules, name, registered.preset)


def options_of(name: str) -> dict[str, Any]:
    """The options of a game and their default values, without building it."""
    registered = _registered(name)
    return defaults(load_class(registered.locator)) | registered.preset


def file_options_of(name: str) -> set[str]:
    """The options of a game that name files, without building it."""
    return file_options(load_class(_registered(name).locator))


def _registered(name: str) -> RegisteredGame:
    if is_file_name(name):
        return RegisteredGame(name)
    if name not in REGISTRY:
        raise unknown("game", name, REGISTRY, "damier games")
    return REGISTRY[name]


@cache
def file_formats(*others: str) -> dict[str, FileFormat]:
    """The file formats of our games, and of other games by name; keyed by extension."""
    classes: list[Any] = [load_class(_registered(split_spec(name)[0]).locator) for name in (*REGISTRY, *others)]
    stated = chain.from_iterable(rules.file_formats for rules in classes if hasattr(rules, "file_formats"))
    return {each.extension: each for each in stated}


def position(where: object) -> Position:
    """The position itself, or the first position of a game, given as for `game`."""
    return where if isinstance(where, Position) else game(where).start()


def check_game(where: object, games: int = 20, seed: int = 0) -> conformance.Report:
    """Play random games and verify every law; raise a RulesError for the first that is broken."""
    return conformance.check_game(game(where), whole_number("games", games), seed)
