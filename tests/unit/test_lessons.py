"""Lessons: the courses' own examples, what is drawn of them, the exercises, and the two commands."""

import json
import math
import re
import sys
import termios
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pexpect
import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.messages import speaking
from damier.lessons import ALGORITHMS, drawing, exercise, text, trace, tree_names
from damier.lessons.drawing import svg
from damier.lessons.exercises import LEVELS
from damier.lessons.page import page, shown
from damier.lessons.record import format_interval
from tests.serving import until
from tests.unit.command import ROOT, Damier

INF = float("inf")
TREES = {"maxn": "three", "expectimax": "ghost", "expectiminimax": "coin", "astar": "path"}


# -- the courses' examples -------------------------------------------------------------------------------------


def test_the_walk_of_alphabeta_has_the_intervals_and_cuts_of_the_slides() -> None:
    """In brackets, between what bounds the value of a node is; and alpha and beta as they are handed down."""
    told = trace("alphabeta", "walk")
    names = [node.name for node in told.nodes]
    shown: list[dict[str, str]] = []  # the brackets of all open or visited inner nodes, whenever they change
    for count, step in enumerate(told.steps, 1):
        if step.kind in ("enter", "update"):
            looks = told.looks_after(count)
            brackets = {names[i]: look.notes[-1] for i, look in enumerate(looks) if look.notes}
            if not shown or shown[-1] != brackets:
                shown.append(brackets)
    assert shown == [
        {"the root": "[-inf, +inf]"},
        {"the root": "[-inf, +inf]", "a1": "[-inf, +inf]"},
        {"the root": "[-inf, +inf]", "a1": "[-inf, 3]"},
        {"the root": "[3, +inf]", "a1": "[3, 3]"},
        {"the root": "[3, +inf]", "a1": "[3, 3]", "a2": "[-inf, +inf]"},
        {"the root": "[3, +inf]", "a1": "[3, 3]", "a2": "[-inf, 2]"},
        {"the root": "[3, +inf]", "a1": "[3, 3]", "a2": "[-inf, 2]", "a3": "[-inf, +inf]"},
        {"the root": "[3, 14]", "a1": "[3, 3]", "a2": "[-inf, 2]", "a3": "[-inf, 14]"},
        {"the root": "[3, 5]", "a1": "[3, 3]", "a2": "[-inf, 2]", "a3": "[-inf, 5]"},
        {"the root": "[3, 3]", "a1": "[3, 3]", "a2": "[-inf, 2]", "a3": "[2, 2]"},
    ]
    entered = [(names[step.node], step.window) for step in told.steps if step.kind == "enter"]
    assert entered == [("the root", (-INF, INF)), ("a1", (-INF, INF)), ("a2", (3, INF)), ("a3", (3, INF))]
    assert [names[number] for number in told.cut] == ["c2", "c3"]
    assert [names[step.node] for step in told.steps if step.kind == "leaf"] == [
        "b1",
        "b2",
        "b3",
        "c1",
        "d1",
        "d2",
        "d3",
    ]
    assert (told.values, told.move, told.leaves) == ((3,), "a1", 7)


def test_negamax_walks_the_same_way_with_the_signs_turned() -> None:
    told = trace("negamax", "walk")
    windows = [format_interval(step.window) for step in told.steps if step.kind == "enter" and step.window]
    assert windows == ["[-inf, +inf]", "[-inf, +inf]", "[-inf, -3]", "[-inf, -3]"]
    assert [step.value for step in told.steps if step.kind == "return"] == [(-3,), (-2,), (-2,), (3,)]


def test_the_coin_the_ghost_and_the_three_players() -> None:
    coin = trace("expectiminimax", "coin")
    assert [step.told for step in coin.steps if step.kind == "return" and step.node in coin.nodes[0].children] == [
        "left returns 3: 0.5 * 2 + 0.5 * 4",
        "right returns -1: 0.5 * 0 + 0.5 * -2",
    ]
    assert (trace("minimax", "ghost").move, trace("expectimax", "ghost").move) == ("wait", "dash")
    assert trace("expectimax", "ghost").values == (11,)
    assert trace("maxn", "three").values == (1, 2, 6)


