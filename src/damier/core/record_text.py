"""The default text of a position: the fields of the record, by name.

    player=0 won=0 cells=0,1,0/2,0,0

The numbers of an array are separated by commas, its rows by slashes.
"""

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Record

LONGEST_SHOWN = 120  # characters of a text in a message


def format_record(state: Record) -> str:
    return " ".join(f"{name}={_format_field(state[name])}" for name in state.dtype.names)


def _format_field(value: object) -> str:
    numbers = np.asarray(value)
    if not numbers.ndim:
        return _format_number(numbers.item())
    rows = numbers.reshape(-1, numbers.shape[-1]).tolist()
    return "/".join(",".join(map(_format_number, row)) for row in rows)


def _format_number(number: float) -> str:
    return str(int(number)) if isinstance(number, bool) else repr(number)


def parse_record(state: Record, text: str) -> None:
    """Fill a record; ValueError says which field is wrong."""
    names = state.dtype.names
    fields = dict(word.partition("=")[::2] for word in text.split())
    if len(text.split()) != len(names) or set(fields) != set(names):
        raise ValueError(say("position.fields", fields=" ".join(f"{name}=" for name in names)))
    for name in names:
        _parse_field(state, name, fields[name])


def _parse_field(state: Record, name: str, text: str) -> None:
    kind = state.dtype[name]
    words = text.replace("/", ",").split(",")
    count = int(np.prod(kind.shape))
    if len(words) != count:
        raise ValueError(say("position.many-numbers", count=count, field=name, got=len(words)))
    try:
        numbers = [float(word) if kind.base.kind == "f" else int(word) for word in words]
    except ValueError:
        key = "position.no-numbers" if kind.base.kind == "f" else "position.no-whole-numbers"
        raise ValueError(say(key, field=name, got=shortened(text))) from None
    if kind.base.kind != "f":
        low, high = (0, 1) if kind.base.kind == "b" else (np.iinfo(kind.base).min, np.iinfo(kind.base).max)
        outside = [number for number in numbers if not low <= number <= high]
        if outside:
            got = shortened(str(outside[0]))
            raise ValueError(say("position.numbers-between", least=low, most=high, field=name, got=got))
    state[name] = np.array(numbers, kind.base).reshape(kind.shape)


def shortened(text: str) -> str:
    """A text for a message: one line, shortened."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[: LONGEST_SHOWN - 3]}..."
