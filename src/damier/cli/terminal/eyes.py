"""Who looks at the terminal: in a game of hidden information, a person sees only what their seat may see."""

from typing import TYPE_CHECKING

from damier.cli.terminal.output import console
from damier.core.messages import Message, say

if TYPE_CHECKING:
    from damier.core.position import Position

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and the lines that one could scroll back to


class Eyes:
    """The person at the terminal. If several people play, each has it at their turn."""

    def __init__(self, start: "Position", people: list[int]) -> None:
        self.people = people if start.game.is_hidden else []
        self.viewer = people[0] if len(people) == 1 else None  # None: nobody looks now

    def is_secret(self, position: "Position") -> bool:
        """Whether a person must not see everything. Players among themselves are watched with open cards."""
        return bool(self.people) and not position.is_over

    def seen(self, position: "Position") -> "Position | None":
        """What may be on the screen now; None if nobody looks."""
        if not self.is_secret(position):
            return position
        return None if self.viewer is None else position.seen_by(self.viewer)

    def must_change(self, position: "Position") -> bool:
        """Whether another person has to come to the terminal."""
        return self.is_secret(position) and position.player in self.people and position.player != self.viewer

    def change(self, player: int, name: Message) -> None:
        """Clear the screen and wait until the next person looks."""
        self._clear()
        console.input(f"{say('play.hand-over', player=name).text()} ", markup=False)
        self._clear()
        self.viewer = player

    def hear(self, before: "Position", move: int, after: "Position") -> list[str]:
        """A move as the person sees it; nothing if it is not noticed."""
        from damier.core import knowledge

        if not self.is_secret(after):
            return [before.notation(move)]
        if self.viewer is None:
            return []
        return list(knowledge.told(before.game, before.state, move, after.state, self.viewer))

    def _clear(self) -> None:
        if console.is_terminal:
            console.file.write(_CLEAR)
            console.file.flush()
        else:
            console.print()
