"""Answers as JSON. Every answer can be sent, even with lone surrogates, infinities and NaN in it."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi.responses import JSONResponse

from damier.core.messages import Message, say

LONGEST_FAULT = 200
_FAULTS = {
    "greater_than_equal": ("field.at-least", "ge"),
    "less_than_equal": ("field.at-most", "le"),
    "string_too_long": ("field.too-long", "max_length"),
    "too_long": ("field.too-many", "max_length"),
}


def fault_of_field(found: Mapping[str, Any], place: Sequence[object]) -> Message:
    """The message for an invalid field, by the kind of pydantic's error; pydantic's own text for other kinds."""
    where = ".".join(str(part)[:40] for part in place) or say("field.whole")
    key, limit = _FAULTS.get(found["type"], ("", ""))
    if key:
        return say(key, field=where, limit=found["ctx"][limit])
    if found["type"].startswith(("int_", "float_")):
        return say("field.number", field=where)
    return say("field.other", field=where, why=found["msg"][:LONGEST_FAULT])


class Answer(JSONResponse):
    """Encode as ASCII, which escapes lone surrogates; `null` replaces numbers that JSON lacks."""

    def render(self, content: Any) -> bytes:
        try:
            text = json.dumps(content, allow_nan=False, separators=(",", ":"))
        except ValueError:
            text = json.dumps(finite(content), separators=(",", ":"))
        return text.encode("ascii")


def finite(value: Any) -> Any:
    """The same document with None instead of infinities and NaN."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
