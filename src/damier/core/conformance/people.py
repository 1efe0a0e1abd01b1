"""The laws of presentation: notation, boards, colours, files; and of positions as Python objects."""

import pickle
from collections import Counter

import numpy as np

from damier.core.conformance.trial import Trial
from damier.core.errors import DamierError, PositionError
from damier.core.file_formats import FileFormat
from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE


def check_position(trial: Trial, moves: list[int], seed: int) -> None:
    if "<locals>" not in type(trial.game.rules).__qualname__:  # a class within a function can't be found again
        copy = trial.guard("pickle", lambda: pickle.loads(pickle.dumps(trial.position)))
        same = copy == trial.position and hash(copy) == hash(trial.position)
        trial.require(same, "position", "pickled, it differs")


def check_notation(trial: Trial, moves: list[int], seed: int) -> None:
    notations = [trial.guard("format_move", trial.position.notation, move) for move in moves]
    twice = [notation for notation, times in Counter(notations).items() if times > 1]
    trial.require(not twice, "format_move", f"several moves are written {twice[:3]}")
    for move, notation in zip(moves, notations, strict=True):
        read = trial.guard("parse_move", trial.position.parse, notation)
        trial.require(read == move, "format_move", f"{move} is written {notation!r}, which is read as {read}")


def check_text(trial: Trial, moves: list[int], seed: int) -> None:
    text = trial.guard("format_position", trial.position.text)
    trial.require(
        bool(text) and text == " ".join(text.split()), "format_position", f"{text!r} is not one line of words"
    )
    read = trial.guard("parse_position", trial.game.position, text)
    again = trial.guard("format_position", read.text)
    trial.require(again == text, "format_position", f"{text!r} is read and written again as {again!r}")
    for what, found, expected in (
        ("player", read.player, trial.position.player),
        ("moves", read.moves(), moves),
        ("payoffs", _payoffs(trial, read), _payoffs(trial, trial.position)),
        ("key", read.key, trial.position.key),
    ):
        trial.require(found == expected, "format_position", f"of {text!r} the {what} are {found}, not {expected}")
    trial.compare("format_position")
    for wrong in ("", "?", text[: len(text) // 2]):
        read_anyway = trial.guard("parse_position", _read, trial.game, wrong)
        fits = read_anyway is None or (wrong not in ("", "?") and read_anyway.text())
        trial.require(bool(fits), "parse_position", f"{wrong!r} is read as a position")


def _payoffs(trial: Trial, position: Position) -> list[float]:
    """The payoffs at the end by the plain rules, because the compiled ones are not verified yet."""
    values = np.zeros(trial.game.num_players)
    if not position.moves():
        trial.call_plain("returns", position.state, values)
    return values.tolist()


def _read(game: Game, text: str) -> Position | None:
    """The position of a text, or None if it is refused; the guard handles other errors."""
    try:
        return game.position(text)
    except PositionError:
        return None


def check_draw(trial: Trial, moves: list[int], seed: int) -> None:
    trial.require(bool(trial.guard("draw", trial.position.draw, False)), "draw", "the drawing is empty")
    trial.compare("draw")


def check_trails(trial: Trial, moves: list[int], seed: int) -> None:
    grid = trial.guard("view", trial.position.view)
    cells = range(len(grid.row_labels) * len(grid.col_labels))
    met: dict[tuple[int, ...], int] = {}
    for move in moves:
        trails = trial.guard("trails", trial.game.rules.trails, trial.position.state, move)
        trial.require(all(trails), "trails", f"one of move {move} has no cells")
        for trail in trails:
            trial.require(all(cell in cells for cell in trail), "trails", f"{trail} of move {move} leaves the board")
            other = met.setdefault(tuple(trail), move)
            trial.require(other == move, "trails", f"{trail} leads to the moves {other} and {move}")


def check_colour(trial: Trial, moves: list[int], seed: int) -> None:
    if not moves or trial.position.player == CHANCE:
        return
    count = trial.game.num_colours
    colour = trial.guard("colour_to_move", trial.game.rules.colour_to_move, trial.position.state)
    trial.require(colour in range(count), "colour_to_move", f"it is {colour}, and num_colours is {count}")
    if trial.game.has("is_out"):
        is_out = trial.guard("is_out", trial.game.rules.is_out, trial.position.state, colour)
        trial.require(not is_out, "colour_to_move", f"colour {colour} is out and has {len(moves)} moves")


def check_format_score(trial: Trial, moves: list[int], seed: int) -> None:
    if not moves:
        text = trial.guard("format_score", trial.game.rules.format_score, trial.position.state)
        trial.require(isinstance(text, str) and bool(text), "format_score", f"got {text!r}")


def check_file_formats(trial: Trial, moves: list[int], seed: int) -> None:
    """Check that each format reads what it writes; it may refuse a game in one line, as Pentobi lacks some boards."""
    for each in trial.game.file_formats:
        is_format = isinstance(each, FileFormat)
        trial.require(is_format, "file_formats", f"expected a damier.FileFormat, got {each!r}")
        if moves:  # whole games are written, at their end
            continue
        try:
            text = each.write(trial.position)
        except DamierError:
            continue
        read = trial.guard("file_formats", lambda text, each=each: list(each.read(text, trial.game)), text)
        same = [game.end for game in read] == [trial.position]
        same = same and read[0].end.history == trial.position.history
        trial.require(same, "file_formats", f"{each.name} reads another game than it wrote")
