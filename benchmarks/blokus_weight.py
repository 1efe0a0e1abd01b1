"""Fit the weight of a placement of Blokus to the moves that a search chooses in games against itself.

    .venv/bin/python benchmarks/blokus_weight.py [--games 365] [--sims 3000] [--out duo.npz] [--seed 0] [--json]

Of the legal placements of a position, the model says, each is chosen with a probability in proportion to its weight:
the exponential of a weighted sum of features (Coulom, Computing Elo ratings of move patterns in the game of Go, 2007).
Printed are the weights under which the search's choices are most likely, found by Newton's method. What they are worth
in `damier.games.blokus.rules`, matches must tell; a number added to all pieces changes nothing. The games are kept in
the file: the command may be stopped, and goes on with more of them.
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
from damier.games.blokus.pieces import NAMES
from damier.games.blokus.rules import OPENING, Blokus

GAME = "blokus:board=duo"
PLAYER = "grave:sims={sims},widen=4,playout=heavy,bias=1e-3,margin=0.95"
FEATURES = (*NAMES, "ON_POINT", "NO_USE", "BESIDE_PIECE", "BESIDE_POINT", "FROM_MIDDLE")
RANDOM_MOVES = 2  # at most, at the start of a game, so that games differ
PRIOR = 1.0  # against weights that few positions speak of

Array = NDArray[np.float64]


@kernel
def describe(rules: Blokus, state: Any, moves: Any, out: Any) -> None:
    for i in range(moves.size):
        orientation = rules.placement_orientation[moves[i]]
        out[i, rules.piece_of[orientation]] = 1
        contacts = rules.contacts(state, moves[i], 1 - state.colour)
        for j in range(4):
            out[i, len(NAMES) + j] = contacts[j]
        if rules.num_placed(state) < OPENING:
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
    weights, likelihood = np.zeros(len(FEATURES)), 0.0
    for _ in range(steps):
        slope, curve, likelihood = -PRIOR * weights, PRIOR * np.eye(len(weights)), 0.0
        for features in choices:
            scores = features @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            mean = shares @ features
            slope += features[0] - mean
            curve += features.T * shares @ features - np.outer(mean, mean)
            likelihood += np.log(shares[0])
        weights += np.linalg.solve(curve, slope)
    return weights, likelihood / len(choices)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=365)
    parser.add_argument("--sims", type=int, default=3000, help="of a search")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("blokus_weight.npz"), help="where the games are kept")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    choices: list[Array] = []
    first = 0
    if arguments.out.exists():
        with np.load(arguments.out) as kept:
            first = int(kept["games"])
            choices = np.split(kept["features"].astype(float), np.cumsum(kept["lengths"])[:-1])
    for number in range(first, arguments.games):
        choices += play(arguments.seed + number, arguments.sims)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {arguments.games} games", end="", file=sys.stderr)
        if number % 10 == 9 or number == arguments.games - 1:
            save(arguments.out, number + 1, choices)
    fitted, likelihood = fit(choices)
    weights = dict(zip(FEATURES, fitted.tolist(), strict=True))
    if arguments.json:
        print(json.dumps({"choices": len(choices), "likelihood": likelihood, "weights": weights}))
        return
    print(f"\n{len(choices)} choices; mean logarithm of their probability {likelihood:.3f}")
    print(", ".join(f"{name} {weight:.2f}" for name, weight in weights.items()))


def save(file: Path, games: int, choices: list[Array]) -> None:
    new = file.with_suffix(".new.npz")
    lengths = [len(features) for features in choices]
    np.savez_compressed(new, games=games, lengths=lengths, features=np.concatenate(choices).astype(np.float32))
    os.replace(new, file)


if __name__ == "__main__":
    main()
