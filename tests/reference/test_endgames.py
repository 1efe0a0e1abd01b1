"""Endgame databases against a naive retrograde analysis with naive rules, position by position."""

from pathlib import Path

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.search.endgames.build import build_database
from damier.search.endgames.packing import NO_POSITION, pack, unpack
from damier.search.endgames.probing import stored_result
from tests.reference.naive_endgames import KINDS, Key, results

CASES = [
    ("draughts:size=6", 2),
    ("draughts:rules=english,size=6", 2),
    ("draughts:rules=italian,size=4", 3),
    ("draughts:rules=brazilian,size=4", 3),
]


@pytest.mark.parametrize(("name", "pieces"), CASES if COMPILER_ON else CASES[:2])
def test_databases_agree_with_a_naive_retrograde_analysis(name: str, pieces: int, tmp_path: Path) -> None:
    game = damier.game(name)
    database = build_database(game, pieces, tmp_path / "endgames", workers=2)
    expected = results({option: value for option, value in game.options.items() if option != "weights"}, pieces)
    assert sum(head["positions"] for head in database.endings) == len(expected) // 2  # both players to move
    assert {outcome for outcome, _ in expected.values()} == {"won", "drawn", "lost"}
    for key, (outcome, moves) in expected.items():
        number, index, _ = game.rules.ending(record_of(game, key))
        result = stored_result(database.endgames, number, index)
        wanted = 0 if outcome == "drawn" else moves + 1 if outcome == "won" else -moves - 1
        assert result == wanted, f"{key}: expected {outcome} in {moves}"


def record_of(game: damier.Game, key: Key) -> object:
    player, rows = key
    state = game.new_states(1)[0]
    state.player = player
    white = 0 if game.rules.variant.first == "white" else 1
    for row, cells in enumerate(rows):
        for col, kind in enumerate(cells):
            if kind:
                pieces = state.men if kind.endswith("man") else state.kings
                pieces[white if kind.startswith("white") else 1 - white] |= 1 << game.rules.squares.at(row, col)
    assert all(kind in ("", *KINDS) for cells in rows for kind in cells)
    return state


def test_results_are_packed_and_read_back() -> None:
    import numpy as np

    rng = np.random.default_rng(1)
    for size, most in ((1, 1), (255, 1), (256, 2), (257, 5), (700, 200), (600, 16382)):
        results = rng.integers(-most, most + 1, size).astype(np.int16)
        results[rng.random(size) < 0.1] = NO_POSITION
        words = np.concatenate([np.full(3, 77), pack(results)])
        for index in np.flatnonzero(results != NO_POSITION):
            assert unpack(words, 3, int(index)) == results[index]
