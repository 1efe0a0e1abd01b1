"""The contestants of `damier bench`: damier, a plain C program, and other installed libraries.

A contestant plays uniformly random games from the start and reports their results, which shows that all contestants do
the same work. Or it searches the first position by UCT, with one random game per simulation. Seconds are processor
time: other programs on the machine don't count, and all threads of a contestant do.

To add a library, write a function like those below and name it in ENTRANTS or SEARCHERS.
"""

import json
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.players import player
from damier.search.playouts import playouts

C_SOURCE = Path(__file__).parents[3] / "benchmarks" / "connect4.c"
COMPILER = ("gcc", "-O3", "-march=native")
SEARCHED = ("tictactoe", "connect4", "othello", "draughts:rules=english,draw_after=40,man_resets=no")
"""The default games for measuring the search: those that OpenSpiel plays by the same rules."""


@dataclass(frozen=True)
class Played:
    """Results of random games. A figure that a contestant doesn't report is None."""

    games: int
    seconds: float
    plies: int | None = None
    payoff: float | None = None
    """The mean payoff of the first player."""


@dataclass(frozen=True)
class Contestant:
    name: str
    play: Callable[[int, int], Played]
    """Play about `games` games (at least one), with this seed if it takes one."""


class AbsentError(DamierError):
    """A contestant that knows the game but can't take part; the message says why."""


def damier_itself(game: Game, folder: Path) -> Contestant:
    start = game.start()

    def play(games: int, seed: int) -> Played:
        began = time.process_time()
        played = playouts(start, games, seed)
        return Played(games, time.process_time() - began, played.plies, played.returns[0])

    return Contestant("damier", play)


def c_program(game: Game, folder: Path) -> Contestant | None:
    """Connect 4 in plain C, compiled on the spot. It plays exactly the same games as damier."""
    if game.title != "connect4" or game.options != {"rows": 6, "cols": 7}:
        return None
    if not C_SOURCE.is_file():
        raise AbsentError("bench.no-source")
    if shutil.which(COMPILER[0]) is None:
        raise AbsentError("bench.no-compiler", compiler=COMPILER[0])
    program = folder / "connect4"
    compiled = subprocess.run([*COMPILER, "-o", program, C_SOURCE], capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        raise AbsentError("bench.not-compiled", why=" ".join(compiled.stderr.split()))

    def play(games: int, seed: int) -> Played:
        printed = subprocess.run([program, str(games), str(seed)], capture_output=True, check=True).stdout
        told = json.loads(printed)
        return Played(games, told["seconds"], told["plies"], (told["wins"][0] - told["wins"][1]) / games)

    return Contestant(f"C, {' '.join(COMPILER)}", play)


def openspiel_rollouts(game: Game, folder: Path) -> Contestant | None:
    """OpenSpiel without Python: its rules, its search and its random games are C++."""
    rules = _openspiel_rules(game)
    if rules is None:
        return None
    pyspiel = _peer("pyspiel", "OpenSpiel")

    def play(games: int, seed: int) -> Played:
        # The first simulation of a search evaluates the position it starts from: it plays `games` random games.
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=games, seed=seed)
        search = pyspiel.MCTSBot(
            rules, evaluator, uct_c=1, max_simulations=1, max_memory_mb=1, solve=False, seed=seed, verbose=False
        )
        began = time.process_time()
        root = search.mcts_search(rules.new_initial_state())
        return Played(games, time.process_time() - began, payoff=root.total_reward)

    return Contestant("OpenSpiel, C++", play)


def openspiel_from_python(game: Game, folder: Path) -> Contestant | None:
    """OpenSpiel as most of its users call it: C++ rules, and a loop in Python."""
    rules = _openspiel_rules(game)
    if rules is None:
        return None

    def play(games: int, seed: int) -> Played:
        uniform = random.Random(seed).random
        plies, total = 0, 0.0
        began = time.process_time()
        for _ in range(games):
            state = rules.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
                plies += 1
            total += state.returns()[0]
        return Played(games, time.process_time() - began, plies, total / games)

    return Contestant("OpenSpiel, from Python", play)


