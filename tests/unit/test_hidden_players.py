"""Players for hidden information: their options, what `damier analyse` shows of them, and the order that they have."""

import copy
import json
import pickle
from typing import Any

import pytest

import damier
from damier.arena.plan import Plan
from damier.core.errors import SpecError
from damier.core.position import Position
from damier.experiments.order import EXPERIMENTS, Order
from damier.search.result import SearchResult
from damier.web.permissions import ForbiddenError, check_seat
from damier.web.settings import WebSettings
from tests.unit.command import Damier

KUHN = damier.game("kuhn")
INSIDE = "pimc:deals=7,search=(minimax:depth=5)"

BAD = {
    "pimc:deals=0": "expected deals from 1 to 1000000, got 0",
    "pimc:seconds=-1": "expected seconds above 0, got -1",
    "pimc:search=nobody": "unknown player 'nobody'",
    "pimc:search=(uct:c=x)": "uct: c must be a number, got 'x'",
    "pimc:search=cheat": "expected a player that searches open positions, got cheat, which cheats",
    "pimc:search=(pimc:deals=3)": "expected a player that searches open positions, got pimc:deals=3, which averages",
    "pimc:search=human": "a person can only play in `damier play`",
    "cheat:searches=0": "expected searches from 1 to 1000, got 0",
    "ismcts:observers=none": "expected observers to be single or multiple, got 'none'",
    "ismcts:c=-1": "expected c of at least 0, got -1",
    "ismcts:sims=0": "expected sims above 0, got 0",
    "ismcts:memory=0": "expected memory from 1 to",
    "ismcts:playout=mine": "unknown playout policy 'mine'",
}


@pytest.mark.parametrize(("spec", "line"), BAD.items())
def test_bad_options_are_refused_in_one_line(spec: str, line: str) -> None:
    with pytest.raises(SpecError) as raised:
        damier.player(spec)
    assert str(raised.value).startswith(line)
    assert "\n" not in str(raised.value)


def test_a_search_that_does_not_fit_says_so() -> None:
    with pytest.raises(SpecError, match="alphabeta is for two players without chance, and kuhn is not"):
        damier.player("pimc:search=alphabeta").search(KUHN.position("KJ"))
    with pytest.raises(SpecError, match="nothing is hidden in this position of tictactoe; try uct"):
        damier.player("ismcts").search(damier.game("tictactoe").start())
    with pytest.raises(SpecError, match="nothing is hidden in this position of kuhn"):
        damier.player("pimc:search=ismcts").search(KUHN.position("KJ"))


@pytest.mark.parametrize("spec", [INSIDE, "cheat:search=(minimax:depth=5),searches=2", "ismcts:sims=7"])
def test_a_player_is_its_options(spec: str) -> None:
    made = damier.player(spec)
    assert made == damier.player(spec)
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin == made
        assert twin is not made


@pytest.mark.parametrize(
    ("observers", "visits"),
    [("single", [(277, 23), (24, 276), (26, 274)]), ("multiple", [(271, 29), (147, 153), (33, 267)])],
)
def test_compiled_and_uncompiled_searches_are_the_same(observers: str, visits: list[tuple[int, ...]]) -> None:
    player = damier.player(f"ismcts:sims=300,observers={observers}")
    assert [player.search(KUHN.position(text), 1).visits for text in ("KJ b", "QJ", "QK pb")] == visits
    phantom = damier.game("phantom:rows=3,cols=3,k=3").start().play(4).play(0)  # moves that look alike
    assert damier.player("ismcts:sims=60").search(phantom, 1).visits == (7, 8, 6, 11, 12, 5, 4, 7)


class Folds:
    """Always makes the first move."""

    def choose(self, pos: Position) -> int:
        return pos.moves()[0]


class Knows:
    """Says what each move is worth, and looks at the open cards."""

    def search(self, pos: Position, seed: int) -> SearchResult:
        wins = pos.state.cards[pos.player] == max(pos.state.cards)
        return SearchResult(0, "", moves=(0, 1), scores=(0.0, 1.0 if wins else -1.0))


def test_a_player_of_your_own_may_search_the_deals() -> None:
    position = KUHN.position("QJ")  # the other holds J or K
    votes = damier.player("tests/unit/test_hidden_players.py:Folds")
    assert damier.player(f"pimc:deals=9,search=({votes.name})").search(position).best_in == (9, 0)  # type: ignore[attr-defined]
    from damier.players.pimc import Pimc

    found = Pimc(deals=200, search=Knows()).search(position)
    assert found.deals == 200
    assert sum(found.best_in) == 200
    assert 70 < found.best_in[1] < 130
    assert found.scores == (0.0, (found.best_in[1] - found.best_in[0]) / 200)


def test_time_limits_the_deals() -> None:
    found = damier.player("pimc:deals=1000000,seconds=0.05,search=(minimax:depth=5)").search(KUHN.position("QJ"))
    assert 1 <= found.deals < 1_000_000
    assert found.seconds < 5


def test_the_code_of_a_player_inside_belongs_to_an_event() -> None:
    inside = "tests/unit/test_hidden_players.py:Folds"
    plain, own = (Plan(KUHN, (spec, "random"), 2).code for spec in ("pimc:search=random", f"pimc:search=({inside})"))
    assert plain != own


