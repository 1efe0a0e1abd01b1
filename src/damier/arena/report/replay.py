"""The games of a report, replayed: for each ply who moved, the notation, and what changed on the board.

A ply is a list [mover, notation, *changes]. The mover is a seat, or CHANCE. On a grid a change is one number: the cell
plus the number of cells times the symbol. Cells are counted row by row, and symbol 0 is the empty cell. On a text board
a change is two entries, a line and its new text.
"""

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any, Protocol

from damier.arena.result import Tournament
from damier.core import calls
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.protocol import Record
from damier.core.view import EMPTY, Grid, Symbol
from damier.store.record import GameRecord

# 6,000 games of dames8 take 30 seconds and 7 MB: little, compared with the time to play them.
BOARDS = 6000


def replays(result: Tournament, boards: int = BOARDS) -> dict[str, Any]:
    """Everything that the page needs to show the games, ready for JSON."""
    game = result.plan.game
    board = _board_of(game)
    games = [
        _facts(record) | {"hasBoards": place < boards, "plies": _plies(game, record, board, place < boards)}
        for place, record in enumerate(result.records)
    ]
    return {
        "players": result.players,
        "seats": game.num_players,
        "board": board.as_json(),  # now that all symbols were seen
        "games": games,
    }


def _facts(record: GameRecord) -> dict[str, Any]:
    return {
        "number": record.number + 1,
        "seating": record.seating,
        "opening": record.opening,
        "winners": record.winners,
    } | ({} if record.forfeit is None else {"forfeit": record.forfeit})


def _plies(game: Game, record: GameRecord, board: "_Board", with_board: bool) -> list[list[Any]]:
    """The plies of a game. The records are trusted: moves go directly to the compiled rules."""
    state = game.start().state
    shown = board.start
    plies = []
    for move in record.moves:
        ply = [int(state.player), game.format_move(state, move)]
        game.run(calls.play, state, move)
        if with_board:
            before, shown = shown, board.show(state)
            ply += board.changes(before, shown)
        plies.append(ply)
    return plies


class _Board(Protocol):
    """A way to show positions as a list, of which only the changes are kept."""

    start: list[Any]

    def show(self, state: Record) -> list[Any]: ...

    def changes(self, before: Sequence[Any], after: Sequence[Any]) -> list[Any]: ...

    def as_json(self) -> dict[str, Any]: ...


def _board_of(game: Game) -> _Board:
    state = game.start().state
    if game.has("view") and isinstance(game.view(state), Grid):
        return _GridBoard(game, state)
    return _TextBoard(game, state)


class _GridBoard:
    def __init__(self, game: Game, state: Record) -> None:
        self.game = game
        self.first: Grid = game.view(state)
        self.symbols: dict[Symbol, int] = {}  # numbered from 1 as they are met
        self.numbers: dict[tuple[Symbol, ...], dict[int, int]] = {}
        self.start = self.show(state)

    def show(self, state: Record) -> list[int]:
        """The symbol in each cell."""
        grid: Grid = self.game.view(state)
        numbers = self._numbers(grid.symbols)
        cells = [numbers[cell] for cell in chain.from_iterable(grid.cells)]
        if len(cells) != len(self.first.row_labels) * len(self.first.col_labels):
            raise RulesError("arena.grid-sizes", game=self.game.name)
        return cells

    def _numbers(self, symbols: tuple[Symbol, ...]) -> dict[int, int]:
        """For the possible contents of a cell, the number of the symbol."""
        if symbols not in self.numbers:
            known = {
                index: self.symbols.setdefault(symbol, len(self.symbols) + 1) for index, symbol in enumerate(symbols)
            }
            self.numbers[symbols] = {EMPTY: 0} | known
        return self.numbers[symbols]

    def changes(self, before: Sequence[int], after: Sequence[int]) -> list[Any]:
        pairs = enumerate(zip(before, after, strict=True))
        return [cell + len(after) * new for cell, (old, new) in pairs if old != new]

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": "grid",
            "rows": self.first.row_labels,
            "columns": self.first.col_labels,
            "symbols": [[symbol.unicode, symbol.player] for symbol in self.symbols],
            "start": self.start,
        }


class _TextBoard:
    def __init__(self, game: Game, state: Record) -> None:
        self.game = game
        self.start = self.show(state)

    def show(self, state: Record) -> list[str]:
        return self.game.draw(state, unicode=True).splitlines()

    def changes(self, before: Sequence[str], after: Sequence[str]) -> list[Any]:
        """The changed lines; a removed line is kept as an empty one."""
        pairs = enumerate(zip_longest(before, after, fillvalue=""))
        return [part for line, (old, new) in pairs if old != new for part in (line, new)]

    def as_json(self) -> dict[str, Any]:
        return {"kind": "text", "start": self.start}
