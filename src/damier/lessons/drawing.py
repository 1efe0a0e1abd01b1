"""A trace as SVG: the tree after some of its steps. Nodes and arcs have numbers, so a page can animate further steps.

A Max node points up, a Min node down, a chance node is round, a leaf is a square; other players have a letter. A node's
value is inside it, and its notes are above it. A dashed line joins the nodes of an information set.
"""

import re
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import Any

from damier.core.messages import Message, say, spoken
from damier.lessons.record import BOUNDS, CUT, SET, VALUE, Look, Trace, format_number, format_values
from damier.lessons.trees import NOBODY, ROOT, TreeNode

CHARACTER = 6.2  # the width of one, at most
LINE = 14
HALF = 16  # of a node's height
GAP = 16  # between neighbours
MARGIN = 70  # for the names of the levels
LEGEND_HEIGHT = 46

_SIGNS = {"alpha": "\N{GREEK SMALL LETTER ALPHA}", "beta": "β", "inf": "∞"}
_SIGN = re.compile(r"\balpha\b|\bbeta\b|(?<=[-+])inf\b")


def pretty(text: str) -> str:
    """A text in the current language, with mathematical symbols."""
    return _SIGN.sub(lambda match: _SIGNS[match.group()], spoken(text))


def style() -> str:
    return (files("damier.lessons") / "drawing.css").read_text(encoding="utf-8")


def svg(trace: Trace, count: int | None = None) -> str:
    """A self-contained picture of the tree after `count` steps, or after all."""
    drawing = Drawing(trace)
    height = drawing.height + LEGEND_HEIGHT
    width = max(drawing.width, legend_width(trace))
    label = escape(say("lesson.picture", title=title(trace), answer=trace.steps[-1].told).text())
    tree = f'<g transform="translate({(width - drawing.width) / 2:g} 0)">{drawing.tree(count)}</g>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing{" grows" * trace.grows}" role="img" '
        f'aria-label="{label}" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
        f'<style>{style()}</style><rect width="100%" height="100%" fill="var(--paper)"/>{tree}'
        f'<g transform="translate(0 {drawing.height:g})">{legend(trace)}</g></svg>\n'
    )


def title(trace: Trace) -> Message:
    """The title of the picture."""
    return say("lesson.title", algorithm=trace.algorithm, tree=trace.title)


def legend_width(trace: Trace) -> float:
    return 20 + sum(map(_entry_width, spoken_legend(trace).items()))


def spoken_legend(trace: Trace) -> dict[str, str]:
    return {status: spoken(meaning) for status, meaning in trace.legend.items()}


def _entry_width(entry: tuple[str, str]) -> float:
    return (90 if entry[0] == BOUNDS else 54) + CHARACTER * len(entry[1])


def legend(trace: Trace) -> str:
    """The legend of the picture."""
    parts, x = [], 20.0
    for entry in spoken_legend(trace).items():
        status, meaning = entry
        right = x + _entry_width(entry)
        text = right - 28 - CHARACTER * len(meaning)
        parts.append(f'<g class="{status}">{_mark(status, x)}</g>')
        parts.append(f'<text class="told" x="{text:g}" y="23">{escape(meaning)}</text>')
        x = right
    return "".join(parts)


def parts(trace: Trace, count: int | None = None) -> dict[str, Any]:
    """The tree after `count` steps and its legend as separate pictures, for pages that arrange them."""
    drawing = Drawing(trace)
    marks = {status: {"width": 56 if status == BOUNDS else 20, "drawing": _mark(status, 1)} for status in trace.legend}
    return {"width": drawing.width, "height": drawing.height, "tree": drawing.tree(count), "marks": marks}


def _mark(status: str, x: float) -> str:
    if status == CUT:
        arc = f'<path class="arc" d="M{x:g} 34 L{x + 18:g} 12"/>'
        return f'{arc}<path class="slash" d="M{x + 1:g} 17 l16 8 m-16 -3 l16 8"/>'
    if status == VALUE:
        box = f'<rect class="shape" x="{x:g}" y="14" width="18" height="18" rx="3" fill="none"/>'
        return f'{box}<text x="{x + 9:g}" y="23">v</text>'
    if status == SET:
        return f'<path class="joined" d="M{x:g} 18 q9 12 18 0"/>'
    if status == BOUNDS:
        return f'<text class="note interval" x="{x + 26:g}" y="23">[3, +∞]</text>'
    return f'<circle class="shape" cx="{x + 9:g}" cy="23" r="9"/>'


