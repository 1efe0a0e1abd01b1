"""Small games that are wrong, each in one way, to see that the conformance check notices.

All are variants of `Right`, which keeps every law. Each is a class of its own, not an option: a broken rule
stands alone and reads like one that somebody could have written.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

import damier
from damier import CHANCE, FileFormat, Grid, Position, Squares, below
from damier.core.protocol import Moves, Owners, Planes, Rng, Values

C = TypeVar("C", bound=type)

BREAKS_LAW: list[tuple[str, type]] = []
"""The law, and a game that breaks it."""

DIFFERS_COMPILED: list[tuple[str, type]] = []
"""The same, for games that only misbehave in compiled code."""

FAILS: list[tuple[str, type]] = []
"""What the error says, and a game with a rule that raises one, or whose facts do not fit together."""


def breaks(law: str) -> Callable[[C], C]:
    return _added_to(BREAKS_LAW, law)


def breaks_compiled(law: str) -> Callable[[C], C]:
    return _added_to(DIFFERS_COMPILED, law)


def fails(message: str) -> Callable[[C], C]:
    return _added_to(FAILS, message)


def _added_to(table: list[tuple[str, type]], says: str) -> Callable[[C], C]:
    def add(cls: C) -> C:
        table.append((says, cls))
        return cls

    return add


class Right:
    """Three squares are taken in turn; whoever takes the middle one wins."""

    State = np.dtype([("player", np.int8), ("owner", np.int8, (3,))])
    num_players = 2
    max_moves = 3
    max_length = 3

    def setup(self, state: Any) -> None:
        state.player = 0
        state.owner[:] = 0

    def moves(self, state: Any, out: Moves) -> int:
        count = 0
        for square in range(3):
            if state.owner[square] == 0:
                out[count] = square
                count += 1
        return count

    def play(self, state: Any, move: int) -> None:
        state.owner[move] = 1 + state.player
        state.player = 1 - state.player

    def returns(self, state: Any, out: Values) -> None:
        out[0] = 1 if state.owner[1] == 1 else -1
        out[1] = -out[0]


# -- setup, player, moves --------------------------------------------------------------------------------------


@breaks("setup")
class SetUpAtRandom(Right):
    State = np.dtype([("player", np.int8), ("owner", np.int8, (3,)), ("luck", np.float64)])

    def setup(self, state: Any) -> None:
        state.player = 0
        state.owner[:] = 0
        state.luck = np.random.random()


@breaks("setup")
class TrustsTheRecord(Right):
    """As if every record held zeros."""

    def setup(self, state: Any) -> None:
        state.player = 0


@breaks("State")
class ThirdOfTwoPlayers(Right):
    def play(self, state: Any, move: int) -> None:
        state.owner[move] = 1 + state.player
        state.player = 2


@breaks("State")
@fails("it is CHANCE, and the game has no method chance(self, state, out, probs)")
class ChanceWithoutDice(Right):
    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.owner[:] = 0


@breaks("moves")
class SameMoveTwice(Right):
    def moves(self, state: Any, out: Moves) -> int:
        out[0] = out[1] = 1
        return 2


@breaks("moves")
@fails("it returned 3, but wrote only [0, 1]")
class CountsAMoveThatItDidNotWrite(Right):
    def moves(self, state: Any, out: Moves) -> int:
        out[0], out[1] = 0, 1
        return 3


@breaks("moves")
class NegativeMove(Right):
    def moves(self, state: Any, out: Moves) -> int:
        out[0] = -5
        return 1


@breaks("moves")
class CountsTooManyMoves(Right):
    def moves(self, state: Any, out: Moves) -> int:
        return 4


@breaks("moves")
class CountsFewerThanNoMoves(Right):
    def moves(self, state: Any, out: Moves) -> int:
        return -1


@breaks("moves")
class MovesChangeThePlayer(Right):
    def moves(self, state: Any, out: Moves) -> int:
        state.player = 1 - state.player
        out[0] = 0
        return 1


@fails("`moves` fails: IndexError")
class MoreMovesThanRoom(Right):
    max_moves = 2


# -- play, length, returns -------------------------------------------------------------------------------------


@fails("`play` fails: IndexError")
class PlaysBesideTheBoard(Right):
    def play(self, state: Any, move: int) -> None:
        state.owner[move + 3] = 1 + state.player


@breaks("max_length")
class NeverEnds(Right):
    def play(self, state: Any, move: int) -> None:
        state.player = 1 - state.player


@breaks("returns")
class PaysTooMuch(Right):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = 2
        out[1] = -2


@breaks("returns")
class BothWin(Right):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = out[1] = 1


@breaks("returns")
class PaysOnlyOne(Right):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = 0


@fails("`returns` fails: IndexError")
class PaysAThirdPlayer(Right):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = out[1] = out[2] = 0


# -- key, position, and what people see ------------------------------------------------------------------------


@breaks("key")
class OneKeyForAll(Right):
    def key(self, state: Any) -> int:
        return 7


@fails("`key` fails: IndexError")
class KeyOfAFourthSquare(Right):
    def key(self, state: Any) -> int:
        return int(state.owner[3])


@breaks("position")
class OptionIsNotKept(Right):
    """A copy is made from the options, so it would have other squares."""

    def __init__(self, squares: int = 3) -> None:
        self.squares = squares + 1


@breaks("format_move")
class OneNotationForAll(Right):
    def format_move(self, state: Any, move: int) -> str:
        return "a"


@breaks("format_move")
class NotationsDifferInCase(Right):
    """Notations are read without regard to case, so "A" is taken for "a"."""

    def format_move(self, state: Any, move: int) -> str:
        return "aAb"[move]


@fails("`parse_move` fails: illegal move")
class NotationsStartWithASpace(Right):
    """What people type is stripped of spaces before it is read."""

    def format_move(self, state: Any, move: int) -> str:
        return f" {move}"


@fails("`format_move` fails: IndexError")
class NoNameForTheThirdSquare(Right):
    def format_move(self, state: Any, move: int) -> str:
        return "ab"[move]


class WithTexts(Right):
    """With a text of its own: the owner of each square, and who moves."""

    def format_position(self, state: Any) -> str:
        return "".join(map(str, state.owner)) + " " + str(state.player)

    def parse_position(self, state: Any, text: str) -> None:
        owners, _, player = text.partition(" ")
        if len(owners) != 3 or not set(owners) <= set("012") or player not in ("0", "1"):
            raise ValueError("expected three owners and who moves")
        state.owner[:], state.player = list(map(int, owners)), int(player)


@breaks("format_position")
class OneTextForAll(WithTexts):
    def format_position(self, state: Any) -> str:
        return "000 0"


@breaks("format_position")
class TextsOnTwoLines(WithTexts):
    def format_position(self, state: Any) -> str:
        return super().format_position(state).replace(" ", "\n")


@breaks("format_position")
class ReadAsAnother(WithTexts):
    def parse_position(self, state: Any, text: str) -> None:
        super().parse_position(state, text)
        state.owner[:] = state.owner[::-1]


@breaks("parse_position")
class ReadsAnything(WithTexts):
    def parse_position(self, state: Any, text: str) -> None:
        if text not in ("", "?"):
            super().parse_position(state, text)


@fails("`parse_position` fails: TypeError")
class FallsOverNonsense(WithTexts):
    def parse_position(self, state: Any, text: str) -> None:
        if text == "?":
            raise TypeError(text)
        super().parse_position(state, text)


@fails("`format_position` and `parse_position` go together: `parse_position` is missing")
class WritesOnly(Right):
    def format_position(self, state: Any) -> str:
        return "here"


@breaks("draw")
class DrawsNothing(Right):
    def draw(self, state: Any) -> str:
        return ""


@breaks("trails")
class PointsBesideTheBoard(Right):
    def view(self, state: Any) -> Grid:
        return Squares(1, 3).grid([int(owner) - 1 for owner in state.owner])

    def trails(self, state: Any, move: int) -> list[tuple[int, ...]]:
        return [(move + 1,)]


@fails("`draw` fails: ZeroDivisionError")
class CannotBeDrawn(Right):
    def draw(self, state: Any) -> str:
        return "-" * (1 // 0)


@fails("`draw` fails: KeyError")
class CannotBeViewed(Right):
    def view(self, state: Any) -> Any:
        raise KeyError("board")


@breaks("format_value")
class ValuesWithoutWords(Right):
    def format_value(self, value: float) -> str:
        return "won" if value > 0 else ""


@breaks("format_score")
class ScoreIsANumber(Right):
    def format_score(self, state: Any) -> Any:
        return 1


@breaks("score")
class ScoresWithoutEnd(Right):
    def score(self, state: Any) -> float:
        return np.inf


@breaks("colour_to_move")
class ThirdOfTwoColours(Right):
    def colour_to_move(self, state: Any) -> int:
        return int(state.player) + 1


@breaks("colour_to_move")
class MovesThoughOut(Right):
    def colour_to_move(self, state: Any) -> int:
        return int(state.player)

    def is_out(self, state: Any, colour: int) -> bool:
        return colour == 0


@dataclass(frozen=True)
class Written:
    start: Position
    end: Position
    players: list[str] = field(default_factory=list)


@breaks("file_formats")
class FileForgetsTheLastMove(Right):
    @staticmethod
    def _read(text: str, game: Any) -> Iterator[Written]:
        start = damier.game(game).start()
        yield Written(start, start.play_all(text.split()[:-1]))

    file_formats = (FileFormat("numbers", "txt", _read, lambda pos: " ".join(map(str, pos.history))),)


@breaks("file_formats")
class FileFormatIsAName(Right):
    file_formats = ("pdn",)


# -- chance and sample -----------------------------------------------------------------------------------------


class Coin(Right):
    """A coin is tossed, and that was it."""

    State = np.dtype([("player", np.int8), ("heads", np.int8)])

    def setup(self, state: Any) -> None:
        state.player = CHANCE
        state.heads = 0

    def moves(self, state: Any, out: Moves) -> int:
        return 0

    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0], out[1] = 0, 1
        probs[0] = probs[1] = 0.5
        return 2

    def play(self, state: Any, move: int) -> None:
        state.heads = move
        state.player = 0

    def returns(self, state: Any, out: Values) -> None:
        out[0] = out[1] = 0


@breaks("chance")
class CoinOnItsEdge(Coin):
    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0], out[1] = 0, 1
        probs[0] = probs[1] = 0.4
        return 2


@breaks("chance")
class CoinWithNegativeChance(Coin):
    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0], out[1] = 0, 1
        probs[0], probs[1] = -0.5, 1.5
        return 2


@breaks("chance")
class CoinWithoutSides(Coin):
    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        return 0


@breaks("moves")
class CoinWithEqualSides(Coin):
    def chance(self, state: Any, out: Moves, probs: Values) -> int:
        out[0] = out[1] = 1
        probs[0] = probs[1] = 0.5
        return 2


@breaks("sample")
class DrawsTheFirst(Right):
    def sample(self, state: Any, rng: Rng) -> int:
        for square in range(3):
            if state.owner[square] == 0:
                return square
        return -1


@breaks("sample")
class DrawsTakenSquares(Right):
    def sample(self, state: Any, rng: Rng) -> int:
        is_full = state.owner[0] != 0 and state.owner[1] != 0 and state.owner[2] != 0
        return -1 if is_full else below(rng, 4)


@breaks("sample")
class DrawsAtTheEnd(Right):
    def sample(self, state: Any, rng: Rng) -> int:
        return below(rng, 3)


@breaks("sample")
class DrawsNothingAtTheStart(Right):
    def sample(self, state: Any, rng: Rng) -> int:
        return -1


@fails("`sample` fails: IndexError")
class DrawsAFourthSquare(Right):
    def sample(self, state: Any, rng: Rng) -> int:
        return int(state.owner[3])


@breaks("playout")
class PlaysOutOnTakenSquares(Right):
    def playout(self, state: Any, rng: Rng) -> int:
        is_full = state.owner[0] != 0 and state.owner[1] != 0 and state.owner[2] != 0
        return -1 if is_full else 1


@breaks("weight")
class WeighsNothing(Right):
    def weight(self, state: Any, move: int) -> float:
        return float(move)


# -- values, networks, hidden cards ----------------------------------------------------------------------------


@breaks("evaluate")
class ValuesTooLarge(Right):
    def evaluate(self, state: Any, out: Values) -> None:
        out[0] = 3
        out[1] = -3


@breaks("evaluate")
class ValuesFavourBoth(Right):
    def evaluate(self, state: Any, out: Values) -> None:
        out[0] = out[1] = 0.5


@breaks("evaluate")
class ValuesOnlyOne(Right):
    def evaluate(self, state: Any, out: Values) -> None:
        out[1] = 0


@fails("`evaluate` changed the position")
class EvaluatingChangesThePlayer(Right):
    def evaluate(self, state: Any, out: Values) -> None:
        out[0] = out[1] = 0
        state.player = 1 - state.player


class Encoded(Right):
    """With a network's input: who owns each square."""

    encode_shape: tuple[int, ...] = (1, 3)
    num_actions = 3

    def encode(self, state: Any, out: Planes) -> None:
        for square in range(3):
            out[0, square] = state.owner[square]


