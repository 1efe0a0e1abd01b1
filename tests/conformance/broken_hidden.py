"""Games of hidden information that are wrong, each in one way: variants of `Coin`, which keeps every law.

Planted leaks of the kinds that other programs had are in `leaks`.
"""

from typing import Any

import numpy as np

from damier import CHANCE, Card, CardTable, Hand, below
from damier.core.protocol import Moves, Observation, Rng, Values
from tests.conformance.broken import breaks, fails

HEADS, TAILS, NOT_TOSSED = 0, 1, -1


class Coin:
    """A coin is tossed and only player 0 sees it. Player 0 says heads or tails, truly or not; player 1 guesses."""

    State = np.dtype(
        [("player", np.int8), ("coin", np.int8), ("said", np.int8), ("guessed", np.int8), ("kept", np.int8)]
    )
    num_players = 2
    max_moves = 2
    max_length = 4
    max_observation = 4

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.coin = state.said = state.guessed = state.kept = NOT_TOSSED

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0], out[1] = HEADS, TAILS
        probs[0], probs[1] = 0.75, 0.25
        return 2

    def moves(self, state: Any, out: Moves) -> int:
        if state.kept != NOT_TOSSED:
            return 0
        out[0], out[1] = HEADS, TAILS
        return 2

    def play(self, state: Any, move: int) -> None:
        if state.coin == NOT_TOSSED:
            state.coin = move
            state.player = 0
        elif state.said == NOT_TOSSED:
            state.said = move
            state.player = 1
        elif state.guessed == NOT_TOSSED:
            state.guessed = move
        else:
            state.kept = move  # player 1 may change their mind

    def returns(self, state: Any, out: Values) -> None:
        out[1] = 1 if state.kept == state.coin else -1
        out[0] = -out[1]

    def observe(self, state: Any, player: int, out: Observation) -> int:
        out[0] = state.coin if player == 0 else NOT_TOSSED
        out[1] = state.said
        out[2] = state.guessed
        return 3

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1 and state.coin != NOT_TOSSED:
            state.coin = TAILS if below(rng, 4) == 0 else HEADS

    def draw(self, state: Any, observer: int) -> str:
        return f"coin {'?' if observer == 1 else state.coin}, said {state.said}, guessed {state.guessed}"

    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return "?" if state.coin == NOT_TOSSED and observer == 1 else str(move)


@breaks("observe")
class ForgetsTheGuess(Coin):
    def observe(self, state: Any, player: int, out: Observation) -> int:
        out[0] = state.coin if player == 0 else NOT_TOSSED
        out[1] = state.said
        return 2

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1 and state.coin != NOT_TOSSED:
            state.coin = TAILS if below(rng, 4) == 0 else HEADS
        if state.guessed != NOT_TOSSED:
            state.guessed = below(rng, 2)

    def draw(self, state: Any, observer: int) -> str:
        return "a coin"

    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return "?"


@breaks("observe")
class HasMovesThatNobodyKnows(Coin):
    def moves(self, state: Any, out: Moves) -> int:
        if state.kept != NOT_TOSSED:
            return 0
        out[0], out[1] = HEADS, TAILS
        return 1 if state.player == 1 and state.coin == HEADS else 2


@breaks("observe")
class KnowsMoreThanItSays(Coin):
    max_observation = 2

    def observe(self, state: Any, player: int, out: Observation) -> int:
        return 3


