"""The rules of draughts once more, as plainly as possible: the board is a list of rows, a piece is a word, and
captures are found by trying everything."""

from typing import Any

Place = tuple[int, int]
Capture = tuple[Place, list[Place], bool]  # where it ends, the captured pieces in order, whether it is a king then

RULES: dict[str, dict[str, Any]] = {
    "dames8": {"man_resets": False},
    "russian": {"draw_after": 30},
    "brazilian": {"choice": "most", "promotion": "pass"},
    "pool": {"promotion": "pass", "draw_after": 60},
    "czech": {"backward": False, "choice": "king", "promotion": "stop", "draw_after": 60},
    "english": {"flying": False, "backward": False, "promotion": "stop", "first": "black", "draw_after": 80},
    "italian": {"flying": False, "backward": False, "choice": "italian", "promotion": "stop", "draw_after": 80},
    "spanish": {"backward": False, "choice": "most_kings", "promotion": "stop", "draw_after": 60},
    "international": {"size": 10, "choice": "most", "promotion": "pass", "draw_after": 50},
    "frisian": {"size": 10, "choice": "frisian", "promotion": "pass", "draw_after": 50},
}
RUSSIAN: dict[str, Any] = {
    "size": 8,
    "flying": True,
    "backward": True,
    "choice": "free",
    "promotion": "continue",
    "first": "white",
    "draw_after": 40,
    "man_resets": True,
}
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
STRAIGHT = [(-2, 0), (0, -2), (0, 2), (2, 0)]


