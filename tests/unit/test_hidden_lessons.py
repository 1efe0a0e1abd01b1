"""Lessons on hidden information, against values computed by hand."""

import json
import math
import re

import pytest

import damier
from damier.core.errors import SpecError
from damier.core.protocol import Record
from damier.lessons import exercise, trace
from damier.lessons.drawing import svg
from damier.lessons.page import page, shown
from damier.lessons.record import Trace
from damier.lessons.text import lines
from tests.unit.command import ROOT, Damier
from tests.unit.hidden_games import OddOne

UNEVEN = "max(h=min{m}(h=-2 t=1) t=min{m}(h=1 t=-1))"
FORGETFUL = "max(a=max{x}(1 2) b=max{x}(0 3))"
NASH_CONV = {1: 0.916667, 10: 0.137397588, 100: 0.016451955}
"""Of CFR on Kuhn poker, from OpenSpiel."""


def values(told: Trace, kind: str) -> dict[str, float]:
    """What the steps of a kind found."""
    return {step.of: step.value[0] for step in told.steps if step.kind == kind and step.value is not None}


# -- averaging over deals ----------------------------------------------------------------------------------------


def test_averaging_over_deals_thinks_that_it_sees_the_coin() -> None:
    told = trace("pimc", "fusion")
    assert values(told, "average") == {"safe": 0.25, "guess": 1}
    assert (told.move, told.values) == ("guess", (1,))
    fusion = [step.told for step in told.steps if step.kind == "fusion"]
    assert fusion == [
        "coin: minimax made Max play heads at heads guess, tails at tails guess, but Max can't tell these nodes apart"
    ]
    every = next(step.told for step in told.steps if step.kind == "every")
    assert every == (
        "guess is best in every deal, so it is best on average; but it needs a different play in different deals"
    )


def test_what_is_best_in_every_deal_is_best() -> None:
    told = trace("pimc", "chance(a=1/4: max{x}(up=3 down=min(2 9)) b=3/4: max{x}(up=5 down=min(4 8)))")
    assert values(told, "average") == {"up": 4.5, "down": 3.5}
    assert "up is best in every deal, and play can go on in the same way in all of them" in told.steps[-2].told
    assert (told.move, told.values) == ("up", (4.5,))
    neither = trace("pimc", "chance(a=1/4: max{x}(up=3 down=2) b=3/4: max{x}(up=1 down=2))")
    assert "every" not in [step.kind for step in neither.steps]
    assert (neither.move, neither.values) == ("down", (2,))


def test_averaging_does_not_ask_how_the_deal_came_about() -> None:
    told = trace("pimc", "nonlocality")
    assert values(told, "average") == {"left": 0, "right": -1}
    assert told.move == "right"  # with which Max wins 1 in both deals
    found = trace("cfr", "nonlocality", sims=300)
    assert found.values[0] == pytest.approx(0, abs=0.01)
    row = dict(found.steps[-2].table)["passed"]
    assert float(re.findall(r"left (\S+)", row)[0]) > 0.98


def test_the_deals_of_a_game_begin_where_the_moves_lead() -> None:
    told = trace("pimc", "kuhn", "K J")
    assert [step.told.facts["deal"] for step in told.steps if step.kind == "deal"] == ["K J", "K Q"]
    assert values(told, "average") == {"check": 0.5, "bet": 0.5}  # a payoff of 1 is two chips
    second = trace("pimc", damier.game("kuhn").start().play_all("K J bet"))
    assert [step.told.facts["deal"] for step in second.steps if step.kind == "deal"] == ["Q J bet", "K J bet"]
    assert values(second, "average") == {"fold": 0.5, "call": 1}  # for Max, who always has the better card
    assert second.move == "fold"


