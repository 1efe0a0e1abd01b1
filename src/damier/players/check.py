"""Check the laws of a class of your own. A player is asked for moves on random positions."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from damier.core.bring import PartKind
from damier.core.conformance import Report
from damier.core.errors import RulesError, SpecError
from damier.core.game import Game
from damier.core.loading import is_file_name, load_class
from damier.core.numbers import whole_number
from damier.core.position import Position
from damier.core.protocol import Rng
from damier.core.rng import below, new_rng
from damier.core.spec import split_spec
from damier.games import SEVERAL, check_game
from damier.games import game as find_game
from damier.players import player
from damier.players.guests import Guest
from damier.search.laws import PART_KINDS, PartReport, check_part
from damier.search.player import Player

GAMES = SEVERAL[:3]
LEGAL = "a move is legal, given as a number or in the game's notation"
SAME = "the same position and the same seed give the same move"
UNTOUCHED = "the position is left as it was"


@dataclass(frozen=True)
class PlayerReport:
    """The result of a check in which no law was broken."""

    player: str
    games: list[str]
    positions: int
    laws: list[str]
    absent: list[str]
    seconds: float  # for each move, on average
    longest: float  # for any move

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


AnyReport = Report | PlayerReport | PartReport


def check(given: object, games: Sequence[object] = (), count: int = 20, seed: int = 0) -> AnyReport:
    """Check a game, a player or a part of a search: a text name, a class or an instance.

    A game is played `count` times at random. A player is asked on `count` positions, a part of a search on those of
    `count` random games, of each of the `games`.
    """
    cls = _class_of(given)
    kind = None if cls is None else kind_of(cls)
    if isinstance(kind, PartKind):
        return check_part(given, kind, games, count, seed)
    if kind == "player":
        return check_player(given, games or GAMES, count, seed)
    if games:
        raise SpecError("command.check-games", name=given)
    return check_game(given, count, seed)


def kind_of(cls: type) -> str | PartKind | None:
    """Which kind of thing a class is, by its methods: `game`, `player`, a kind of part, or None.

    The first that fits counts, since a game may have `evaluate` too.
    """
    for kind, methods in (("game", ("moves",)), ("player", ("choose", "search"))):
        if any(callable(getattr(cls, method, None)) for method in methods):
            return kind
    return next((kind for kind in PART_KINDS if kind.fits(cls)), None)


def _class_of(given: object) -> type | None:
    """The class behind a name in a file, a class or an instance; None for the name of a game."""
    if not isinstance(given, str):
        return given if isinstance(given, type) else type(given.rules if isinstance(given, Game) else given)
    place = split_spec(given)[0]
    return load_class(place) if is_file_name(place) else None


def check_player(given: object, games: Sequence[object] = GAMES, positions: int = 20, seed: int = 0) -> PlayerReport:
    """Ask a player for its move on random positions of several games, and verify the laws.

    An error, an illegal move or a nonsensical answer is a ForfeitError; another broken law is a RulesError.
    """
    positions = whole_number("positions", positions)
    found = [find_game(game) for game in games]
    takes_seed = _takes_seed(player(given))
    spent = []
    for number in range(positions):
        pos = _random_position(found[number % len(found)], new_rng(seed, number))
        before = Position(pos.game, pos.state, pos.history)
        first, seconds = _ask(given, pos, number)
        spent.append(seconds)
        if pos != before or pos.history != before.history:
            raise RulesError("player.changed", player=given, position=before.described())
        if takes_seed:
            second, _ = _ask(given, pos, number)
            if first != second:
                moves = {"first": pos.notation(first), "second": pos.notation(second)}
                raise RulesError("player.unequal", player=given, **moves, position=pos.described(), seed=number)
    laws = [LEGAL, UNTOUCHED, *([SAME] if takes_seed else [])]
    names = [game.name for game in found]
    absent = [] if takes_seed else ["seed"]
    return PlayerReport(
        str(given), names, positions, laws, absent, sum(spent) / max(1, positions), max(spent, default=0)
    )


def _takes_seed(made: Player) -> bool:
    return made.takes_seed if isinstance(made, Guest) else True


def _ask(given: object, pos: Position, seed: int) -> tuple[int, float]:
    """The move of a new player, and how long it took."""
    made = player(given)
    try:
        made.prepare(pos)
        began = time.perf_counter()
        return made.search(pos, seed).move, time.perf_counter() - began
    finally:
        made.close()


def _random_position(game: Game, rng: Rng) -> Position:
    """A position of a random game in which a player moves, all equally likely."""
    pos, passed = game.start(), []
    while not pos.is_over:
        if not pos.is_chance:
            passed.append(pos)
        pos = pos.play(pos.random_move(rng))
    if not passed:
        raise RulesError("rules.nobody-moves", game=game.name)
    return passed[below(rng, len(passed))]
