"""A process that does a task, piece by piece: `python -m damier.work.process`, see `pool`."""

import os
import pickle
import queue
import signal
import threading
import traceback
from typing import Any, BinaryIO

from damier.core.errors import DamierError
from damier.work.pool import Task, unpacked


def serve() -> None:
    """Answer each piece with its results, followed by None, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the asking process, which stops this one
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything that the rules print goes to stderr
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # a player that reads has nothing to read, and takes no piece away
    packed = pickle.load(questions)
    pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, pieces), daemon=True).start()
    task: Task | None = None
    while True:
        piece = pieces.get()
        try:
            task = task or unpacked(packed)
            for result in task(piece):
                _answer(answers, result)
            _answer(answers, None)
        except DamierError as error:
            _answer(answers, type(error)(error.message))
        except (OSError, MemoryError) as error:  # not a bug: the command line reports it in one line
            _answer(answers, error)
        except Exception:
            _answer(answers, RuntimeError(f"a game failed:\n{traceback.format_exc()}"))


def _answer(answers: BinaryIO, result: Any) -> None:
    pickle.dump(result, answers)
    answers.flush()


def _listen(questions: BinaryIO, pieces: "queue.SimpleQueue[Any]") -> None:
    """Read pieces even during a long game: if the asking process is gone, this one ends."""
    while True:
        try:
            pieces.put(pickle.load(questions))
        except EOFError:
            os._exit(0)


if __name__ == "__main__":
    serve()