@breaks("encode")
class EncodesTwoOfThree(Encoded):
    def encode(self, state: Any, out: Planes) -> None:
        out[0, 0] = out[0, 1] = 0


@breaks("encode")
class EncodesInfinity(Encoded):
    def encode(self, state: Any, out: Planes) -> None:
        out[:] = np.inf


@fails("`encode` fails: IndexError")
class EncodesFourOfThree(Encoded):
    def encode(self, state: Any, out: Planes) -> None:
        for square in range(4):
            out[0, square] = 0


@fails("`encode` needs `encode_shape`, a tuple of whole numbers, got None")
class EncodesWithoutShape(Right):
    def encode(self, state: Any, out: Planes) -> None:
        out[0] = 0


@breaks("action")
class OneActionForAll(Encoded):
    def action(self, state: Any, move: int) -> int:
        return 1


@breaks("action")
class ActionsTooLarge(Encoded):
    num_actions = 2


# -- the distance to a won end ---------------------------------------------------------------------------------


class Countdown:
    """One player takes 1 or 2 from four matches. Whoever takes the last one has won."""

    State = np.dtype([("player", np.int8), ("left", np.int8)])
    num_players = 1
    max_moves = 2
    max_length = 4

    def setup(self, state: Any) -> None:
        state.player = 0
        state.left = 4

    def moves(self, state: Any, out: Moves) -> int:
        out[0] = 1
        out[1 if state.left > 1 else 0] = min(2, int(state.left))
        return min(2, int(state.left))

    def play(self, state: Any, move: int) -> None:
        state.left -= move

    def returns(self, state: Any, out: Values) -> None:
        out[0] = 1

    def distance(self, state: Any) -> int:
        return (int(state.left) + 1) // 2


