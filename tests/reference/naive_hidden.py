"""The small games of hidden information once more, as plainly as possible: what happened is kept in lists."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any, ClassVar

CHANCE = -1


class Kuhn:
    """Kuhn poker: the ends and what they pay are written down."""

    # the chips that are won, and the winner if somebody folded
    CHIPS: ClassVar[dict[str, tuple[int, int | None]]] = {
        "pp": (1, None),
        "bp": (1, 0),
        "bb": (2, None),
        "pbp": (1, 1),
        "pbb": (2, None),
    }

    def __init__(self) -> None:
        self.cards: list[int] = []
        self.bets = ""
        self.player = CHANCE

    def moves(self) -> list[int]:
        if self.player == CHANCE:
            return [card for card in range(3) if card not in self.cards]
        return [] if self.bets in self.CHIPS else [0, 1]

    def play(self, move: int) -> None:
        if len(self.cards) < 2:
            self.cards.append(move)
        else:
            self.bets += "pb"[move]
        self.player = CHANCE if len(self.cards) < 2 else len(self.bets) % 2

    def returns(self) -> tuple[float, float]:
        chips, winner = self.CHIPS[self.bets]
        if winner is None:
            winner = self.cards.index(max(self.cards))
        return (chips / 2, -chips / 2) if winner == 0 else (-chips / 2, chips / 2)


class Leduc:
    """Leduc poker: the moves of a round are a text, and rounds that are over are listed."""

    OVER = ("cc", "crc", "crrc", "rc", "rrc")

    def __init__(self, suits: bool = True) -> None:
        self.suits = suits
        self.cards: list[int] = []
        self.rounds = [""]
        self.player = CHANCE

    def moves(self) -> list[int]:
        if self.player == CHANCE:
            copies = 1 if self.suits else 2
            return [card for card in range(6 // copies) if self.cards.count(card) < copies]
        now = self.rounds[-1]
        if now.endswith("f") or (len(self.rounds) == 2 and now in self.OVER):
            return []
        return [0] * now.endswith("r") + [1] + [2] * (now.count("r") < 2)

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.cards.append(move)
            self.rounds += [""] * (len(self.cards) == 3)
        else:
            self.rounds[-1] += "fcr"[move]
        needs_card = len(self.cards) < 2 or (len(self.cards) == 2 and self.rounds[0] in self.OVER)
        self.player = CHANCE if needs_card else len(self.rounds[-1]) % 2

    def paid(self) -> list[int]:
        """The chips of each player in the pot."""
        paid = [1, 1]
        for bets, size in zip(self.rounds, (2, 4), strict=False):
            for number, bet in enumerate(bets):
                if bet != "f":
                    paid[number % 2] = max(paid) + size * (bet == "r")
        return paid

    def returns(self) -> tuple[float, float]:
        paid, last = self.paid(), self.rounds[-1]
        ranks = [card // 2 if self.suits else card for card in self.cards]
        if last.endswith("f"):
            winner = len(last) % 2
        else:
            hands = [(rank == ranks[2], rank) for rank in ranks[:2]]
            if hands[0] == hands[1]:
                return 0, 0
            winner = hands.index(max(hands))
        won = min(paid) / 13
        return (won, -won) if winner == 0 else (-won, won)


class LiarsDice:
    """Liar's Dice: the dice of both are put together and counted."""

    def __init__(self, dice: int, sides: int) -> None:
        self.dice, self.sides = dice, sides
        self.hands: list[tuple[int, ...]] = []
        self.bids: list[int] = []
        self.player = CHANCE

    def all_hands(self) -> list[tuple[int, ...]]:
        return list(combinations_with_replacement(range(1, self.sides + 1), self.dice))

    def moves(self) -> list[int]:
        liar = 2 * self.dice * self.sides
        if self.player == CHANCE:
            return list(range(len(self.all_hands())))
        if liar in self.bids:
            return []
        return list(range(self.bids[-1] + 1, liar + 1)) if self.bids else list(range(liar))

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.hands.append(self.all_hands()[move])
        else:
            self.bids.append(move)
        self.player = CHANCE if len(self.hands) < 2 else len(self.bids) % 2

    def returns(self) -> tuple[float, float]:
        quantity, face = divmod(self.bids[-2], self.sides)
        shown = [*self.hands[0], *self.hands[1]]
        is_true = sum(die in (face + 1, self.sides) for die in shown) >= quantity + 1
        bidder = len(self.bids) % 2
        return (1, -1) if is_true == (bidder == 0) else (-1, 1)


