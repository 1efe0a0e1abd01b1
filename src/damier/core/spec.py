"""Text names: `name[:option=value,...]` for games and players, in the command line, Python and files.

The options of a thing are the arguments of its constructor; their annotations say how to read the text.
"""

import difflib
import inspect
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from damier.core.errors import DamierError, SpecError
from damier.core.loading import place_in_own_file
from damier.core.messages import is_key, message_of, say
from damier.core.numbers import fault_of
from damier.core.options import FileName

_BOOLS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """`"mnk:rows=3,k=3"` -> `("mnk", {"rows": "3", "k": "3"})`. In `file.py:Class:a=1` the name is `file.py:Class`.

    A value that is itself such a text with options stands in brackets: `alphabeta:evaluation=(mine.py:Corners:w=2)`.
    """
    file = _FILE.match(text)
    start = file.end() if file else 0
    class_or_name, _, listed = text[start:].partition(":")
    name = text[:start] + class_or_name
    options: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in _split(text, listed))):
        option, equals, value = part.partition("=")
        if not equals or not option or not value:
            raise SpecError("spec.no-pair", text=text, got=part, name=name)
        if option in options:
            raise SpecError("spec.twice", text=text, option=option)
        options[option.strip()] = _without_brackets(value.strip())
    return name.strip(), options


_FILE = re.compile(r"(?:[A-Za-z]:(?=[\\/]))?[^:]*\.py:")  # a file before its class; of a drive, too


def _split(text: str, listed: str) -> list[str]:
    """The options of a text, separated by commas outside brackets."""
    parts, depth, begin = [], 0, 0
    for place, sign in enumerate(listed):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            parts.append(listed[begin:place])
            begin = place + 1
    if depth:
        raise SpecError("spec.brackets", text=text)
    return [*parts, listed[begin:]]


def _without_brackets(value: str) -> str:
    return value[1:-1].strip() if value.startswith("(") and value.endswith(")") else value


def format_spec(name: str, options: Mapping[str, Any]) -> str:
    listed = ",".join(f"{option}={_format_value(value)}" for option, value in options.items())
    return f"{name}:{listed}" if listed else name


def _format_value(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"({text})" if "," in text or "=" in text else text


def defaults(factory: type) -> dict[str, Any]:
    """The options of a class with their default values; `inspect.Parameter.empty` where there is none."""
    return {name: parameter.default for name, parameter in _parameters(factory).items()}


def file_options(factory: type) -> set[str]:
    """The options that name files: those annotated as `FileName` or `Path`, also within a union."""
    kinds = {FileName, Path}
    parameters = _parameters(factory).items()
    return {name for name, each in parameters if kinds & {each.annotation, *get_args(each.annotation)}}


def build(factory: type, name: str, options: Mapping[str, Any]) -> Any:
    """Make an instance with these options, given as text or as values, or say which one is wrong."""
    parameters = _parameters(factory)
    for option in options:
        if option not in parameters and not _takes_any(factory):
            raise SpecError("spec.unknown-option", name=name, option=option, options=_describe(factory))
    for option, parameter in parameters.items():
        if parameter.default is inspect.Parameter.empty and option not in options:
            raise SpecError("spec.needs-value", name=name, option=option)
    values = {
        option: _read(name, parameters[option], value) if option in parameters else value
        for option, value in options.items()
    }
    try:
        return factory(**values)
    except DamierError:
        raise
    except ValueError as error:
        raise SpecError("spec.refused", name=name, why=message_of(error)) from error
    except (Exception, SystemExit) as error:
        place = place_in_own_file(factory, error)
        if place is None:
            raise
        kind = type(error).__name__
        raise SpecError("spec.broken", place=place, name=name, kind=kind, why=message_of(error)) from error


@lru_cache(maxsize=1024)
def _parameters(factory: type) -> dict[str, inspect.Parameter]:
    if factory.__init__ is object.__init__:  # type: ignore[misc]
        return {}
    listed = inspect.signature(factory, eval_str=True).parameters
    return {name: parameter for name, parameter in listed.items() if parameter.kind is not parameter.VAR_KEYWORD}


def _takes_any(factory: type) -> bool:
    """Whether the constructor ends in `**options`: it checks them itself."""
    kinds = (parameter.kind for parameter in inspect.signature(factory).parameters.values())
    return inspect.Parameter.VAR_KEYWORD in kinds


def _describe(factory: type) -> str:
    known = format_spec("", {k: "..." if v is inspect.Parameter.empty else v for k, v in defaults(factory).items()})
    return say("spec.options", options=known[1:]) if known else say("spec.no-options")


def _read(name: str, parameter: inspect.Parameter, value: Any) -> Any:
    """The value of an option, checked for compiled code."""
    found = _parse(name, parameter, value)
    fault = fault_of(found)
    if fault is not None:
        raise SpecError("spec.fault", name=name, option=parameter.name, fault=fault)
    return found


def _parse(name: str, parameter: inspect.Parameter, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    kind = parameter.annotation
    if kind is inspect.Parameter.empty:
        kind = str if parameter.default in (None, inspect.Parameter.empty) else type(parameter.default)
    if kind is bool or kind == bool | None:
        if value.lower() not in _BOOLS:
            raise SpecError("spec.not-bool", name=name, option=parameter.name, got=value)
        return _BOOLS[value.lower()]
    for number, otherwise in ((int, "spec.not-whole"), (float, "spec.not-number")):
        if kind is number or kind == number | None:
            try:
                return number(value)
            except ValueError:
                raise SpecError(otherwise, name=name, option=parameter.name, got=value) from None
    return value


def unknown(what: str, name: str, known: Iterable[str], command: str) -> SpecError:
    """The error for a name that is not in a registry, with the nearest one."""
    near = difflib.get_close_matches(name, list(known), 1, 0.6)
    kind = kind_name(what)
    if near:
        return SpecError("spec.unknown-near", kind=kind, name=name, near=near[0], command=command)
    return SpecError("spec.unknown", kind=kind, name=name, command=command)


def kind_name(what: str) -> str:
    """What a kind of thing is called, a game or a selection rule, in the language of the reader."""
    key = f"kind.{what.replace(' ', '-')}"
    return say(key) if is_key(key) else what
