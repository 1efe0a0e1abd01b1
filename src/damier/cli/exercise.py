"""`damier exercise`: questions about a random tree, and the first mistake in the answers."""

import json as json_format
import shlex
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from damier.cli.terminal.arguments import Json
from damier.cli.terminal.output import console, print_json
from damier.core.messages import Message, say

if TYPE_CHECKING:
    from damier.lessons import Exercise, Verdict

WRONG = 1  # the exit code


def command(
    algorithm: Annotated[
        str,
        typer.Option(
            help="`minimax`, `alphabeta`, `negamax`, `expectimax`, `expectiminimax`, `maxn`; with hidden "
            "information `pimc` or `belief`."
        ),
    ] = "alphabeta",
    seed: Annotated[int, typer.Option(help="The seed of the tree.")] = 0,
    depth: Annotated[int, typer.Option(help="Depth of the tree in moves.")] = 3,
    branching: Annotated[int, typer.Option(help="Number of moves at each node.")] = 2,
    chance: Annotated[bool, typer.Option("--chance", help="Add chance nodes, for expectiminimax.")] = False,
    answers: Annotated[
        Path | None,
        typer.Option(help="Check the answers in a JSON file (`-`: standard input) instead of asking."),
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Show the right answers instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Simulate an algorithm by hand: give the values, the cutoffs and the move. The first mistake is explained.

    The exit code is 0 if everything is right and 1 otherwise.

    **Examples**

    - `damier exercise --seed 7`
    - `damier exercise --algorithm expectiminimax --depth 3`
    - `damier exercise --algorithm pimc`: expected values over deals
    - `damier exercise --seed 7 --json > sheet.json`, and later `damier exercise --seed 7 --answers mine.json`
    """
    from damier.lessons import exercise as make

    asked = make(algorithm, seed, depth, branching, chance)
    if answers is not None:
        verdict = asked.check(asked.read(_load(answers)))
        if json:
            print_json({"is_right": verdict.is_right, "told": verdict.told})
        else:
            _tell(asked, verdict)
        raise typer.Exit(0 if verdict.is_right else WRONG)
    if json:
        print_json(asked.to_json() | ({"solution": _document(asked)} if solution else {}))
        return
    _show(asked)
    if solution:
        found = {name: json_format.dumps(value) for name, value in _document(asked).items()}
        told = [
            say("exercise.solution-values", values=found["values"]),
            *([say("exercise.solution-cut", cut=found["cut"])] if asked.prunes else []),
            say("exercise.solution-move", move=found["move"]),
        ]
        for each in told:
            console.print(each.text(), highlight=False, markup=False, soft_wrap=True)
        return
    verdict = asked.check(asked.read(_ask(asked)))
    _tell(asked, verdict)
    raise typer.Exit(0 if verdict.is_right else WRONG)


def _show(asked: "Exercise") -> None:
    from damier.core.view import can_show_unicode
    from damier.lessons.text import lines

    console.print(asked.question.text(), style="bold", highlight=False, soft_wrap=True)
    for line in lines(asked.solution, 0, can_show_unicode()):
        console.print(Text(line.text), soft_wrap=True)


def _ask(asked: "Exercise") -> dict[str, Any]:
    """Ask the three questions. A node is named after the arc that leads to it; the first one is `root`."""
    document: dict[str, Any] = {}
    if asked.prunes:
        document |= _answer(asked, say("exercise.prompt-cut"), _cut)
    example = "a=1,2,3 b=0,4,4" if asked.algorithm == "maxn" else "a=3 b=5"
    prompt = say("exercise.prompt-values", example=example)
    if asked.is_hidden:
        prompt = say("exercise.prompt-hidden", names=" ".join(f"{name}=" for name in asked.inner))
    document |= _answer(asked, prompt, _values)
    return document | _answer(asked, say("exercise.prompt-move"), lambda text: {"move": text})


def _answer(asked: "Exercise", question: Message, read: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Ask a question; on a terminal, ask again after a typing mistake."""
    from damier.core.errors import SpecError

    while True:
        try:
            answer = read(_input(question))
            asked.read(answer)
        except SpecError as error:
            if not sys.stdin.isatty():
                raise
            console.print(Text(error.text(), "red"), soft_wrap=True)
        else:
            return answer


def _input(question: Message) -> str:
    from damier.core.errors import DamierError

    try:
        return console.input(Text(f"{question.text()}> ", "bold")).strip()
    except EOFError:
        raise DamierError("exercise.no-answer") from None


def _cut(text: str) -> dict[str, Any]:
    return {"cut": [name for name in text.replace(",", " ").split() if name != "none"]}


def _values(text: str) -> dict[str, Any]:
    from damier.core.errors import SpecError

    values: dict[str, Any] = {}
    for word in text.split():
        name, equals, listed = word.partition("=")
        try:
            values[name] = [float(Fraction(number)) for number in listed.split(",")]
        except (ValueError, ZeroDivisionError):
            equals = ""
        if not equals:
            raise SpecError("exercise.expected-pair", got=word)
    return {"values": values}


def _load(path: Path) -> Any:
    from damier.core.errors import DamierError

    try:
        return json_format.loads(sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DamierError("file.unreadable", path=path, why=error.strerror) from None
    except UnicodeDecodeError:
        raise DamierError("file.no-text", path=path) from None
    except (ValueError, RecursionError) as error:
        raise DamierError("file.no-json", path=path, why=error) from None


def _tell(asked: "Exercise", verdict: "Verdict") -> None:
    console.print(Text(verdict.told.text(), "green" if verdict.is_right else "red"), soft_wrap=True)
    if not verdict.is_right:
        hint = say("exercise.all-steps", command=f"damier trace {asked.algorithm} {shlex.quote(asked.text)}")
        console.print(Text(hint.text(), "dim"), soft_wrap=True)


def _document(asked: "Exercise") -> dict[str, Any]:
    right = asked.solve()
    values = {name: value[0] if len(value) == 1 else value for name, value in right.values.items()}
    return {"values": values, "cut": sorted(right.cut), "move": right.move}
