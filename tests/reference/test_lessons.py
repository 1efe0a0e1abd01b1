"""The lessons find what the compiled searches find, by the same leaves, and what they say on the way is true."""

import math
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import damier
from damier.core.compile import COMPILER_ON
from damier.core.errors import SpecError
from damier.core.protocol import CHANCE
from damier.games import REGISTRY
from damier.games.trees.notation import Node, parse_tree
from damier.games.trees.rules import ExplicitTree
from damier.lessons import Trace, trace
from damier.lessons.record import CUT, OPEN, SEEN
from damier.search.classical.minimax import Minimax
from damier.search.classical.negamax import Negamax
from tests.reference import naive_search as naive
from tests.reference.random_trees import chance_trees, three_player_trees, two_player_trees

EXAMPLES = 150 if COMPILER_ON else 40


def without_preference(text: str) -> str:
    """Searches prefer the sooner of two wins, lessons don't: with an evaluation above all leaves, none is a win."""
    return re.sub(r"^(\w+)\[-?\d+\]", r"\1[100]", text)


def plain_nodes(told: Trace, root: Node) -> list[Node]:
    """The nodes of a lesson as plain objects."""
    nodes = [root]
    for node in told.nodes[1:]:
        nodes.append(nodes[node.parent].children[node.index])
    return nodes


@settings(max_examples=EXAMPLES)
@given(two_player_trees(), st.sampled_from([1, 2, 3, 100]))
def test_with_two_players_values_and_leaves_are_those_of_the_searches(text: str, depth: int) -> None:
    text = without_preference(text)
    pos = damier.game(ExplicitTree(text=text)).start()
    for algorithm, search in (
        ("minimax", Minimax(depth)),
        ("negamax", Negamax(depth)),
    ):
        result, told = search.search(pos), trace(algorithm, text, depth=depth)
        assert result.values is not None
        assert told.values == (result.values[0] * pos.game.scale,)
        assert told.move == result.notation
        assert told.leaves == search.stack.leaves[0]
    two_functions = trace("alphabeta", text, depth=depth)
    assert (two_functions.values, two_functions.move) == (told.values, told.move)
    assert two_functions.leaves == told.leaves
    assert two_functions.cut == told.cut


@settings(max_examples=EXAMPLES)
@given(two_player_trees(), st.sampled_from(["alphabeta", "negamax"]))
def test_what_alphabeta_says_about_a_node_is_true(text: str, algorithm: str) -> None:
    told = trace(algorithm, text)
    plain = plain_nodes(told, parse_tree(text))
    below_cuts = set[int]()
    for node in told.nodes:
        if node.id in told.cut or node.parent in below_cuts:
            below_cuts.add(node.id)
    for step in told.steps:
        sign = -1 if algorithm == "negamax" and told.nodes[step.node].player == 1 else 1
        if step.interval is not None:
            low, high = step.interval
            assert low <= sign * naive.value(plain[step.node], 100) <= high
        if step.kind == "enter":
            assert step.window is not None
            assert step.window[0] < step.window[1]
        if step.kind in ("enter", "leaf", "return"):
            assert step.node not in below_cuts
    final = told.looks_after(len(told.steps))
    assert {number for number, look in enumerate(final) if look.status == CUT} == set(told.cut)
    assert {number for number, look in enumerate(final) if look.status == SEEN} == {
        node.id for node in told.nodes if node.id not in below_cuts
    }


@settings(max_examples=EXAMPLES)
@given(chance_trees())
def test_expectiminimax_and_expectimax_are_those_of_the_plain_searches(text: str) -> None:
    root = parse_tree(text)
    pos = damier.game(ExplicitTree(text=text)).start()
    search = Minimax(100)
    result, told = search.search(pos), trace("expectiminimax", text)
    assert result.values is not None
    assert told.values == (result.values[0] * pos.game.scale,)
    assert told.leaves == search.stack.leaves[0]
    sign = -1 if root.player == 1 else 1
    assert trace("expectimax", text).values[0] == pytest.approx(sign * naive.expectimax(root, root.player))


@pytest.mark.skipif(COMPILER_ON, reason="compiling every game takes longer than the plain rules")
@pytest.mark.parametrize("name", REGISTRY)
def test_there_is_a_lesson_on_every_game(name: str) -> None:
    start = damier.game(name).start()
    if start.game.is_hidden:
        with pytest.raises(SpecError, match="something is hidden; try pimc, ismcts, cfr or belief"):
            trace("maxn", start, depth=1)
        return
    one_ply = trace("maxn", start, depth=1)
    assert one_ply.leaves == len(start.moves())
    expected = [None] if start.player == CHANCE else start.notations()  # dice choose no move
    assert one_ply.move in expected
    assert trace("uct", start, sims=2).leaves == 2


@settings(max_examples=EXAMPLES)
@given(three_player_trees())
def test_max_n_is_that_of_the_plain_search(text: str) -> None:
    assert trace("maxn", text).values == naive.max_n(parse_tree(text))


@settings(max_examples=EXAMPLES)
@given(chance_trees(), st.sampled_from(["uct", "rave"]), st.integers(1, 20), st.integers(0, 9))
def test_simulations_are_counted_and_the_best_by_the_formula_is_chosen(
    text: str, algorithm: str, sims: int, seed: int
) -> None:
    assume(parse_tree(text).height < 6)
    told = trace(algorithm, text, sims=sims, seed=seed, c=0.7)
    visits = dict.fromkeys(range(len(told.nodes)), 0)
    for index, step in enumerate(told.steps):
        if step.kind == "select":
            assert step.visits == visits[step.node]
            for term in step.terms:
                assert term.visits == visits[term.child]
                assert term.bonus == pytest.approx(0.7 * math.sqrt(math.log(step.visits) / term.visits))
                mean = term.mean
                if term.beta is not None:
                    assert term.amaf is not None
                    assert term.amaf_visits is not None
                    assert term.amaf_visits >= term.visits
                    mean = (1 - term.beta) * mean + term.beta * term.amaf
                assert term.score == pytest.approx(mean + term.bonus)
                assert 0 <= term.mean <= 1
            best = max(step.terms, key=lambda term: term.score).child
            looks = told.looks_after(index + 2)
            assert looks[best].status in (OPEN, SEEN)
        if step.kind == "backup":
            node = step.node
            while node >= 0:
                visits[node] += 1
                node = told.nodes[node].parent
    assert visits[0] == sims == told.leaves
    children = [child for child in told.nodes[0].children if told.nodes[0].player != CHANCE]
    assert sum(visits[child] for child in children) == sims
    most = [told.nodes[child].arc for child in children if visits[child] == max(visits[each] for each in children)]
    assert told.move in most if children else told.move is None
