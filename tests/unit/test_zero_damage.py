"""Figures, ratings and manifests of a run that were altered: noticed, and made up for."""

from pathlib import Path

import pytest

from damier.zero import checkpoint as checkpoints
from damier.zero.configuration import settings_for
from damier.zero.metrics import FIGURES
from damier.zero.network import build_network
from damier.zero.ratings import load_ratings, load_results
from damier.zero.run import Run, create_run, facts_of
from damier.zero.training import Trainer

ROW = {"iteration": 3} | dict.fromkeys(FIGURES, 1.5)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return create_run(tmp_path / "run", settings_for("tictactoe", {"network": {"kind": "mlp", "blocks": 1}}))


DAMAGED_ROWS = (
    *(
        '{"iteration": 9}',
        '{"iteration": 9, "games": 8, "seconds": "1", "total_loss": 1}',
        "[]",
        "9",
        "\xff",
        "[" * 5000,
    ),
    *('{"iteration": "9", "games": 8, "seconds": 1, "total_loss": 1}', '{"iteration": 9, "games": NaN}'),
    '{"iteration": 9, "games": 8, "seconds": 1, "total_loss": 1, "elo": [1]}',
)


@pytest.mark.parametrize("line", DAMAGED_ROWS)
def test_a_row_that_others_could_not_use_is_none(run: Run, line: str) -> None:
    run.metrics.append(ROW)
    with run.metrics.path.open("a", encoding="latin-1") as file:
        file.write(line)
    assert run.metrics.rows() == [ROW]
    assert facts_of(run)["iterations"] == 1


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"ratings": {"1": {}}, "results": [1]}', '{"ratings": [], "results": {"a": 1}}']
)
def test_damaged_ratings_are_none(run: Run, text: str) -> None:
    run.ratings.write_text(text)
    assert (load_ratings(run), load_results(run)) == ({}, [])


def test_a_manifest_or_a_verdict_that_was_altered_is_noticed(run: Run) -> None:
    folder = run.checkpoints / "0003"
    trainer = Trainer(build_network(run.game, run.settings.network, seed=1), run.settings.training)
    facts = {"iteration": 3, "game": "tictactoe", "games": 8, "gated": False, "row": ROW}
    whole = checkpoints.save(folder, trainer, {}, facts)
    assert checkpoints.load(folder).iteration == 3
    whole.decide({"accepted": False, "tally": [1, 2, 3]})
    gated = checkpoints.Checkpoint(folder, whole.manifest | {"gated": True})
    assert gated.verdict == {"accepted": False, "tally": [1, 2, 3]}
    verdict = folder / "verdict.json"
    for text in (verdict.read_text().replace("false", "true"), "{}", "[]", "tr"):
        verdict.write_text(text)
        assert gated.verdict is None
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"iteration": 3', '"iteration": 2', 1))
    with pytest.raises(checkpoints.DamagedError, match=r"manifest.json is not as it was written"):
        checkpoints.load(folder)