class Goofspiel:
    """Goofspiel: hands are what is left of the cards."""

    def __init__(self, cards: int, order: str, scoring: str) -> None:
        self.cards, self.order, self.scoring = list(range(1, cards + 1)), order, scoring
        self.prizes: list[int] = []
        self.bids: list[list[int]] = [[], []]
        self.begin_round()

    def begin_round(self) -> None:
        self.player = CHANCE if self.order == "random" else 0
        if len(self.bids[1]) == len(self.cards) - 1:
            for row in (self.prizes, *self.bids):
                row.append(next(card for card in self.cards if card not in row))
            self.player = 0
        elif self.order != "random":
            left = [card for card in self.cards if card not in self.prizes]
            self.prizes.append(max(left) if self.order == "descending" else min(left))

    def moves(self) -> list[int]:
        row = self.prizes if self.player == CHANCE else self.bids[self.player]
        return [card - 1 for card in self.cards if card not in row]

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.prizes.append(move + 1)
            self.player = 0
            return
        self.bids[self.player].append(move + 1)
        if self.player == 0:
            self.player = 1
        else:
            self.begin_round()

    def returns(self) -> tuple[float, float]:
        rounds = zip(self.prizes, *self.bids, strict=True)
        lead = sum(prize * ((first > second) - (first < second)) for prize, first, second in rounds)
        payoff = lead / sum(self.cards) if self.scoring == "points" else (lead > 0) - (lead < 0)
        return payoff, -payoff


class Blind:
    """Two players try squares; who won is for the game to say."""

    def __init__(self, rows: int, cols: int, rules: str) -> None:
        self.rows, self.cols, self.rules = rows, cols, rules
        self.tries: list[list[int]] = [[], []]
        self.owners: list[int | None] = [None] * (rows * cols)
        self.player = 0

    def has_won(self, player: int) -> bool:
        raise NotImplementedError

    def is_over(self) -> bool:
        return self.has_won(0) or self.has_won(1) or None not in self.owners

    def moves(self) -> list[int]:
        squares = range(self.rows * self.cols)
        return [] if self.is_over() else [square for square in squares if square not in self.tries[self.player]]

    def play(self, move: int) -> None:
        self.tries[self.player].append(move)
        is_free = self.owners[move] is None
        if is_free:
            self.owners[move] = self.player
        if is_free or self.rules == "abrupt":
            self.player = 1 - self.player

    def returns(self) -> tuple[float, float]:
        return (1, -1) if self.has_won(0) else (-1, 1) if self.has_won(1) else (0, 0)

    def stones(self, player: int) -> set[tuple[int, int]]:
        return {divmod(square, self.cols) for square, owner in enumerate(self.owners) if owner == player}


class Phantom(Blind):
    def __init__(self, rows: int, cols: int, k: int, rules: str) -> None:
        super().__init__(rows, cols, rules)
        self.k = k

    def has_won(self, player: int) -> bool:
        stones = self.stones(player)
        return any(
            {(row + i * down, col + i * right) for i in range(self.k)} <= stones
            for row, col in stones
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )


class DarkHex(Blind):
    def has_won(self, player: int) -> bool:
        """Spread from one side until nothing is added."""
        stones = self.stones(player)
        last = (self.rows, self.cols)[player] - 1
        reached = {stone for stone in stones if stone[player] == 0}
        while added := {stone for each in reached for stone in beside(*each) if stone in stones} - reached:
            reached |= added
        return any(stone[player] == last for stone in reached)


def beside(row: int, col: int) -> Iterator[tuple[int, int]]:
    """The six cells around one, in rows that are shifted to the right."""
    for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
        yield row + down, col + right


GAMES: dict[str, Any] = {
    "kuhn": Kuhn,
    "leduc": Leduc,
    "liarsdice": LiarsDice,
    "goofspiel": Goofspiel,
    "phantom": Phantom,
    "darkhex": DarkHex,
}
