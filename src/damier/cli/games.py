"""`damier games`: the list of games."""

from typing import Any

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.output import headings, print_json, print_table
from damier.core.messages import say


def command(json: Json = False) -> None:
    """List the games, with their options and capabilities.

    **Examples**

    - `damier games`
    - `damier games --json`
    """
    from damier.core.protocol import OPTIONAL
    from damier.games import REGISTRY

    described = [_describe(name) for name in REGISTRY]
    if json:
        print_json(described)
        return
    rows = [
        [
            game["name"],
            game["summary"],
            ", ".join(f"{option}={value}" for option, value in game["options"].items()),
            str(game["players"]),
            " ".join(name for name in game["capabilities"] if name in OPTIONAL or name == "symmetries"),
        ]
        for game in described
    ]
    print_table(say("title.games"), headings("name", "what", "options", "players", "capabilities"), rows)


def _describe(name: str) -> dict[str, Any]:
    from damier.games import REGISTRY, game

    made = game(name)
    return {
        "name": name,
        "summary": REGISTRY[name].summary or (type(made.rules).__doc__ or "").splitlines()[0],
        "options": made.defaults,
        "players": made.num_players,
        "max_moves": made.max_moves,
        "max_length": made.max_length,
        "capabilities": made.capabilities,
        "version": made.version,
    }
