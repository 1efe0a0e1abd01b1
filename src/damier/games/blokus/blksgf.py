"""`.blksgf`, the game records of Pentobi: the Smart Game Format with properties of its own for Blokus.

    (;GM[Blokus Duo];B[f9,e10,f10,g10,f11];W[i4,h5,i5,j5,i6])

A property is a name and values in brackets, a node is a semicolon and properties, and parentheses hold variations.
Read is the main line, the first variation everywhere; the others must be well-formed. A colour is `B` or `W` where
there are two, else `1` to `4`. Pieces may be set up before the first move: `AB`, `AW`, `A1` ... add them, `AE` removes
them, `PL` says which colour moves. Old files are read too: `BLUE` ... `GREEN`, and one value a square.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from damier.core.errors import DamierError, MoveError
from damier.core.file_formats import FileFormat
from damier.core.game import Game
from damier.core.messages import Message, message_of, one_line, say
from damier.core.position import Position
from damier.core.protocol import Record
from damier.games import game as find_game
from damier.games.blokus.fitting import OCCUPIED, can_place, first_row
from damier.games.blokus.notation import format_squares, parse_squares
from damier.games.blokus.pieces import NAMES
from damier.games.blokus.positions import pieces_on_board, squares_taken
from damier.games.blokus.variants import COLOURS, colour_name

VARIANTS = {
    "Blokus": "blokus",
    "Blokus Two-Player": "blokus:players=2,colours=4",
    "Blokus Three-Player": "blokus:players=3,colours=4",
    "Blokus Duo": "blokus:board=duo",
    "Blokus Junior": "blokus:board=junior",
}
"""The games that Pentobi and we have, by their names there."""

OF_TWO, OF_FOUR = ("B", "W"), ("1", "2", "3", "4")
LONGEST_NAME = 20

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
  | (?P<sign> [();] )
  | (?P<name> [A-Za-z0-9]+ ) \s* (?P<values> (?: \[ (?: [^\]\\] | \\. )* \] \s* )+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


class BlksgfError(DamierError):
    """A game record that can't be read or written."""


