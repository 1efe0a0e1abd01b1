"""Trees with information sets are games of hidden information, and all their nodes are checked."""

import pickle

import pytest

import damier
from damier.core.position import Position
from damier.games import check_game
from damier.games.trees.rules import ExplicitTree, TreeWithSets

COUNTS = {"fusion": [2, 0], "nonlocality": [2, 1], "pennies": [1, 1], "bluff": [6, 6], "peek": [4, 0]}
"""The information sets of each player, counted by hand."""
FORGETFUL = "tree:text=max(a=max{x}(1 2) b=max{x}(0 3))"


@pytest.mark.parametrize("name", COUNTS)
def test_the_example_keeps_all_laws_and_its_information_sets_are_counted(name: str) -> None:
    report = check_game(f"tree:file={name}", games=4)
    assert report.knowledge["is_exact"]
    assert report.knowledge["information_sets"] == COUNTS[name]
    assert report.knowledge["recall"] == "perfect"


def test_who_forgets_a_move_has_imperfect_recall() -> None:
    assert check_game(FORGETFUL, games=4).knowledge["recall"] == "imperfect"


def test_only_a_tree_with_information_sets_hides_something() -> None:
    plain, hidden = damier.game("tree"), damier.game("tree:file=fusion")
    assert (plain.is_hidden, hidden.is_hidden) == (False, True)
    assert type(plain.rules) is ExplicitTree
    assert type(hidden.rules) is TreeWithSets
    assert hidden.name == "tree:file=fusion"
    assert damier.game(hidden.name) == pickle.loads(pickle.dumps(hidden)) == hidden
    assert damier.game(ExplicitTree(text="max(min{m}(1 -1) min{m}(-1 1))")).is_hidden


def test_a_player_is_shown_every_node_where_they_may_be() -> None:
    pos = damier.game("tree:file=fusion").start().play_all("heads guess")
    drawn = str(pos.seen_by(0)).splitlines()
    assert [line.split() for line in drawn if line.endswith("<--")] == [["guess", "max", "{coin}", "<--"]] * 2
    assert pos.seen_by(0).line() == "? guess"
    assert str(pos).splitlines()[0] == "max {coin}"  # the referee is shown the rest of the tree
    sees = damier.game("tree:text=max(a=min(1 2) b=min{m}(3 4) c=min{m}(5 6))").start()
    assert [sees.play(move).seen_by(1).line() for move in "abc"] == ["a", "?", "?"]


def test_a_deal_is_as_likely_as_chance_makes_it() -> None:
    text = "chance(a=1/4: max{x}(1 2) b=3/4: max{x}(2 1))"
    game = damier.game(f"tree:text={text}")
    start = game.start().play("a")
    rng = damier.new_rng(1)
    dealt = [game.format_position(start.deal(rng).state) for _ in range(400)]
    assert set(dealt) == {"/a", "/b"}
    assert 260 < dealt.count("/b") < 340


def test_kuhn_poker_and_its_tree_are_the_same_game() -> None:
    """Deal for deal and move for move, in chips."""
    tree, kuhn = damier.game("tree:file=bluff"), damier.game("kuhn")

    def compare(written: Position, played: Position) -> int:
        if played.is_over:
            assert written.returns is not None
            assert played.returns is not None
            assert [tree.format_value(value) for value in written.returns] == [f"{2 * v:g}" for v in played.returns]
            return 1
        assert (written.player, written.notations()) == (played.player, played.notations())
        return sum(compare(written.play(move), played.play(move)) for move in played.notations())

    assert (
        sum(compare(tree.start().play(a + b), kuhn.start().play_all([a, b])) for a in "JQK" for b in "JQK" if a != b)
        == 30
    )
