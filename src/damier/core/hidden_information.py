"""What a game of hidden information has: what players know, deals, and teams. It is part of the table in `protocol`."""

from typing import Annotated, Protocol

from damier.core.arguments import Observation, Record, Rng
from damier.core.capability import Fact, compiled


class HiddenInformation(Protocol):
    """What players know of a position, if they see different things."""

    @compiled(
        law="what a player knows decides their moves and all that they are shown, and never comes again at their turn",
        default="every player sees everything",
        unlocks="hidden information: `ismcts`, `pimc`, `damier equilibrium`, views for each seat",
    )
    def observe(self, state: Record, player: int, out: Observation) -> int:
        """Write all that a player knows, their own past included, as whole numbers; return how many. It is called
        before the end of the game, also when others or chance move."""

    max_observation: Annotated[
        int, Fact("No observation has more numbers than this.", default="none", unlocks="`observe`")
    ]

    @compiled(
        law="`determinize` keeps who moves and what the observer knows, gives only what is possible, varies if several "
        "deals are possible, and depends on nothing but the observation and the random numbers",
        default="every player sees everything",
        unlocks="searches that deal anew what is hidden, together with `observe`",
    )
    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """Deal anew what the observer can't know, at random. The same random numbers give the same deal, whatever the
        record held: list what is unseen in a fixed order, then shuffle. It is called before the end of the game, also
        when others or chance move."""

    teams: Annotated[
        tuple[int, ...],
        Fact(
            "The team of each player, by number.",
            law="partners have equal payoffs",
            default="each player for themselves",
            unlocks="partners: in matches they sit together",
            value=lambda game: tuple(range(game.num_players)),
            type="tuple[int, ...]",
        ),
    ]
