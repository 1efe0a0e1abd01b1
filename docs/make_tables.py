"""Write the generated parts of the documentation: games, players, capabilities, commands, and maps of modules.

Run it as `.venv/bin/python docs/make_tables.py`. With --check it writes nothing and exits with code 1 if a part
is not up to date.
"""

import ast
import inspect
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from damier.cli import COMMANDS, app
from damier.core.capability import Capability, Kind
from damier.core.protocol import CAPABILITIES

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "src" / "damier"
Row = tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """What stands between two marks of a page."""

    page: str
    what: str
    text: Callable[[], str]


def main(arguments: list[str]) -> int:
    stale = [part for part in PARTS if _update(part, only_look="--check" in arguments)]
    if stale and "--check" in arguments:
        names = ", ".join(f"{part.what} in {part.page}" for part in stale)
        print(f"not up to date: {names}; run {Path(__file__).name}", file=sys.stderr)
        return 1
    return 0


def _update(part: Part, only_look: bool) -> bool:
    """Replace what is between the two marks of a page; whether that changes anything."""
    page = DOCS / part.page
    begin, end = f"<!-- {part.what}: made by {Path(__file__).name} -->", f"<!-- end of {part.what} -->"
    before = page.read_text(encoding="utf-8")
    if begin not in before or end not in before:
        raise SystemExit(f"{part.page}: expected the two marks `{begin}` and `{end}`")
    head, _, rest = before.partition(begin)
    _, _, tail = rest.partition(end)
    after = f"{head}{begin}\n\n{part.text()}\n\n{end}{tail}"
    if not only_look:
        page.write_text(after, encoding="utf-8")
    return after != before


def _table(page: str, what: str, columns: Row, rows: Callable[[], list[Row]]) -> Part:
    def text() -> str:
        lines = [columns, ("---",) * len(columns), *rows()]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)

    return Part(page, what, text)


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


# -- maps of modules, from the first lines of their docstrings ---------------------------------------------------------


def _first_line(module: Path) -> str:
    """What a module or a folder says that it is."""
    source = module / "__init__.py" if module.is_dir() else module
    docstring = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))
    if not docstring:
        raise SystemExit(f"{source.relative_to(PACKAGE)}: expected a docstring, whose first line stands in the map")
    return docstring.splitlines()[0]


def _folders() -> list[Row]:
    """The layers, from the lowest up: each imports only from those before it."""
    settings = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    paths = [PACKAGE / layer.strip("()").removeprefix("damier.") for layer in reversed(layers)]
    return [(f"{path.name}/", _first_line(path)) for path in paths if path.is_dir()]


def _modules(folder: str) -> list[Row]:
    found = sorted((PACKAGE / folder).iterdir(), key=lambda path: path.stem)
    files = [(path.name, path) for path in found if path.suffix == ".py" and path.stem != "__init__"]
    folders = [(f"{path.name}/", path) for path in found if (path / "__init__.py").is_file()]
    return [(f"`{name}`", _first_line(path)) for name, path in sorted(files + folders)]


def _map() -> str:
    lines = [f"  {name:13} {says}" for name, says in _folders()]
    return "\n".join(["```", "src/damier/", *lines, "tests/ benchmarks/ docs/ examples/", "```"])


# -- the command line ----------------------------------------------------------------------------------------------


def _commands() -> list[Row]:
    """Every command and the first paragraph of its help."""
    commands = {name: inspect.getdoc(function) or "" for name, function in COMMANDS.items()}
    groups = {
        str(group.name): str(group.typer_instance.info.help) for group in app.registered_groups if group.typer_instance
    }
    paragraphs = {name: says.partition("\n\n")[0] for name, says in (commands | groups).items()}
    return [(f"`damier {name}`", " ".join(says.split())) for name, says in paragraphs.items()]


_MAY_HAVE = "what-a-game-may-have.md"
_MUST = ("it has", "which is", "law")
_MAY = ("it may have", "which is", "without it", "unlocks", "law")

PARTS = [
    _table(
        "games/index.md",
        "games",
        ("name", "summary", "players", "options", "max moves", "capabilities"),
        partial(_registered, "games", _game),
    ),
    _table("search/index.md", "players", ("name", "what", "options"), partial(_registered, "players", _player)),
    _table(_MAY_HAVE, "required facts", _MUST, partial(_capabilities, Kind.FACT, is_required=True)),
    _table(_MAY_HAVE, "required rules", _MUST, partial(_capabilities, Kind.REQUIRED, is_required=True)),
    _table(_MAY_HAVE, "optional rules", _MAY, partial(_capabilities, Kind.COMPILED, is_required=False)),
    _table(_MAY_HAVE, "methods for people", _MAY, partial(_capabilities, Kind.FOR_PEOPLE, is_required=False)),
    _table(_MAY_HAVE, "optional facts", _MAY, partial(_capabilities, Kind.FACT, is_required=False)),
    _table(
        "how-it-works.md",
        "folders",
        ("folder", "holds"),
        lambda: [(f"`{name}`", says) for name, says in _folders()],
    ),
    _table("how-it-works.md", "modules of core", ("module", "holds"), partial(_modules, "core")),
    Part("../CONTRIBUTING.md", "map", _map),
    _table("command-line.md", "commands", ("command", "does"), _commands),
]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
