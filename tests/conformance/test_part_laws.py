"""The parts of a search keep their laws, ours and those of the examples; parts that break one are caught."""

import warnings

import pytest

import damier
from damier.core.bring import PartKind
from damier.core.compile import COMPILER_ON, ignore_advice
from damier.evaluations import EVALUATION
from damier.games import SEVERAL as GAMES
from damier.players.check import kind_of
from damier.search.laws import check_part
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE

KINDS = {"evaluation": EVALUATION, "rule": SELECTION_RULE, "playout": PLAYOUT_POLICY}
OURS = [(option, name) for option, kind in KINDS.items() for name in kind.registry]
EXAMPLES = [
    ("rule", "examples/progressive_bias.py:ProgressiveBias"),
    ("evaluation", "examples/corners.py:Corners"),
    ("playout", "examples/capture_first.py:CaptureFirst"),
    ("playout", "examples/win_stay.py:WinStay"),
]
WRONG = "tests/wrong/parts.py"
SEVERAL = (
    GAMES[1:2] if COMPILER_ON else (*GAMES[:1], *GAMES[4:])
)  # compiled, one game is enough; plain, with chance and three players


@pytest.mark.parametrize(("option", "name"), [*OURS, *EXAMPLES])
def test_our_parts_keep_their_laws(option: str, name: str) -> None:
    games = ("othello:size=4",) if "corners" in name else ("dames8",) if "capture" in name else SEVERAL
    report = check_part(name, KINDS[option], games, count=1)
    assert report.positions
    assert all(report.positions.values())


@pytest.mark.parametrize(
    ("part", "kind", "found"),
    [
        ("TooLarge", EVALUATION, r"`evaluate` wrote \[2.0, -2.0\], expected numbers in \[-1, 1\]"),
        ("NotANumber", EVALUATION, r"`evaluate` wrote \[nan, nan\], expected numbers in \[-1, 1\]"),
        ("OneSided", EVALUATION, "expected numbers that add up to 0"),
        ("Forgetful", EVALUATION, r"`evaluate` wrote \[0.0, nan\]"),
        ("Meddler", EVALUATION, "`evaluate` changed the position"),
        ("AlwaysZero", PLAYOUT_POLICY, "`move` returned 0, expected one of the legal moves"),
        ("Endless", PLAYOUT_POLICY, "`move` returned 0, expected -1, since the game is over"),
        ("Undefined", SELECTION_RULE, "`score` returned nan"),
        ("Impatient", SELECTION_RULE, "expected infinity: `tries_each_first` promises it"),
        ("Undeclared", SELECTION_RULE, r'`child.amaf_total` is kept only .* write uses = \("amaf",\)'),
        ("Worded", SELECTION_RULE, "expected `uses` to be a tuple of words, got the text 'amaf'"),
        ("Silent", SELECTION_RULE, "`score` returned nothing, expected a number"),
        ("TooMuch", SELECTION_RULE, "expected `uses` to hold words of amaf, squares, weight, got 'telepathy'"),
    ],
)
def test_a_part_that_breaks_a_law_is_caught(part: str, kind: PartKind, found: str) -> None:
    with pytest.raises(damier.DamierError, match=found):
        check_part(f"{WRONG}:{part}", kind, ("tictactoe",), count=3)


@pytest.mark.skipif(not COMPILER_ON, reason="without the compiler Python itself complains")
@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("Writer", r"Writer: `score` uses `self.seen\[...\] = ...`, but .* make a local array"),
        ("MisspeltField", "MisspeltField: `evaluate` uses `state.plyer`, but State has the fields"),
        ("Generating", r"Generating: `score` uses a generator, .*parts.py, line 73\)"),
        ("Misspelt", r"Misspelt: `score` uses `child.meen`, but it has the fields visits, total, mean.*line 78\)"),
    ],
)
def test_a_part_that_does_not_compile_is_one_line_with_its_place(part: str, found: str) -> None:
    kind = EVALUATION if part == "MisspeltField" else SELECTION_RULE
    with pytest.raises(damier.DamierError, match=found) as raised:
        check_part(f"{WRONG}:{part}", kind, ("tictactoe",), count=1)
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(COMPILER_ON, reason="the compiler complains before")
@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("mcts:sims=5,rule={}:Misspelt", r"^'.*parts.py' line 78: AttributeError: .* has no attribute 'meen'"),
        ("alphabeta:depth=1,evaluation={}:MisspeltField", r"^'.*parts.py' line 118: AttributeError: .*'plyer'"),
    ],
)
def test_a_part_that_fails_as_plain_python_is_one_line_with_its_place(spec: str, found: str) -> None:
    with pytest.raises(damier.RulesError, match=found) as raised:
        damier.player(spec.format(WRONG)).search(damier.game("tictactoe").start())
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(not COMPILER_ON, reason="the compiler warns")
def test_what_the_compiler_advises_is_not_told() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ignore_advice()
        assert check_part(f"{WRONG}:Scattered", EVALUATION, ("tictactoe",), count=1).positions


def test_the_kind_of_a_class_is_seen_by_its_methods() -> None:
    for kind in KINDS.values():
        assert all(kind_of(kind.find(name)) is kind for name in kind.registry)
    assert kind_of(type(damier.game("othello").rules)) == "game"  # which has `evaluate` too
    assert kind_of(type(damier.player("random"))) == "player"
    assert kind_of(dict) is None


def test_one_function_checks_every_kind() -> None:
    kinds = {
        "examples/matches.py:Matches": "game",
        "examples/epsilon_greedy.py:EpsilonGreedy:playouts=5": "player",
        "examples/capture_first.py:CaptureFirst": "part",
    }
    for spec, kind in kinds.items():
        games = () if kind == "game" else ("dames8",) if kind == "part" else ("tictactoe",)
        assert kind in damier.check(spec, games, count=1).as_dict()
    with pytest.raises(damier.SpecError, match="'tictactoe' is a game"):
        damier.check("tictactoe", ("connect4",))


@pytest.mark.parametrize(
    "spec", ["alphabeta:depth=1", "minimax:depth=1", "uct:sims=20,cutoff=1", "uct:sims=20,margin=0.5"]
)
def test_a_search_stops_at_a_value_that_no_evaluation_may_write(spec: str) -> None:
    """NaN once kept alpha-beta searching for ever."""
    start = damier.game("tictactoe").start()
    for part in ("NotANumber", "TooLarge"):
        with pytest.raises(damier.RulesError, match=r"the evaluation wrote .*, expected a number in \[-1, 1\]"):
            damier.player(f"{spec},evaluation={WRONG}:{part}").search(start)