def test_the_evaluations_of_tictactoe_are_told_as_the_courses_write_them() -> None:
    for moves, sum_ in (("b2 c2", "6 - 4 = 2"), ("b2 a2 c2 b1", "4 - 3 = 1")):
        (step,) = trace("minimax", "tictactoe", moves, depth=0).steps
        assert f"open lines ({sum_})" in step.told
    told, start = trace("alphabeta", "lines"), damier.game("tictactoe").start()
    assert (told.values, told.move) == ((1,), "b2")
    for node in told.nodes:
        if node.is_leaf:
            position = start.play(told.nodes[node.parent].arc).play(node.arc)
            assert position.evaluate()[0] * 8 == node.values[0]


def test_a_position_is_searched_to_a_depth() -> None:
    told = trace("alphabeta", damier.game("tictactoe").start().play_all("b2 a1 c3"), depth=2)
    assert told.title == "tictactoe after b2 a1 c3"
    assert told.values == trace("minimax", "tictactoe", "b2 a1 c3", depth=2).values
    assert 6 <= told.leaves < 6 * 5
    assert told.nodes[0].word == "min"
    assert "●" in told.nodes[0].board


def test_astar_finds_a_shortest_way() -> None:
    told = trace("astar", "path")
    assert (told.values, told.move, told.leaves) == ((3,), "b", 5)
    pos = damier.game("sliding:scramble=9").start()
    told = trace("astar", pos)
    assert told.values == (pos.distance(),) == (9,)  # a lower bound that is met
    end = pos.play_all(told.steps[-1].told.partition("moves, ")[2])
    assert end.returns is not None
    assert end.returns[0] > 0


# -- drawings and documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_trace_can_be_drawn_and_is_a_document(algorithm: str) -> None:
    told = trace(algorithm, TREES.get(algorithm, "walk"))
    document = json.loads(json.dumps(told.to_json(), allow_nan=False))
    assert len(document["nodes"]) == len(told.nodes)
    assert all({"kind", "node", "told", "looks"} <= set(step) for step in document["steps"])
    for count in (None, 0, 1):
        drawing = ElementTree.fromstring(svg(told, count))
        drawn = [element.get("id") or "" for element in drawing.iter() if (element.get("id") or "").startswith("node-")]
        assert len(drawn) == len(told.nodes)
    made = page(told)
    assert "default-src 'none'" in made
    assert "http" not in made.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")


def test_names_that_look_like_html_are_only_shown(tmp_path: Path) -> None:
    path = tmp_path / "<b>&\"'.tree"
    path.write_text("max(1 2)")
    told = trace("minimax", str(path))
    assert "<b>" not in page(told)
    ElementTree.fromstring(svg(told))


# -- exercises -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", LEVELS)
def test_the_solution_is_right_and_every_other_answer_is_not(algorithm: str) -> None:
    for seed in range(8):
        asked = exercise(algorithm, seed, depth=3)
        right = asked.solve()
        assert asked.check(right).is_right
        assert asked.solution.algorithm == algorithm
        document: dict[str, Any] = {"values": dict(right.values), "cut": sorted(right.cut), "move": right.move}
        for name, value in right.values.items():
            wrong = asked.check(document | {"values": right.values | {name: (value[0] + 1, *value[1:])}})
            assert not wrong.is_right
            assert f"{name} does not return" in wrong.told
            assert not asked.check(document | {"values": right.values | {name: (math.nan, *value[1:])}}).is_right
        assert "the move: you say c, but" in asked.check(document | {"move": "c"}).told
        for node in asked.solution.nodes[1:]:
            cut = right.cut ^ {node.name}
            if asked.prunes and not _is_below(asked.solution.nodes, node.parent, set(asked.solution.cut)):
                assert node.name in asked.check(document | {"cut": sorted(cut)}).told


def _is_below(nodes: Any, number: int, cut: set[int]) -> bool:
    while number >= 0:
        if number in cut:
            return True
        number = nodes[number].parent
    return False


def test_an_exercise_is_the_same_for_the_same_seed_and_alphabeta_always_cuts() -> None:
    assert exercise(seed=5).text == exercise(seed=5).text != exercise(seed=6).text
    assert all(exercise(seed=seed, depth=2).solution.cut for seed in range(20))
    assert exercise(chance=True).algorithm == "expectiminimax"


# -- the commands ----------------------------------------------------------------------------------------------


