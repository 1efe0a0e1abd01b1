"""What numbers, names and the system refuse is told in one line, wherever it comes from."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer.main
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.cli import app, main
from damier.cli.terminal import events as terminal_events
from damier.cli.terminal.arguments import Command
from damier.core.budget import Budget
from damier.core.errors import DamierError, SpecError
from damier.core.files import check_path, write_file
from damier.core.loading import load_class
from damier.core.numbers import MOST, fault_of
from damier.core.secrets import without_passwords
from damier.core.spec import build, defaults
from damier.games import REGISTRY as GAMES
from damier.players import REGISTRY as PLAYERS
from damier.search.perft import distinct, perft
from damier.store.database import Store
from damier.zero.batches import encoded
from damier.zero.metrics import Metrics
from damier.zero.ratings import load_ratings, load_results
from damier.zero.run import Run
from damier.zero.samples import Samples, concatenate
from damier.zero.settings import Settings
from tests.unit.command import ROOT, Damier, run_damier

# -- numbers -------------------------------------------------------------------------------------------------------


def commands(command: Any) -> Iterator[Any]:
    listed = getattr(command, "commands", None)
    if listed is None:
        yield command
    for each in (listed or {}).values():
        yield from commands(each)


def test_every_command_checks_its_numbers() -> None:
    assert [each.name for each in commands(typer.main.get_command(app)) if not isinstance(each, Command)] == []


FACTORIES = {name: entry.locator for name, entry in GAMES.items()} | PLAYERS


@pytest.mark.parametrize("what", ["games", "seed", "openings", "workers"])
def test_a_number_of_games_given_in_python_is_a_whole_one(what: str) -> None:
    for wrong in (2.5, "x"):
        if (what, wrong) != ("openings", "x"):  # a list of openings is expected there
            with pytest.raises(SpecError, match=rf"^expected a whole number for {what}, got {wrong!r}$"):
                damier.match("tictactoe", "random", "flat:sims=1", **{what: wrong})  # type: ignore[arg-type]


def test_depths_and_counts_given_in_python_are_whole_numbers() -> None:
    for call in (damier.perft, damier.playouts, damier.check_game):
        with pytest.raises(SpecError, match=r"^expected a whole number for (depth|games), got 2.5$"):
            call("tictactoe", 2.5)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match=r"^expected a whole number for positions, got 2.5$"):
        damier.check_player("random", ["tictactoe"], 2.5)  # type: ignore[arg-type]
    assert damier.perft("tictactoe", np.int64(2)) == 72  # type: ignore[arg-type]


def _default(name: str, option: str) -> object:
    return defaults(load_class(FACTORIES[name]))[option]


OPTIONS = [
    (name, option)
    for name, locator in FACTORIES.items()
    for option, default in defaults(load_class(locator)).items()
    if type(default) in (int, float) or option in ("sims", "nodes", "seconds")
]
FRACTIONS = [(name, option) for name, option in OPTIONS if option == "seconds" or type(_default(name, option)) is float]


@pytest.mark.parametrize("text", ["9" * 5000, "nan", "inf", "-inf", "1e999", str(2**63), str(-(2**63))])
def test_no_option_of_a_game_or_a_player_takes_a_number_that_is_none(text: str) -> None:
    fits_a_fraction = text in (str(2**63), str(-(2**63)))
    for name, option in OPTIONS:
        if fits_a_fraction and (name, option) in FRACTIONS:
            continue
        with pytest.raises(SpecError, match=f"{option} must "):
            build(load_class(FACTORIES[name]), name, {option: text})
    assert len(OPTIONS) > 100 > len(FRACTIONS) > 10


@given(st.integers(-MOST, MOST) | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.none())
def test_what_compiled_code_can_hold_is_no_fault(value: object) -> None:
    assert fault_of(value) is None


@pytest.mark.parametrize("limits", [{"seconds": float("nan")}, {"seconds": 1e10}, {"sims": 2**63}, {"nodes": 2**80}])
def test_a_budget_is_a_limit(limits: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match=next(iter(limits))):
        Budget(**limits)


def test_perft_beyond_the_end_of_all_games_needs_no_room() -> None:
    start = damier.game("tictactoe").start().play_all("b2 a1 a3 c1 b1 b3 a2")
    assert perft(start, MOST) == 0
    assert list(distinct(start, MOST)) == [1, 2, 2, 0]


def test_too_much_memory_for_a_worker_is_told_in_one_line(damier_: Damier) -> None:
    players = [f"alphabeta:depth=1,memory={2**33}", "random"]
    code, out, err = damier_("match", "tictactoe", *players, "--games", "4", "--workers", "2", "--fresh")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("damier: expected memory from 1 to ")


# -- files ---------------------------------------------------------------------------------------------------------


def test_what_can_be_written_is_known_before_the_work(tmp_path: Path) -> None:
    longest = tmp_path / ("a" * 255)
    check_path(longest)
    write_file(longest, "whole")
    assert longest.read_text() == "whole"
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("a" * 256, "File name too long"), ("pipe", "got a device"), (".", "got a folder")):
        with pytest.raises(DamierError, match=reason):
            check_path(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == [longest.name, "pipe"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("arguments", [["games", "--json"], ["games"], ["--version"]])
def test_a_full_device_is_told_in_one_line(arguments: list[str]) -> None:
    command = [str(Path(sys.executable).with_name("damier")), *arguments]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (2, "damier: can't read or write: No space left on device\n")


def test_a_game_that_ends_the_program_is_refused(damier_: Damier, tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("class Game:\n    def __init__(self):\n        raise SystemExit(3)\n")
    (tmp_path / "left.py").write_text("raise SystemExit(3)\n")
    for file, line in (("leaving", 3), ("left", 1)):
        code, out, err = damier_("check", f"{tmp_path}/{file}.py:Game")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"{file}.py' line {line}" in err


def test_records_that_several_processes_made_are_learnt_from() -> None:
    game = damier.game("tictactoe")
    states, none = np.array([game.start().play("b2").state], game.dtype), np.zeros(1, np.float32)
    part = Samples(states, np.array([0, 0]), np.zeros(0, np.int32), none[:0], none[:, None], none[:, None], none)
    joined = concatenate([pickle.loads(pickle.dumps(part)) for _ in range(2)]).states
    assert (encoded(game, joined) == encoded(game, states)).all()


ROW = {"iteration": 1, "games": 3, "seconds": 1.5, "total_loss": 0.1, "policy_loss": 1.0, "value_loss": 0.5}
ROW |= {"game_length": 7.0, "games_per_second": 9.0}


@pytest.mark.parametrize("key", ROW)
def test_a_row_of_figures_that_lacks_one_is_none(key: str, tmp_path: Path) -> None:
    metrics = Metrics(tmp_path / "metrics.jsonl")
    damaged = [{name: value for name, value in ROW.items() if name != key}, ROW | {key: "x"}, ROW | {key: 10**400}]
    lines = [json.dumps(row) for row in (*damaged, ROW)] + ['{"iteration":' * 5000]
    metrics.path.write_text("\n".join(lines))
    assert metrics.rows() == [ROW]


@pytest.mark.parametrize("text", ['{"ratings": {"x": 1}, "results": [1]}', "[" * 5000, "[]", '{"ratings": 3}', "\xff"])
def test_damaged_ratings_are_none(text: str, tmp_path: Path) -> None:
    run = Run(tmp_path, Settings(game="tictactoe"))
    run.ratings.write_bytes(text.encode("latin-1"))
    assert (load_ratings(run), load_results(run)) == ({}, [])


# -- passwords -----------------------------------------------------------------------------------------------------

SECRET = "Hunter2"
URLS = [
    f"postgresql://me:{SECRET}@127.0.0.1:1/x",
    f"postgresql://me:{SECRET}@127.0.0.1:port/x",
    f"mysql://me:{SECRET}@/x",
    f"nosuch://me:{SECRET}@host/x",
    f"sqlite://me:{SECRET}@host/x",
    f"postgresql://host/x?user=me&password={SECRET}",
]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("command", ["tournament", "tune", "extra"])
def test_a_password_is_never_printed(command: str, url: str, damier_: Damier) -> None:
    arguments = {
        "tournament": ["tournament", "tictactoe", "random", "careful", "--database", url],
        "tune": ["tune", "othello", "--database", url],
        "extra": ["perft", "tictactoe", "2", url],  # by mistake, in a place where it is none
    }
    code, out, err = damier_(*arguments[command])
    assert (code, err.count("\n")) == (2, 1)
    assert SECRET not in out + err
    assert "***" in err


@given(st.text(min_size=1).filter(lambda text: "://" not in text), st.text("abc:@/?'\" &", max_size=9))
def test_any_password_is_hidden(password: str, rest: str) -> None:
    hidden = without_passwords(f"can't open 'postgresql://me:<{password}>@host/{rest}': no such host")
    assert f"<{password}>" not in hidden
    assert hidden.startswith("can't open 'postgresql://me:***@")


def test_a_server_says_in_one_line_that_its_database_cannot_be_opened() -> None:
    """In a process of its own, since a server switches the compiler off."""
    done = run_damier("serve", "--no-browser", "--port", "0", "--database", "/nowhere/games.sqlite3")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the database 'sqlite:////nowhere/games.sqlite3' can't be opened" in done.stderr


def test_a_mistyped_url_hides_its_password_too() -> None:
    assert SECRET not in without_passwords(f"no database 'sqlite:///postgresql:/me:{SECRET}@host/x'")


@pytest.mark.parametrize("text", ["sqlite:////home/a:b@c/games.sqlite3", "http://127.0.0.1:8000/", "a:b@c", "a=b"])
def test_what_is_no_password_is_shown(text: str) -> None:
    assert without_passwords(text) == text


# -- the end of a tournament ---------------------------------------------------------------------------------------


def test_a_tournament_that_could_not_show_its_table_shows_it_the_next_time(
    damier_: Damier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "games.sqlite3")
    arguments = ["tournament", "tictactoe", "random", "uct:sims=3", "--games", "4", "--workers", "1", "--json"]
    arguments += ["--database", database]

    class KilledError(BaseException):
        pass

    def killed(*given: object) -> None:
        raise KilledError

    monkeypatch.setattr(sys, "argv", ["damier", *arguments])
    with monkeypatch.context() as moment:
        moment.setattr(terminal_events, "show_result", killed)
        with pytest.raises(KilledError):
            main()
    code, out, err = damier_(*arguments)
    assert (code, json.loads(out)["games"]) == (0, 4)
    assert "resuming: 4 of 4 games are already played" in err
    assert events(database) == [True]
    damier_(*arguments)  # which is finished now, and played anew
    assert events(database) == [True, True]


def test_a_tournament_that_keeps_nothing_has_an_end_too(damier_: Damier) -> None:
    arguments = ["tictactoe", "random", "uct:sims=3", "--games", "2", "--workers", "1", "--json"]
    code, out, _ = damier_("tournament", *arguments, "--database", "sqlite://")
    assert (code, json.loads(out)["games"]) == (0, 2)


def events(database: str) -> list[bool]:
    store = Store(database)
    try:
        return [event.is_finished for event in store.events()]
    finally:
        store.close()
