"""The arguments that commands share, and how every command reads its own."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from damier.core.numbers import fault_of

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="`name[:option=value,...]`, or `path/to/file.py:Class` for your own game."),
]
Moves = Annotated[str, typer.Option(help="Moves to play first, in the game's notation: `--moves 'd d c'`.")]
PositionText = Annotated[
    str | None,
    typer.Option("--position", help="The start position as text; the game's page describes the format."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Seed = Annotated[int, typer.Option(help="The seed of all random numbers.")]


class Command(TyperCommand):
    """A command that rejects numbers too large for compiled code, in any option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest: list[str] = super().parse_args(ctx, args)
        parameters: list[Any] = self.params
        for parameter in parameters:
            fault = fault_of(ctx.params.get(parameter.name))
            if fault is not None:
                raise typer.BadParameter(fault.text(), ctx=ctx, param=parameter)
        return rest


def with_options(options: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that the fields of a dataclass declare; its parameter `options` gets them all."""
    hints = get_type_hints(options, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    shared = [
        inspect.Parameter(field.name, kind, default=field.default, annotation=hints[field.name])
        for field in fields(options)
    ]

    def extended(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            found = options(**{parameter.name: given.pop(parameter.name) for parameter in shared})
            command(**given, options=found)

        signature = inspect.signature(command)
        own = [parameter for name, parameter in signature.parameters.items() if name != "options"]
        run.__signature__ = signature.replace(parameters=[*own, *shared])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *shared)}
        return run

    return extended
