"""Programs that some tests need, from Debian's packages."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

SEARCH_PATH = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"


def find_program(name: str) -> str | None:
    return shutil.which(name, path=SEARCH_PATH)


def install(programs: Mapping[str, str], what: str) -> None:
    """Programs and their packages, where they are missing and we may; elsewhere the test is skipped.

    One process at a time: another may be installing them, and they are there before they can be run."""
    with (Path(tempfile.gettempdir()) / f"damier-install-{os.geteuid()}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _install(programs, what)


def _install(programs: Mapping[str, str], what: str) -> None:
    missing = [package for program, package in programs.items() if find_program(program) is None]
    if not missing:
        return
    wanted = " ".join(missing)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip(f"needs {what}: apt-get install {wanted}")
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", *missing]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"needs {what}: apt-get install {wanted} failed: {done.stderr.strip()}")
