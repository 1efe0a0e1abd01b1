"""The plots of a report, as SVG for a page that is light or dark."""

import io
import re
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from damier.arena.result import Match, Standing
from damier.arena.sprt import Sprt
from damier.core.messages import say

# The plots use these colours, which the page replaces by its own.
_INK, _MUTED, _ACCENT, _LINE = "#010101", "#020202", "#030303", "#040404"
_OF_THE_PAGE = {_INK: "var(--ink)", _MUTED: "var(--muted)", _ACCENT: "var(--accent)", _LINE: "var(--line)"}
_WIDTH = 4.8  # inches; narrow, so the text stays readable on a phone
_POINTS = 400  # of a curve


def rating_plot(ranking: Sequence[Standing]) -> str:
    """The ratings, the best on top, with their 95 % intervals."""
    figure, axes = _figure(height=0.7 + 0.46 * len(ranking))
    for place, standing in enumerate(ranking):
        low, high = standing.elo_interval
        axes.plot([low, high], [place, place], color=_ACCENT, linewidth=2, solid_capstyle="butt")
        axes.plot([low, high], [place, place], "|", color=_ACCENT, markersize=8, markeredgewidth=2)
        axes.plot([standing.elo], [place], "o", color=_ACCENT, markersize=7)
        value = f"{standing.elo:+.0f} ± {(high - low) / 2:.0f}"
        for text, side, alignment in ((standing.player, 0.0, "left"), (value, 1.0, "right")):
            # Above its bar, so a long name takes no room from the bars.
            where = axes.get_yaxis_transform()
            axes.text(side, place - 0.3, text, transform=where, ha=alignment, va="center", parse_math=False, color=_INK)
    axes.set_ylim(len(ranking) - 0.6, -0.65)
    axes.set_yticks([])
    axes.set_xlabel(say("report.elo-axis").text())
    axes.grid(axis="x", color=_LINE, linewidth=0.8)
    ratings = "; ".join(f"{standing.player} {standing.elo:+.0f} ({standing.elo_text.text()})" for standing in ranking)
    return _svg(figure, "ratings", say("report.rating-plot", ratings=ratings).text())


def sprt_plot(result: Match, sprt: Sprt) -> str:
    """The log-likelihood ratio after each round, between the bounds that decide."""
    scores = result.round_scores
    rounds = sorted({*range(0, len(scores), max(1, len(scores) // _POINTS)), len(scores)})
    ratios = [sprt.llr(scores[:number]) for number in rounds]
    figure, axes = _figure(height=2.6)
    for bound, elo, side in zip(sprt.bounds, (sprt.elo0, sprt.elo1), ("top", "bottom"), strict=True):
        axes.axhline(bound, color=_INK, linewidth=1.2, linestyle="--")
        axes.annotate(
            say("report.elo-accepted", elo=elo).text(),
            (0, bound),
            xycoords=axes.get_yaxis_transform(),
            xytext=(4, -3 if side == "top" else 3),
            textcoords="offset points",
            va=side,
            color=_INK,
        )
    axes.plot(rounds, ratios, color=_ACCENT, linewidth=2)
    axes.plot(rounds[-1:], ratios[-1:], "o", color=_ACCENT, markersize=6)
    axes.margins(x=0.02, y=0.16)
    axes.set_xlabel(say("report.rounds-axis", games=result.plan.round_size).text())
    axes.set_ylabel(say("report.sprt-axis").text())
    axes.grid(color=_LINE, linewidth=0.8)
    low, high = sprt.bounds
    label = say("report.sprt-plot", rounds=len(scores), ratio=ratios[-1], low=low, high=high)
    return _svg(figure, "sprt", label.text())


def _figure(height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.spines["bottom"].set_color(_MUTED)
    axes.locator_params(axis="x", nbins=6)
    axes.tick_params(colors=_MUTED, length=0)
    axes.xaxis.label.set_color(_MUTED)
    axes.yaxis.label.set_color(_MUTED)
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Figure, name: str, label: str) -> str:
    """The drawing as an SVG element of a page with several: its ids begin with its name."""
    written = io.StringIO()
    nothing: Any = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(written, format="svg", transparent=True, metadata=nothing)
    svg = written.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r' (width|height)="[^"]*pt"', "", svg)  # the page sets the size
    for drawn, meant in _OF_THE_PAGE.items():
        svg = svg.replace(drawn, meant)
    return svg.replace("<svg", f'<svg class="plot" role="img" aria-label="{escape(label)}"', 1)
