"""One game between players, from the opening to the end."""

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from damier.arena.plan import Pairing, Plan
from damier.core.errors import ForfeitError
from damier.core.messages import say
from damier.core.position import Position
from damier.core.rng import new_rng, next_word
from damier.core.teams import payoffs_if_lost
from damier.search.player import Player
from damier.store.record import GameRecord
from damier.work.pool import Watched

GETTING_READY = 300.0  # seconds: players compile, load networks or start programs before their first move

_have_searched: set[str] = set()  # the names of those who have searched in this process


def play_game(plan: Plan, number: int) -> GameRecord:
    """Play one game of a plan. The plan determines everything in it, unless players use the clock.

    A player that fails loses the game; the record says why.
    """
    *_, record = game_task(plan, number)
    return record  # type: ignore[no-any-return]


def game_task(plan: Plan, number: int) -> Iterator[Any]:
    """Play a game as a task for workers, who watch the time of each move if the plan limits it."""
    playing = Playing(plan, plan.pairing(number))
    try:
        yield from playing.play()
    finally:
        playing.close()


class Playing:
    """A game in progress."""

    def __init__(self, plan: Plan, pairing: Pairing) -> None:
        self.plan, self.pairing = plan, pairing
        self.seats = [plan.seat(index) for index in pairing.seating]
        self.seconds = [0.0] * len(self.seats)
        self.position = plan.game.start().play_all(pairing.opening)
        self.is_ready = [False] * len(self.seats)

    def play(self) -> Iterator[GameRecord | Watched]:
        chance, seeds = new_rng(self.pairing.seed, 0), new_rng(self.pairing.seed, 1)
        while not self.position.is_over:
            if self.position.is_chance:
                self.position = self.position.play(self.position.random_move(chance))
                continue
            try:
                yield from self._move(next_word(seeds) >> 1)
            except ForfeitError as error:
                yield self._record(error.message)
                return
        yield self._record()

    def close(self) -> None:
        for seat in self.seats:
            seat.close()

    def _move(self, seed: int) -> Iterator[Watched]:
        """Let the player to move search. The preparation, once in a game, does not count as time of a move."""
        mover, name, limit = self.position.player, self._mover_name, self.plan.move_seconds
        seat = self.seats[mover]
        if not self.is_ready[mover]:
            yield from self._watched(GETTING_READY, say("arena.not-ready", player=name, seconds=GETTING_READY))
            seat.prepare(self.position)
            self.is_ready[mover] = True
        # A player with nothing to prepare may prepare in its first search: it may compile the rules there.
        is_first = type(seat).prepare is Player.prepare and name not in _have_searched
        number = len(self.position.history) + 1
        late = "" if limit is None else say("arena.thought-long", player=name, seconds=limit, number=number)
        yield from self._watched(GETTING_READY if is_first else limit, late)
        began = time.perf_counter()
        move = seat.search(self.position, seed).move
        spent = time.perf_counter() - began
        _have_searched.add(name)
        self.seconds[mover] += spent
        if limit is not None and spent > limit and not is_first:
            raise ForfeitError(late)
        self.position = self.position.play(move)

    def _watched(self, seconds: float | None, late: str) -> Iterator[Watched]:
        """Say, before a step that may never end, how the game ends then."""
        if self.plan.move_seconds is not None and seconds is not None:
            record = self._record(late)
            spent = list(record.seconds)
            spent[self.position.player] += seconds
            yield Watched(seconds, replace(record, seconds=tuple(spent)))

    @property
    def _mover_name(self) -> str:
        return self.plan.players[self.pairing.seating[self.position.player]]

    def _record(self, forfeit: str | None = None) -> GameRecord:
        """The record of the game so far: at its end, or forfeited by the player to move."""
        position: Position = self.position
        returns = position.returns if forfeit is None else payoffs_if_lost(self.plan.game.teams, position.player)
        assert returns is not None
        return GameRecord(
            number=self.pairing.number,
            seating=self.pairing.seating,
            opening=len(self.pairing.opening),
            moves=position.history,
            returns=returns,
            seed=self.pairing.seed,
            seconds=tuple(round(spent, 6) for spent in self.seconds),
            forfeit=forfeit,
        )
