"""What a game may have for people: notation, boards, colours, files, and facts about itself.

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

    @for_people(default="the move that is written so", unlocks="other spellings of a move")
    def parse_move(self, state: Record, text: str) -> int:
        """The move meant by a text; ValueError if it is no move."""

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
        """Set up, in a record of zeros, the position that a text describes; ValueError says why it describes none."""

    @for_people(
        law="every position can be drawn", default="the board of `view`, or the record's fields", unlocks="text boards"
    )
    def draw(self, state: Record) -> str:
        """The position as text."""

    @for_people(default="no board", unlocks="boards in the terminal, on the web page and in reports")
    def view(self, state: Record) -> Any:
        """The position as a `Grid`."""

    @for_people(
        law="trails lead over cells of the board, and no two moves have the same one",
        default="the cells that the move's notation names",
        unlocks="moves by clicking on the web page",
    )
    def trails(self, state: Record, move: int) -> list[tuple[int, ...]]:
        """How to point at a move on the board of `view`: the cells in order, counted row by row from the top left.
        There may be several ways, and none for a move that is nowhere on the board."""

    @for_people(
        law="`format_value` gives a text for every value", default="the plain number", unlocks="values in people's unit"
    )
    def format_value(self, value: float) -> str:
        """A payoff or a heuristic value in the unit that people use."""

    @for_people(
        law="`format_score` gives a text for every end",
        default="the winner",
        unlocks="`final_score` of `damier engine`",
    )
    def format_score(self, state: Record) -> str:
        """The result of a finished game as people write it."""

    # -- colours, where they are more than players -------------------------------------------------------------

    num_colours: Annotated[
        int,
        Fact(
            "How many colours move in turn, where a player may have several.",
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
            "A number that is raised when the behaviour of the rules changes.",
            default="none",
            unlocks="files that know which rules they were made for",
            type="int",
        ),
    ]
    choices: Annotated[
        Mapping[str, tuple[str, ...]],
        Fact(
            "By the name of an option, the values that it may have.",
            default="any text",
            unlocks="lists to choose from on the web page",
            value={},
            type="dict[str, tuple[str, ...]]",
        ),
    ]
    messages: Annotated[
        Mapping[str, Mapping[str, str]],
        Fact(
            "By language, sentences of its own: a key and its text.",
            default="none",
            unlocks="errors and boards in the reader's language",
            value={},
            type="dict[str, dict[str, str]]",
        ),
    ]
    file_formats: Annotated[
        tuple[Any, ...],
        Fact(
            "The formats of files in which its games are written and read.",
            law="a game that a file format writes is read back, move for move",
            default="JSON only",
            unlocks="import and export of games on the web page, and other programs' names in `damier engine`",
            value=(),
            type="tuple[FileFormat, ...]",
        ),
    ]
    best_search: Annotated[
        str,
        Fact(
            "The name and options of the best search of this game, without its budget.",
            default="chosen by what the game has",
            unlocks="the levels on the web page",
            value="",
        ),
    ]
