"""Answers as JSON. Whatever is told, an answer can be sent: half of a character, infinity and what is no number too."""

import json
import math
from typing import Any

from fastapi.responses import JSONResponse


class Answer(JSONResponse):
    """In ASCII, so that what is no Unicode is escaped; `null` where JSON has no number."""

    def render(self, content: Any) -> bytes:
        try:
            text = json.dumps(content, allow_nan=False, separators=(",", ":"))
        except ValueError:
            text = json.dumps(finite(content), separators=(",", ":"))
        return text.encode("ascii")


def finite(value: Any) -> Any:
    """The same with nothing in place of infinities and of what is no number."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
