"""Explicit trees: what is written is what is played, and what is wrong is told with its place."""

from pathlib import Path

import pytest

import damier
from damier.games.trees.notation import TreeError, compact, parse_tree
from damier.games.trees.rules import FOLDER, ExplicitTree, node_at

WRONG = [
    ("max(3 4", 1, 4, r"expected a '\)' for this '\('"),
    ("max(\n  min(3 4)\n  min(", 3, 6, r"expected a '\)' for this '\('"),
    ("max(3 4))", 1, 9, r"expected nothing after the tree, got '\)'"),
    ("max(3 min())", 1, 7, "min has no children"),
    ("max(chance(1/2: 3 4))", 1, 19, "expected a probability, like 1/2:"),
    ("max(\n chance(0.5: 3 0.4: 4))", 2, 2, "must add up to 1, and these are 0.9"),
    ("max(chance(0: 3 1: 4))", 1, 12, "expected a probability above 0"),
    ("max(0.5: 3 4)", 1, 5, "only the arcs of a chance node"),
    ("mox(3 4)", 1, 1, "got 'mox'; did you mean 'max'"),
    ("MAX(3 4)", 1, 1, "got 'MAX'; did you mean 'max'"),
    ("max(left 4)", 1, 5, "got 'left'; if it is the name of an arc: left="),
    ("max(3 1e400)", 1, 7, "expected a number that is not too large"),
    ("max(3 min", 1, 10, r"expected '\(' after min, got the end of the text"),
    ("max(3 &)", 1, 7, "expected a number, a word"),
    ("max(a=3 b=4 a=5)", 1, 1, "two arcs of a node are called 'a'"),
    ("max(min 3)", 1, 9, r"expected '\(' after min"),
    ("max(3 (4 5))", 1, 7, "expected as many values as before, 1, got 2"),
    ("A((1 2) C((1 2)))", 1, 1, "C moves, so leaves need at least 3 values"),
    ("max(A(3) 4)", 1, 5, "either max and min or letters"),
    ("max(min[](3))", 1, 8, "at least one number"),
    ("# nothing\n", 2, 1, "expected a node, got the end"),
    ("max{}(3 4)", 1, 5, "expected the name of an information set after '{', got '}'"),
    ("max{x(3 4)", 1, 4, "expected the '}' of this '{'"),
    ("max(chance{x}(1: 3) 4)", 1, 11, "only players have information sets, and 'x' is at a chance node"),
    ("max(a=min{x}(1 2) b=max{x}(1 2))", 1, 21, "one player moves in all nodes of the information set 'x', min"),
    ("max(a=min{x}(1 2) b=min{x}(1 2 3))", 1, 21, "have the same arcs, 1 2; this one has 1 2 3"),
    ("max{x}(exit=0 go=max{x}(exit=4 go=1))", 1, 21, "a path leads twice through the information set 'x'"),
]


@pytest.mark.parametrize(("text", "line", "column", "says"), WRONG)
def test_a_mistake_is_told_with_its_line_and_column(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(TreeError, match=f"^tree, line {line}, column {column}: .*{says}"):
        parse_tree(text)


def test_a_file_is_named_in_its_mistakes_and_a_missing_one_lists_those_we_have(tmp_path: Path) -> None:
    path = tmp_path / "mine.tree"
    path.write_text("max(3\n min()) # no children")
    with pytest.raises(TreeError, match=r"mine\.tree, line 2, column 2: min has no children"):
        damier.game(f"tree:file={path}")
    with pytest.raises(
        TreeError, match=r"no tree file 'oak'; damier comes with bluff, coin, deep, fusion, .* three, walk"
    ):
        damier.game("tree:file=oak")
    with pytest.raises(TreeError, match=r"line 1, column 5: .* no fraction with 0 below"):
        damier.game("tree:text=max(1/0 3)")


def test_a_tree_is_a_game_with_the_authors_own_names_and_numbers() -> None:
    game = damier.game("tree:text=max(left=min(3 12) right=chance(heads=1/3: -7 tails=2/3: 0.25))")
    start = game.start()
    assert start.notations() == ["left", "right"]
    assert start.play("right").outcomes == {0: 1 / 3, 1: 2 / 3}
    end = start.play_all("right tails")
    assert end.returns is not None
    assert [game.format_value(value) for value in end.returns] == ["0.25", "-0.25"]
    assert damier.game(game.name) == game
    assert node_at(game.rules, start.play("left").state).children[1].values == (12,)


def test_a_tree_says_on_one_line_what_it_says_on_many() -> None:
    text = "max( # whose turn it is\n  a = 3,\n  b=min(4,5))"
    assert compact(text) == "max( a = 3 b=min(4 5))"
    assert parse_tree(compact(text)) == parse_tree(text)


def test_values_that_do_not_add_up_to_the_same_go_to_a_bank() -> None:
    constant = damier.game("tree:text=A((1 0 0) B((0 1 0) (0 0 1)))")
    assert constant.num_players == 3
    assert constant.format_value(constant.start().play("1").returns[0]) == "1"  # type: ignore[index]
    banked = damier.game("tree:file=three")
    assert banked.num_players == 4
    assert banked.start().play_all("1 1 1").returns == (1 / 16, 2 / 16, 6 / 16, -9 / 16)


@pytest.mark.parametrize(
    ("file", "player", "value", "move"),
    [("walk", "minimax", "3", "a1"), ("coin", "expectiminimax", "3", "left"), ("deep", "minimax", "5", "left")],
)
def test_the_trees_of_the_courses_have_their_values(file: str, player: str, value: str, move: str) -> None:
    game = damier.game(f"tree:file={file}")
    result = damier.player(f"{player}:depth=9").search(game.start())
    assert result.values is not None
    assert (game.format_value(result.values[0]), result.notation) == (value, move)


def test_alpha_beta_cuts_two_leaves_of_the_walk() -> None:
    walk = damier.game(ExplicitTree()).start()
    assert damier.player("minimax:depth=2").search(walk).nodes == 13
    assert damier.player("negamax:depth=2").search(walk).nodes == 11


def test_every_shipped_tree_is_a_game() -> None:
    files = sorted(FOLDER.glob("*.tree"))
    assert len(files) >= 4
    for file in files:
        damier.check_game(f"tree:file={file.stem}", games=5)
