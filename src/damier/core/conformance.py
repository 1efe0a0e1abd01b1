"""Does a game keep the laws? Public, for any game: `damier.check_game(game)`.

Random games are played with the compiled rules and with the plain Python ones side by side. At every move
the two must agree and the laws must hold; the first that does not is raised as a RulesError that names the
law and the moves that led there.
"""

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core import calls
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import position_key
from damier.core.position import Position
from damier.core.protocol import CHANCE, FOR_PEOPLE, OPTIONAL, Rng
from damier.core.rng import below, new_rng, next_word, uniform
from damier.core.trial import GENERAL, LAWS, Guarded, Trial, guarded_buffers, same_bytes

_CAPABILITIES = (*OPTIONAL, *FOR_PEOPLE)
_WITH_DEFAULT = ("key", "format_move", "draw")  # what is checked also where it is the default

_CLOSE_LOOKS = 6  # how many positions of a game get the slower checks, on average
_DRAWS = 300  # how often `sample` is asked about a position
_WEIGHED = 20  # the weights of so many moves of a position are looked at
_TOLERANCE = 1e-6
_FEW_PIECES = 3  # the endings that are looked at
_POSITIONS = 5  # so many of each


@dataclass(frozen=True)
class Report:
    """What was checked, with no law broken."""

    game: str
    games: int
    plies: int
    laws: list[str]
    absent: list[str]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def check_game(game: Game, games: int, seed: int) -> Report:
    """Play random games and verify every law; RulesError tells of the first that is broken."""
    _check_network_facts(game)
    _check_one_player(game)
    _check_feature_facts(game)
    _check_two_players(game)
    trial = _Laws(game)
    if game.has("endings"):
        trial.check_endings(new_rng(seed))
    plies = sum(trial.random_game(new_rng(seed, number)) for number in range(games))
    laws = [text for law, text in LAWS.items() if _is_checked(law, game)]
    return Report(game.name, games, plies, laws, [name for name in _CAPABILITIES if not game.has(name)])


def _is_checked(law: str, game: Game) -> bool:
    if law == "action" and game.has("encode"):
        return True  # then the move itself is the policy index
    return law in GENERAL or law in _WITH_DEFAULT or game.has(law)


def _check_one_player(game: Game) -> None:
    if game.has("distance") and (game.num_players != 1 or game.has("chance")):
        raise RulesError(f"{game.name}: `distance` is for one player without chance: nobody else decides how far it is")


def _check_feature_facts(game: Game) -> None:
    if not game.has("features"):
        return
    names, weights = getattr(game.rules, "feature_names", ()), getattr(game.rules, "feature_weights", None)
    if not game.has("evaluate") or not names or np.shape(np.asarray(weights)) != (len(names),):
        raise RulesError(
            f"{game.name}: `features` needs `evaluate`, names in `feature_names` and as many `feature_weights`, "
            f"got {names!r} and {weights!r}"
        )


def _check_two_players(game: Game) -> None:
    for rule in ("bounds", "candidates", "symmetric_key", "ending"):
        if game.has(rule) and (game.num_players != 2 or game.has("chance")):
            raise RulesError(f"{game.name}: `{rule}` is for two players without chance: only such games are solved")
    together = [game.has(rule) for rule in ("endings", "ending", "set_ending")]
    if any(together) and not all(together):
        raise RulesError(f"{game.name}: `endings`, `ending` and `set_ending` go together: expected all three")


def _check_network_facts(game: Game) -> None:
    """What `encode`, `action` and `symmetries` need besides."""
    if game.has("symmetries") and not game.has("encode"):
        raise RulesError(f"{game.name}: `symmetries` needs `encode`, by which it is checked and for which it is made")
    shape, actions = getattr(game.rules, "encode_shape", None), getattr(game.rules, "num_actions", None)
    if game.has("encode") and not (isinstance(shape, tuple) and all(isinstance(side, int) for side in shape)):
        raise RulesError(f"{game.name}: `encode` needs `encode_shape`, a tuple of whole numbers, got {shape!r}")
    if (game.has("encode") or game.has("action")) and not isinstance(actions, int):
        raise RulesError(f"{game.name}: `encode` and `action` need a whole number `num_actions`, got {actions!r}")


