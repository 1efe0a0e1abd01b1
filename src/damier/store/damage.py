"""Damage in a database, noticed row by row: text that is not JSON, or JSON that is not ours."""

import json
from typing import Any

from damier.core.errors import DamierError


class DamagedError(DamierError):
    """Raised for data in the database that can't be read."""


class Damaged:
    """Stands for a text in the database that is not JSON."""


def read_json(text: str | bytes) -> Any:
    """Read JSON from the database. A damaged row must not hide the others."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return Damaged()


def are_whole(value: Any) -> bool:
    """Whether this is a list of whole numbers."""
    return isinstance(value, list) and all(isinstance(each, int) for each in value)


def are_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, int | float) for each in value)


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def are_settings(value: Any) -> bool:
    """Whether these are the settings of an event, see `damier.arena.plan.Plan.settings`."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("game"), str)
        and are_texts(value.get("players"))
        and isinstance(value.get("games"), int)
        and isinstance(value.get("seed"), int)
        and (isinstance(value.get("openings"), int) or are_texts(value.get("openings")))
    )
