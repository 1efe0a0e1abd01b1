"""Game trees as text, and as plain Python objects.

    max(min(3 12 8) min(2 4 6) min(14 5 2))           a leaf is the number that Max gets and Min loses
    max(a=chance(1/2: 3  1/2: min(4 7))  b=2)         a chance node's arcs have probabilities; any arc may have a name
    max(min[4](3 12) min[1](2 9))                     in brackets: the evaluation of a node, without looking below
    A(B((1 2 6) (4 2 3)) B((6 1 2) (7 4 1)))          several players: a leaf says what each of them gets
    max(min{m}(1 -1) min{m}(-1 1))                    in braces: an information set, here Min does not see Max's move

    node = number | "(" number ... ")" | word [ "{" name "}" ] [ "[" number ... "]" ] "(" arc ... ")"
    arc  = [ name "=" ] [ probability ":" ] node

Numbers may be fractions. A comma is the same as a space, and # begins a comment. A player can't tell the nodes of an
information set apart: they have the same player and the same arcs, and no path leads through two of them.
"""

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from damier.core.errors import SpecError
from damier.core.messages import Message, say
from damier.core.protocol import CHANCE

MAX, MIN = 0, 1
LETTERS = "ABCDEFGH"
WORDS = {"max": MAX, "min": MIN, "chance": CHANCE} | {letter: player for player, letter in enumerate(LETTERS)}
MAX_DEPTH = 200
_CLOSE_TO_1 = 1e-9

_TOKEN = re.compile(
    r"""
    (?P<skipped> [\s,]+ | \#[^\n]* )
  | (?P<number> [-+]? (?: [0-9]+/[0-9]+ | (?: [0-9]+\.?[0-9]* | \.[0-9]+ ) (?: [eE][-+]?[0-9]+ )? ) (?![\w.]) )
  | (?P<word> [^\W\d]\w* )
  | (?P<sign> [()\[\]{}=:] )
    """,
    re.VERBOSE,
)


class TreeError(SpecError):
    """A text that is not a tree. The message and the attributes give the line and the column, counted from 1."""

    def __init__(self, message: str, /, line: int | None = None, column: int | None = None, **facts: Any) -> None:
        super().__init__(message, **facts)
        self.line, self.column = line, column


@dataclass(frozen=True)
class Node:
    """A node and everything below it. `name` and `probability` belong to the arc that leads to it."""

    values: tuple[float, ...] = ()
    """For a leaf: what the players get; with Max and Min one number, Max's. Otherwise the evaluation, if there is
    one."""
    player: int = MAX
    """Who moves: 0 (Max, or A), 1 (Min, or B), ..., or CHANCE. For a leaf it means nothing."""
    children: tuple["Node", ...] = ()
    name: str = ""
    probability: float | None = None
    word: str = ""
    """max, min, chance or a letter; empty for a leaf."""
    known_as: str = ""
    """The name of the information set; empty if the player knows to be in this node."""

    def __str__(self) -> str:
        """The node alone: `max`, `min [4]`, `max {x}`, `3`, `(1 2 6)`."""
        values = " ".join(f"{value:.10g}" for value in self.values)
        if self.is_leaf:
            return values if len(self.values) == 1 else f"({values})"
        word = f"{self.word} {{{self.known_as}}}" if self.known_as else self.word
        return f"{word} [{values}]" if values else word

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def nodes(self) -> Iterator["Node"]:
        """The node and all nodes below it, in the order in which a search from left to right enters them."""
        yield self
        for child in self.children:
            yield from child.nodes()

    @property
    def height(self) -> int:
        """The number of arcs on the longest way down."""
        return 1 + max(child.height for child in self.children) if self.children else 0


def parse_tree(text: str, source: str = "tree") -> Node:
    """The tree in a text; a TreeError says what is wrong, and where."""
    return _Reader(text, source).read()


def compact(text: str) -> str:
    """The same tree on one line, without comments and commas, for the option `tree:text=...`."""
    kept = (" " if token.lastgroup == "skipped" else token.group() for token in _TOKEN.finditer(text))
    return " ".join("".join(kept).split())


