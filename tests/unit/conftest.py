import sys
from pathlib import Path

import pytest

from damier.cli import main
from tests.unit.command import Damier


@pytest.fixture
def damier_(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Damier:
    """Run a command in this process: exit code, stdout, stderr."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["damier", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return run
