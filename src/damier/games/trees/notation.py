"""Game trees as text, and as plain Python objects.

    max(min(3 12 8) min(2 4 6) min(14 5 2))           leaves are what Max gets, and Min loses
    max(a=chance(1/2: 3  1/2: min(4 7))  b=2)         a chance node's arcs have probabilities; any arc may have a name
    max(min[4](3 12) min[1](2 9))                     in brackets: what an evaluation says, without a look below
    A(B((1 2 6) (4 2 3)) B((6 1 2) (7 4 1)))          several players: a leaf says what each of them gets

    node = number | "(" number ... ")" | word [ "[" number ... "]" ] "(" arc ... ")"
    arc  = [ name "=" ] [ probability ":" ] node

Numbers may be fractions. A comma is as good as a space, and # begins a comment.
"""

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from damier.core.errors import SpecError
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
  | (?P<sign> [()\[\]=:] )
    """,
    re.VERBOSE,
)


class TreeError(SpecError):
    """A text that is no tree; the message tells the line and the column, and so do its attributes, counted from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line, self.column = line, column


@dataclass(frozen=True)
class Node:
    """A node and all below it. `name` and `probability` are those of the arc that leads to it."""

    values: tuple[float, ...] = ()
    """Of a leaf: what the players get, for Max and Min one number, Max's. Else what an evaluation says, if anything."""
    player: int = MAX
    """Who moves: 0 (Max, or A), 1 (Min, or B), ..., or CHANCE. Of a leaf it means nothing."""
    children: tuple["Node", ...] = ()
    name: str = ""
    probability: float | None = None
    word: str = ""
    """max, min, chance or a letter; of a leaf nothing."""

    def __str__(self) -> str:
        """The node without what is below it: `max`, `min [4]`, `3`, `(1 2 6)`."""
        values = " ".join(f"{value:.10g}" for value in self.values)
        if self.is_leaf:
            return values if len(self.values) == 1 else f"({values})"
        return f"{self.word} [{values}]" if values else self.word

    @property
    def is_leaf(self) -> bool:
        return not self.children

    def nodes(self) -> Iterator["Node"]:
        """The node and all below it, as a search from left to right enters them."""
        yield self
        for child in self.children:
            yield from child.nodes()

    @property
    def height(self) -> int:
        """The number of arcs on the longest way down."""
        return 1 + max(child.height for child in self.children) if self.children else 0


def parse_tree(text: str, source: str = "tree") -> Node:
    """The tree in a text; TreeError tells what is wrong with it, and where."""
    return _Reader(text, source).read()


