"""Whether damier works with the oldest versions of its dependencies that `pyproject.toml` allows.

    python -m benchmarks.floors [--set numba=0.62.1 ...] [--extra train ...] [--folder DIR]

It makes a virtual environment with exactly these versions, in a folder that is thrown away unless you name one, and
runs `tests/smoke.py` there. The exit code is 0 if everything works. `--set` tries another version than the floor, to
find out where a floor has to be. What our dependencies need themselves is as new as it gets.
"""

import argparse
import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VERSION", help="another version than the floor")
    parser.add_argument("--extra", nargs="*", default=[], help="an optional group of dependencies, for example train")
    parser.add_argument("--folder", type=Path, help="where the virtual environment is made and kept")
    options = parser.parse_args()
    versions = floors(options.extra) | dict(each.split("=", 1) for each in options.set)
    for name, version in versions.items():
        print(f"{name} {version}", flush=True)
    with TemporaryDirectory() as folder:
        sys.exit(try_out(versions, options.folder or Path(folder)))


def floors(extras: list[str]) -> dict[str, str]:
    """The lowest version of each dependency by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = list(project["dependencies"])
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    found = {}
    for line in lines:
        parts = re.fullmatch(r"([\w-]+)>=([\w.]+)", line)
        if parts is None:
            raise SystemExit(f"pyproject.toml: expected a dependency like 'numpy>=2.0', got '{line}'")
        found[parts[1]] = parts[2]
    return found


def try_out(versions: dict[str, str], folder: Path) -> int:
    """Install these versions and run the smoke test; its exit code."""
    if not (folder / "bin").exists():
        venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    pins = [f"{name}=={version}" for name, version in versions.items()]
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, *pins], check=True)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run([python, ROOT / "tests" / "smoke.py"], env=environment, check=False).returncode


if __name__ == "__main__":
    main()