@dataclass(frozen=True)
class BlksgfGame:
    """A game: where it starts, its moves, and what else its first node tells (`PB`, `P1`, `DT`, `C` ...)."""

    start: Position
    moves: tuple[int, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def end(self) -> Position:
        """The position after the last move."""
        return self.start.play_all(self.moves)

    @property
    def players(self) -> list[str]:
        """Those whom the properties name."""
        return [self.properties[name] for name in ("PB", "PW", "P1", "P2", "P3", "P4") if name in self.properties]


# -- writing -------------------------------------------------------------------------------------------------


def format_blksgf(game: BlksgfGame | Position) -> str:
    """The text of a game. A position stands for the moves that led to it."""
    record = BlksgfGame(game.origin, game.history) if isinstance(game, Position) else game
    position = record.start
    names = [name for name, spec in VARIANTS.items() if position.game == find_game(spec)]
    if not names:
        raise BlksgfError("blksgf.other-game", game=position.game.name, known=list(VARIANTS.values()))
    told = "".join(f"{name}[{_escaped(value)}]" for name, value in record.properties.items())
    lines = [f"(;GM[{names[0]}]CA[UTF-8]{told}{_format_setup(record.start)}"]
    for move in record.moves:
        lines.append(f";{_sign(position.game, int(position.state.colour))}[{position.notation(move)}]")
        position = position.play(move)
    return "\n".join([*lines, ")\n"])


def _sign(game: Game, colour: int) -> str:
    return (OF_TWO if game.rules.num_colours == 2 else OF_FOUR)[colour]


def _format_setup(start: Position) -> str:
    if start == start.game.start():
        return ""
    rules, state = start.game.rules, start.state
    text = ""
    placed = pieces_on_board(rules, squares_taken(rules, state))
    for colour in range(rules.num_colours):
        pieces = "".join(f"[{format_squares(rules, squares)}]" for each, squares in placed if each == colour)
        text += f"A{_sign(start.game, colour)}{pieces}" if pieces else ""
    return f"{text}PL[{_sign(start.game, int(state.colour))}]"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")


# -- reading -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Property:
    name: str
    values: list[str]
    line: int
    node: int


def parse_blksgf(text: str) -> BlksgfGame:
    """The game in a text: its main line."""
    properties = list(_main_line(text))
    root = {each.name: each.values[0] for each in properties if each.node == 0}
    if root.get("GM") not in VARIANTS:
        known = list(VARIANTS)
        if "GM" not in root:
            raise _error(1, say("blksgf.no-gm", known=known))
        raise _error(1, say("blksgf.other-gm", known=known, got=root["GM"][:LONGEST_NAME]))
    reader = _Reader(find_game(VARIANTS[root["GM"]]))
    for each in properties:
        reader.read(each)
    is_told = {name: value for name, value in root.items() if name not in ("GM", "CA") and not reader.knows(name)}
    return BlksgfGame(reader.start(), reader.position.history, is_told)


def _main_line(text: str) -> Iterator[_Property]:
    """The properties of the nodes before the first closing parenthesis. What follows is other variations."""
    index = depth = 0
    line, node, is_main = 1, -1, True
    while index < len(text):
        token = _TOKEN.match(text, index)
        if token is None:
            raise _error(line, say("blksgf.token", got=repr(text[index : index + LONGEST_NAME])[1:-1]))
        sign = token["sign"]
        if (sign is None and token["name"] and node < 0) or (sign == ";" and depth == 0):
            raise _error(line, say("blksgf.begin"))
        if sign == "(" and depth == 0 and not is_main:
            raise _error(line, say("blksgf.second"))
        if token["name"] and is_main:
            yield _Property(token["name"], [_unescaped(value) for value in _VALUE.findall(token["values"])], line, node)
        depth += {"(": 1, ")": -1}.get(sign, 0)
        node += sign == ";" and is_main
        is_main = is_main and sign != ")"
        if depth < 0:
            raise _error(line, say("blksgf.not-open"))
        line += token[0].count("\n")
        index = token.end()
    if depth > 0 or node < 0:
        raise _error(line, say("blksgf.not-closed") if depth > 0 else say("blksgf.nothing"))


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


class _Reader:
    """A game being read: first what is set up, then the moves."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules
        signs = OF_TWO if self.rules.num_colours == 2 else OF_FOUR
        self.colours = {sign: colour for colour, sign in enumerate(signs)}
        if self.rules.num_colours == 4:
            self.colours |= {name.upper(): colour for colour, name in enumerate(COLOURS)}
        self.setup: dict[frozenset[int], int] = {}  # the colour of each piece that is set up
        self.first: int | None = None
        self.position = game.start()
        self.has_begun = False

    def knows(self, name: str) -> bool:
        """Whether a property is about the board; all others are only told on."""
        return name in self.colours or name in ("AE", "PL") or (name[0] == "A" and name[1:] in self.colours)

    def read(self, item: _Property) -> None:
        if item.name in self.colours:
            self.play(item)
        elif self.knows(item.name):
            if self.has_begun:
                raise _error(item.line, say("blksgf.late-setup", property=item.name))
            self.set_up(item)

    def play(self, item: _Property) -> None:
        if not self.has_begun:
            self.position, self.has_begun = self.set_up_position(item.line), True
        colour, text = self.colours[item.name], ",".join(item.values)
        if not text.strip() and int(self.position.state.dropped) >> colour & 1:
            return  # it passes, for it has dropped out
        if colour != self.position.state.colour and not self.position.is_over:
            expected = colour_name(self.position.state.colour)
            raise _error(item.line, say("blksgf.other-colour", expected=expected, got=colour_name(colour)))
        squares = self.squares(text, item.line)
        try:
            self.position = self.position.play(format_squares(self.rules, squares))
        except MoveError as error:
            raise _error(item.line, error.message) from None

    def set_up(self, item: _Property) -> None:
        if item.name == "PL":
            if item.values[0] not in self.colours:
                raise _error(item.line, say("blksgf.colour", got=item.values[0][:LONGEST_NAME]))
            self.first = self.colours[item.values[0]]
            return
        for value in item.values:
            squares = frozenset(self.squares(value, item.line))
            if item.name != "AE":
                self.setup[squares] = self.colours[item.name[1:]]
            elif self.setup.pop(squares, None) is None:
                raise _error(item.line, say("blksgf.remove", got=value[:60]))

    def squares(self, text: str, line: int) -> list[int]:
        try:
            return parse_squares(self.rules, text)
        except ValueError as error:
            raise _error(line, message_of(error)) from None

    def start(self) -> Position:
        return self.set_up_position(1)

    def set_up_position(self, line: int) -> Position:
        """The position in which the moves begin."""
        if not self.setup and self.first is None:
            return self.game.start()
        state = self.game.start().state
        for squares, colour in self.setup.items():
            self.lay(state, squares, colour, line)
        first = 0 if self.first is None else self.first
        state.colour = first
        self.rules.next_colour(state, (first or self.rules.num_colours) - 1)
        if self.first is not None and state.colour != first and can_place(self.rules, state, state.colour):
            raise _error(line, say("blokus.cannot-move", colour=colour_name(first)))
        return Position(self.game, state)

    def lay(self, state: Record, squares: frozenset[int], colour: int, line: int) -> None:
        """Put a piece where it is free, be it legal or not."""
        shown = format_squares(self.rules, list(squares))
        move = self.rules.numbers.get(squares)
        if move is None:
            raise _error(line, say("blksgf.squares", got=shown[:60]))
        piece = NAMES.index(self.rules.piece_name(move))
        if not int(state.left[colour]) >> piece & 1:
            raise _error(line, say("blksgf.another", piece=NAMES[piece], colour=colour_name(colour)))
        if any(self.is_occupied(state, square) for square in squares):
            raise _error(line, say("blksgf.occupied", got=shown))
        state.colour = colour
        placements = self.rules.placements
        self.rules.lay(state, placements.orientation[move], int(placements.row[move]), int(placements.col[move]))
        self.rules.take(state, piece)

    def is_occupied(self, state: Record, square: int) -> bool:
        row, col = divmod(square, self.rules.num_rows)
        words = (int(state.maps[first_row(colour) + row]) for colour in range(self.rules.num_colours))
        return any(word >> int(OCCUPIED) + col & 1 for word in words)


def _error(line: int, what: Message) -> BlksgfError:
    return BlksgfError("blksgf.line", line=line, what=one_line(what))  # a value may have several lines


def _read(text: str, game: Game | None = None) -> Iterator[BlksgfGame]:
    yield parse_blksgf(text)


BLKSGF = FileFormat("blksgf", "blksgf", _read, format_blksgf, games=VARIANTS)
