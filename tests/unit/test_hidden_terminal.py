"""Games of hidden information in the terminal, in reports and by GTP: nobody is shown what they may not see."""

import re

import pytest

import damier
from damier import DamierError
from damier.arena.report.replay import replays
from damier.cli.play import TerminalGame, opponent
from damier.cli.terminal.output import console
from damier.players.external.gtp_server import GtpServer
from damier.players.external.program import ExternalPlayer
from tests.random_tournaments import random_tournament

KUHN = damier.game("kuhn")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Let somebody type; what is on the screen before each line is listed, and what came after the last one."""
    screens: list[str] = []
    waiting = iter(lines)

    def read(*_: object, **__: object) -> str:
        screens.append(console.end_capture())
        console.begin_capture()
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(console, "input", read)
    return screens


def played(monkeypatch: pytest.MonkeyPatch, seats: list[str], *lines: str, seed: int = 1) -> tuple[list[str], str]:
    screens = typed(monkeypatch, *lines)
    console.begin_capture()
    game = TerminalGame(KUHN.start(), seats, "random", seed, ascii=True)
    game.play()
    return [*screens, console.end_capture()], game.position.line()


def cards_in(screen: str) -> set[str]:
    return set(re.findall(r"\b[JQK]\b", screen))


@pytest.mark.parametrize("seed", range(3))
def test_a_person_sees_their_own_card_only(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    answers = ["hint", "undo", "moves", "nonsense", "check", "call", "call"]
    (*screens, last), line = played(monkeypatch, ["human", "random"], *answers, seed=seed)
    own, other = line.split()[:2]
    assert {*map(frozenset, map(cards_in, screens))} <= {frozenset(), frozenset(own)}
    assert own in screens[0]
    text = "".join(screens)
    assert "random would play" in text
    assert "nobody can take a move back" in text
    assert "illegal move 'nonsense' in kuhn as player 1 sees it" in text
    assert cards_in(last) == {own, other}, "after the game the cards are open"


def test_two_people_hand_the_terminal_over(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["", "check", "", "bet", "", "fold"]
    screens, line = played(monkeypatch, ["human", "human"], *lines)
    cards = line.split()[:2]
    before_looking, looking = screens[0::2], screens[1::2]
    for number, screen in enumerate(looking[:3]):
        assert cards_in(screen) == {cards[number % 2]}
    assert cards_in(before_looking[0]) == set(), "nobody looks before the first turn"
    for number, screen in enumerate(before_looking[1:3]):
        assert cards_in(screen) == {cards[number % 2]}, "the mover still sees their own move"
    assert cards_in(screens[-1]) == set(cards)


def test_a_deal_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (*screens, _), line = played(monkeypatch, ["human", "random"], "help", "check")
    own = line.split()[0]
    assert screens[0].count("Player 1") == 1, "the board is drawn once"
    assert f"chance played {own}\n" in screens[0]
    assert "can't see" not in screens[0]
    assert "undo" not in screens[1]
    assert "moves   list the legal moves" in screens[1]


def test_players_among_themselves_are_watched_with_open_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    (screen,), line = played(monkeypatch, ["random", "random"])
    assert cards_in(screen) == set(line.split()[:2])


def test_players_that_need_open_cards_or_see_them_all_are_refused() -> None:
    with pytest.raises(DamierError, match="needs open cards"):
        TerminalGame(KUHN.start(), ["human", "uct"], "", 1, ascii=True)
    with pytest.raises(DamierError, match="cheat sees all cards"):
        TerminalGame(KUHN.start(), ["human", "random"], "cheat", 1, ascii=True)
    assert opponent(damier.game("tictactoe")).startswith("uct")
    assert opponent(KUHN).startswith("ismcts")


def test_gtp_refuses_hidden_cards_in_one_line() -> None:
    with pytest.raises(DamierError, match="the Go Text Protocol tells both sides everything"):
        GtpServer(KUHN, "random")
    answer = GtpServer(damier.game("tictactoe"), "random").answer("set_game kuhn")
    assert answer is not None
    assert answer.startswith("? kuhn has hidden information")
    with pytest.raises(DamierError, match="kuhn has hidden information"):
        ExternalPlayer.check_sight(ExternalPlayer.__new__(ExternalPlayer), KUHN)


def test_a_report_shows_finished_games_with_open_cards() -> None:
    shown = replays(random_tournament(KUHN, games=4))
    assert shown["board"]["kind"] == "text"
    assert len(shown["games"]) == 4
    for game in shown["games"]:
        first, second = game["plies"][0][1], game["plies"][1][1]
        lines = list(shown["board"]["start"])
        for ply in game["plies"]:
            for line, text in zip(ply[2::2], ply[3::2], strict=True):
                lines[line] = text
        assert lines[0].endswith(first)
        assert lines[1].endswith(second)
