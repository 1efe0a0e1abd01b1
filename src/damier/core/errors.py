"""Every error that damier raises on purpose.

Each message says what was expected, what came, and what to do. The command line prints it as one line
and ends with exit code 2; anything else that escapes is a bug.

    raise SpecError("budget.not-positive", option="sims", got=0)      a key of the tables, and facts
    raise SpecError("expected sims above 0, got 0")                   a sentence of one's own, in one language
    raise RulesError("rules.too-long", "limit", limit)                in compiled code, which has no keyword arguments
"""

from typing import Any

from damier.core.messages import Message, is_key, say


class DamierError(Exception):
    """Bad input, or wrong rules of a game; the message is for the user."""

    def __init__(self, message: str = "", /, *pairs: Any, **facts: Any) -> None:
        if isinstance(message, Message):
            said = message
        elif is_key(message):
            said = say(message, **dict(zip(pairs[::2], pairs[1::2], strict=True)), **facts)
        else:
            said = Message(" ".join(map(str, (message, *pairs))))
        super().__init__(said)

    @property
    def message(self) -> Message:
        said: Message = self.args[0]
        return said

    def text(self, lang: str | None = None) -> str:
        """The sentence in a language, by default the current one."""
        return self.message.text(lang)


class SpecError(DamierError):
    """A text name (`connect4:rows=7`) that is unknown or has a wrong option."""


class MoveError(DamierError):
    """A move that is illegal in the position, or a text that is not a move."""


class ForfeitError(DamierError):
    """The player to move has lost by failing: it crashed, hung, or gave an illegal move."""


class PositionError(DamierError):
    """A text that is not a position of the game, or a position that can't occur."""


class RulesError(DamierError):
    """The rules of a game break the protocol: a missing method, an impossible count, a broken law."""


class CompileError(RulesError):
    """A rule that the compiler refuses. `details` is the compiler's message."""

    def __init__(self, message: str, /, details: str = "", **facts: Any) -> None:
        super().__init__(message, **facts)
        self.details = details
