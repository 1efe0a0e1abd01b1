"""A database on the disk: one file for each game, mapped into memory, every byte of it covered by checksums.

A file is a row of sections, each of them:

    8 bytes     the length of the head
    32 bytes    SHA-256 of what follows
    the head    JSON, with spaces at its end so that the length is a multiple of 8
    the words   64-bit, as `packing` lays them out; the head says how many

The first section has no words and names the game. Then comes one for each ending, in the order and with the sizes that
the rules give. The last section marks the end: a file that was cut off between two sections lacks it. During a build
the file has another name and no end.
"""

import hashlib
import itertools
import json
import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from damier.core import calls
from damier.core.compile import data_of
from damier.core.errors import DamierError, SpecError
from damier.core.files import is_file, user_path
from damier.core.fingerprint import fingerprint
from damier.core.game import Game
from damier.core.messages import message_of
from damier.core.position import Position
from damier.search.endgames.packing import Words
from damier.search.endgames.probing import NO_RESULT, Endgames, stored_result

FORMAT = "damier endgames 1"
WORD = 8
CHECKSUM = 32


class EndgameError(DamierError):
    """A database that is missing, damaged, or made for other rules."""


@dataclass(frozen=True)
class Section:
    head: dict[str, Any]
    start: int  # where its words start in the file, in words
    end: int  # in bytes

    def words(self, data: Any) -> Words:
        return np.frombuffer(data, np.int64, self.head.get("words", 0), self.start * WORD)


def endgame_folder() -> Path:
    """The folder of the databases: `$DAMIER_ENDGAMES`, or the user's data directory."""
    return Path(os.environ.get("DAMIER_ENDGAMES") or Path(platformdirs.user_data_dir("damier")) / "endgames")


def endgame_file(game: Game, folder: Path) -> Path:
    return folder / f"{re.sub(r'[^A-Za-z0-9._=-]+', '-', game.endings_key)}.endgames"


def check_has_endings(game: Game) -> None:
    if game.is_hidden:
        raise SpecError("search.hidden-solve", game=game.name)
    missing = [rule for rule in ("endings", "ending", "set_ending") if not game.has(rule)]
    if missing:
        raise SpecError("endgame.no-rules", game=game.name, missing=[f"`{rule}`" for rule in missing])
    if game.num_players != 2 or game.uses_chance:
        raise SpecError("endgame.two-players", game=game.name)


def list_endings(game: Game, pieces: int) -> list[tuple[str, int]]:
    """Name and size of each ending with at most that many pieces."""
    check_has_endings(game)
    try:
        endings: list[tuple[str, int]] = game.rules.endings(pieces)
    except ValueError as error:
        raise SpecError("spec.refused", name=game.name, why=message_of(error)) from error
    return endings


def rules_of(game: Game) -> dict[str, str]:
    """What identifies the rules of a database: their version, or else a hash of code and data."""
    rules: Any = type(game.rules)
    version = game.version
    if version is None:
        code = fingerprint(rules.moves, rules.play, rules.returns, rules.ending, rules.set_ending)
        data = {name: np.asarray(value).tolist() for name, value in sorted(data_of(game.rules).items())}
        version = f"{code}-{hashlib.sha256(repr(data).encode()).hexdigest()[:16]}"
    return {"game": str(game.endings_key), "version": str(version)}


# -- writing -------------------------------------------------------------------------------------------------


def section_bytes(head: dict[str, Any], words: Words) -> bytes:
    text = json.dumps(head | {"words": words.size}).encode()
    text += b" " * (-len(text) % WORD)
    body = text + words.astype("<i8").tobytes()
    return len(text).to_bytes(WORD, "little") + hashlib.sha256(body).digest() + body


# -- reading -----------------------------------------------------------------------------------------------


def map_file(path: Path) -> Any:
    """The bytes of a file, read when they are used."""
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise EndgameError("endgame.none", path=path) from None
    except (OSError, ValueError) as error:  # ValueError: the file is empty
        raise EndgameError("file.unreadable", path=path, why=error) from None


def sections(data: Any) -> Iterator[Section]:
    """The sections of a file, up to the first that is cut off or altered."""
    position = 0
    while position + WORD + CHECKSUM <= len(data):
        length = int.from_bytes(data[position : position + WORD], "little")
        body = position + WORD + CHECKSUM
        if length % WORD or body + length > len(data):
            return
        try:
            head = json.loads(data[body : body + length])
            end = body + length + WORD * int(head["words"])
        except (ValueError, KeyError, TypeError):
            return
        if end > len(data) or hashlib.sha256(memoryview(data)[body:end]).digest() != data[position + WORD : body]:
            return
        yield Section(head, (body + length) // WORD, end)
        position = end


class Database:
    """The solved endings of a game, from a checked file."""

    def __init__(self, game: Game, path: Path) -> None:
        check_has_endings(game)
        data = map_file(path)
        found = list(sections(data))
        check_rules(game, path, found)
        pieces = found[-1].head.get("pieces") if "end" in found[-1].head else None
        if not isinstance(pieces, int) or found[-1].end != len(data):
            raise EndgameError("endgame.altered", path=path)
        expected = list_endings(game, pieces)
        solved = solved_in(found, expected)
        if not len(solved) == len(expected) == len(found) - 2:
            raise EndgameError(
                "endgame.other-endings",
                path=path,
                game=game.name,
                expected=len(expected),
                pieces=pieces,
                got=len(found) - 2,
                right=len(solved),
            )
        self.path, self.bytes, self.pieces = path, len(data), pieces
        self.endings = [section.head for section in solved]
        self.endgames = endgames_in(data, solved)

    def result(self, pos: Position) -> int | None:
        """How a position ends, for the player to move: 0 a draw, n + 1 a win in n moves, -n - 1 a loss, None if absent.

        Rules against long games are ignored.
        """
        number, index, _ = pos.game.run(calls.ending, pos.state)
        result = int(stored_result(self.endgames, number, index))
        return None if result == NO_RESULT else result


def check_rules(game: Game, path: Path, found: list[Section]) -> None:
    """Raise an EndgameError if the file does not begin as one for these rules."""
    head = found[0].head if found else {}
    if head.get("format") != FORMAT:
        raise EndgameError("endgame.no-database", path=path)
    made_for = {name: head.get(name) for name in ("game", "version")}
    if made_for != rules_of(game):
        theirs, ours = (" ".join(map(str, rules.values())) for rules in (made_for, rules_of(game)))
        raise EndgameError("endgame.other-rules", path=path, theirs=theirs, ours=ours)


def solved_in(found: list[Section], endings: list[tuple[str, int]]) -> list[Section]:
    """The sections of endings from the first on, as long as their names and sizes match the rules."""
    pairs = zip(found[1:], endings, strict=False)
    right = itertools.takewhile(lambda pair: (pair[0].head.get("name"), pair[0].head.get("size")) == pair[1], pairs)
    return [section for section, _ in right]


def endgames_in(data: Any, solved: list[Section]) -> Endgames:
    """The sections of some endings, for searches."""
    words = np.frombuffer(data, np.int64) if solved else np.zeros(0, np.int64)
    return Endgames(words, np.array([section.start for section in solved], np.int64))


def find_endgames(game: Game, where: str) -> Database | None:
    """The database that a player's option names: a folder or a file; `auto` is the default folder, if it has one."""
    check_has_endings(game)
    path = endgame_folder() if where == "auto" else user_path(where)
    path = path if is_file(path) else endgame_file(game, path)
    return None if where == "auto" and not is_file(path) else Database(game, path)
