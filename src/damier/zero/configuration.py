"""The sources of a run's settings: the game's recipe, a file, the command line; later ones override earlier ones."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from damier.core.errors import SpecError
from damier.core.files import reading
from damier.core.loading import is_file_name
from damier.core.messages import Message, say
from damier.core.numbers import fault_of
from damier.core.spec import split_spec
from damier.zero.recipes import RECIPES
from damier.zero.settings import Settings

Tree = dict[str, Any]


def settings_for(game: str, *given: Mapping[str, Any]) -> Settings:
    """The settings for a game, by its text name, with the trees in `given`; later ones override earlier ones."""
    tree = recipe_for(game)
    for one in given:
        tree = merged(tree, one)
    return validated(tree | {"game": absolute(game)}, say("settings.the-settings"))


def recipe_for(game: str) -> Tree:
    """The recipe for this game that matches the most of its options."""
    name, options = split_spec(game)
    found = [(split_spec(key), tree) for key, tree in RECIPES.items()]
    fitting = [(len(some), tree) for (of, some), tree in found if of == name and some.items() <= options.items()]
    return dict(max(fitting, key=lambda pair: pair[0])[1]) if fitting else {}


def absolute(game: str) -> str:
    """The name of a user's game with the absolute path of its file, so the run can continue from any folder."""
    name, _ = split_spec(game)
    if not is_file_name(name):
        return game
    file, class_name = name.rsplit(":", 1) if ".py:" in name else (name, "")
    return game.replace(file, str(Path(file).expanduser().resolve()), 1) if class_name else game


def merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> Tree:
    """Both trees in one; the second wins where they differ."""
    joined = dict(first)
    for key, value in second.items():
        both = isinstance(value, Mapping) and isinstance(joined.get(key), Mapping)
        joined[key] = merged(joined[key], value) if both else value
    return joined


def parse_assignments(texts: Iterable[str]) -> Tree:
    """Parse `["training.batch=512", "seed=3"]` into a tree."""
    tree: Tree = {}
    for text in texts:
        path, equals, value = text.partition("=")
        keys = [key.strip() for key in path.split(".")]
        if not equals or not all(keys):
            raise SpecError("settings.no-pair", got=text)
        leaf: Any = _parse_value(value.strip())
        for key in reversed(keys):
            leaf = {key: leaf}
        tree = merged(tree, leaf)
    return tree


def _parse_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def read_toml(path: Path) -> Tree:
    with reading(path):
        return tomllib.loads(path.read_text(encoding="utf-8"))


def validated(tree: Mapping[str, Any], where: str) -> Settings:
    for key, value in flat(dict(tree)).items():
        fault = fault_of(value)
        if fault is not None:
            raise SpecError("spec.fault", name=where, option=key, fault=fault)
    try:
        return Settings.model_validate(dict(tree))
    except ValidationError as error:
        raise SpecError("spec.refused", name=where, why=_tell(error)) from None


def to_toml(settings: Settings) -> str:
    """The settings as a TOML file, without those that are None and sections of nothing else."""
    lines, sections = [], []
    for key, value in settings.model_dump(exclude_none=True).items():
        if isinstance(value, dict):
            pairs = [f"{name} = {toml_value(each)}" for name, each in value.items()]
            sections += ["", f"[{key}]", *pairs] if pairs else []
        else:
            lines.append(f"{key} = {toml_value(value)}")
    return "\n".join([*lines, *sections]) + "\n"


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)


def _tell(error: ValidationError) -> Message:
    """The message for the first mistake, by the path of its key."""
    first = error.errors()[0]
    path = [str(part) for part in first["loc"]]
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        known = _keys(path[:-1])
        near = difflib.get_close_matches(path[-1], known, 1)
        hint = say("spec.did-you-mean", near=near[0]) if near else say("settings.keys", known=known)
        return say("settings.unknown", option=key, hint=hint)
    what = f"{first['msg'][0].lower()}{first['msg'][1:]}"
    return say("settings.wrong", option=key, what=what, got=repr(first["input"]))


def _keys(sections: list[str]) -> list[str]:
    model: type[BaseModel] = Settings
    for name in sections:
        annotation = model.model_fields[name].annotation
        assert isinstance(annotation, type)
        model = annotation
    return list(model.model_fields)


def flat(tree: Tree, prefix: str = "") -> Tree:
    """The same tree, flat, by the paths of its keys: `training.batch`."""
    flattened: Tree = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flattened |= flat(value, f"{prefix}{key}.")
        else:
            flattened[prefix + key] = value
    return flattened
