"""Checks before any game is played: the capabilities that need others."""

import numpy as np

from damier.core.errors import RulesError
from damier.core.game import Game

_OF_TWO_PLAYERS = ("bounds", "candidates", "symmetric_key", "ending")
_TOGETHER = (("endings", "ending", "set_ending"), ("format_position", "parse_position"), ("observe", "determinize"))


def check_facts(game: Game) -> None:
    """Raise RulesError if one of the game's capabilities needs another that is missing."""
    _check_network(game)
    _check_features(game)
    _check_players(game)
    _check_together(game)
    _check_hidden(game)


def _check_hidden(game: Game) -> None:
    """Check the facts about what players know, and about partners."""
    most, teams = game.max_observation, game.teams
    if game.is_hidden and not (isinstance(most, int) and most > 0):
        raise RulesError("rules.max-observation", game=game.name, got=repr(most))
    if not (
        isinstance(teams, tuple) and len(teams) == game.num_players and all(isinstance(team, int) for team in teams)
    ):
        raise RulesError("rules.teams", game=game.name, players=game.num_players, got=repr(teams))


def _check_players(game: Game) -> None:
    if game.has("distance") and (game.num_players != 1 or game.has("chance")):
        raise RulesError("rules.one-player", game=game.name, rule="distance")
    for rule in _OF_TWO_PLAYERS:
        if game.has(rule) and (game.num_players != 2 or game.has("chance")):
            raise RulesError("rules.two-players", game=game.name, rule=rule)


def _check_together(game: Game) -> None:
    for rules in _TOGETHER:
        missing = [rule for rule in rules if not game.has(rule)]
        if missing and len(missing) < len(rules):
            quoted = [f"`{rule}`" for rule in rules]
            raise RulesError("rules.together", game=game.name, rules=quoted, missing=missing[0])


def _check_features(game: Game) -> None:
    if not game.has("features"):
        return
    names, weights = game.feature_names, game.feature_weights
    if not game.has("evaluate") or not names or np.shape(np.asarray(weights)) != (len(names),):
        raise RulesError("rules.features", game=game.name, names=repr(names), weights=repr(weights))


def _check_network(game: Game) -> None:
    """Check the facts that `encode`, `action`, `symmetries` and `owners` need."""
    for rule, key in (("symmetries", "rules.symmetries"), ("owners", "rules.owners")):
        if game.has(rule) and not game.has("encode"):
            raise RulesError(key, game=game.name)
    shape, actions = game.encode_shape, game.num_actions
    if game.has("encode") and not (isinstance(shape, tuple) and all(isinstance(side, int) for side in shape)):
        raise RulesError("rules.encode-shape", game=game.name, got=repr(shape))
    if (game.has("encode") or game.has("action")) and not isinstance(actions, int):
        raise RulesError("rules.num-actions", game=game.name, got=repr(actions))
    names = game.plane_names
    if game.has("plane_names") and (not isinstance(names, tuple) or len(names) != (shape or (0,))[0]):
        raise RulesError("rules.plane-names", game=game.name, planes=(shape or (0,))[0], got=len(names))