def test_a_lesson_from_a_position_knows_what_its_player_knows() -> None:
    kuhn = damier.game("kuhn")
    pos = kuhn.start().play_all("Q J check bet")
    expected = trace("belief", "kuhn", "Q J check bet")
    assert (expected.move, expected.values) == ("call", (0,))
    for where in (pos, pos.seen_by(0), kuhn.position("QJ pb"), kuhn.position("QJ p").play("bet")):
        assert trace("belief", where).to_json() == expected.to_json()
    with pytest.raises(SpecError, match="begins where the observer is to move"):
        trace("belief", pos.seen_by(1))
    heads = trace("belief", damier.game("tree:file=fusion").position("/heads"))
    assert (heads.move, heads.values) == ("safe", (0.25,))


def test_a_large_game_shows_what_matters_to_the_player() -> None:
    moves = "KS QH check raise call KH"
    told = trace("pimc", "leduc", moves)
    deals = [step.told.facts["deal"] for step in told.steps if step.kind == "deal"]
    assert deals == [f"KS {card} check raise call KH" for card in ("JS", "JH", "QS", "QH")]
    whole = trace("pimc", "leduc", moves, most_nodes=10_000)
    assert (told.move, told.values) == (whole.move, whole.values)


class OnceUnnamed(OddOne):
    """What the first player knows of a second coin is told by nothing but the observation."""

    def __init__(self) -> None:
        super().__init__(players=2, rounds=2)

    def format_move(self, state: Record, move: int) -> str:
        return "x" if state.hidden == 0 else str(move)

    def parse_move(self, state: Record, text: str) -> int:
        return int(text)


def test_different_information_sets_have_different_names() -> None:
    told = trace("belief", "goofspiel:cards=3")
    known = {node.knowledge for node in told.nodes if node.knowledge is not None}
    assert len({name for _, name in known}) == len(known)
    assert "2 ? (+)" in {name for _, name in known}
    nameless = {node.knowledge for node in trace("belief", damier.game(OnceUnnamed())).nodes if node.knowledge}
    assert len({name for _, name in nameless}) == len(nameless)


def test_everybody_takes_their_own_with_three_players() -> None:
    told = trace("pimc", "chance(1/2: A{x}(l=B((1 5 0) (9 1 0)) r=(2 2 2)) 1/2: A{x}(l=B((3 1 1) (0 0 9)) r=(2 2 2)))")
    assert [step.value for step in told.steps if step.kind == "average"] == [(2, 3, 0.5), (2, 2, 2)]
    assert told.move == "l"


# -- beliefs -----------------------------------------------------------------------------------------------------


def test_beliefs_give_the_right_value_and_pay_for_information() -> None:
    fused = trace("belief", "fusion")
    assert values(fused, "return") == {"coin": 0, "start": 0.25}
    assert (fused.move, fused.values) == ("safe", (0.25,))
    paid = trace("belief", "peek")
    assert values(paid, "return") == {"blind": 0, "heads look": 0.75, "tails look": 0.75, "start": 0.75}
    assert (paid.move, paid.values) == ("look", (0.75,))
    free = trace("pimc", "peek")
    assert values(free, "average") == {"guess": 1, "look": 0.75, "pass": 0}
    assert free.move == "guess"


def test_beliefs_in_kuhn_poker_against_somebody_who_plays_at_random() -> None:
    told = trace("belief", "bluff")
    found = {"J_raised": -1, "J": -0.5, "Q_raised": 0, "Q": 0.5, "K_raised": 2, "K": 1.5}
    assert values(told, "return") == found
    assert told.values[0] == pytest.approx(0.5)
    posterior = trace("belief", "chance(a=1/2: max(p=min{m}(1 2) q=0 r=0) b=1/2: max(p=min{m}(3 4)))", "a p")
    assert posterior.steps[0].told.endswith("a p 0.25, b p 0.75")  # one move in three, and the only one


# -- regrets -----------------------------------------------------------------------------------------------------


