"""The classical searches find what plain ones on plain trees find, and look at no more leaves."""

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import damier
from damier import Position
from damier.core.compile import COMPILER_ON
from damier.games import REGISTRY
from damier.games.trees.notation import Node, parse_tree
from damier.games.trees.rules import ExplicitTree
from damier.search.classical import stack as steps
from damier.search.classical.alphabeta import AlphaBeta, Switches
from damier.search.classical.deepening import Deepening
from damier.search.classical.expectimax import Expectimax
from damier.search.classical.expectiminimax import Expectiminimax
from damier.search.classical.minimax import Minimax
from damier.search.classical.multiplayer import BestReply, MaxN, Paranoid
from damier.search.classical.negamax import Negamax
from tests.reference import naive_search as naive
from tests.reference.random_trees import chance_trees, three_player_trees, two_player_trees

EXAMPLES = 400 if COMPILER_ON else 60
ALL_OFF: dict[str, Any] = {field.name: False for field in fields(Switches)}
SWITCHES = st.fixed_dictionaries({field.name: st.booleans() for field in fields(Switches)})
DEPTHS = st.sampled_from([1, 2, 3, 4, 100])


def planted(text: str) -> tuple[Position, Node]:
    """A tree as a game and as plain objects."""
    return damier.game(ExplicitTree(text=text)).start(), parse_tree(text)


def leaves(search: Deepening) -> int:
    return int(search.stack.leaves[0])


# -- two players -----------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(two_player_trees(), DEPTHS, SWITCHES)
def test_with_two_players_all_find_the_value_of_minimax(text: str, depth: int, switches: dict[str, Any]) -> None:
    pos, root = planted(text)
    value, most = naive.value(root, depth), naive.num_leaves(root, depth)
    frugal = [Negamax(depth, form="two"), Negamax(depth), AlphaBeta(depth, memory=1, **ALL_OFF)]
    counts = []
    for search in (Minimax(depth), *frugal, AlphaBeta(depth, memory=1), AlphaBeta(depth, memory=1, **switches)):
        result = search.search(pos)
        assert result.values is not None
        assert result.values[0] * pos.game.scale == value, search
        assert naive.value(root.children[result.move], depth - 1) == value, search
        counts.append(leaves(search))
    assert counts[0] == most
    assert max(counts[1:4]) <= most
    assert counts[1] == counts[2]


def perfectly_ordered(breadth: int, depth: int, value: int, player: int = 0) -> str:
    """A tree of this value in which the first move is always the best one."""
    if depth == 0:
        return str(value)
    worse = [value - i if player == 0 else value + i for i in range(breadth)]
    below = (perfectly_ordered(breadth, depth - 1, each, 1 - player) for each in worse)
    return f"{('max', 'min')[player]}({' '.join(below)})"


@pytest.mark.parametrize(("breadth", "depth"), [(2, 1), (2, 6), (3, 4), (3, 5), (5, 3), (4, 4)])
def test_of_perfectly_ordered_trees_as_few_leaves_are_looked_at_as_possible(breadth: int, depth: int) -> None:
    pos, _ = planted(perfectly_ordered(breadth, depth, 7))
    fewest = breadth ** ((depth + 1) // 2) + breadth ** (depth // 2) - 1
    minimax = Minimax(depth)
    minimax.search(pos)
    assert leaves(minimax) == breadth**depth
    for search in (
        Negamax(depth, form="two"),
        Negamax(depth),
        AlphaBeta(depth, memory=1, **ALL_OFF),
        AlphaBeta(depth, memory=1, **ALL_OFF | {"null_window": True}),
    ):
        search.search(pos)
        assert leaves(search) == fewest


@pytest.mark.skipif(COMPILER_ON, reason="compiled code can't be watched")
@settings(max_examples=100)
@given(two_player_trees())
def test_principal_variation_search_sees_no_leaf_that_alpha_beta_does_not_see(text: str) -> None:
    """It may see one twice, but none besides (Reinefeld 1983)."""
    pos, _ = planted(text)
    seen: set[int] = set()
    end = steps.end

    def watched(game: Any, stack: Any, ply: int) -> None:
        seen.add(int(stack.states[ply].node))
        end(game, stack, ply)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "end", watched)
        Negamax(100, form="two").search(pos)
        by_alpha_beta = set(seen)
        seen.clear()
        AlphaBeta(100, memory=1, **ALL_OFF | {"null_window": True}).search(pos)
    assert seen <= by_alpha_beta


