"""The figures of a run, whole or damaged, and the list of runs."""

import json
import re
from pathlib import Path

import pytest

from damier.cli.runs import _list
from damier.core.errors import DamierError
from damier.zero.configuration import validated
from damier.zero.metrics import FIGURES, Metrics
from damier.zero.run import METRICS, create_run

ROW = json.dumps({"iteration": 1} | dict.fromkeys(FIGURES, 10)).encode() + b"\n"


def test_a_torn_line_is_none_and_others_are_damage(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / METRICS)
    assert metrics.read() == ([], None)
    metrics.path.write_bytes(ROW + b'{"iteration": 2, "ga')
    assert metrics.read() == ([json.loads(ROW)], None)
    metrics.path.write_bytes(b"\xff\xfe\n" + ROW + b'{"iteration": 1e999}\n{"iteration": 2, "elo": []}\n')
    assert metrics.read() == ([json.loads(ROW)], "metrics.jsonl: 3 of its lines can't be read")


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / METRICS).mkdir()
    with pytest.raises(DamierError, match=r"metrics.jsonl' can't be read"):
        Metrics(tmp_path / METRICS).rows()


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00\x81\n", b'{"iteration": 1}\n', b'{"iteration": 1, "games": "ten"}\n', None]
)
def test_a_damaged_run_is_listed_with_the_others(
    data: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("whole", "damaged"):
        run = create_run(tmp_path / name, validated({"game": "tictactoe"}, name))
        run.metrics.path.write_bytes(ROW)
    if data is None:
        run.metrics.path.unlink()
        run.metrics.path.mkdir()
    else:
        run.metrics.path.write_bytes(data)
    _list(tmp_path, json=False)
    told = capsys.readouterr()
    assert "whole" in told.out
    assert re.search(r"damaged ?: .*can't be read", " ".join(told.err.split()))
