"""A process that plays a tournament: `python -m damier.web.contest`, see `tournaments`.

It reads a plan as a line of JSON, answers with a line that has the event's number or an error, and plays. The games go
to the database. It ends when its input is closed, so it always ends with the server.
"""

import json
import os
import sys
import threading
from contextlib import closing
from typing import Any

from damier.arena.plan import Plan
from damier.arena.run import run
from damier.core.errors import DamierError
from damier.games import game as find_game
from damier.store.database import Store

Json = dict[str, Any]

PATIENCE = 10  # niceness: pages come first


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(PATIENCE)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # output printed by rules and players goes to stderr
    task: Json = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        plan = Plan(find_game(task["game"]), tuple(task["players"]), task["games"], task["seed"], task["openings"])
        with closing(Store(task["database"])) as store:
            event = store.open_event(plan, fresh=True) if task["event"] is None else _unfinished(store, plan, task)
    except DamierError as error:
        print(json.dumps({"error": error.message.to_json()}), file=answers, flush=True)
        return
    print(json.dumps({"event": event}), file=answers, flush=True)
    try:
        run(plan, database=task["database"], workers=1)
    except DamierError as error:
        print(f"tournament {event}: {error}", file=sys.stderr)


def _unfinished(store: Store, plan: Plan, task: Json) -> int:
    """The event to resume; an error if playing its plan would start another one."""
    if store.unfinished_event(plan) != task["event"]:
        raise DamierError("event.other-rules")
    return int(task["event"])


def _end_with_input() -> None:
    while sys.stdin.buffer.read(1 << 16):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
