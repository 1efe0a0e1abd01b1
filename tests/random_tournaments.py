"""Tournaments of random games: what comes after the games is the same whoever played them."""

from collections.abc import Sequence

from damier.arena.plan import Plan
from damier.arena.result import Match, Tournament
from damier.arena.sprt import Sprt
from damier.core.game import Game
from damier.core.rng import new_rng
from damier.store.record import GameRecord

NAMES = ("random", "uct:sims=1", "flat:sims=1", "rave:sims=1")


def random_tournament(
    game: Game, num_players: int = 2, games: int = 4, openings: int | tuple[str, ...] = 0, sprt: Sprt | None = None
) -> Tournament:
    plan = Plan(game, NAMES[:num_players], games, seed=3, openings=openings)
    records = tuple(_random_game(plan, number) for number in range(plan.num_games))
    return (Match if plan.is_match else Tournament)(plan, records, sprt)


def renamed(result: Tournament, names: Sequence[str]) -> Tournament:
    """The same with players whose names no player has."""
    object.__setattr__(result.plan, "players", tuple(names))
    return type(result)(result.plan, result.records, result.sprt)


def _random_game(plan: Plan, number: int) -> GameRecord:
    task = plan.pairing(number)
    rng = new_rng(task.seed)
    position = plan.game.start().play_all(task.opening)
    while not position.is_over:
        position = position.play(position.random_move(rng))
    assert position.returns is not None
    nothing = (0.0,) * len(task.seating)
    return GameRecord(
        number, task.seating, len(task.opening), position.history, position.returns, task.seed, seconds=nothing
    )
