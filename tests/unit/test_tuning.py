"""Weights of features: read, fitted, and used."""

import json
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.errors import SpecError
from damier.core.features import read_weights, with_weights
from damier.learning.tuning import fit_weights, tune
from damier.search.classical.alphabeta import AlphaBeta
from tests.unit.command import Damier

DEFAULT = {"men": 1.0, "kings": 3.0}


def test_weights_are_read_from_an_option_or_a_file_and_keep_their_sum(tmp_path: Path) -> None:
    assert read_weights("", DEFAULT).tolist() == [1, 3]
    assert read_weights("1/1", DEFAULT).tolist() == [2, 2]
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"kings": 0.2, "men": 0.2}))
    assert read_weights(str(path), DEFAULT).tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1/2/3", "expected weights for men, kings, like 1/3"),
        ("1/-2", "not negative"),
        ("0/0", "one above 0"),
        ("nowhere.json", "can't be read"),
        (__file__, "expected a JSON file like"),
    ],
)
def test_weights_that_make_no_sense_are_refused(text: str, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        read_weights(text, DEFAULT)


def test_the_fit_finds_the_weights_by_which_results_were_drawn() -> None:
    rng = np.random.default_rng(1)
    differences = rng.normal(size=(20_000, 3)) * [1.0, 5.0, 0.2]
    logits = differences @ [0.5, 0.2, 0.0] + 0.3
    results = (rng.random(20_000) < 1 / (1 + np.exp(-logits))).astype(float)
    weights, loss = fit_weights(differences, results)
    assert weights == pytest.approx([0.5, 0.2, 0.0], abs=0.05)
    assert weights.min() >= 0
    assert loss < np.log(2)


def test_weights_are_fitted_to_games_and_change_the_evaluation() -> None:
    game = damier.game("othello:size=4")
    tuned = tune(game, games=10, spec="random", seed=1)
    assert tuned.games == 10
    assert sum(tuned.weights.values()) == pytest.approx(1.0)
    assert tuned.loss <= tuned.loss_before + 1e-6
    pos = game.start().play("b1")
    discs = with_weights(game, "0/0/1").start().play("b1")
    assert pos.features() == discs.features()
    assert discs.evaluate()[0] == pytest.approx(0.6)  # 4 discs to 1


def test_a_game_without_features_or_weights_says_so() -> None:
    with pytest.raises(SpecError, match="connect4 has no `features`"):
        tune(damier.game("connect4"))
    with pytest.raises(SpecError, match="connect4 has no weights"):
        AlphaBeta(weights="1/1").search(damier.game("connect4").start())


def test_the_command_writes_weights_that_a_player_can_use(tmp_path: Path, damier_: Damier) -> None:
    path = tmp_path / "weights.json"
    command = ("tune", "othello:size=4", "--games", "4", "--player", "random", "--seed", "1", "--out", str(path))
    code, out, err = damier_(*command, "--json")
    assert (code, err) == (0, f"wrote {path}\n")
    document = json.loads(out)
    assert document["games"] == 4
    assert document["weights"] == json.loads(path.read_text()) != document["before"]
    assert with_weights(damier.game("othello:size=4"), str(path)).rules.feature_weights.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("connect4",), "connect4 has no `features`"),
        (("othello:size=4", "--out", "nowhere/weights.json"), "there is no folder 'nowhere'"),
    ],
)
def test_the_command_answers_bad_input_in_one_line(arguments: tuple[str, ...], says: str, damier_: Damier) -> None:
    code, _, err = damier_("tune", *arguments, "--games", "1", "--player", "random")
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
