"""Make terminal.svg, the picture of the README, from what the commands really print.

    .venv/bin/python docs/images/make_terminal.py

Two commands are run in a pseudo-terminal, so that they use their colours, and what they print is recorded
by Rich and exported.
"""

import io
import os
import re
import sys
from pathlib import Path

import pexpect
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

WIDTH = 50
TARGET = Path(__file__).with_name("terminal.svg")
DAMIER = Path(sys.executable).with_name("damier")
SESSION = (  # the commands, and what a person answers
    ('play connect4 --moves "d d e e c c"', ["f"]),
    ("perft connect4 8", []),
)


def run(arguments: str, answers: list[str]) -> str:
    """What a command prints on stdout, in a terminal, with what is typed."""
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(WIDTH), "FORCE_COLOR": "1"}
    command = f"'{DAMIER}' {arguments} 2>/dev/null"
    terminal = pexpect.spawn("/bin/sh", ["-c", command], env=environment, encoding="utf-8", timeout=120)
    printed = ""
    for answer in answers:
        terminal.expect("> ")
        printed += terminal.before + terminal.after
        terminal.sendline(answer)
    terminal.expect(pexpect.EOF)
    return (printed + terminal.before).replace("\r\n", "\n")


def main() -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for arguments, answers in SESSION:
        console.print(Text.assemble(("$ ", "dim"), (f"damier {arguments}", "bold")))
        console.print(Text.from_ansi(run(arguments, answers)))
    # Nothing is loaded from the network: the viewer's own fixed-width font will do.
    template = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    template = template.replace("Fira Code, monospace", "Menlo, Consolas, DejaVu Sans Mono, monospace")
    drawn = console.export_svg(title="damier", code_format=template, unique_id="damier")
    TARGET.write_text("\n".join(line.rstrip() for line in drawn.splitlines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