class _Reader:
    """A text being read, by recursive descent."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens = list(self._tokens())
        self.index = 0
        self.style: str | None = None  # "max" for Max and Min, "A" for players with letters
        self.size = 0  # how many values a leaf has
        self.letters = 0  # how many players with letters move
        self.sets: dict[str, Node] = {}  # the first node of each information set, by its name
        self.path: list[str] = []  # the information sets on the way to the node being read

    def read(self) -> Node:
        root = self._node("", None, 0)
        if self._is_left():
            raise self._error(say("tree.after-end", got=self._got()))
        if self.letters and self.size < max(2, self.letters):
            needed = max(2, self.letters)
            raise self._error(say("tree.few-values", player=LETTERS[self.letters - 1], needed=needed), 0)
        return root

    # -- the grammar ---------------------------------------------------------------------------------------

    def _node(self, name: str, probability: float | None, depth: int) -> Node:
        if not self._is_left():
            raise self._error(say("tree.no-node"))
        token, place = self._next(), self.index
        if depth > MAX_DEPTH:
            raise self._error(say("tree.too-deep", most=MAX_DEPTH))
        if self._kind() == "number":
            self.index += 1
            return Node(self._values([_number(token)], place), name=name, probability=probability)
        if token == "(":
            return Node(self._values(self._list("(", ")"), place), name=name, probability=probability)
        if token not in WORDS:
            first, last = LETTERS[0], LETTERS[-1]
            raise self._error(say("tree.no-word", first=first, last=last, got=self._got(), hint=self._hint(token)))
        self.index += 1
        self._take_word(token, place)
        known_as = self._known_as(token) if self._next() == "{" else ""
        values = self._values(self._list("[", "]"), place) if self._next() == "[" else ()
        if self._next() != "(":
            raise self._error(say("tree.no-bracket", word=token, got=self._got()))
        self.path.append(known_as)
        children = self._children(WORDS[token] == CHANCE, place, depth)
        self.path.pop()
        node = Node(values, WORDS[token], children, name, probability, token, known_as)
        if known_as:
            self._compare(node, place)
        return node

    def _known_as(self, word: str) -> str:
        """The name of an information set within braces."""
        opened = self.index
        self.index += 1
        name = self._next()
        if self._kind() != "word":
            raise self._error(say("tree.no-set-name", got=self._got()))
        self.index += 1
        if self._next() != "}":
            raise self._error(say("tree.set-open", got=self._got()), opened)
        self.index += 1
        if WORDS[word] == CHANCE:
            raise self._error(say("tree.set-of-chance", name=name), opened)
        if name in self.path:
            raise self._error(say("tree.set-twice", name=name), opened)
        return name

    def _children(self, is_chance: bool, place: int, depth: int) -> tuple[Node, ...]:
        opened, children, total = self.index, list[Node](), 0.0
        self.index += 1
        while self._next() != ")":
            if not self._is_left():
                raise self._error(say("tree.not-closed"), opened)
            child = self._arc(is_chance, depth)
            total += child.probability or 0
            children.append(child)
        self.index += 1
        if not children:
            raise self._error(say("tree.no-children", word=self.tokens[place].group()), place)
        if is_chance and abs(total - 1) > _CLOSE_TO_1:
            raise self._error(say("tree.wrong-sum", total=total), place)
        known = set[str]()
        for name in arc_names(children):
            if name in known:
                raise self._error(say("tree.same-name", name=name), place)
            known.add(name)
        return tuple(children)

    def _arc(self, is_chance: bool, depth: int) -> Node:
        name, probability, start = "", None, self.index
        if self._kind() == "word" and self._next(1) == "=":
            name = self._next()
            self.index += 2
        if self._kind() == "number" and self._next(1) == ":":
            probability = _number(self._next())
            if not is_chance:
                raise self._error(say("tree.no-chance", got=f"{self._next()}:"))
            if not 0 < probability <= 1:
                raise self._error(say("tree.bad-probability", got=self._next()))
            self.index += 2
        elif is_chance and self._is_left():
            raise self._error(say("tree.no-probability"), start)
        return self._node(name, probability, depth + 1)

    def _list(self, opening: str, closing: str) -> list[float]:
        """Numbers within brackets."""
        opened, numbers = self.index, list[float]()
        self.index += 1
        while self._kind() == "number":
            numbers.append(_number(self._next()))
            self.index += 1
        if self._next() != closing:
            raise self._error(say("tree.list-open", closing=closing, opening=opening, got=self._got()), opened)
        self.index += 1
        if not numbers:
            raise self._error(say("tree.empty-list"), opened)
        return numbers

    # -- what must fit together ----------------------------------------------------------------------------

    def _compare(self, node: Node, place: int) -> None:
        """Compare a node with the first one of its information set."""
        first = self.sets.setdefault(node.known_as, node)
        if first.word != node.word:
            raise self._error(say("tree.set-other-player", name=node.known_as, word=first.word, got=node.word), place)
        arcs, got = (" ".join(arc_names(each.children)) for each in (first, node))
        if arcs != got:
            raise self._error(say("tree.set-other-arcs", name=node.known_as, arcs=arcs, got=got), place)

    def _take_word(self, word: str, place: int) -> None:
        if word == "chance":
            return
        style = "max" if word in ("max", "min") else "A"
        if self.style not in (None, style):
            raise self._error(say("tree.mixed", word=word), place)
        self.style = style
        if style == "A":
            self.letters = max(self.letters, WORDS[word] + 1)

    def _values(self, values: list[float], place: int) -> tuple[float, ...]:
        if not all(map(math.isfinite, values)):
            raise self._error(say("tree.too-large"), place)
        if self.size not in (0, len(values)):
            raise self._error(say("tree.other-count", expected=self.size, got=len(values)), place)
        if self.style == "max" and len(values) != 1:
            raise self._error(say("tree.one-number", got=len(values)), place)
        if len(values) > len(LETTERS):
            raise self._error(say("tree.many-players", most=len(LETTERS), got=len(values)), place)
        self.size = len(values)
        return tuple(values)

    # -- tokens --------------------------------------------------------------------------------------------

    def _tokens(self) -> Iterator[re.Match[str]]:
        index = 0
        while index < len(self.text):
            token = _TOKEN.match(self.text, index)
            if token is None:
                got = self.text[index:].split(None, 1)[0][:20]
                raise self._error_at(index, say("tree.no-token", got=got))
            index = token.end()
            if token.lastgroup != "skipped":
                yield token

    def _is_left(self) -> bool:
        return self.index < len(self.tokens)

    def _next(self, ahead: int = 0) -> str:
        index = self.index + ahead
        return self.tokens[index].group() if index < len(self.tokens) else ""

    def _got(self) -> Message:
        return say("tree.quoted", text=self._next()) if self._is_left() else say("tree.the-end")

    def _hint(self, word: str) -> str:
        near = difflib.get_close_matches(word.lower(), WORDS, 1)
        if near:
            return say("spec.did-you-mean", near=near[0])
        return say("tree.arc-name", word=word) if self._kind() == "word" and self._next(1) != "(" else ""

    def _kind(self) -> str | None:
        return self.tokens[self.index].lastgroup if self._is_left() else None

    def _error(self, message: Message, place: int | None = None) -> TreeError:
        """An error at a token: the next one, or the one with this index."""
        index = self.index if place is None else place
        start = self.tokens[index].start() if index < len(self.tokens) else len(self.text)
        return self._error_at(start, message)

    def _error_at(self, start: int, message: Message) -> TreeError:
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        where = say("tree.at", source=self.source, line=line, column=column, what=message)
        return TreeError(where, line, column)


def arc_names(children: "list[Node] | tuple[Node, ...]") -> list[str]:
    """The names of the arcs, or their numbers from 1 on."""
    return [child.name or str(number) for number, child in enumerate(children, 1)]


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    if not slash:
        return float(above)
    return float(above) / float(below) if float(below) else float("nan")
