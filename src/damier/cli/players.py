"""`damier players`: the list of players."""

from inspect import Parameter
from typing import Any

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.output import console, print_json, print_table


def command(json: Json = False) -> None:
    """List the players, with their options and defaults.

    **Examples**

    - `damier players`
    - `damier play connect4 --seat human --seat random`
    """
    from damier.core.loading import load_class
    from damier.core.spec import defaults
    from damier.players import REGISTRY

    described: list[dict[str, Any]] = []
    for name, locator in REGISTRY.items():
        cls = load_class(locator)
        summary = (cls.__doc__ or "").splitlines()[0]
        options = {option: "..." if value is Parameter.empty else value for option, value in defaults(cls).items()}
        described.append({"name": name, "summary": summary, "options": options})
    if json:
        print_json(described)
        return
    rows = [
        [one["name"], one["summary"], ", ".join(f"{option}={value}" for option, value in one["options"].items())]
        for one in described
    ]
    print_table("Players", ["name", "what", "options"], rows)
    console.print(
        "Your own: [bold]path/to/file.py:Class\\[:option=value,...][/bold], a class with `choose(self, pos)` that"
        " returns a move. `damier check file.py:Class` tries it.",
        highlight=False,
    )
