"""The games and players of the registries, from which the page makes its forms."""

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
from damier.players import Player
from damier.search.guided.shipped import recommended_options
from damier.search.player import Sight
from damier.web.importing import JSON
from damier.web.permissions import HUMAN, check_seat, is_allowed, is_offered
from damier.web.searching.classical import can_trace
from damier.web.settings import WebSettings

Json = dict[str, Any]

# The presets (beginner, club, strong): the game's own network if its card recommends it, else the game's
# best search with a budget of these, else the first of these players that fits the game.
PRESETS = {
    "beginner": ("uct:sims=50", "nested:level=1", "random"),
    "club": ("alphabeta:nodes=20000", "uct:sims=2000", "nested:level=2", "random"),
    "strong": (
        "alphabeta:seconds=2",
        "grave:seconds=2,sims=1000000",
        "nrpa:level=3,seconds=5",
        "nested:level=3,seconds=5",
        "random",
    ),
}
# For games of hidden information: an equilibrium where one is found in time, else a search over what is possible.
HIDDEN_PRESETS = {
    "beginner": ("ismcts:sims=50", "random"),
    "club": ("ismcts:sims=1000", "random"),
    "strong": ("cfr", "ismcts:seconds=2,sims=1000000", "random"),
}
BUDGETS = {"beginner": (), "club": ("sims=300", "nodes=20000"), "strong": ("seconds=2,sims=1000000", "seconds=2")}


def catalogue(settings: WebSettings) -> Json:
    return {
        "games": [describe_game(name, settings) for name in (*settings.games, *GAMES)],
        "players": [describe_player(name) for name in PLAYERS if is_allowed(name, settings)],
        "presets": list(PRESETS),
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
        "is_hidden": made.is_hidden,
    }


def players_for(game: Game, settings: WebSettings) -> list[str]:
    """The names of the players that can play a game within the limits of this server."""
    return [name for name in PLAYERS if is_offered(name, game, settings)]


def describe_player(name: str) -> Json:
    kind: type[Player] = load_class(PLAYERS[name])
    parameters = {} if kind.__init__ is object.__init__ else inspect.signature(kind).parameters
    options = [
        _describe_option(option, kind, each.default, _choices(kind))
        for option, each in parameters.items()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    facts = {"is_human": name == HUMAN, "can_trace": can_trace(name), "cheats": kind.sight is Sight.ALL}
    return {"name": name, "summary": _first_line(kind), "options": options} | facts


def presets_for(game: Game) -> dict[str, str]:
    """The best available opponent of each strength."""
    chosen = {}
    for strength, specs in (HIDDEN_PRESETS if game.is_hidden else PRESETS).items():
        own = (*_with_network(game, strength), *_best_search(game, strength))
        fitting = (*own, *(spec for spec in specs if _fits(spec, game)))
        chosen[strength] = next(spec for spec in fitting if _exists(spec, game))
    return chosen


def _with_network(game: Game, strength: str) -> list[str]:
    options = recommended_options(game).get(strength)
    return [] if options is None else [f"zero:{options}"]


def _best_search(game: Game, strength: str) -> list[str]:
    """The player that the rules name as `best_search`, with each budget of this strength."""
    best = game.best_search
    return [f"{best}{',' if ':' in best else ':'}{budget}" for budget in BUDGETS[strength] if best]


def _fits(spec: str, game: Game) -> bool:
    """Whether a player suits a game: nested search for one player; for several, alpha-beta if the game has an
    evaluation and no chance, and Monte-Carlo tree search otherwise."""
    name = spec.partition(":")[0]
    if game.is_hidden:
        return True
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


def _choices(kind: type[Player]) -> dict[str, tuple[str, ...]]:
    """The possible values of each option; for a part of the search, the names of the parts that come with damier."""
    return dict(kind.choices) | {option: tuple(part.registry) for option, part in kind.parts.items()}


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
