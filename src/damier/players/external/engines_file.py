"""`engines.toml`: the user's external engines, each a table.

    [pentobi]
    command = "pentobi-gtp --quiet --nobook --noresign --level {level}"
    game = "blokus:board=duo"
    options = { level = 3 }
    setup = ["set_game Blokus Duo"]

damier looks for the file in the current directory, then in the user's configuration directory; $DAMIER_ENGINES names
another one.
"""

import os
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from damier.core.errors import SpecError
from damier.core.files import reading
from damier.core.numbers import LONGEST
from damier.core.spec import unknown

FILE = "engines.toml"
GAMES_FOLDER = "/usr/games"  # where Debian keeps them, often outside the search path


class EngineSettings(BaseModel):
    """The settings of an engine. `{option}` in a command or in `setup` is replaced by the option's value."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str | list[str] = Field(min_length=1)
    protocol: str = Field("gtp", pattern="^gtp$")
    game: str | list[str] = []  # the games that it plays; empty: any game
    options: dict[str, str | int | float] = {}  # with their defaults
    setup: list[str] = []  # commands to send at the start
    colours: list[str] = []  # its names of the sides, in their order; default: b and w, or 1, 2, 3 ...
    moves: dict[str, str] = {}  # from our name of a move to its own, where they differ
    timeout: float = Field(60.0, gt=0, le=LONGEST)  # seconds for an answer

    def games(self) -> list[str]:
        return [self.game] if isinstance(self.game, str) else self.game


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
        raise unknown("engine", name, tables, f"cat {path}")
    try:
        return EngineSettings.model_validate(tables[name])
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([name, *map(str, first["loc"])])
        raise SpecError("engine.bad-file", path=path, place=place, why=first["msg"]) from None


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
    for option in given:
        if option not in settings.options:
            known = ", ".join(f"{key}={value}" for key, value in settings.options.items())
            key = "engine.no-option" if known else "engine.no-options"
            raise SpecError(key, engine=name, option=option, file=FILE, known=known)
    return {option: str(value) for option, value in settings.options.items()} | dict(given)


def fill_in(text: str, options: Mapping[str, str]) -> str:
    for option, value in options.items():
        text = text.replace(f"{{{option}}}", value)
    return text
