"""Endings of draughts once more: every position in a dict, looked at again and again until nothing changes."""

from copy import deepcopy
from itertools import combinations, product
from typing import Any

from tests.reference.naive_draughts import Draughts

Key = tuple[Any, ...]
Result = tuple[str, int]  # won, drawn or lost for the player to move, and in how many moves

KINDS = ("white man", "white king", "black man", "black king")


def key_of(board: Draughts) -> Key:
    return board.player, tuple(map(tuple, board.rows))


def positions(options: dict[str, Any], pieces: int) -> dict[Key, Draughts]:
    """Every board with that many pieces of both colours, and each player to move."""
    found = {}
    empty = Draughts(options)
    empty.rows = [[""] * len(row) for row in empty.rows]
    for places in combinations(empty.dark, pieces):
        for kinds in product(KINDS, repeat=pieces):
            if len({kind.split()[0] for kind in kinds}) == 2 and all(map(_may_stand, kinds, places, [empty] * pieces)):
                for player in range(2):
                    board = deepcopy(empty)
                    board.player = player
                    for (row, col), kind in zip(places, kinds, strict=True):
                        board.rows[row][col] = kind
                    found[key_of(board)] = board
    return found


def _may_stand(kind: str, place: tuple[int, int], board: Draughts) -> bool:
    """No man stands on the row that makes it a king."""
    return place[0] != {"white man": 0, "black man": len(board.rows) - 1}.get(kind)


def results(options: dict[str, Any], pieces: int) -> dict[Key, Result]:
    """How the positions of at most that many pieces end."""
    boards: dict[Key, Draughts] = {}
    for number in range(2, pieces + 1):
        boards |= positions(options, number)
    after: dict[Key, list[Key]] = {}
    known: dict[Key, Result] = {}
    for key, board in boards.items():
        after[key] = []
        for move in board.moves():
            played = deepcopy(board)
            played.play(move)
            after[key].append(key_of(played))
            if not played.moves():
                known[key_of(played)] = "lost", 0
        if not after[key]:
            known[key] = "lost", 0
    for moves in range(1, len(boards)):
        decided: dict[Key, Result] = {}
        for key in boards.keys() - known.keys():
            told = [known[child] for child in after[key] if child in known]
            if any(outcome == "lost" for outcome, _ in told):
                decided[key] = "won", moves
            elif len(told) == len(after[key]):
                decided[key] = "lost", moves
        if not decided:
            break
        known |= decided
    return {key: known.get(key, ("drawn", 0)) for key in boards}
