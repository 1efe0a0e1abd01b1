"""A player is its search: its parameters never change, and it compiles for a game without searching."""

from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest
from numba.core import event

import damier
from damier.core.compile import COMPILER_ON
from damier.core.loading import load_class
from damier.core.position import Position
from damier.core.spec import defaults
from damier.players import REGISTRY
from damier.search.player import Player

SEARCHES = [name for name, place in REGISTRY.items() if place.startswith("damier.search.")]
PREPARED = [
    ("connect4:rows=4,cols=4", "minimax:depth=2"),
    ("connect4:rows=4,cols=4", "negamax:depth=2"),
    ("connect4:rows=4,cols=4", "negamax:depth=2,form=two"),
    ("connect4:rows=4,cols=4", "alphabeta:depth=2,memory=1"),
    ("othello:size=4", "alphabeta:depth=2,memory=1,weights=1/0/0"),
    ("connect4:rows=4,cols=4", "expectimax:depth=2,model=greedy"),
    ("connect4:rows=4,cols=4", "expectiminimax:depth=2"),
    ("connect4:rows=4,cols=4", "expectiminimax:depth=2,star=0"),
    ("connect4:rows=4,cols=4", "maxn:depth=2"),
    ("connect4:rows=4,cols=4", "paranoid:depth=2"),
    ("connect4:rows=4,cols=4", "bestreply:depth=2"),
    ("connect4:rows=4,cols=4", "perfect:memory=1"),
    ("mnk:rows=2,cols=2,k=2", "cfr:iterations=10"),
    ("connect4:rows=4,cols=4", "nested:level=1"),
    ("leftmove:depth=4", "nested:level=1"),
    ("leftmove:depth=4", "nrpa:level=1"),
    ("sliding:size=2,scramble=3", "astar:memory=1"),
    ("sliding:size=2,scramble=3", "idastar"),
    ("tictactoe", "zero:sims=20"),
    ("tictactoe", "zero:sims=20,root=puct,exact=true"),
]


@pytest.mark.parametrize("name", [name for name in SEARCHES if "montecarlo" not in REGISTRY[name]])
def test_the_parameters_of_a_search_do_not_change(name: str) -> None:
    made = damier.player(name)
    kind: type[Player] = load_class(REGISTRY[name])
    assert type(made) is kind
    assert is_dataclass(kind)
    public = {each.name: each for each in fields(kind) if not each.name.startswith("_")}
    assert set(public) == set(defaults(kind))
    assert made == damier.player(name), "two of the same parameters are equal"
    for option, default in defaults(kind).items():
        assert getattr(made, option) == default
        with pytest.raises(FrozenInstanceError):
            setattr(made, option, default)


def positions(name: str) -> list[Position]:
    """The first position and one in which somebody else may move."""
    start = damier.game(name).start()
    return [start, start.play(start.moves()[0])]


@pytest.mark.skipif(not COMPILER_ON, reason="about the compiler")
@pytest.mark.parametrize(("name", "spec"), PREPARED)
def test_what_is_prepared_needs_the_compiler_no_more(name: str, spec: str) -> None:
    start, later = positions(name)
    player = damier.player(spec)
    player.prepare(start)
    with event.install_recorder("numba:compile") as compiled:
        player.search(start)
        if not later.is_over:
            player.search(later)
    assert [str(each.data["dispatcher"]) for _, each in compiled.buffer if each.is_start] == []


@pytest.mark.parametrize(("name", "spec"), [("tictactoe", "nrpa"), ("tictactoe", "astar"), ("pig", "alphabeta")])
def test_a_game_that_does_not_fit_can_not_be_prepared(name: str, spec: str) -> None:
    with pytest.raises(damier.SpecError, match="is not"):
        damier.player(spec).prepare(positions(name)[0])


@pytest.mark.parametrize(
    ("spec", "nodes", "sims", "depth"),
    [
        ("alphabeta", 100_000, None, None),
        ("minimax:depth=3", None, None, 3),
        ("zero", None, 200, None),
        ("zero:sims=5", None, 5, None),
        ("nested:sims=7", None, 7, None),
        ("astar:nodes=9", 9, None, None),
    ],
)
def test_a_player_tells_its_budget(spec: str, nodes: int | None, sims: int | None, depth: int | None) -> None:
    budget = damier.player(spec).budget
    assert budget is not None
    assert (budget.nodes, budget.sims, budget.depth) == (nodes, sims, depth)


@pytest.mark.parametrize("spec", ["random", "perfect", "nested", "nrpa", "astar", "idastar"])
def test_who_is_not_limited_has_no_budget(spec: str) -> None:
    assert damier.player(spec).budget is None
