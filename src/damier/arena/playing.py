"""One game between players, from the opening to the end."""

import time
from collections.abc import Iterator

from damier.arena.plan import Plan
from damier.core.errors import EngineError
from damier.core.rng import new_rng, next_word
from damier.players import player
from damier.store.record import GameRecord


def play_game(plan: Plan, number: int) -> GameRecord:
    """Play one game of a plan. All that happens in it follows from the plan, unless players look at the clock.

    An external engine that fails has lost the game; the record tells why.
    """
    pairing = plan.pairing(number)
    # A search keeps its tree from one move to the next, never from one game to the next.
    seats = [player(plan.players[index]) for index in pairing.seating]
    seconds = [0.0] * len(seats)
    chance, seeds = new_rng(pairing.seed, 0), new_rng(pairing.seed, 1)
    position = plan.game.start().play_all(pairing.opening)
    forfeit = None
    try:
        while not position.is_over:
            if position.is_chance:
                position = position.play(position.random_move(chance))
                continue
            began = time.perf_counter()
            move = seats[position.player].search(position, next_word(seeds) >> 1).move
            seconds[position.player] += time.perf_counter() - began
            position = position.play(move)
    except EngineError as error:
        forfeit = str(error)
    finally:
        for seat in seats:
            seat.close()
    returns = position.returns if forfeit is None else forfeited(len(seats), position.player)
    assert returns is not None
    return GameRecord(
        number=number,
        seating=pairing.seating,
        opening=len(pairing.opening),
        moves=position.history,
        returns=returns,
        seed=pairing.seed,
        seconds=tuple(round(spent, 6) for spent in seconds),
        forfeit=forfeit,
    )


def play_games(plan: Plan, number: int) -> Iterator[GameRecord]:
    """The same, as a task for workers."""
    yield play_game(plan, number)


def forfeited(seats: int, loser: int) -> tuple[float, ...]:
    """The payoffs when one seat gives the game away: the others share the win."""
    lost = -1 / (seats - 1)
    return tuple(lost if seat == loser else -lost / (seats - 1) for seat in range(seats))
