"""A class of your own can sit at the board wherever a player's name goes, and troubles nobody else when it fails."""

import json
import os
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.arena.plan import Plan
from damier.core.messages import Message
from damier.players.guests import Guest
from damier.store.database import Store
from damier.store.record import GameRecord
from tests.unit.command import ROOT
from tests.unit.own_players import Counting, First, Inner, Last, Nth, Searching, Seeded, Where
from tests.unit.test_arena_playing import untimed

EPSILON = f"{ROOT}/examples/epsilon_greedy.py:EpsilonGreedy"
TICTACTOE = damier.game("tictactoe")


def written(path: Path, body: str, head: str = "") -> str:
    """A file with a player whose `choose` has this body."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    path.write_text(f"{head}\nclass Mine:\n    def choose(self, pos):\n{lines}\n")
    return f"{path}:Mine"


# -- one player --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [First, First(), Searching(), Seeded, EPSILON, f"{EPSILON}:playouts=3,epsilon=1"])
def test_whatever_has_choose_or_search_is_a_player(given: Any) -> None:
    pos = TICTACTOE.start().play("b2")
    found = damier.player(given).search(pos, seed=3)
    assert found.move in pos.moves()
    assert (found.notation, found.pv) == (pos.notation(found.move), (found.move,))
    assert found == damier.player(given).search(pos, seed=3) or found.seconds > 0


def test_a_move_may_be_a_number_of_numpy_a_text_or_a_whole_result() -> None:
    pos = TICTACTOE.start()

    class Says:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def choose(self, pos: damier.Position) -> Any:
            return self.answer

    for answer in (4, np.int64(4), "b2", " B2 ", damier.SearchResult(4, "?"), damier.SearchResult("b2", "")):  # type: ignore[arg-type]
        found = damier.player(Says(answer)).search(pos)
        assert (found.move, found.notation) == (4, "b2")


def test_what_a_class_has_of_a_player_is_used_and_the_rest_is_there() -> None:
    class Ready(First):
        is_ready = is_closed = False

        def prepare(self, pos: damier.Position) -> None:
            self.is_ready = True

        def close(self) -> None:
            self.is_closed = True

    own, pos = Ready(), TICTACTOE.start()
    seat = damier.player(own)
    seat.prepare(pos)
    seat.close()
    assert own.is_ready
    assert own.is_closed
    assert seat.keeps_time(pos, 1.0)
    assert seat.judged(pos) is pos
    assert seat.node([]) is None
    damier.player(First()).prepare(pos)
    damier.player(First()).close()


def test_an_error_at_the_end_of_a_game_is_only_told(capsys: pytest.CaptureFixture[str]) -> None:
    class Rude(First):
        def close(self) -> None:
            raise OSError("no goodbye")

    damier.player(Rude()).close()
    assert re.fullmatch(
        r"Rude failed at the end of the game: test_arena_guests.py line \d+: OSError: no goodbye\n",
        capsys.readouterr().err,
    )


class Nothing:
    pass


class Empty(damier.Player):
    pass


class Hungry:
    def choose(self, pos: damier.Position, board: int) -> int:
        return 0


class Deaf:
    def choose(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Nothing, r"Nothing is no player yet: it lacks the method choose\(self, pos\), "),
        (Empty, "Empty is no player yet"),
        (Hungry, r"Hungry: expected the method .*, got choose\(pos: .*, board: int\)"),
        (Deaf, r"Deaf: expected the method .*, got choose\(\)"),
    ],
)
def test_a_class_that_is_no_player_is_told_what_it_lacks(cls: type, message: str) -> None:
    with pytest.raises(damier.SpecError, match=message):
        damier.player(cls)


FAILURES = {
    "an exception": ("x = 1\nreturn x / 0", r"mine.py line 5: ZeroDivisionError: division by zero"),
    "an exit": ("raise SystemExit('enough')", "mine.py line 4: SystemExit: enough"),
    "an illegal number": ("return 9", "an illegal move, 9, at move 2"),
    "an illegal text": ("return 'b2'", "an illegal move, 'b2', at move 2"),
    "nothing": ("pass", "returned None, expected a move as a number or in the game's notation, at move 2"),
    "half a move": ("return 0.5", "returned 0.5, expected a move"),
    "yes": ("return True", "an illegal move, True, at move 2"),
    "an error of ours": ("return pos.play('z')", "mine.py line 4: MoveError: illegal move 'z' in tictactoe"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_whatever_goes_wrong_in_it_is_one_line(name: str, tmp_path: Path) -> None:
    body, message = FAILURES[name]
    seat = damier.player(written(tmp_path / "mine.py", body))
    with pytest.raises(damier.ForfeitError, match=message) as raised:
        seat.search(TICTACTOE.start().play("b2"))
    told = str(raised.value)
    assert told.startswith(f"{tmp_path}/mine.py:Mine ")
    assert "\n" not in told
    assert "move 2" in told


def test_an_error_in_the_rules_is_not_the_players() -> None:
    game = damier.game(f"{ROOT}/tests/wrong/lawless.py:TooManyMoves")

    class Looks:
        def choose(self, pos: damier.Position) -> int:
            return damier.Position(pos.game, pos.state).moves()[0]

    with pytest.raises(damier.RulesError, match="returned 3 moves, expected 0 to max_moves = 2"):
        damier.player(Looks()).search(damier.Position(game, game.new_states(1)[0]))


def test_only_the_thread_that_runs_it_prints_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    begun, told = threading.Event(), threading.Event()

    class Noisy(First):
        def choose(self, pos: damier.Position) -> int:
            begun.set()
            assert told.wait(60)
            print("thinking")
            return super().choose(pos)

    stdout = sys.stdout
    thread = threading.Thread(target=damier.player(Noisy()).search, args=(TICTACTOE.start(),))
    thread.start()
    assert begun.wait(60)
    print("meanwhile")
    damier.player(First).search(TICTACTOE.start())
    told.set()
    thread.join()
    print("later")
    assert sys.stdout is stdout
    assert capsys.readouterr() == ("meanwhile\nlater\n", "thinking\n")


# -- in the arena ------------------------------------------------------------------------------------------------


def test_the_number_of_workers_changes_nothing() -> None:
    played = [
        damier.match("tictactoe", f"{EPSILON}:playouts=5", Seeded, games=6, seed=2, workers=workers, fresh=True)
        for workers in (1, 2)
    ]
    assert untimed(played[0].records) == untimed(played[1].records)
    assert played[0].players == (f"{EPSILON}:playouts=5", "Seeded")
    assert not played[0].forfeits


def test_players_from_python_are_named_in_the_tables() -> None:
    class Named(First):
        name = "my  best\none"

    players = [First, Last(), Nth(), Nth(n=2), Nth(n=2), Named(), "random", damier.player(EPSILON)]
    with pytest.warns(UserWarning, match="other processes can't load my best one, so all games are played in this one"):
        table = damier.tournament("tictactoe", players, games=2, fresh=True, workers=2)
    names = ("First", "Last", "Nth", "Nth:n=2 1", "Nth:n=2 2", "my best one", "random", "EpsilonGreedy")
    assert table.players == names
    assert table.games == 2 * 28
    assert [standing.player for standing in table.standings] == list(names)
    same = Nth()
    with pytest.raises(damier.SpecError, match="'Nth 1' is named twice"):
        damier.match("tictactoe", same, same)


def test_an_instance_begins_every_game_as_it_was_given() -> None:
    own = Counting()
    result = damier.match("tictactoe", own, "random", games=6, workers=1, fresh=True)
    assert not result.forfeits
    assert own.moves == 0


def test_an_instance_that_cannot_be_copied_is_told() -> None:
    with pytest.raises(damier.SpecError, match="Where can't be copied, and each game begins with a copy: TypeError"):
        damier.match("tictactoe", Where(threading.Lock()), "random", games=2, workers=1, fresh=True)


def processes(first: Any, second: Any, workers: int) -> set[int]:
    result = damier.match("tictactoe", first, second, games=4, workers=workers, fresh=True)
    assert len(result.forfeits) == 4
    return {int(re.findall(r"process (\d+)", record.forfeit or "")[0]) for record in result.forfeits}


def test_an_instance_of_a_module_is_sent_to_workers_and_another_is_not() -> None:
    assert os.getpid() not in processes(Where(), "random", workers=2)
    assert processes(Where(), "random", workers=1) == {os.getpid()}

    class Local(Where):
        pass

    with pytest.warns(UserWarning, match="other processes can't load Local"):
        assert processes(Local(), "random", workers=2) == {os.getpid()}
    with pytest.warns(UserWarning, match="other processes can't load Where"):
        assert processes(Where(held=Local()), "random", workers=2) == {os.getpid()}
    with pytest.raises(damier.SpecError, match=r"a process that can be stopped can't load Local: .* file.py:Class"):
        damier.match("tictactoe", Local(), "random", games=2, move_seconds=1, fresh=True)
    with pytest.raises(damier.SpecError, match=r"the cluster can't load Local: .* file.py:Class"):
        damier.match("tictactoe", Local(), "random", games=2, cluster="local", fresh=True)


def test_an_instance_of_a_file_is_sent_to_workers(tmp_path: Path) -> None:
    body = "raise RuntimeError(f'process {os.getpid()}')"
    seat = damier.player(written(tmp_path / "mine.py", body, "import os"))
    assert isinstance(seat, Guest)
    assert os.getpid() not in processes(seat.own, "random", workers=2)


def test_players_of_ours_are_sent_as_their_options() -> None:
    pos, ours, own = TICTACTOE.start(), damier.player("uct:sims=10"), Inner()
    for player in (ours, own.inner):
        player.search(pos, 1)  # which compiles, and remembers
    played = [damier.match("tictactoe", ours, own, games=4, workers=workers, fresh=True) for workers in (1, 2)]
    assert untimed(played[0].records) == untimed(played[1].records)
    assert played[0].players == ("UCT:sims=10", "Inner")
    assert not played[1].forfeits


def test_a_failing_player_forfeits_and_the_match_goes_on(tmp_path: Path) -> None:
    spec = written(tmp_path / "mine.py", "if len(pos.history) > 2:\n    raise KeyError('lost')\nreturn pos.moves()[0]")
    database = str(tmp_path / "games.sqlite3")
    result = damier.match("tictactoe", spec, "random", games=6, workers=2, database=database)
    assert (result.games, result.wins, result.losses) == (6, 0, 6)
    for record in Store(database).records(1):
        assert record.forfeit == result.records[record.number].forfeit
        assert isinstance(record.forfeit, Message)
        assert re.match(r".* a échoué au coup \d : mine.py ligne 5 : KeyError", record.forfeit.text("fr"))
    assert [standing.forfeits for standing in result.standings] == [6, 0]
    for record in result.records:
        assert record.forfeit == f"{spec} failed at move {len(record.moves) + 1}: mine.py line 5: KeyError: 'lost'"
        assert record.forfeited_by == 0
        assert 3 <= len(record.moves) <= 4
    told = result.as_json()
    assert told["forfeits"][0] == {"game": 0, "player": spec, "reason": result.records[0].forfeit}
    assert told["standings"][-1]["forfeits"] == 6
    assert any(remark.startswith("Forfeited games: 6, the first is number 1") for remark in result.remarks)


def test_a_player_that_cannot_be_made_is_told_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def __init__(self, n=1):\n        self.n = 1 / n\n\n    choose = max\n"
    )

    class Watcher:
        def begin(self, plan: Plan, played: Sequence[GameRecord]) -> None:
            raise AssertionError("begun")

    with pytest.raises(damier.SpecError, match=r"mine.py' line 3: .*Mine can't be made: ZeroDivisionError"):
        damier.match("tictactoe", "random", f"{tmp_path}/mine.py:Mine:n=0", fresh=True, watcher=Watcher())
    with pytest.raises(damier.SpecError, match=r"mine.py:Mine has no option 'm'; its options are n=1"):
        damier.match("tictactoe", "random", f"{tmp_path}/mine.py:Mine:m=0", fresh=True, watcher=Watcher())
    with pytest.raises(damier.SpecError, match="has no class 'Yours'; it defines Mine"):
        damier.match("tictactoe", "random", f"{tmp_path}/mine.py:Yours", fresh=True, watcher=Watcher())


# -- a limit of time ---------------------------------------------------------------------------------------------


def test_a_player_that_never_ends_is_stopped_and_forfeits(tmp_path: Path) -> None:
    body = "while len(pos.history) > 2:\n    pass\nreturn pos.moves()[0]"
    spec = written(tmp_path / "mine.py", body)
    result = damier.match("tictactoe", spec, "random", games=4, workers=2, fresh=True, move_seconds=0.3)
    assert len(result.forfeits) == 4
    for record in result.records:
        assert record.forfeit == f"{spec} thought longer than 0.3 s at move {len(record.moves) + 1}"
        assert isinstance(record.forfeit, Message)
        assert record.forfeit.text("fr").startswith(f"{spec} a réfléchi plus de 0.3 s")
        assert record.returns[record.seating.index(0)] == -1
        assert record.seconds[record.seating.index(0)] >= 0.3
    assert result.plan.settings["move_seconds"] == 0.3


def test_a_compiled_search_that_never_ends_is_stopped_too() -> None:
    result = damier.match("tictactoe", "uct:seconds=3600", "random", games=2, workers=1, fresh=True, move_seconds=1)
    assert [record.forfeited_by for record in result.records] == [0, 0]
    assert [len(record.moves) for record in result.records] == [0, 1]


def test_a_player_that_is_too_slow_forfeits_and_one_in_time_does_not(tmp_path: Path) -> None:
    slow = written(tmp_path / "slow.py", "time.sleep(0.6)\nreturn pos.moves()[0]", "import time")
    quick = written(tmp_path / "quick.py", "time.sleep(0.01)\nreturn pos.moves()[0]", "import time")
    result = damier.match("tictactoe", slow, quick, games=2, workers=1, fresh=True, move_seconds=0.4)
    assert [record.forfeited_by for record in result.records] == [0, 0]
    assert all("thought longer than 0.4 s" in str(record.forfeit) for record in result.records)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e12])
def test_a_limit_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(damier.SpecError, match="expected a positive number of seconds for a move, got"):
        damier.match("tictactoe", "random", "uct:sims=5", move_seconds=seconds)


# -- versions ----------------------------------------------------------------------------------------------------


class Impatient:
    """Stops after some games; tells how many were there before."""

    def __init__(self, games: int) -> None:
        self.games, self.known = games, -1

    def begin(self, plan: Plan, played: Sequence[GameRecord]) -> None:
        self.known = len(played)

    def add(self, record: GameRecord) -> None:
        self.games -= 1
        if self.games == 0:
            raise KeyboardInterrupt


def test_a_match_goes_on_with_the_same_source_only(tmp_path: Path) -> None:
    database = str(tmp_path / "games.sqlite3")
    (tmp_path / "neighbour_of_mine.py").write_text("PLACE = 0\n")
    head = "from neighbour_of_mine import PLACE"
    spec = written(tmp_path / "mine.py", "return pos.moves()[PLACE]", head)

    def known(first: Any = spec) -> int:
        watcher = Impatient(1)
        with pytest.raises(KeyboardInterrupt):
            damier.match("tictactoe", first, "random", 40, database=database, workers=1, watcher=watcher)
        return watcher.known

    assert [known(), known()] == [0, 1]
    written(tmp_path / "mine.py", "return pos.moves()[PLACE - 1]", head)
    assert [known(), known()] == [0, 1]
    (tmp_path / "neighbour_of_mine.py").write_text("PLACE = -1\n")
    assert known() == 0
    written(tmp_path / "mine.py", "return pos.moves()[PLACE]", head)
    (tmp_path / "neighbour_of_mine.py").write_text("PLACE = 0\n")
    assert known() == 2, "the first version again"
    assert [known(Nth(1)), known(Nth(1)), known(Nth(2)), known(Nth)] == [0, 1, 0, 0]


def test_a_worker_that_finds_another_version_refuses_to_play(tmp_path: Path) -> None:
    spec = written(tmp_path / "mine.py", "return pos.moves()[0]")
    plan = Plan(TICTACTOE, (spec, "random"), 2)
    packed = pickle.dumps(plan)
    assert pickle.loads(packed) == plan
    written(tmp_path / "mine.py", "return pos.moves()[-1]")
    with pytest.raises(damier.DamierError, match=r"the file of .*mine.py:Mine is not the one with which this began"):
        pickle.loads(packed)
    assert plan.seat(0).search(TICTACTOE.start()).move == 0, "here the old one plays on"


def test_the_source_of_a_part_belongs_to_the_event(tmp_path: Path) -> None:
    def write(constant: str) -> None:
        score = f"    def score(self, child, node):\n        return child.mean + {constant} * child.spread\n"
        (tmp_path / "mine.py").write_text(f"class Rule:\n{score}")

    def plan() -> Plan:
        return Plan(TICTACTOE, (f"mcts:sims=5,rule=({tmp_path}/mine.py:Rule)", "random"), 2)

    write("1.0")
    first = plan()
    assert first.code == plan().code
    first.seat(0)
    write("2.0")
    assert plan().code != first.code
    with pytest.raises(damier.DamierError, match=r"the file of mcts:.* is not the one with which this began"):
        first.seat(0)


CODE = """
import sys, damier
from damier.arena.plan import Plan
print(Plan(damier.game(sys.argv[1]), (sys.argv[2], "random"), 2).code)
"""


def test_versions_differ_without_the_compiler_too(tmp_path: Path) -> None:
    rules = (ROOT / "examples/nim.py").read_text()
    (tmp_path / "nim.py").write_text(rules)
    spec = written(tmp_path / "mine.py", "return pos.moves()[0]")

    def code() -> str:
        command = [sys.executable, "-c", CODE, f"{tmp_path}/nim.py:Nim", spec]
        environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    found = [code(), code()]
    (tmp_path / "nim.py").write_text(rules.replace("heaps: int = 3", "heaps: int = 4"))
    found.append(code())
    written(tmp_path / "mine.py", "return pos.moves()[-1]")
    found.append(code())
    assert found[0] == found[1]
    assert len(set(found)) == 3


# -- the commands ------------------------------------------------------------------------------------------------


def damier_command(*arguments: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "damier", *arguments],
        input=given,
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=600,
        check=False,
    )


NOISY = """
import os
print("loaded")

