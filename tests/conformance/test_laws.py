"""Every game keeps the laws, and the check notices each law that is broken."""

import json
import re
from pathlib import Path

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.conformance import LAWS
from damier.core.errors import RulesError
from damier.games import REGISTRY
from damier.games.draughts.variants import VARIANTS as DRAUGHTS
from tests.compiler import without_compiler
from tests.conformance import broken, broken_hidden, games
from tests.reference.naive_solo import BOARDS as ONE_PLAYER_BOARDS

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = 5
FEW = 2  # for boards on which a game is long
NUM_GAMES = {
    "gomoku": FEW,
    "connect5": FEW,
    "samegame": FEW,
    "morpion": FEW,
    "morpion:variant=5T": FEW,
    "blokus": 1,
    "hearts": 1,
    "belote": 1,
    "bridgeplay": 1,
    "whist": 2,
    "whist:variant=german": 1,
    "hearts:passing=drawn": 1,
    "liarsdice:dice=2,sides=3": 2,
    "phantom": FEW,
    "darkhex": FEW,
    "backgammon": FEW,
    "backgammon:gammons=true,limit=20": FEW,
    "blokus:board=tiny": FEW,
    "blokus:board=tiny,players=3,history=3": FEW,
    "blokus:board=tiny,players=2,colours=4,scoring=basic": FEW,
    "blokus:board=tiny,players=3,colours=4": FEW,
    "blokus:board=duo,size=10,pieces=3,history=8": FEW,
}

VARIANTS = [
    "connect4:rows=4,cols=4",
    "connect4:rows=7,cols=8",  # all 64 bits
    "connect4:rows=15,cols=4",
    "othello:size=4",
    "othello:size=6",
    "mnk:rows=3,cols=3,k=3",
    "mnk:rows=1,cols=6,k=2",
    "mnk:rows=2,cols=7,k=3",
    *(f"draughts:rules={rules}" for rules in DRAUGHTS),
    *ONE_PLAYER_BOARDS,
    "blokus:board=tiny",
    "blokus:board=tiny,players=3,history=3",
    "blokus:board=tiny,players=2,colours=4,scoring=basic",
    "blokus:board=tiny,players=3,colours=4",
    "blokus:board=duo,size=10,pieces=3,history=8",
    "backgammon:gammons=true,limit=20",
    "pig:goal=2,turns=1",
    "whist:variant=german",
    "hearts:passing=drawn",
    "liarsdice:dice=2,sides=3",
    "pacman:layout=large,ghosts=adversary,limit=20",
    "draughts:size=4",
    "draughts:size=10,first=black,draw_after=10",
    f"{EXAMPLES}/nim.py:Nim",
    f"{EXAMPLES}/nim.py:Nim:heaps=5",
    f"{EXAMPLES}/breakthrough.py:Breakthrough",
    f"{EXAMPLES}/breakthrough.py:Breakthrough:size=4",
    f"{EXAMPLES}/breakthrough.py:Breakthrough:size=5",
]


@pytest.mark.parametrize("name", REGISTRY)
def test_a_registered_game_keeps_the_laws(name: str) -> None:
    damier.check_game(damier.game(name), games=NUM_GAMES.get(name, GAMES))


@pytest.mark.skipif(not COMPILER_ON, reason="with the compiler the check tries the plain rules too")
@pytest.mark.parametrize("name", VARIANTS, ids=lambda name: Path(name).name)
def test_other_boards_and_the_examples_keep_the_laws(name: str) -> None:
    damier.check_game(damier.game(name), games=NUM_GAMES.get(name, GAMES))


@pytest.mark.parametrize("name", [*REGISTRY, *VARIANTS], ids=lambda name: Path(name).name)
def test_a_name_gives_the_same_game(name: str) -> None:
    game = damier.game(name)
    assert damier.game(game.name) == game


@pytest.mark.parametrize(
    "rules",
    [
        games.Pig,
        games.CountUp,
        games.HighCard,
        games.FarApart,
        broken.Right,
        broken.WithTexts,
        broken.Countdown,
        broken.Bounded,
        broken.Numbered,
        broken_hidden.Coin,
        broken_hidden.Dice,
        broken_hidden.Partners,
    ],
)
def test_every_capability_can_keep_the_laws(rules: type) -> None:
    damier.check_game(rules(), games=GAMES)


@without_compiler  # the same check, of rules that are wrong in either run
@pytest.mark.parametrize(("law", "rules"), broken.BREAKS_LAW)
def test_a_broken_law_is_named(law: str, rules: type) -> None:
    with pytest.raises(RulesError, match=f"breaks a law .*{re.escape(LAWS[law])}"):
        damier.check_game(rules(), games=2)


@pytest.mark.skipif(not COMPILER_ON, reason="these rules are wrong in compiled code only")
@pytest.mark.parametrize(("law", "rules"), broken.DIFFERS_COMPILED)
def test_a_law_broken_by_compiled_code_is_named(law: str, rules: type) -> None:
    with pytest.raises(RulesError, match=f"breaks a law .*{re.escape(LAWS[law])}"):
        damier.check_game(rules(), games=2)


@pytest.mark.parametrize(("says", "rules"), broken.FAILS)
def test_a_rule_that_fails_is_named(says: str, rules: type) -> None:
    with pytest.raises(RulesError, match=re.escape(says)):
        damier.check_game(rules(), games=2)


def test_no_law_is_without_a_game_that_breaks_it() -> None:
    broken_laws = {law for law, _ in broken.BREAKS_LAW + broken.DIFFERS_COMPILED}
    assert broken_laws == set(LAWS)


def test_an_error_tells_the_game_and_the_moves_that_led_there() -> None:
    with pytest.raises(RulesError, match=r"^NeverEnds breaks a law after the moves \d \d \d: every game"):
        damier.check_game(broken.NeverEnds(), games=1)


def test_the_report_tells_what_was_checked_and_what_the_game_lacks() -> None:
    report = damier.check_game(broken.Right(), games=3)
    assert (report.game, report.games, report.plies) == ("Right", 3, 9)
    assert LAWS["returns"] in report.laws
    assert LAWS["sample"] not in report.laws
    assert "sample" in report.absent


def test_the_report_tells_what_the_games_were_like() -> None:
    report = damier.check_game(broken.Right(), games=20)
    assert report.lengths == {"min": 3, "mean": 3, "max": 3}
    assert report.branching == {"min": 1, "mean": 2, "max": 3}
    assert report.moved == {"player 0": 40, "player 1": 20}
    assert report.wins["player 0"] + report.wins["player 1"] == 20
    assert report.wins["drawn"] == 0
    assert report.warnings == []
    assert json.loads(json.dumps(report.as_dict()))["wins"] == report.wins


def test_chance_and_payoffs_are_told_of_a_game_of_dice_for_one() -> None:
    report = damier.check_game("pig", games=5)
    assert report.moved["chance"] > 0
    assert report.wins == {}
    assert -1 <= report.payoffs["min"] < report.payoffs["mean"] < report.payoffs["max"] <= 1


@pytest.mark.parametrize(("says", "rules"), games.SUSPICIOUS)
def test_what_breaks_no_law_and_is_probably_wrong_is_a_warning(says: str, rules: type) -> None:
    assert says in damier.check_game(rules(), games=30).warnings
