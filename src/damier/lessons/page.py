"""A trace as an interactive page: the template `page.html`, filled in. The page is one file."""

import shlex
from html import escape
from string import Template
from typing import Any

from damier.core.files import embedded_json
from damier.core.html import read, single_file
from damier.core.messages import language, say, section, spoken
from damier.lessons import drawing
from damier.lessons.record import Trace


def page(trace: Trace, command: str = "") -> str:
    """The page. `command` is the command that shows the same trace in a terminal."""
    picture = drawing.Drawing(trace)
    body = Template(read(__package__, "page.html")).substitute(
        algorithm=escape(trace.algorithm),
        kind=escape(say("lesson.lesson").text()),
        tree=escape(say("lesson.on", tree=trace.title).text()),
        stage=escape(say("lesson.the-tree").text()),
        grows=" grows" if trace.grows else "",
        width=f"{picture.width:g}",
        height=f"{picture.height:g}",
        drawing=picture.tree(),
        legend_width=f"{drawing.legend_width(trace):g}",
        legend=drawing.legend(trace),
        meanings=escape(say("lesson.legend", meanings=list(trace.legend.values())).text()),
        no_script=escape(say("lesson.no-script").text()),
        same=escape(say("lesson.same-in-terminal").text()),
        command=escape(command or f"damier trace {trace.algorithm} {shlex.quote(trace.title)}"),
        data=embedded_json(shown(trace) | {"words": section("stepper")}),
        script=read(__package__, "stepper.js"),
    )
    style = read(__package__, "page.css") + read(__package__, "lesson.css") + drawing.style()
    return single_file(body, drawing.title(trace).text(), style, language())


def shown(trace: Trace) -> dict[str, Any]:
    """The document of a trace as `stepper.js` shows it: in the current language, with mathematical symbols, and with
    each node's `own` value, which is shown before anything is known."""
    document: dict[str, Any] = spoken(trace.to_json())
    for node, described in zip(trace.nodes, document["nodes"], strict=True):
        described["own"] = drawing.own_value(node)
    for step in document["steps"]:
        step["told"] = drawing.pretty(step["told"])
        for look in step["looks"].values():
            look["notes"] = [drawing.pretty(note) for note in look["notes"]]
    return document
