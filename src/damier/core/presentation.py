"""What a game may have for people: notation, boards, colours, files and facts about itself.

It is plain Python, never compiled, and may use anything. It is part of the table in `protocol`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

from damier.core.arguments import Record
from damier.core.capability import Fact, for_people


class Presentation(Protocol):
    """How a game shows itself to people and to other programs."""

    @for_people(
        law="every legal move has a notation of its own, which is read back as that move",
        default="the move's number",
        unlocks="moves that people can read and type",
    )
    def format_move(self, state: Record, move: int) -> str:
        """The notation of a move."""

    @for_people(default="the legal move with that notation", unlocks="other spellings of a move")
    def parse_move(self, state: Record, text: str) -> int:
        """The move that a text means; raise ValueError if it is none."""

    @for_people(
        law="a position's text is read back as the same position, and written again as the same text",
        default="the fields of the record, by name",
        unlocks="`pos.text` in the usual format of the game",
    )
    def format_position(self, state: Record) -> str:
        """The position as text, on one line."""

    @for_people(
        law="a text that is no position is refused",
        default="the fields of the record, by name",
        unlocks="`--position` and `game.position`, together with `format_position`",
    )
    def parse_position(self, state: Record, text: str) -> None:
        """Set up the position that a text describes, in a record of zeros; raise a ValueError that says why it
        can't."""

    @for_people(
        law="every position can be drawn",
        default="the board of `view`, or the record's fields",
        unlocks="text boards",
        takes_observer=True,
    )
    def draw(self, state: Record) -> str:
        """The position as text. In a game with `observe` it takes the observer too, a player or REFEREE."""

    @for_people(
        default="no board",
        unlocks="boards in the terminal, on the web page and in reports",
        takes_observer=True,
    )
    def view(self, state: Record) -> Any:
        """The position as a `Grid` or a `CardTable`. In a game with `observe` it takes the observer too, a player or
        REFEREE."""

    @for_people(
        law="moves as an observer sees them show no more than the observer knows",
        default="a player sees their own moves, and `?` for every other move",
        unlocks="the moves of the others, in a game with `observe`",
    )
    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """The notation of a move for a player who did not make it; `?` if it is hidden. A line of moves leaves a hidden
        one out where the player could not notice that it was made."""

    @for_people(
        default="nothing",
        unlocks="names of information sets that differ, where players know more than the moves show",
    )
    def format_known(self, state: Record, player: int) -> str:
        """What the player to move knows beyond the moves as they saw them, in a few words: who won the rounds, for
        example. It stands behind the moves in tables of strategies and in lessons."""

    @for_people(
        law="trails lead over cells of the board, and no two moves have the same one",
        default="the cells that the move's notation names",
        unlocks="moves by clicking on the web page",
    )
    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        """The cells to click, in order, to make a move on the board of `view`, counted row by row from the top left.
        There may be several ways, or none if the move is not on the board."""

    @for_people(
        law="`format_value` gives a text for every value",
        default="the plain number",
        unlocks="values in the usual unit",
    )
    def format_value(self, value: float) -> str:
        """A payoff or heuristic value in the unit that people use."""

    @for_people(
        law="`format_score` gives a text for every end",
        default="the winner",
        unlocks="`final_score` of `damier engine`",
    )
    def format_score(self, state: Record) -> str:
        """The result of a finished game as people write it."""

    unit: Annotated[
        str,
        Fact(
            "What payoffs are counted in, for example chips.",
            default="none",
            unlocks="values in chips or points",
            value="",
        ),
    ]
    unit_size: Annotated[
        float,
        Fact("How many units a payoff of 1 is worth.", default="1", unlocks="values in chips or points", value=1.0),
    ]

    # -- colours, if there are more than players -------------------------------------------------------------

    num_colours: Annotated[
        int,
        Fact(
            "How many colours take turns, if a player may have several.",
            default="num_players",
            unlocks="`damier engine` and engines, in games where a player has several colours",
            value=lambda game: game.num_players,
        ),
    ]

    @for_people(
        law="`colour_to_move` is a number from 0 to num_colours - 1, and a colour that moves is not out",
        default="`state.player`",
        unlocks="`damier engine` and engines, in games where a player has several colours",
    )
    def colour_to_move(self, state: Record) -> int:
        """Which colour moves."""

    @for_people(default="no colour is ever out", unlocks="passes in `damier engine`")
    def is_out(self, state: Record, colour: int) -> bool:
        """Whether a colour can't move any more."""

    # -- about the game --------------------------------------------------------------------------------------

    version: Annotated[
        int | None,
        Fact(
            "A number that you raise when the behaviour of the rules changes.",
            default="none",
            unlocks="files that state which rules they were made with",
            type="int",
        ),
    ]
    choices: Annotated[
        Mapping[str, tuple[str, ...]],
        Fact(
            "The allowed values of an option, by its name.",
            default="any text",
            unlocks="lists to choose from on the web page",
            value={},
            type="dict[str, tuple[str, ...]]",
        ),
    ]
    messages: Annotated[
        Mapping[str, Mapping[str, str]],
        Fact(
            "For each language, a table of keys and sentences.",
            default="none",
            unlocks="errors and boards in the reader's language",
            value={},
            type="dict[str, dict[str, str]]",
        ),
    ]
    file_formats: Annotated[
        tuple[Any, ...],
        Fact(
            "The file formats in which games can be written and read.",
            law="a game that a file format writes is read back, move for move",
            default="JSON only",
            unlocks="import and export of games on the web page; names of other programs in `damier engine`",
            value=(),
            type="tuple[FileFormat, ...]",
        ),
    ]
    best_search: Annotated[
        str,
        Fact(
            "The name and options of the best search of this game, without its budget.",
            default="chosen by the game's capabilities",
            unlocks="the levels on the web page",
            value="",
        ),
    ]
