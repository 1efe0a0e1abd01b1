"""Fit the weight of a placement of Blokus to the moves that a search chooses in games against itself.

    .venv/bin/python benchmarks/blokus_weight.py [--games 365] [--sims 3000] [--out duo.npz] [--seed 0] [--json]

Of the legal placements of a position, the model says, each is chosen with a probability in proportion to its weight:
the exponential of a weighted sum of features (Coulom, Computing Elo ratings of move patterns in the game of Go, 2007).
Printed are the weights under which the search's choices are most likely, found by Newton's method, with shorter steps
where a whole one leads away. What they are worth in `damier.games.blokus.rules`, matches must tell; a number added to
all pieces changes nothing. The games are kept in the file: the command may be stopped, and goes on with more of them.
"""

import argparse
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import damier
from damier.core.compile import kernel
from damier.games.blokus.judging import OPENING, contacts, num_placed
from damier.games.blokus.pieces import NAMES
from damier.games.blokus.rules import Blokus

GAME = "blokus:board=duo"
PLAYER = "grave:sims={sims},widen=4,playout=heavy,bias=1e-3,margin=0.95"
FEATURES = (*NAMES, "ON_POINT", "NO_USE", "BESIDE_PIECE", "BESIDE_POINT", "FROM_MIDDLE")
RANDOM_MOVES = 2  # at most, at the start of a game, so that games differ
PRIOR = 1.0  # against weights that few positions speak of
EXACT = 1e-4  # weights that change by less are found

Array = NDArray[np.float64]


@kernel
def describe(rules: Blokus, state: Any, moves: Any, out: Any) -> None:
    for i in range(moves.size):
        orientation = rules.placement_orientation[moves[i]]
        out[i, rules.piece_of[orientation]] = 1
        found = contacts(rules, state, moves[i], 1 - state.colour)
        for j in range(4):
            out[i, len(NAMES) + j] = found[j]
        if num_placed(rules, state) < OPENING:
            out[i, len(NAMES) + 4] = rules.from_middle[moves[i]]


def play(seed: int, sims: int) -> list[Array]:
    """A game: for each choice the features of all placements, the chosen one first."""
    drawn, position = random.Random(seed), damier.game(GAME).start()
    seats = [damier.player(PLAYER.format(sims=sims)) for _ in range(2)]
    for _ in range(drawn.randint(0, RANDOM_MOVES)):
        position = position.play(drawn.choice(position.moves()))
    choices = []
    while not position.is_over:
        chosen = seats[position.player].search(position, drawn.getrandbits(30)).move
        moves = np.array([chosen, *(move for move in position.moves() if move != chosen)])
        features = np.zeros((len(moves), len(FEATURES)))
        position.game.run(describe, position.state, moves, features)
        choices.append(features)
        position = position.play(chosen)
    return choices


def fit(choices: list[Array], steps: int = 20) -> tuple[Array, float]:
    """The weights, and the mean logarithm of the probability that they give to what was chosen."""
    weights = np.zeros(len(FEATURES))
    found, slope, curve = likelihood(choices, weights)
    for _ in range(steps):
        step = np.linalg.solve(curve, slope)
        there = likelihood(choices, weights + step)
        while there[0] < found and np.abs(step).max() > EXACT:  # too far: a whole step may lead away
            step /= 2
            there = likelihood(choices, weights + step)
        if np.abs(step).max() <= EXACT:
            break
        weights, (found, slope, curve) = weights + step, there
    return weights, (found + PRIOR / 2 * float(weights @ weights)) / len(choices)


def likelihood(choices: list[Array], weights: Array) -> tuple[float, Array, Array]:
    """Its logarithm, with the prior, its first derivatives, and the second ones with their sign turned."""
    found, slope, curve = -PRIOR / 2 * float(weights @ weights), -PRIOR * weights, PRIOR * np.eye(len(weights))
    for features in choices:
        scores = features @ weights
        scores -= scores.max()
        shares = np.exp(scores)
        total = shares.sum()
        shares /= total
        mean = shares @ features
        found += float(scores[0] - np.log(total))
        slope += features[0] - mean
        curve += features.T * shares @ features - np.outer(mean, mean)
    return found, slope, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=365)
    parser.add_argument("--sims", type=int, default=3000, help="of a search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("blokus_weight.npz"), help="where the games are kept")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.games < 1:
        parser.error(f"expected at least 1 game, got {arguments.games}")
    choices: list[Array] = []
    first = 0
    if arguments.out.exists():
        with np.load(arguments.out) as kept:
            if (int(kept["sims"]), int(kept["seed"])) != (arguments.sims, arguments.seed):
                parser.error(
                    f"{arguments.out} has games of --sims {kept['sims']} --seed {kept['seed']}: say another --out"
                )
            first = int(kept["games"])
            choices = np.split(kept["features"].astype(float), np.cumsum(kept["lengths"])[:-1])
    for number in range(first, arguments.games):
        choices += play(arguments.seed + number, arguments.sims)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {arguments.games} games", end="", file=sys.stderr)
        if number % 10 == 9 or number == arguments.games - 1:
            save(arguments.out, choices, games=number + 1, sims=arguments.sims, seed=arguments.seed)
    fitted, mean = fit(choices)
    weights = dict(zip(FEATURES, fitted.tolist(), strict=True))
    if arguments.json:
        print(json.dumps({"choices": len(choices), "likelihood": mean, "weights": weights}))
        return
    print(f"\n{len(choices)} choices; mean logarithm of their probability {mean:.3f}")
    print(", ".join(f"{name} {weight:.2f}" for name, weight in weights.items()))


def save(file: Path, choices: list[Array], **settings: int) -> None:
    new = file.with_suffix(".new.npz")
    lengths, features = [len(features) for features in choices], np.concatenate(choices).astype(np.float32)
    np.savez_compressed(new, lengths=lengths, features=features, **settings)  # type: ignore[arg-type]
    os.replace(new, file)


if __name__ == "__main__":
    main()
