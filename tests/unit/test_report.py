"""The page that `--report` writes; tests/browser/test_report.py uses it as a reader does."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import damier
from damier import DamierError
from damier.arena.report import write_report
from damier.arena.report.page import command_of
from damier.arena.result import Tournament
from damier.arena.sprt import Sprt
from damier.core.files import check_path
from damier.core.game import Game
from damier.core.view import EMPTY, Grid
from tests.conformance.games import HighCard, Pig
from tests.random_tournaments import random_tournament, renamed
from tests.unit.command import Damier

NASTY = "<img src=x> & \"both\" 'quotes' </script><!--"


class Page(HTMLParser):
    """What a browser would make of the page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def data(self) -> Any:
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', self.source, re.DOTALL)
        assert found
        return json.loads(found.group(1))


def page_of(result: Tournament, folder: Path, **how: Any) -> Page:
    path = folder / "report.html"
    write_report(result, path, **how)
    assert [file.name for file in folder.iterdir()] == ["report.html"]
    return Page(path)


def boards(data: Any, game: Any) -> Iterator[list[Any]]:
    """What `page.js` shows, ply by ply."""
    shown = list(data["board"]["start"])
    yield list(shown)
    for _, _, *changes in game["plies"]:
        if data["board"]["kind"] == "grid":
            for change in changes:
                shown[change % len(shown)] = change // len(shown)
        else:
            for line, text in zip(changes[::2], changes[1::2], strict=True):
                shown += [""] * (line + 1 - len(shown))
                shown[line] = text
        yield list(shown)


def expected(game: Game, data: Any, position: damier.Position) -> list[Any]:
    if data["board"]["kind"] == "text":
        return position.draw(unicode=True).splitlines()
    grid: Grid = position.view()
    numbers = {tuple(symbol): number for number, symbol in enumerate(data["board"]["symbols"], start=1)}
    kinds = {index: numbers[symbol.unicode, symbol.player] for index, symbol in enumerate(grid.symbols)}
    return [0 if cell == EMPTY else kinds[cell] for row in grid.cells for cell in row]


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (damier.game("tictactoe"), "grid"),
        (damier.game("dames8"), "grid"),
        (damier.game(Pig), "text"),  # three players, chance
        (damier.game(HighCard), "text"),
    ],
    ids=lambda value: getattr(value, "title", None),
)
def test_the_page_replays_the_very_games(game: Game, kind: str, tmp_path: Path) -> None:
    result = random_tournament(game, num_players=game.num_players, games=6)
    data = page_of(result, tmp_path).data
    assert data["board"]["kind"] == kind
    assert len(data["games"]) == result.games
    for record, kept in zip(result.records, data["games"], strict=True):
        positions = record.positions(game)
        assert kept["seating"] == list(record.seating)
        assert kept["winners"] == list(record.winners)
        for position, move, (mover, notation, *_) in zip(positions[:-1], record.moves, kept["plies"], strict=True):
            assert (mover, notation) == (position.player, position.notation(move))
        for position, shown in zip(positions, boards(data, kept), strict=True):
            while shown and shown[-1] == "":
                shown.pop()
            assert shown == expected(game, data, position)


def test_the_page_is_one_file_that_loads_nothing(tmp_path: Path) -> None:
    page = page_of(random_tournament(damier.game("tictactoe"), num_players=3), tmp_path)
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "audio", "video")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith("#")
    assert not re.search(r"@import|url\((?!#)", page.source)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    game = damier.game("tictactoe")
    game.title = f"game {NASTY}"
    result = renamed(random_tournament(game), (NASTY, f"other {NASTY}"))
    page = page_of(result, tmp_path)
    assert "img" not in {tag for tag, _ in page.tags}
    assert page.texts.count(NASTY) >= 3  # the heading and two tables at least
    assert f"game {NASTY}" in page.texts
    assert page.data["players"] == list(result.players)


def test_the_page_has_the_tables_the_plots_and_the_remarks(tmp_path: Path) -> None:
    result = random_tournament(damier.game("tictactoe"), num_players=3, games=10)
    page = page_of(result, tmp_path)
    for standing in result.ranking:
        assert {standing.total.percent, standing.total.interval_text, standing.elo_text} <= set(page.texts)
    assert set(result.remarks) <= set(page.texts)
    plots = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert [plot["role"] for plot in plots] == ["img"]
    assert "Ratings in Elo" in (plots[0]["aria-label"] or "")


