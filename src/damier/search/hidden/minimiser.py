"""A run of regret minimisation: a game's sequence form, what a method remembers, and how far it is."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.numbers import whole_number
from damier.core.protocol import Values
from damier.core.rng import new_rng
from damier.search.hidden.passes import Passes
from damier.search.hidden.regrets import POWERS, Powers, Regrets, average_strategy, minimise, start
from damier.search.hidden.response import Measure, measure
from damier.search.hidden.sampling import Sampling, sample_external, sample_outcome
from damier.search.hidden.sequences import SequenceForm
from damier.search.hidden.tree import MEMORY, build_tree
from damier.search.pace import chunks

METHODS = (*POWERS, "external", "outcome")
MOST_ITERATIONS = 10**12
MARKS = [step * 10**power for power in range(13) for step in (1, 2, 5)]
"""The iterations after which the curve has a point."""

Told = Callable[[int], None]  # how many more iterations are done


class Minimiser:
    """Minimises the regrets of all players of a game."""

    def __init__(self, game: Game, method: str = "cfr", seed: int = 0, memory: int = MEMORY) -> None:
        check_method(method)
        self.game, self.method, self.seed = game, method, whole_number("seed", seed)
        self.tree = build_tree(game, memory)
        self.form = SequenceForm(self.tree)
        self.passes = Passes(self.tree)
        self.regrets = Regrets(self.form, self.passes)
        self.rng = new_rng(seed)
        self.iterations = 0
        self.curve: list[tuple[int, float]] = []  # NashConv after 1, 2, 5, 10, 20, 50, ... iterations
        self._advance = self._method()

    def _method(self) -> Callable[[int], None]:
        form, passes, regrets = self.form, self.passes, self.regrets
        if self.method in POWERS:
            powers = Powers(*POWERS[self.method])
            return lambda count: minimise(form, passes, regrets, powers, self.iterations + 1, count)
        where = Sampling(self.tree)
        sample: Any = sample_external if self.method == "external" else sample_outcome
        return lambda count: sample(form, regrets, where, count, self.rng)

    def advance(self, count: int) -> None:
        """Run that many more iterations at once."""
        self._advance(count)
        self.iterations += count

    def run(self, iterations: int, told: Told | None = None) -> Iterator[None]:
        """Iterate until that many are done in all; give way now and then."""
        while self.iterations < iterations:
            mark = next(mark for mark in MARKS if mark > self.iterations)
            for count in chunks(min(mark, iterations) - self.iterations, None, time.perf_counter(), 1):
                self.advance(count)
                if told is not None:
                    told(count)
                if self.iterations == mark:
                    self.curve.append((mark, self.measure().nash_conv))
                yield

    def restore(self, iterations: int, regret: Values, average: Values, word: int) -> None:
        """Continue where a run of the same game and method was interrupted."""
        self.iterations = iterations
        self.regrets.regret[:], self.regrets.average[:] = regret, average
        self.rng.word = word
        start(self.form, self.regrets)

    def average(self) -> Values:
        """The average strategy so far: a probability for each sequence."""
        out = np.zeros_like(self.regrets.average)
        average_strategy(self.form, self.regrets.average, out)
        return out

    def measure(self) -> Measure:
        """What the average strategy is worth, and how far it is from an equilibrium."""
        return measure(self.form, self.average())


def check_method(method: str) -> None:
    if method not in METHODS:
        raise SpecError("spec.one-of", option="method", known=list(METHODS), got=method)


def check_iterations(iterations: int) -> None:
    whole_number("iterations", iterations)
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise SpecError("number.between", what="iterations", least=1, most=MOST_ITERATIONS, got=iterations)