def test_two_iterations_of_regret_by_hand() -> None:
    told = trace("cfr", UNEVEN, sims=2)
    steps = [step.told for step in told.steps if step.kind == "regret"]
    assert [step.facts["regrets"] for step in steps] == [
        ["h -0.250", "t 0.250"],
        ["h -1.000", "t 1.000"],
        ["h 1.750", "t 0.250"],
        ["h 1.375", "t 1.000"],
    ]
    assert [step.facts["strategy"] for step in steps] == [
        ["h 0.000", "t 1.000"],
        ["h 0.000", "t 1.000"],
        ["h 0.875", "t 0.125"],
        ["h 0.579", "t 0.421"],
    ]
    assert told.values == (-0.3125,)
    last = told.steps[-2]
    assert last.told.facts["nash_conv"] == 0.75
    assert [row for _, row in last.table] == ["h 0.250  t 0.750"] * 2


def test_the_bluff_appears_as_regret_falls() -> None:
    told = trace("cfr", "bluff", sims=100)
    found = {step.told.facts["number"]: step.told.facts["nash_conv"] for step in told.steps if step.kind == "iteration"}
    assert list(found) == [*range(1, 11), 20, 50, 100]
    for number, expected in NASH_CONV.items():
        assert found[number] == pytest.approx(expected, abs=1e-6)
    table = {name: dict(re.findall(r"(\w+) (\S+)", row)) for name, row in told.steps[-2].table}
    assert list(table)[:3] == ["J", "J_raised", "Q"]
    alpha = float(table["J"]["bet"])
    assert 0.1 < alpha < 1 / 3 + 0.02  # the jack is bet, now and then
    assert float(table["K"]["bet"]) == pytest.approx(3 * alpha, abs=0.05)
    assert float(table["J_checked"]["bet"]) == pytest.approx(1 / 3, abs=0.03)
    assert told.values[0] == pytest.approx(-1 / 18, abs=0.002)


def test_regret_finds_no_fault_with_equal_chances_in_matching_pennies() -> None:
    told = trace("cfr", "pennies", sims=3)
    assert told.values == (0,)
    assert [row for _, row in told.steps[-2].table] == ["heads 0.500  tails 0.500"] * 2


# -- simulations -------------------------------------------------------------------------------------------------


def test_nodes_that_look_the_same_share_their_counts() -> None:
    told = trace("ismcts", "fusion", sims=40, seed=3)
    looks = {node.name: look for node, look in zip(told.nodes, told.looks_after(len(told.steps)), strict=True)}
    for move in ("safe", "guess", "guess heads", "guess tails"):
        assert looks[f"heads {move}"].value == looks[f"tails {move}"].value != ""
    counts = [int(looks[f"heads {move}"].value.split("/")[1]) for move in ("safe", "guess")]
    assert sum(counts) == told.leaves == 40
    assert {step.told.facts["deal"] for step in told.steps if step.kind == "deal"} == {"heads", "tails"}
    assert told.to_json() == trace("ismcts", "fusion", sims=40, seed=3).to_json()
    assert told.to_json() != trace("ismcts", "fusion", sims=40, seed=4).to_json()


def test_moves_are_chosen_by_how_often_they_were_available() -> None:
    told = trace("ismcts", "pennies", sims=30)
    chosen = [step for step in told.steps if step.kind == "select"]
    assert chosen
    for step in chosen:
        assert step.visits == sum(term.visits for term in step.terms)
        for term in step.terms:
            assert term.score == pytest.approx(term.mean + 0.7 * math.sqrt(math.log(step.visits) / term.visits))


def test_among_the_most_visited_moves_the_best_is_chosen() -> None:
    told = trace("ismcts", "peek", sims=3)
    assert (told.move, told.values) == ("pass", (0,))
    assert told.steps[-1].told == (
        "1 simulation went through each of guess, look, pass; of these pass gave the best average, 0"
    )
    assert "each of" in trace("uct", "max(a=1 b=2)", sims=2).steps[-1].told
    assert trace("uct", "max(a=1 b=2)", sims=2).move == "b"


