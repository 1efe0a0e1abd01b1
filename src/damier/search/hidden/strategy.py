"""A strategy: for each information set, the probability of each move."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.knowledge import known_as_text
from damier.core.numbers import whole_number
from damier.core.position import Position
from damier.core.protocol import Values
from damier.search.hidden.information import Sets
from damier.search.hidden.tree import FlatTree, build_tree

Known = tuple[int, ...]
"""What a player knows: an observation, or all moves in a game where everybody sees everything."""


@dataclass(frozen=True)
class Row:
    """An information set for people."""

    player: int
    line: str  # the moves so far, as the player saw them, and what the game adds
    known: Known
    moves: dict[str, float]  # the probability of each move, by notation


class Strategy(Mapping[tuple[int, Known], dict[int, float]]):
    """The probability of each move, by player and what the player knows: `strategy[0, (2,)]`, `strategy.at(pos)`."""

    def __init__(self, game: Game, sets: Sets, probabilities: Values, tree: FlatTree | None = None) -> None:
        """`probabilities` has a number for each action of the sets."""
        self.game, self.probabilities = game, probabilities
        self._sets, self._tree = sets, tree

    @cached_property
    def _numbers(self) -> dict[tuple[int, Known], int]:
        """The number of each information set."""
        sets, starts = self._sets, self._sets.start.tolist()
        known = sets.known.tolist()
        return {
            (player, tuple(known[begin:end])): number
            for number, (player, begin, end) in enumerate(
                zip(sets.player.tolist(), starts[:-1], starts[1:], strict=True)
            )
        }

    def _moves(self, number: int) -> dict[int, float]:
        begin, end = self._sets.first[number : number + 2].tolist()
        moves, chances = self._sets.moves[begin:end].tolist(), self.probabilities[begin:end].tolist()
        return dict(zip(moves, chances, strict=True))

    def __getitem__(self, key: tuple[int, Known]) -> dict[int, float]:
        return self._moves(self._numbers[key])

    def __iter__(self) -> Iterator[tuple[int, Known]]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return int(self._sets.player.size)

    def at(self, pos: Position) -> dict[int, float]:
        """The probability of each move in a position; a SpecError if the strategy does not know it."""
        key = pos.player, known_to_mover(pos)
        if key not in self._numbers:
            raise SpecError("equilibrium.unknown", position=pos.described())
        return self[key]

    def rows(self, most: int | None = None) -> list[Row]:
        """The first information sets of each player as people read them, in all at most that many."""
        chosen = list(range(len(self))) if most is None else self._chosen(whole_number("most", most, least=0))
        if self._tree is None:
            self._tree = build_tree(self.game)
        rows = [self._row(self._tree, number) for number in chosen]
        found = Counter((row.player, row.line) for row in rows)
        return [
            row if found[row.player, row.line] == 1 else replace(row, line=f"{row.line} {list(row.known)}")
            for row in rows
        ]

    def _chosen(self, most: int) -> list[int]:
        """As many of each player as possible."""
        of_player = [np.flatnonzero(self._sets.player == player).tolist() for player in range(self.game.num_players)]
        left, players, chosen = most, len(of_player), list[int]()
        for sets in sorted(of_player, key=len):  # what one player does not need is left to the others
            part = min(len(sets), left // players)
            chosen += sets[:part]
            left, players = left - part, players - 1
        return sorted(chosen)

    def _row(self, tree: FlatTree, number: int) -> Row:
        pos = tree.position(int(tree.sets.example[number]))
        begin, end = self._sets.start[number : number + 2].tolist()
        moves = {pos.notation(move): chance for move, chance in self._moves(number).items()}
        known = tuple(self._sets.known[begin:end].tolist())
        return Row(pos.player, known_as_text(pos), known, moves)

    def as_json(self, most: int | None = None) -> list[dict[str, Any]]:
        return [vars(row) for row in self.rows(most)]


def known_to_mover(pos: Position) -> Known:
    """All that the player to move knows."""
    if pos.game.is_hidden:
        return pos.observation()
    if not pos.is_from_start:
        raise SpecError("equilibrium.no-history", position=pos.described())
    return pos.history