@breaks("distance")
class DistanceFallsByTwo(Countdown):
    def distance(self, state: Any) -> int:
        return int(state.left)


@breaks("distance")
class DistanceIsNegative(Countdown):
    def distance(self, state: Any) -> int:
        return -1 if state.left == 4 else 0


@breaks("distance")
class DistanceIsNothingBeforeTheEnd(Countdown):
    def distance(self, state: Any) -> int:
        return 0


@breaks("distance")
class DistanceRemainsAtTheEnd(Countdown):
    def distance(self, state: Any) -> int:
        return 1


@breaks("distance")
class DistanceIsNothingAtALostEnd(Countdown):
    def returns(self, state: Any, out: Values) -> None:
        out[0] = -1


@fails("`distance` changed the position")
class MeasuringTakesAMatch(Countdown):
    def distance(self, state: Any) -> int:
        state.left -= 1
        return 1


@fails("`distance` fails: IndexError")
class DistanceOfAFourthSquare(Countdown):
    table = np.zeros(3, np.int64)

    def distance(self, state: Any) -> int:
        return int(self.table[state.left])


@fails("`distance` is for one player without chance")
class DistanceForTwo(Right):
    def distance(self, state: Any) -> int:
        return 1


# -- what a solver asks -----------------------------------------------------------------------------------------


