"""What a room shows to each visitor: in a game of hidden information, no more than their seat may see."""

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import say, spoken
from damier.core.protocol import REFEREE
from damier.web.beliefs import Believed, believe
from damier.web.course import Course
from damier.web.searching.turns import Steps
from damier.web.seen import ply_of, show_to
from damier.web.views import win_chances

if TYPE_CHECKING:
    from damier.web.room import GameRoom

Json = dict[str, Any]


class Showing:
    """The states of a room, by visitor.

    Versions order them, because a page may receive two in the wrong order. A version is a time: a count of all changes
    would tell a player how many there were that they can't see.
    """

    def __init__(self, room: "GameRoom") -> None:
        self.room = room
        self.version = self.newest = time.time_ns() // 1000
        self.seen: dict[tuple[int, ...], tuple[Json, int]] = {}  # the last state for those who see a part of it
        self.believed: dict[int, tuple[Course, Believed]] = {}  # by seat

    def note_change(self) -> None:
        self.version = self._new_version()

    async def state(self, token: str) -> Json:
        """The state for a visitor, with untranslated messages; each watcher gets them in their own language."""
        lobby = self.room.lobby
        while True:
            course = self.room.course
            viewer, where = course.viewer(token), self.room.key
            known = lobby.states.get((where, viewer))
            if known is None or known[0] is not course:
                found = await lobby.compute(partial(show_to, viewer, course.positions))
                known = lobby.states.put((where, viewer), (course, found))
            if course is self.room.course:
                return self._stamped(viewer, known[1] | self._circumstances(token))

    async def ply(self, token: str, count: int) -> Json:
        """An earlier position for a visitor: the one after so many moves that they know of."""
        positions, viewer = self.room.course.positions, self.room.course.viewer(token)

        def show() -> Json:
            ply = count if viewer == REFEREE else ply_of(positions, viewer, count)
            return show_to(viewer, positions[: ply + 1])

        return dict(spoken(await self.room.lobby.compute(show)))

    async def beliefs(self, token: str) -> Json:
        """What the others could hold, for all that a visitor's seat knows. If the game goes on meanwhile, nobody needs
        the answer for the earlier position any more."""
        while True:
            course = self.room.course
            viewer = course.viewer(token)
            if viewer < 0:
                raise DamierError("play.no-beliefs")
            known = self.believed.get(viewer)
            if known is not None and known[0] is course:
                return dict(spoken(known[1]))
            found = await self.room.lobby.compute_steps(partial(self._believe, course, viewer))
            if found is not None:
                self.believed[viewer] = course, found

    def _believe(self, course: Course, viewer: int) -> Steps[Believed | None]:
        """What a viewer may think; None as soon as the game has gone on."""
        steps = believe(course.positions, viewer)
        while self.room.course is course:
            try:
                next(steps)
            except StopIteration as end:
                found: Believed = end.value
                return found
            yield
        return None

    def _stamped(self, viewer: int, state: Json) -> Json:
        """A state with its version. What a player sees keeps its version as long as it is the same."""
        if not self.room.course.is_secret:
            return state | {"version": self.version}
        who = (viewer, *state["held"])
        known = self.seen.get(who)
        if known is None or known[0] != state:
            known = self.seen[who] = state, self._new_version()
        return state | {"version": known[1]}

    def _new_version(self) -> int:
        self.newest = max(self.newest + 1, time.time_ns() // 1000)
        return self.newest

    def _circumstances(self, token: str) -> Json:
        room, course = self.room, self.room.course
        is_secret = course.is_secret
        return {
            "id": room.key,
            "number": room.number,
            "seats": room.seats,
            "is_over": course.is_over,
            "returns": course.returns,
            "resigned": course.resigned,
            "chances": [] if is_secret else [win_chances(values) for values in course.thoughts],
            # How often a player searches is not for others to know; what is compiled is no secret.
            "status": "" if is_secret and room.status != "preparing" else room.status,
            # An error may quote the position that a player was given; compiling knows the start of the game only.
            "error": (room.trouble or say("play.hidden-failed")) if is_secret and room.error else room.error,
            "delay": room.delay,
            "is_paused": room.is_paused,
            "note": room.note,
            "is_hidden": course.has_secrets,
            "is_secret": is_secret,
            "viewer": course.viewer(token),
            "held": course.held(token),
            "free": course.free if is_secret else [],
        }
