"""Players given in Python, as classes or instances, and how other processes get them."""

import copy
import pickle
import sys
from collections import Counter
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from damier.core.errors import SpecError
from damier.core.loading import files_in, load_class, locator_of
from damier.players.guests import Guest, seated, title_of
from damier.search.player import Player
from damier.work.pool import is_found_elsewhere


def named(players: Sequence[object]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """A name for each player, and the players given in Python by that name. Equal names are numbered."""
    given = [each.own if isinstance(each, Guest) else each for each in players]
    titles = [each if isinstance(each, str) else title_of(each) for each in given]
    count, names = Counter(titles), list(titles)
    for i, each in enumerate(given):
        if not isinstance(each, str) and count[titles[i]] > 1:
            # An instance given twice has one name; a class makes a new player each time.
            same = i if isinstance(each, type) else next(j for j, other in enumerate(given) if other is each)
            names[i] = f"{titles[i]} {1 + titles[:same].count(titles[i])}"
    return tuple(names), {name: each for name, each in zip(names, given, strict=True) if not isinstance(each, str)}


def fresh(given: object, name: str) -> Player:
    """A player for one game. An instance is copied, so nothing passes from one game to another."""
    try:
        own = given if isinstance(given, type) else copy.deepcopy(given)
    except Exception as error:
        raise SpecError("arena.no-copy", player=name, kind=type(error).__name__, why=error) from None
    return seated(own, name)


def class_of_brought(given: object) -> type:
    return given if isinstance(given, type) else type(given)


def can_leave(given: object) -> bool:
    """Whether another process can get it."""
    if not is_found_elsewhere(class_of_brought(given)):
        return False
    try:
        return b"__main__" not in pickle.dumps(Parcel(given))  # its data may belong to the running script
    except Exception:  # anything that its own code raises
        return False


class Parcel:
    """A class or an instance on its way to another process, with the files that define its classes."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def __reduce__(self) -> Any:
        data = pickle.dumps(self.given)
        modules = [sys.modules[name] for name in files_in(data)]
        return _unpacked, ([locator_of(cls) for module in modules for cls in _classes_of(module)[:1]], data)


def _classes_of(module: ModuleType) -> list[type]:
    return [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]


def _unpacked(locators: list[str], data: bytes) -> Any:
    for locator in locators:
        load_class(locator)
    return pickle.loads(data)