class Bounded(Right):
    """As long as the middle is free whoever moves takes it; then the game is decided."""

    def bounds(self, state: Any) -> tuple[int, int]:
        winner = state.player if state.owner[1] == 0 else state.owner[1] - 1
        return (-1, -1) if winner else (1, 1)

    def candidates(self, state: Any, out: Moves) -> int:
        out[0] = 1
        return 1 if state.owner[1] == 0 else 0


@breaks("bounds")
class BoundsInDisorder(Bounded):
    def bounds(self, state: Any) -> tuple[int, int]:
        return 1, -1


@breaks("bounds")
class BoundsLeaveTheEndOpen(Bounded):
    def bounds(self, state: Any) -> tuple[int, int]:
        return -1, 1

    def candidates(self, state: Any, out: Moves) -> int:
        return self.moves(state, out)


@breaks("bounds")
class BoundsOfTheOtherWinner(Bounded):
    def bounds(self, state: Any) -> tuple[int, int]:
        return (1, 1) if state.owner[1] == 2 else (-1, -1)


@breaks("bounds")
class BoundsThatNoMoveFulfils(Bounded):
    def bounds(self, state: Any) -> tuple[int, int]:
        winner = state.player if state.owner[1] == 0 else state.owner[1] - 1
        margin = -1 if winner else 1
        return (2 * margin, 2 * margin) if state.owner[0] == state.owner[1] == 0 else (margin, margin)


