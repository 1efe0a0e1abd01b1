"""Finished games as self-play makes them, without a network: random moves, random policies."""

import numpy as np

from damier import Game
from damier.zero.samples import FinishedGame, Samples
from tests.random_games import random_positions


def random_finished_game(game: Game, number: int, seed: int = 0) -> FinishedGame:
    *before, end = random_positions(game, seed * 100_000 + number)
    rng = np.random.default_rng([seed, number])
    legal = [[position.action(move) for move in position.moves()] for position in before]
    counts = [len(actions) for actions in legal]
    states = game.new_states(len(before))
    for place, position in enumerate(before):
        states[place] = position.state
    assert end.returns is not None
    players = game.num_players
    outcomes = [[end.returns[(position.player + i) % players] for i in range(players)] for position in before]
    return FinishedGame(
        number=number,
        seed=seed,
        moves=end.history,
        opening=0,
        returns=end.returns,
        samples=Samples(
            states=states,
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            actions=np.concatenate(legal).astype(np.int32),
            probs=np.concatenate([rng.dirichlet(np.ones(count)) for count in counts]).astype(np.float32),
            outcomes=np.array(outcomes, np.float32),
            searched=rng.uniform(-1, 1, (len(before), players)).astype(np.float32),
            weights=np.ones(len(before), np.float32),
        ),
    )
