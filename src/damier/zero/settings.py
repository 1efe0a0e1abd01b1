"""The settings of a training run: the options of `damier train` and the contents of a run's `config.toml`.

Every number has a default that learns; `RECIPES` has better ones for some games. Unknown keys are refused.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkSettings(Section):
    kind: Literal["tower", "small", "mlp"] = "tower"
    blocks: int = Field(4, ge=1, le=40)  # residual blocks of the tower, hidden layers of the perceptron
    channels: int = Field(32, ge=1, le=1024)  # or neurons a layer
    # The policy's last layer: dense, or a convolution to planes of the board (an action is plane * cells + cell).
    policy: Literal["auto", "dense", "planes"] = "auto"
    # The value head: dense over all cells, or over the mean and maximum of each filter, for boards of any size.
    value: Literal["dense", "pooled"] = "dense"
    pooled_blocks: int = Field(0, ge=0, le=40)  # blocks of the tower, evenly spread, that see the whole board


class StartSettings(Section):
    """The network that the run starts from, by default random weights; `damier train --from` fills it in."""

    network: str | None = None  # one that comes with damier, a file, or the folder of a run
    game: str | None = None  # that it has learnt
    sha256: str | None = None  # of the file, or of the weights of the run


class SearchSettings(Section):
    """How a move is chosen in self-play."""

    root: Literal["gumbel", "puct"] = "gumbel"
    sims: int = Field(32, ge=1)  # L1 of the documents
    max_depth: int | None = Field(None, ge=1)  # L2: nodes at this depth are not expanded
    c_puct: float = Field(2.0, ge=0)
    considered: int = Field(16, ge=2)  # moves that Gumbel's sequential halving starts with
    keep_tree: bool = True  # the tree is kept from one move to the next (puct)
    noise: float = Field(0.25, ge=0, le=1)  # share of Dirichlet noise in the root's prior (puct)
    noise_alpha: float | None = Field(None, gt=0)  # None: 10 / the number of legal moves
    forced_playouts: float = Field(0.0, ge=0)  # k of KataGo; 0 is off, 2 its value
    temperature: float = Field(1.0, ge=0)
    temperature_moves: int = Field(30, ge=0)  # from here on nearly always the best move
    late_temperature: float = Field(0.1, ge=0)
    solver: bool = False  # whether results proven from the ends of games are used
    margin: float = Field(0.0, ge=0, lt=0.5)  # share of a payoff that comes from the game's evaluation of the end
    margin_reach: float = Field(1.0, gt=0, le=1)  # the evaluation that counts as a whole win
    cache: int = Field(1 << 18, ge=0)  # positions whose evaluation is remembered; 0 is off


class SelfPlaySettings(Section):
    games: int = Field(500, ge=1)  # for each iteration
    parallel: int = Field(64, ge=1)  # games in lock-step, for each worker
    random_openings: float = Field(0.25, ge=0, le=1)  # share of games that start with some random moves
    random_moves: int = Field(8, ge=0)  # at most this many
    full_search: float = Field(1.0, gt=0, le=1)  # playout cap: share of moves searched in full and learnt from
    fast_sims: int = Field(8, ge=1)  # ... and the simulations of the others
    solve: int = Field(0, ge=0)  # nodes to solve each of a game's last positions, for an exact outcome; 0 is off
    resign: float | None = Field(None, ge=-1, le=0)  # resign when all values seen for the player are below; None is off


class TrainingSettings(Section):
    optimiser: Literal["adamw", "sgd"] = "adamw"
    learning_rate: float = Field(1e-3, gt=0)
    warmup: int = Field(200, ge=0)  # steps in which the learning rate rises
    cooldown: float = Field(0.0, ge=0, le=1)  # share of the run, at its end, in which it falls to a tenth
    weight_decay: float = Field(1e-4, ge=0)  # c of the loss
    clip: float = Field(1.0, gt=0)  # length of the gradient
    batch: int = Field(256, ge=1)
    precision: Literal["auto", "float32", "bfloat16"] = "auto"  # auto: the faster one on this processor
    reuse: float = Field(4.0, gt=0)  # how often a position is used for learning, on average (instead of epochs)
    epochs: int | None = Field(None, ge=1)  # as in the documents: passes over the whole memory in an iteration
    memory: int = Field(200_000, ge=1)  # positions
    value_mix: float = Field(0.5, ge=0, le=1)  # share of the search's value in the value target; 0: the outcome alone
    value_weight: float = Field(1.0, ge=0)
    ownership: float = Field(0.0, ge=0)  # weight of the loss of whose each square is in the end; 0 is off
    score: float = Field(0.0, ge=0)  # weight of the loss of what the game's evaluation says of the end; 0 is off
    symmetries: bool = True
    average: int = Field(0, ge=0)  # steps over which the weights for play are averaged; 0: the latest weights


class GateSettings(Section):
    kind: Literal["none", "threshold", "sprt"] = "none"
    games: int = Field(40, ge=2)
    openings: int = Field(4, ge=0)  # random moves before the two take over; fewer if games are short
    threshold: float = Field(0.6, ge=0.5, le=1)
    sims: int | None = Field(None, ge=1)  # None: as in self-play
    rating_games: int = Field(0, ge=0)  # against earlier checkpoints, to rate them; 0 is off


class Settings(Section):
    """A whole run."""

    game: str
    iterations: int = Field(20, ge=1)
    minutes: float | None = Field(None, gt=0)  # stop after the iteration in which this time is over
    seed: int = Field(0, ge=0, lt=1 << 63)
    quantised: bool = False  # self-play with the int8 network
    start: StartSettings = StartSettings()
    network: NetworkSettings = NetworkSettings()
    search: SearchSettings = SearchSettings()
    selfplay: SelfPlaySettings = SelfPlaySettings()
    training: TrainingSettings = TrainingSettings()
    gate: GateSettings = GateSettings()
