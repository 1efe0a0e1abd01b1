"""Run folders, `damier train` and `damier runs`: as people use them, and when something is wrong."""

import errno
import json
import os
import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.cli import main
from damier.cli.terminal.dashboard import Dashboard, sparkline
from damier.search.guided.network import Network, read_card
from damier.zero.configuration import parse_assignments, settings_for, to_toml, validated
from damier.zero.metrics import Metrics
from damier.zero.run import Run, open_run
from damier.zero.training import Losses
from tests.unit.command import Damier

TINY = (
    *("--games", "8", "--sims", "4", "--workers", "1"),
    *("--set", "network.kind=mlp", "--set", "network.blocks=1", "--set", "network.channels=16"),
    *("--set", "selfplay.parallel=8", "--set", "training.batch=32"),
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three iterations."""
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    argv, sys.argv = sys.argv, ["damier", "train", "tictactoe", "--iterations", "3", "--out", str(folder), *TINY]
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.argv = argv
    assert not ended.value.code
    return folder


@pytest.fixture
def copied(trained: Path, tmp_path: Path) -> Path:
    """The same, to be spoilt."""
    return Path(shutil.copytree(trained, tmp_path / "copied"))


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- going on ----------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_with_more_iterations(copied: Path, damier_: Damier) -> None:
    code, out, err = damier_("train", "tictactoe", "--resume", copied, "--iterations", "4", "--workers", "1", "--json")
    assert code == 0
    assert "resuming after iteration 3" in err
    assert "iteration 4, 32 games, loss" in err
    document = json.loads(out)
    assert [row["iteration"] for row in document["rows"]] == [1, 2, 3, 4]
    assert Path(document["network"]).is_file()
    assert open_run(copied).settings.iterations == 4


def test_a_run_that_went_on_averages_as_if_it_had_not_stopped(copied: Path, damier_: Damier) -> None:
    """Also one that did not average before."""
    rest = ("--workers", "1", "--set", "training.average=4")
    at_once = Path(shutil.copytree(copied, copied.with_name("at_once")))
    assert damier_("train", "--resume", at_once, "--iterations", "5", *rest)[0] == 0
    for iterations in ("4", "5"):
        assert damier_("train", "--resume", copied, "--iterations", iterations, *rest)[0] == 0
    last = Path("checkpoints") / "0005"
    assert (copied / last / "mean.safetensors").read_bytes() == (at_once / last / "mean.safetensors").read_bytes()
    assert (copied / last / "mean.safetensors").read_bytes() != (copied / last / "model.safetensors").read_bytes()
    assert (copied / "best.onnx").read_bytes() == (at_once / "best.onnx").read_bytes()


def test_the_network_of_a_run_is_in_the_numbers_of_self_play(copied: Path, damier_: Damier) -> None:
    assert (copied / "best.onnx").read_bytes() == (copied / "checkpoints" / "0003" / "model.onnx").read_bytes()
    rest = ("--iterations", "4", "--workers", "1", "--set", "quantised=true")
    assert damier_("train", "--resume", copied, *rest)[0] == 0
    assert (copied / "best.onnx").read_bytes() == (copied / "checkpoints" / "0004" / "model-int8.onnx").read_bytes()


def test_a_network_of_a_run_that_was_altered_is_not_used_and_comes_back(copied: Path, damier_: Damier) -> None:
    best, start = copied / "best.onnx", damier.game("tictactoe").start()
    whole = best.read_bytes()
    data = bytearray(whole)
    data[len(data) // 2] ^= 64
    best.write_bytes(data)
    with pytest.raises(damier.DamierError, match=r"best.onnx' was altered, or 'best.toml' is about another one"):
        damier.player(f"zero:net={copied},sims=2").search(start)
    assert damier_("train", "--resume", copied, "--workers", "1")[0] == 0
    assert best.read_bytes() == whole
    damier.player(f"zero:net={copied},sims=2").search(start)


@pytest.mark.parametrize("name", ["model.safetensors", "optimiser.safetensors", "manifest.json", "model.onnx"])
def test_a_damaged_checkpoint_is_set_aside_for_the_last_good_one(copied: Path, damier_: Damier, name: str) -> None:
    file = copied / "checkpoints" / "0003" / name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    code, _, err = damier_("train", "--resume", copied, "--workers", "1")
    assert code == 0
    first = err.splitlines()[0]
    assert f"{copied}/checkpoints/0003: {name}" in first
    assert "going on from 0002" in first
    assert "iteration 3, 24 games" in err
    (aside,) = (copied / "checkpoints").glob("0003.damaged-*")
    assert (aside / name).read_bytes() == data, "the damaged one is kept as it is"
    assert [row["iteration"] for row in open_run(copied).metrics.rows()] == [1, 2, 3]


def test_damaged_games_are_told_and_the_rest_is_used(copied: Path, damier_: Damier) -> None:
    file = copied / "replay" / "00001.games"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    code, _, err = damier_("train", "--resume", copied, "--iterations", "4", "--workers", "1")
    assert code == 0
    assert f"{file}: it is damaged at byte" in err
    assert file.read_bytes() == data


def test_a_torn_row_is_ignored_and_done_again(copied: Path, damier_: Damier) -> None:
    file = copied / "metrics.jsonl"
    file.write_bytes(file.read_bytes()[:-40])
    assert damier_("train", "--resume", copied, "--workers", "1")[0] == 0
    assert [row["iteration"] for row in Metrics(file).rows()] == [1, 2, 3]


# -- what is wrong is one line, and nothing is overwritten -------------------------------------------------------------


def spoil_all_checkpoints(folder: Path) -> None:
    for file in folder.glob("checkpoints/*/model.safetensors"):
        file.write_bytes(b"nothing")


def other_network(folder: Path) -> None:
    file = folder / "config.toml"
    file.write_text(file.read_text().replace("channels = 16", "channels = 17"))


def wrong_key(folder: Path) -> None:
    file = folder / "config.toml"
    file.write_text(file.read_text().replace("learning_rate", "lerning_rate"))


def no_toml(folder: Path) -> None:
    (folder / "config.toml").write_text("game = ")


def other_games(folder: Path) -> None:
    """Games and checkpoints of one game with the configuration of another."""
    file = folder / "config.toml"
    file.write_text(file.read_text().replace('"tictactoe"', '"mnk:rows=3,cols=3,k=3"'))


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (spoil_all_checkpoints, "no checkpoint of '{0}' can be used: 0003: model.safetensors is not as it was written"),
        (other_network, "the checkpoint '{0}/checkpoints/0003' does not fit the network of the configuration"),
        (wrong_key, "{0}/config.toml: unknown key 'training.lerning_rate'; did you mean 'learning_rate'?"),
        (no_toml, "'{0}/config.toml' can't be read: Invalid value"),
        (other_games, "the checkpoint '{0}/checkpoints/0003' is of tictactoe, not of mnk:rows=3,cols=3,k=3"),
    ],
)
def test_a_spoilt_run_is_refused(copied: Path, damier_: Damier, spoil: Callable[[Path], None], line: str) -> None:
    spoil(copied)
    before = everything_in(copied)
    code, out, err = damier_("train", "--resume", copied, "--workers", "1")
    assert (code, out) == (2, "")
    *_, last = err.splitlines()
    assert last.startswith(f"damier: {line.format(copied)}")
    assert everything_in(copied) == before


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["connect4", "--resume", "RUN"], "'RUN' is a run of tictactoe, not of connect4"),
        (["tictactoe", "--out", "RUN"], "'RUN' holds a run already; go on with --resume, or choose another --out"),
        (["tictactoe", "--out", "RUN/replay"], "'RUN/replay' holds something else, or choose another --out"),
        (["--resume", "RUN/replay"], "'RUN/replay' is no run: it has no config.toml"),
        (["--resume", "RUN", "--set", "network.blocks=3"], "'RUN': network can't be changed in the middle of a run"),
        (["--resume", "RUN", "--set", "search.margin=0.2"], "'RUN': search.margin can't be changed in the middle"),
        (
            ["--resume", "RUN", "--out", "RUN"],
            "expected --out for a new run or --resume for one that is there, got both",
        ),
        (["tictactoe", "--set", "training.bach=3"], "the settings: unknown key 'training.bach'; did you mean 'batch'?"),
        (["tictactoe", "--set", "training"], "expected section.key=value, for example training.batch=512"),
        (["tictactoe", "--sims", "0"], "the settings: search.sims: input should be greater than or equal to 1, got 0"),
        (["leftmove", "--out", "RUN/new"], "leftmove can't be learnt: it has no `encode`"),
        ([], "expected a game to learn, `damier train connect4` for example, or --resume DIR"),
    ],
)
def test_bad_input_is_one_line(trained: Path, damier_: Damier, arguments: list[str], line: str) -> None:
    before = everything_in(trained)
    code, out, err = damier_("train", *(text.replace("RUN", str(trained)) for text in arguments))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"damier: {line.replace('RUN', str(trained))}")
    assert everything_in(trained) == before


def test_a_wrong_key_in_a_file_is_told_as_one_in_the_file(damier_: Damier, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[search]\nsimulations = 3\n")
    code, _, err = damier_("train", "tictactoe", "--config", file, "--out", tmp_path / "new")
    assert code == 2
    assert err.startswith(f"damier: {file}: unknown key 'search.simulations'; expected one of root, sims,")
    assert not (tmp_path / "new").exists()


def test_a_full_disk_is_one_line_and_the_run_goes_on_later(
    copied: Path, damier_: Damier, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything_in(copied)
    arguments = ("train", "--resume", copied, "--iterations", "4", "--workers", "1")
    written = os.write

    def full(handle: int, data: Any) -> int:
        if len(data) > 100:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written(handle, data)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        code, out, err = damier_(*arguments)
    assert (code, out) == (2, "")
    assert f"damier: can't write '{copied}/replay/00003.games': No space left on device" in err.splitlines()[-1]
    after = everything_in(copied)
    assert {name: after[name] for name in before if name != "config.toml"} == {
        name: data for name, data in before.items() if name != "config.toml"
    }
    assert damier_(*arguments)[0] == 0


def test_two_at_once_are_refused(trained: Path, damier_: Damier) -> None:
    with open_run(trained).locked():
        code, _, err = damier_("train", "--resume", trained, "--workers", "1")
    assert code == 2
    assert f"damier: another process trains in '{trained}'" in err


# -- settings ----------------------------------------------------------------------------------------------------------


def test_settings_come_from_the_recipe_the_file_and_the_line_in_this_order() -> None:
    recipe = settings_for("connect4")
    assert recipe.selfplay.games != settings_for("othello").selfplay.games
    given = settings_for("connect4", {"selfplay": {"games": 7, "parallel": 3}}, {"selfplay": {"games": 8}})
    assert (given.selfplay.games, given.selfplay.parallel) == (8, 3)
    assert given.selfplay.random_moves == recipe.selfplay.random_moves


def test_the_recipe_with_the_most_options_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    recipes = {"mnk": {"seed": 1}, "mnk:rows=4": {"seed": 2}, "mnk:rows=4,cols=5": {"seed": 3}}
    monkeypatch.setattr("damier.zero.configuration.RECIPES", recipes)
    games = ("mnk", "mnk:k=3", "mnk:k=3,rows=4", "mnk:k=4,cols=5,rows=4", "gomoku")
    assert [settings_for(game).seed for game in games] == [1, 1, 2, 3, 0]


def test_settings_are_the_same_after_a_file() -> None:
    settings = settings_for("tictactoe", parse_assignments(["gate.sims=3", "quantised=true", "search.root=puct"]))
    assert validated(tomllib.loads(to_toml(settings)), "a file") == settings


def test_the_game_of_a_users_own_is_found_from_any_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2] / "examples")
    settings = settings_for("nim.py:Nim")
    assert settings.game == f"{Path.cwd()}/nim.py:Nim"


# -- damier runs -------------------------------------------------------------------------------------------------------


def test_runs_are_listed(trained: Path, damier_: Damier) -> None:
    code, out, _ = damier_("runs", "--root", trained.parent)
    assert code == 0
    assert "3 of 3" in out
    (listed,) = json.loads(damier_("runs", "--root", trained.parent, "--json")[1])
    assert (listed["game"], listed["iterations"], listed["games"]) == ("tictactoe", 3, 24)
    assert "no runs in" in damier_("runs", "--root", trained / "replay")[1]


def test_runs_are_compared_and_plotted(trained: Path, copied: Path, damier_: Damier, tmp_path: Path) -> None:
    file = copied / "config.toml"
    file.write_text(file.read_text().replace("value_mix = 0.5", "value_mix = 0.25"))
    document = json.loads(damier_("runs", "compare", trained, copied, "--json")[1])
    assert document["settings"] == {"training.value_mix": ["0.5", "0.25"]}
    assert document["figures"]["games"] == [24, 24]
    assert "training.value_mix" in damier_("runs", "compare", trained, copied)[1]
    picture = tmp_path / "curves.png"
    code, _, err = damier_("runs", "plot", trained, copied, "--out", picture)
    assert (code, err) == (0, f"wrote {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, _, err = damier_("runs", "plot", trained, "--out", tmp_path / "curves.txt")
    assert code == 2
    assert err.startswith("damier: expected a file ending in .png, .svg, .pdf, got")


def test_a_network_is_handed_on_with_its_card(trained: Path, copied: Path, damier_: Damier, tmp_path: Path) -> None:
    out = tmp_path / "mine.onnx"
    code, _, err = damier_("runs", "export", trained, "--out", out, "--figure", "elo=12")
    assert (code, err) == (0, f"wrote {out} and {out.with_suffix('.toml')}\n")
    assert out.read_bytes() == (trained / "best.onnx").read_bytes()
    card = read_card(out, out.read_bytes())
    assert (card["game"], card["figures"]["games"], card["figures"]["elo"]) == ("tictactoe", 24, 12)
    assert validated(card["settings"], "the card") == open_run(trained).settings
    assert "--set network.kind=mlp" in card["command"]
    assert damier_("runs", "export", trained, "--out", out)[2] == (
        f"damier: '{out}' is there already; --force replaces it\n"
    )
    assert "recommended" not in card
    strong = ("--recommend", "strong:seconds=2,exact=true", "--recommend", "club:sims=20")
    assert damier_("runs", "export", trained, "--out", out, "--force", *strong)[0] == 0
    card = read_card(out, out.read_bytes())
    assert card["recommended"] == {"strong": "seconds=2,exact=true", "club": "sims=20"}
    assert "figures" in card
    for wrong, told in (("mighty:sims=1", "expected a strength of"), ("club:simms=20", "zero has no option 'simms'")):
        code, _, err = damier_("runs", "export", trained, "--out", out, "--force", "--recommend", wrong)
        assert (code, told in err) == (2, True)
    earlier = ("runs", "export", trained, "--out", out, "--iteration", "1", "--force")
    assert damier_(*earlier)[0] == 0
    assert read_card(out, out.read_bytes())["figures"]["iterations"] == 1
    assert damier_("runs", "export", trained, "--out", out, "--int8", "--force")[0] == 0
    assert read_card(out, out.read_bytes())["int8"] is True
    Network(out).fits(damier.game("tictactoe"))
    out.write_bytes((trained / "best.onnx").read_bytes())
    with pytest.raises(damier.DamierError, match=r"mine.onnx' was altered, or 'mine.toml' is about another one"):
        Network(out)
    shutil.rmtree(copied / "checkpoints" / "0001")
    assert damier_("runs", "export", copied, "--out", tmp_path / "no.onnx", "--iteration", "1")[2] == (
        f"damier: '{copied}' has no checkpoint 1\n"
    )
    assert not (tmp_path / "no.onnx").exists()


def test_the_dashboard_shows_an_iteration(trained: Path) -> None:
    run: Run = open_run(trained)
    rows = run.metrics.rows()
    board = Dashboard()
    board.start(run, rows[:2], 1234)
    board.playing(2, 5, 8)
    board.learning(2, 3, 10, Losses(1.0, 0.5, 0.5, 0.1, 0.2))
    board.finished(rows[2])
    from rich.console import Console

    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(board._draw())
    console.file.close()
    shown = console.export_text()
    assert "mlp network, 1,234 weights" in shown
    assert "total loss" in shown
    assert f"{rows[2]['policy_loss']:.3f}" in shown
    assert "0.0 min, about 0 min left" in shown
    board.iterations, board.rows[-1] = 5, rows[2] | {"seconds": 600 - rows[0]["seconds"] - rows[1]["seconds"]}
    assert board._left == pytest.approx(2 * 10 / 3, abs=0.01), "two more of 10 / 3 minutes"
    board.minutes = 12
    assert board._left == pytest.approx(2, abs=0.01)
    assert sparkline([0, 1, 2, 7]) == "▁▂▃█"


def test_help_needs_no_torch(damier_: Damier, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else found(name))
    code, _, err = damier_("train", "tictactoe")
    assert (code, err) == (2, "damier: training needs torch: pip install 'damier[train]'\n")
    assert damier.game("tictactoe").name == "tictactoe"


@pytest.mark.parametrize(
    ("game", "minutes", "value"),
    [
        ("blokus", 180, "pooled"),
        ("blokus:players=2,colours=4", 180, "pooled"),
        ("blokus:players=3,colours=4", 180, "pooled"),
        ("blokus:board=duo", 60, "dense"),
        ("blokus:board=tiny,players=2,colours=4", 45, "dense"),
    ],
)
def test_each_board_of_blokus_has_its_recipe(game: str, minutes: float, value: str) -> None:
    settings = settings_for(game)
    assert (settings.minutes, settings.network.policy, settings.network.value) == (minutes, "planes", value)
    assert settings.quantised
