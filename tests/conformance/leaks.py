"""Planted leaks: poker and phantom games that tell a player what they can't know, each in one way.

Some are of kinds that other programs shipped: resampling that returns the true hand, an information state that contains
the length of the hidden history, information sets of different rounds that can't be told apart.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from damier import Grid
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Planes, Rng
from damier.core.rng import below
from damier.core.view import CardTable
from damier.games.phantom import Phantom
from damier.games.poker.kuhn import Kuhn
from damier.games.poker.leduc import NO_CARD, Leduc

C = TypeVar("C", bound=type)

LEAKS: list[tuple[type, str]] = []
"""A game, and what the check says about it: a pattern with the observer, the difference and the moves."""

LARGE: list[tuple[type, str]] = []
"""The same, for leaks that are found in random positions too, where a game is too large to look at every one."""

AFTER = r"(after the moves [\d ]+|at the start)"
APART = r", which player \d can't tell apart"


def leaks(says: str, everywhere: bool = False) -> Callable[[C], C]:
    def add(cls: C) -> C:
        LEAKS.append((cls, says))
        if everywhere:
            LARGE.append((cls, says))
        return cls

    return add


class Ranks(Leduc):
    """Leduc poker without suits: a small tree."""

    def __init__(self) -> None:
        super().__init__(suits=False)


class Small(Phantom):
    """Phantom 2 x 2, two in a row: a tree of 57 positions."""

    def __init__(self) -> None:
        super().__init__(2, 2, 2)


# -- deals -----------------------------------------------------------------------------------------------------


@leaks(rf"{AFTER}: .*player [01] can't tell \d and \d apart, and the deals after them differ", everywhere=True)
class DealsTheTrueHand(Ranks):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        pass


@leaks(rf"{AFTER}: .*player 1 can't tell \d and \d apart, and the deals after them differ", everywhere=True)
class DealsTheTrueHandToOne(Ranks):
    """Player 0's deals vary, so that nobody looks further."""

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if observer == 0:
            self.deal_again(state, observer, rng)

    def deal_again(self, state: Any, observer: int, rng: Rng) -> None:
        if state.cards[1 - observer] == NO_CARD:
            return
        while True:
            card = below(rng, 3)
            seen = int(state.cards[observer] == card) + int(state.table == card)
            if below(rng, 2) >= seen:
                state.cards[1 - observer] = card
                return


@leaks(rf"{AFTER}: .*player [01] is dealt one thing from one deal and another from another", everywhere=True)
class DealsByTheTrueHand(DealsTheTrueHandToOne):
    """The true card stays half of the time."""

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if below(rng, 2) == 0:
            self.deal_again(state, observer, rng)


@leaks(rf"{AFTER}: .*player [01] is dealt some cards too often: counts and expected counts are \[\(")
class DealsTooManyKings(Ranks):
    """It takes ranks for equally likely, whatever the observer holds."""

    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if state.cards[1 - observer] == NO_CARD:
            return
        while True:
            card = below(rng, 3)
            if int(state.cards[observer] == card) + int(state.table == card) < 2:
                state.cards[1 - observer] = card
                return


@leaks(rf"{AFTER}: .*player [01] is dealt what is not possible: player=")
class DealsACardTwice(Kuhn):
    def determinize(self, state: Any, observer: int, rng: Rng) -> None:
        if state.cards[1 - observer] != NO_CARD:
            state.cards[1 - observer] = below(rng, 3)


# -- what players know -------------------------------------------------------------------------------------------


@leaks(rf"{AFTER}: .*player [01] knew \[[\d, ]*\] and now knows \[[\d, ]*\]", everywhere=True)
class KnowsTheLengthOfTheHistory(Small):
    """It tells how often the other tried."""

    def __init__(self) -> None:
        super().__init__()
        self.max_observation = 1 + self.size

    def observe(self, state: Any, player: int, out: Observation) -> int:
        for square in range(self.size):
            number = state.tries[player, square]
            if number:
                out[number] = 2 * square + (state.cells[square] != 1 + player)
        out[0] = state.num_tries[0] + state.num_tries[1]
        return 1 + int(state.num_tries[player])


