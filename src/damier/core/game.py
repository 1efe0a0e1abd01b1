"""`Game`: the rules of a class, checked and named, ready for compiled searches and for people."""

import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numpy.lib.recfunctions import repack_fields
from numpy.typing import NDArray

from damier.core.bring import parts_in
from damier.core.capability import Kind
from damier.core.compile import COMPILER_ON, data_of, object_type
from damier.core.errors import PositionError, RulesError
from damier.core.explain import explain
from damier.core.generic import Buffers
from damier.core.knowledge import observation
from damier.core.loading import failure_in_file, load_class, locator_of
from damier.core.messages import add_messages, is_key, message_of, one_line, say
from damier.core.protocol import CAPABILITIES, FACTS, FOR_PEOPLE, OPTIONAL, REFEREE, REQUIRED, Record
from damier.core.record_text import format_record, parse_record, shortened
from damier.core.spec import defaults, format_spec
from damier.core.view import can_show_unicode, draw_view

if TYPE_CHECKING:
    from damier.core.position import Position


class Game:
    """The result of `damier.game(...)`: the rules, and everything that follows from them.

    The rules' own attributes and methods are available on it, so a kernel takes a Game as well as the rules
    themselves. A fact that the rules don't state has its default here.
    """

    def __init__(self, rules: Any, title: str | None = None, preset: Mapping[str, Any] | None = None) -> None:
        self.rules = rules
        add_messages(self.messages)
        self.title = title or type(rules).__qualname__
        self.preset = dict(preset or {})
        self._check_methods()
        self._check_options()
        self.num_players, self.max_moves, self.max_length = map(
            self._number, ("num_players", "max_moves", "max_length")
        )
        self.dtype = self._record_type()
        for value in data_of(rules).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        if COMPILER_ON:
            self._numba_type_ = rules._numba_type_ = object_type(rules)

    # -- names ---------------------------------------------------------------------------------------------

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The options of this game and their default values."""
        return defaults(type(self.rules)) | self.preset

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options and their values here."""
        return {option: getattr(self.rules, option) for option in self.defaults}

    @cached_property
    def name(self) -> str:
        """The text name, with the options that are not at their default: `connect4:rows=7`."""
        changed = {option: value for option, value in self.options.items() if value != self.defaults[option]}
        return format_spec(self.title, changed)

    @property
    def type_name(self) -> str:
        """The name of the rules' type in compiled code, with the hash of their source; empty with the compiler off."""
        return str(self._numba_type_) if COMPILER_ON else ""

    def has(self, capability: str) -> bool:
        """Whether the rules have this method, or state this fact: a name of the protocol's table."""
        if CAPABILITIES[capability].kind is Kind.FACT:
            return getattr(self.rules, capability, None) is not None
        return callable(getattr(type(self.rules), capability, None))

    @cached_property
    def is_hidden(self) -> bool:
        """Whether it is a game of hidden information: players see different things."""
        return self.has("observe")

    @property
    def capabilities(self) -> list[str]:
        """The optional methods that the rules have."""
        return [name for name in (*OPTIONAL, *FOR_PEOPLE) if self.has(name)]

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Game) and self._recipe == other._recipe)

    def __hash__(self) -> int:
        return hash(self.name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "rules" not in vars(self):
            raise AttributeError(name)
        if name not in FACTS or self.has(name):
            return getattr(self.rules, name)
        default = CAPABILITIES[name].value
        return default(self) if callable(default) else default

    def __reduce__(self) -> Any:
        return _rebuild, self._recipe

    @cached_property
    def _recipe(self) -> tuple[Any, ...]:
        return locator_of(type(self.rules)), self.options, self.title, self.preset

    # -- positions and compiled calls ----------------------------------------------------------------------

    def start(self) -> "Position":
        """The first position."""
        from damier.core.position import first_position

        return first_position(self)

    def position(self, text: str) -> "Position":
        """The position that a text describes, as `Position.text` writes it; PositionError says why there is none."""
        from damier.core.position import Position

        state = self.new_states(1)[0]
        try:
            self.parse_position(state, text.strip())
        except (ValueError, LookupError, OverflowError) as error:
            why = one_line(message_of(error))  # it may quote the text
            raise PositionError("position.none", game=self.name, text=shortened(text), why=why) from None
        return Position(self, state)

    def new_states(self, count: int) -> NDArray[Any]:
        """Room for that many positions, all zero."""
        return np.zeros(count, self.dtype)

    def buffers(self) -> Buffers:
        """Room for what the rules write about one position."""
        return Buffers(self.max_moves, self.num_players)

    def run(self, kernel: Callable[..., Any], *args: Any) -> Any:
        """Call `kernel(rules, *args)`; errors are about this game, not about the compiler."""
        try:
            return kernel(self.rules, *args)
        except RulesError as error:
            raise RulesError("rules.of-game", game=self.name, what=error.message) from None
        except Exception as error:
            parts = [part for arg in args for part in parts_in(arg)]
            explained = explain(self.rules, error, parts) if COMPILER_ON else failure_in_file(error)
            if explained is None:
                raise
            raise explained from None if COMPILER_ON else error

    def prepare(self, kernel: Callable[..., Any], *args: Any) -> None:
        """Compile `kernel` for these arguments, or load it from the cache, without running it."""
        if COMPILER_ON:
            compiled: Any = kernel
            self.run(lambda *given: compiled.compile(tuple(map(numba.typeof, given))), *args)

    # -- for people ----------------------------------------------------------------------------------------

    def format_move(self, state: Record, move: int) -> str:
        return str(self.rules.format_move(state, move)) if self.has("format_move") else str(move)

    def parse_move(self, state: Record, text: str, legal: list[int]) -> int:
        """The move that a text describes; ValueError if it is not legal."""
        for move in legal:
            if self.format_move(state, move).lower() == text.lower():
                return move
        if self.has("parse_move"):
            move = int(self.rules.parse_move(state, text))
            if move in legal:
                return move
        raise ValueError(text)

    @cached_property
    def writes_positions(self) -> bool:
        """Whether the rules have their own text format for positions."""
        return self.has("format_position") and self.has("parse_position")

    def format_position(self, state: Record) -> str:
        """The position as text: the game's own, or the fields of the record."""
        return str(self.rules.format_position(state)) if self.writes_positions else format_record(state)

    def parse_position(self, state: Record, text: str) -> None:
        """Set up the position that a text describes; ValueError if it is invalid."""
        if self.writes_positions:
            self.rules.parse_position(state, text)
        else:
            parse_record(state, text)
        least = -1 if self.uses_chance else 0
        if not least <= state.player < self.num_players:
            raise ValueError(say("position.player", least=least, most=self.num_players - 1, got=state.player))

    def draw(self, state: Record, unicode: bool | None = None, observer: int = REFEREE) -> str:
        """The board as text, in Unicode if the terminal can show it, as an observer sees it."""
        seen = (state, observer) if self.is_hidden else (state,)
        if self.has("draw"):
            drawn = self.rules.draw(*seen)
            return drawn if isinstance(drawn, str) else str(drawn)  # a message stays one
        if self.has("view"):
            return draw_view(self.rules.view(*seen), can_show_unicode() if unicode is None else unicode)
        if self.is_hidden and observer != REFEREE:
            return " ".join(map(str, observation(self, state, observer)))
        return "\n".join(f"{field}: {state[field]}" for field in self.dtype.names or ())

    def value_text(self, value: float) -> str:
        """A payoff or value as people read it: in the game's own words, in its unit, or as a number."""
        if self.has("format_value"):
            return str(self.rules.format_value(value))
        return f"{value * self.unit_size:+.3g} {self.unit_text()}" if self.unit else f"{value:+.3f}"

    def unit_text(self) -> str:
        """The unit in the current language; your own game may define it in its `messages`, as `unit.NAME`."""
        key = f"unit.{self.unit}"
        return say(key).text() if is_key(key) else str(self.unit)

    def view(self, state: Record, observer: int = REFEREE) -> Any:
        """The game's board, as an observer sees it."""
        return self.rules.view(state, observer) if self.is_hidden else self.rules.view(state)

    # -- the checks that need no game to be played ---------------------------------------------------------

    def _check_methods(self) -> None:
        missing = [signature for rule, signature in REQUIRED.items() if not self.has(rule)]
        if missing:
            raise RulesError("rules.missing", game=self.title, methods=missing)
        for rule, declared in CAPABILITIES.items():
            if declared.kind is not Kind.FACT and self.has(rule):
                method = getattr(type(self.rules), rule)
                observer = self.is_hidden and declared.takes_observer
                more = len(inspect.signature(method).parameters) - 1 - len(declared.parameters) - observer
                if more == 1 and declared.takes_observer and not self.is_hidden:
                    raise RulesError("rules.no-observe", game=self.title, rule=rule)
                if more:
                    expected = f"{declared.signature[:-1]}, observer)" if observer else declared.signature
                    got = f"{rule}{inspect.signature(method)}"
                    raise RulesError("rules.signature", game=self.title, expected=expected, got=got)

    def _check_options(self) -> None:
        for option in self.defaults:
            if not hasattr(self.rules, option):
                raise RulesError("rules.keep-option", game=self.title, option=option)

    def _number(self, fact: str) -> int:
        value = getattr(self.rules, fact, None)
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            says = CAPABILITIES[fact].says
            what = f"{says[0].lower()}{says[1:-1]}"
            raise RulesError("rules.fact", game=self.title, fact=fact, meaning=what, got=repr(value))
        return int(value)

    def _record_type(self) -> np.dtype[Any]:
        """The rules' State without gaps, so that equal positions have equal bytes."""
        try:
            dtype: np.dtype[Any] = np.dtype(getattr(self.rules, "State", None))
        except TypeError:
            dtype = np.dtype(float)
        if dtype.names is None or "player" not in dtype.names or dtype["player"].kind != "i":
            raise RulesError("rules.no-state", game=self.title, got=str(getattr(self.rules, "State", None)))
        for name, (field, *_) in (dtype.fields or {}).items():
            if hasattr(np.record, name):
                raise RulesError("rules.field-name", game=self.title, field=name)
            if field.base.kind not in "biuf":
                raise RulesError("rules.field-type", game=self.title, field=name, got=field)
        return np.dtype((np.record, repack_fields(dtype, align=False, recurse=True)))


def _rebuild(locator: str, options: dict[str, Any], title: str, preset: dict[str, Any]) -> Game:
    return Game(load_class(locator)(**options), title, preset)