def _openspiel_rules(game: Game) -> Any:
    """OpenSpiel's rules of a game of ours; None if it has none."""
    name = openspiel_name(game)
    return None if name is None else _peer("pyspiel", "OpenSpiel").load_game(name)


def openspiel_name(game: Game) -> str | None:
    """OpenSpiel's name of one of our games. The faster of its two m,n,k games has only square boards."""
    match game.title, game.options:
        case "tictactoe", _:
            return "tic_tac_toe"
        case "connect4", {"rows": rows, "cols": cols}:
            return f"connect_four(rows={rows},columns={cols})"
        case "othello", {"size": 8}:
            return "othello"
        case "draughts", {"rules": "english", "draw_after": 40, "man_resets": False, **others}:
            # Each jump is a separate move there, so games are the same but have more moves.
            return "checkers" if set(others.values()) <= {None, ""} else None
        case "mnk" | "gomoku" | "connect5", {"rows": rows, "cols": cols, "k": k}:
            return f"gomoku(size={rows},connect={k})" if rows == cols else f"mnk(m={cols},n={rows},k={k})"
    return None


def pgx_batch(game: Game, folder: Path) -> Contestant | None:
    """Pgx on the CPU: a batch of parallel games, each restarted when it ends, all within JAX."""
    names = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "othello": "othello"}
    if game.title not in names or game.options != game.defaults:
        return None
    pgx = _peer("pgx", "pgx")
    jax, auto_reset = import_module("jax"), import_module("pgx.experimental").auto_reset
    batch = 256  # of 64 to 4096 the fastest on most games
    env = pgx.make(names[game.title])
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def run(key: Any, states: Any, games: int) -> Any:
        def move(carry: Any) -> Any:
            key, states, finished, steps = carry
            key, for_move, for_chance = jax.random.split(key, 3)
            scores = jax.numpy.where(states.legal_action_mask, 0.0, -jax.numpy.inf)
            actions = jax.random.categorical(for_move, scores, axis=-1)
            states = step(states, actions, jax.random.split(for_chance, batch))
            return key, states, finished + states.terminated.sum(), steps + 1

        return jax.lax.while_loop(lambda carry: carry[2] < games, move, (key, states, 0, 0))

    # A batch goes on where it was stopped, so that no game is begun in vain. Its games end in bursts: a round
    # counts its moves, and how many games they make is known better from all rounds so far.
    states = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))
    all_games = all_plies = 0

    def play(games: int, seed: int) -> Played:
        nonlocal states, all_games, all_plies
        key = jax.random.PRNGKey(seed)
        began = time.process_time()
        _, states, finished, steps = jax.block_until_ready(run(key, states, games))
        seconds = time.process_time() - began
        plies = int(steps) * batch
        all_games, all_plies = all_games + int(finished), all_plies + plies
        return Played(max(1, round(plies * all_games / all_plies)), seconds, plies)

    return Contestant(f"pgx, batch of {batch}", play)


def rust_reversi(game: Game, folder: Path) -> Contestant | None:
    """Othello written in Rust, driven from Python."""
    if game.title != "othello" or game.options != {"size": 8}:
        return None
    board_type = _peer("rust_reversi", "rust-reversi").Board

    def play(games: int, seed: int) -> Played:
        plies = lead = 0
        began = time.process_time()
        for _ in range(games):
            board = board_type()
            while not board.is_game_over():
                if board.is_pass():
                    board.do_pass()
                else:
                    board.do_move(board.get_random_move())
                plies += 1
            lead += board.is_black_win() - board.is_white_win()
        return Played(games, time.process_time() - began, plies, lead / games)

    return Contestant("rust-reversi, from Python", play)


