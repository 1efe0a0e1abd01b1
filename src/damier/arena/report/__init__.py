"""A tournament as one page: tables, plots, and every game to replay. It needs nothing but itself.

`page` puts it together, `plots` draws, `replay` plays the games again for `page.js`, which shows them.
"""

from pathlib import Path

from damier.arena.report.page import make_page
from damier.arena.report.replay import BOARDS
from damier.arena.result import Tournament
from damier.core.files import check_path, write_file


def write_report(result: Tournament, path: str | Path, boards: int = BOARDS) -> None:
    """Write the page, whole or not at all. The games after the first `boards` are kept without their boards."""
    path = Path(path)
    check_path(path)
    write_file(path, make_page(result, boards))
