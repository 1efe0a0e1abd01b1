"""A player served by the Go Text Protocol, for any game: the engine's side of the protocol.

It knows the commands of version 2 of the protocol that make sense outside Go, and Pentobi's for Blokus: `set_game`,
`all_legal`, `cputime`, `get_value`, `g`, `p`, `set_random_seed`. Our own are `set_position` and `get_position`, for
positions as text. See `gtp_client` for the names of colours.
"""

import re
import time
import traceback
from collections.abc import Callable, Iterable
from typing import TextIO

from damier.core.errors import DamierError, MoveError, SpecError
from damier.core.game import Game
from damier.core.messages import message_of
from damier.core.position import Position
from damier.core.rng import new_rng, next_word
from damier.core.spec import split_spec
from damier.core.version import __version__
from damier.core.view import Grid
from damier.games import REGISTRY, file_formats
from damier.games import game as find_game
from damier.players import Player, player
from damier.players.external.gtp_client import CHANCE_COLOUR, side_to_move, sides
from damier.search.result import SearchResult

LONGEST_NUMBER = 9  # digits
LARGEST_BOARD = 50
SHOWN = 60  # characters of what was sent, in an answer

# Other names of the sides, by how many there are.
NAMES_OF_TWO = {"black": 0, "white": 1, "blue": 0, "yellow": 1, "green": 1, "1": 0, "2": 1}
NAMES_OF_MORE = {"blue": 0, "yellow": 1, "red": 2, "green": 3}


class GtpError(DamierError):
    """A command that is answered with `?`."""


def _check_open(game: Game) -> None:
    """Refuse a game of hidden information: the protocol tells both sides everything."""
    if game.is_hidden:
        raise SpecError("engine.hidden", game=game.name)


