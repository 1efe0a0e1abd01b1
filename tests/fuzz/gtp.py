"""Lines to `damier engine`: every one gets one answer of the right form, and none is an internal error."""

import contextlib
import io
import random
from collections.abc import Iterator
from pathlib import Path

import damier
from damier.core.compile import COMPILER_ON
from damier.games import REGISTRY
from damier.players.external.gtp_server import GtpServer
from tests.fuzz.fuzzer import Attempt
from tests.fuzz.specs import affordable, game_spec
from tests.fuzz.texts import LONG, damaged, word

# Small, and as different as games are: chance, one player, three players, colours, a score of its own.
GAMES = ["tictactoe", "connect4", "blokus:board=tiny,size=8", "blokus:board=tiny,players=3", "pig", "sliding"]
GAMES += ["othello:size=4", "dames8", "tree", "samegame:rows=4,cols=4", "backgammon", "pacman", "leftmove", "morpion"]
GAMES += ["Blokus Duo", "Blokus Two-Player"]
BOARDS = ["tree:file=", "othello:weights=", "pacman:layout=", "sliding:board=", "samegame:board=", "tree:text=max("]
if COMPILER_ON:  # each game takes it seconds, and each search on each game more
    GAMES = ["tictactoe", "connect4", "blokus:board=tiny,size=8"]
PLAYERS = ["random", "random", "uct:sims=5", "alphabeta:depth=1", "expectiminimax:depth=1"]
SIDES = ["b", "w", "black", "WHITE", "1", "2", "3", "4", "blue", "green", "chance"]
STARTS = 6  # of the games
LINES = 15  # an attempt


@contextlib.contextmanager
def fuzz_gtp(folder: Path) -> Iterator[Attempt]:
    commands = [name for name in GtpServer(damier.game("tictactoe"), "random").commands if name != "quit"]

    def attempt(rng: random.Random) -> str | None:
        server = GtpServer(
            damier.game(rng.choice(GAMES[:STARTS])),
            rng.choice(PLAYERS[: 1 if COMPILER_ON else None]),
            rng.randrange(100),
        )
        said: list[str] = []
        for _ in range(LINES):
            said.append(_line(rng, server, commands))
            errors = io.StringIO()
            try:
                with contextlib.redirect_stderr(errors):
                    answer = server.answer(said[-1])
            except Exception as error:
                return f"{type(error).__name__}: {error}; after {said}"
            if answer is not None and not _is_well_formed(answer):
                return f"answered {answer!r}: {errors.getvalue()[-900:]!r}; after {said}"
        return None

    yield attempt


def _line(rng: random.Random, server: GtpServer, commands: list[str]) -> str:
    """A command with arguments that may fit; often a move, so that games come to their ends."""
    if rng.random() < 0.4:
        return rng.choice(["g", "g", "undo", f"genmove {rng.choice(SIDES)}", "p " + _move(rng, server)])
    command = rng.choice(commands) if rng.random() < 0.9 else damaged(rng, rng.choice(commands))
    words = [rng.choice(["", "7", "-1", "007"]), command]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        words.append(_argument(rng, server, command))
    line = " ".join(filter(None, words))
    return damaged(rng, line) if rng.random() < 0.15 else line


def _argument(rng: random.Random, server: GtpServer, command: str) -> str:
    if command == "set_game":
        if rng.random() < 0.5:
            return affordable(game_spec(rng, list(REGISTRY)))
        spec = rng.choice([*GAMES, rng.choice(BOARDS) + rng.choice([LONG, word(rng)])])
        return affordable(damaged(rng, spec)) if rng.random() < 0.3 else spec
    if command == "boardsize":
        return rng.choice([str(rng.randrange(13)), word(rng)])
    return rng.choice([rng.choice(SIDES), rng.choice(SIDES), _move(rng, server), word(rng)])


def _move(rng: random.Random, server: GtpServer) -> str:
    moves = server.position.notations()
    return rng.choice(moves) if moves else "pass"


def _is_well_formed(answer: str) -> bool:
    """One answer, which begins with its sign and ends with the only empty line in it."""
    one = answer[:1] in "=?" and answer.endswith("\n\n") and answer.count("\n\n") == 1
    return one and "internal error" not in answer
