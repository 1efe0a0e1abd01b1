"""Programs that some tests need, from Debian's packages."""

import os
import shutil
import subprocess
from collections.abc import Mapping

import pytest

SEARCH_PATH = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"


def find_program(name: str) -> str | None:
    return shutil.which(name, path=SEARCH_PATH)


def install(programs: Mapping[str, str], what: str) -> None:
    """Programs and their packages, where they are missing and we may; elsewhere the test is skipped."""
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