@dataclass
class Place:
    x: float
    y: float
    half: float
    """Half the width of a node's shape."""


class Drawing:
    """The layout of a tree. Nothing moves between steps, so there is room for every note of every step."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.lines = 0  # of notes above a node
        texts: list[list[str]] = [[_label(node), own_value(node), _set_name(node)] for node in trace.nodes]
        longest = 1
        for step in trace.steps:
            for number, look in step.looks.items():
                texts[number] += [look.value, *map(pretty, look.notes)]
                self.lines = max(self.lines, len(look.notes))
                longest = max(longest, len(look.value))
        self.half = max(HALF + 4, longest * CHARACTER * 0.5 + 6)
        self.level = 2 * HALF + LINE * (self.lines + 1) + 30
        self.wanted = [
            max(2 * self._half(node), CHARACTER * max(map(len, texts[node.id]))) + GAP for node in trace.nodes
        ]
        self.children = [sorted(node.children, key=lambda child: trace.nodes[child].index) for node in trace.nodes]
        self.room = list(self.wanted)
        for node in reversed(trace.nodes):  # those below first
            self.room[node.id] = max(self.wanted[node.id], sum(self.room[child] for child in self.children[node.id]))
        self.places: dict[int, Place] = {}
        self._put()
        self.width = MARGIN + self.room[ROOT] + 20
        self.height = max(place.y for place in self.places.values()) + HALF + 24

    def _half(self, node: TreeNode) -> float:
        if node.is_leaf:
            return max(HALF, len(own_value(node)) * CHARACTER / 2 + 4, self.half if self.trace.grows else 0)
        return self.half * (1.5 if node.word in ("max", "min") else 1)

    def _notes_above(self, node: TreeNode) -> int:
        """The number of notes that a node has room for. A leaf of a tree that does not grow has none."""
        return 0 if node.is_leaf and not self.trace.grows else self.lines

    def _put(self) -> None:
        """Place nodes from left to right; a node is centred between its first child and its last."""
        lefts = {ROOT: float(MARGIN)}
        order = [ROOT]
        for number in order:  # grows while it is visited: those above come first
            left = lefts[number] + (self.room[number] - sum(self.room[child] for child in self.children[number])) / 2
            for child in self.children[number]:
                lefts[child] = left
                left += self.room[child]
            order += self.children[number]
        for number in reversed(order):
            node, left, half = self.trace.nodes[number], lefts[number], self.wanted[number] / 2
            below = [self.places[child].x for child in self.children[number]]
            middle = (below[0] + below[-1]) / 2 if below else left + half
            x = min(max(middle, left + half), left + self.room[number] - half)
            self.places[number] = Place(x, self._height_of(node.depth), self._half(node))

    def _height_of(self, depth: int) -> float:
        return self.level * depth + LINE * self.lines + HALF + 14

    def tree(self, count: int | None = None) -> str:
        """The drawing after `count` steps, without its svg element."""
        steps = self.trace.steps[:count]
        looks = self.trace.looks_after(len(steps))
        here = steps[-1].node if steps else NOBODY
        arcs = "".join(self._arc(node, looks[node.id]) for node in self.trace.nodes[1:])
        nodes = "".join(self._node(node, looks[node.id], node.id == here) for node in self.trace.nodes)
        return f"<g>{self._levels()}</g><g>{arcs}</g><g>{self._sets()}</g><g>{nodes}</g>"

    def _levels(self) -> str:
        """The name of a level, if the same player moves in all its nodes."""
        words: dict[int, set[str]] = {}
        for node in self.trace.nodes:
            if not node.is_leaf:
                words.setdefault(node.depth, set()).add(node.word)
        return "".join(
            f'<text class="level" x="12" y="{self._height_of(depth):g}">{who.pop().upper()}</text>'
            for depth, who in words.items()
            if len(who) == 1
        )

    def _sets(self) -> str:
        """A dashed line below the nodes of each information set, from each to the next, and the name below each."""
        drawn = []
        for name, nodes in self.trace.sets:
            places = sorted((self.places[node] for node in nodes), key=lambda place: place.x)
            for left, right in pairwise(places):
                x, y = (left.x + right.x) / 2, max(left.y, right.y) + HALF + min(60, 12 + (right.x - left.x) / 8)
                ends = f"M{left.x:.1f} {left.y + HALF:g} Q{x:.1f} {y:.1f} {right.x:.1f} {right.y + HALF:g}"
                drawn.append(f'<path class="joined" d="{ends}"/>')
            for place in places:
                where = f'x="{place.x:.1f}" y="{place.y + HALF + 10:g}"'
                drawn.append(f'<text class="label set" {where}>{escape(name)}</text>')
        return "".join(drawn)

    def _arc(self, node: TreeNode, look: Look) -> str:
        above, place = self.places[node.parent], self.places[node.id]
        x1, y1, x2, y2 = above.x, above.y + HALF, place.x, place.y - HALF - LINE * self._notes_above(node)
        where = 0.6  # of the way down
        (x, y), (cut_x, cut_y) = ((x1 + t * (x2 - x1), y1 + t * (y2 - y1)) for t in (where, where + 0.25))
        top = place.y - HALF + (3 if node.is_leaf else 0)
        end = top - LINE * len(look.notes) - 2 * bool(look.notes)
        stem = f'x1="{x2:.1f}" x2="{x2:.1f}" y1="{y2:g}" y2="{end:g}" data-top="{top:g}"'
        return (
            f'<g id="arc-{node.id}" class="{look.status}"><path class="arc" d="M{x1:.1f} {y1:g} L{x2:.1f} {y2:g}"/>'
            f'<line class="arc stem" {stem}/>'
            f'<path class="slash" d="M{cut_x - 9:.1f} {cut_y - 6:.1f} l18 8 m-18 -4 l18 8"/>'
            f'<text class="label" x="{x:.1f}" y="{y:.1f}">{escape(_label(node))}</text></g>'
        )

    def _node(self, node: TreeNode, look: Look, is_here: bool) -> str:
        place = self.places[node.id]
        notes = [*[""] * (self.lines - len(look.notes)), *look.notes]
        written = "".join(_note(note, place, i) for i, note in enumerate(reversed(notes)))
        # a triangle is widest at its base, so the value is placed near it
        shift = {"max": 5, "min": -5}.get("" if node.is_leaf else node.word, 0)
        value = escape(look.value or own_value(node))
        return (
            f'<g id="node-{node.id}" class="{look.status}{" here" * is_here}">{_shape(node, place)}'
            f'<text class="value" x="{place.x:.1f}" y="{place.y + shift:g}">{value}</text>{written}</g>'
        )


def _note(note: str, place: Place, line: int) -> str:
    """A line of text above a node, numbered from the bottom."""
    kind = "note interval" if note.startswith("[") else "note"
    y = place.y - HALF - 8 - LINE * line
    return f'<text class="{kind}" x="{place.x:.1f}" y="{y:g}">{escape(pretty(note))}</text>'


def _shape(node: TreeNode, place: Place) -> str:
    x, y, half = place.x, place.y, place.half
    if node.is_leaf:
        size = f'width="{2 * half:.1f}" height="{2 * HALF - 6}"'
        return f'<rect class="shape" x="{x - half:.1f}" y="{y - HALF + 3:g}" {size} rx="3"/>'
    if node.word in ("max", "min"):
        up = 1 if node.word == "max" else -1
        base, point = y + up * HALF, y - up * HALF
        return f'<path class="shape" d="M{x - half:.1f} {base:g} H{x + half:.1f} L{x:.1f} {point:g} Z"/>'
    return f'<ellipse class="shape" cx="{x:.1f}" cy="{y:g}" rx="{half:.1f}" ry="{HALF}"/>'


def _set_name(node: TreeNode) -> str:
    return "" if node.knowledge is None else node.knowledge.name


def _label(node: TreeNode) -> str:
    """The text beside the arc to a node."""
    if node.probability is None:
        return node.arc
    return f"{node.arc} {format_number(node.probability)}"


def own_value(node: TreeNode) -> str:
    """The text in a node before anything is known: a leaf's value, or the player if the shape does not show it."""
    if node.is_leaf:
        return format_values(node.values)
    return "" if node.word in ("max", "min", "chance") else node.word
