"""A process that plays games: `python -m damier.arena.worker`, see `workers`."""

import os
import pickle
import queue
import sys
import threading
import traceback
from typing import BinaryIO

from damier.arena.plan import Plan, unpacked
from damier.arena.playing import play_game
from damier.arena.record import GameRecord
from damier.core.errors import DamierError


def serve() -> None:
    """Answer numbers of games with their records, until the pipe is closed."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the rules may print goes to the errors
    packed = pickle.load(questions)
    numbers: queue.SimpleQueue[int] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, numbers), daemon=True).start()
    plan: Plan | None = None
    while True:
        number = numbers.get()
        try:
            plan = plan or unpacked(packed)
            answer: GameRecord | Exception = play_game(plan, number)
        except DamierError as error:
            answer = type(error)(str(error))
        except Exception:
            answer = RuntimeError(f"a game failed:\n{traceback.format_exc()}")
        pickle.dump(answer, answers)
        answers.flush()


def _listen(questions: BinaryIO, numbers: "queue.SimpleQueue[int]") -> None:
    """Also during a long game: when the process that asks is gone, nobody waits for its end."""
    while True:
        try:
            numbers.put(pickle.load(questions))
        except EOFError:
            os._exit(0)


if __name__ == "__main__":
    serve()