def blokus_rl(game: Game, folder: Path) -> Contestant | None:
    """Blokus written in Rust, driven from Python. Its payoffs are not comparable with ours."""
    if game.title != "blokus" or game.options != game.defaults:
        return None
    board_type = _peer("blokus_rl", "blokus-rl").blokus_env.PyBlokus

    def play(games: int, seed: int) -> Played:
        uniform = random.Random(seed).random
        plies = 0
        began = time.process_time()
        for _ in range(games):
            board = board_type()
            board.reset()
            while not board.is_over:
                if board.terminations[board.agent_selection]:
                    board.step(None)  # a colour that has dropped out passes
                    continue
                mask = np.frombuffer(board.observe(board.agent_selection).action_mask, bool)
                legal = np.flatnonzero(mask)
                board.step(int(legal[int(uniform() * legal.size)]))
                plies += 1
        return Played(games, time.process_time() - began, plies)

    return Contestant("blokus-rl, from Python", play)


UCB1_C = 1.0
"""The exploration constant for means in [0, 1]; OpenSpiel's default is 2 for means in [-1, 1], which is the same."""


def damier_search(game: Game, sims: int) -> Contestant:
    """UCT, each search in a fresh tree."""
    searcher = player(f"uct:sims={sims},keep=false,c={UCB1_C}")
    start = game.start()

    def play(games: int, seed: int) -> Played:
        searches = max(1, round(games / sims))
        began = time.process_time()
        done = sum(searcher.search(start, seed + number).sims for number in range(searches))
        return Played(done, time.process_time() - began)

    return Contestant("damier", play)


def threaded_search(game: Game, threads: int) -> Contestant:
    """UCT on several threads, measured in wall-clock time, because threads exist to shorten the wait."""
    searcher = player(f"uct:seconds=0.2,threads={threads},keep=false,c={UCB1_C}")
    start = game.start()

    def play(games: int, seed: int) -> Played:
        began = time.perf_counter()
        done = searcher.search(start, seed).sims
        return Played(done, time.perf_counter() - began)

    return Contestant("damier" if threads == 1 else f"damier, {threads} threads", play)


def openspiel_search(game: Game, sims: int) -> Contestant | None:
    """OpenSpiel's Monte-Carlo tree search: C++ from the first simulation to the last."""
    rules = _openspiel_rules(game)
    if rules is None:
        return None
    pyspiel = _peer("pyspiel", "OpenSpiel")
    start = rules.new_initial_state()

    def play(games: int, seed: int) -> Played:
        bots = []
        for number in range(max(1, round(games / sims))):
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed + number)
            # solve=False: no early stop, and no time spent on proofs
            bots.append(
                pyspiel.MCTSBot(
                    rules,
                    evaluator,
                    uct_c=2 * UCB1_C,
                    max_simulations=sims,
                    max_memory_mb=1000,
                    solve=False,
                    seed=seed + number,
                    verbose=False,
                )
            )
        began = time.process_time()
        done = sum(bot.mcts_search(start).explore_count for bot in bots)
        return Played(done, time.process_time() - began)

    return Contestant("OpenSpiel, C++ MCTSBot", play)


Entrant = Callable[[Game, Path], Contestant | None]
"""Makes a contestant for a game, or None if it doesn't have the game; the folder is for its build files."""

Searcher = Callable[[Game, int], Contestant | None]
"""The same for a search with a number of simulations."""

ENTRANTS: tuple[Entrant, ...] = (
    c_program,
    openspiel_rollouts,
    openspiel_from_python,
    pgx_batch,
    rust_reversi,
    blokus_rl,
)

SEARCHERS: tuple[Searcher, ...] = (openspiel_search,)

PACKAGES = ("open_spiel", "pgx", "jax", "rust-reversi", "blokus-rl")
"""The package names of the other libraries."""


def _peer(module: str, name: str) -> Any:
    if find_spec(module) is None:
        raise AbsentError("bench.not-installed", name=name)
    return import_module(module)
