"""The check that a game keeps the laws: `damier.check_game(game)`, for any game.

Random games are played with the compiled rules and with the plain Python ones side by side. At every move the two must
agree and the laws must hold; the first broken law raises a RulesError that names the law and the moves so far. The laws
are in the protocol's table; the modules here check them.
"""

from collections.abc import Callable

import numpy as np

from damier.core import calls
from damier.core.conformance import chosen, people, solving, values
from damier.core.conformance.facts import check_facts
from damier.core.conformance.hidden import Knowing
from damier.core.conformance.mirror import Mirror
from damier.core.conformance.owning import Owning
from damier.core.conformance.possible import check_possible
from damier.core.conformance.report import Report, Tally
from damier.core.conformance.trial import GARBAGE, GENERAL, LAWS, TOLERANCE, Trial, guarded_buffers, same_bytes
from damier.core.game import Game
from damier.core.protocol import CHANCE, FOR_PEOPLE, OPTIONAL, Rng
from damier.core.rng import below, new_rng, next_word, uniform

__all__ = ["LAWS", "Report", "check_game"]

_ALWAYS: tuple[Callable[[Trial, list[int], int], None], ...] = (
    solving.check_key,
    people.check_position,
    people.check_notation,
    people.check_text,
    people.check_draw,
)
"""The close checks of every game; their capabilities have defaults."""

_LOOKS: dict[str, Callable[[Trial, list[int], int], None]] = {
    "trails": people.check_trails,
    "colour_to_move": people.check_colour,
    "format_score": people.check_format_score,
    "file_formats": people.check_file_formats,
    "sample": chosen.check_sample,
    "playout": chosen.check_playout,
    "weight": chosen.check_weight,
    "evaluate": values.check_evaluate,
    "features": values.check_features,
    "score": values.check_score,
    "encode": values.check_encode,
    "num_actions": values.check_action,
    "noisy": chosen.check_noisy,
    "bounds": solving.check_bounds,
    "candidates": solving.check_candidates,
    "symmetric_key": solving.check_symmetric_key,
}
"""The close check of each capability, on some positions, with the legal moves and a seed."""

_WITH_DEFAULT = ("key", "format_move", "format_position", "parse_position", "draw")
_CLOSE_LOOKS = 6  # how many positions of a game are looked at closely, on average


def check_game(game: Game, games: int, seed: int) -> Report:
    """Play random games and verify every law; raise RulesError for the first broken one."""
    check_facts(game)
    trial = _RandomGame(game)
    if game.has("endings"):
        solving.check_endings(trial, new_rng(seed))
    for number in range(games):
        trial.run(new_rng(seed, number))
    knowledge = (check_possible(trial, seed) or trial.knowing.report()) if game.is_hidden else {}
    laws = [text for law, text in LAWS.items() if _is_checked(law, game)]
    return trial.tally.report(laws, [name for name in (*OPTIONAL, *FOR_PEOPLE) if not game.has(name)], knowledge)


def _is_checked(law: str, game: Game) -> bool:
    if law == "action" and game.has("encode"):
        return True  # then the move itself is the policy index
    return law in GENERAL or law in _WITH_DEFAULT or game.has(law)


