"""How the countries differ: one record of choices for each set of rules."""

from dataclasses import dataclass
from typing import Any

from damier.core.messages import say

CHOICES = ("free", "king", "most", "most_kings", "italian", "frisian")
"""Which captures may be played if there are several, by number; see `rank_of` in `captures`:

free        any
king        one by a king if there is one, otherwise any (Czech)
most        one that takes most pieces
most_kings  ... and among those most kings (Spanish)
italian     most pieces, then by a king, then most kings, then the kings first
frisian     the greatest value, a king counting a little less than two men; then by a king
"""
FREE, KING, MOST, MOST_KINGS, ITALIAN, FRISIAN = range(len(CHOICES))

PROMOTIONS = ("stop", "pass", "continue")
"""What happens to a man whose capture leads over the last row, by number:

stop        it becomes a king there, and the capture is over
pass        it goes on as a man, and becomes a king only if the capture ends there
continue    it becomes a king at once, and goes on as one
"""
STOP, PASS, CONTINUE = range(len(PROMOTIONS))

COLOURS = ("white", "black")


@dataclass(frozen=True)
class Variant:
    """A set of rules. The fields down to `man_resets` are also options of `Draughts`, which change them."""

    size: int = 8
    flying: bool = True  # kings move and capture along whole diagonals, not just to the next square
    backward: bool = True  # men capture backward too
    choice: str = "free"
    promotion: str = "continue"
    first: str = "white"  # who begins
    draw_after: int = 40  # this many moves in a row, of both players together, without progress end the game
    man_resets: bool = True  # a man's move is progress, as a capture always is
    men_take_kings: bool = True
    orthogonal: bool = False  # captures also go along rows and columns
    king_moves: int = 0  # the most moves in a row with the same king, while there are men; 0: no limit
    mirrored: bool = False  # the dark corner is on each player's right
    algebraic: bool = True  # squares are written c3, not 22
    one_is_whites: bool = False  # square 1 is on White's side of the board
    game_type: int = 25  # the number of the rules in PDN
    separator: str = "x"  # of captures in PDN


VARIANTS = {
    "dames8": Variant(man_resets=False),
    "russian": Variant(draw_after=30, separator=":"),
    "brazilian": Variant(choice="most", promotion="pass", game_type=26),
    "pool": Variant(promotion="pass", draw_after=60, game_type=23),
    "czech": Variant(backward=False, choice="king", promotion="stop", draw_after=60, game_type=29),
    "english": Variant(
        flying=False, backward=False, promotion="stop", first="black", draw_after=80, algebraic=False, game_type=21
    ),
    "italian": Variant(
        flying=False,
        backward=False,
        choice="italian",
        promotion="stop",
        draw_after=80,
        men_take_kings=False,
        mirrored=True,
        algebraic=False,
        game_type=22,
    ),
    "spanish": Variant(
        backward=False,
        choice="most_kings",
        promotion="stop",
        draw_after=60,
        mirrored=True,
        algebraic=False,
        one_is_whites=True,
        game_type=24,
    ),
    "international": Variant(size=10, choice="most", promotion="pass", draw_after=50, algebraic=False, game_type=20),
    "frisian": Variant(
        size=10,
        choice="frisian",
        promotion="pass",
        draw_after=50,
        orthogonal=True,
        king_moves=3,
        algebraic=False,
        game_type=40,
    ),
}
"""The rules by name. Repetitions are not counted; `draw_after` replaces all draw rules."""


def endings_key(variant: Variant) -> str:
    """The rules that matter for endings, as text: not who begins, when a game is drawn, or how moves are written."""
    words = [
        str(variant.size),
        "flying" if variant.flying else "short",
        "backward" if variant.backward else "forward",
        variant.choice,
        variant.promotion,
    ]
    words += [] if variant.men_take_kings else ["kings-safe"]
    words += ["orthogonal"] if variant.orthogonal else []
    words += ["mirrored"] if variant.mirrored else []
    return "-".join(words)


def check_variant(variant: Variant) -> None:
    check_choice("size", variant.size, (4, 6, 8, 10))
    check_choice("choice", variant.choice, CHOICES)
    check_choice("promotion", variant.promotion, PROMOTIONS)
    check_choice("first", variant.first, COLOURS)
    if not 1 <= variant.draw_after <= 1000:
        raise ValueError(say("number.between", what="draw_after", least=1, most=1000, got=variant.draw_after))


def check_choice(option: str, value: object, known: Any) -> None:
    if value not in known:
        raise ValueError(say("draughts.one-of", option=option, known=list(known), got=value))
