"""Rules that the compiler refuses, each for another reason. A comment marks the line that must be named."""

import numpy as np
from base import Count

import damier


class UsesList(Count):
    def moves(self, state, out):
        found = [1, "two"]  # here
        for i in range(len(found)):
            out[i] = found[i]
        return len(found)


class UsesDict(Count):
    def play(self, state, move):
        steps = {1: "one", 2: 2}  # here
        state.total += steps[move]
        state.player = 1 - state.player


class UsesText(Count):
    label = "count"

    def returns(self, state, out):
        out[0] = len(self.label)  # here


class UsesMissing(Count):
    def play(self, state, move):
        state.total += self.step * move  # here


class ChangesItself(Count):
    total = 0

    def play(self, state, move):
        self.total = self.total + move  # here
        state.player = 1 - state.player


class WritesTable(Count):
    table = np.zeros(4)

    def play(self, state, move):
        self.table[0] = move  # here
        state.player = 1 - state.player


class WritesTableByAnotherName(Count):
    table = np.zeros(4)

    def play(self, state, move):
        seen = self.table
        seen[0] = move  # here
        state.player = 1 - state.player


@damier.kernel
def mark(table, move):
    table[0] = move  # here: WritesTableInKernel


class WritesTableInKernel(Count):
    table = np.zeros(4)

    def play(self, state, move):
        mark(self.table, move)
        state.player = 1 - state.player


class UsesUnknownField(Count):
    def moves(self, state, out):
        return 1 if state.totale < 5 else 0  # here


class UsesUnknownName(Count):
    def moves(self, state, out):
        return limit - state.total  # noqa: F821  # here


class UsesTry(Count):
    def play(self, state, move):
        try:  # here
            state.total += move
        except ValueError as error:
            print(error)
        state.player = 1 - state.player


class UsesFString(Count):
    def play(self, state, move):
        note = f"{move:3d}"  # here
        state.total += len(note)


class HelperFails(Count):
    def play(self, state, move):
        state.total += self.helper(move)
        state.player = 1 - state.player

    def helper(self, move):
        return sorted([move, "a"])[0]  # here


@damier.kernel
def lesser(move):
    both = [move, "a"]  # here: KernelFails
    return both[move]


class KernelFails(Count):
    def play(self, state, move):
        state.total += lesser(move)
        state.player = 1 - state.player


def twice(move):
    return 2 * move


class UsesPlainFunction(Count):
    def play(self, state, move):
        state.total += twice(move)  # here
        state.player = 1 - state.player


class CallsItself(Count):
    def play(self, state, move):
        state.total += self.depth(move)
        state.player = 1 - state.player

    def depth(self, n):
        return self.depth(n - 1) + 1 if n > 0 else 0  # here


class MixesTypes(Count):
    def moves(self, state, out):
        return None if state.total < 5 else 0  # here


class WrongArguments(Count):
    def moves(self, state):  # here
        return 0


class ReturnsList(Count):
    def moves(self, state, out):
        return [1, 2] if state.total < 5 else [3]  # here


class FloatIndex(Count):
    def moves(self, state, out):
        out[state.total / 2] = 1  # here
        return 1
