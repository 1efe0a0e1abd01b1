"""The games with dice once more, as plainly as possible."""

from itertools import permutations
from typing import Any

from damier.games.pacman.rules import LAYOUTS

CHANCE = -1


class Backgammon:
    """Backgammon: every order of the dice is tried, step by step, and what it leads to is written down."""

    def __init__(self, gammons: bool = False, limit: int = 1000, position: str = "") -> None:
        assert position == "", "only from the start"
        self.gammons, self.limit = gammons, limit
        start = {24: 2, 13: 5, 8: 3, 6: 5}
        self.points = [[start.get(point, 0) for point in range(26)] for _ in range(2)]
        self.turn, self.player = CHANCE, CHANCE
        self.dice: tuple[int, ...] = ()

    def moves(self) -> list[int]:
        sides = range(1, 7)
        if self.is_over():
            return []
        if self.player != CHANCE:
            return sorted(self.turns().values())
        if self.turn == CHANCE:
            return [10 * first + second for first in sides for second in sides if first != second]
        return [10 * first + second for first in sides for second in sides if first >= second]

    def is_over(self) -> bool:
        return 15 in (self.points[0][0], self.points[1][0]) or self.limit == 0

    def turns(self) -> dict[str, int]:
        """By the position that they lead to: the turns, each by its least number."""
        dice = self.dice * 2 if self.dice[0] == self.dice[1] else self.dice
        ways = [way for order in set(permutations(dice)) for way in self.ways(self.points, order)]
        ways = [way for way in ways if len(way) == max(map(len, ways))]
        if len(ways[0]) == 1 and any(die == max(dice) for ((die, _),) in ways):
            ways = [way for way in ways if way[0][0] == max(dice)]
        found: dict[str, int] = {}
        for way in ways:
            points = self.points
            for die, source in way:
                points = self.step(points, die, source)
            move = self.number(way)
            found[str(points)] = min(move, found.get(str(points), move))
        return found

    def number(self, way: list[tuple[int, int]]) -> int:
        if self.dice[0] == self.dice[1]:
            falling = sorted((source for _, source in way), reverse=True)
            return sum(source * 26**place for place, source in enumerate(falling))
        return sum(source * (1 if die == max(self.dice) else 26) for die, source in way)

    def ways(self, points: list[list[int]], dice: tuple[int, ...]) -> list[list[tuple[int, int]]]:
        """The dice in this order, as far as they can be played: pairs of a die and where it is used."""
        if not dice:
            return [[]]
        found = []
        for source in range(1, 26):
            if self.may_step(points, dice[0], source):
                rest = self.ways(self.step(points, dice[0], source), dice[1:])
                found += [[(dice[0], source), *way] for way in rest]
        return found or [[]]

    def may_step(self, points: list[list[int]], die: int, source: int) -> bool:
        own, theirs = points[self.player], points[1 - self.player]
        if not own[source] or (own[25] and source != 25):
            return False
        if source > die:
            return theirs[25 - source + die] < 2
        rearmost = max(point for point in range(26) if own[point])
        return rearmost <= 6 and (source in (die, rearmost))

    def step(self, points: list[list[int]], die: int, source: int) -> list[list[int]]:
        points = [list(own) for own in points]
        own, theirs = points[self.player], points[1 - self.player]
        target = max(0, source - die)
        own[source] -= 1
        own[target] += 1
        if target and theirs[25 - target]:
            theirs[25 - target] -= 1
            theirs[25] += 1
        return points

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.dice = tuple(sorted(divmod(move, 10)))
            if self.turn == CHANCE:
                self.turn = 0 if move // 10 > move % 10 else 1
            self.player = self.turn
            return
        after = next(points for points, number in self.turns().items() if number == move)
        self.points = [[int(count) for count in own.split(",")] for own in after.strip("[]").split("], [")]
        self.limit -= 1
        self.dice, self.turn = (), 1 - self.turn
        self.player = self.turn if self.is_over() else CHANCE

    def returns(self) -> tuple[float, ...]:
        if self.limit == 0 and 15 not in (self.points[0][0], self.points[1][0]):
            return 0, 0
        winner = 0 if self.points[0][0] == 15 else 1
        lost = self.points[1 - winner]
        stake = 1 if lost[0] else 3 if any(lost[19:]) else 2
        payoff = stake / 3 if self.gammons else 1
        return (payoff, -payoff) if winner == 0 else (-payoff, payoff)


class Pig:
    """Pig: what is safe, what is at stake, and how many turns are left."""

    def __init__(self, goal: int, turns: int) -> None:
        self.goal, self.turns, self.player = goal, turns, 0
        self.safe = self.stake = 0

    def moves(self) -> list[int]:
        if self.turns == 0:
            return []
        if self.player == CHANCE:
            return [1, 2, 3, 4, 5, 6]
        return [0, 1] if self.stake else [0]

    def play(self, move: int) -> None:
        is_die, is_roll = self.player == CHANCE, self.player != CHANCE and move == 0
        self.player = CHANCE if is_roll else 0
        if is_die:
            self.stake = 0 if move == 1 else self.stake + move
        is_won = self.safe + self.stake >= self.goal
        if is_won or (is_die and move == 1) or (not is_die and not is_roll):
            self.safe, self.stake = min(self.goal, self.safe + self.stake), 0
            self.turns = 0 if is_won else self.turns - 1

    def score(self) -> int:
        return self.safe

    def returns(self) -> tuple[float, ...]:
        return (2 * self.safe / self.goal - 1,)


class PacMan:
    """Pac-Man: the maze is a dict of signs by row and column, without Pac-Man and the ghosts."""

    def __init__(self, layout: str, ghosts: str, limit: int) -> None:
        rows = (LAYOUTS / f"{layout}.txt").read_text().split()
        cells = {(row, col): sign for row, line in enumerate(rows) for col, sign in enumerate(line)}
        self.movers = [place for sign in "PG" for place, found in cells.items() if found == sign]
        self.maze = {place: sign if sign in "#." else " " for place, sign in cells.items()}
        self.num_food = sum(sign == "." for sign in cells.values())
        self.two_players, self.limit, self.turn = ghosts == "adversary", limit, 0

    @property
    def player(self) -> int:
        return 0 if self.turn == 0 else 1 if self.two_players else CHANCE

    def is_caught(self) -> bool:
        return self.movers[0] in self.movers[1:]

    def moves(self) -> list[int]:
        if self.is_caught() or "." not in self.maze.values() or (self.turn == 0 and self.limit == 0):
            return []
        return [move for move in range(4) if self.maze[self.target(move)] != "#"]

    def target(self, move: int) -> tuple[int, int]:
        row, col = self.movers[self.turn]
        return [(row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)][move]

    def play(self, move: int) -> None:
        self.movers[self.turn] = self.target(move)
        if self.turn == 0:
            self.limit -= 1
            if not self.is_caught():
                self.maze[self.movers[0]] = " "
        self.turn = (self.turn + 1) % len(self.movers)

    def score(self) -> int:
        return self.num_food - sum(sign == "." for sign in self.maze.values())

    def returns(self) -> tuple[float, ...]:
        payoff = self.score() / self.num_food - self.is_caught()
        return (payoff, -payoff) if self.two_players else (payoff,)


GAMES: dict[str, Any] = {"backgammon": Backgammon, "pig": Pig, "pacman": PacMan}
