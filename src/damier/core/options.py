"""Options of a game that compiled rules don't see."""

from typing import Any


class Given:
    """An option as it was given: None where the rules decide. Compiled rules don't see it, so that they are the same
    machine code whatever was given. `__init__` keeps the options in a dict `self._given`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, rules: Any, owner: type) -> Any:
        return self if rules is None else rules._given[self.name]
