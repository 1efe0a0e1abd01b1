"""The page of a report: the template `page.html`, filled with tables, plots and games."""

import shlex
from collections.abc import Iterable, Sequence
from datetime import date
from html import escape
from string import Template
from typing import Any

from damier.arena.plan import Plan
from damier.arena.report.plots import rating_plot, sprt_plot
from damier.arena.report.replay import replays
from damier.arena.result import Match, Score, Tournament
from damier.core.files import embedded_json
from damier.core.html import read, single_file
from damier.core.loading import is_file_name, locator_of
from damier.core.messages import language, say, section, spoken
from damier.core.version import __version__


def make_page(result: Tournament, boards: int) -> str:
    title = f"{result.plan.game.name}: {' - '.join(result.players)}"
    body = Template(read(__package__, "page.html")).substitute(
        _words(),
        heading=escape(result.plan.game.name),
        kind=_said("match" if result.plan.is_match else "tournament"),
        players=" <span class='versus'>&ndash;</span> ".join(f"<span>{escape(name)}</span>" for name in result.players),
        facts=_facts(result),
        remarks="".join(f"<li>{escape(remark.text())}</li>" for remark in result.remarks),
        standings=_standings(result),
        crosstable=_crosstable(result),
        ratings=rating_plot(result.ranking),
        sprt=_sprt(result),
        boards=_boards_note(result, boards),
        data=embedded_json(spoken(replays(result, boards)) | {"words": section("report")}),
        script=read(__package__, "page.js"),
    )
    return single_file(body, title, read(__package__, "page.css"), language())


def _words() -> dict[str, str]:
    """The words of the template in the current language: `$w_no_script`."""
    return {f"w_{name.replace('-', '_')}": escape(words) for name, words in section("report").items()}


def _said(name: str, **facts: Any) -> str:
    """A sentence of the report in the current language, ready for HTML."""
    return escape(say(f"report.{name}", **facts).text())


# -- what was played -----------------------------------------------------------------------------------------


def _facts(result: Tournament) -> str:
    plan = result.plan
    is_whole = result.games == plan.num_games
    facts = {
        "games": str(result.games) if is_whole else _said("games-of", games=result.games, most=plan.num_games),
        "seed": str(plan.seed),
        "openings": _openings_text(plan),
        "created": _said("created-with", date=date.today().isoformat(), version=__version__),
    }
    rows = [f"<div><dt>{_said(name)}</dt><dd>{fact}</dd></div>" for name, fact in facts.items()]
    words = escape(command_of(result))
    command = f'<div class="wide"><dt>{_said("reproduce")}</dt><dd><code>{words}</code></dd></div>'
    return "".join(rows) + command + _listed_openings(plan)


def _openings_text(plan: Plan) -> str:
    if not isinstance(plan.openings, int):
        return _said("listed-openings", count=len(plan.openings))
    return _said("random-moves", count=plan.openings) if plan.openings else _said("no-openings")


def _listed_openings(plan: Plan) -> str:
    if isinstance(plan.openings, int):
        return ""
    lines = escape("\n".join(plan.openings))
    summary = f"<summary>{_said('show-openings')}</summary>"
    return f'<div class="wide"><dt>openings.txt</dt><dd><details>{summary}<pre>{lines}</pre></details></dd></div>'


def command_of(result: Tournament) -> str:
    """The command that plays these games. Listed openings must be saved as openings.txt."""
    plan = result.plan
    words = ["damier", "match" if plan.is_match else "tournament", _game_name(plan), *plan.players]
    words += ["--games", str(plan.games), "--seed", str(plan.seed)]
    if plan.openings:
        words += ["--openings", str(plan.openings) if isinstance(plan.openings, int) else "openings.txt"]
    if plan.move_seconds is not None:
        words += ["--move-seconds", f"{plan.move_seconds:g}"]
    if result.sprt:
        words += ["--sprt", f"{result.sprt.elo0:g},{result.sprt.elo1:g}"]
    return shlex.join(words)


def _game_name(plan: Plan) -> str:
    """The name for the command line: a game of your own is named by its file."""
    locator = locator_of(type(plan.game.rules))
    title = locator if is_file_name(locator) else plan.game.title
    return title + plan.game.name.removeprefix(plan.game.title)


# -- tables --------------------------------------------------------------------------------------------------


def _standings(result: Tournament) -> str:
    seats = [_said("seat", number="+".join(str(seat + 1) for seat in seats)) for seats in result.plan.sides]
    columns = ["", _said("player"), _said("games"), "+ = -", _said("score"), "95 %", "Elo", "Elo 95 %", *seats]
    columns += [_said("seconds"), *([_said("forfeits")] if result.forfeits else [])]
    rows = []
    for place, standing in enumerate(result.ranking, start=1):
        cells = [
            str(standing.games),
            f"{standing.wins} {standing.draws} {standing.losses}",
            standing.total.percent,
            standing.total.interval_text,
            f"{standing.elo:+.0f}",
            standing.elo_text.text(),
            *(seat.percent for seat in standing.per_seat),
            f"{standing.seconds:.2f}",
            *([str(standing.forfeits)] if result.forfeits else []),
        ]
        rows.append(_row(place, standing.player, (f"<td>{escape(cell)}</td>" for cell in cells)))
    return _table(_said("standings"), columns, rows)


def _crosstable(result: Tournament) -> str:
    """A player's score against each other player, shaded by its distance from one half."""
    order = [result.players.index(standing.player) for standing in result.ranking]
    rows = []
    for place, player in enumerate(order, start=1):
        cells = [
            '<td class="self">·</td>' if other == player else _pair_cell(result.pair(player, other), result, other)
            for other in order
        ]
        rows.append(_row(place, result.players[player], cells))
    against = [str(place) for place in range(1, len(order) + 1)]
    return _table(_said("crosstable-caption"), ["", _said("player"), *against], rows)


def _pair_cell(score: Score, result: Tournament, other: int) -> str:
    if score.score is None:
        return '<td class="self">-</td>'
    side = "above" if score.score >= 0.5 else "below"
    shade = round(100 * abs(score.score - 0.5))  # at most half of the colour, to keep the text readable
    title = _said("pair", points=score.points, most=score.out_of, player=result.players[other])
    return (
        f'<td class="{side}" style="--shade: {shade}%" title="{title}">{score.percent}'
        f"<small>{score.interval_text}</small></td>"
    )


def _row(place: int, player: str, cells: Iterable[str]) -> str:
    return f'<tr><td>{place}</td><th scope="row">{escape(player)}</th>{"".join(cells)}</tr>'


def _table(caption: str, columns: Sequence[str], rows: Iterable[str]) -> str:
    heads = "".join(f'<th scope="col">{name}</th>' if name else "<td></td>" for name in columns)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table><caption>{caption}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


# -- the rest ------------------------------------------------------------------------------------------------


def _sprt(result: Tournament) -> str:
    if not isinstance(result, Match) or not result.sprt:
        return ""
    test = result.sprt
    asked = _said("sprt-asked", player=result.players[0], **vars(test))
    return (
        f'<section aria-labelledby="sprt"><h2 id="sprt">{_said("sprt")}</h2><p>{asked}</p>'
        f"<figure>{sprt_plot(result, test)}</figure></section>"
    )


def _boards_note(result: Tournament, boards: int) -> str:
    if result.games <= boards:
        return ""
    return f'<p class="note">{_said("boards-note", boards=boards)}</p>'
