"""Running the command line as a user does, in a process of its own; or in this one, by the fixture `damier_`."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
Damier = Callable[..., tuple[int, str, str]]  # arguments -> exit code, stdout, stderr


def run_damier(*arguments: str, stdin: str = "", timeout: float = 600) -> subprocess.CompletedProcess[str]:
    """Run `damier ...` from the project's folder; stderr and stdout are kept apart."""
    return subprocess.run(
        [Path(sys.executable).with_name("damier"), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=timeout,
        check=False,
    )