# -- commands ------------------------------------------------------------------------------------------------------


def test_analyse_shows_what_the_mover_sees(damier_: Damier) -> None:
    code, out, err = damier_("analyse", "kuhn", "--moves", "J K bet", "--player", INSIDE)
    assert code == 0, err
    assert "7 of 7" in out
    assert "With open cards call is best in every deal that was searched." in out
    assert "J" not in out.replace("JSON", "")
    code, out, err = damier_("analyse", "kuhn", "--moves", "J K bet", "--json", "--player", INSIDE)
    document = json.loads(out)
    assert (document["position"], document["moves"], document["deals"]) == (None, "K bet", 7)
    assert {move["move"]: move["best_in"] for move in document["candidates"]} == {"fold": 0, "call": 7}


def test_analyse_does_not_take_a_vote_or_open_cards_for_a_value(damier_: Damier) -> None:
    _, out, _ = damier_("analyse", "kuhn", "--moves", "J K bet", "--player", "pimc:deals=7,search=random")
    assert "was chosen in 7 of 7 deals; the player inside gives no values." in out
    assert "%" in out
    assert "chips" not in out
    _, out, _ = damier_("analyse", "kuhn", "--moves", "J K", "--player", "cheat:search=(uct:sims=7),searches=3")
    assert "deal" not in out
    assert damier.player("belief").search(KUHN.position("KJ")).visits == ()


def test_the_value_is_that_of_the_move_that_is_played() -> None:
    pos = damier.game("tree:file=nonlocality").start().play_all("good pass")
    found = damier.player("pimc:search=(minimax:depth=9)").search(pos)
    mine = found.scores[found.moves.index(found.move)]
    assert found.values == (-mine, mine)
    hearts = damier.game("hearts").start()
    while hearts.is_chance:
        hearts = hearts.play(hearts.moves()[0])
    assert damier.player("pimc:deals=2,search=(uct:sims=5)").search(hearts).values is None


def test_analyse_counts_in_chips_and_says_what_to_add_at_a_deal(damier_: Damier) -> None:
    _, out, _ = damier_("analyse", "kuhn", "--moves", "K J check bet", "--player", INSIDE)
    assert "+2 chips, -2 chips" in out
    _, out, _ = damier_("analyse", "kuhn", "--moves", "K J check bet", "--player", INSIDE, "--lang", "fr")
    assert "7 sur 7" in out
    assert "valeur par joueur" in out
    code, _, err = damier_("analyse", "kuhn")
    assert (code, "add an outcome to --moves, for example J" in err) == (2, True)


def test_an_error_about_a_position_is_in_one_language(damier_: Damier) -> None:
    _, _, err = damier_("analyse", "kuhn", "--moves", "J", "--lang", "fr")
    assert "<Position kuhn après « J » : au hasard de jouer>" in err
    _, _, err = damier_("analyse", "kuhn", "--moves", "J")
    assert "<Position kuhn after 'J': chance moves>" in err


def test_analyse_refuses_searches_that_need_open_cards(damier_: Damier) -> None:
    code, out, err = damier_("analyse", "kuhn", "--moves", "J K bet", "--player", "uct")
    line = "UCT needs open cards, and kuhn hides some; try ismcts or pimc, or cheat to see everything"
    assert (code, out, err) == (2, "", f"damier: {line}\n")
    code, out, err = damier_("match", "kuhn", "uct", "random")
    assert (code, out, err) == (2, "", f"damier: {line}\n")


def test_an_order_of_searches_is_compared() -> None:
    order = Order("cheating at poker", "kuhn", (("sees", "cheat:search=(minimax:depth=5)"), ("random", "random")))
    result, steps = order.play(60, 1, seed=1, workers=1, database="sqlite://")
    assert [(step.better, step.worse, step.ours.out_of) for step in steps] == [("sees", "random", 60)]
    assert steps[0].holds == (steps[0].ours.interval[0] > 0.5)
    lost = sum(record.returns[record.seating.index(0)] < 0 for record in result.records)
    assert steps[0].losses == lost
    assert json.dumps(steps[0].as_json())


def test_the_order_on_phantom_is_the_papers() -> None:
    order = EXPERIMENTS["ismcts-phantom"]
    assert (order.games, order.sims) == (1000, 10_000)
    assert [name for name, _ in order.searches] == ["cheating UCT", "MO-ISMCTS", "SO-ISMCTS"]
    for _, spec in order.searches:
        damier.player(spec.format(sims=3)).check_sight(damier.game(order.game))


# -- the web page --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("pimc:search=(uct:seconds=500)", "uct: expected seconds of at most 10 on this server, got 500"),
        ("pimc:search=(mine.py:Mine)", "players from files are not allowed here"),
        ("cheat:search=(engine:name=x)", "players that are other programs are not allowed here"),
    ],
)
def test_a_visitor_gets_no_more_by_a_player_inside(spec: str, line: str) -> None:
    with pytest.raises((ForbiddenError, SpecError), match=line):
        check_seat(spec, WebSettings(), KUHN.position("KJ"))


def test_a_player_inside_is_limited_too() -> None:
    given: Any = check_seat("pimc:search=(uct:sims=900)", WebSettings(), KUHN.position("KJ"))
    assert given == "pimc:search=(uct:sims=900,seconds=10,memory=64),seconds=10"
