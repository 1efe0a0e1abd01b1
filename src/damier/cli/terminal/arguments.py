"""What every command does with its arguments before it runs."""

from typing import Any

import typer
from typer.core import TyperCommand

from damier.core.numbers import fault_of


class Command(TyperCommand):
    """A command whose numbers compiled code can take, whichever option they are given to."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest: list[str] = super().parse_args(ctx, args)
        parameters: list[Any] = self.params
        for parameter in parameters:
            fault = fault_of(ctx.params.get(parameter.name))
            if fault is not None:
                raise typer.BadParameter(fault.text(), ctx=ctx, param=parameter)
        return rest