class Undecided(Bounded):
    def bounds(self, state: Any) -> tuple[int, int]:
        return (-1, 1) if state.owner[1] == 0 else (3 - 2 * state.owner[1], 3 - 2 * state.owner[1])


@breaks("candidates")
class CandidateIsTaken(Undecided):
    def candidates(self, state: Any, out: Moves) -> int:
        out[0] = 3
        return 1


@breaks("candidates")
class NoCandidate(Undecided):
    def candidates(self, state: Any, out: Moves) -> int:
        return 0


@breaks("symmetric_key")
class OneSymmetricKeyForAll(Undecided):
    def symmetric_key(self, state: Any) -> int:
        return 7


@fails("`bounds` is for two players without chance")
class BoundsForOne(Countdown):
    def bounds(self, state: Any) -> tuple[int, int]:
        return 1, 1


# -- symmetries ------------------------------------------------------------------------------------------------


@breaks("symmetries")
class MirrorChangesTheWinner(Encoded):
    """Exchanges the middle, which wins, with the left square."""

    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([1, 0, 2]), np.array([1, 0, 2]))]


@breaks("symmetries")
class MirrorForgetsTheCells(Encoded):
    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([0, 1, 2]), np.array([2, 1, 0]))]


@breaks("symmetries")
class MirrorForbidsMoves(Encoded):
    """Exchanges action 0 with action 3, which no move has."""

    num_actions = 4

    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([0, 1, 2]), np.array([3, 1, 2, 0]))]


@fails("cells that are no permutation")
class MirrorLosesACell(Encoded):
    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([0, 1, 1]), np.array([2, 1, 0]))]


@fails("actions that are no permutation")
class MirrorLosesAnAction(Encoded):
    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([2, 1, 0]), np.array([1, 0]))]


# -- owners ----------------------------------------------------------------------------------------------------


class Owned(Encoded):
    """Each square belongs to whoever took it."""

    def owners(self, state: Any, end: Any, out: Owners) -> None:
        for square in range(3):
            owner = end.owner[square]
            out[square] = -1 if owner == 0 else 0 if owner == 1 + state.player else 1


@breaks("owners")
class ThirdOwner(Owned):
    def owners(self, state: Any, end: Any, out: Owners) -> None:
        out[:] = 2


@breaks("owners")
@fails("it wrote [-7770001, 0]")
class OwnsTwoSquares(Owned):
    def owners(self, state: Any, end: Any, out: Owners) -> None:
        out[:2] = 0


@breaks("owners")
class LooksAtTheSquaresFromBehind(Owned):
    """The middle is nobody's, and the others are mirrored."""

    def symmetries(self) -> list[tuple[Any, Any]]:
        return [(np.array([2, 1, 0]), np.array([2, 1, 0]))]

    def owners(self, state: Any, end: Any, out: Owners) -> None:
        out[:] = -1
        out[0] = 0


@breaks("owners")
class OwnersTakeASquare(Owned):
    def owners(self, state: Any, end: Any, out: Owners) -> None:
        out[:] = -1
        end.owner[0] = 0


@fails("`owners` needs `encode`, which shows the squares")
class OwnersOfNothing(Right):
    def owners(self, state: Any, end: Any, out: Owners) -> None:
        out[:] = -1


