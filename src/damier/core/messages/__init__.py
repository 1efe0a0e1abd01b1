"""Words for people: a message is a key and facts, and one table a language turns it into a sentence.

    say("move.illegal", move="z9", where="tictactoe", legal="a1 a2")

The tables are `en.toml` and `fr.toml` beside this file, sections by area. In a sentence stand

    {name}              a fact; a list is joined with commas, a message is said in the same language
    {name:g}            a fact with a format; `:and` and `:or` join a list with the language's own word, `: + ` with +
    {name|game|games}   one of two words, by a number or by the length of a list
"""

import contextlib
import re
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from numbers import Integral, Real
from os import environ
from pathlib import Path
from typing import Any

LANGUAGES = {"en": "English", "fr": "Français"}
ENGLISH = "en"
VARIABLE = "DAMIER_LANG"

Table = Mapping[str, str]

_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*")
_PLACE = re.compile(r"\{(\w+)(?::([^{}|]*)|\|([^{}|]*)\|([^{}|]*))?\}")

_spoken: ContextVar[str] = ContextVar("language", default="")
_guests: dict[str, dict[str, str]] = {}  # by language: the sentences of games that brought their own


class Message(str):
    """A sentence in English, with its key and facts for other languages."""

    key: str
    facts: dict[str, Any]

    def __new__(cls, sentence: str, key: str = "", facts: Mapping[str, Any] | None = None) -> "Message":
        made = super().__new__(cls, sentence)
        made.key, made.facts = key, dict(facts or {})
        return made

    def text(self, lang: str | None = None) -> str:
        """The sentence in a language, by default the current one."""
        lang = lang or language()
        sentence = None if lang == ENGLISH else _sentence(self.key, lang)
        return str(self) if sentence is None else _filled(sentence, self.key, self.facts, lang)

    def __reduce__(self) -> Any:
        return Message, (str(self), self.key, self.facts)

    def to_json(self) -> dict[str, Any]:
        """The message for another process that speaks JSON; `from_json` reads it."""
        return {"text": str(self), "key": self.key, "facts": {name: _packed(fact) for name, fact in self.facts.items()}}

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> "Message":
        facts = {name: _unpacked(fact) for name, fact in document["facts"].items()}
        return Message(document["text"], document["key"], facts)


def say(key: str, **facts: Any) -> Message:
    """The message of a key. Without a sentence for it, or without a fact of it, it names the key and the facts."""
    kept = {name: _fact(value) for name, value in facts.items()}
    return Message(_filled(_sentence(key, ENGLISH), key, kept, ENGLISH), key, kept)


def is_key(text: str) -> bool:
    """Whether a text is the key of a sentence that we know."""
    return _KEY.fullmatch(text) is not None and _sentence(text, ENGLISH) is not None


def spoken(value: Any, lang: str | None = None) -> Any:
    """A document with all its messages in a language, by default the current one."""
    lang = lang or language()
    if isinstance(value, Message):
        return value.text(lang)
    if isinstance(value, dict):
        return {key: spoken(each, lang) for key, each in value.items()} if lang != ENGLISH else value
    if isinstance(value, list | tuple):
        return [spoken(each, lang) for each in value] if lang != ENGLISH else value
    return value


def message_of(error: BaseException) -> Message:
    """The message of an error, or its plain text."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else Message(str(error))


def one_line(message: Message) -> Message:
    """The same on one line, for what quotes a text of several lines."""
    if not message.key:
        return Message(" ".join(message.split()))
    return say(message.key, **{name: _one_line(fact) for name, fact in message.facts.items()})


def language() -> str:
    """The current language: that of `speaking`, else of $DAMIER_LANG, else English."""
    chosen = _spoken.get() or environ.get(VARIABLE, "")
    return chosen if chosen in LANGUAGES else ENGLISH


@contextlib.contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Set the current language of this task."""
    token = _spoken.set(lang)
    try:
        yield
    finally:
        _spoken.reset(token)


def add_messages(tables: Mapping[str, Table]) -> None:
    """Add sentences of the user's own game: `{"en": {"nim.taken": "..."}, "fr": {...}}`. Ours can't be replaced."""
    for lang, table in tables.items():
        _guests.setdefault(lang, {}).update(table)


@cache
def table(lang: str) -> Table:
    """Our sentences in a language, by key."""
    import tomllib  # only when something is to be said: `damier --help` need not wait for it

    sections = tomllib.loads(Path(__file__).with_name(f"{lang}.toml").read_text(encoding="utf-8"))
    return {f"{area}.{name}": sentence for area, section in sections.items() for name, sentence in section.items()}


def section(area: str, lang: str | None = None) -> dict[str, str]:
    """All sentences of a section, unformatted, for a page that fills in the facts itself."""
    return {
        key.removeprefix(f"{area}."): sentence
        for key, sentence in table(lang or language()).items()
        if key.startswith(f"{area}.")
    }


def _sentence(key: str, lang: str) -> str | None:
    if not key or lang not in LANGUAGES:
        return None
    return table(lang).get(key) or _guests.get(lang, {}).get(key)


def _filled(sentence: str | None, key: str, facts: Mapping[str, Any], lang: str) -> str:
    try:
        if sentence is not None:
            return _PLACE.sub(lambda place: _placed(place, facts, lang), sentence)
    except (KeyError, ValueError, TypeError):  # an error must be told, whatever is wrong with its sentence
        pass
    listed = ", ".join(f"{name}={_shown(value, '', lang)}" for name, value in facts.items())
    return f"{key} ({listed})" if listed else key


def _placed(place: re.Match[str], facts: Mapping[str, Any], lang: str) -> str:
    name, form, one, many = place.groups()
    value = facts[name]
    if one is None:
        return _shown(value, form or "", lang)
    count = len(value) if isinstance(value, list) else abs(value)
    is_one = count < 2 if lang == "fr" else count == 1
    return one if is_one else many


def _shown(value: Any, form: str, lang: str) -> str:
    if isinstance(value, Message):
        return format(value.text(lang), form)
    if not isinstance(value, list):
        return format(value, form)
    shown = [_shown(each, "", lang) for each in value]
    if form not in ("and", "or"):
        return (form or ", ").join(shown)
    *most, last = shown
    return f"{', '.join(most)} {_sentence(f'list.{form}', lang)} {last}" if most else last


def _fact(value: Any) -> Any:
    """A fact in a form that can be sent to another process: a number, a text, a message or a list of them."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [_fact(each) for each in value]
    return str(value)


def _one_line(fact: Any) -> Any:
    if isinstance(fact, Message):
        return one_line(fact)
    if isinstance(fact, list):
        return [_one_line(each) for each in fact]
    return " ".join(fact.split()) if isinstance(fact, str) and "\n" in fact else fact


def _packed(fact: Any) -> Any:
    if isinstance(fact, Message):
        return fact.to_json()
    return [_packed(each) for each in fact] if isinstance(fact, list) else fact


def _unpacked(fact: Any) -> Any:
    if isinstance(fact, dict):
        return Message.from_json(fact)
    return [_unpacked(each) for each in fact] if isinstance(fact, list) else fact
