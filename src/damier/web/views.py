"""A position as JSON for the page: the board, the moves and the cells to click for each move.

Moves are sent in the game's notation, which is unique among the legal moves, because move numbers of some games are too
large for JavaScript.
"""

import re
import secrets
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.core.rng import new_rng
from damier.core.view import CardTable, Grid
from damier.web.searching.turns import Steps

Json = dict[str, Any]

SKETCH_MOVES = 14  # of the little board in the gallery
MOST_COMPARED = 120  # moves of a position that are tried out to see which cells they change


def show_position(line: Sequence[Position]) -> Json:
    """Everything about the last position of a line that does not depend on the players."""
    pos = line[-1]
    moves = [] if pos.is_chance else pos.moves()
    returns = pos.returns
    return {
        "game": pos.game.name,
        "title": pos.game.title,
        "players": pos.game.num_players,
        "ply": len(pos.history),
        "player": pos.player,
        "is_chance": pos.is_chance,
        "is_over": pos.is_over,
        "returns": returns,
        "score": _score(pos) if pos.game.num_players == 1 else None,
        "board": show_board(pos),
        "moves": show_moves(pos, moves),
        "last": last_move(*line[-2:]) if len(line) > 1 else None,
        "line": show_line(line),
    }


def _score(pos: Position) -> float | None:
    return float(pos.game.rules.score(pos.state)) if pos.game.has("score") else None


def show_board(pos: Position) -> Json:
    view = _view(pos)
    if isinstance(view, CardTable):
        return _show_table(view)
    grid = view if isinstance(view, Grid) else None
    if grid is None:
        return {"kind": "text", "text": pos.draw(unicode=True)}
    symbols = [{"text": each.unicode, "player": each.player, "colour": each.colour} for each in grid.symbols]
    return {
        "kind": "grid",
        "rows": grid.row_labels,
        "cols": grid.col_labels,
        "cells": list(chain.from_iterable(grid.cells)),
        "symbols": symbols,
        "notes": grid.notes if not grid.tray else (),
        "motion": grid.motion,
        "chequered": grid.chequered,
        "tray": [vars(tile) for tile in grid.tray],
    }


def _show_table(table: CardTable) -> Json:
    """Hands of cards. A card that lies face down has no text; one that can be played has a move."""
    hands = [
        {
            "title": hand.title,
            "player": hand.player,
            "cards": [
                {"text": card.unicode, "colour": card.colour, "move": card.move, "player": card.player}
                for card in hand.cards
            ],
        }
        for hand in table.hands
    ]
    return {"kind": "cards", "hands": hands, "notes": table.notes}


def _view(pos: Position) -> Any:
    return pos.view() if pos.game.has("view") else None


def _grid(pos: Position) -> Grid | None:
    view = _view(pos)
    return view if isinstance(view, Grid) else None


def show_moves(pos: Position, moves: list[int]) -> list[Json]:
    """The moves; one that is on the board has trails there, and a card has its move."""
    grid = _grid(pos)
    if grid is None:
        return [{"notation": pos.notation(move), "trails": []} for move in moves]
    pointing = _Pointing(pos, grid, len(moves) <= MOST_COMPARED)
    return [{"notation": pos.notation(move), "trails": pointing.trails(move)} for move in moves]


def show_line(line: Sequence[Position]) -> list[Json]:
    """The moves of a line and their players."""
    made = [after.history[-1] for after in line[1:]]
    return [
        {"notation": before.notation(move), "player": CHANCE if before.is_chance else before.player}
        for before, move in zip(line, made, strict=False)
    ]


def last_move(before: Position, after: Position) -> Json:
    """A move, with the cells that it changed."""
    move = after.history[-1]
    grid = _grid(before)
    cells = [] if grid is None else _Pointing(before, grid, True).touched(move)
    return {"notation": before.notation(move), "player": before.player, "cells": cells}


class _Pointing:
    """The cells to click for each move of a position."""

    def __init__(self, pos: Position, grid: Grid, may_compare: bool) -> None:
        self.pos, self.grid, self.may_compare = pos, grid, may_compare
        names = ((row, col) for row in range(len(grid.row_labels)) for col in range(len(grid.col_labels)))
        self.cells = {
            f"{grid.col_labels[col]}{grid.row_labels[row]}".lower(): row * len(grid.col_labels) + col
            for row, col in names
        }

    def trails(self, move: int) -> list[list[int]]:
        """The cells that the game names, else those in the notation, else those that the move changes."""
        game = self.pos.game
        if game.has("trails"):
            return [list(trail) for trail in game.rules.trails(self.pos.state, move)]
        words = re.findall(r"[a-z0-9]+", self.pos.notation(move).lower())
        if words and all(word in self.cells for word in words):
            return [[self.cells[word] for word in words]]
        if words and len(words) == 1 and words[0] in self.grid.col_labels:  # a column: any cell of it
            col, width = self.grid.col_labels.index(words[0]), len(self.grid.col_labels)
            return [[row * width + col] for row in range(len(self.grid.row_labels))]
        return [[cell] for cell in self.changed(move)] if self.may_compare else []

    def changed(self, move: int) -> list[int]:
        after = _grid(self.pos.play(move))
        if after is None or len(after.cells) != len(self.grid.cells):
            return []
        pairs = zip(chain.from_iterable(self.grid.cells), chain.from_iterable(after.cells), strict=True)
        free = {index for index, symbol in enumerate(self.grid.symbols) if symbol.player < 0}
        return [cell for cell, (old, new) in enumerate(pairs) if old != new and not {old, new} <= free]

    def touched(self, move: int) -> list[int]:
        trails = self.trails(move)
        is_told = len(trails) == 1 or (trails and self.pos.game.has("trails"))
        return trails[0] if is_told else self.changed(move)


def sketch(game: Game) -> Json:
    """A board for the gallery: a position of a fixed random game."""
    rng, pos = new_rng(7), game.start()
    for _ in range(min(SKETCH_MOVES, game.max_length // 2)):
        following = pos.play(pos.random_move(rng))
        if following.is_over:
            break
        pos = following
    return show_board(pos)


def replayed(line: list[Position], moves: Iterable[int | str]) -> Steps[list[Position]]:
    """A line extended by these moves, one per step."""
    for move in moves:
        yield
        line.append(line[-1].play(move))
    return line


def drawn(line: list[Position]) -> Steps[list[Position]]:
    """A line extended by random moves of chance until a player is to move."""
    rng, line = new_rng(secrets.randbits(62)), list(line)
    while line[-1].is_chance:
        yield
        line.append(line[-1].play(line[-1].random_move(rng)))
    return line


def win_chances(values: tuple[float, ...] | list[float] | None) -> list[float] | None:
    """Winning chances by player, which sum to 1. With n players, a sole win pays 1 and a loss -1/(n-1)."""
    if values is None:
        return None
    count = len(values)
    if count == 1:
        return [(1 + values[0]) / 2]
    return [min(1.0, max(0.0, (value * (count - 1) + 1) / count)) for value in values]
