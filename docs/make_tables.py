"""Write the tables of games and players in the documentation from the registries.

Run it as `.venv/bin/python docs/make_tables.py`. With --check it writes nothing and exits with code 1 if a table
is not up to date.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent


def main(arguments: list[str]) -> int:
    stale = [page for page in TABLES if _update(page, only_look="--check" in arguments)]
    if stale and "--check" in arguments:
        print(f"not as the registry says: {' '.join(stale)}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    return 0


def _update(name: str, only_look: bool) -> bool:
    """Replace what is between the two marks of a page; whether that changes anything."""
    what, columns, row = TABLES[name]
    page = DOCS / name
    begin, end = f"<!-- {what}: made by {Path(__file__).name} -->", f"<!-- end of {what} -->"
    before = page.read_text(encoding="utf-8")
    head, _, rest = before.partition(begin)
    _, _, tail = rest.partition(end)
    rows = [columns, ("---",) * len(columns), *map(row, _registered(what))]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    after = f"{head}{begin}\n\n{table}\n\n{end}{tail}"
    if not only_look:
        page.write_text(after, encoding="utf-8")
    return after != before


def _registered(what: str) -> list[dict[str, Any]]:
    """What `damier games --json` or `damier players --json` says."""
    command = [sys.executable, "-m", "damier", what, "--json"]
    described: list[dict[str, Any]] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return described


def _game(game: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"[`{game['name']}`]({game['name']}.md)",
        game["summary"],
        str(game["players"]),
        _options(game),
        str(game["max_moves"]),
        " ".join(f"`{capability}`" for capability in game["capabilities"]),
    )


def _player(player: dict[str, Any]) -> tuple[str, ...]:
    return f"`{player['name']}`", player["summary"], _options(player)


def _options(described: dict[str, Any]) -> str:
    return ", ".join(f"`{option}={value}`" for option, value in described["options"].items())


TABLES: dict[str, tuple[str, tuple[str, ...], Callable[[dict[str, Any]], tuple[str, ...]]]] = {
    "games/index.md": ("games", ("name", "summary", "players", "options", "max moves", "capabilities"), _game),
    "search/index.md": ("players", ("name", "what", "options"), _player),
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
