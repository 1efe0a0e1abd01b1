"""`damier bench --signature` prints what was recorded: a change that means to change no search has changed none.

After a change that means to, record it again: `damier bench --signature > tests/unit/signature.txt`.
"""

from pathlib import Path

from tests.unit.command import run_damier

RECORDED = Path(__file__).with_name("signature.txt")


def test_the_searches_do_what_was_recorded() -> None:
    printed = run_damier("bench", "--signature").stdout
    assert printed.splitlines() == RECORDED.read_text().splitlines()
