"""Which games and players a visitor may ask for, without a server."""

from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.errors import DamierError, SpecError
from damier.core.position import Position
from damier.players.random import Random
from damier.search.solve import Solver
from damier.web import permissions
from damier.web.catalogue import players_for, presets_for
from damier.web.permissions import ForbiddenError, check_seat, playable_game
from damier.web.searching.process import Searcher
from damier.web.settings import WebSettings

OWN_GAME = """
from pathlib import Path
from damier.core.options import FileName
from damier.games.tictactoe import TicTacToe

class Mine(TicTacToe):
    best_search = "grave:ref=7"

    def __init__(self, map: FileName = "", other: Path | None = None, word: str = "") -> None:
        self.map, self.other, self.word = map, other, word
"""
OWN_PLAYER = """
class Student:
    def __init__(self, seconds: float = 100.0) -> None:
        self.seconds = seconds

    def choose(self, pos):
        return pos.moves()[0]
"""
OWN_EVALUATION = """
class Mine:
    def __init__(self, weight: float = 1.0) -> None:
        self.weight = weight

    def evaluate(self, game, state, out):
        out[:] = 0
"""
LATE = "a a a a a a b b b b b b c c c c c c e e"


def start(game: str) -> Position:
    return damier.game(game).start()


@pytest.mark.parametrize("game", ["connect4", "gomoku", "othello", "draughts", "blokus:board=duo"])
def test_a_player_that_can_not_keep_the_time_is_neither_offered_nor_accepted(game: str) -> None:
    assert "perfect" not in players_for(damier.game(game), WebSettings())
    with pytest.raises(SpecError, match=r"perfect can't choose a move of .* within 10 seconds"):
        check_seat("perfect", WebSettings(), start(game))


def test_it_is_where_it_can() -> None:
    assert "perfect" in players_for(damier.game("tictactoe"), WebSettings())
    assert "uct" in players_for(damier.game("gomoku"), WebSettings())
    check_seat("perfect", WebSettings(), start("connect4:rows=4,cols=4"))
    check_seat("perfect", WebSettings(), start("connect4").play_all(LATE))


def test_preparing_a_player_that_nothing_bounds_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solver, "solve", _fail)
    searcher = Searcher.__new__(Searcher)
    searcher.prepared = set()
    assert [kind for kind, _ in searcher._compile(damier.game("connect4"), "perfect")] == ["preparing"]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of one's own, in a folder that also has a file `secret`."""
    (tmp_path / "mine.py").write_text(OWN_GAME)
    (tmp_path / "secret").write_text("secret")
    monkeypatch.chdir(tmp_path)
    return "mine.py:Mine"


def test_a_game_says_itself_which_of_its_options_name_files(own: str) -> None:
    owners, trusting = WebSettings(games=(own,)), WebSettings(allow_files=True)
    for options in ("map=secret", "other=secret", "map=../secret", "word=../secret"):
        with pytest.raises(ForbiddenError, match="files need --allow-files"):
            playable_game(f"{own}:{options}", owners)
        playable_game(f"{own}:{options}", trusting)
    playable_game(f"{own}:map=elsewhere,word=secret", owners)


def test_a_player_from_a_file_needs_files_to_be_allowed(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("student.py").write_text("raise AssertionError('this file was run')")
    for spec in (
        "student.py:Student",
        "student.py:Student:sims=3",
        "student.py",
        "alphabeta:evaluation=student.py:Student",
    ):
        with pytest.raises(ForbiddenError, match="--allow-files"):
            check_seat(spec, WebSettings(), start("tictactoe"))
    Path("student.py").write_text(OWN_PLAYER)
    monkeypatch.setattr(permissions, "player", lambda _: Random())
    assert check_seat("student.py:Student", WebSettings(allow_files=True), start("tictactoe")) == (
        "student.py:Student:seconds=10"
    )


@pytest.mark.parametrize(
    "spec",
    ["mcts:rule=(grave:ref=7),sims=10", "uct:playout=heavy,sims=10", "alphabeta:evaluation=game", "mcts:rule=ucb1"],
)
def test_the_parts_that_come_with_damier_are_allowed_with_their_options(spec: str) -> None:
    allowed = check_seat(spec, WebSettings(), start("othello"))
    assert allowed.startswith(spec)
    assert check_seat(allowed, WebSettings(), start("othello")) == allowed


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mcts:rule=(grave:ref=1000000)", "grave: expected ref of at most 500 on this server, got '1000000'"),
        ("mcts:rule=(grave:ref=7", r"expected a '\)' for every '\('"),
        ("mcts:rule=grvae", "unknown selection rule 'grvae'; did you mean 'grave'"),
        ("mcts:rule=(grave:depth=7)", "grave has no option 'depth'"),
        ("uct:c=(grave:ref=7)", "uct: expected a plain name for c, got 'grave:ref=7'; files need --allow-files"),
    ],
)
def test_a_part_is_refused_for_its_name_or_its_options(spec: str, reason: str) -> None:
    with pytest.raises(DamierError, match=reason):
        check_seat(spec, WebSettings(), start("othello"))


def test_a_part_from_a_file_needs_files_to_be_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("part.py").write_text("raise AssertionError('this file was run')")
    specs = ("alphabeta:evaluation=part.py:Mine", "alphabeta:evaluation=(part.py:Mine:weight=2)")
    for spec in (*specs, "alphabeta:evaluation=part.py", "alphabeta:evaluation=(../part.py:Mine)"):
        with pytest.raises(ForbiddenError, match=r"a plain name for evaluation, .*; files need --allow-files"):
            check_seat(spec, WebSettings(), start("tictactoe"))
    Path("part.py").write_text(OWN_EVALUATION)
    for spec in specs:
        assert check_seat(spec, WebSettings(allow_files=True), start("tictactoe")).startswith(spec)
    with pytest.raises(SpecError, match="expected weight of at most 100 on this server"):
        check_seat("alphabeta:evaluation=(part.py:Mine:weight=1e9)", WebSettings(allow_files=True), start("tictactoe"))


def test_the_presets_are_the_best_search_that_a_game_names(own: str) -> None:
    presets = presets_for(damier.game(own))
    assert presets["club"] == "grave:ref=7,sims=300"
    assert presets["strong"] == "grave:ref=7,seconds=2,sims=1000000"
    assert presets["beginner"] == "uct:sims=50"


def _fail(*_: Any, **__: Any) -> None:
    raise AssertionError("this takes minutes")
