"""Text names of games and players."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.core.spec import format_spec, split_spec
from tests.wrong.base import Count


def test_a_game_is_named_by_what_differs_from_its_defaults() -> None:
    assert damier.game("connect4").name == "connect4"
    assert damier.game("connect4:rows=6,cols=7").name == "connect4"
    assert damier.game("connect4:cols=8").name == "connect4:cols=8"
    assert damier.game("gomoku").name == "gomoku"
    assert damier.game("gomoku:rows=19,cols=19").name == "gomoku:rows=19,cols=19"
    assert damier.game("gomoku").options == {"rows": 15, "cols": 15, "k": 5}


def test_a_name_makes_the_same_game_again() -> None:
    for name in ("othello:size=6", "mnk:rows=7,cols=9,k=5", "examples/nim.py:Nim:heaps=4"):
        game = damier.game(name)
        assert game.name == name
        assert damier.game(game.name) == game


def test_instances_and_classes_of_ones_own_are_games() -> None:
    assert damier.game(Count()).start().moves() == [1, 2]
    assert damier.game(Count).name == "Count"
    game = damier.game("tictactoe")
    assert damier.game(game) is game


def test_a_file_is_read_again_when_it_was_edited(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(Path("tests/wrong/base.py").read_text())
    assert len(damier.game(f"{path}:Count").start().moves()) == 2
    path.write_text(path.read_text().replace("return 2", "return 1"))
    assert len(damier.game(f"{path}:Count").start().moves()) == 1


def test_the_options_of_a_game_can_be_of_any_simple_kind() -> None:
    class Options(Count):
        def __init__(self, whole: int = 1, real: float = 0.5, flag: bool = False, text: str = "a") -> None:
            self.whole, self.real, self.flag, self.text = whole, real, flag, text

    from damier.core.spec import build

    made: Any = build(Options, "options", {"whole": "3", "real": "1.5", "flag": "yes", "text": "b"})
    assert (made.whole, made.real, made.flag, made.text) == (3, 1.5, True, "b")
    assert damier.Game(made).name.endswith("Options:whole=3,real=1.5,flag=true,text=b")
    with pytest.raises(damier.SpecError, match="flag must be true or false, got 'maybe'"):
        build(Options, "options", {"flag": "maybe"})


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.integers(-99, 99), max_size=4))
def test_splitting_undoes_formatting(options: dict[str, int]) -> None:
    for name in ("connect4", "some/where/file.py:Class"):
        expected = {option: str(value) for option, value in options.items()}
        assert split_spec(format_spec(name, options)) == (name, expected)


def test_players_are_found_by_name() -> None:
    position = damier.game("othello").start()
    result = damier.player("random").search(position, seed=7)
    assert result == damier.SearchResult(**vars(result))
    assert result.move in position.moves()
    assert result.notation == position.notation(result.move)
    assert result.policy == (0.25,) * 4
    moves = {damier.player("random").search(position, seed=seed).move for seed in range(50)}
    assert moves == set(position.moves())
    with pytest.raises(damier.DamierError, match="damier play"):
        damier.player("human").search(position)


def test_tables_of_a_game_cannot_be_written() -> None:
    game = damier.game("connect4")
    with pytest.raises(ValueError, match="read-only"):
        game.rules.bottom[0] = np.uint64(7)


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("blokus:players=4", "blokus"),
        ("blokus:board=duo,players=2,colours=2,size=14,pieces=5", "blokus:board=duo"),
        ("draughts:rules=russian,flying=true", "draughts:rules=russian"),
    ],
)
def test_an_option_that_says_what_the_rules_decide_anyway_makes_no_other_game(long: str, short: str) -> None:
    assert damier.game(long) == damier.game(short)
    assert damier.game(long).name == short


def test_an_option_that_changes_a_rule_makes_another_game() -> None:
    assert damier.game("blokus:players=2,colours=4").name == "blokus:players=2,colours=4"
    assert damier.game("draughts:rules=russian,flying=false") != damier.game("draughts:rules=russian")
