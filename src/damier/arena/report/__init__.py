"""A tournament as one page: tables, plots, and every game to replay. It needs nothing but itself.

`page` puts it together, `plots` draws, `replay` plays the games again for `page.js`, which shows them.
"""

import os
import tempfile
from pathlib import Path

from damier.arena.report.page import make_page
from damier.arena.report.replay import BOARDS
from damier.arena.result import Tournament
from damier.core.errors import DamierError


def write_report(result: Tournament, path: str | Path, boards: int = BOARDS) -> None:
    """Write the page, whole or not at all. The games after the first `boards` are kept without their boards."""
    path = Path(path)
    check_path(path)
    page = make_page(result, boards)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_text(page, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise _unwritable(path, error) from None


def check_path(path: Path) -> None:
    """Refuse a path where no report can be written."""
    if not path.parent.is_dir():
        raise DamierError(f"can't write the report '{path}': there is no folder '{path.parent}'")
    if path.is_dir():
        raise DamierError(f"can't write the report '{path}': expected the name of a file, got a folder")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> DamierError:
    return DamierError(f"can't write the report '{path}': {error.strerror}")
