"""A trace as a page that plays it: the template `page.html`, filled. It needs nothing but itself."""

import shlex
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from damier.core.files import embedded_json
from damier.lessons import drawing
from damier.lessons.record import Trace


def page(trace: Trace, command: str = "") -> str:
    """The page. `command` is what to type for the same in a terminal."""
    picture = drawing.Drawing(trace)
    return Template(_read("page.html")).substitute(
        title=escape(f"{trace.algorithm} on {trace.title}"),
        style=_read("page.css") + drawing.style(),
        algorithm=escape(trace.algorithm),
        tree=escape(trace.title),
        grows=" grows" if trace.grows else "",
        width=f"{picture.width:g}",
        height=f"{picture.height:g}",
        drawing=picture.tree(),
        legend_width=f"{drawing.legend_width(trace):g}",
        legend=drawing.legend(trace),
        meanings=escape(", ".join(trace.legend.values())),
        command=escape(command or f"damier trace {trace.algorithm} {shlex.quote(trace.title)}"),
        data=embedded_json(_data(trace)),
        script=_read("page.js"),
    )


def _read(name: str) -> str:
    return (files("damier.lessons") / name).read_text(encoding="utf-8")


def _data(trace: Trace) -> dict[str, Any]:
    """What the script needs, with looks as short as can be."""
    steps = [
        {
            "kind": step.kind,
            "node": step.node,
            "told": drawing.pretty(step.told),
            "looks": {
                number: [look.status, look.value, [drawing.pretty(note) for note in look.notes]]
                for number, look in step.looks.items()
            },
        }
        for step in trace.steps
    ]
    nodes = [{"own": drawing.own_value(node)} | ({"board": node.board} if node.board else {}) for node in trace.nodes]
    return {"nodes": nodes, "steps": steps}