class Mine:
    def __init__(self):
        print("made")

    def choose(self, pos):
        print("thinking")
        os.write(1, b"raw")
        return pos.moves()[0]
"""


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("plain", ["0", "1"])
def test_what_it_prints_goes_to_stderr(workers: str, plain: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NOISY)
    arguments = ("match", "tictactoe", f"{tmp_path}/mine.py:Mine", "random", "--games", "4", "--fresh", "--json")
    done = damier_command(*arguments, "--workers", workers, NUMBA_DISABLE_JIT=plain)
    assert json.loads(done.stdout)["games"] == 4
    for word in ("loaded", "made", "thinking", "raw"):
        assert word in done.stderr


def test_the_commands_take_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NOISY)
    mine = f"{tmp_path}/mine.py:Mine"
    played = damier_command("play", "tictactoe", "--seat", mine, "--seat", "random", "--seed", "1", "--ascii")
    assert "mine.py:Mine) played a" in played.stdout
    assert played.returncode == 0
    assert "thinking" not in played.stdout
    analysed = damier_command("analyse", "tictactoe", "--player", mine, "--json")
    assert json.loads(analysed.stdout)["player"] == mine
    served = damier_command("engine", "tictactoe", "--player", mine, given="genmove b\nquit\n")
    assert re.match(r"= \w\d\n\n=", served.stdout)


def test_a_failing_player_is_one_line_in_every_command(tmp_path: Path) -> None:
    mine = written(tmp_path / "mine.py", "return 1 / 0")
    line = f"{mine} failed at move 1: mine.py line 4: ZeroDivisionError: division by zero"
    match = damier_command("match", "tictactoe", mine, "random", "--games", "2", "--workers", "1", "--fresh")
    assert match.returncode == 0
    assert f"game 1 is forfeited: {line}" in " ".join(match.stderr.split())
    assert "forfeits" in match.stdout
    played = damier_command("play", "tictactoe", "--seat", mine, "--seat", "random")
    assert played.stdout.rstrip().endswith("forfeits the game")
    analysed = damier_command("analyse", "tictactoe", "--player", mine)
    assert (analysed.returncode, analysed.stderr) == (2, f"damier: {line}\n")
    served = damier_command("engine", "tictactoe", "--player", mine, given="genmove b\n")
    assert served.stdout == f"? {line}\n\n"


def test_the_example_of_the_documentation_plays() -> None:
    lines = (ROOT / "examples/epsilon_greedy.py").read_text().splitlines()
    assert len(lines) < 40
    arguments = ("match", "tictactoe", EPSILON, "random", "--games", "10", "--workers", "2", "--json", "--fresh")
    told = json.loads(damier_command(*arguments).stdout)
    assert (told["games"], told["forfeits"]) == (10, [])


# -- the check ---------------------------------------------------------------------------------------------------


def test_a_player_is_checked_on_several_games() -> None:
    done = damier_command("check", f"{EPSILON}:playouts=4", "--games", "6", "--json")
    told = json.loads(done.stdout)
    assert told["games"] == ["tictactoe", "connect4", "othello:size=6"]
    assert (told["positions"], told["absent"]) == (6, [])
    assert 0 < told["seconds"] <= told["longest"]
    assert damier.check_player(First, ["pig"], positions=3).absent == ["seed"]


def test_a_player_that_breaks_a_law_is_told(tmp_path: Path) -> None:
    class Fickle:
        turn = 0

        def choose(self, pos: damier.Position, seed: int) -> int:
            Fickle.turn += 1
            return pos.moves()[Fickle.turn % len(pos.moves())]

    with pytest.raises(damier.RulesError, match=r"played .* and then .* with the same seed, 0; expected equal moves"):
        damier.check_player(Fickle, ["tictactoe"])
    mine = written(tmp_path / "mine.py", "return 100")
    done = damier_command("check", mine, "--game", "tictactoe")
    assert done.returncode == 2
    assert re.fullmatch(rf"damier: {mine} played an illegal move, 100, at move \d\n", done.stderr)
    done = damier_command("check", "tictactoe", "--game", "connect4")
    assert done.stderr == "damier: --game is for checking players and parts of a search, and 'tictactoe' is a game\n"


def test_a_player_that_reads_stdin_or_interrupts_forfeits_with_workers_too(tmp_path: Path) -> None:
    """The pieces of a worker come by its standard input: a player that read it once took one away, and all waited."""
    asking = written(tmp_path / "asking.py", "return input('move? ')")
    stopping = written(tmp_path / "stopping.py", "raise KeyboardInterrupt")
    found = damier.match("tictactoe", asking, stopping, games=2, workers=2, database="sqlite://")
    told = [str(record.forfeit).rpartition(": ")[2] for record in found.records]
    assert told == ["EOF when reading a line", "KeyboardInterrupt"]


def test_a_class_given_twice_is_two_players() -> None:
    found = damier.match("tictactoe", First, First, games=2, workers=1, database="sqlite://")
    assert found.plan.players == ("First 1", "First 2")
