"""Recorded games: whatever a game tells about each position, as text, to see when it changes.

`python -m tests.playthroughs.record` writes the files anew; look at the difference before you keep it.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import damier
from damier import Position
from damier.games import REGISTRY
from tests.random_games import random_positions

FOLDER = Path(__file__).parent

SEEDS = {"othello": 10}  # both players pass; 1 for the other games
LARGE = 81  # with more moves than this, board and moves are shown every 20 plies only
LONG = 60  # and so is what players see in a game of hidden information that can last longer than this
EVERY = 20


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def record(name: str) -> str:
    """A whole game, position by position."""
    game = damier.game(name)
    seed = SEEDS.get(name, 1)
    lines = [f"game: {name}", f"seed: {seed}", *_facts(game)]
    positions = list(random_positions(game, seed))
    for position, successor in pairwise(positions):
        move = successor.history[-1]
        lines += ["", *_told(position), f"move: {move}={position.notation(move)}"]
    lines += ["", *_told(positions[-1])]
    return "\n".join(lines) + "\n"


def _facts(game: damier.Game) -> Iterator[str]:
    yield f"version: {getattr(game.rules, 'version', 'none')}"
    yield f"options: {game.options}"
    yield f"players: {game.num_players}"
    yield f"most moves: {game.max_moves}"
    yield f"most plies: {game.max_length}"
    yield f"capabilities: {' '.join(game.capabilities)}"
    if game.has("encode"):
        yield f"encoding: {game.encode_shape}, {game.num_actions} actions"


def _told(position: Position) -> Iterator[str]:
    """All that the game tells about a position."""
    game, ply = position.game, len(position.history)
    is_short = game.max_moves <= LARGE and not (game.is_hidden and game.max_length > LONG)
    is_shown = is_short or ply % EVERY == 0 or position.is_over
    yield f"ply: {ply}"
    if is_shown:
        yield from (line.rstrip() for line in position.draw(unicode=False).splitlines())
    yield f"player: {position.player}"
    yield _moves(position) if is_shown else f"moves: {len(position.moves())} {_digest(_moves(position).encode())}"
    if position.is_chance:
        listed = " ".join(f"{probability:.6f}" for probability in position.outcomes.values())
        yield f"probabilities: {listed if is_shown else _digest(listed.encode())}"
    yield f"key: {position.key:016x}"
    if game.has("evaluate"):
        yield f"evaluate: {_values(position.evaluate())}"
    if game.has("distance"):
        yield f"distance: {position.distance()}"
    if game.has("score"):
        yield f"score: {game.score(position.state)}"
    if game.has("encode"):
        yield f"encode: {_digest(position.encode().tobytes())}"
    if position.returns is not None:
        yield f"returns: {_values(position.returns)}"
    elif game.is_hidden:
        for player in range(game.num_players):
            told = list(_seen(position, player))
            yield from told if is_shown else [f"player {player}: {_digest(' '.join(told).encode())}"]


def _seen(position: Position, player: int) -> Iterator[str]:
    """What a player knows, and all that they are shown."""
    seen = position.seen_by(player)
    yield f"player {player} knows: {' '.join(map(str, position.observation(player)))}".rstrip()
    yield f"player {player} saw: {seen.line()}".rstrip()
    yield from (f"  {line}".rstrip() for line in seen.draw(unicode=False).splitlines())


def _moves(position: Position) -> str:
    written = (f"{move}={position.notation(move)}" for move in position.moves())
    return f"moves: {' '.join(written)}".rstrip()


def _values(values: tuple[float, ...]) -> str:
    return " ".join(f"{value + 0:.6f}" for value in values)  # + 0: no minus before a zero


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def main() -> None:
    for name in REGISTRY:
        path_of(name).write_text(record(name))


if __name__ == "__main__":
    main()
