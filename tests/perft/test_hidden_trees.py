"""The trees of small games of hidden information: nodes of chance, decisions, ends, and information sets.

The figures of Kuhn, Leduc, Liar's Dice, Goofspiel and dark Hex 2 x 2 with the abrupt rules are also OpenSpiel's.
"""

import pytest

import damier
from damier.core.compile import COMPILER_ON
from tests.perft.hidden_tree import Tree, count_tree

TREES = {
    "kuhn": Tree(4, 24, 30, (6, 6)),
    "leduc": Tree(157, 3_780, 5_520, (468, 468)),
    "leduc:suits=false": Tree(49, 774, 1_116, (144, 144)),
    "liarsdice:sides=3": Tree(4, 576, 567, (96, 96)),
    "liarsdice:sides=4": Tree(5, 4_096, 4_080, (512, 512)),
    "liarsdice:sides=5": Tree(6, 25_600, 25_575, (2_560, 2_560)),
    "liarsdice": Tree(7, 147_456, 147_420, (12_288, 12_288)),
    "goofspiel": Tree(0, 501, 576, (81, 81)),
    "goofspiel:cards=3,order=random": Tree(28, 174, 216, (45, 45)),
    "goofspiel:order=random": Tree(1_793, 11_156, 13_824, (1_804, 1_804)),
    "darkhex:rows=2,cols=2,rules=abrupt": Tree(0, 237, 234, (59, 35)),
    "darkhex:rows=2,cols=2": Tree(0, 225, 216, (17, 53)),
    "phantom:rows=2,cols=2,k=2": Tree(0, 57, 96, (17, 5)),
}
CHECKED = [
    "leduc",
    "liarsdice:sides=3",
    "goofspiel",
    "darkhex:rows=2,cols=2,rules=abrupt",
    "darkhex:rows=2,cols=2",
    "phantom:rows=2,cols=2,k=2",
]


@pytest.mark.parametrize("name", TREES)
def test_a_tree_has_as_many_nodes_and_information_sets_as_is_known(name: str) -> None:
    if COMPILER_ON or TREES[name].decisions < 1_000:
        assert count_tree(name) == TREES[name]


@pytest.mark.skipif(not COMPILER_ON, reason="the compiled check is the same, and costs less")
@pytest.mark.parametrize("name", CHECKED)
def test_the_check_counts_the_same(name: str) -> None:
    tree, knowledge = TREES[name], damier.check_game(name, games=1).knowledge
    assert knowledge == {
        "recall": "perfect",
        "is_exact": True,
        "nodes": tree.chance + tree.decisions,
        "information_sets": list(tree.information_sets),
    }
