"""Text names of games and players with hostile options, built from the options that they really have."""

import random
from functools import cache

import damier
from damier.core.compile import COMPILER_ON
from damier.core.errors import DamierError
from damier.core.loading import load_class
from damier.core.spec import defaults
from damier.games import REGISTRY as GAMES
from damier.players import REGISTRY as PLAYERS
from tests.fuzz.texts import damaged, word

# A search must end by itself: each has one of these, and a small one where the fuzzer gives it a value.
BUDGET = {"sims": 3, "nodes": 50, "depth": 1}
LONGEST_GAME, MOST_MOVES = 100, 100
ENDLESS = ("human", "engine", "perfect", "astar", "idastar", "nested", "nrpa", "zero")  # or slow, or without a budget


@cache
def options_of(locator: str) -> dict[str, object]:
    return defaults(load_class(locator))


def game_spec(rng: random.Random, names: list[str]) -> str:
    """One of these games, mostly with options of its own, whose values need not fit."""
    name = rng.choice(names)
    return _with_options(rng, name, options_of(GAMES[name.partition(":")[0]].locator), {})


def player_spec(rng: random.Random) -> str:
    """A player whose search is short, if it can be made at all."""
    name = rng.choice(["random", "uct"] if COMPILER_ON else [name for name in PLAYERS if name not in ENDLESS])
    known = options_of(PLAYERS[name])
    budget = {option: small for option, small in BUDGET.items() if option in known}
    return _with_options(rng, name, known, budget)


def _with_options(rng: random.Random, name: str, known: dict[str, object], small: dict[str, int]) -> str:
    chosen = {option: str(value) for option, value in small.items()}
    for option in rng.sample(sorted(known), min(len(known), rng.choice([0, 1, 1, 2]))):
        value = word(rng)
        chosen[option] = value if option not in small or not _is_plain(value) else str(small[option])
    listed = ",".join(f"{option}={value}" for option, value in chosen.items())
    spec = f"{name}{',' if ':' in name else ':'}{listed}" if listed else name
    return damaged(rng, spec) if rng.random() < 0.05 and not small else spec


def _is_plain(value: str) -> bool:
    """Whether it is a number that a search would take, and work for long."""
    try:
        return 0 < float(value) < 2**63
    except ValueError:
        return False


def affordable(spec: str) -> str:
    """The same name if it is refused or takes no time to play; tic-tac-toe where the compiler would have to work.

    A large game is out of question too: uncompiled, one of its random games takes seconds.
    """
    try:
        made = damier.game(spec)
    except DamierError:
        return spec
    return "tictactoe" if COMPILER_ON or made.max_length > LONGEST_GAME or made.max_moves > MOST_MOVES else spec
