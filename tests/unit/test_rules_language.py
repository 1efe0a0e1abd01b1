"""What rules may say: attributes, helpers, the names of damier, conditional arguments."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.fingerprint import fingerprint
from tests.unit.command import run_damier
from tests.wrong.base import Count

USES_THE_MODULE = """
import numpy as np
import damier


class Bits:
    State = np.dtype([("player", np.int8), ("left", np.uint64)])
    num_players = 2
    max_moves = 1
    max_length = 3

    def setup(self, state):
        state.player = 0
        state.left = 0b10110

    def moves(self, state, out):
        out[0] = damier.lowest(state.left)
        return 1 if state.left else 0

    def play(self, state, move):
        state.left = damier.drop_lowest(state.left)
        state.player = 1 - state.player

    def returns(self, state, out):
        out[:] = 0
"""


def test_a_rule_may_name_damiers_functions_through_the_module(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(USES_THE_MODULE)
    done = run_damier("check", f"{tmp_path}/own.py:Bits", "--games", "1")
    assert "1 random games, 3 moves, no law broken" in done.stdout, done.stderr


def test_a_helper_may_be_called_with_a_conditional_argument() -> None:
    class Conditional(Count):
        def play(self, state, move):  # type: ignore[no-untyped-def]
            state.total += self.step(1 if move == 1 else 2)
            state.player = 1 - state.player

        def step(self, size: int) -> int:
            return size

    assert damier.check_game(Conditional, games=3).games == 3


def test_attributes_of_every_kind_are_read() -> None:
    class Attributes(Count):
        table = np.array([[1, 2], [3, 4]])
        word = np.uint64(2**63)
        real = 2.0
        flag = True

        def moves(self, state, out):  # type: ignore[no-untyped-def]
            if self.flag and self.real > 1.5 and self.word >> np.uint64(63) == 1 and self.table[1, 1] == 4:
                out[0] = self.limit
                return 1 if state.total < 5 else 0
            return 0

        def __init__(self, limit: int = 2) -> None:
            self.limit = limit

    assert damier.game(Attributes()).start().moves() == [2]
    assert damier.game(Attributes(limit=1)).start().moves() == [1]


def test_a_game_can_be_handed_to_a_kernel_of_ones_own() -> None:
    @damier.kernel
    def first_move(game: Any, state: Any, out: Any) -> Any:
        return out[0] if game.moves(state, out) else -1

    game = damier.game("connect4")
    assert first_move(game, game.start().state, np.zeros(7, np.int64)) == 0
    assert first_move(game.rules, game.start().state, np.zeros(7, np.int64)) == 0


def test_structs_are_handed_to_kernels() -> None:
    class Pair(damier.Struct):
        def __init__(self) -> None:
            self.numbers = np.arange(3.0)
            self.factor = 2

    @damier.kernel
    def scale(pair: Any) -> Any:
        for i in range(pair.numbers.size):
            pair.numbers[i] *= pair.factor
        return pair.numbers.size

    pair = Pair()
    assert scale(pair) == 3
    assert pair.numbers.tolist() == [0.0, 2.0, 4.0]


def test_a_local_name_like_a_method_is_no_suspect(tmp_path: Path) -> None:
    source = Path("examples/breakthrough.py").read_text().replace("self.size - 1)", "self.last_row)")
    (tmp_path / "own.py").write_text(source)
    with pytest.raises(damier.RulesError, match=r"`play` uses `self\.last_row`, which the class does not have"):
        damier.check_game(f"{tmp_path}/own.py:Breakthrough")


def test_a_hash_of_rules_asks_a_module_for_what_they_read_of_it_and_for_nothing_else() -> None:
    """`state.player` is no `lazy.player`: what else a module could load must not change the hash."""
    lazy: Any = ModuleType("lazy")
    names: dict[str, Any] = {"__name__": "own", "lazy": lazy}
    exec("def rule(state): return lazy.limit < state.player", names)
    hashes = []
    for limit in (1, 2, 2):
        asked: list[str] = []
        lazy.__getattr__ = lambda name, asked=asked, limit=limit: asked.append(name) or limit
        hashes.append(fingerprint(names["rule"]))
        assert asked == ["limit"]
    assert hashes[0] != hashes[1] == hashes[2]
