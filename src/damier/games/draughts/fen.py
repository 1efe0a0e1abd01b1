"""FEN, positions of draughts as programs exchange them: `W:W21,K22:B1,2`.

First comes who moves, then the squares of White and of Black, with `K` for a king. Squares are always written as
numbers, as most programs expect; names and ranges are read too. Two parts follow if needed:

    :H12       the moves in a row without progress
    :+0+228    by rules that limit them, the moves in a row with one king, of Black and of White, and its square:
               here White's king on 28 has moved twice (as lidraughts.org writes it)

`:F`, the number of the move, is read and not kept.
"""

import re
from typing import TYPE_CHECKING

import numpy as np

from damier.core.messages import say
from damier.core.protocol import Record
from damier.games.draughts.notation import format_square, members, parse_square, quoted, square_number
from damier.games.draughts.variants import COLOURS

if TYPE_CHECKING:
    from damier.games.draughts.rules import Draughts


def format_fen(rules: "Draughts", state: Record) -> str:
    first = COLOURS.index(rules.variant.first)
    parts = ["WB"[state.player ^ first]]
    for colour, letter in enumerate("WB"):
        player = colour ^ first
        men = [(square_number(rules, square), "") for square in members(state.men[player])]
        kings = [(square_number(rules, square), "K") for square in members(state.kings[player])]
        parts.append(letter + ",".join(f"{king}{number}" for number, king in sorted(men + kings)))
    if state.quiet:
        parts.append(f"H{state.quiet}")
    if state.king_moves.any():
        parts.append("".join(_format_king(rules, state, colour ^ first) for colour in (1, 0)))
    return ":".join(parts)


def _format_king(rules: "Draughts", state: Record, player: int) -> str:
    count = int(state.king_moves[player])
    return f"+{count}{square_number(rules, int(state.last_king[player])):02}" if count else "+0"


def parse_fen(rules: "Draughts", state: Record, text: str) -> None:
    turn, *parts = (part.strip() for part in text.strip().removesuffix(".").split(":"))
    sections = {part[:1]: part[1:] for part in parts}
    if turn.upper() not in ("W", "B") or len(parts) != len(sections) or not {"W", "B"} <= set(sections) <= set("WBHF+"):
        raise ValueError(say("draughts.fen"))
    rules.setup(state)
    first = COLOURS.index(rules.variant.first)
    for colour, letter in enumerate("WB"):
        men, kings = _read_pieces(rules, sections[letter])
        state.men[colour ^ first], state.kings[colour ^ first] = men, kings
    state.player = "WB".index(turn.upper()) ^ first
    state.quiet = _read_count(sections.get("H", "0"), rules.quiet_limit)
    _check_pieces(rules, state)
    if "+" in sections:
        _read_kings(rules, state, sections["+"])


def _read_pieces(rules: "Draughts", text: str) -> tuple[int, int]:
    """The sets of men and of kings."""
    sets = [0, 0]
    for word in filter(None, (word.strip() for word in text.split(","))):
        is_crowned = word[0] in "Kk"
        first, dash, last = word[is_crowned:].partition("-")
        low, high = sorted(parse_square(rules, end) for end in (first, last if dash else first))
        for square in range(low, high + 1):
            if (sets[0] | sets[1]) >> square & 1:
                raise ValueError(say("draughts.twice", square=format_square(rules, square)))
            sets[is_crowned] |= 1 << square
    return sets[0], sets[1]


def _read_count(text: str, limit: int) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or int(text) > limit:
        raise ValueError(say("draughts.quiet", most=limit, got=quoted(text)))
    return int(text)


def _check_pieces(rules: "Draughts", state: Record) -> None:
    """Refuse pieces that can't be on a board; bounds and rules would be meaningless."""
    both = [int(state.men[player]) | int(state.kings[player]) for player in range(2)]
    for square in members(np.uint64(both[0] & both[1])):
        raise ValueError(say("draughts.both", square=format_square(rules, square)))
    for player in range(2):
        limit = int(rules.home[player]).bit_count()
        if both[player].bit_count() > limit:
            raise ValueError(say("draughts.pieces", most=limit, got=both[player].bit_count()))
        for square in members(state.men[player] & rules.king_row[player]):
            raise ValueError(say("draughts.man", square=format_square(rules, square)))
    if not both[0] | both[1]:
        raise ValueError(say("draughts.empty"))


def _read_kings(rules: "Draughts", state: Record, text: str) -> None:
    """Read how often in a row each player has moved the same king; Black comes first."""
    match = re.fullmatch(r"([0-9])([0-9]*)\+([0-9])([0-9]*)", text)
    if match is None:
        raise ValueError(say("draughts.kings", got=quoted(text)))
    first = COLOURS.index(rules.variant.first)
    for colour, count, king in ((1, match[1], match[2]), (0, match[3], match[4])):
        player = colour ^ first
        if int(count) > rules.king_moves_limit:
            raise ValueError(say("draughts.king-moves", most=rules.king_moves_limit, got=count))
        if int(count):
            square = parse_square(rules, king)
            if not int(state.kings[player]) >> square & 1:
                name = say(f"colour.{COLOURS[colour]}")
                raise ValueError(say("draughts.king", colour=name, square=format_square(rules, square)))
            state.king_moves[player], state.last_king[player] = int(count), square