class _Laws(Trial):
    """What is asked of a game under test."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.moves_by_key: dict[int, tuple[Any, ...]] = {}
        self.worth_by_key: dict[int, tuple[Any, ...]] = {}
        self.mirrors = [_Mirror(game, *pair) for pair in game.rules.symmetries()] if game.has("symmetries") else []

    def random_game(self, rng: Rng) -> int:
        """Play a game, checking every position of it; return its length."""
        self.set_up()
        while True:
            moves = self.check_moves()
            if self.game.has("distance"):
                self.check_distance()
            if not moves or not self.history or uniform(rng) * self.game.max_length < _CLOSE_LOOKS:
                self.look_closely(moves, next_word(rng))
            if not moves:
                break
            self.require(len(self.history) < self.game.max_length, "max_length", "it goes on")
            self.play(moves[below(rng, len(moves))])
        returns = self.check_values("returns", calls.returns)
        for mirror in self.mirrors:
            mirror.check_returns(self, returns)
        return len(self.history)

    # -- what needs no game --------------------------------------------------------------------------------

    def check_endings(self, rng: Rng) -> None:
        """Set up some positions of each ending of few pieces, compiled and uncompiled."""
        for number, (name, size) in enumerate(self.guard("endings", self.game.rules.endings, _FEW_PIECES)):
            left = _POSITIONS
            for _ in range(20 * _POSITIONS):  # not each number is a position
                left -= bool(left) and self.check_number(name, number, below(rng, size))

    def check_number(self, name: str, number: int, index: int) -> bool:
        """Whether it is that of a position, which then keeps the law."""
        plain, compiled = self.game.new_states(1)[0], self.game.new_states(1)[0]
        exists = bool(self.call_plain("set_ending", plain, number, index))
        agrees = self.game.run(calls.set_ending, compiled, number, index) == exists and same_bytes(compiled, plain)
        self.require(agrees, "agree", f"on `set_ending` of {name} {index}")
        if exists:
            self.check_ending(Position(self.game, plain), f"{name} {index}", (number, index))
        return exists

    def check_ending(self, pos: Position, what: str, numbers: tuple[int, int]) -> None:
        found = tuple(map(int, self.call_plain("ending", pos.state)))
        compiled = self.game.run(calls.ending, pos.state)
        self.require(compiled == found, "agree", f"`ending` of {what} is {compiled} compiled, {found} uncompiled")
        self.require(found[:2] == numbers, "ending", f"{what}, {numbers}, is found as {found[:2]}")
        for move in pos.moves():
            after = pos.play(move)
            number = self.game.run(calls.ending, after.state)[0]
            fits = after.is_over if number < 0 else number <= numbers[0]
            self.require(fits, "ending", f"from {what} a move leads to ending {number}")

    # -- the laws of every position ------------------------------------------------------------------------

    def set_up(self) -> None:
        self.history = ()
        self.position = self.game.start()
        self.distance = 0  # of the position before
        for mirror in self.mirrors:
            mirror.position = self.position
        self.compiled.clear()
        self.game.run(calls.setup, self.compiled.array[0])
        self.plain = self.game.new_states(1)[0]
        self.call_plain("setup", self.plain)
        self.require(same_bytes(self.compiled.array[0], self.position.state), "setup", "it differs")
        self.compare("setup")

    def check_moves(self) -> list[int]:
        """List the moves both ways; return them."""
        player = int(self.compiled.array[0].player)
        players = range(-1 if self.game.uses_chance else 0, self.game.num_players)
        self.require(player in players, "State", f"got {player}, expected {players.start} to {players.stop - 1}")
        rule = "chance" if player == CHANCE else "moves"
        plain = self.game.buffers()
        compiled, is_intact = guarded_buffers(self.game)
        outputs = (plain.moves, plain.probs) if rule == "chance" else (plain.moves,)
        count = self.call_plain(rule, self.plain, *outputs)
        limit = self.game.max_moves
        self.require(isinstance(count, int | np.integer), "moves", f"it returned {count}, expected a whole number")
        self.require(0 <= count <= limit, "moves", f"it returned {count}, expected 0 to max_moves = {limit}")
        moves: list[int] = plain.moves[:count].tolist()
        self.require(len(set(moves)) == count and min(moves, default=0) >= 0, "moves", f"it wrote {moves}")
        found = self.game.run(calls.list_moves, self.compiled.array[0], compiled)
        listed = compiled.moves[:found].tolist()
        self.require(listed == moves, "agree", f"`{rule}` lists {listed} compiled and {moves} uncompiled")
        self.require(is_intact(), "moves", "it wrote outside of `out`")
        self.compare(rule)
        if rule == "chance":
            self.require(count > 0, "chance", "it lists no outcome")
            probs = plain.probs[:count]
            self.require(probs.min() > 0 and abs(probs.sum() - 1) < _TOLERANCE, "chance", f"got {probs.tolist()}")
            self.require(np.array_equal(compiled.probs[:count], probs), "agree", "on the probabilities")
        self.require(self.position.moves() == moves, "position", "its moves differ")
        return moves

    def play(self, move: int) -> None:
        self.call_plain("play", self.plain, move)
        self.game.run(calls.play, self.compiled.array[0], move)
        self.require(self.compiled.is_intact(), "play", "it wrote outside of the record")
        self.compare("play")
        for mirror in self.mirrors:
            mirror.play(self, move)
        self.position = self.position.play(move)
        self.history = self.position.history
        self.require(same_bytes(self.compiled.array[0], self.position.state), "position", "its record differs")

    def check_distance(self) -> None:
        distance = int(self.call_plain("distance", self.plain))
        compiled = int(self.game.run(calls.distance, self.compiled.array[0]))
        self.require(compiled == distance, "agree", f"`distance` is {compiled} compiled and {distance} uncompiled")
        self.compare("distance")
        self.require(distance >= self.distance - 1, "distance", f"from {self.distance} it falls to {distance}")
        returns = self.position.returns
        is_won = returns is not None and returns[0] > 0
        self.require(distance == 0 if is_won else distance > 0, "distance", f"it is {distance}, the payoff {returns}")
        self.distance = distance

    # -- the slower checks, on some positions --------------------------------------------------------------

    def look_closely(self, moves: list[int], seed: int) -> None:
        self.check_key(moves)
        self.check_people(moves)
        if self.game.has("sample") and self.position.player != CHANCE:
            self.check_sample(moves, seed)
        if self.game.has("playout") and self.position.player != CHANCE:
            self.check_draws("playout", calls.playout, moves, seed)
        if self.game.has("weight") and self.position.player != CHANCE:
            self.check_weights(moves)
        if self.game.has("evaluate"):
            self.check_values("evaluate", calls.evaluate)
        if self.game.has("features"):
            self.check_features()
        if self.game.has("encode"):
            self.check_encode()
        if self.game.has("encode") or self.game.has("action"):
            self.check_action(moves)
        if self.game.has("determinize"):
            self.check_determinize(moves, seed)
        if self.game.has("noisy") and self.position.player != CHANCE:
            self.check_noisy(moves)
        if self.game.has("bounds"):
            self.check_bounds(moves)
        if self.game.has("candidates"):
            self.check_candidates(moves)
        if self.game.has("symmetric_key"):
            self.check_symmetric_key(moves)

    def check_key(self, moves: list[int]) -> None:
        plain = self.guard("key", position_key, self.game.rules, self.plain)
        key = int(self.game.run(calls.key, self.compiled.array[0]))
        self.require(key == plain, "agree", f"`key` is {key} compiled and {plain} uncompiled")
        self.compare("key")
        met = self.moves_by_key.setdefault(key, (self.position.player, *moves))
        self.require(met == (self.position.player, *moves), "key", "two positions with other moves share one")

    def check_people(self, moves: list[int]) -> None:
        if "<locals>" not in type(self.game.rules).__qualname__:  # a class within a function can't be found again
            copy = self.guard("pickle", lambda: pickle.loads(pickle.dumps(self.position)))
            same = copy == self.position and hash(copy) == hash(self.position)
            self.require(same, "position", "pickled, it differs")
        notations = [self.guard("format_move", self.position.notation, move) for move in moves]
        twice = [notation for notation, times in Counter(notations).items() if times > 1]
        self.require(not twice, "format_move", f"several moves are written {twice[:3]}")
        for move, notation in zip(moves, notations, strict=True):
            read = self.guard("parse_move", self.position.parse, notation)
            self.require(read == move, "format_move", f"{move} is written {notation!r}, which is read as {read}")
        self.require(bool(self.guard("draw", self.position.draw, False)), "draw", "the drawing is empty")
        self.compare("draw")
        if self.game.has("trails"):
            self.check_trails(moves)

    def check_trails(self, moves: list[int]) -> None:
        grid = self.guard("view", self.position.view)
        cells = range(len(grid.row_labels) * len(grid.col_labels))
        met: dict[tuple[int, ...], int] = {}
        for move in moves:
            trails = self.guard("trails", self.game.rules.trails, self.position.state, move)
            self.require(all(trails), "trails", f"one of move {move} has no cells")
            for trail in trails:
                self.require(all(cell in cells for cell in trail), "trails", f"{trail} of move {move} leaves the board")
                other = met.setdefault(tuple(trail), move)
                self.require(other == move, "trails", f"{trail} leads to the moves {other} and {move}")

    def check_draws(self, rule: str, compiled_rule: Callable[..., int], moves: list[int], seed: int) -> list[int]:
        """Moves drawn by `sample` or `playout`."""
        rng, twin = new_rng(seed), new_rng(seed)
        plain = [int(self.call_plain(rule, self.plain, twin)) for _ in range(20)]
        drawn = [int(self.game.run(compiled_rule, self.compiled.array[0], rng)) for _ in range(_DRAWS)]
        self.compare(rule)
        self.require(drawn[:20] == plain, "agree", f"on `{rule}`")
        illegal = set(drawn) - set(moves or [-1])
        self.require(not illegal, rule, f"it drew {illegal}, expected one of {moves or [-1]}")
        return drawn

    def check_weights(self, moves: list[int]) -> None:
        for move in moves[:_WEIGHED]:
            plain = float(self.call_plain("weight", self.plain, move))
            weight = float(self.game.run(calls.weight, self.compiled.array[0], move))
            self.compare("weight")
            self.require(abs(weight - plain) <= _TOLERANCE * abs(plain), "agree", f"on `weight` of {move}")
            self.require(0 < weight < np.inf, "weight", f"the weight of {move} is {weight}")

    def check_sample(self, moves: list[int], seed: int) -> None:
        drawn = self.check_draws("sample", calls.sample, moves, seed)
        if len(moves) > 1:
            # Pearson's chi-squared has mean k - 1 and variance 2 (k - 1); 8 deviations never happen by chance
            expected = _DRAWS / len(moves)
            counts = Counter(drawn)
            chi_squared = sum((counts[move] - expected) ** 2 / expected for move in moves)
            freedom = len(moves) - 1
            fair = chi_squared < freedom + 8 * (2 * freedom) ** 0.5 + 8
            self.require(fair, "sample", f"in {_DRAWS} draws it gave {dict(counts)}")

    def check_values(self, rule: str, compiled_rule: Callable[..., None]) -> NDArray[np.float64]:
        """Payoffs and heuristic values: in range, one per player, zero-sum."""
        count = self.game.num_players
        compiled, plain = Guarded(count, np.dtype(float)), np.full(count, np.nan)
        compiled.array[:] = np.nan
        self.call_plain(rule, self.plain, plain)
        self.game.run(compiled_rule, self.compiled.array[0], compiled.array)
        shown = plain.tolist()
        self.require(bool(np.all(np.abs(plain) <= 1 + _TOLERANCE)), rule, f"got {shown}")
        self.require(count == 1 or abs(plain.sum()) < _TOLERANCE, rule, f"got {shown}, whose sum is not 0")
        least = self.game.least_payoff
        self.require(plain.min() >= least - _TOLERANCE, "least_payoff", f"got {shown}, and it is {least}")
        if self.game.has("format_value"):
            texts = [self.guard("format_value", self.game.rules.format_value, value) for value in plain]
            self.require(all(isinstance(text, str) and text for text in texts), rule, f"written as {texts}")
        self.require(np.allclose(plain, compiled.array, atol=1e-12), "agree", f"on `{rule}`")
        self.require(compiled.is_intact(), rule, "it wrote outside of `out`")
        self.compare(rule)
        return plain

    def check_features(self) -> None:
        shape = self.game.num_players, len(self.game.rules.feature_names)
        compiled, plain = Guarded(shape[0] * shape[1], np.dtype(float)), np.full(shape, np.nan)
        compiled.array[:] = np.nan
        self.call_plain("features", self.plain, plain)
        self.game.run(calls.features, self.compiled.array[0], compiled.array.reshape(shape))
        self.require(bool(np.isfinite(plain).all()), "features", f"got {plain.tolist()}")
        self.require(np.allclose(compiled.array, plain.ravel(), atol=1e-12), "agree", "on `features`")
        self.require(compiled.is_intact(), "features", "it wrote outside of `out`")
        self.compare("features")

    def check_encode(self) -> None:
        shape = self.game.rules.encode_shape
        compiled, plain = Guarded(int(np.prod(shape)), np.dtype(np.float32)), np.full(shape, np.nan, np.float32)
        compiled.array[:] = np.nan
        self.call_plain("encode", self.plain, plain)
        self.game.run(calls.encode, self.compiled.array[0], compiled.array.reshape(shape))
        self.require(bool(np.isfinite(plain).all()), "encode", "some numbers are not written, or not finite")
        self.require(np.array_equal(compiled.array, plain.ravel()), "agree", "on `encode`")
        self.require(compiled.is_intact(), "encode", "it wrote outside of `out`")
        self.compare("encode")
        for mirror in self.mirrors:
            mirror.check_encoding(self, plain)

    def check_action(self, moves: list[int]) -> None:
        if self.position.player == CHANCE:
            return
        actions = self.game.rules.num_actions
        indices = moves
        if self.game.has("action"):
            indices = [int(self.call_plain("action", self.plain, move)) for move in moves]
            compiled = [self.position.action(move) for move in moves]
            self.require(compiled == indices, "agree", "on `action`")
        fits = len(set(indices)) == len(moves) and all(0 <= index < actions for index in indices)
        self.require(fits, "action", f"the moves {moves[:20]} have the indices {indices[:20]} of {actions}")

    def check_noisy(self, moves: list[int]) -> None:
        plain = [self.call_plain("noisy", self.plain, move) for move in moves]
        wrong = [answer for answer in plain if not isinstance(answer, bool | np.bool_)]
        self.require(not wrong, "noisy", f"got {wrong[:3]}")
        compiled = [self.game.run(calls.noisy, self.compiled.array[0], move) for move in moves]
        self.require(compiled == plain, "agree", "on `noisy`")
        self.compare("noisy")

    def check_determinize(self, moves: list[int], seed: int) -> None:
        observer = self.position.player
        if observer == CHANCE:
            return
        dealt, twin = self.position.state, self.position.state
        self.call_plain("determinize", twin, observer, new_rng(seed))
        self.game.run(calls.determinize, dealt, observer, new_rng(seed))
        self.require(same_bytes(dealt, twin), "agree", "on `determinize`")
        same = Position(self.game, dealt).moves() == moves and int(dealt.player) == observer
        self.require(same, "determinize", f"player {observer} sees other moves afterwards")

    def check_bounds(self, moves: list[int]) -> None:
        low, high = map(int, self.call_plain("bounds", self.plain))
        compiled = self.game.run(calls.bounds, self.compiled.array[0])
        self.require(compiled == (low, high), "agree", f"`bounds` are {compiled} compiled, {(low, high)} uncompiled")
        self.compare("bounds")
        self.require(low <= high, "bounds", f"got {low} and {high}")
        if self.position.returns is not None:
            signs = np.sign([low, high, self.position.returns[0]]).tolist()
            self.require(low == high and len(set(signs)) == 1, "bounds", f"got {low} and {high} at the end")
        else:
            behind = [self.game.run(calls.bounds, self.position.play(move).state) for move in moves]
            best = max if self.position.player == 0 else min
            least, most = (best(pair[side] for pair in behind) for side in (0, 1))
            fits = least <= high and most >= low
            self.require(fits, "bounds", f"got {low} and {high}, but the best move has from {least} to {most}")

    def check_candidates(self, moves: list[int]) -> None:
        """They are asked for only where the bounds leave something to be decided."""
        if self.game.has("bounds") and len(set(self.position.bounds())) == 1:
            return
        plain, compiled = self.game.buffers(), self.game.buffers()
        count = int(self.call_plain("candidates", self.plain, plain.moves))
        found = int(self.game.run(calls.candidates, self.compiled.array[0], compiled.moves))
        listed = plain.moves[:count].tolist()
        self.require(compiled.moves[:found].tolist() == listed, "agree", "on `candidates`")
        self.compare("candidates")
        legal = len(set(listed)) == count and set(listed) <= set(moves)
        self.require(legal, "candidates", f"got {listed}, the legal moves are {moves}")
        self.require(count > 0 or not moves, "candidates", "there is none")

    def check_symmetric_key(self, moves: list[int]) -> None:
        plain = int(self.call_plain("symmetric_key", self.plain))
        key = int(self.game.run(calls.symmetric_key, self.compiled.array[0]))
        self.require(key == plain, "agree", f"`symmetric_key` is {key} compiled and {plain} uncompiled")
        self.compare("symmetric_key")
        bounds = self.position.bounds() if self.game.has("bounds") else None
        worth = self.position.player, len(moves), self.position.returns, bounds
        met = self.worth_by_key.setdefault(key, worth)
        self.require(met == worth, "symmetric_key", "two positions share one that are no images of each other")


class _Mirror:
    """The same game, seen in a mirror."""

    def __init__(self, game: Game, cells: NDArray[np.intp], actions: NDArray[np.intp]) -> None:
        self.position = game.start()
        self.cells, self.actions = np.asarray(cells), np.asarray(actions)
        self.image_of = np.argsort(self.actions)
        for what, permutation, size in (
            ("cells", self.cells, int(np.prod(game.rules.encode_shape[1:]))),
            ("actions", self.actions, game.rules.num_actions),
        ):
            if sorted(permutation.tolist()) != list(range(size)):
                raise RulesError(f"{game.name}: `symmetries` gives {what} that are no permutation of 0..{size - 1}")

    def play(self, trial: Trial, move: int) -> None:
        """Make the image of a move, and compare the choices that there were."""
        if trial.position.is_chance:
            self.position = self.position.play(move)
            return
        by_action = {self.position.action(legal): legal for legal in self.position.moves()}
        images = {int(self.image_of[trial.position.action(legal)]) for legal in trial.position.moves()}
        trial.require(images == set(by_action), "symmetries", "the legal moves are not mirrored")
        self.position = self.position.play(by_action[int(self.image_of[trial.position.action(move)])])
        same = self.position.player == trial.position.play(move).player
        trial.require(same, "symmetries", "another player is to move")

    def check_encoding(self, trial: Trial, planes: NDArray[np.float32]) -> None:
        expected = planes.reshape(planes.shape[0], -1)[:, self.cells]
        same = np.array_equal(self.position.encode().reshape(expected.shape), expected)
        trial.require(same, "symmetries", "the encoding is not mirrored")

    def check_returns(self, trial: Trial, returns: NDArray[np.float64]) -> None:
        trial.require(self.position.returns == tuple(returns), "symmetries", f"it pays {self.position.returns}")
