"""`damier players`: the list of players."""

from inspect import Parameter
from typing import Any

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.output import console, headings, print_json, print_table
from damier.core.messages import say

TITLES = {
    "evaluation": "title.part-evaluation",
    "selection rule": "title.part-selection-rule",
    "playout policy": "title.part-playout-policy",
}


def command(json: Json = False) -> None:
    """List the players, and the parts of a search that you can name or bring, with their options and defaults.

    **Examples**

    - `damier players`
    - `damier play connect4 --seat human --seat random`
    """
    from damier.core.loading import load_class
    from damier.players import REGISTRY
    from damier.search.laws import PART_KINDS

    players = [_described(name, load_class(locator)) for name, locator in REGISTRY.items()]
    if json:
        print_json(players)
        return
    print_table(say("title.players"), headings("name", "what", "options"), [_row(one) for one in players])
    for kind in PART_KINDS:
        options = {option for one in players for option, part in one["parts"].items() if part["kind"] == kind.name}
        parts = [_described(name, kind.find(name)) for name in kind.registry]
        print_table(
            say(TITLES[kind.name], options=" ".join(options)),
            headings("name", "what", "options"),
            [_row(one) for one in parts],
        )
    own = "[bold]path/to/file.py:Class\\[:option=value,...][/bold]"
    example = "[bold]mcts:rule=(grave:ref=7)[/bold]"
    console.print(say("command.own-player", name=own, example=example).text(), highlight=False)


def _described(name: str, cls: type) -> dict[str, Any]:
    """What a class is called, what it does and what its options are."""
    from damier.core.spec import defaults
    from damier.search.player import Player

    options = {option: "..." if value is Parameter.empty else value for option, value in defaults(cls).items()}
    found = cls.parts if issubclass(cls, Player) else {}
    parts = {option: {"kind": kind.name, "names": list(kind.registry)} for option, kind in found.items()}
    return {"name": name, "summary": (cls.__doc__ or "").splitlines()[0], "options": options, "parts": parts}


def _row(one: dict[str, Any]) -> list[str]:
    return [one["name"], one["summary"], ", ".join(f"{option}={value}" for option, value in one["options"].items())]
