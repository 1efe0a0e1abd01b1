"""The law of `symmetries`: a game is played along with its mirror image."""

import numpy as np
from numpy.typing import NDArray

from damier.core.conformance.trial import Trial
from damier.core.errors import RulesError
from damier.core.game import Game


class Mirror:
    """The mirror image of a game."""

    def __init__(self, game: Game, cells: NDArray[np.intp], actions: NDArray[np.intp]) -> None:
        self.position = game.start()
        self.cells, self.actions = np.asarray(cells), np.asarray(actions)
        self.image_of = np.argsort(self.actions)
        for key, permutation, size in (
            ("rules.cells", self.cells, int(np.prod(game.rules.encode_shape[1:]))),
            ("rules.actions", self.actions, game.rules.num_actions),
        ):
            if sorted(permutation.tolist()) != list(range(size)):
                raise RulesError(key, game=game.name, last=size - 1)

    def play(self, trial: Trial, move: int) -> None:
        """Play the image of a move, and compare the legal moves."""
        if trial.position.is_chance:
            self.position = self.position.play(move)
            return
        by_action = {self.position.action(legal): legal for legal in self.position.moves()}
        images = {int(self.image_of[trial.position.action(legal)]) for legal in trial.position.moves()}
        trial.require(images == set(by_action), "symmetries", "the legal moves are not mirrored")
        self.position = self.position.play(by_action[int(self.image_of[trial.position.action(move)])])
        same = self.position.player == trial.position.play(move).player
        trial.require(same, "symmetries", "another player is to move")

    def check_encoding(self, trial: Trial) -> None:
        planes = trial.position.encode()
        expected = planes.reshape(planes.shape[0], -1)[:, self.cells]
        same = np.array_equal(self.position.encode().reshape(expected.shape), expected)
        trial.require(same, "symmetries", "the encoding is not mirrored")

    def check_returns(self, trial: Trial) -> None:
        same = self.position.returns == trial.position.returns
        trial.require(same, "symmetries", f"it pays {self.position.returns}")
