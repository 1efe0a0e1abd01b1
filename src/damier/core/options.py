"""Options that compiled rules don't see, and options that name files."""

from collections.abc import Mapping
from typing import Annotated, Any

FileName = Annotated[str, "names a file"]
"""The annotation of a constructor's argument that is the name of something the class brings along, or a path. The web
page accepts no paths from visitors unless its owner allows files."""


class Given:
    """An option as it was given: None where the rules decide. Compiled rules don't see it, so that they are the same
    machine code whatever was given. `__init__` keeps the options in a dict `self._given`; those that say what the rules
    decide anyway go through `without`, or the same game would have two names."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, rules: Any, owner: type) -> Any:
        return self if rules is None else rules._given[self.name]


def without(given: Mapping[str, Any], decided: Mapping[str, Any]) -> dict[str, Any]:
    """The given options, with None for those that are what the rules decide."""
    return {name: None if name in decided and decided[name] == value else value for name, value in given.items()}