@breaks("determinize")
class DealsByTheTruth(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1 and state.coin != NOT_TOSSED and below(rng, 4) == 0:
            state.coin = 1 - state.coin


class Dice:
    """Three players roll a die each and see their own; in turn they say whether the sum is above ten."""

    State = np.dtype([("player", np.int8), ("dice", np.int8, (3,)), ("said", np.int8, (3,)), ("rounds", np.int8)])
    num_players = 3
    max_moves = 6
    max_length = 6
    max_observation = 4

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.dice[:] = 0
        state.said[:] = 0
        state.rounds = 0

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        for face in range(6):
            out[face] = face + 1
            probs[face] = 1 / 6
        return 6

    def moves(self, state: Any, out: Moves) -> int:
        if state.rounds == 6:
            return 0
        out[0], out[1] = 1, 2
        return 2

    def play(self, state: Any, move: int) -> None:
        seat = state.rounds % 3
        if state.rounds < 3:
            state.dice[seat] = move
        else:
            state.said[seat] = move
        state.rounds += 1
        state.player = CHANCE if state.rounds < 3 else state.rounds % 3

    def returns(self, state: Any, out: Values) -> None:
        truth = 2 if state.dice.sum() > 10 else 1
        right = 0
        for player in range(3):
            right += state.said[player] == truth
        for player in range(3):
            out[player] = (1.0 if state.said[player] == truth else 0.0) - right / 3

    def observe(self, state: Any, player: int, out: Observation) -> int:
        out[0] = state.dice[player]
        out[1:4] = state.said
        return 4

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        for player in range(3):
            if player != observer and state.dice[player] > 0:
                state.dice[player] = 1 + below(rng, 6)

    def draw(self, state: Any, observer: int) -> str:
        return "three dice"


@breaks("determinize")
class KeepsOneDie(Dice):
    """It never deals player 2's die. The check knows only random positions: there are too many to look at all."""

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        for player in range(2):
            if player != observer and state.dice[player] > 0:
                state.dice[player] = 1 + below(rng, 6)


@breaks("determinize")
class DealsTheTruth(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        pass


@breaks("determinize")
class DealsTooManyTails(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1 and state.coin != NOT_TOSSED:
            state.coin = below(rng, 2)


@fails("player 0 knew [")
@breaks("determinize")
class DealsTheObserversCoin(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if state.coin != NOT_TOSSED:
            state.coin = below(rng, 2)


@breaks("determinize")
class DealsAnotherTurn(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if state.player != CHANCE:
            state.player = 1 - state.player


@breaks("determinize")
class DealsWhatCannotBe(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1 and state.coin != NOT_TOSSED:
            state.coin = 2 + below(rng, 2)

    def draw(self, state: Any, observer: int) -> str:
        return f"said {state.said}, guessed {state.guessed}"


@breaks("observe")
class DrawsTheCoin(Coin):
    def draw(self, state: Any, observer: int) -> str:
        return f"coin {state.coin}"


@breaks("observe")
class ShowsTheCoin(Coin):
    def view(self, state: Any, observer: int) -> CardTable:
        return CardTable((Hand("coin", (Card(str(state.coin), str(state.coin)),)),))


@breaks("format_seen")
class ShowsTheToss(Coin):
    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return str(move)


@fails("the same random numbers gave two different deals of one position")
class DealsByNumbersOfItsOwn(Coin):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 1:
            state.coin = np.random.randint(100)


@fails("`observe` changed the position")
class WritesWhatItKnows(Coin):
    def observe(self, state: Any, player: int, out: Observation) -> int:
        state.kept = HEADS
        return 0


@fails("`determinize` fails: IndexError")
class DealsAFourthCoin(Coin):
    State = np.dtype([*Coin.State.descr, ("coins", np.int8, (3,))])

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.coin = state.said = state.guessed = state.kept = NOT_TOSSED
        state.coins[:] = 0

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        state.coin = state.coins[3]


@fails("`observe` and `determinize` go together: `determinize` is missing")
class NeverDeals(Coin):
    determinize = None  # type: ignore[assignment]


@fails("`observe` needs a whole number `max_observation`, got None")
class KnowsWithoutBound(Coin):
    max_observation = None  # type: ignore[assignment]


@fails("expected the method draw(self, state, observer), got draw(self, state: Any) -> str")
class DrawsForNobody(Coin):
    def draw(self, state: Any) -> str:  # type: ignore[override]
        return "a coin"


@fails("there is no method `observe(self, state, player, out)`; is its name misspelt?")
class MisspeltObserve(Coin):
    observe = None  # type: ignore[assignment]


class Partners:
    """Four players in two teams say a number; the first team wins with an even sum."""

    State = np.dtype([("player", np.int8), ("moved", np.int8), ("total", np.int8)])
    num_players = 4
    max_moves = 2
    max_length = 4
    teams: tuple[int, ...] = (0, 1, 0, 1)

    def setup(self, state: Any) -> None:
        state.player = state.moved = state.total = 0

    def moves(self, state: Any, out: Moves) -> int:
        out[0], out[1] = 0, 1
        return 0 if state.moved == 4 else 2

    def play(self, state: Any, move: int) -> None:
        state.total += move
        state.moved += 1
        state.player = state.moved % 4

    def returns(self, state: Any, out: Values) -> None:
        for player in range(4):
            out[player] = 1 if player % 2 == state.total % 2 else -1


@breaks("teams")
class PartnersAtOdds(Partners):
    teams = (0, 0, 1, 1)


@fails("expected `teams`, a tuple with the team of each of the 4 players, got (0, 1)")
class PartnersOfNobody(Partners):
    teams = (0, 1)
