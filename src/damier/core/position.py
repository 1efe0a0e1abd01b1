"""Positions for people, tests and the web: immutable and checked.

Searches do not use them; they work on the records inside.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core import calls, knowledge
from damier.core.errors import MoveError, PositionError, RulesError
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.core.protocol import CHANCE, REFEREE, Planes, Record, Rng
from damier.core.record_text import shortened
from damier.core.rng import new_rng


class Position:
    """A position of a game: `pos.moves()`, `pos.play("d4")`, `print(pos)`.

    Two positions are equal if their games, their records and their observers are; how they were reached does not count.
    `history` are the moves that led here from `origin`, which is the first position of the game or one that was set up.

    In a game of hidden information a position is the referee's, who sees everything. `seen_by` gives a player's.
    """

    __slots__ = ("_moves", "_origin", "_state", "_story", "game", "history", "is_open", "observer")

    game: Game
    history: tuple[int, ...]
    observer: int  # who looks at it: a player, or REFEREE
    is_open: bool  # whether all players see everything, by agreement
    _story: tuple[str, ...]  # the moves that led here, as the observer saw them, if that is a player
    _origin: "Position | None"  # None: the position itself, or with a history the first one of the game
    _state: NDArray[Any]  # an array of one record
    _moves: tuple[int, ...] | None  # listed when first asked for

    def __init__(
        self,
        game: Game,
        state: Record,
        history: tuple[int, ...] = (),
        origin: "Position | None" = None,
        observer: int = REFEREE,
        is_open: bool = False,
        story: tuple[str, ...] = (),
    ) -> None:
        """A position from a record of the game. `game.start()`, `game.position(text)` and `play` make them too."""
        record = game.new_states(1)
        record[0] = state
        record.flags.writeable = False
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "history", tuple(history))
        object.__setattr__(self, "_origin", origin)
        object.__setattr__(self, "_state", record)
        object.__setattr__(self, "_moves", None)
        object.__setattr__(self, "observer", observer)
        object.__setattr__(self, "is_open", is_open)
        object.__setattr__(self, "_story", story)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a position can't be changed; play() gives a new one (tried to set '{name}')")

    # -- the state of the game -----------------------------------------------------------------------------

    @property
    def state(self) -> Record:
        """A copy of the record, for searches to start from."""
        return self._state.copy()[0]

    @property
    def origin(self) -> "Position":
        """The position before the moves of `history`."""
        if self._origin is not None:
            return self._origin
        return self.game.start() if self.history else self

    @property
    def is_from_start(self) -> bool:
        """Whether `history` leads here from the first position of the game and can be replayed."""
        return self.origin == self.game.start()

    @property
    def player(self) -> int:
        """The player to move: 0..n-1, or CHANCE. It has no meaning at the end of the game."""
        return int(self._state["player"].item())

    @property
    def is_over(self) -> bool:
        return not self.moves()

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE and not self.is_over

    def moves(self) -> list[int]:
        """The legal moves, or at a chance node the outcomes; none at the end."""
        listed = self._moves
        if listed is None:
            buffers = self.game.buffers()
            count = self.game.run(calls.list_moves, self._state[0], buffers)
            listed = tuple(buffers.moves[:count].tolist())
            object.__setattr__(self, "_moves", listed)
        return list(listed)

    def notations(self) -> list[str]:
        """The legal moves in notation."""
        return [self.notation(move) for move in self.moves()]

    @property
    def outcomes(self) -> dict[int, float]:
        """At a chance node: the outcomes and their probabilities."""
        if not self.is_chance:
            return {}
        buffers = self.game.buffers()
        count = self.game.run(calls.list_moves, self._state[0], buffers)
        return dict(zip(buffers.moves[:count].tolist(), buffers.probs[:count].tolist(), strict=True))

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The payoffs by player at the end; None before it."""
        return self._values(calls.returns) if self.is_over else None

    @property
    def key(self) -> int:
        """A 64-bit hash of the position."""
        return int(self.game.run(calls.key, self._state[0]))

    def evaluate(self) -> tuple[float, ...]:
        """The game's heuristic value per player."""
        self._require("evaluate")
        return self._values(calls.evaluate)

    def features(self) -> dict[str, tuple[float, ...]]:
        """The features of the heuristic value: by name, each player's amount."""
        self._require("features")
        names = self.game.rules.feature_names
        found = np.zeros((self.game.num_players, len(names)))
        self.game.run(calls.features, self._state[0], found)
        return {name: tuple(found[:, i].tolist()) for i, name in enumerate(names)}

    def distance(self) -> int:
        """A lower bound of the number of moves to the goal of a one-player game."""
        self._require("distance")
        return int(self.game.run(calls.distance, self._state[0]))

    def bounds(self) -> tuple[int, int]:
        """Bounds of player 0's margin in a two-player game, without searching."""
        self._require("bounds")
        low, high = self.game.run(calls.bounds, self._state[0])
        return int(low), int(high)

    def encode(self) -> Planes:
        """The input of a network for this position."""
        self._require("encode")
        planes = np.zeros(self.game.encode_shape, np.float32)
        self.game.run(calls.encode, self._state[0], planes)
        return planes

    def action(self, move: int) -> int:
        """The policy index of a legal move."""
        return int(self.game.run(calls.action, self._state[0], move)) if self.game.has("action") else move

    # -- moving --------------------------------------------------------------------------------------------

    def play(self, move: int | str) -> "Position":
        """The position after a move, given as a number or in the game's notation."""
        number = self.parse(move) if isinstance(move, str) else int(move)
        if number not in self.moves():
            raise self._illegal(move)
        states = self._state.copy()
        self.game.run(calls.play, states[0], number)
        return self._after_move(states[0], number)

    def _after_move(self, state: Record, move: int) -> "Position":
        line = (*self.history, move)
        if self.observer == REFEREE:
            return Position(self.game, state, line, self.origin, is_open=self.is_open)
        position = Position(self.game, state, line, self.origin, self.observer)
        told = knowledge.told(self.game, self._state[0], move, state, self.observer, position.is_over)
        object.__setattr__(position, "_story", (*self._story, *told))
        return position

    def of(self, game: Game) -> "Position":
        """The same position in a game that differs only in its evaluation, for example its weights."""
        origin = self.origin.of(game) if self.history else None
        return Position(game, self.state, self.history, origin, self.observer, self.is_open, self._story)

    # -- hidden information ----------------------------------------------------------------------------------

    def observation(self, player: int | None = None) -> tuple[int, ...]:
        """All that a player knows, by default the observer or else the player to move."""
        self._require("observe")
        mine = self.player if self.observer == REFEREE else self.observer
        seat = mine if player is None else knowledge.seat_in(self.game, player)
        if self.observer not in (REFEREE, seat):
            raise PositionError("position.other-eyes", observer=self.observer, got=seat)
        return knowledge.observation(self.game, self._state[0], max(0, seat))

    def seen_by(self, player: int) -> "Position":
        """What a player may look at. In place of what is hidden from them it holds a random deal that is possible.

        At the end of a game, and in a game without hidden information, everybody sees everything.
        """
        knowledge.seat_in(self.game, player)
        if not self.game.is_hidden or self.is_open or self.is_over or self.observer == player:
            return self
        if self.observer != REFEREE:
            raise PositionError("position.other-eyes", observer=self.observer, got=player)
        dealt = knowledge.usual_deal(self.game, self._state[0], player)
        told = knowledge.story(self.game, self.origin.state, self.history, player)
        return Position(self.game, dealt[0], observer=player, story=told)

    def deal(self, rng: Rng | int) -> "Position":
        """A position that is possible for all that the observer, or else the player to move, knows; with open cards.
        `rng` is a generator from `damier.new_rng`, or a seed."""
        if not self.game.is_hidden or self.is_open or self.is_over:
            return self
        seat = self.player if self.observer == REFEREE else self.observer
        drawn = new_rng(rng) if isinstance(rng, int) else rng
        return Position(self.game, knowledge.redeal(self.game, self._state[0], max(0, seat), drawn)[0], is_open=True)

    def opened(self) -> "Position":
        """The same position with open cards: searches for games without hidden information take it."""
        return Position(self.game, self._state[0], self.history, self._origin, is_open=True)

    def random_move(self, rng: Rng) -> int:
        """A uniformly random legal move; at a chance node an outcome, by its probability."""
        if self.is_over:
            raise MoveError("move.none", position=self.described())
        return int(self.game.run(calls.random_move, self._state[0], self.game.buffers(), rng))

    def play_all(self, moves: str | Iterable[int | str]) -> "Position":
        """The position after several moves: `"d d c"`, `"d,d,c"` or a list."""
        position = self
        for move in moves.split() if isinstance(moves, str) else moves:
            for part in position._split(move) if isinstance(moves, str) else (move,):
                position = position.play(part)
        return position

    def _split(self, word: Any) -> list[str]:
        """Split a word at its commas, unless the game's moves contain commas."""
        if "," not in word or any("," in notation for notation in self.notations()):
            return [word]
        return [part for part in word.split(",") if part]

    def parse(self, text: str) -> int:
        """The legal move that a text describes."""
        try:
            return self.game.parse_move(self.state, text.strip(), self.moves())
        except ValueError:
            raise self._illegal(text) from None

    def notation(self, move: int) -> str:
        """A move in the game's notation."""
        return self.game.format_move(self.state, move)

    def _illegal(self, move: int | str) -> MoveError:
        game, after = self.game.name, self._after()
        if self.is_over:
            return MoveError("move.over", move=move, game=game, after=after)
        legal = self.notations() if isinstance(move, str) else [str(legal) for legal in self.moves()]
        listed = " ".join(legal[:40])
        if len(legal) > 40:
            listed = say("move.some-of", some=listed, count=len(legal))
        return MoveError("move.illegal", move=move, game=game, after=after, legal=listed)

    # -- for people ----------------------------------------------------------------------------------------

    def text(self) -> str:
        """The position as text, which `game.position` reads. A player's view of hidden information has none."""
        if self.observer != REFEREE:
            raise PositionError("position.no-text", observer=self.observer)
        return self.game.format_position(self.state)

    def draw(self, unicode: bool | None = None) -> str:
        """The board as text; by default in Unicode if the terminal can show it."""
        return self.game.draw(self.state, unicode, self.observer)

    def view(self) -> Any:
        """The game's view of the position, as its observer sees it."""
        self._require("view")
        return self.game.view(self.state, self.observer)

    def line(self) -> str:
        """The moves that led here from `origin`, in notation; `?` for those that the observer did not see."""
        if self.observer != REFEREE:
            return " ".join(self._story)
        position, words = self.origin, []
        for move in self.history:
            words.append(position.notation(move))
            position = position.play(move)
        return " ".join(words)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return str(self.described())

    def described(self) -> Message:
        """The position in one line, for a message."""
        key = "position.over" if self.is_over else "position.chance" if self.is_chance else "position.to-move"
        return say("position.described", game=self.game.name, after=self._after(), who=say(key, player=self.player))

    def _after(self) -> Message:
        if self.observer != REFEREE:
            return say("position.seen", observer=self.observer, line=self.line())
        begins = None if self.is_from_start else shortened(self.origin.text())
        if self.history and begins is None:
            return say("position.after", line=self.line())
        if self.history:
            return say("position.from-after", text=begins, line=self.line())
        return say("position.start") if begins is None else say("position.from", text=begins)

    # -- as a value ----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_state = self._state.tobytes() == other._state.tobytes()
        return self.game == other.game and same_state and self.observer == other.observer

    def __hash__(self) -> int:
        return hash((self.game, self._state.tobytes()))

    def __reduce__(self) -> Any:
        sight = self.observer, self.is_open, self._story
        return _unpickle, (self.game, self._state.tobytes(), self.history, self._origin, *sight)

    def _values(self, rule: Any) -> tuple[float, ...]:
        self.game.run(rule, self._state[0], values := np.zeros(self.game.num_players, np.float64))
        return tuple(values.tolist())

    def _require(self, capability: str) -> None:
        if not self.game.has(capability):
            raise RulesError("rules.lacks", game=self.game.name, rule=capability)


def first_position(game: Game) -> Position:
    states = game.new_states(1)
    game.run(calls.setup, states[0])
    return Position(game, states[0])


def _unpickle(game: Game, data: bytes, *rest: Any) -> Position:
    return Position(game, np.frombuffer(data, game.dtype)[0], *rest)
