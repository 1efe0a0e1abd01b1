"""The replay memory: the last positions of self-play, and the files that hold them.

A file holds the games of one iteration. Each game is appended by one write the moment it ends:

    length, checksum (CRC-32), the game's data, compressed

A kill can therefore only tear the last one. A file that is damaged elsewhere is used up to the damage, with a note.
"""

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import DamierError
from damier.core.files import sync_folder, write_file, writing
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.zero.endings import Endings, endings_of, joined
from damier.zero.samples import FinishedGame, Samples, concatenate

Note = Callable[[str], None]
"""A function that shows a line to the observer."""

_FRAME = struct.Struct("<II")  # length, checksum
_COUNTS = struct.Struct("<qqIIII")  # number, seed, positions, legal moves in all, moves played, of them the opening
_LARGEST = 1 << 28  # bytes of a game; more means damage


class GameFile:
    """The games of an iteration."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game = path, game

    @property
    def _head(self) -> bytes:
        """The first entry: the game that the records belong to."""
        return json.dumps({"game": self.game.name, "record": str(self.game.dtype), "format": 1}).encode()

    def create(self, games: list[FinishedGame]) -> None:
        """Write the file again, with these games."""
        write_file(self.path, _framed(self._head) + b"".join(_framed(pack_game(game)) for game in games))

    def append(self, game: FinishedGame) -> None:
        with writing(self.path):
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            try:
                before = os.fstat(handle).st_size
                data = _framed(pack_game(game))
                if os.write(handle, data) < len(data):  # a full disk writes only a part
                    os.ftruncate(handle, before)
                    raise OSError(28, "No space left on device")
            finally:
                os.close(handle)

    def sync(self) -> None:
        with writing(self.path):
            handle = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        sync_folder(self.path.parent)

    def read(self, most: int | None = None) -> tuple[list[FinishedGame], Message | None]:
        """Up to `most` intact games, and a description of the damage, if any."""
        data = self.path.read_bytes()
        games: list[FinishedGame] = []
        try:
            entries = _entries(data)
            head = next(entries, None)
            if head is None:
                return [], say("replay.empty")
            if head != self._head:
                raise DamierError("replay.other-game", path=self.path, got=_name_in(head), game=self.game.name)
            games.extend(unpack_game(entry, self.game) for entry in islice(entries, most))
        except _DamageError as damage:
            return games, damage.message
        return games, None


class Memory:
    """The positions of the last iterations, up to a capacity, and their files."""

    def __init__(self, folder: Path, game: Game, capacity: int, note: Note, with_endings: bool = False) -> None:
        self.folder, self.game, self.capacity, self.note = folder, game, capacity, note
        self.with_endings = with_endings
        self.parts: dict[int, Samples] = {}  # by iteration
        self._endings: dict[int, Endings] = {}  # likewise

    def load(self, before: int) -> None:
        """Read the files of the iterations before this one, the newest first, until the memory is full."""
        self.parts.clear()
        for iteration in sorted((number for number in self.stored() if number < before), reverse=True):
            if len(self) >= self.capacity:
                break
            games, damage = self.file(iteration).read()
            if damage:
                self.note(say("replay.some-used", path=self.file(iteration).path, why=damage, count=len(games)))
            self.add(iteration, games)

    def begin(self, iteration: int) -> list[FinishedGame]:
        """Prepare the iteration's file for more games, and return those that are in it."""
        file = self.file(iteration)
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        if not file.path.exists():
            file.create([])
            return []
        games, damage = file.read()
        if damage:
            aside = file.path.with_suffix(".damaged")
            facts = {"path": file.path, "why": damage, "count": len(games), "aside": aside.name}
            self.note(say("replay.some-kept", **facts))
            with writing(aside):
                file.path.replace(aside)
            file.create(games)
        return games

    def add(self, iteration: int, games: list[FinishedGame]) -> None:
        """Add these games, in an order that does not depend on when each of them ended."""
        ordered = sorted(games, key=lambda game: game.number)
        if ordered:
            self.parts[iteration] = concatenate([game.samples for game in ordered])
            if self.with_endings:
                self._endings[iteration] = endings_of(self.game, ordered)

    def forget(self) -> None:
        """Drop the iterations, and their files, that the memory has no room for."""
        kept = 0
        for iteration in sorted(self.parts, reverse=True):
            if kept >= self.capacity:
                del self.parts[iteration]
                self._endings.pop(iteration, None)
            else:
                kept += len(self.parts[iteration])
        oldest = min(self.parts, default=0)
        for iteration in self.stored():
            if iteration < oldest:
                self.file(iteration).path.unlink(missing_ok=True)

    def samples(self) -> Samples:
        """The last `capacity` positions."""
        joined = concatenate([self.parts[iteration] for iteration in sorted(self.parts)])
        return last(joined, self.capacity)

    def endings(self) -> Endings | None:
        """The ends of the games of these positions, if they are kept."""
        if not self.with_endings:
            return None
        return joined([self._endings[iteration] for iteration in sorted(self.parts)]).of_last(self.capacity)

    def file(self, iteration: int) -> GameFile:
        return GameFile(self.folder / f"{iteration:05}.games", self.game)

    def stored(self) -> list[int]:
        return sorted(int(path.stem) for path in self.folder.glob("*.games") if path.stem.isdigit())

    def __len__(self) -> int:
        return sum(map(len, self.parts.values()))


