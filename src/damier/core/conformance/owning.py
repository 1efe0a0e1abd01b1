"""The law of `owners`: the positions of a random game are remembered, and judged at its end."""

import numpy as np

from damier.core import calls
from damier.core.conformance.mirror import Mirror
from damier.core.conformance.trial import GARBAGE, Guarded, Trial
from damier.core.position import Position
from damier.core.protocol import CHANCE


class Owning:
    """The positions of a game, each with its mirror images."""

    def __init__(self) -> None:
        self.seen: list[tuple[Position, list[Position]]] = []

    def remember(self, position: Position, mirrors: list[Mirror]) -> None:
        if position.player != CHANCE:
            self.seen.append((position, [mirror.position for mirror in mirrors]))

    def check(self, trial: Trial, mirrors: list[Mirror]) -> None:
        """At the end of a game, check what its positions say of the end."""
        for position, images in self.seen:
            found = _owners(trial, position, trial.position)
            for mirror, image in zip(mirrors, images, strict=True):
                same = np.array_equal(_owners(trial, image, mirror.position), found[mirror.cells])
                trial.require(same, "owners", "the mirrored squares belong to others")
        self.seen.clear()


def _owners(trial: Trial, position: Position, end: Position) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Call the rule both ways, and check what it writes."""
    game = trial.game
    count = int(np.prod(game.encode_shape[1:]))
    compiled, plain = Guarded(count, np.dtype(np.int64)), np.full(count, GARBAGE[0], np.int64)
    compiled.array[:] = GARBAGE[1]
    state, last = game.new_states(1), game.new_states(1)
    state[0], last[0] = position.state, end.state
    trial.call_plain("owners", state[0], last[0], plain)
    game.run(calls.owners, state[0], last[0], compiled.array)
    fits = bool(((plain >= -1) & (plain < game.num_players)).all())
    trial.require(fits, "owners", f"it wrote {sorted(set(plain.tolist()))}")
    trial.require(np.array_equal(compiled.array, plain), "agree", "on `owners`")
    trial.require(compiled.is_intact(), "owners", "it wrote outside of `out`")
    is_same = state[0].tobytes() == position.state.tobytes() and last[0].tobytes() == end.state.tobytes()
    trial.require(is_same, "owners", "it changed a position")
    return plain