# -- chance ----------------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(chance_trees(), DEPTHS)
def test_with_chance_star1_and_star2_find_the_value_of_expectiminimax(text: str, depth: int) -> None:
    pos, root = planted(text)
    value, most = naive.value(root, depth), naive.num_leaves(root, depth)
    for search in (Minimax(depth), Expectiminimax(depth, star=1), Expectiminimax(depth, star=2)):
        result = search.search(pos)
        assert result.values is not None
        assert result.values[0] * pos.game.scale == value, search
        assert naive.value(root.children[result.move], depth - 1) == value, search
        assert leaves(search) <= most


@settings(max_examples=EXAMPLES // 5)
@given(chance_trees())
def test_expectimax_takes_the_mean_of_the_others_moves(text: str) -> None:
    pos, root = planted(text)
    result = Expectimax(100).search(pos)
    assert result.values is not None
    assert result.values[pos.player] * pos.game.scale == pytest.approx(naive.expectimax(root, pos.player))


@damier.kernel
def always_the_last(game: Any, stack: Any, ply: int, count: int) -> None:
    for i in range(count):
        stack.probs[ply, i] = 1.0 if i == count - 1 else 0.0


def test_expectimax_takes_a_model_of_ones_own_and_the_greedy_one() -> None:
    pos = damier.game("tree:text=max(min[0](min[9](8) min[1](2)) min[0](min[1](1) min[9](3)))").start()
    models: list[tuple[Any, str]] = [("uniform", "1"), ("greedy", "1"), (always_the_last, "2")]
    for model, move in models:
        assert Expectimax(3, model=model).search(pos).notation == move


# -- several players -------------------------------------------------------------------------------------------


@settings(max_examples=EXAMPLES // 2)
@given(three_player_trees())
@example("A(B(C((9 0 0) (5 0 0)) C((8 0 0) (1 0 0))) (2 0 0))")  # 5 if only one of B and C may choose, else 2
def test_with_three_players_all_find_what_plain_ones_find(text: str) -> None:
    pos, root = planted(text)
    values, most = naive.max_n(root), naive.num_leaves(root, 100)
    for search in (Minimax(100), MaxN(100)):
        result = search.search(pos)
        assert result.values is not None
        found = [float(pos.game.format_value(value)) for value in result.values[:3]]
        assert found == pytest.approx(values)
        assert leaves(search) <= most
    for against_me, expected in (
        (Paranoid(100), naive.paranoid(root, pos.player)),
        (BestReply(100), naive.best_reply(pos, pos.player)),
    ):
        result = against_me.search(pos)
        score = result.scores[result.moves.index(result.move)]
        assert float(pos.game.format_value(score)) == pytest.approx(expected)
        assert leaves(against_me) <= most


@pytest.mark.skipif(not COMPILER_ON, reason="about compiled code")
def test_no_search_calls_itself_with_arguments_of_another_type() -> None:
    """That would be two functions calling each other, which crash when they are loaded from the disk cache."""
    pos, still = damier.game("tree:file=coin").start(), damier.game("tree").start()
    ways: list[Deepening] = [Minimax(3), Expectiminimax(3), Expectimax(3), MaxN(3), Paranoid(3)]
    for search, start in (*((way, pos) for way in ways), (Negamax(3), still), (AlphaBeta(3), still)):
        search.search(start)
        kernel: Any = search.kernel
        compiled = [signature[:3] for signature in kernel.signatures]
        assert len(compiled) == len(set(compiled)), search


# -- games -----------------------------------------------------------------------------------------------------


def game_value(pos: Position, depth: int, quiescence: bool = False) -> float:
    """Expectiminimax on positions, for the first player; at the end of the depth noisy moves go on."""
    returns = pos.returns
    if returns is not None:
        return returns[0]
    if depth > 0 and pos.is_chance:
        return sum(p * game_value(pos.play(move), depth - 1, quiescence) for move, p in pos.outcomes.items())
    moves = pos.moves()
    values = []
    if depth <= 0:
        noisy = [move for move in moves if quiescence and pos.game.has("noisy") and pos.game.noisy(pos.state, move)]
        values = [pos.evaluate()[0] if pos.game.has("evaluate") else 0.0] if len(noisy) < len(moves) else []
        moves = noisy
    values += [game_value(pos.play(move), depth - 1, quiescence) for move in moves]
    return max(values) if pos.player == 0 else min(values)


SMALL = {  # of every registered game, and how deep to look
    "tictactoe": ("tictactoe", 3),
    "connect4": ("connect4:rows=4,cols=4", 5),
    "mnk": ("mnk:rows=3,cols=4,k=3", 2),
    "gomoku": ("gomoku:rows=3,cols=3,k=3", 2),
    "connect5": ("connect5:rows=2,cols=4,k=3", 2),
    "othello": ("othello:size=4", 4),
    "draughts": ("draughts:size=6,rules=brazilian", 3),
    "dames8": ("dames8:size=4", 5),
    "blokus": ("blokus:board=tiny,size=5,pieces=3", 1),
    "leftmove": ("leftmove:depth=5", 5),
    "samegame": ("samegame:rows=3,cols=3,colours=2", 3),
    "morpion": ("morpion", 1),
    "sliding": ("sliding:scramble=5", 4),
    "tree": ("tree:file=deep", 9),
    "backgammon": ("backgammon:position=FAAAgAIAAAAAAA", 3),
    "pig": ("pig", 5),
    "pacman": ("pacman:layout=tiny", 5),
}
MORE = {
    "pacman:layout=tiny,ghosts=adversary": 5,
    "tree:file=coin": 9,
    "examples/breakthrough.py:Breakthrough:size=4": 2,
    "examples/nim.py:Nim:heaps=3": 3,
}
GAMES = dict(SMALL.values()) | MORE
COMPILED = {"connect4:rows=4,cols=4"}  # each takes its time to compile


def test_every_registered_game_without_secrets_is_here() -> None:
    assert set(SMALL) == {name for name in REGISTRY if not damier.game(name).is_hidden}
    assert all(name.split(":")[0] == registered for registered, (name, _) in SMALL.items())


def begin(name: str) -> Position:
    """A position in which somebody moves."""
    pos = damier.game(name).start()
    while pos.is_chance:
        pos = pos.play(pos.moves()[0])
    return pos


@pytest.mark.skipif(COMPILER_ON, reason="compiling every search for every game takes longer than the plain rules")
@pytest.mark.parametrize("name", GAMES)
def test_on_games_all_find_the_value_of_plain_minimax(name: str) -> None:
    pos, depth = begin(name), GAMES[name]
    value, most = game_value(pos, depth), 0
    searches: list[Deepening] = [Minimax(depth), MaxN(depth)]
    if pos.game.num_players == 1:
        searches.append(Expectimax(depth))
    elif pos.game.uses_chance:
        searches += [Paranoid(depth), Expectiminimax(depth, star=1), Expectiminimax(depth, star=2)]
    else:
        searches += [Paranoid(depth), Negamax(depth, form="two"), Negamax(depth)]
        searches.append(AlphaBeta(depth, memory=1, **ALL_OFF))
    for search in searches:
        result = search.search(pos)
        assert result.values is not None
        assert result.values[0] == pytest.approx(value, abs=1e-12), search
        most = most or leaves(search)
        assert leaves(search) <= most, search


STILL = [name for name in GAMES if damier.game(name).num_players == 2 and not damier.game(name).uses_chance]


@pytest.mark.parametrize("name", COMPILED if COMPILER_ON else STILL)
@settings(max_examples=8 if COMPILER_ON else 3, deadline=None)
@given(data=st.data())
def test_no_switch_changes_the_value_of_a_game(name: str, data: st.DataObject) -> None:
    """Along a random game, so that what is kept from one search meets the next one."""
    pos, depth = damier.game(name).start(), GAMES[name]
    switches: dict[str, Any] = data.draw(SWITCHES)
    search = AlphaBeta(depth, memory=1, **switches)
    for _ in range(4):
        if pos.is_over:
            break
        result = search.search(pos)
        assert result.values is not None
        assert result.values[0] == pytest.approx(game_value(pos, depth, switches["quiescence"]), abs=1e-12)
        pos = pos.play(data.draw(st.sampled_from(pos.moves())))
