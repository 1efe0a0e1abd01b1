"""Write the tables in the documentation from what they are about: the registries, and the protocol's table.

Run it as `.venv/bin/python docs/make_tables.py`. With --check it writes nothing and exits with code 1 if a table
is not up to date.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from damier.core.capability import Capability, Kind
from damier.core.protocol import CAPABILITIES

DOCS = Path(__file__).parent
Row = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A table between two marks of a page."""

    page: str
    what: str
    columns: Row
    rows: Callable[[], list[Row]]


def main(arguments: list[str]) -> int:
    stale = [table for table in TABLES if _update(table, only_look="--check" in arguments)]
    if stale and "--check" in arguments:
        names = " ".join(f"{table.what} in {table.page}" for table in stale)
        print(f"not up to date: {names}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    return 0


def _update(table: Table, only_look: bool) -> bool:
    """Replace what is between the two marks of a page; whether that changes anything."""
    page = DOCS / table.page
    begin, end = f"<!-- {table.what}: made by {Path(__file__).name} -->", f"<!-- end of {table.what} -->"
    before = page.read_text(encoding="utf-8")
    head, _, rest = before.partition(begin)
    _, _, tail = rest.partition(end)
    rows = [table.columns, ("---",) * len(table.columns), *table.rows()]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    after = f"{head}{begin}\n\n{lines}\n\n{end}{tail}"
    if not only_look:
        page.write_text(after, encoding="utf-8")
    return after != before


# -- games and players -----------------------------------------------------------------------------------------


def _registered(what: str, row: Callable[[dict[str, Any]], Row]) -> list[Row]:
    """What `damier games --json` or `damier players --json` says."""
    command = [sys.executable, "-m", "damier", what, "--json"]
    described: list[dict[str, Any]] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return [row(each) for each in described]


def _game(game: dict[str, Any]) -> Row:
    return (
        f"[`{game['name']}`]({game['name']}.md)",
        game["summary"],
        str(game["players"]),
        _options(game),
        str(game["max_moves"]),
        " ".join(f"`{capability}`" for capability in game["capabilities"]),
    )


def _player(player: dict[str, Any]) -> Row:
    return f"`{player['name']}`", player["summary"], _options(player)


def _options(described: dict[str, Any]) -> str:
    return ", ".join(f"`{option}={value}`" for option, value in described["options"].items())


# -- capabilities ------------------------------------------------------------------------------------------------


def _capabilities(kind: Kind, is_required: bool) -> list[Row]:
    chosen = [each for each in CAPABILITIES.values() if each.kind is kind and each.is_required == is_required]
    return [_required(each) if is_required else _optional(each) for each in chosen]


def _required(each: Capability) -> Row:
    return f"`{each.signature}`", each.says, each.law


def _optional(each: Capability) -> Row:
    return f"`{each.signature}`", each.says, each.default, each.unlocks, each.law


_MAY_HAVE = "what-a-game-may-have.md"
_MUST = ("it has", "what it is or does", "law")
_MAY = ("it may have", "what it is or does", "without it", "unlocks", "law")

TABLES = [
    Table(
        "games/index.md",
        "games",
        ("name", "summary", "players", "options", "max moves", "capabilities"),
        partial(_registered, "games", _game),
    ),
    Table("search/index.md", "players", ("name", "what", "options"), partial(_registered, "players", _player)),
    Table(_MAY_HAVE, "required facts", _MUST, partial(_capabilities, Kind.FACT, is_required=True)),
    Table(_MAY_HAVE, "required rules", _MUST, partial(_capabilities, Kind.REQUIRED, is_required=True)),
    Table(_MAY_HAVE, "optional rules", _MAY, partial(_capabilities, Kind.COMPILED, is_required=False)),
    Table(_MAY_HAVE, "methods for people", _MAY, partial(_capabilities, Kind.FOR_PEOPLE, is_required=False)),
    Table(_MAY_HAVE, "optional facts", _MAY, partial(_capabilities, Kind.FACT, is_required=False)),
]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
