"""Permissions of visitors: names of games and players are checked here before anything is built.

A name from a page must not load code, read files, start programs, or ask for a board or a search that is too large.
"""

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from damier.core.bring import PartKind
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.loading import is_file_name, load_class
from damier.core.position import Position
from damier.core.spec import defaults, file_options, format_spec, split_spec
from damier.games import file_options_of, options_of
from damier.games import game as find_game
from damier.players import REGISTRY, Player, player
from damier.search.player import Sight
from damier.web.settings import WebSettings

HUMAN = "human"
LONGEST_SPEC = 400
MOST_MOVES = 2500  # of a game: each position of a line has all the moves that led to it
LARGEST_NUMBER = 100  # of an option, or ten times its default
PLAIN_TEXT = re.compile(r"[\w ./:+()=,-]*")
NO_FILE = re.compile(r"[\w+-]{0,60}")  # a name, and nothing that could lead to another folder
LARGEST = {"seed": 2**31 - 1} | dict.fromkeys(("sims", "nodes", "seconds", "memory"), 10_000_000)


class ForbiddenError(DamierError):
    """A request that only the owner of the server can allow."""


def own_game(spec: str) -> str:
    """A game that the owner names by its file, for visitors to play."""
    name, options = _split(spec)
    if not is_file_name(name) or options:
        raise SpecError("guard.own-game", got=_quoted(spec))
    return find_game(name).title


def playable_game(spec: str, settings: WebSettings) -> Game:
    """The game, if a visitor may play it."""
    name, options = _split(spec)
    if is_file_name(name) and not (settings.allow_files or name in settings.games):
        raise ForbiddenError("guard.no-files")
    known = options_of(name)  # refuses an unknown name too
    _check_options(name, options, known, file_options_of(name), settings)
    made = find_game(spec)
    if options and made.max_length > MOST_MOVES:
        raise SpecError("guard.long-game", name=name, most=MOST_MOVES, got=made.max_length)
    return made


def check_seat(spec: str, settings: WebSettings, position: Position) -> str:
    """The text name of a player for this position, with the limits of this server added; also of a player inside
    another one, which searches open positions."""
    name, options = _split(spec)
    if is_file_name(name) and not settings.allow_files:
        raise ForbiddenError("guard.no-player-files")
    if name == HUMAN or (name not in REGISTRY and not is_file_name(name)):
        player(spec)  # tells of a name that there is none
        return spec
    kind = load_class(REGISTRY.get(name, name))
    if name == "engine" and not settings.allow_engines:
        raise ForbiddenError("guard.no-engines")
    known = defaults(kind)
    parts, players = getattr(kind, "parts", {}), getattr(kind, "players", ())
    for option in options.keys() & set(players):  # a player inside, which searches with open cards
        options[option] = check_seat(options[option], settings, position.opened())
    plain = {option: value for option, value in options.items() if option not in (*parts, *players)}
    _check_options(name, plain, known, file_options(kind), settings)
    for option in options.keys() & parts.keys():
        _check_part(name, option, options[option], parts[option], settings)
    if name == "engine":
        player(spec).check_sight(position.game)
        return spec
    made = player(spec)  # refuses an unknown option
    made.check_game(position.game)
    if not position.is_open:
        made.check_sight(position.game)
    if not made.keeps_time(position, settings.max_seconds):
        raise SpecError("guard.too-slow", name=name, game=position.game.name, seconds=settings.max_seconds)
    limits = _limits(name, options, known, settings)
    if "seconds" in limits and made.budget is not None and made.budget.sims is not None:
        limits["sims"] = made.budget.sims  # with only a time limit, every search would last that long
    return format_spec(name, options | limits)


def is_allowed(name: str, settings: WebSettings) -> bool:
    """Whether a visitor may use this player at all."""
    return name != "engine" or settings.allow_engines


def is_offered(name: str, game: Game, settings: WebSettings) -> bool:
    """Whether this player, with its usual options, can play a game from its start within the limits, and against
    people. A visitor who may name files can give a player what it lacks."""
    kind: type[Player] = load_class(REGISTRY[name])
    if not is_allowed(name, settings) or (game.is_hidden and kind.sight is not Sight.OWN):
        return False
    is_fit = kind.check_game is Player.check_game or settings.allow_files or _is_fit(kind(), game)
    return is_fit and (kind.keeps_time is Player.keeps_time or kind().keeps_time(game.start(), settings.max_seconds))


def _is_fit(made: Player, game: Game) -> bool:
    try:
        made.check_game(game)
    except DamierError:
        return False
    return True


def refuse_cheats(specs: Iterable[str], game: Game) -> None:
    """Nobody plays hidden cards against a player who sees them."""
    for spec in specs:
        if game.is_hidden and player(spec).sight is Sight.ALL:
            raise SpecError("guard.cheats", name=_quoted(spec))


def _split(spec: str) -> tuple[str, dict[str, str]]:
    if len(spec) > LONGEST_SPEC:
        raise SpecError("guard.long-name", most=LONGEST_SPEC, got=len(spec))
    if not spec.isprintable():
        raise SpecError("guard.unprintable", got=_quoted(spec))
    return split_spec(spec)


def _limits(name: str, options: dict[str, str], known: dict[str, Any], settings: WebSettings) -> dict[str, Any]:
    """The options that limit a search, at most as large as the owner allows."""
    limits: dict[str, Any] = {}
    for option, most in (("seconds", settings.max_seconds), ("memory", settings.max_memory), ("threads", 1)):
        if option not in known:
            continue
        given = options.get(option)
        if given is not None and _is_number(given) and float(given) > most:
            raise SpecError("guard.too-much", name=name, option=option, most=most, got=given)
        default = known[option]
        if given is None and (default is None or (isinstance(default, int | float) and default > most)):
            limits[option] = f"{most:g}"
    return limits


def _check_part(name: str, option: str, value: str, kind: PartKind, settings: WebSettings) -> None:
    """A part of a search that comes with damier, with options of its own; one from a file where files are allowed."""
    part, options = _split(value)
    if part not in kind.registry and not settings.allow_files and not NO_FILE.fullmatch(part):
        raise ForbiddenError("guard.plain-name", name=name, option=option, got=_quoted(value))
    found = kind.find(part)  # also tells of a name that there is none
    _check_options(part, options, defaults(found), file_options(found), settings)


def _check_options(
    name: str, options: dict[str, str], known: dict[str, Any], files: set[str], settings: WebSettings
) -> None:
    """Refuse numbers that are too large and, unless files are allowed, texts that could be paths."""
    for option, value in options.items():
        _check_number(name, option, value, known.get(option))
        if not PLAIN_TEXT.fullmatch(value):
            raise SpecError("guard.plain-word", name=name, option=option, got=_quoted(value))
        is_plain = NO_FILE.fullmatch(value) or _is_number(value)
        if not settings.allow_files and (not is_plain or (option in files and Path(value).exists())):
            raise ForbiddenError("guard.plain-name", name=name, option=option, got=_quoted(value))


def _check_number(name: str, option: str, value: str, default: Any) -> None:
    if not _is_number(value):
        return
    usual = default if isinstance(default, int | float) and default is not inspect.Parameter.empty else 0
    most = LARGEST.get(option, max(LARGEST_NUMBER, 10 * usual))
    if not abs(float(value)) <= most:
        raise SpecError("guard.too-much", name=name, option=option, most=most, got=_quoted(value))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