def test_trace_prints_its_steps_and_writes_its_files(damier_: Damier, tmp_path: Path) -> None:
    code, printed, _ = damier_("trace", "alphabeta", "walk", "--ascii")
    assert code == 0
    assert printed in (ROOT / "docs" / "lessons.md").read_text()
    assert "10  update  the root: a1 gave 3, alpha rises to 3; its value is in [3, +inf]" in printed
    assert "14  cut     a2: 2 is not above alpha, 3, which Max has elsewhere, so c2, c3 are cut" in printed
    assert "      x c2 4\n" in printed
    code, printed, _ = damier_("trace", "alphabeta", "walk", "--step", "--ascii")
    assert code == 0
    assert printed.count("alphabeta ") == 27
    assert "   o a2 min   alpha=3 beta=2   [-inf, 2]   <--\n      * c1 2\n      x c2 4" in printed
    html, picture = tmp_path / "a.html", tmp_path / "a.svg"
    code, out, err = damier_("trace", "uct", "coin", "--html", html, "--svg", picture, "--json")
    assert (code, json.loads(out)["algorithm"]) == (0, "uct")
    assert err == f"wrote {html}\nwrote {picture}\n"
    assert "damier trace uct coin --json" in html.read_text()
    assert picture.read_text().startswith("<svg")


def test_exercise_checks_answers_from_a_file(damier_: Damier, tmp_path: Path) -> None:
    code, out, _ = damier_("exercise", "--seed", "3", "--json", "--solution")
    assert code == 0
    document = json.loads(out)
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(document["solution"]))
    code, out, _ = damier_("exercise", "--seed", "3", "--answers", answers)
    assert code == 0
    assert "all of it is right" in out
    answers.write_text(json.dumps(document["solution"] | {"cut": []}))
    code, out, _ = damier_("exercise", "--seed", "3", "--answers", answers, "--json")
    assert code == 1
    assert json.loads(out)["told"].startswith("you did not cut b22. ")


def test_who_mistypes_an_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch, damier_: Damier) -> None:
    typed = iter(["b23", "b22", "a1=x", "a1=38/2 a2=7 a=7 b1=11 b2=13 b=11 root=11", "b"])
    monkeypatch.setattr("damier.cli.exercise.console.input", lambda question: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    code, printed, _ = damier_("exercise", "--seed", "3")
    assert code == 0
    assert "there is no node 'b23' in this exercise" in printed
    assert "expected name=value, like a=3 or a=7/2, got 'a1=x'" in printed
    assert "all of it is right" in printed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["trace", "alphabta", "walk"], "unknown algorithm 'alphabta'; did you mean 'alphabeta'?"),
        (["trace", "alphabeta", "wlak"], "unknown tree or game 'wlak'; did you mean 'walk'?"),
        (["trace", "alphabeta", "max(3\n min())"], "tree, line 2, column 2: min has no children"),
        (["trace", "alphabeta", "maxi(3 4)"], "tree, line 1, column 1: expected a number, max, min"),
        (["trace", "alphabeta", "max(3"], "tree, line 1, column 4: expected a ')'"),
        (["trace", "expectimax", "max(chance(3 4))"], "tree, line 1, column 12: expected a probability"),
        (["trace", "alphabeta", "coin"], "alphabeta is for games without chance; try expectiminimax"),
        (["trace", "minimax", "three"], "minimax is for two players"),
        (
            ["trace", "minimax", "walk", "--moves", "a1 b9"],
            "illegal move 'b9' in the tree 'walk': expected one of b1 b2 b3",
        ),
        (["trace", "minimax", "walk", "--depth", "-1"], "expected depth of at least 0, got -1"),
        (["trace", "minimax", "walk", "--svg", "nowhere/x.svg"], "can't write 'nowhere/x.svg': there is no folder"),
        (["trace", "uct", "walk", "--moves", "a1 b1"], "the game is over"),
        (["trace", "uct", "walk", "--c", "nan"], "'--c': must be a finite number, got nan"),
        (["trace", "astar", "walk"], "A* needs at each node a distance"),
        (["exercise", "--algorithm", "uct"], "there are exercises for minimax"),
        (["exercise", "--depth", "9"], "expected a depth from 1 to 6"),
        (["exercise", "--answers", "nosuch.json"], "'nosuch.json' can't be read"),
    ],
)
def test_bad_input_is_answered_in_one_line(arguments: list[str], told: str, damier_: Damier) -> None:
    code, out, err = damier_(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"damier: {told}") or told in err
    assert err.count("\n") == 1


def press(terminal: pexpect.spawn, key: str) -> None:
    """As soon as the terminal hands out single keys: what is typed before that is thrown away."""
    until(lambda: not termios.tcgetattr(terminal.child_fd)[3] & termios.ICANON)
    terminal.send(key)


