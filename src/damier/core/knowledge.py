"""What a player knows in a game of hidden information, and positions dealt anew from that.

An *observation* is all that a player knows, as whole numbers (the rule `observe`). A *deal* is a position that is
possible given an observation: what the player can't know is drawn anew (the rule `determinize`).
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from damier.core import calls
from damier.core.errors import PositionError, RulesError
from damier.core.protocol import REFEREE, Record, Rng
from damier.core.rng import new_rng

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position

_BEYOND = 1024  # numbers
HIDDEN = "?"
"""How a move is written for somebody who does not see it."""


def room_for(game: "Game") -> NDArray[np.int64]:
    """Room for an observation, empty if nothing is hidden. There is more behind it: compiled rules that write beyond
    their bound are noticed afterwards, and must do no harm until then."""
    most = game.max_observation or 0
    return np.zeros(most + _BEYOND, np.int64)[:most]


def observation(game: "Game", state: Record, player: int) -> tuple[int, ...]:
    """All that a player knows in a position before the end of the game."""
    out = room_for(game)
    count = game.run(calls.observe, state, player, out)
    return tuple(out[:count].tolist())


def redeal(game: "Game", state: Record, observer: int, rng: Rng) -> NDArray[Any]:
    """An array with one record: the position with what the observer can't know dealt anew. RulesError if the rules
    contradict what the observer knows."""
    dealt = game.new_states(1)
    dealt[0] = state
    game.run(calls.determinize, dealt[0], observer, rng)
    known = observation(game, state, observer)
    found = observation(game, dealt[0], observer)
    if dealt[0].player != state.player or found != known:
        raise RulesError("rules.deal", game=game.name, observer=observer, known=list(known), got=list(found))
    return dealt


def seed_of(known: Iterable[int]) -> int:
    """A seed that is the same for equal observations."""
    return int.from_bytes(hashlib.sha256(repr(tuple(known)).encode()).digest()[:8], "little")


def usual_deal(game: "Game", state: Record, observer: int) -> NDArray[Any]:
    """One deal that stands for all that are possible; it is drawn by the observation, and tells nothing else."""
    return redeal(game, state, observer, new_rng(seed_of(observation(game, state, observer))))


def seen_move(game: "Game", state: Record, move: int, observer: int) -> str:
    """A move as an observer sees it: a player sees their own moves, and the game says what they see of the others."""
    if observer in (REFEREE, state.player) or not game.is_hidden:
        return game.format_move(state, move)
    return str(game.rules.format_seen(state, move, observer)) if game.has("format_seen") else HIDDEN


def seat_in(game: "Game", player: int) -> int:
    """The player, if there is one of that number; PositionError otherwise."""
    if not 0 <= player < game.num_players:
        raise PositionError("position.observer", most=game.num_players - 1, got=player)
    return player


def told(
    game: "Game", before: Record, move: int, after: Record, observer: int, is_over: bool = False
) -> tuple[str, ...]:
    """What an observer hears of a move: its text, or nothing if they can't even know that somebody moved.

    A line with a `?` for each hidden move would reveal how many there were. It has one only where the observer then
    knows more, or somebody else is to move, or the game is over.
    """
    text = seen_move(game, before, move, observer)
    if is_over:
        return (text,)
    knew, knows = (observation(game, each, observer) for each in (before, after))
    is_noticed = before.player != after.player or knew != knows
    return (text,) if text != HIDDEN or is_noticed else ()


def known_as_text(pos: "Position") -> str:
    """The information set of the player to move for people: the moves as they saw them, and what the game adds."""
    seen = pos.seen_by(pos.player)
    words = [seen.line()]
    if pos.game.has("format_known"):
        words.append(str(pos.game.rules.format_known(seen.state, pos.player)))
    return " ".join(filter(None, words))


_stories: OrderedDict[Any, tuple[tuple[int, ...], NDArray[Any], tuple[str, ...]]] = OrderedDict()
_MOST_STORIES = 64


def story(game: "Game", state: Record, moves: Iterable[int], observer: int) -> tuple[str, ...]:
    """A line of moves from a position, before the end of the game, as an observer sees them.

    The last stories are remembered: in a game each line continues the one before.
    """
    line, key = tuple(moves), (game, state.tobytes(), observer)
    before, last, words = _stories.get(key, ((), None, ()))
    states = game.new_states(2)
    states[0] = state if last is None else last
    if line[: len(before)] != before:
        before, words, states[0] = (), (), state
    for move in line[len(before) :]:
        states[1] = states[0]
        game.run(calls.play, states[1], move)
        words += tuple(told(game, states[0], move, states[1], observer))
        states[0] = states[1]
    _stories[key] = line, states[0].copy(), words
    while len(_stories) > _MOST_STORIES:
        _stories.popitem(last=False)
    return words
