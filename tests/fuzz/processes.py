"""Commands as processes of their own, for fuzzers that kill them or start two of them at once."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any

from tests.unit.command import ROOT

PATIENCE = 300.0


class Process:
    """`damier` with these arguments, or a Python program, in a process group of its own."""

    def __init__(self, *arguments: object, program: str | None = None, **environment: object) -> None:
        python = [sys.executable, "-c", program] if program else [sys.executable, "-m", "damier"]
        self.popen = subprocess.Popen(
            [*python, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {name: str(value) for name, value in environment.items()},
            start_new_session=True,
        )

    def kill(self, everybody: bool) -> None:
        """Kill -9: this process, or its workers too."""
        with suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL) if everybody else self.popen.kill()

    def end(self) -> "Process":
        try:
            self.out, self.err = self.popen.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill(everybody=True)
            self.out, self.err = self.popen.communicate()
            self.err += f"\nnothing after {PATIENCE:.0f} s"
        self.code = self.popen.returncode
        return self

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def finding(self) -> str | None:
        """What is wrong with how it ended; an error in one line is right."""
        if self.code == 0 or (self.code == 2 and "Traceback" not in self.err):
            return None
        return f"exit code {self.code}: {self.err.strip().splitlines()[-1:]}"


def untimed(result: Any) -> Any:
    """The outcome of a tournament without the thinking times."""
    for standing in result["standings"]:
        del standing["seconds"]
    return result
