"""Write the table of games in index.md from the registry.

Run it as `.venv/bin/python docs/games/make_table.py`. With --check it writes nothing and exits with code 1 if
the table is not up to date.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("index.md")
BEGIN, END = "<!-- games: made by make_table.py -->", "<!-- end of games -->"
COLUMNS = ("name", "summary", "players", "options", "max moves", "capabilities")


def main(arguments: list[str]) -> int:
    before = PAGE.read_text(encoding="utf-8")
    after = with_table(before, table(games()))
    if after == before:
        return 0
    if "--check" in arguments:
        print(f"{PAGE}: the table is not that of the registry; run {Path(__file__).name}", file=sys.stderr)
        return 1
    PAGE.write_text(after, encoding="utf-8")
    return 0


def games() -> list[dict[str, Any]]:
    """What `damier games --json` says."""
    command = [sys.executable, "-m", "damier", "games", "--json"]
    described: list[dict[str, Any]] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return described


def table(described: list[dict[str, Any]]) -> str:
    rows = [COLUMNS, ("---",) * len(COLUMNS), *map(row, described)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def row(game: dict[str, Any]) -> tuple[str, ...]:
    options = ", ".join(f"`{option}={value}`" for option, value in game["options"].items())
    return (
        f"[`{game['name']}`]({game['name']}.md)",
        game["summary"],
        str(game["players"]),
        options,
        str(game["max_moves"]),
        " ".join(f"`{capability}`" for capability in game["capabilities"]),
    )


def with_table(page: str, made: str) -> str:
    """The page with the text between the two marks replaced."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