@fails("`plane_names` needs a name for each of the 1 planes of `encode`, got 2")
class NamesAPlaneTooMany(Encoded):
    plane_names = ("taken", "free")


# -- what only compiled code does ------------------------------------------------------------------------------
#
# In machine words 1 << 63 is negative; in Python it is a large number.


@breaks_compiled("agree")
class CountsInMachineWords(Right):
    word = 63

    def play(self, state: Any, move: int) -> None:
        state.owner[move] = 1 if 1 << self.word < 0 else 2
        state.player = 1 - state.player


@breaks_compiled("agree")
class ListsByMachineWords(Right):
    word = 63

    def moves(self, state: Any, out: Moves) -> int:
        out[0] = 1 if 1 << self.word < 0 else 2
        return 1


@breaks_compiled("agree")
class PaysByMachineWords(Right):
    word = 63

    def returns(self, state: Any, out: Values) -> None:
        out[0] = 1 if 1 << self.word < 0 else -1
        out[1] = -out[0]


@breaks_compiled("moves")
class ListsBeyondTheEnd(Right):
    word = 63

    def moves(self, state: Any, out: Moves) -> int:
        out[0] = 0
        if 1 << self.word < 0:
            out[3] = 0
        return 1


@breaks_compiled("play")
class PlaysBeyondTheRecord(Right):
    word = 63

    def play(self, state: Any, move: int) -> None:
        if 1 << self.word < 0:
            state.owner[3] = 1
        state.owner[move] = 1 + state.player
        state.player = 1 - state.player


@breaks_compiled("agree")
class MeasuresByMachineWords(Countdown):
    word = 63

    def distance(self, state: Any) -> int:
        return 2 if 1 << self.word < 0 else 3


# -- hints for searches, and what is said about chance and payoffs ---------------------------------------------


@breaks("noisy")
class NoisyByDegrees(Right):
    def noisy(self, state: Any, move: int) -> int:
        return move


@breaks("least_payoff")
class LosesMoreThanItSays(Right):
    least_payoff = -0.5


@breaks("features")
class LeavesFeaturesOut(Right):
    feature_names = ("middle", "edges")
    feature_weights = np.array([1.0, 0.5])

    def features(self, state: Any, out: Values) -> None:
        for player in range(2):
            out[player, 0] = 1.0 if state.owner[1] == 1 + player else 0.0

    def evaluate(self, state: Any, out: Values) -> None:
        out[:] = 0


@fails("`features` needs `evaluate`, names in `feature_names` and as many `feature_weights`")
class FeaturesWithoutWeights(Right):
    feature_names = ("middle", "edges")

    def features(self, state: Any, out: Values) -> None:
        out[:] = 0

    def evaluate(self, state: Any, out: Values) -> None:
        out[:] = 0


# -- endings ---------------------------------------------------------------------------------------------------


class Numbered(Right):
    """An ending is how many squares are free; a position has the number of its owners, read as digits."""

    def endings(self, pieces: int) -> list[tuple[str, int]]:
        return [(f"{free} free", 27) for free in range(min(pieces, 3) + 1)]

    def number_of(self, free: int) -> int:
        return free

    def ending(self, state: Any) -> tuple[int, int, int]:
        free = 0
        for square in range(3):
            free += state.owner[square] == 0
        return self.number_of(free), state.owner[0] * 9 + state.owner[1] * 3 + state.owner[2], self.max_length

    def set_ending(self, state: Any, number: int, index: int) -> bool:
        mine = theirs = 0
        for square in range(3):
            state.owner[square] = index // 3 ** (2 - square) % 3
            mine += state.owner[square] == 1
            theirs += state.owner[square] == 2
        state.player = mine - theirs
        return self.number_of(3 - mine - theirs) == number and 0 <= mine - theirs <= 1


@breaks("ending")
class EndingsMixedUp(Numbered):
    def ending(self, state: Any) -> tuple[int, int, int]:
        return 0, 26 - state.owner[0], 3


@breaks("ending")
class EndingsInDisorder(Numbered):
    def number_of(self, free: int) -> int:
        return 3 - free


@fails("go together")
class EndingsWithoutNumbers(Right):
    def endings(self, pieces: int) -> list[tuple[str, int]]:
        return [("all", 27)]
