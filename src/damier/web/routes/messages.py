"""The messages that a page may send over its live connection, declared like the bodies of requests.

Each is a JSON object that says what to `do`; `docs/web.md` lists the server's answers.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from damier.core.errors import DamierError
from damier.core.messages import Message as Said
from damier.core.messages import say
from damier.web.answers import fault_of_field
from damier.web.routes.play import Body, Moves, Notation, Spec

LONGEST_MESSAGE = 100_000  # characters
DEEPEST_PATH = 500  # moves below the analysed position
MOST_RUNS = 8  # side by side


class Watch(Body):
    """Follow a game: the server sends its state after every change."""

    do: Literal["watch"]
    id: str = Field(min_length=1, max_length=64)


class Unwatch(Body):
    do: Literal["unwatch"]


class Analyse(Body):
    """Analyse a position, or the position after `through`, one of its moves; a page has one analysis at a time."""

    do: Literal["analyse"]
    game: Spec
    player: Spec
    moves: Moves = Field(default_factory=list)
    through: Notation | None = None
    tag: int | Annotated[str, Field(max_length=40)] | None = Field(None, description="Comes back with each answer.")


class Advise(Body):
    """Analyse the current position of a game as your seat sees it; a game of hidden information has no other way."""

    do: Literal["advise"]
    id: str = Field(min_length=1, max_length=64)
    player: Spec
    tag: int | Annotated[str, Field(max_length=40)] | None = Field(None, description="Comes back with each answer.")


class Stop(Body):
    """Stop the analysis."""

    do: Literal["stop"]


class ShowNode(Body):
    """Ask for a node of the search tree, with its children."""

    do: Literal["look"]
    path: list[Notation] = Field(default_factory=list, max_length=DEEPEST_PATH)


class Follow(Body):
    """Follow a tournament: the server sends it after every game."""

    do: Literal["follow"]
    event: int = Field(ge=1, le=2**31 - 1)


class FollowRuns(Body):
    """Follow a training run: the server sends it after every iteration; `a+b` are two runs."""

    do: Literal["run"]
    name: str = Field(min_length=1, max_length=400)

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(self.name.split("+")))[:MOST_RUNS]


class Unfollow(Body):
    """Stop following tournaments and runs."""

    do: Literal["unfollow"]


Message = Watch | Unwatch | Analyse | Advise | Stop | ShowNode | Follow | FollowRuns | Unfollow

_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="do")])
_NAMES = "watch, unwatch, analyse, advise, stop, look, follow, run, unfollow"


def read_message(text: str | None) -> Message:
    """Parse a message; an invalid one is an error with one sentence."""
    if text is None:
        raise DamierError("web.bytes")
    if len(text) > LONGEST_MESSAGE:
        raise DamierError("web.long-message", most=LONGEST_MESSAGE, got=len(text))
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        raise DamierError(_explain(error)) from None


def _explain(error: ValidationError) -> Said:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return say("web.no-object")
    if first["type"].startswith("union_tag"):
        return say("web.no-task", known=_NAMES)
    return fault_of_field(first, first["loc"][1:])
