"""What lessons on hidden information share: a tree with its information sets, and where the lesson begins.

An information set is a set of nodes that the player to move can't tell apart. A tree typed as text names them in
braces; in a game they follow from what the players observe.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field

from damier.core.errors import SpecError
from damier.core.messages import say
from damier.core.position import Position
from damier.core.protocol import CHANCE, REFEREE
from damier.games.trees.rules import ExplicitTree
from damier.lessons.classical import BackUp, MaxN, Minimax, who_moves
from damier.lessons.record import HIDDEN_LEGEND, OPEN, Recorder, Trace, format_number, format_values
from damier.lessons.sources import Knowledge, Played, Source, Values, Written
from damier.lessons.trees import NOBODY, ROOT, Tree, TreeNode, arc_index, lesson_tree

MOST_SEARCHED = 50_000  # positions of a game, for those that a player can't tell apart

Way = tuple[int, ...]  # from the root, by the indices of the arcs


@dataclass(eq=False)
class InformationSet:
    """The nodes that a player can't tell apart. They have the same arcs."""

    name: str
    player: int
    arcs: tuple[str, ...]
    nodes: list[int] = field(default_factory=list)


def plant_whole(where: object, moves: str, algorithm: str, most_nodes: int) -> tuple[Tree, int | None]:
    """The tree of a game of hidden information, fully grown, and the node where the lesson begins, if one is asked for.

    What players know depends on how they came there, so the tree of a hidden game begins at the game's beginning, and
    of a position only what its player knows is used: it begins at the first node that looks the same to them.
    """
    names = moves.replace(",", " ").split()
    if isinstance(where, Position):
        pos = where.play_all(moves)
        if pos.observer not in (REFEREE, pos.player):
            raise SpecError("lesson.anothers-turn", algorithm=algorithm, position=pos.described(), player=pos.player)
        if isinstance(pos.game.rules, ExplicitTree):
            names = pos.game.format_position(pos.state).strip("/").replace("/", " ").split()
            where = pos.game.start()
        elif pos.game.is_hidden and not pos.is_open:
            return _plant_game(pos, algorithm, most_nodes)
    tree = lesson_tree(where)
    source = tree.sources[ROOT]
    if isinstance(source, Played):
        if has_hidden(tree):
            return _plant_game(source.pos.play_all(moves), algorithm, most_nodes)
        tree = lesson_tree(where, moves)
    tree.most_nodes = most_nodes
    tree.grow(None)
    if not isinstance(source, Written) or not names:
        return tree, None
    number = ROOT
    for name in names:
        number = tree[number].children[arc_index(tree.sources[number], name, tree.name)]
    if tree[number].is_leaf or tree[number].player == CHANCE:
        raise SpecError("lesson.nobody-moves-there", algorithm=algorithm, node=tree[number].name)
    return tree, number


def _plant_game(pos: Position, algorithm: str, most_nodes: int) -> tuple[Tree, int | None]:
    start = pos.game.start()
    tree = lesson_tree(start)
    tree.most_nodes = most_nodes
    if pos == start:
        tree.grow(None)
        return tree, None
    if pos.is_over or pos.is_chance:
        raise SpecError("lesson.nobody-moves-there", algorithm=algorithm, node=pos.line() or repr(pos))
    count, ways = _ways_to(tree.sources[ROOT], Played(pos).known)
    if not ways:
        raise SpecError("belief.unknown", position=pos.seen_by(pos.player).described())
    if count <= most_nodes:
        tree.grow(None)
    else:
        _grow_around(tree, ROOT, ways)
    number = ROOT
    for index in ways[0]:
        number = next(child for child in tree[number].children if tree[child].index == index)
    return tree, number


def _ways_to(root: Source, known: Hashable) -> tuple[int, list[Way]]:
    """How many nodes a game has, and the indices of the arcs on the way to each one with this knowledge."""
    count, ways, left = 0, list[Way](), list[tuple[Source, Way]]([(root, ())])
    while left:
        source, way = left.pop()
        count += 1
        if count > MOST_SEARCHED:
            raise SpecError("lesson.large-game", most=MOST_SEARCHED)
        if source.known == known:
            ways.append(way)
        left += [(source.below(index), (*way, index)) for index in reversed(range(len(source.arcs)))]
    return count, ways


def _grow_around(tree: Tree, number: int, ways: list[Way]) -> None:
    """Add the nodes on these ways, and all below their ends: what a lesson needs of a game that is too large."""
    for index in range(len(tree.arcs(number))):
        further = [way[1:] for way in ways if way[:1] == (index,)]
        if further or () in ways:
            _grow_around(tree, tree.add(number, index).id, further or [()])


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

    def __init__(self, tree: Tree, first: int | None = None) -> None:
        """A tree that is fully grown, and the node where the lesson begins, if it is not the usual one."""
        self.tree = tree
        self.record = Recorder(self.name, tree, self.legend)
        self.sets: list[InformationSet] = []
        self.set_of: dict[int, InformationSet] = {}  # by node
        self._find_sets()
        if not self.sets:
            raise SpecError("lesson.nobody-moves", algorithm=self.name, tree=tree.name)
        self.first = first
        several = next((each for each in self.sets if len(each.nodes) > 1), self.sets[0])
        self.start = several if first is None else self.set_of[first]
        if self.needs_recall:
            self._check_recall()

    def _find_sets(self) -> None:
        known: dict[object, InformationSet] = {}
        _tell_apart(self.tree.nodes)
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
                product /= len(self.tree.arcs(above.id))
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


def _tell_apart(nodes: list[TreeNode]) -> None:
    """Add the observation to the names of different information sets that would have the same name."""
    keys: dict[str, set[Hashable]] = {}
    for node in nodes:
        if node.knowledge is not None:
            keys.setdefault(node.knowledge.name, set()).add(node.knowledge.key)
    for node in nodes:
        if node.knowledge is not None and len(keys[node.knowledge.name]) > 1:
            key, name = node.knowledge
            node.knowledge = Knowledge(key, f"{name} {key}")


def summed(terms: list[tuple[float, Values]]) -> Values:
    """The sum of values with their weights."""
    return tuple(sum(weight * values[i] for weight, values in terms) for i in range(len(terms[0][1])))


def written_sum(terms: list[tuple[float, Values]]) -> str:
    return " + ".join(f"{format_number(weight)} * {format_values(values)}" for weight, values in terms)
