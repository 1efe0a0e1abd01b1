"""The Go Text Protocol, version 2: how a controller talks to an engine, for any game.

A command is a line. The answer begins with `=`, or with `?` if the engine refuses, and ends with an empty line. A
colour says who moves. A game with two sides has `b` and `w`; one with more has `1`, `2`, `3` ... as Pentobi names them.
Most games have a side for each player. If a player has several, the field `colour` of the position says which of them
moves, and `num_colours` of the rules says how many there are.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence

from damier.core.errors import ForfeitError
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.core.position import Position

LONGEST_ANSWER = 1_000_000  # bytes; more is refused
LAST_WORDS = 2000  # characters kept of an engine's stderr
PATIENCE = 5.0  # seconds for the engine to end after `quit`
CHANCE_COLOUR = "chance"


class RefusalError(ForfeitError):
    """An answer with `?`: the engine refused a command."""


def sides(game: Game) -> tuple[str, ...]:
    """The colours of a game, in the order of their turns."""
    count = int(game.num_colours)
    return ("b", "w") if count == 2 else tuple(str(number + 1) for number in range(count))


def side_to_move(pos: Position) -> int:
    """The number of the colour whose turn it is."""
    return int(pos.game.rules.colour_to_move(pos.state)) if pos.game.has("colour_to_move") else pos.player


class GtpClient:
    """An engine, started in its own process.

    Any failure is a ForfeitError, and the process is ended, because its next answers could not be trusted.
    """

    def __init__(self, name: str, command: Sequence[str], timeout: float = 60.0) -> None:
        self.name, self.timeout = name, timeout
        try:
            # In its own session: Ctrl-C is for us, and processes that the engine has started end with it.
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise self._error(say("engine.not-started", why=error.strerror or error, program=command[0])) from None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._answers, self._errors = self.process.stdout.fileno(), self.process.stderr.fileno()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._answers, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._heard = b""  # received and not processed yet
        self._last_words = b""
        self.is_closed = False

    def send(self, command: str, timeout: float | None = None) -> str:
        """The answer to a command, without its sign."""
        if self.is_closed:
            raise self._error(say("engine.stopped"))
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{command}\n".encode())
            self.process.stdin.flush()
        except OSError:
            raise self._ended(command) from None
        answer = self._receive(command, timeout or self.timeout)
        sign, text = answer[:1], answer[1:].strip()
        if sign == "=":
            return text
        if sign == "?":
            raise RefusalError("engine.refused", engine=self.name, command=command, why=_shown(text))
        self.close()
        raise self._error(say("engine.no-sign", command=command, got=_shown(answer)))

    def close(self) -> None:
        """Ask the engine to quit, and end it if it does not."""
        if self.is_closed:
            return
        self.is_closed = True
        self._selector.close()
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.write(b"quit\n")
            self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _kill(self.process)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()

    def _receive(self, command: str, timeout: float) -> str:
        """Everything up to the next empty line."""
        deadline = time.monotonic() + timeout
        while True:
            self._heard = self._heard.replace(b"\r", b"").lstrip(b"\n")
            answer, end, rest = self._heard.partition(b"\n\n")
            if end:
                self._heard = rest
                return answer.decode(errors="replace")
            if len(self._heard) > LONGEST_ANSWER:
                self._stop()
                raise self._error(say("engine.endless", command=command, count=len(self._heard)))
            waiting = self._selector.select(deadline - time.monotonic())
            if not waiting:
                self._stop()
                raise self._error(say("engine.silent", command=command, seconds=timeout))
            for key, _ in waiting:
                self._listen(key.fd, command)

    def _listen(self, pipe: int, command: str) -> None:
        said = os.read(pipe, 1 << 16)
        if pipe == self._answers:
            if not said:
                raise self._ended(command)
            self._heard += said
        elif said:
            self._last_words = (self._last_words + said)[-LAST_WORDS:]
        else:
            self._selector.unregister(pipe)

    def _ended(self, command: str) -> ForfeitError:
        self._stop()
        facts = {"code": self.process.returncode, "command": command, "why": self._explanation()}
        return self._error(say("engine.ended", **facts))

    def _explanation(self) -> str:
        lines = [line.strip() for line in self._last_words.decode(errors="replace").splitlines() if line.strip()]
        return f": {_shown(lines[-1])}" if lines else ""

    def _stop(self) -> None:
        """End the process without asking, and read its last stderr output."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)  # it may be about to end by itself, with a useful exit code
        _kill(self.process)
        with contextlib.suppress(OSError, ValueError):
            os.set_blocking(self._errors, False)
            self._last_words = (self._last_words + (os.read(self._errors, 1 << 16) or b""))[-LAST_WORDS:]
        self.close()

    def _error(self, what: Message) -> ForfeitError:
        return ForfeitError("engine.fault", engine=self.name, what=what)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _shown(text: str) -> str:
    return " ".join(text.split())[:200]