class _RandomGame(Trial):
    """A random game of a game under test."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.tally = Tally(game)
        self.knowing = Knowing(game)
        self.owning = Owning() if game.has("owners") else None
        self.mirrors = [Mirror(game, *pair) for pair in game.rules.symmetries()] if game.has("symmetries") else []

    def run(self, rng: Rng) -> None:
        """Play a game, checking every position of it."""
        self.set_up()
        self.knowing.start()
        for mirror in self.mirrors:
            mirror.position = self.position
        distance = 0
        while True:
            moves = self.check_moves()
            if self.game.has("distance"):
                distance = solving.check_distance(self, distance)
            if self.game.is_hidden:
                self.knowing.visit(self, moves)
            if not moves or not self.history or uniform(rng) * self.game.max_length < _CLOSE_LOOKS:
                self.look_closely(moves, next_word(rng))
            if not moves:
                break
            self.require(len(self.history) < self.game.max_length, "max_length", "it goes on")
            self.tally.count_position(self.position, len(moves))
            self.play(moves[below(rng, len(moves))])
        values.check_returns(self)
        for mirror in self.mirrors:
            mirror.check_returns(self)
        if self.owning:
            self.owning.check(self, self.mirrors)
        self.tally.count_end(self.position)

    def check_moves(self) -> list[int]:
        """List the moves both ways; return them."""
        rule = self.check_player()
        plain = self.game.buffers()
        plain.moves[:], plain.probs[:] = GARBAGE[0], np.nan
        compiled, is_intact = guarded_buffers(self.game)
        outputs = (plain.moves, plain.probs) if rule == "chance" else (plain.moves,)
        count = self.call_plain(rule, self.plain, *outputs)
        limit = self.game.max_moves
        self.require(isinstance(count, int | np.integer), "moves", f"it returned {count}, expected a whole number")
        self.require(0 <= count <= limit, "moves", f"it returned {count}, expected 0 to max_moves = {limit}")
        moves: list[int] = plain.moves[:count].tolist()
        written = [move for move in moves if move != GARBAGE[0]]
        self.require(len(written) == count, "moves", f"it returned {count}, but wrote only {written}")
        self.require(len(set(moves)) == count and min(moves, default=0) >= 0, "moves", f"it wrote {moves}")
        found = self.game.run(calls.list_moves, self.compiled.array[0], compiled)
        listed = compiled.moves[:found].tolist()
        self.require(listed == moves, "agree", f"`{rule}` lists {listed} compiled and {moves} uncompiled")
        self.require(is_intact(), "moves", "it wrote outside of `out`")
        self.compare(rule)
        if rule == "chance":
            self.require(count > 0, "chance", "it lists no outcome")
            probs = plain.probs[:count]
            self.require(probs.min() > 0 and abs(probs.sum() - 1) < TOLERANCE, "chance", f"got {probs.tolist()}")
            self.require(np.array_equal(compiled.probs[:count], probs), "agree", "on the probabilities")
        self.require(self.position.moves() == moves, "position", "its moves differ")
        return moves

    def check_player(self) -> str:
        """The rule that lists the moves here."""
        player = int(self.compiled.array[0].player)
        if player == CHANCE:
            has_chance = self.game.has("chance")
            self.require(
                has_chance, "State", "it is CHANCE, and the game has no method chance(self, state, out, probs)"
            )
            self.require(self.game.uses_chance, "State", "it is CHANCE, and the game says `uses_chance = False`")
            return "chance"
        last = self.game.num_players - 1
        self.require(0 <= player <= last, "State", f"got {player}, expected 0 to {last}")
        return "moves"

    def play(self, move: int) -> None:
        self.call_plain("play", self.plain, move)
        self.game.run(calls.play, self.compiled.array[0], move)
        self.require(self.compiled.is_intact(), "play", "it wrote outside of the record")
        self.compare("play")
        for mirror in self.mirrors:
            mirror.play(self, move)
        if self.game.is_hidden:
            self.knowing.play(self.position, move)
        self.position = self.position.play(move)
        self.history = self.position.history
        self.require(same_bytes(self.compiled.array[0], self.position.state), "position", "its record differs")

    def look_closely(self, moves: list[int], seed: int) -> None:
        for look in _ALWAYS:
            look(self, moves, seed)
        for capability, look in _LOOKS.items():
            if self.game.has(capability):
                look(self, moves, seed)
        if self.game.is_hidden:
            self.knowing.look_closely(self, moves, seed)
        if self.owning:
            self.owning.remember(self.position, self.mirrors)
        if self.game.has("encode"):
            for mirror in self.mirrors:
                mirror.check_encoding(self)
