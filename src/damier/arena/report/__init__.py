"""A tournament as one self-contained page: tables, plots, and every game to replay.

`page` composes it, `plots` draws, `replay` replays the games for `page.js`, which shows them.
"""

from pathlib import Path

from damier.arena.report.page import make_page
from damier.arena.report.replay import BOARDS
from damier.arena.result import Tournament
from damier.core.files import check_path, write_file


def write_report(result: Tournament, path: str | Path, boards: int = BOARDS) -> None:
    """Write the page, whole or not at all. The games after the first `boards` are saved without their boards."""
    path = Path(path)
    check_path(path)
    write_file(path, make_page(result, boards))
