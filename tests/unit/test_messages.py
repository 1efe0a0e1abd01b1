"""Messages: every key has a sentence in every language, with the same facts; what is said is found in the tables.

The source is read, not run: a key that no test happens to say is found too.
"""

import ast
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core import messages
from damier.core.errors import DamierError, PositionError, RulesError, SpecError
from damier.core.messages import LANGUAGES, Message, message_of, one_line, say, speaking, spoken, table
from damier.games import REGISTRY

SOURCE = Path(damier.__file__).parent
FACT = re.compile(r"\{(\w+)(?:[:|][^{}]*)?\}")
KEY = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+")
AREAS = {key.partition(".")[0] for key in table("en")}
BY_NAME = {"feature", "kind", "colour", "stepper", "list", "heading", "report", "step", "unit"}
"""Areas whose keys are made from a name: of a feature, of a colour, ..."""


def facts_of(sentence: str) -> set[str]:
    return set(FACT.findall(sentence))


def trees() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def said() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where a key is said, which, and with what facts; None where they are not written there."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = (
                node.args[3:] if name == "_require" else node.args if name == "say" or name.endswith("Error") else []
            )
            key = given[0].value if given and isinstance(given[0], ast.Constant) else None
            if not isinstance(key, str) or not KEY.fullmatch(key):
                continue
            pairs = {arg.value for arg in given[1::2] if isinstance(arg, ast.Constant)}
            facts = {str(each) for each in pairs} | {each.arg for each in node.keywords if each.arg}
            is_open = any(each.arg is None for each in node.keywords)
            yield f"{path.relative_to(SOURCE)}:{node.lineno}", key, None if is_open else facts


def test_every_key_is_in_every_language_with_the_same_facts() -> None:
    english = table("en")
    for lang in LANGUAGES:
        other = table(lang)
        assert set(other) == set(english), f"{lang} lacks or has too many keys"
        different = [key for key, sentence in english.items() if facts_of(sentence) != facts_of(other[key])]
        assert different == [], f"the facts differ between en and {lang}"


def test_what_is_said_is_in_the_tables_with_all_its_facts() -> None:
    english = table("en")
    wrong = []
    for place, key, facts in said():
        if key not in english:
            wrong.append(f"{place}: no sentence for {key}")
        elif facts is not None and not facts_of(english[key]) <= facts:
            wrong.append(f"{place}: {key} lacks {facts_of(english[key]) - facts}")
    assert wrong == []


def test_no_sentence_is_left_over() -> None:
    used = {
        node.value
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value)
    }
    unused = [key for key in table("en") if key.partition(".")[0] not in BY_NAME and key not in used]
    assert unused == []


def test_every_heading_of_a_table_is_there_and_used() -> None:
    asked, constants = set[str](), set[str]()
    for path, tree in trees():
        for node in ast.walk(tree) if path.is_relative_to(SOURCE / "cli") else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "headings":
                asked |= {str(each.value) for each in node.args if isinstance(each, ast.Constant)}
    there = {key.removeprefix("heading.") for key in table("en") if key.startswith("heading.")}
    assert asked <= there <= constants
    assert len(asked) > 20


def test_every_word_of_a_report_is_used_by_its_page() -> None:
    folder = SOURCE / "arena" / "report"
    source = "".join((folder / name).read_text() for name in ("page.html", "page.js", "page.py", "plots.py"))
    for name in messages.section("report"):
        written = (f"$w_{name.replace('-', '_')}<", f'$w_{name.replace("-", "_")}"', f"$w_{name.replace('-', '_')} ")
        assert any(form in source for form in (*written, f'"{name}"', f"'{name}'", f"report.{name}")), name


def test_the_features_of_our_games_have_names() -> None:
    names = {name for game in REGISTRY for name in getattr(damier.game(game).rules, "feature_names", ())}
    assert {f"feature.{name.replace(' ', '-')}" for name in names} == {
        key for key in table("en") if key.startswith("feature.")
    }


def test_a_message_is_its_english_sentence_and_knows_the_others() -> None:
    message = say("number.above", what="sims", least=0, got=0)
    assert message == "expected sims above 0, got 0"
    assert message.text("fr") == "on attend sims au-dessus de 0, pas 0"
    with speaking("fr"):
        assert message.text() == message.text("fr")
        assert spoken({"a": [message, 1]}) == {"a": [message.text("fr"), 1]}
    assert message.text() == str(message)


def test_messages_within_messages_lists_and_plurals() -> None:
    one = say("play.wins", winners=[say("play.player", number=1, piece="")])
    two = say("play.wins", winners=[say("play.player", number=seat, piece="") for seat in (1, 2)])
    assert (one, one.text("fr")) == ("player 1 wins", "joueur 1 gagne")
    assert (two, two.text("fr")) == ("player 1 and player 2 win", "joueur 1 et joueur 2 gagnent")
    none = say("web.many-begun", count=0)
    assert "0 partie en" in none.text("fr")


