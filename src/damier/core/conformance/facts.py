"""Checks before any game is played: the capabilities that need others."""

import numpy as np

from damier.core.errors import RulesError
from damier.core.game import Game

_OF_TWO_PLAYERS = ("bounds", "candidates", "symmetric_key", "ending")
_TOGETHER = (("endings", "ending", "set_ending"), ("format_position", "parse_position"))


def check_facts(game: Game) -> None:
    """Raise RulesError if one of the game's capabilities needs another that is missing."""
    _check_network(game)
    _check_features(game)
    _check_players(game)
    _check_together(game)


def _check_players(game: Game) -> None:
    if game.has("distance") and (game.num_players != 1 or game.has("chance")):
        raise RulesError(f"{game.name}: `distance` is for one player without chance: nobody else decides how far it is")
    for rule in _OF_TWO_PLAYERS:
        if game.has(rule) and (game.num_players != 2 or game.has("chance")):
            raise RulesError(f"{game.name}: `{rule}` is for two players without chance: only such games are solved")


def _check_together(game: Game) -> None:
    for rules in _TOGETHER:
        missing = [rule for rule in rules if not game.has(rule)]
        if missing and len(missing) < len(rules):
            *first, last = (f"`{rule}`" for rule in rules)
            raise RulesError(f"{game.name}: {', '.join(first)} and {last} go together: `{missing[0]}` is missing")


def _check_features(game: Game) -> None:
    if not game.has("features"):
        return
    names, weights = game.feature_names, game.feature_weights
    if not game.has("evaluate") or not names or np.shape(np.asarray(weights)) != (len(names),):
        raise RulesError(
            f"{game.name}: `features` needs `evaluate`, names in `feature_names` and as many `feature_weights`, "
            f"got {names!r} and {weights!r}"
        )


def _check_network(game: Game) -> None:
    """Check the facts that `encode`, `action` and `symmetries` need."""
    if game.has("symmetries") and not game.has("encode"):
        raise RulesError(f"{game.name}: `symmetries` needs `encode`, by which it is checked and for which it is made")
    shape, actions = game.encode_shape, game.num_actions
    if game.has("encode") and not (isinstance(shape, tuple) and all(isinstance(side, int) for side in shape)):
        raise RulesError(f"{game.name}: `encode` needs `encode_shape`, a tuple of whole numbers, got {shape!r}")
    if (game.has("encode") or game.has("action")) and not isinstance(actions, int):
        raise RulesError(f"{game.name}: `encode` and `action` need a whole number `num_actions`, got {actions!r}")