@pytest.mark.skipif(not COMPILER_ON, reason="the terminal is tested once")
def test_keys_go_forward_and_back_in_a_terminal() -> None:
    terminal = pexpect.spawn(
        str(Path(sys.executable).with_name("damier")),
        ["trace", "alphabeta", "walk", "--step"],
        encoding="utf-8",
        cwd=ROOT,
        timeout=300,
        dimensions=(40, 120),
    )
    try:
        terminal.expect("alphabeta 0/27")
        for key, shown in (("\x1b[C", "1/27"), (" ", "2/27"), ("\x1b[D", "1/27"), ("G", "27/27"), ("\x1b[D", "26/27")):
            press(terminal, key)
            terminal.expect(f"alphabeta {shown}")
        press(terminal, "q")
        terminal.expect(pexpect.EOF)
    finally:
        terminal.close()
    assert terminal.exitstatus == 0


def test_the_shipped_trees_are_listed() -> None:
    assert tree_names() == [
        "bluff",
        "coin",
        "deep",
        "fusion",
        "ghost",
        "lines",
        "nonlocality",
        "path",
        "peek",
        "pennies",
        "three",
        "walk",
    ]


ENGLISH = re.compile(r"\b(the|is|of|moves|gave|returns|its|was|are|with|you|it|has|not|and|which|value|from)\b")


def test_everything_that_lessons_and_exercises_say_is_said_in_french() -> None:
    where = {"expectimax": "ghost", "expectiminimax": "coin", "maxn": "three", "astar": "path", "negamax": "deep"}
    traces = [trace(name, where.get(name, "walk"), sims=20) for name in ALGORITHMS]
    traces += [
        trace("minimax", "lines"),
        trace("minimax", "walk", depth=1),
        trace("uct", "coin"),
        trace("alphabeta", "tictactoe", "b2 a1 c3 a3 a2", depth=2),
    ]
    said: list[str] = []
    for name in LEVELS:
        asked = exercise(name, 3)
        right = asked.solve()
        one = next(iter(right.values))
        answers: dict[str, Any] = {"values": dict(right.values), "cut": sorted(right.cut), "move": right.move}
        wrong: tuple[dict[str, Any], ...] = (
            {},
            {"values": {}},
            {"values": right.values | {one: (99.0,)}},
            {"move": "z"},
            {"move": ""},
            {"cut": ["a"]},
            {"cut": []},
        )
        said += [asked.question.text("fr"), *(asked.check(answers | mistake).told.text("fr") for mistake in wrong)]
    with speaking("fr"):
        for each in traces:
            document = shown(each)
            said += [*document["legend"].values(), *(step["told"] for step in document["steps"])]
            said += [text.legend(each), *(line.text for line in text.lines(each))]
            for picture in (drawing.svg(each), page(each, "damier")):
                said += re.findall(r'aria-label="([^"]*)"', picture)
                said += re.findall(r">([^<>$]+)</(?:p|h1|title|text)>", picture)
    assert [sentence for sentence in said if ENGLISH.search(sentence)] == []


def test_a_trace_speaks_the_language_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damier_: Damier
) -> None:
    picture, document = tmp_path / "walk.svg", tmp_path / "walk.html"
    files = ("--svg", str(picture), "--html", str(document))
    assert damier_("trace", "alphabeta", "walk", *files, "--lang", "fr")[0] == 0
    assert "la valeur est 3, le coup est a1" in picture.read_text()
    assert '<html lang="fr">' in document.read_text()
    assert "Toutes les étapes" in document.read_text()
    code, out, _ = damier_("--lang=fr", "trace", "minimax", "walk", "--json")
    assert code == 0
    assert json.loads(out)["steps"][0]["told"] == "la racine : Max joue"
    code, _, err = damier_("trace", "minimax", "wlak", "--lang", "fr")
    assert code == 2
    assert "damier: il n’y a ni arbre ni jeu « wlak » ; vouliez-vous dire « walk » ?" in err
    code, _, err = damier_("games", "--lang", "de")
    assert code == 2
    assert "damier: expected the language en or fr, got 'de'" in err
    monkeypatch.setenv("DAMIER_LANG", "fr")
    code, _, err = damier_("perft", "tictactoe", "--", "-1")
    assert code == 2
    assert "damier: on attend depth d’au moins 0, pas -1" in err
