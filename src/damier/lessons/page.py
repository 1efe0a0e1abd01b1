"""A trace as a page that plays it: the template `page.html`, filled. It needs nothing but itself."""

import shlex
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from damier.core.files import embedded_json
from damier.core.messages import language, say, section, spoken
from damier.lessons import drawing
from damier.lessons.record import Trace


def page(trace: Trace, command: str = "") -> str:
    """The page. `command` is what to type for the same in a terminal."""
    picture = drawing.Drawing(trace)
    return Template(read("page.html")).substitute(
        lang=language(),
        title=escape(drawing.title(trace).text()),
        style=read("page.css") + read("lesson.css") + drawing.style(),
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
        script=read("stepper.js"),
    )


def read(name: str) -> str:
    """One of the files beside this one."""
    return (files("damier.lessons") / name).read_text(encoding="utf-8")


def shown(trace: Trace) -> dict[str, Any]:
    """The document of a trace as `stepper.js` shows it: in the language that is spoken here, with the signs of
    mathematicians, and what stands in a node before anything is known, its `own` value."""
    document: dict[str, Any] = spoken(trace.to_json())
    for node, described in zip(trace.nodes, document["nodes"], strict=True):
        described["own"] = drawing.own_value(node)
    for step in document["steps"]:
        step["told"] = drawing.pretty(step["told"])
        for look in step["looks"].values():
            look["notes"] = [drawing.pretty(note) for note in look["notes"]]
    return document