def test_a_match_with_a_sequential_test_has_its_curve(tmp_path: Path) -> None:
    result = random_tournament(damier.game("tictactoe"), games=20, sprt=Sprt(0, 50))
    page = page_of(result, tmp_path)
    labels = [attributes["aria-label"] or "" for tag, attributes in page.tags if tag == "svg"]
    assert "Log-likelihood ratio over 10 rounds" in labels[1]
    assert "Sequential test" in page.texts
    assert any(remark.startswith("Sequential test: not decided") for remark in result.remarks)


def test_games_beyond_the_limit_keep_their_moves(tmp_path: Path) -> None:
    result = random_tournament(damier.game("tictactoe"), games=4)
    page = page_of(result, tmp_path, boards=1)
    first, *others = page.data["games"]
    assert first["hasBoards"]
    assert not any(game["hasBoards"] for game in others)
    assert all(len(ply) == 2 for game in others for ply in game["plies"])
    assert any("the first 1 games" in text for text in page.texts)


def test_the_command_is_told() -> None:
    result = random_tournament(damier.game("mnk:rows=3,cols=3,k=3"), games=2, openings=2, sprt=Sprt(0, 50))
    name = result.plan.game.name
    assert command_of(result) == f"damier match {name} random uct:sims=1 --games 2 --seed 3 --openings 2 --sprt 0,50"


def test_listed_openings_are_told(tmp_path: Path) -> None:
    result = random_tournament(damier.game("tictactoe"), openings=("b2 a1", "a1 b2"))
    assert command_of(result).endswith("--openings openings.txt")
    assert "b2 a1\na1 b2" in page_of(result, tmp_path).texts


def test_a_game_in_a_file_is_named_by_it(tmp_path: Path) -> None:
    file = tmp_path / "own game.py"
    file.write_text("from damier.games.tictactoe import TicTacToe\nclass Own(TicTacToe): pass\n")
    result = random_tournament(damier.game(f"{file}:Own"))
    assert command_of(result).startswith(f"damier match '{file}:Own' random ")


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamierError, match="there is no folder"):
        check_path(tmp_path / "absent" / "report.html")
    with pytest.raises(DamierError, match="expected the name of a file"):
        check_path(tmp_path)


def test_a_bad_path_is_told_before_the_games_are_played(tmp_path: Path, damier_: Damier) -> None:
    database, report = tmp_path / "games.sqlite3", tmp_path / "absent" / "x.html"
    players = ("uct:sims=100000", "uct:sims=100001")  # would take hours
    code, _, err = damier_("match", "othello", *players, "--database", database, "--report", report)
    assert code == 2
    assert err.count("\n") == 1
    assert f"can't write '{report}'" in err
    assert not database.exists()


def test_the_command_line_writes_a_report(tmp_path: Path, damier_: Damier) -> None:
    report = tmp_path / "report.html"
    options = ("--games", "2", "--workers", "1", "--database", tmp_path / "games.sqlite3", "--report", report)
    code, out, err = damier_("match", "tictactoe", "random", "flat:sims=2", *options, "--json")
    assert code == 0, err
    assert json.loads(out)["games"] == 2
    assert len(Page(report).data["games"]) == 2


def test_the_report_and_the_tables_are_in_the_language_of_the_command(tmp_path: Path, damier_: Damier) -> None:
    path = tmp_path / "report.html"
    players = ("tictactoe", "random", "tests/unit/own_players.py:First")
    how = ("--games", "2", "--workers", "1", "--fresh", "--report", path)
    code, out, _ = damier_("--lang", "fr", "match", *players, *how)
    assert code == 0
    for words in ("tictactoe : 2 parties, graine 0", "joueur", "contre 1", "place 2", "score des uns contre"):
        assert words in out
    page = Page(path)
    assert '<html lang="fr">' in page.source
    assert {"Résultats", "Tableau croisé", "Joueur", "Place 1", "Effacer les filtres"} <= set(page.texts)
    assert page.data["words"]["won-by"] == "Gagnée par {name}"
    assert "$w_" not in page.source
