"""`damier players`: who can sit at the board."""

from inspect import Parameter
from typing import Any

from damier.cli.terminal.output import Json, console, print_json, print_table
from damier.core.messages import say


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
    own = "[bold]path/to/file.py:Class\\[:option=value,...][/bold]"
    console.print(say("command.own-player", name=own).text(), highlight=False)
