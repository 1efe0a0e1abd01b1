"""A process that searches: `python -m damier.web.searching.process`, see `pool`.

Tasks and answers are lines of JSON. A task names a game, its moves and a player. The answers are `preparing` while the
process compiles, `searching`, any number of `progress`, and one `done` or `error`. During and after an analysis, the
process answers questions about its tree.
"""

import json
import os
import queue
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.messages import say, speaking, spoken
from damier.core.position import Position
from damier.core.spec import format_spec, split_spec
from damier.games import game as find_game
from damier.players import Player, player
from damier.search.result import SearchResult
from damier.web.searching.classical import trace_tree
from damier.web.searching.lessons import lesson, sheet, verdict
from damier.web.searching.pooled import Pooled
from damier.web.searching.preparation import known_options, smallest
from damier.web.searching.tree import show_node

Json = dict[str, Any]

KEPT_PLAYERS = 6  # with their trees
KEPT_PREPARED = 1000  # games with players
LONGEST_ANSWER = 8 << 20  # characters; the server reads no longer lines than LINE_BYTES
SLICE_SECONDS = 0.1  # of an analysis, between two reports
TREE_SECONDS = 1.0  # of a search that begins anew for each report: a shorter one would see too little


class Searcher:
    """Carries out incoming tasks, one after the other."""

    def __init__(self) -> None:
        self.tasks: queue.SimpleQueue[Json] = queue.SimpleQueue()
        self.stopped: set[int] = set()
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # output printed by rules and players goes to stderr
        self.prepared: set[tuple[str, str]] = set()
        self.players: OrderedDict[str, Player] = OrderedDict()  # by whose they are and what
        self.positions: OrderedDict[str, Position] = OrderedDict()  # the last one of each game
        self.analysed: tuple[Position, Player] | None = None  # whose tree can be shown

    def serve(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            self._attend(self.tasks.get())

    def _listen(self) -> None:
        """Read tasks, also during a search: to stop it, and to exit when the server ends."""
        for line in sys.stdin:
            task: Json = json.loads(line)
            if task["do"] == "stop":
                self.stopped.add(task["id"])
            else:
                self.tasks.put(task)
        os._exit(0)

    def _attend(self, task: Json) -> None:
        try:
            with speaking(task["language"]):
                for kind, content in getattr(self, "_" + task["do"])(task):
                    self._answer(task, kind, spoken(content))
        except DamierError as error:
            self._answer(task, "error", {"message": error.message.to_json(), "is_refused": True})
        except MemoryError:
            self._answer(task, "error", {"message": say("analysis.memory").to_json()})
        except Exception:
            print(traceback.format_exc(), file=sys.stderr)
            self._answer(task, "error", {"message": say("analysis.failed").to_json()})
        self.stopped.discard(task["id"])

    def _answer(self, task: Json, kind: str, content: Json) -> None:
        line = json.dumps({"id": task["id"], "kind": kind} | content)
        if len(line) > LONGEST_ANSWER:
            message = say("analysis.too-long").to_json()
            line = json.dumps({"id": task["id"], "kind": "error", "message": message, "is_refused": True})
        self.answers.write(line + "\n")
        self.answers.flush()

    # -- the tasks -----------------------------------------------------------------------------------------

    def _prepare(self, task: Json) -> Iterator[tuple[str, Json]]:
        yield from self._compile(find_game(task["game"]), task["player"])
        yield "done", {}

    def _move(self, task: Json) -> Iterator[tuple[str, Json]]:
        game = find_game(task["game"])
        yield from self._compile(game, task["player"])
        pos = self._position(task["key"], game, task["moves"])
        yield "searching", {}
        # With hidden cards each seat has a player of its own: a shared tree would know the cards of both.
        whose = f"{task['key']} {pos.player}" if game.is_hidden else task["key"]
        result = self._player(whose, task["player"]).search(pos, task["seed"])
        yield "done", {"move": result.move, "result": tell(pos, result)}

    def _analyse(self, task: Json) -> Iterator[tuple[str, Json]]:
        """Search continuously and report ten times per second; a search that can't be interrupted reports once."""
        game = find_game(task["game"])
        yield from self._compile(game, task["player"])
        pos = game.start().play_all(task["moves"])
        yield "searching", {}
        if task.get("through") is not None:
            yield from self._through(task, pos)
            return
        for result in self._slices(task, pos):
            yield "progress", {"result": result}
            self._answer_questions()
        yield "done", {}

    def _through(self, task: Json, pos: Position) -> Iterator[tuple[str, Json]]:
        """Answer "why not this move?": search the position after it."""
        after = pos.play(task["through"])
        if after.is_over or after.is_chance:
            yield "done", {"result": {"values": _expected(after, task), "pv": [], "line": []}}
            return
        result = player(task["player"]).search(after, task["seed"])
        yield "done", {"result": tell(after, result)}

    def _slices(self, task: Json, pos: Position) -> Iterator[Json]:
        cut = sliced(task["player"])
        if cut is None:
            yield from self._searches(task, pos)
            return
        seat = player(cut)
        self.analysed = (pos, seat)
        sims, seconds, totals = 0, 0.0, [0.0] * pos.game.num_players
        number = 0
        while seconds < task["seconds"] and task["id"] not in self.stopped:
            result = seat.search(pos, task["seed"] + number)
            number += 1
            sims, seconds = sims + result.sims, seconds + result.seconds
            totals = [total + value * result.sims for total, value in zip(totals, result.values or (), strict=True)]
            told = tell(pos, result) | {"sims": sims, "seconds": seconds}
            yield told | {"values": [total / max(1, sims) for total in totals]}
            if result.sims == 0:
                return

    def _searches(self, task: Json, pos: Position) -> Iterator[Json]:
        """Searches that each begin anew, and count together; a single one by a player that can't be timed."""
        timed = [restarted(task["player"], seconds) for seconds in (SLICE_SECONDS, TREE_SECONDS)]
        seats = [player(each or task["player"]) for each in timed]
        self.analysed, pooled, number = None, Pooled(pos), 0
        while pooled.seconds < task["seconds"] and task["id"] not in self.stopped:
            seat = seats[min(number, 1)]  # the first one is short, to show something soon
            result = seat.search(pos, task["seed"] + number)
            if None in timed or not result.visits or result.sims == 0:
                yield tell(pos, result)
                return
            number += 1
            yield tell(pos, pooled.add(result))

    def _answer_questions(self) -> None:
        """Answer pending questions about the tree; other tasks wait until the end."""
        later = []
        while not self.tasks.empty():
            other = self.tasks.get()
            if other["do"] == "node":
                self._attend(other)
            else:
                later.append(other)
        for other in later:
            self.tasks.put(other)

    def _node(self, task: Json) -> Iterator[tuple[str, Json]]:
        if self.analysed is None:
            raise DamierError("analysis.no-tree")
        pos, seat = self.analysed
        if pos.game.name != task["game"] or list(pos.history) != task["moves"]:
            raise DamierError("analysis.gone")
        yield "done", show_node(pos, seat, task["path"])

    def _lesson(self, task: Json) -> Iterator[tuple[str, Json]]:
        yield "searching", {}
        yield "done", {"lesson": lesson(task)}

    def _trace(self, task: Json) -> Iterator[tuple[str, Json]]:
        yield "searching", {}
        yield "done", trace_tree(task)

    def _exercise(self, task: Json) -> Iterator[tuple[str, Json]]:
        yield "searching", {}
        yield "done", {"exercise": sheet(task)}

    def _check(self, task: Json) -> Iterator[tuple[str, Json]]:
        yield "searching", {}
        yield "done", {"verdict": verdict(task)}

    # -- what is kept between tasks ------------------------------------------------------------------------

    def _compile(self, game: Game, spec: str) -> Iterator[tuple[str, Json]]:
        """Compile this player's code ahead of its first move."""
        least = smallest(spec)
        if (game.name, least) in self.prepared:
            return
        yield "preparing", {}
        start = game.start()
        while start.is_chance:
            start = start.play(start.moves()[0])
        if not start.is_over:
            player(spec).prepare(start)
        if len(self.prepared) >= KEPT_PREPARED:
            self.prepared.clear()
        self.prepared.add((game.name, least))

    def _player(self, key: str, spec: str) -> Player:
        """The player of a game, which keeps its tree between moves."""
        name = f"{key} {spec}"
        if name not in self.players:
            self.players[name] = player(spec)
            while len(self.players) > KEPT_PLAYERS:
                self.players.popitem(last=False)
        self.players.move_to_end(name)
        return self.players[name]

    def _position(self, key: str, game: Game, moves: list[int]) -> Position:
        known = self.positions.get(key)
        if known is None or known.game != game or list(known.history) != moves[: len(known.history)]:
            known = game.start()
        pos = known.play_all(moves[len(known.history) :])
        self.positions[key] = pos
        if len(self.positions) > 1000:
            self.positions.popitem(last=False)
        return pos


def sliced(spec: str) -> str | None:
    """The same player with a budget of a tenth of a second, if it keeps its tree between searches."""
    name, options = split_spec(spec)
    made = player(spec)
    if not made.grows or not {"keep", "seconds", "sims"} <= set(known_options(name)):
        return None
    plain = {option: value for option, value in options.items() if option not in ("sims", "keep", "seconds")}
    return format_spec(name, plain | {"seconds": SLICE_SECONDS})


def restarted(spec: str, seconds: float) -> str | None:
    """The same player with another budget, if its search can be limited in time and keeps no tree to go on with."""
    name, options = split_spec(spec)
    known = set(known_options(name))
    if not {"seconds", "sims"} <= known or "keep" in known:
        return None
    plain = {option: value for option, value in options.items() if option not in ("sims", "seconds")}
    return format_spec(name, plain | {"seconds": seconds})


def _expected(pos: Position, task: Json) -> list[float]:
    """The value of a position by player; at a chance node, the mean over the outcomes."""
    if pos.returns is not None:
        return list(pos.returns)
    if not pos.is_chance:
        found = player(sliced(task["player"]) or task["player"]).search(pos, task["seed"]).values
        if found is None:
            raise DamierError("analysis.no-value")
        return list(found)
    parts = [(probability, _expected(pos.play(move), task)) for move, probability in pos.outcomes.items()]
    return [sum(chance * values[seat] for chance, values in parts) for seat in range(pos.game.num_players)]


def tell(pos: Position, result: SearchResult) -> Json:
    """A search result for the page: moves in notation, most visited first."""
    columns = {"visits": result.visits, "scores": result.scores, "policy": result.policy, "priors": result.priors}
    rows = [
        {"notation": pos.notation(move)}
        | {name[:-1] if name != "policy" else name: _at(values, i) for name, values in columns.items()}
        for i, move in enumerate(result.moves)
    ]
    rows.sort(key=lambda row: (-(row["visit"] or 0), -(row["policy"] or 0.0), -(row["score"] or 0.0)))
    line, at = [], pos if pos.is_open or not pos.game.is_hidden else pos.seen_by(pos.player)
    for move in result.pv:
        if move not in at.moves():
            break  # it was expected of another deal than the one that the player was shown
        line.append(at.notation(move))
        at = at.play(move)
    return {
        "best": result.notation,
        "player": pos.player,
        "values": result.values,
        "rows": rows[:60],
        "line": line,
        "nodes": result.nodes,
        "sims": result.sims,
        "depth": result.depth,
        "seconds": result.seconds,
    }


def _at(values: tuple[Any, ...], index: int) -> Any:
    return values[index] if index < len(values) else None


def _limit_memory() -> None:
    """Limit the memory of this process, because a search that exhausts it would slow everything down."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    gigabytes = float(os.environ.get("DAMIER_SEARCH_GIGABYTES", "3"))
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if most < 0 else min(wanted, most), most))


if __name__ == "__main__":
    _limit_memory()
    Searcher().serve()