def one_line(text: str) -> str:
    """The same tree on one line, without comments and commas: so it can be an option, `tree:text=...`."""
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

    def read(self) -> Node:
        root = self._node("", None, 0)
        if self._is_left():
            raise self._error(f"expected nothing after the tree, got {self._got()}")
        if self.letters and self.size < max(2, self.letters):
            needed = max(2, self.letters)
            raise self._error(f"{LETTERS[self.letters - 1]} moves, so that leaves need at least {needed} values", 0)
        return root

    # -- the grammar ---------------------------------------------------------------------------------------

    def _node(self, name: str, probability: float | None, depth: int) -> Node:
        if not self._is_left():
            raise self._error("expected a node, got the end of the text")
        token, place = self._next(), self.index
        if depth > MAX_DEPTH:
            raise self._error(f"the tree is deeper than {MAX_DEPTH}")
        if self._kind() == "number":
            self.index += 1
            return Node(self._values([_number(token)], place), name=name, probability=probability)
        if token == "(":
            return Node(self._values(self._list("(", ")"), place), name=name, probability=probability)
        if token not in WORDS:
            expected = f"a number, max, min, chance or a letter from {LETTERS[0]} to {LETTERS[-1]}"
            raise self._error(f"expected {expected}, got {self._got()}{self._hint(token)}")
        self.index += 1
        self._take_word(token, place)
        values = self._values(self._list("[", "]"), place) if self._next() == "[" else ()
        if self._next() != "(":
            raise self._error(f"expected '(' after {token}, got {self._got()}")
        children = self._children(WORDS[token] == CHANCE, place, depth)
        return Node(values, WORDS[token], children, name, probability, token)

    def _children(self, is_chance: bool, place: int, depth: int) -> tuple[Node, ...]:
        opened, children, total = self.index, list[Node](), 0.0
        self.index += 1
        while self._next() != ")":
            if not self._is_left():
                raise self._error("expected a ')' for this '(', got the end of the text", opened)
            child = self._arc(is_chance, depth)
            total += child.probability or 0
            children.append(child)
        self.index += 1
        if not children:
            raise self._error(f"{self.tokens[place].group()} has no children", place)
        if is_chance and abs(total - 1) > _CLOSE_TO_1:
            raise self._error(f"the probabilities of a chance node must add up to 1, and these are {total:.10g}", place)
        known = set[str]()
        for name in arc_names(children):
            if name in known:
                raise self._error(f"two arcs of a node are called '{name}'", place)
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
                raise self._error(f"only the arcs of a chance node have probabilities, got '{self._next()}:'")
            if not 0 < probability <= 1:
                raise self._error(f"expected a probability above 0 and at most 1, got {self._next()}")
            self.index += 2
        elif is_chance and self._is_left():
            raise self._error("expected a probability, like 1/2: or 0.5:, for this arc of a chance node", start)
        return self._node(name, probability, depth + 1)

    def _list(self, opening: str, closing: str) -> list[float]:
        """Numbers within brackets."""
        opened, numbers = self.index, list[float]()
        self.index += 1
        while self._kind() == "number":
            numbers.append(_number(self._next()))
            self.index += 1
        if self._next() != closing:
            raise self._error(f"expected a number or the '{closing}' of this '{opening}', got {self._got()}", opened)
        self.index += 1
        if not numbers:
            raise self._error("expected at least one number within the brackets", opened)
        return numbers

    # -- what must fit together ----------------------------------------------------------------------------

    def _take_word(self, word: str, place: int) -> None:
        if word == "chance":
            return
        style = "max" if word in ("max", "min") else "A"
        if self.style not in (None, style):
            raise self._error(f"expected either max and min or letters for the players, got both, '{word}' here", place)
        self.style = style
        if style == "A":
            self.letters = max(self.letters, WORDS[word] + 1)

    def _values(self, values: list[float], place: int) -> tuple[float, ...]:
        if not all(map(math.isfinite, values)):
            raise self._error("expected a number that is not too large, and no fraction with 0 below", place)
        if self.size not in (0, len(values)):
            raise self._error(f"expected as many values as before, {self.size}, got {len(values)}", place)
        if self.style == "max" and len(values) != 1:
            raise self._error(f"expected one number, what Max gets, got {len(values)}", place)
        if len(values) > len(LETTERS):
            raise self._error(f"expected at most {len(LETTERS)} players, got {len(values)} values", place)
        self.size = len(values)
        return tuple(values)

    # -- tokens --------------------------------------------------------------------------------------------

    def _tokens(self) -> Iterator[re.Match[str]]:
        index = 0
        while index < len(self.text):
            token = _TOKEN.match(self.text, index)
            if token is None:
                got = self.text[index:].split(None, 1)[0][:20]
                raise self._error_at(index, f"expected a number, a word or one of ()[]=:, got '{got}'")
            index = token.end()
            if token.lastgroup != "skipped":
                yield token

    def _is_left(self) -> bool:
        return self.index < len(self.tokens)

    def _next(self, ahead: int = 0) -> str:
        index = self.index + ahead
        return self.tokens[index].group() if index < len(self.tokens) else ""

    def _got(self) -> str:
        return f"'{self._next()}'" if self._is_left() else "the end of the text"

    def _hint(self, word: str) -> str:
        near = difflib.get_close_matches(word.lower(), WORDS, 1)
        if near:
            return f"; did you mean '{near[0]}'?"
        return f"; if it is the name of an arc: {word}=" if self._kind() == "word" and self._next(1) != "(" else ""

    def _kind(self) -> str | None:
        return self.tokens[self.index].lastgroup if self._is_left() else None

    def _error(self, message: str, place: int | None = None) -> TreeError:
        """An error at a token: the next one, or the one with this index."""
        index = self.index if place is None else place
        start = self.tokens[index].start() if index < len(self.tokens) else len(self.text)
        return self._error_at(start, message)

    def _error_at(self, start: int, message: str) -> TreeError:
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        return TreeError(f"{self.source}, line {line}, column {column}: {message}", line, column)


def arc_names(children: "list[Node] | tuple[Node, ...]") -> list[str]:
    """What the arcs are called: their names, or their numbers from 1 on."""
    return [child.name or str(number) for number, child in enumerate(children, 1)]


def _number(text: str) -> float:
    above, slash, below = text.partition("/")
    if not slash:
        return float(above)
    return float(above) / float(below) if float(below) else float("nan")