def test_a_message_in_one_line_has_no_line_breaks_in_any_language() -> None:
    why = say("position.cells", known=".X", got="x\ny")
    message = one_line(say("position.none", game="go", text="a\nb", why=why))
    assert "\n" not in message + message.text("fr")
    assert "« a b »" in message.text("fr")


@pytest.mark.parametrize("pack", ["pickle", "json"])
def test_a_message_keeps_its_key_and_facts_on_its_way_to_another_process(pack: str) -> None:
    inner = say("spec.did-you-mean", near="walk")
    message = say("lesson.unknown-tree", name="wlak", hint=inner)
    if pack == "pickle":
        arrived = pickle.loads(pickle.dumps(SpecError(message))).message
    else:
        arrived = Message.from_json(json.loads(json.dumps(message.to_json())))
    assert arrived == message
    assert (arrived.key, arrived.facts) == (message.key, message.facts)
    assert arrived.text("fr") == message.text("fr") != message


def test_an_error_takes_a_key_or_a_sentence_of_its_own() -> None:
    assert str(SpecError("number.above", what="sims", least=0, got=0)) == "expected sims above 0, got 0"
    assert str(RulesError("rules.too-long", "limit", 9)) == (
        "a game went on after max_length = 9 moves; a playout policy must return -1 at the end"
    )
    own = DamierError("my own words")
    assert (str(own), own.text("fr"), own.message.key) == ("my own words", "my own words", "")
    assert message_of(ValueError(say("position.start"))).text("fr") == "au début"
    assert message_of(ValueError("plain")).text("fr") == "plain"


def test_an_error_is_told_even_without_its_sentence_or_its_facts() -> None:
    assert say("no.sentence", a=1, b="x") == "no.sentence (a=1, b=x)"
    assert say("number.above", what="sims") == "number.above (what=sims)"
    assert say("budget.seconds", most="much", got="more") == "budget.seconds (most=much, got=more)"
    assert Message("as it was", "no.sentence").text("fr") == "as it was"


OWN = """
from nim import Nim as Ours
from damier import say

class Nim(Ours):
    messages = {
        "en": {"nim.heaps": "expected at most {most} heaps, got {got}", "spec.twice": "ours"},
        "fr": {"nim.heaps": "on attend au plus {most} tas, pas {got}"},
    }
    def __init__(self, heaps: int = 3):
        if heaps > 4:
            raise ValueError(say("nim.heaps", most=4, got=heaps))
        super().__init__(heaps)
"""


def test_a_game_of_the_users_own_brings_its_words(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(Path("examples/nim.py").read_text())
    (tmp_path / "own.py").write_text(OWN)
    name = f"{tmp_path / 'own.py'}:Nim"
    with pytest.raises(SpecError) as caught:
        damier.game(f"{name}:heaps=9")
    assert str(caught.value) == f"{name}: expected at most 4 heaps, got 9"
    assert caught.value.text("fr") == f"{name} : on attend au plus 4 tas, pas 9"
    assert damier.game(name).start().moves()
    assert say("spec.twice", text="a", option="b") == "'a': the option 'b' is given twice"  # ours can't be replaced


@pytest.mark.parametrize(
    ("name", "english", "french"),
    [
        (
            "mnk:k=9",
            "mnk: expected k from 1 to 5, the longer side of the board, got 9",
            "mnk : on attend k de 1 à 5, le plus long côté du plateau, pas 9",
        ),
        (
            "blokus:board=huge",
            "blokus: expected board to be classic or duo or junior or tiny, got huge",
            "blokus : on attend pour board classic ou duo ou junior ou tiny, pas huge",
        ),
    ],
)
def test_what_a_game_says_of_its_options_is_said_in_french(name: str, english: str, french: str) -> None:
    with pytest.raises(SpecError) as caught:
        damier.game(name)
    assert (str(caught.value), caught.value.text("fr")) == (english, french)


def test_what_a_game_says_of_a_position_is_said_in_french_on_one_line() -> None:
    with pytest.raises(PositionError) as caught:
        damier.game("sliding").position("123/456/780 a\nb")
    told = "sliding has no position '123/456/780 a b': expected 0 to 100 moves after the board, got 'a b'"
    french = (
        "sliding n’a pas de position « 123/456/780 a b » : on attend de 0 à 100 coups après le plateau, pas « a b »"
    )
    assert (str(caught.value), caught.value.text("fr")) == (told, french)


def test_the_language_is_that_of_the_variable_unless_another_is_spoken(monkeypatch: Any) -> None:
    monkeypatch.setenv("DAMIER_LANG", "fr")
    assert messages.language() == "fr"
    with speaking("en"):
        assert messages.language() == "en"
    monkeypatch.setenv("DAMIER_LANG", "tlh")
    assert messages.language() == "en"