class GtpServer:
    """A game in progress, a player, and the commands about them."""

    def __init__(self, game: Game, spec: str, seed: int = 0, start: Position | None = None) -> None:
        _check_open(game)
        self.spec = spec
        self.seeds = new_rng(seed)
        self.player: Player = player(spec)
        self.game = game
        self.positions = [start or game.start()]
        self.last: tuple[int, SearchResult] | None = None  # who moved, and what the search found
        self.is_running = True
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"damier {self.spec}",
            "version": lambda words: __version__,
            "known_command": lambda words: "true" if words and words[0] in self.commands else "false",
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": self.quit,
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "komi": _ignored,
            "time_settings": _ignored,
            "time_left": _ignored,
            "play": self.play,
            "genmove": self.genmove,
            "reg_genmove": self.reg_genmove,
            "undo": self.undo,
            "showboard": lambda words: "\n" + self.position.draw(unicode=False),
            "final_score": self.final_score,
            "all_legal": self.all_legal,
            "set_game": self.set_game,
            "set_position": self.set_position,
            "get_position": lambda words: self.position.text(),
            "set_random_seed": self.set_random_seed,
            "get_value": self.get_value,
            "cputime": lambda words: f"{time.process_time():.3f}",
            "g": lambda words: self.genmove([self._side_name()]),
            "p": lambda words: self.play([self._side_name(), *words]),
        }

    @property
    def position(self) -> Position:
        return self.positions[-1]

    # -- lines -----------------------------------------------------------------------------------------------

    def answer(self, line: str) -> str | None:
        """The answer to a line, with the empty line at its end; None if there is nothing to answer."""
        line = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0])
        words = line.split()
        number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
        if not words:
            return f"?{number} expected a command\n\n" if number else None
        try:
            sign, text = "=", self._obey(words[0], words[1:])
        except DamierError as error:
            sign, text = "?", " ".join(str(error).split())
        except Exception:  # a bug of ours, or of the rules: it is reported, and the controller goes on
            traceback.print_exc()
            sign, text = "?", f"internal error at '{words[0][:SHOWN]}'"
        first, *others = f"{sign}{number} {text}".split("\n")
        lines = [first.rstrip(), *(line or " " for line in others)]  # an empty one would end the answer
        return "\n".join(lines) + "\n\n"

    def _obey(self, command: str, words: list[str]) -> str:
        if command not in self.commands:
            raise GtpError(f"unknown command '{command[:SHOWN]}'")
        return self.commands[command](words)

    # -- the game --------------------------------------------------------------------------------------------

    def quit(self, words: list[str]) -> str:
        self.is_running = False
        return ""

    def clear_board(self, words: list[str]) -> str:
        self._begin(self.game.start())
        return ""

    def boardsize(self, words: list[str]) -> str:
        size = _whole_number(words)
        if size > LARGEST_BOARD:
            raise GtpError(f"unacceptable size {size}: expected at most {LARGEST_BOARD}")
        if self._board_size() != (size, size):
            self._begin(self._resized(size).start())
        else:
            self._begin(self.game.start())
        return ""

    def set_game(self, words: list[str]) -> str:
        """Choose a game by its name here, or by the name that other programs write into files."""
        name = " ".join(words)
        names = {theirs: ours for each in file_formats().values() for theirs, ours in each.games.items()}
        spec = names.get(name, name)
        if split_spec(spec)[0] not in REGISTRY:
            known = ", ".join([*names, *REGISTRY])
            raise GtpError(f"expected one of {known}, got '{name[:SHOWN]}'")
        chosen = find_game(spec)
        _check_open(chosen)
        self._begin(chosen.start())
        return ""

    def set_position(self, words: list[str]) -> str:
        """A position as text: what `get_position` answers."""
        self._begin(self.game.position(" ".join(words)))
        return ""

    def play(self, words: list[str]) -> str:
        side, text = self._side(words), " ".join(words[1:])
        if text.lower() == "pass" and self._is_out(side):
            return ""
        self._check_turn(side)
        position = self.position
        try:
            move = position.parse(text)
        except MoveError as error:
            raise GtpError(f"illegal move '{text[:SHOWN]}'" if len(str(error)) > 500 else message_of(error)) from None
        self.positions.append(position.play(move))
        return ""

    def undo(self, words: list[str]) -> str:
        if len(self.positions) == 1:
            raise GtpError("cannot undo: no move was played")
        self.positions.pop()
        return ""

    def final_score(self, words: list[str]) -> str:
        position = self.position
        returns = position.returns
        if returns is None:
            raise GtpError("the game is not over")
        if self.game.has("format_score"):
            return str(self.game.rules.format_score(position.state))
        if len(returns) != 2:
            return " ".join(f"{payoff:.6g}" for payoff in returns)
        return "0" if returns[0] == returns[1] else f"{'B' if returns[0] > returns[1] else 'W'}+1"

    def all_legal(self, words: list[str]) -> str:
        if words:
            self._check_turn(self._side(words))
        return "\n".join(self.position.notations())

    # -- the player ------------------------------------------------------------------------------------------

    def genmove(self, words: list[str]) -> str:
        answer = self.reg_genmove(words)
        if self.last is not None and answer != "pass":
            self.positions.append(self.position.play(self.last[1].move))
        return answer

    def reg_genmove(self, words: list[str]) -> str:
        side, position = self._side(words), self.position
        if position.is_over or self._is_out(side):
            self.last = None
            return "pass"
        self._check_turn(side)
        if position.is_chance:
            raise GtpError(f"chance moves: expected play {CHANCE_COLOUR} and an outcome")
        self.last = position.player, self.player.search(position, next_word(self.seeds) >> 1)
        return self.last[1].notation

    def get_value(self, words: list[str]) -> str:
        """The value of the last generated move for the player who made it, between 0 and 1."""
        if self.last is None or self.last[1].values is None:
            raise GtpError("there is no value: expected genmove or reg_genmove before")
        mover, result = self.last
        assert result.values is not None
        return f"{0.5 + 0.5 * result.values[mover]:.4f}"

    def set_random_seed(self, words: list[str]) -> str:
        self.seeds = new_rng(_whole_number(words))
        return ""

    # -- colours and boards ----------------------------------------------------------------------------------

    def _begin(self, start: Position) -> None:
        """Start a new game. A search keeps its tree from one move to the next, never from one game to the next."""
        self.player.close()
        self.game, self.player, self.positions, self.last = start.game, player(self.spec), [start], None
        self.prepare()

    def prepare(self) -> None:
        """Compile now, so the first move is not late."""
        self.player.prepare(self.position)

    def _side(self, words: list[str]) -> str:
        """The name that we use for a colour."""
        own = sides(self.game)
        name = words[0].lower() if words else ""
        others = NAMES_OF_TWO if len(own) == 2 else NAMES_OF_MORE
        if name in others and others[name] < len(own):
            name = own[others[name]]
        if name not in (*own, CHANCE_COLOUR):
            got = f"'{name[:SHOWN]}'" if name else "nothing"
            raise GtpError(f"expected a colour, {' or '.join(own)}, got {got}")
        return name

    def _side_name(self) -> str:
        position = self.position
        return CHANCE_COLOUR if position.is_chance else sides(self.game)[side_to_move(position)]

    def _check_turn(self, side: str) -> None:
        position = self.position
        if position.is_over:
            raise GtpError("the game is over")
        if self._side_name() != side:
            raise GtpError(f"it is the turn of {self._side_name()}, not of {side}")

    def _is_out(self, side: str) -> bool:
        """Whether a colour has dropped out and is passed over."""
        if side == CHANCE_COLOUR or not self.game.has("is_out"):
            return False
        return bool(self.game.rules.is_out(self.position.state, sides(self.game).index(side)))

    def _board_size(self) -> tuple[int, int]:
        view = self.position.view() if self.game.has("view") else None
        return (len(view.row_labels), len(view.col_labels)) if isinstance(view, Grid) else (0, 0)

    def _resized(self, size: int) -> Game:
        options = self.game.options
        changed = {option: size for option in ("size", "rows", "cols") if option in options}
        if not changed:
            raise GtpError(f"unacceptable size {size}: the board of {self.game.name} has one size only")
        try:
            return Game(type(self.game.rules)(**(options | changed)), self.game.title, self.game.preset)
        except (ValueError, MemoryError) as error:
            raise GtpError(f"unacceptable size {size}: {error}") from None


def answer(server: GtpServer, lines: Iterable[str], out: TextIO) -> None:
    """Answer line by line until `quit` or the end."""
    for line in lines:
        answer = server.answer(line)
        if answer is not None:
            out.write(answer)
            out.flush()
        if not server.is_running:
            break


def _ignored(words: list[str]) -> str:
    """A command about Go or about time, which the player's own budget decides: it has no effect."""
    return ""


def _whole_number(words: list[str]) -> int:
    word = words[0] if words else ""
    if not (word.isascii() and word.isdigit() and len(word) <= LONGEST_NUMBER):
        raise GtpError(f"expected a whole number, got '{word[:SHOWN]}'")
    return int(word)
