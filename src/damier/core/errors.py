"""Every error that damier raises on purpose.

Each message says what was expected, what came, and what to do. The command line prints it as one line
and ends with exit code 2; anything else that escapes is a bug.
"""


class DamierError(Exception):
    """Bad input, or a game whose rules are wrong: the message is meant for the user."""


class SpecError(DamierError):
    """A text name (`connect4:rows=7`) names nothing we have, or carries an option that does not fit."""


class MoveError(DamierError):
    """A move that is illegal in the position, or text that is no move at all."""


class ForfeitError(DamierError):
    """The player to move has lost by failing: it crashed, fell silent, or gave what is no legal move."""


class PositionError(DamierError):
    """A text that is no position of the game, or one that no game leads to."""


class RulesError(DamierError):
    """The rules of a game break the protocol: a missing method, an impossible count, a broken law."""


class CompileError(RulesError):
    """A rule that the compiler refuses. `details` keeps the compiler's own words."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details
