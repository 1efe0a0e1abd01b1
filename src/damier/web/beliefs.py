"""What the others could hold: the possible deals for all that a player knows, tabulated card by card or cell by cell.

Where few deals are possible and only chance hides, all of them are listed and weighed as chance makes them. Otherwise
deals are drawn by the game's own `determinize`. What the others' play suggests is not counted.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import Any

from damier.core import knowledge
from damier.core.position import Position
from damier.core.protocol import REFEREE
from damier.core.rng import new_rng
from damier.core.view import Card, CardTable, Grid, Symbol
from damier.web.searching.turns import Steps

Json = dict[str, Any]
Believed = Json
Weighed = tuple[Any, float]  # a view with open cards, and how likely it is

MOST_DEALS = 500
MOST_SECONDS = 1.0  # of drawing deals, without the turns of other visitors
MOST_PLAYED = 1000  # moves that are tried to list all that is possible


def believe(line: Sequence[Position], viewer: int) -> Steps[Believed]:
    """What a player may think that the others hold in the last position of a line."""
    pos = line[-1]
    own = pos.seen_by(viewer).view() if pos.game.has("view") else None
    if not isinstance(own, CardTable | Grid):
        return {"kind": "none"}
    worlds = yield from _all_worlds(line, viewer)
    is_exact = worlds is not None
    if worlds is None:
        worlds = yield from _drawn_worlds(pos, viewer)
    facts = {"is_exact": is_exact, "deals": len(worlds)}
    if isinstance(own, CardTable):
        return _cards(own, worlds) | facts
    return _cells(own, worlds) | facts


def _drawn_worlds(pos: Position, viewer: int) -> Steps[list[Weighed]]:
    """Deals at random; the same ones whenever the player knows the same."""
    seed = knowledge.seed_of(pos.observation(viewer))
    worlds: list[Weighed] = []
    seconds = 0.0
    while len(worlds) < MOST_DEALS and seconds < MOST_SECONDS:
        yield
        began = time.monotonic()
        dealt = knowledge.redeal(pos.game, pos.state, viewer, new_rng(seed, len(worlds)))
        worlds.append((pos.game.view(dealt[0], REFEREE), 1.0))
        seconds += time.monotonic() - began
    return worlds


def _all_worlds(line: Sequence[Position], viewer: int) -> Steps[list[Weighed] | None]:
    """All possible positions, weighed by the probabilities of chance; None if they are too many, or if players made
    moves that are hidden: how likely those are, nobody can say."""
    past = [known for known, _ in groupby(_known(pos, viewer) for pos in line)]
    waiting: list[tuple[Position, float, int, tuple[int, ...]]] = [(line[0], 1.0, 0, ())]  # and the players' moves
    found: list[tuple[Position, float]] = []
    choices, played = set(), 0
    while waiting:
        yield
        pos, weight, stage, made = waiting.pop()
        if stage == len(past) - 1:
            found.append((pos, weight))
            choices.add(made)
        outcomes = pos.outcomes
        for move in pos.moves():
            played += 1
            if played > MOST_PLAYED:
                return None
            after = pos.play(move)
            if after.is_over:
                continue
            known = _known(after, viewer)
            place = next((at for at in (stage, stage + 1) if at < len(past) and known == past[at]), None)
            if place is not None:
                then = made if outcomes else (*made, move)
                waiting.append((after, weight * outcomes.get(move, 1.0), place, then))
    if len(choices) > 1:
        return None
    return [(pos.game.view(pos.state, REFEREE), weight) for pos, weight in found]


def _known(pos: Position, viewer: int) -> tuple[int, ...]:
    return pos.player, *pos.observation(viewer)


# -- tables ------------------------------------------------------------------------------------------------------


def _cards(own: CardTable, worlds: Sequence[Weighed]) -> Json:
    """For each hand with cards face down, how likely it has each card."""
    hidden = [place for place, hand in enumerate(own.hands) if any(not card.unicode for card in hand.cards)]
    total = sum(weight for _, weight in worlds) or 1.0
    chances: dict[tuple[str, str], list[float]] = {}
    for table, weight in worlds:
        for column, place in enumerate(hidden):
            if place < len(table.hands):
                for text, colour in _unseen(own.hands[place].cards, table.hands[place].cards):
                    row = chances.setdefault((text, colour), [0.0] * len(hidden))
                    row[column] += weight / total
    rows = [
        {"text": text, "colour": colour, "chances": [min(1.0, chance) for chance in row]}
        for (text, colour), row in chances.items()
    ]
    hands = [
        {"title": hand.title, "player": hand.player, "count": sum(not card.unicode for card in hand.cards)}
        for hand in (own.hands[place] for place in hidden)
    ]
    return {"kind": "cards", "hands": hands, "rows": sorted(rows, key=_rank)}


def _unseen(known: Sequence[Card], dealt: Sequence[Card]) -> Iterator[tuple[str, str]]:
    """The different cards of a hand that are not among those that lie open."""
    left = Counter((card.unicode, card.colour) for card in dealt if card.unicode)
    left.subtract((card.unicode, card.colour) for card in known if card.unicode)
    return (card for card, count in left.items() if count > 0)


SUITS = "♠♥♦♣"
RANKS = "AKQJT"


def _rank(row: Json) -> tuple[Any, ...]:
    """The usual order of cards: by suit, high cards first."""
    text = row["text"]
    suit = next((SUITS.index(sign) for sign in text if sign in SUITS), len(SUITS))
    rank = text.strip(SUITS).upper()
    number = -int(rank) if rank.isascii() and rank.isdigit() else 0
    return suit, RANKS.index(rank) if rank in RANKS and rank else len(RANKS), number, text


def _cells(own: Grid, worlds: Sequence[Weighed]) -> Json:
    """For each cell that may look different, how likely it holds each symbol."""
    total = sum(weight for _, weight in worlds) or 1.0
    shown = _contents(own)
    chances: dict[int, dict[Symbol, float]] = {}
    for grid, weight in worlds:
        for cell, (seen, symbol) in enumerate(zip(shown, _contents(grid), strict=True)):
            if symbol is not None and symbol != seen:
                row = chances.setdefault(cell, {})
                row[symbol] = row.get(symbol, 0.0) + weight / total
    cells = [
        {"cell": cell, "text": symbol.unicode, "player": symbol.player, "chance": min(1.0, chance)}
        for cell, row in sorted(chances.items())
        for symbol, chance in row.items()
    ]
    return {"kind": "grid", "rows": own.row_labels, "cols": own.col_labels, "cells": cells}


def _contents(grid: Grid) -> list[Symbol | None]:
    return [None if cell < 0 else grid.symbols[cell] for cell in chain.from_iterable(grid.cells)]