# -- what is refused, and what is shown ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["minimax", "fusion"], "minimax is for games in which everybody sees everything, and in fusion something is"),
        (
            ["uct", "kuhn"],
            "uct is for games in which everybody sees everything, and in kuhn something is hidden; try pimc",
        ),
        (["cfr", FORGETFUL], "cfr is for players who remember: in the information set 'x'"),
        (["belief", FORGETFUL], "belief is for players who remember"),
        (["pimc", "kuhn", "--moves", "K"], "pimc begins where somebody moves, and at K nobody does"),
        (
            ["pimc", "fusion", "--moves", "edge"],
            "illegal move 'edge' in the tree 'fusion': expected one of heads tails",
        ),
        (["cfr", "kuhn", "--moves", "K J"], "cfr finds strategies for the whole game"),
        (["pimc", "liarsdice", "--moves", "1 2"], "more than 50,000 positions"),
        (["cfr", "pennies", "--sims", "2000"], "expected from 1 to 1000 iterations, got 2000"),
        (["pimc", "chance(1/2: 3 1/2: 4)"], "in chance(1/2: 3 1/2: 4) nobody moves"),
    ],
)
def test_bad_input_is_answered_in_one_line(arguments: list[str], told: str, damier_: Damier) -> None:
    code, out, err = damier_("trace", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


def test_information_sets_are_drawn_and_written(damier_: Damier) -> None:
    told = trace("pimc", "fusion")
    assert told.sets == [("start", [1, 6]), ("coin", [3, 8])]
    drawn = svg(told)
    assert drawn.count('<path class="joined" d="M') == 3  # two sets, and the legend
    assert drawn.count('class="label set"') == 4
    assert [line.text.strip() for line in lines(told, 0)][1] == "○ heads 0.5: max {start}"
    assert [node.get("set") for node in told.to_json()["nodes"]].count("coin") == 2
    plain = trace("pimc", "max(a=min(3 4) b=min(1 9))")
    assert "joined" not in svg(plain).replace(".joined", "").replace('<path class="joined" d="M', "", 1)
    code, out, _ = damier_("trace", "cfr", UNEVEN, "--sims", "1", "--ascii")
    assert code == 0
    assert "the root  h 0.500  t 0.500\n" in out
    table = shown(trace("cfr", "bluff", sims=1))["steps"][-2]["table"]
    assert list(table[0]) == ["J", "check 0.500  bet 0.500"]
    assert json.dumps(table) in page(trace("cfr", "bluff", sims=1)).replace('","', '", "').replace("],[", "], [")


@pytest.mark.parametrize("algorithm", ["pimc", "belief"])
def test_the_documentation_shows_what_is_printed(algorithm: str, damier_: Damier) -> None:
    code, out, _ = damier_("trace", algorithm, "fusion", "--ascii")
    assert code == 0
    assert out in (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")


def test_lessons_speak_french_throughout(damier_: Damier) -> None:
    _, out, _ = damier_("trace", "belief", "fusion", "--lang", "fr")
    assert [line.split()[1] for line in out.splitlines()[:3]] == ["croyance", "peser", "croyance"]
    _, out, _ = damier_("exercise", "--algorithm", "belief", "--solution", "--lang", "fr")
    assert "valeurs : {" in out
    assert "cut" not in out
    assert "coup : " in out
    _, out, _ = damier_("exercise", "--seed", "3", "--solution")
    assert 'cut: ["b22"]' in out
    _, out, _ = damier_("analyse", "kuhn", "--moves", "J K bet", "--player", "belief", "--lang", "fr")
    assert "+2 jetons" in out


def test_an_exercise_asks_for_averages_and_for_what_the_player_knows() -> None:
    deals, known = exercise("pimc", seed=2), exercise("belief", seed=2)
    assert set(deals.to_json()["answers"]["values"]) == {"a/x", "a/y", "b/x", "b/y", "x", "y"}
    assert deals.solve().values == {"a/x": (-5,), "a/y": (-10,), "b/x": (7,), "b/y": (-7,), "x": (1,), "y": (-8.5,)}
    wrong = deals.check({"values": dict(deals.solve().values) | {"x": (2.0,)}, "move": "x"})
    assert wrong.told == "x does not return 2. x on average: 0.5 * -5 + 0.5 * 7 = 1"
    assert known.solve().values == {"s_x": (2.5,), "s_y": (-3,), "s": (2.5,)}
    assert known.moves == deals.moves == ["x", "y"]