@leaks(rf"{AFTER}: .*player [01] knows the same as {AFTER}, and has moved since", everywhere=True)
class ForgetsTheFirstRound(Ranks):
    """Only the moves of this round are known, and the second begins like the first."""

    def observe(self, state: Any, player: int, out: Observation) -> int:
        out[0] = state.cards[player]
        current = 0 if state.table == NO_CARD else 1
        for number in range(state.num_bets[current]):
            out[1 + number] = state.bets[current, number]
        return 1 + int(state.num_bets[current])

    def view(self, state: Any, observer: int) -> CardTable:
        return CardTable(())

    def draw(self, state: Any, observer: int) -> str:
        return "cards"

    def encode(self, state: Any, out: Planes) -> None:
        out[:] = 0


@leaks(rf"{AFTER}: .*player 1 has the moves \[[\d, ]*\], and \[[\d, ]*\] in another deal", everywhere=True)
class MovesTellWhatIsTaken(Small):
    """A player may only try squares that are free."""

    sample = None  # type: ignore[assignment]

    def moves(self, state: Any, out: Moves) -> int:
        count = 0
        for square in range(0 if state.won else self.size):
            if state.cells[square] == 0:
                out[count] = square
                count += 1
        return count


# -- what players are shown ----------------------------------------------------------------------------------------


@leaks(
    rf"{AFTER}: .*`draw` shows player [01] .*[JQK].*, and .*[JQK].* (in another deal|{AFTER}{APART})", everywhere=True
)
class DrawsTheOthersCard(Ranks):
    def draw(self, state: Any, observer: int) -> str:
        return f"cards {' '.join('-JQK'[1 + card] for card in state.cards)}, moves {state.bets.tolist()}"


@leaks(rf"{AFTER}: .*`view` shows player [01] ", everywhere=True)
class ShowsTheOthersCard(Ranks):
    def view(self, state: Any, observer: int) -> CardTable:
        return Leduc.view(self, state, REFEREE if state.player == observer else observer)

    def draw(self, state: Any, observer: int) -> str:
        return "cards"


@leaks(rf"{AFTER}: .*`(draw|view)` shows player [01] ", everywhere=True)
class ShowsHowManyTriesThereWere(Small):
    def view(self, state: Any, observer: int) -> Grid:  # type: ignore[override]
        grid = Phantom.view(self, state, observer)
        return Grid(grid.cells, grid.row_labels, grid.col_labels, notes=(str(int(state.num_tries.sum())),))


@leaks(rf"{AFTER}: .*`encode` shows player [01] \[", everywhere=True)
class EncodesTheOthersCard(Ranks):
    def encode(self, state: Any, out: Planes) -> None:
        out[:] = 0
        if state.player != CHANCE:
            out[state.cards[1 - state.player], 0, 0] = 1


@leaks(rf"{AFTER}: .*`format_move` shows player [01] ", everywhere=True)
class MarksSquaresThatAreTaken(Small):
    def format_move(self, state: Any, move: int) -> str:
        return f"{Phantom.format_move(self, state, move)}{'x' if state.cells[move] else ''}"


@leaks(
    rf"{AFTER}: .*player [01] (can't tell \d and \d apart|is shown '[JQK]' for \d and '[JQK]' for \d)", everywhere=True
)
class ShowsTheCardThatIsDealt(Ranks):
    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return self.format_move(state, move)


@leaks(rf"{AFTER}: .*player [01] (can't tell \d and \d apart|is shown)", everywhere=True)
class ShowsTheSquareThatIsTried(Small):
    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return self.format_move(state, move)


@leaks(rf"{AFTER}: .*player [01] was shown the moves .*, and .* {AFTER}{APART}")
class ShowsEachTry(Small):
    """A line with a word for each try tells how many there were, whatever the words."""

    def format_seen(self, state: Any, move: int, observer: int) -> str:
        return "a try"