def last(samples: Samples, count: int) -> Samples:
    start = max(0, len(samples) - count)
    if not start:
        return samples
    first_move = samples.offsets[start]
    return Samples(
        states=samples.states[start:],
        offsets=samples.offsets[start:] - first_move,
        actions=samples.actions[first_move:],
        probs=samples.probs[first_move:],
        outcomes=samples.outcomes[start:],
        searched=samples.searched[start:],
        weights=samples.weights[start:],
    )


# -- a game as bytes ---------------------------------------------------------------------------------------------------


def pack_game(game: FinishedGame) -> bytes:
    samples = game.samples
    counts = _COUNTS.pack(game.number, game.seed, len(samples), len(samples.actions), len(game.moves), game.opening)
    arrays = (
        np.array(game.moves, np.int64),
        np.array(game.returns, np.float64),
        samples.states,
        samples.offsets,
        samples.actions,
        samples.probs,
        samples.outcomes,
        samples.searched,
        samples.weights,
    )
    return zlib.compress(counts + b"".join(array.tobytes() for array in arrays), 1)


def unpack_game(packed: bytes, game: Game) -> FinishedGame:
    try:
        data = zlib.decompress(packed)
        number, seed, positions, legal, moves, opening = _COUNTS.unpack_from(data)
        take = _Taker(data, _COUNTS.size)
        players = game.num_players
        played, returns = take(np.int64, moves), take(np.float64, players)
        samples = Samples(
            states=take(game.dtype, positions),
            offsets=take(np.int64, positions + 1),
            actions=take(np.int32, legal),
            probs=take(np.float32, legal),
            outcomes=take(np.float32, positions * players).reshape(positions, players),
            searched=take(np.float32, positions * players).reshape(positions, players),
            weights=take(np.float32, positions),
        )
    except (ValueError, struct.error, zlib.error) as error:
        raise _DamageError("replay.bad-game", why=error) from None
    return FinishedGame(number, seed, tuple(played.tolist()), opening, tuple(returns.tolist()), samples)


class _Taker:
    """Reads arrays, one after the other."""

    def __init__(self, data: bytes, start: int) -> None:
        self.data, self.at = data, start

    def __call__(self, dtype: Any, count: int) -> NDArray[Any]:
        array = np.frombuffer(self.data, dtype, count, self.at)
        self.at += array.nbytes
        return array


class _DamageError(DamierError):
    """Damage in a file; the message describes it."""


def _framed(payload: bytes) -> bytes:
    return _FRAME.pack(len(payload), zlib.crc32(payload)) + payload


def _entries(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        start = at + _FRAME.size
        if start > len(data):
            raise _DamageError("replay.breaks-off", byte=at)
        length, checksum = _FRAME.unpack_from(data, at)
        if length > _LARGEST:
            raise _DamageError("replay.damaged", byte=at)
        if start + length > len(data):
            raise _DamageError("replay.breaks-off", byte=at)
        payload = data[start : start + length]
        if zlib.crc32(payload) != checksum:
            raise _DamageError("replay.damaged", byte=at)
        yield payload
        at = start + length


def _name_in(head: bytes) -> str:
    try:
        return str(json.loads(head)["game"])
    except (ValueError, KeyError, TypeError):
        return say("replay.another-program")