class Draughts:
    """Moves are numbered as in damier: 2^62 if promoted on the way, captured squares from bit 12, start, end."""

    def __init__(self, options: dict[str, Any]) -> None:
        rules = options.get("rules", "dames8")
        given = {name: value for name, value in options.items() if name != "rules" and value is not None}
        self.options = RUSSIAN | RULES[rules] | given
        self.is_italian, self.is_frisian = rules == "italian", rules == "frisian"
        size = self.options["size"]
        odd = 0 if rules in ("italian", "spanish") else 1
        self.dark = [(row, col) for row in range(size) for col in range(size) if (row + col) % 2 == odd]
        self.rows: list[list[str]] = [[""] * size for _ in range(size)]
        filled = size // 2 - 1
        for row, col in self.dark:
            if row < filled:
                self.rows[row][col] = "black man"
            elif row >= size - filled:
                self.rows[row][col] = "white man"
        self.player = 0
        self.quiet = 0
        self.king_walks: list[tuple[Place | None, int]] = [(None, 0), (None, 0)]

    def colour(self, player: int) -> str:
        first = str(self.options["first"])
        return first if player == 0 else "black" if first == "white" else "white"

    def at(self, place: Place) -> str | None:
        """The piece there, "" if there is none, None outside of the board."""
        inside = all(0 <= number < len(self.rows) for number in place)
        return self.rows[place[0]][place[1]] if inside else None

    def pieces(self) -> list[Place]:
        return [place for place in self.dark if (self.at(place) or "").startswith(self.colour(self.player))]

    def is_king(self, place: Place) -> bool:
        return (self.at(place) or "").endswith("king")

    def ahead(self) -> int:
        return -1 if self.colour(self.player) == "white" else 1

    def last_row(self) -> int:
        return 0 if self.ahead() < 0 else len(self.rows) - 1

    # -- moves -----------------------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.quiet >= self.options["draw_after"]:
            return []
        captures = {(start, *capture[:1], frozenset(capture[1]), capture[2]) for start, capture in self.best_captures()}
        if captures:
            return sorted(
                self.number(start, end, taken) + (2**62 if self.went_on_as_king(start, king) else 0)
                for start, end, taken, king in captures
            )
        return sorted(self.number(start, end, frozenset()) for start in self.pieces() for end in self.walks(start))

    def went_on_as_king(self, start: Place, king: bool) -> bool:
        return king and not self.is_king(start) and self.options["promotion"] == "continue"

    def number(self, start: Place, end: Place, taken: frozenset[Place]) -> int:
        square = self.dark.index
        return sum(1 << 12 + square(place) for place in taken) + 64 * square(start) + square(end)

    def walks(self, start: Place) -> list[Place]:
        """Where a piece can go without a capture."""
        king = self.is_king(start)
        has_men = any(not self.is_king(place) for place in self.pieces())
        if self.is_frisian and king and has_men and self.king_walks[self.player] == (start, 3):
            return []
        ends = []
        for down, right in DIAGONAL:
            end = (start[0] + down, start[1] + right)
            while self.at(end) == "" and (king or down == self.ahead()):
                ends.append(end)
                if not (king and self.options["flying"]):
                    break
                end = (end[0] + down, end[1] + right)
        return ends

    def best_captures(self) -> list[tuple[Place, Capture]]:
        found = []
        for start in self.pieces():
            piece, self.rows[start[0]][start[1]] = self.at(start) or "", ""
            found += [(start, capture) for capture in self.captures(start, piece.endswith("king"), [])]
            self.rows[start[0]][start[1]] = piece
        best = max((self.merit(start, capture) for start, capture in found), default=())
        return [(start, capture) for start, capture in found if self.merit(start, capture) == best]

    def merit(self, start: Place, capture: Capture) -> tuple[Any, ...]:
        """The greatest must be played."""
        taken = capture[1]
        kings = [self.is_king(place) for place in taken]
        values: dict[str, tuple[Any, ...]] = {
            "free": (),
            "king": (self.is_king(start),),
            "most": (len(taken),),
            "most_kings": (len(taken), sum(kings)),
            "italian": (len(taken), self.is_king(start), sum(kings), kings),
            "frisian": (sum(1.99 if king else 1 for king in sorted(kings)), self.is_king(start)),
        }
        return values[self.options["choice"]]

    def captures(self, place: Place, king: bool, taken: list[Place]) -> list[Capture]:
        """Every way to go on capturing from here to the end, the piece itself being lifted from the board."""
        found: list[Capture] = []
        for victim, landings in self.single_captures(place, king, taken):
            ends: list[Capture] = []
            longer: list[Capture] = []
            for landing in landings:
                arrives = not king and landing[0] == self.last_row()
                is_king = king or (arrives and self.options["promotion"] == "continue")
                ends.append((landing, [*taken, victim], is_king))
                if not (arrives and self.options["promotion"] == "stop"):
                    longer += self.captures(landing, is_king, [*taken, victim])
            found += longer or ends
        return found

    def single_captures(self, place: Place, king: bool, taken: list[Place]) -> list[tuple[Place, list[Place]]]:
        """Each piece that can be taken from here, and where one can land behind it."""
        far = king and self.options["flying"]
        found = []
        for down, right in DIAGONAL + (STRAIGHT if self.is_frisian else []):
            if not (king or self.options["backward"] or down == self.ahead()):
                continue
            victim = (place[0] + down, place[1] + right)
            while far and self.at(victim) == "":
                victim = (victim[0] + down, victim[1] + right)
            landings: list[Place] = []
            landing = (victim[0] + down, victim[1] + right)
            while self.at(landing) == "" and (far or not landings):
                landings.append(landing)
                landing = (landing[0] + down, landing[1] + right)
            if landings and victim not in taken and self.may_take(victim, king):
                found.append((victim, landings))
        return found

    def may_take(self, victim: Place, king: bool) -> bool:
        is_enemy = (self.at(victim) or "").startswith(self.colour(1 - self.player))
        return is_enemy and (king or not self.is_italian or not self.is_king(victim))

    # -- the rest --------------------------------------------------------------------------------------------

    def play(self, move: int) -> None:
        start, end = self.dark[move // 64 % 64], self.dark[move % 64]
        taken = [place for square, place in enumerate(self.dark) if move >> 12 + square & 1]
        was_king = self.is_king(start)
        king = was_king or end[0] == self.last_row() or move >= 2**62
        for row, col in [*taken, start]:
            self.rows[row][col] = ""
        self.rows[end[0]][end[1]] = f"{self.colour(self.player)} {'king' if king else 'man'}"
        self.quiet = 0 if taken or (self.options["man_resets"] and not was_king) else self.quiet + 1
        if self.is_frisian:
            last, times = self.king_walks[self.player]
            times = min(3, times + 1) if last == start else 1
            self.king_walks[self.player] = (end, times) if was_king and not taken else (None, 0)
        self.player = 1 - self.player

    def returns(self) -> tuple[float, float]:
        if self.quiet >= self.options["draw_after"]:
            return (0, 0)
        return (-1, 1) if self.player == 0 else (1, -1)
