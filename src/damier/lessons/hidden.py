"""What lessons on hidden information share: a tree with its information sets, and where the lesson begins.

An information set is a set of nodes that the player to move can't tell apart. A tree typed as text names them in
braces; in a game they follow from what the players observe.
"""

from dataclasses import dataclass, field

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.lessons.classical import BackUp, MaxN, Minimax, who_moves
from damier.lessons.record import HIDDEN_LEGEND, OPEN, Recorder, Trace, format_number, format_values
from damier.lessons.trees import NOBODY, ROOT, Played, Tree, TreeNode, Values, Written, arc_index, lesson_tree


@dataclass(eq=False)
class InformationSet:
    """The nodes that a player can't tell apart. They have the same arcs."""

    name: str
    player: int
    arcs: tuple[str, ...]
    nodes: list[int] = field(default_factory=list)


def plant_whole(where: object, moves: str) -> tuple[Tree, list[int]]:
    """The whole tree, and the arcs that lead to the place where the lesson begins.

    What players know depends on how they came there, so the tree of a hidden game begins at the game's beginning.
    """
    pos = where if isinstance(where, Position) else None
    tree = lesson_tree(where if pos is None else pos.origin)
    source, path = tree.sources[ROOT], list[int]()
    if isinstance(source, Written):
        for name in moves.replace(",", " ").split():
            path.append(arc_index(source, name, tree.name))
            source = source.below(path[-1])
        return tree, path
    assert isinstance(source, Played)
    if not has_hidden(tree):
        return lesson_tree(where, moves), path
    pos = (pos or source.pos).play_all(moves)
    position = pos.origin
    for move in pos.history:
        path.append(position.moves().index(move))
        position = position.play(move)
    return tree, path


def has_hidden(tree: Tree) -> bool:
    """Whether a tree has information sets, or is of a game of hidden information."""
    source = tree.sources[ROOT]
    if isinstance(source, Written):
        return any(node.known_as for node in source.node.nodes())
    return isinstance(source, Played) and source.pos.game.is_hidden and not source.pos.is_open


class HiddenLesson(BackUp):
    """An algorithm on a tree with information sets, all of which is there from the start."""

    takes_chance = takes_many = True
    legend = HIDDEN_LEGEND
    needs_recall = False

    def __init__(self, tree: Tree, path: list[int]) -> None:
        tree.grow(None)
        self.tree = tree
        self.record = Recorder(self.name, tree, self.legend)
        self.sets: list[InformationSet] = []
        self.set_of: dict[int, InformationSet] = {}  # by node
        self._find_sets()
        if not self.sets:
            raise SpecError("lesson.nobody-moves", algorithm=self.name, tree=tree.name)
        self.path = path
        self.start = self._beginning()
        if self.needs_recall:
            self._check_recall()

    def _find_sets(self) -> None:
        known: dict[object, InformationSet] = {}
        for node in self.tree.nodes:
            if node.is_leaf or node.player == CHANCE:
                continue
            key, name = node.knowledge or (node.id, node.name)
            if key not in known:
                arcs = tuple(arc for arc, _ in self.tree.arcs(node.id))
                known[key] = InformationSet(name, node.player, arcs)
                self.sets.append(known[key])
            known[key].nodes.append(node.id)
            self.set_of[node.id] = known[key]

    def _beginning(self) -> InformationSet:
        """The information set at the end of the path; without a path the first one with several nodes, if there is
        one."""
        if not self.path:
            return next((each for each in self.sets if len(each.nodes) > 1), self.sets[0])
        number = ROOT
        for index in self.path:
            number = self.tree[number].children[index]
        if number not in self.set_of:
            raise SpecError("lesson.nobody-moves-there", algorithm=self.name, node=self.tree[number].name)
        return self.set_of[number]

    def _check_recall(self) -> None:
        """Refuse a tree in which a player forgets what they knew or did."""
        for each in self.sets:
            if len({tuple(self.past(node, each.player)) for node in each.nodes}) > 1:
                raise SpecError("lesson.forgets", algorithm=self.name, tree=self.tree.name, set=each.name)

    def past(self, number: int, player: int) -> list[tuple[InformationSet, str]]:
        """The information sets of a player on the way to a node, and their moves there."""
        found, node = list[tuple[InformationSet, str]](), self.tree[number]
        while node.parent != NOBODY:
            above = self.tree[node.parent]
            if above.player == player:
                found.append((self.set_of[above.id], node.arc))
            node = above
        return found

    # -- deals ---------------------------------------------------------------------------------------------

    def reach(self, number: int, me: int | None = None) -> float:
        """The product of the probabilities of chance on the way to a node; if `me` is given, times those of the other
        players, who play any move with the same probability."""
        product, node = 1.0, self.tree[number]
        while node.parent != NOBODY:
            above = self.tree[node.parent]
            if above.player == CHANCE:
                product *= node.probability or 0.0
            elif me not in (None, above.player):
                product /= len(above.children)
            node = above
        return product

    def belief(self, here: InformationSet, me: int | None = None) -> dict[int, float]:
        """How likely each node of an information set is."""
        weights = {node: self.reach(node, me) for node in here.nodes}
        total = sum(weights.values())
        return {node: weight / total for node, weight in weights.items()}

    def show_belief(self, here: InformationSet, belief: dict[int, float]) -> list[str]:
        """Write the probabilities at the nodes; return them as a list for a sentence."""
        for node, probability in belief.items():
            self.record.look(node, status=OPEN, notes=(f"p = {format_number(probability)}",))
        return [say("lesson.count", node=self.tree[node].name, count=format_number(p)) for node, p in belief.items()]

    # -- the steps that all of them have -------------------------------------------------------------------

    def who(self, here: InformationSet) -> str:
        return who_moves(self.tree[here.nodes[0]])

    def is_choice(self, node: TreeNode) -> bool:
        return node.player != CHANCE

    def choose(self, node: TreeNode, found: list[Values]) -> tuple[int, str]:
        """With open cards every player takes what is best for them; with Max and Min that is minimax."""
        rule = Minimax.choose if len(found[0]) == 1 else MaxN.choose
        return rule(self, node, found)  # type: ignore[arg-type]  # neither uses more than is here

    def answer(self, move: str | None, values: Values) -> Trace:
        value = format_values(values)
        told = say("lesson.answer", value=value, move=move) if move else say("lesson.value", value=value)
        self.record.step("answer", self.start.nodes[0] if move else ROOT, told, value=values)
        return self.record.finish(move, values)


def summed(terms: list[tuple[float, Values]]) -> Values:
    """The sum of values with their weights."""
    return tuple(sum(weight * values[i] for weight, values in terms) for i in range(len(terms[0][1])))


def written_sum(terms: list[tuple[float, Values]]) -> str:
    return " + ".join(f"{format_number(weight)} * {format_values(values)}" for weight, values in terms)
