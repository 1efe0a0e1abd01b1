"""A process that plays games: `python -m damier.arena.worker`, see `workers`."""

import os
import pickle
import sys
import traceback

from damier.arena.plan import Plan
from damier.arena.playing import play_game
from damier.arena.record import GameRecord
from damier.core.errors import DamierError


def serve() -> None:
    """Answer numbers of games with their records, until the pipe is closed."""
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the rules may print goes to the errors
    sys.path[:], pickled_plan = pickle.load(questions)
    plan: Plan | None = None
    while True:
        try:
            number = pickle.load(questions)
            plan = plan or pickle.loads(pickled_plan)
            answer: GameRecord | Exception = play_game(plan, number)
        except (EOFError, KeyboardInterrupt):
            return
        except DamierError as error:
            answer = type(error)(str(error))
        except Exception:
            answer = RuntimeError(f"a game failed:\n{traceback.format_exc()}")
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    serve()
