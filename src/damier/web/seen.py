"""A position of a game of hidden information as one of its players may see it, as JSON for the page.

All of it follows from what the player knows. Two games that the player can't tell apart look the same here: the board,
the moves at the player's own turn, the line of moves, even its length.
"""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Any

from damier.core import knowledge
from damier.core.messages import say
from damier.core.position import Position
from damier.core.protocol import CHANCE, REFEREE
from damier.core.view import Grid
from damier.web.course import OUTSIDE
from damier.web.views import show_board, show_moves, show_position

Json = dict[str, Any]


def show_to(viewer: int, line: Sequence[Position]) -> Json:
    """The last position of a line for a player, for the REFEREE, who sees everything, or for somebody OUTSIDE."""
    if viewer == REFEREE:
        return show_position(line)
    pos = line[-1]
    public = {
        "game": pos.game.name,
        "title": pos.game.title,
        "players": pos.game.num_players,
        "player": pos.player,  # everybody knows who moves
        "is_chance": pos.is_chance,
        "is_over": pos.is_over,
        "returns": None,
        "score": None,
    }
    if viewer == OUTSIDE:
        board = {"kind": "text", "text": say("play.closed")}
        return public | {"ply": 0, "board": board, "moves": [], "last": None, "line": []}
    plies = _noticed(line, viewer)
    seen = pos.seen_by(viewer)
    return public | {
        "ply": len(plies),
        "board": show_board(seen),
        "moves": show_moves(seen, seen.moves()) if pos.player == viewer else [],
        "last": _last(line, plies, viewer),
        "line": [entry for _, entry in plies],
    }


def ply_of(line: Sequence[Position], viewer: int, count: int) -> int:
    """The number of moves that were made when a player knew of so many."""
    plies = [0, *(ply + 1 for ply, _ in _noticed(line, viewer))] if viewer >= 0 else [0]
    return plies[min(count, len(plies) - 1)]


def _noticed(line: Sequence[Position], viewer: int) -> list[tuple[int, Json]]:
    """The moves that a player knows of, with their places in the line."""
    found = []
    for ply, (before, after) in enumerate(pairwise(line)):
        mover = CHANCE if before.is_chance else before.player
        for text in knowledge.told(before.game, before.state, after.history[-1], after.state, viewer):
            found.append((ply, {"notation": text, "player": mover}))
    return found


def _last(line: Sequence[Position], plies: list[tuple[int, Json]], viewer: int) -> Json | None:
    """The last move that a player knows of, with the cells that it changed before their eyes."""
    if not plies:
        return None
    ply, entry = plies[-1]
    return entry | {"cells": _changed(*(_cells(position, viewer) for position in line[ply : ply + 2]))}


def _cells(position: Position, viewer: int) -> list[Any]:
    view = position.seen_by(viewer).view() if position.game.has("view") else None
    if not isinstance(view, Grid):
        return []
    return [None if cell < 0 else view.symbols[cell] for cell in chain.from_iterable(view.cells)]


def _changed(before: list[Any], after: list[Any]) -> list[int]:
    if len(before) != len(after):
        return []
    return [cell for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
