"""A trace in a terminal: the tree after some of its steps, one node per line."""

from dataclasses import dataclass

from damier.core.messages import spoken
from damier.lessons.record import CUT, OPEN, SEEN, UNSEEN, Look, Step, Trace, format_number, format_values
from damier.lessons.trees import NOBODY, ROOT, TreeNode

MARKS = {UNSEEN: "○", OPEN: "◉", SEEN: "●", CUT: "✕"}
ASCII_MARKS = {UNSEEN: ".", OPEN: "o", SEEN: "*", CUT: "x"}


@dataclass(frozen=True)
class Line:
    """A node of the tree."""

    text: str
    status: str
    is_here: bool
    """Whether this is the node of the last step."""


def lines(trace: Trace, count: int | None = None, unicode: bool = True) -> list[Line]:
    """The tree after `count` steps, or after all. Nodes that do not exist yet are left out."""
    steps = trace.steps[:count]
    looks, here = trace.looks_after(len(steps)), steps[-1].node if steps else NOBODY
    drawn, waiting = list[Line](), [ROOT]
    while waiting:
        node = trace.nodes[waiting.pop()]
        look = looks[node.id]
        if trace.grows and look.status == UNSEEN:
            continue
        drawn.append(Line(_line(node, look, unicode), look.status, node.id == here))
        children = sorted(node.children, key=lambda child: trace.nodes[child].index)
        waiting += reversed(children)
    return drawn


def strategy_lines(step: Step) -> list[str]:
    """The lines of a step's table, its names in one column."""
    names = [spoken(name) for name, _ in step.table]
    longest = max(map(len, names), default=0)
    return [f"{name:{longest}}  {row}" for name, (_, row) in zip(names, step.table, strict=True)]


def legend(trace: Trace, unicode: bool = True) -> str:
    marks = MARKS if unicode else ASCII_MARKS
    return "   ".join(
        f"{marks[status]} {spoken(meaning)}" for status, meaning in trace.legend.items() if status in marks
    )


def _line(node: TreeNode, look: Look, unicode: bool) -> str:
    parts = [(MARKS if unicode else ASCII_MARKS)[look.status]]
    if node.parent != NOBODY:
        parts.append(node.arc)
    if node.probability is not None:
        parts.append(f"{format_number(node.probability)}:")
    parts.append(format_values(node.values) if node.is_leaf else node.word)
    if node.knowledge is not None:
        parts.append(f"{{{node.knowledge.name}}}")
    if look.value and not (node.is_leaf and look.value == format_values(node.values)):
        parts.append(f"= {look.value}")
    return "   " * node.depth + " ".join(parts) + "".join(f"   {spoken(note)}" for note in look.notes)
