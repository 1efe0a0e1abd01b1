"""`engines.toml`: the user's external engines, each a table.

    [pentobi]
    command = "pentobi-gtp --quiet --nobook --noresign --threads 1 --game {game} --level {level}"
    game = { "blokus:board=duo" = "duo", "blokus" = "classic" }
    levels = "1-9"

damier looks for the file in the current directory, then in the user's configuration directory; $DAMIER_ENGINES names
another one.
"""

import os
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from damier.core.errors import SpecError
from damier.core.files import reading
from damier.core.messages import Message, say
from damier.core.numbers import LONGEST

FILE = "engines.toml"
GAME, LEVEL = "game", "level"  # the words in braces that are replaced even if `options` has no such option
MOST_LEVELS = 10_000
GAMES_FOLDER = "/usr/games"  # where Debian keeps them, often outside the search path


class EngineSettings(BaseModel):
    """The settings of an engine. `{option}` in a command or in `setup` is replaced by the option's value."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str | list[str] = Field(min_length=1)
    protocol: str = Field("gtp", pattern="^gtp$")
    game: str | list[str] | dict[str, str] = []  # the games that it plays, or its name of each; empty: any game
    options: dict[str, str | int | float] = {}  # with their defaults
    levels: str | list[str | int | float] = []  # values of the option `level`, the weakest first; "1-9" is a range
    setup: list[str] = []  # commands to send at the start
    colours: list[str] = []  # its names of the sides, in their order; default: b and w, or 1, 2, 3 ...
    moves: dict[str, str] = {}  # from our name of a move to its own, where they differ; "" is not sent
    timeout: float = Field(60.0, gt=0, le=LONGEST)  # seconds for an answer

    def games(self) -> list[str]:
        return [self.game] if isinstance(self.game, str) else list(self.game)

    def own_game(self, fits: Callable[[str], bool]) -> dict[str, str]:
        """Its own name of the game that fits, to be filled in; empty if it has only ours."""
        named = self.game.items() if isinstance(self.game, dict) else ()
        return dict([(GAME, theirs) for ours, theirs in named if fits(ours)][:1])

    def all_levels(self) -> list[str]:
        """Its levels, the weakest first; empty if it has none, or for a text that is no range."""
        if not isinstance(self.levels, str):
            return [str(level) for level in self.levels]
        found = _RANGE.fullmatch(self.levels)
        first, last = map(int, found.groups()) if found else (1, 0)
        return [str(level) for level in range(first, last + 1)] if last - first < MOST_LEVELS else []

    def all_options(self) -> dict[str, str]:
        """Its options with their defaults. An engine with levels has the option `level`, by default the weakest."""
        levels = self.all_levels()
        weakest = {LEVEL: levels[0]} if levels else {}
        return weakest | {option: str(value) for option, value in self.options.items()}

    def fault(self) -> tuple[str, Message] | None:
        """The first key whose value fits no other one, and why."""
        places = [self.command] if isinstance(self.command, str) else self.command
        level, levels = f"{{{LEVEL}}}", self.all_levels()
        if self.levels and not levels:
            return "levels", say("engine.levels", got=self.levels)
        if levels and not any(level in place for place in [*places, *self.setup]):
            return "levels", say("engine.level-nowhere", place=level)
        if levels and self.all_options()[LEVEL] not in levels:
            return f"options.{LEVEL}", say("engine.level", levels=levels, got=self.all_options()[LEVEL])
        if isinstance(self.game, dict) and GAME in self.options:
            return f"options.{GAME}", say("engine.two-games", place=f"{{{GAME}}}")
        return None


_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def find_file() -> Path | None:
    named = os.environ.get("DAMIER_ENGINES")
    if named:
        return Path(named)
    places = (Path(FILE), Path(platformdirs.user_config_dir("damier")) / FILE)
    return next((place for place in places if place.is_file()), None)


def read_engine(name: str) -> EngineSettings:
    """Read an engine from the user's file by its name."""
    path = find_file()
    if path is None:
        where = Path(platformdirs.user_config_dir("damier")) / FILE
        raise SpecError("engine.no-file", file=FILE, engine=name, where=where)
    with reading(path):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    if name not in tables:
        raise SpecError("engine.unknown" if tables else "engine.empty-file", engine=name, path=path, known=list(tables))
    try:
        settings = EngineSettings.model_validate(tables[name])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([name, *map(str, first["loc"])])
        raise SpecError("engine.bad-file", path=path, place=place, why=first["msg"]) from None
    fault = settings.fault()
    if fault is not None:
        raise SpecError("engine.bad-file", path=path, place=f"{name}.{fault[0]}", why=fault[1])
    return settings


def words_of_command(name: str, settings: EngineSettings, options: Mapping[str, str]) -> list[str]:
    """The words of the command, with the full path of the program."""
    words = shlex.split(settings.command) if isinstance(settings.command, str) else list(settings.command)
    words = [fill_in(word, options) for word in words]
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES_FOLDER) if words else None
    if program is None:
        raise SpecError("engine.no-program", engine=name, program=words[0] if words else "")
    return [program, *words[1:]]


def chosen_options(name: str, settings: EngineSettings, given: Mapping[str, str]) -> dict[str, str]:
    """The defaults of the file, overridden by the given options."""
    known, levels = settings.all_options(), settings.all_levels()
    for option in given:
        if option not in known:
            listed = ", ".join(f"{key}={value}" for key, value in known.items())
            key = "engine.no-option" if listed else "engine.no-options"
            raise SpecError(key, engine=name, option=option, file=FILE, known=listed)
    chosen = known | dict(given)
    if levels and chosen[LEVEL] not in levels:
        raise SpecError("engine.no-level", engine=name, levels=levels, got=chosen[LEVEL])
    return chosen


def fill_in(text: str, options: Mapping[str, str]) -> str:
    for option, value in options.items():
        text = text.replace(f"{{{option}}}", value)
    return text
