"""Pig by dynamic programming over its positions, against what is known of it."""

from fractions import Fraction
from functools import cache

import damier
from damier import Position

SIDES = range(2, 7)


def hold_at(least: int) -> Fraction:
    """What a turn gains on average if one holds from this gain on."""

    @cache
    def value(gain: int) -> Fraction:
        return Fraction(gain) if gain >= least else sum((value(gain + side) for side in SIDES), Fraction()) / 6

    return value(0)


def test_one_turn_is_best_held_at_20() -> None:
    gains = {least: hold_at(least) for least in range(2, 40)}
    assert max(gains, key=lambda least: gains[least]) in (20, 21)  # at 20 a roll neither gains nor loses
    assert gains[20] == gains[21]
    assert round(float(gains[20]), 2) == 8.14


def test_the_rules_agree_with_the_values_of_one_turn() -> None:
    """The goal is far enough for none of it to matter."""
    game = damier.game("pig:goal=60,turns=1")
    values: dict[Position, float] = {}

    def value(position: Position) -> float:
        if position not in values:
            if position.is_over:
                values[position] = game.score(position.state)
            elif position.is_chance:
                values[position] = sum(p * value(position.play(side)) for side, p in position.outcomes.items())
            else:
                values[position] = max(value(position.play(move)) for move in position.moves())
        return values[position]

    assert abs(value(game.start()) - float(hold_at(20))) < 1e-9
    assert all(
        (value(position.play("hold")) > value(position.play("roll"))) == (position.state.gain > 20)
        for position in list(values)
        if position.player == 0 and 0 < position.state.gain < 30 and not position.is_over and position.state.gain != 20
    )
