"""Endgame databases: what is published about them, how they survive kills and damage, and how players use them."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from math import comb
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.errors import DamierError, SpecError
from damier.core.position import Position
from damier.search.classical.alphabeta import AlphaBeta
from damier.search.endgames.build import Progress, build_database, part_of
from damier.search.endgames.files import Database, EndgameError, endgame_file, section_bytes, sections
from damier.search.endgames.probing import stored_result
from damier.search.endgames.verify import verify
from tests.conformance.broken import Numbered

ENGLISH = "draughts:rules=english"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("endgames")
    build_database(damier.game(ENGLISH), 3, endgame_file(damier.game(ENGLISH), folder))
    return folder


@pytest.fixture(scope="module")
def database(folder: Path) -> Database:
    return Database(damier.game(ENGLISH), endgame_file(damier.game(ENGLISH), folder))


def positions(database: Database, name: str, seed: int = 1) -> Iterator[tuple[Position, int]]:
    """Positions of an ending in random order, and their results."""
    game = damier.game(ENGLISH)
    number, size = next((i, head["size"]) for i, head in enumerate(database.endings) if head["name"] == name)
    for index in np.random.default_rng(seed).permutation(size):
        state = game.new_states(1)[0]
        if game.rules.set_ending(state, number, int(index)):
            yield Position(game, state), int(stored_result(database.endgames, number, int(index)))


# -- what others found -----------------------------------------------------------------------------------------


def test_counts_are_those_of_schaeffer_and_others(database: Database) -> None:
    """English checkers has 6,972 positions of two pieces and 261,224 of three (Schaeffer et al., "Checkers is solved",
    2007), those with pieces of one colour only among them, which are no endings."""
    for pieces, published in ((2, 6_972), (3, 261_224)):
        ours = sum(head["positions"] for head in database.endings if len(head["name"]) == pieces + 1)
        one_colour = sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))
        assert ours + 2 * one_colour == published


def test_king_against_king_is_as_published(database: Database) -> None:
    """As posted on damforum.nl: of 992 positions 230, 654 and 108 are won, drawn and lost, in at most 11 moves."""
    head = database.endings[0]
    found = [head[name] for name in ("name", "positions", "wins", "draws", "losses", "longest")]
    assert found == ["KvK", 992, 230, 654, 108, 11]


def test_a_sample_agrees_with_alpha_beta(database: Database) -> None:
    agreed = verify(damier.game(ENGLISH), database, positions=600, depth=7)
    assert agreed.positions == 600
    assert agreed.decided > 100


def test_a_wrong_result_is_noticed(folder: Path, tmp_path: Path) -> None:
    """In a database that calls the first ending a draw throughout."""
    game = damier.game(ENGLISH)
    database = Database(game, endgame_file(game, folder))
    words = database.endgames.words.copy()
    start = int(database.endgames.starts[0])
    words[start : start + 4] = words[start] & ~0xFFFF | 1 << 4  # the four blocks have a palette of one
    words[start + (words[start] >> 16)] = 1 << 14
    database.endgames.words = words
    with pytest.raises(DamierError, match=r"KvK \d+ is a draw by the database, but its moves make it (won|lost) in"):
        verify(game, database, positions=900, depth=3)


# -- files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 7, 200, -1, "whole sections"])
def test_a_truncated_file_is_refused(folder: Path, tmp_path: Path, kept: int | str) -> None:
    game = damier.game(ENGLISH)
    data = endgame_file(game, folder).read_bytes()
    cut = [section.end for section in sections(data)][3] if isinstance(kept, str) else kept
    path = endgame_file(game, tmp_path)
    path.write_bytes(data[:cut])
    with pytest.raises(EndgameError, match=r"truncated|damaged|can't read"):
        Database(game, path)


def test_an_altered_file_is_refused_whichever_byte_it_is(folder: Path, tmp_path: Path) -> None:
    game = damier.game(ENGLISH)
    data = endgame_file(game, folder).read_bytes()
    path = endgame_file(game, tmp_path)
    ends = [section.end for section in sections(data)]
    for place in (0, 9, 50, ends[0] + 3, ends[0] + 20, ends[0] + 60, ends[4] + 1000, ends[-2] + 45, len(data) - 1):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(EndgameError, match=r"truncated or was altered|damaged"):
            Database(game, path)
    path.write_bytes(data + b"12345678")
    with pytest.raises(EndgameError, match=r"truncated or was altered"):
        Database(game, path)


def test_a_database_of_other_rules_is_refused(folder: Path) -> None:
    file = endgame_file(damier.game(ENGLISH), folder)
    with pytest.raises(EndgameError, match=r"made for other rules"):
        Database(damier.game("dames8"), file)
    with pytest.raises(SpecError, match="connect4 has no endgame database: its rules lack"):
        damier.player(f"alphabeta:depth=2,endgames={folder}").search(damier.game("connect4").start())
    with pytest.raises(EndgameError, match="there is no endgame database"):
        damier.player(f"alphabeta:depth=2,endgames={folder}").search(damier.game("dames8").start())


def test_rules_that_only_begin_or_count_otherwise_share_a_database(folder: Path) -> None:
    names = ("draughts:rules=russian", "dames8", "draughts:draw_after=9,weights=1/3/0/0/0")
    assert len({endgame_file(damier.game(name), folder) for name in names}) == 1


@pytest.mark.parametrize("left", ["half a section", "whole sections", "rubbish"])
def test_a_build_goes_on_where_it_was(folder: Path, tmp_path: Path, left: str) -> None:
    game = damier.game(ENGLISH)
    data = endgame_file(game, folder).read_bytes()
    path = endgame_file(game, tmp_path)
    ends = [section.end for section in sections(data)]
    kept = {"half a section": data[: ends[5] + 333], "whole sections": data[: ends[5]], "rubbish": b"rubbish"}
    part_of(path).write_bytes(kept[left])
    begun = []
    build_database(game, 3, path, told=lambda progress: begun.append(progress.number))
    assert min(begun) == (0 if left == "rubbish" else 5)
    assert path.read_bytes() == data
    assert not part_of(path).exists()


def rearranged(data: bytes, how: str) -> bytes:
    """The same file with other endings in it, every checksum being right."""
    found = list(sections(data))
    parts = [
        data[start : section.end] for start, section in zip([0, *(each.end for each in found)], found, strict=False)
    ]
    head, words = found[3].head, found[3].words(data)
    changes: dict[str, list[bytes]] = {
        "an ending twice": [*parts[:3], *parts[2:]],
        "all endings twice": [*parts[:-1], *parts[1:]],
        "an ending less": [*parts[:4], *parts[5:]],
        "the last one less": [*parts[:-2], parts[-1]],
        "another order": [*parts[:2], parts[3], parts[2], *parts[4:]],
        "another name": [*parts[:3], section_bytes(head | {"name": "KKKvK"}, words), *parts[4:]],
        "another size": [*parts[:3], section_bytes(head | {"size": head["size"] - 1}, words), *parts[4:]],
        "other pieces": [*parts[:-1], section_bytes({"end": True, "pieces": 2}, words[:0])],
        "no pieces": [*parts[:-1], section_bytes({"end": True}, words[:0])],
    }
    return b"".join(changes[how])


MIXED_UP = ("an ending twice", "all endings twice", "an ending less", "another order", "another name", "another size")


@pytest.mark.parametrize("how", [*MIXED_UP, "the last one less", "other pieces", "no pieces"])
def test_a_database_with_other_endings_than_the_rules_have_is_refused_and_built_again(
    folder: Path, tmp_path: Path, how: str
) -> None:
    game = damier.game(ENGLISH)
    data = endgame_file(game, folder).read_bytes()
    path = endgame_file(game, tmp_path)
    path.write_bytes(rearranged(data, how))
    with pytest.raises(EndgameError, match=r"does not hold the endings .* in their order|truncated or was altered"):
        Database(game, path)
    build_database(game, 3, path)
    assert path.read_bytes() == data


@pytest.mark.parametrize("how", MIXED_UP)
def test_what_a_build_left_is_used_as_far_as_it_is_right(folder: Path, tmp_path: Path, how: str) -> None:
    game = damier.game(ENGLISH)
    data = endgame_file(game, folder).read_bytes()
    path = endgame_file(game, tmp_path)
    part_of(path).write_bytes(rearranged(data, how))
    build_database(game, 3, path)
    assert path.read_bytes() == data


def test_two_builds_in_one_folder_are_one_too_many(folder: Path, tmp_path: Path) -> None:
    game = damier.game(ENGLISH)
    path = endgame_file(game, tmp_path)
    refused: list[str] = []

    def begin_another(progress: Progress) -> None:
        if not refused:
            with pytest.raises(DamierError) as error:
                build_database(game, 3, path)
            refused.append(str(error.value))

    build_database(game, 3, path, told=begin_another)
    assert refused == [f"another process builds endgame databases in '{tmp_path}'; wait for its end or stop it"]
    assert path.read_bytes() == endgame_file(game, folder).read_bytes()


def test_a_killed_build_is_finished_by_the_next(tmp_path: Path) -> None:
    game = damier.game(ENGLISH)
    path = endgame_file(game, tmp_path)
    command = [sys.executable, "-m", "damier", "endgame", "build", ENGLISH, "--out", str(tmp_path), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 600
        while not (part_of(path).exists() and part_of(path).stat().st_size > 200_000) and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    assert not path.exists()
    begun = []
    database = build_database(game, 4, path, told=lambda progress: begun.append(progress.number))
    assert min(begun) >= 8
    totals = [sum(head[name] for head in database.endings) for name in ("positions", "wins", "draws", "losses")]
    assert totals == [6_408_836, 2_675_270, 1_728_769, 2_004_797]


def test_any_game_can_have_endings(tmp_path: Path) -> None:
    """Whoever takes the middle one of three squares wins, though the game goes on."""
    game = damier.game(Numbered())
    database = build_database(game, 3, endgame_file(game, tmp_path))
    assert [head["positions"] for head in database.endings] == [3, 6, 3, 1]
    assert stored_result(database.endgames, 3, 0) == 4  # won in 3
    assert verify(game, database, positions=1000, depth=3).positions == 13


# -- players ---------------------------------------------------------------------------------------------------


def play(first: str, second: str, pos: Position) -> int:
    """What the game brings to the player who moves first."""
    players, mover = (damier.player(first), damier.player(second)), pos.player
    while not pos.is_over:
        pos = pos.play(players[pos.player != mover].search(pos).move)
    assert pos.returns is not None
    return int(pos.returns[mover])


def test_won_endings_are_won_with_a_database_in_the_fewest_moves(folder: Path, database: Database) -> None:
    strong = f"alphabeta:nodes=200,memory=1,endgames={folder}"
    for name in ("KKvK", "KKvM", "KMvK", "KMvM", "MMvK", "MMvM"):
        won = ((pos, result) for pos, result in positions(database, name) if result > 20)
        for pos, result in islice(won, 3):
            player, moves = damier.player(strong), 0
            while not pos.is_over:
                pos, moves = pos.play(player.search(pos).move), moves + 1
            assert moves == result - 1
            assert pos.returns is not None
            assert pos.returns[0] == 1


def test_without_a_database_they_may_not_be_won(folder: Path, database: Database) -> None:
    strong = f"alphabeta:nodes=200,memory=1,endgames={folder}"
    won = list(islice((pos for pos, result in positions(database, "MMvK") if result > 50), 4))
    assert [play(strong, strong, pos) for pos in won] == [1] * 4
    assert sum(play("alphabeta:nodes=200,memory=1", strong, pos) for pos in won) < 4


def test_a_win_that_takes_longer_than_the_rules_allow_is_no_win(tmp_path: Path) -> None:
    """On a board of 4 x 4 where six moves without progress end the game: a search with the database, which knows no
    such rule, finds the values of a search to the end without it."""
    game = damier.game("draughts:size=4,draw_after=6")
    path = endgame_file(game, tmp_path)
    database = build_database(game, 3, path)
    with_it, without = (AlphaBeta(depth=24, memory=8, endgames=where) for where in (str(path), ""))
    rng = np.random.default_rng(3)
    spoilt = 0
    for number, head in enumerate(database.endings):
        for index in rng.choice(head["size"], 12, replace=False):
            state = game.new_states(1)[0]
            if not game.rules.set_ending(state, number, int(index)):
                continue
            state.quiet = rng.integers(0, 6)
            pos = Position(game, state)
            if pos.is_over:
                continue
            result = stored_result(database.endgames, number, int(index))
            values = without.search(pos).values
            assert with_it.search(pos).values == values, pos
            spoilt += result != 0 and values == (0, 0)
    assert spoilt > 5
