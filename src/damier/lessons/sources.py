"""The nodes that a lesson's tree is made of: those of a tree typed as text, or the positions of a game."""

from collections.abc import Hashable
from typing import NamedTuple, Protocol

from damier.core.errors import SpecError
from damier.core.knowledge import known_as_text
from damier.core.messages import Message, is_key, say
from damier.core.position import Position
from damier.games.trees import notation
from damier.games.trees.notation import LETTERS, arc_names

Values = tuple[float, ...]


class Source(Protocol):
    """A node of the given tree; its children are made when needed."""

    @property
    def word(self) -> str:
        """max, min, chance or a letter; empty at the end."""

    @property
    def player(self) -> int: ...

    @property
    def values(self) -> Values:
        """The payoffs at the end, an evaluation before it."""

    @property
    def arcs(self) -> list[tuple[str, float | None]]:
        """The name of each move, and the probability of each outcome of chance."""

    def reason(self) -> str:
        """The terms of the evaluation, if the game has features."""

    def below(self, index: int) -> "Source": ...

    @property
    def key(self) -> int:
        """A key that is equal for equal positions, however they were reached."""

    @property
    def distance(self) -> int:
        """A lower bound of the number of moves to the goal; 0 there and nowhere else."""

    @property
    def board(self) -> str: ...

    @property
    def known(self) -> Hashable:
        """Equal in all nodes that the player to move can't tell apart; None as for `knowledge`."""

    @property
    def knowledge(self) -> "Knowledge | None":
        """What the player to move knows; None if they see everything, and where nobody moves."""


class Knowledge(NamedTuple):
    """An information set: equal keys in all nodes that the player can't tell apart, and a name."""

    key: Hashable
    name: str


class Written:
    """A node of a tree typed as text."""

    def __init__(self, node: notation.Node, num_values: int) -> None:
        self.node, self.num_values = node, num_values
        self.word, self.player, self.board = node.word, node.player, ""
        self.values: Values = node.values or (0.0,) * num_values
        self.known = node.known_as or None
        self.knowledge = Knowledge(self.known, self.known) if self.known else None
        children = zip(arc_names(node.children), node.children, strict=True)
        self.arcs = [(name, child.probability) for name, child in children]

    def reason(self) -> str:
        return "" if self.node.values else say("lesson.nothing-said", word=self.word)

    def below(self, index: int) -> "Written":
        return Written(self.node.children[index], self.num_values)

    @property
    def key(self) -> int:
        return id(self.node)

    @property
    def distance(self) -> int:
        told = self.node.values
        if len(told) != 1 or told[0] < 0 or told[0] != int(told[0]):
            raise SpecError("lesson.no-distance", node=self.node)
        return int(told[0])


class Played:
    """A position of a game."""

    def __init__(self, pos: Position) -> None:
        self.pos = pos

    @property
    def word(self) -> str:
        if self.pos.is_over:
            return ""
        if self.pos.is_chance:
            return "chance"
        return LETTERS[self.player] if self.pos.game.num_players > 2 else ("max", "min")[self.player]

    @property
    def player(self) -> int:
        return self.pos.player

    @property
    def values(self) -> Values:
        values = self.pos.returns
        if values is None:
            values = self.pos.evaluate() if self.pos.game.has("evaluate") else (0.0,) * self.pos.game.num_players
        return values[:1] if len(values) <= 2 else values

    @property
    def arcs(self) -> list[tuple[str, float | None]]:
        outcomes = self.pos.outcomes
        return [(self.pos.notation(move), outcomes.get(move)) for move in self.pos.moves()]

    def reason(self) -> str:
        if not self.pos.game.has("features") or self.pos.game.num_players != 2:
            return ""
        summands = []
        for (name, (first, second)), weight in zip(
            self.pos.features().items(), self.pos.game.feature_weights, strict=True
        ):
            difference = f"({first:.4g} - {second:.4g} = {first - second:.4g})"
            summands.append(say("lesson.summand", weight=weight, feature=_feature(name), difference=difference))
        return say("lesson.sum", summands=summands)

    def below(self, index: int) -> "Played":
        return Played(self.pos.play(self.pos.moves()[index]))

    @property
    def key(self) -> int:
        return self.pos.key

    @property
    def distance(self) -> int:
        return self.pos.distance()

    @property
    def board(self) -> str:
        return self.pos.draw(unicode=True)

    @property
    def known(self) -> Hashable:
        pos = self.pos
        if not pos.game.is_hidden or pos.is_open or pos.is_chance or pos.is_over:
            return None
        return pos.player, pos.observation()

    @property
    def knowledge(self) -> Knowledge | None:
        """In a game of hidden information: what the player knows, in the words of `known_as_text`."""
        known = self.known
        return None if known is None else Knowledge(known, known_as_text(self.pos) or say("lesson.root"))


def _feature(name: str) -> str:
    """The display name of a feature; your own game may define it in its `messages`."""
    key = f"feature.{name.replace(' ', '-')}"
    return say(key) if is_key(key) else Message(name)
