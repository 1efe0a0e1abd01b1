"""What there is to play and who plays it, from the registries: the page makes its forms of this."""

import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.loading import load_class
from damier.games import REGISTRY as GAMES
from damier.games import file_formats
from damier.games import game as find_game
from damier.players import REGISTRY as PLAYERS
from damier.players.zero import has_network
from damier.web.guard import HUMAN, check_seat, is_allowed, is_offered
from damier.web.importing import JSON
from damier.web.searching.classical import can_walk
from damier.web.settings import WebSettings

Json = dict[str, Any]

HEAVY = "widen=4,playout=heavy,bias=1e-3,margin=0.95"  # for games with a playout policy, as Blokus; see its page

EXACT = "exact=true"  # for games that can be solved near their end

# What a beginner, a club player and a strong one is: the first of each list that the server has and that fits the game.
PRESETS = {
    "beginner": ("uct:sims=50", "nested:level=1", "random"),
    "club": (
        "zero:sims=20",
        f"grave:sims=300,{HEAVY}",
        "alphabeta:nodes=20000",
        "uct:sims=2000",
        "nested:level=2",
        "random",
    ),
    "strong": (
        f"zero:seconds=2,{EXACT}",
        "zero:seconds=2",
        f"grave:seconds=2,sims=1000000,{HEAVY}",
        "alphabeta:seconds=2",
        "grave:seconds=2,sims=1000000",
        "nrpa:level=3,seconds=5",
        "nested:level=3,seconds=5",
        "random",
    ),
}

STILL_WEAK = ("dames8", "blokus:board=duo")  # their networks lose to a search without one, see docs/zero.md


def catalogue(settings: WebSettings) -> Json:
    return {
        "games": [describe_game(name, settings) for name in (*settings.games, *GAMES)],
        "players": [describe_player(name) for name in PLAYERS if is_allowed(name, settings)],
        "presets": {name: list(specs) for name, specs in PRESETS.items()},
        "formats": [JSON, *file_formats(*settings.games)],
        "limits": {"seconds": settings.max_seconds, "memory": settings.max_memory},
        "allows": {"files": settings.allow_files, "engines": settings.allow_engines},
    }


def describe_game(name: str, settings: WebSettings) -> Json:
    made = find_game(name)
    kind = type(made.rules)
    return {
        "name": name,
        "summary": (name in GAMES and GAMES[name].summary) or _first_line(kind),
        "seats": made.num_players,
        "options": [_describe_option(option, kind, default, made.choices) for option, default in made.defaults.items()],
        "presets": presets_for(made),
        "players": players_for(made, settings),
    }


def players_for(game: Game, settings: WebSettings) -> list[str]:
    """The names of the players that can play a game within the limits of this server."""
    return [name for name in PLAYERS if is_offered(name, game, settings)]


def describe_player(name: str) -> Json:
    kind = load_class(PLAYERS[name])
    parameters = {} if kind.__init__ is object.__init__ else inspect.signature(kind).parameters  # type: ignore[misc]
    options = [
        _describe_option(option, kind, each.default, getattr(kind, "choices", {}))
        for option, each in parameters.items()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    facts = {"is_human": name == HUMAN, "can_walk": can_walk(name)}
    return {"name": name, "summary": _first_line(kind), "options": options} | facts


def presets_for(game: Game) -> dict[str, str]:
    """For one player nested searches; for several a network where there is one, Monte-Carlo trees where the game has a
    playout policy, alpha-beta where it can evaluate and nothing is left to chance, and Monte-Carlo trees elsewhere."""
    chosen = {}
    for preset, specs in PRESETS.items():
        for spec in specs:
            if _fits(spec, game) and _exists(spec, game):
                chosen[preset] = spec
                break
    return chosen


def _fits(spec: str, game: Game) -> bool:
    name, _, options = spec.partition(":")
    if options.endswith(HEAVY):
        return game.num_players > 1 and game.has("playout") and game.has("evaluate")
    if name == "zero":
        can_be_solved = game.num_players == 2 and not game.uses_chance
        return has_network(game) and game.name not in STILL_WEAK and (can_be_solved or not options.endswith(EXACT))
    if name == "alphabeta":
        return game.num_players == 2 and not game.uses_chance and game.has("evaluate")
    if name == "nrpa" and game.uses_chance:
        return False
    return (name not in ("nested", "nrpa")) == (game.num_players > 1) or name == "random"


def _exists(spec: str, game: Game) -> bool:
    try:
        check_seat(spec, WebSettings(), game.start())
    except DamierError:
        return False
    return True


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _describe_option(name: str, kind: type, default: Any, choices: Mapping[str, Sequence[str]]) -> Json:
    given = inspect.signature(kind, eval_str=True).parameters[name].annotation
    parts = typing.get_args(given) if isinstance(given, types.UnionType) else (given,)
    kinds = [part for part in parts if part is not type(None)]
    if not kinds or kinds[0] is inspect.Parameter.empty:
        kinds = [type(default)]
    word = {bool: "bool", int: "int", float: "float"}.get(kinds[0], "text")
    is_required = default is inspect.Parameter.empty
    return {
        "name": name,
        "kind": word,
        "default": None if is_required else default,
        "is_required": is_required,
        "choices": list(choices.get(name, ())),
    }
