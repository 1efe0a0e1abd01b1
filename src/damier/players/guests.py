"""Players of your own: a class with only `choose` or `search` can play.

    class Corner:
        def choose(self, pos):
            return pos.moves()[0]

A `Guest` adds to an instance of such a class the rest of what `Player` declares. Any failure in it is a `ForfeitError`:
the class has lost the game, and nothing else is affected.
"""

import contextlib
import inspect
import operator
import reprlib
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from damier.core.errors import ForfeitError, MoveError, RulesError, SpecError
from damier.core.messages import say
from damier.core.position import Position
from damier.core.spec import build, defaults, format_spec
from damier.players.printing import printing_to_stderr
from damier.search.player import Player
from damier.search.result import SearchNode, SearchResult

LONGEST = 200  # characters of a foreign message
METHODS = ("choose(self, pos)", "choose(self, pos, seed)", "search(self, pos, seed)")


def seated(given: object, name: str = "") -> Player:
    """Make a player of a class or an instance; errors call it `name`."""
    with printing_to_stderr():
        made = build(given, given.__qualname__, {}) if isinstance(given, type) else given
    return made if isinstance(made, Player) and is_ours(type(made)) else Guest(made, name or title_of(made))


def is_ours(cls: type) -> bool:
    """Whether a class comes with damier."""
    return cls.__module__.partition(".")[0] == "damier"


def title_of(given: object) -> str:
    """The name of a class or an instance in tables: its `name`, or else its class with the changed options."""
    name = getattr(given, "name", None)
    if isinstance(name, str) and name.strip():
        return " ".join(name.split())
    if isinstance(given, type):
        return given.__name__
    changed, options = {}, {}
    with contextlib.suppress(TypeError, ValueError, NameError):  # a constructor whose signature can't be read
        options = defaults(type(given))
    for option, default in options.items():
        value = getattr(given, option, default)
        if isinstance(value, bool | int | float | str) and value != default:
            changed[option] = value
    return format_spec(type(given).__name__, changed)


class Guest(Player):
    """A player of your own: a class in a file or in Python, with `choose` or `search`."""

    def __init__(self, own: Any, name: str) -> None:
        self.own, self.name = own, name
        self._method = _method_of(own, name)
        self.takes_seed = "seed" in inspect.signature(self._method).parameters

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        answer = self._call(pos, self._method, pos, **({"seed": seed} if self.takes_seed else {}))
        found = answer if isinstance(answer, SearchResult) else SearchResult(answer, "")
        move = self._read(pos, found.move)
        seconds = found.seconds or time.perf_counter() - began
        return replace(found, move=move, notation=pos.notation(move), pv=found.pv or (move,), seconds=seconds)

    def prepare(self, pos: Position) -> None:
        self._call(pos, getattr(self.own, "prepare", super().prepare), pos)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        return bool(self._call(pos, getattr(self.own, "keeps_time", super().keeps_time), pos, seconds))

    def judged(self, pos: Position) -> Position:
        judged: Position = self._call(pos, getattr(self.own, "judged", super().judged), pos)
        return judged

    def node(self, path: Sequence[int]) -> SearchNode | None:
        with printing_to_stderr():
            found: SearchNode | None = getattr(self.own, "node", super().node)(path)
        return found

    def close(self) -> None:
        """Close the player; an error at the end of a game does not change its result, and is only reported."""
        with printing_to_stderr():
            try:
                getattr(self.own, "close", super().close)()
            except Exception as error:
                print(say("player.failed-at-end", player=self.name, why=_told(error)).text(), file=sys.stderr)

    def _call(self, pos: Position, method: Callable[..., Any], *given: Any, **named: Any) -> Any:
        try:
            with printing_to_stderr():
                return method(*given, **named)
        except RulesError:  # not the player's fault
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _may_be_ctrl_c():
                raise
            raise ForfeitError("player.failed", player=self.name, number=_number(pos), why=_told(error)) from error

    def _read(self, pos: Position, answer: Any) -> int:
        """The legal move in the answer."""
        try:
            move = pos.parse(answer) if isinstance(answer, str) else operator.index(answer)
            if not isinstance(answer, bool) and move in pos.moves():
                return move
        except MoveError:
            pass
        except TypeError:
            got = reprlib.repr(answer)
            raise ForfeitError("player.returned", player=self.name, got=got, number=_number(pos)) from None
        got = " ".join(reprlib.repr(answer).split())
        raise ForfeitError("player.illegal", player=self.name, got=got, number=_number(pos))


def _method_of(own: object, name: str) -> Callable[..., Any]:
    """The method that finds a move."""
    is_own = getattr(type(own), "search", Player.search) is not Player.search
    method: Any = getattr(own, "search" if is_own else "choose", None)
    if not callable(method):
        raise SpecError("player.lacks", player=name, methods=METHODS)
    parameters = list(inspect.signature(method).parameters.values())
    needed = [each.name for each in parameters if each.default is each.empty and each.kind not in _ANY]
    takes_pos = any(each.kind in _PLACES for each in parameters[:1])
    if not takes_pos or set(needed[1:]) - {"seed"}:
        got = f"{method.__name__}{inspect.signature(method)}"
        raise SpecError("player.signature", player=name, methods=METHODS, got=got)
    return method  # type: ignore[no-any-return]


_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_PLACES = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def _may_be_ctrl_c() -> bool:
    """Whether the user can interrupt this thread: only the main one, and no process that ignores the signal."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def _number(pos: Position) -> int:
    """Of the move that was asked for."""
    return len(pos.history) + 1


def _told(error: BaseException) -> str:
    """`mine.py line 12: ZeroDivisionError: division by zero`: the innermost line of the player's own file."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # the first is ours
    lines = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    message = " ".join(str(error).split())[:LONGEST]
    why = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return say("player.line", file=Path(frames[0].filename).name, line=lines[-1], why=why) if lines else why
