"""Dealing unseen cards at random to hands of known size, where some hands are known to lack some cards.

If at most one hand is known to lack unseen cards, all deals are equally likely. Otherwise cards are dealt one by one to
a hand that may hold them, drawn by the room left in it; if all these hands are full, cards change places along a path
of hands to one with room (an augmenting path), which exists because the true deal is possible. Then random pairs of
cards change places where they may: all possible deals are equally likely in the long run of such exchanges, and after
one exchange a card they nearly are. Every possible deal can come up.
"""

import numpy as np

from damier.core.bits import Bits, bit, nth_lowest, popcount
from damier.core.compile import kernel
from damier.core.protocol import Rng
from damier.core.rng import below

NO_CARDS = np.uint64(0)
NOBODY = -1


@kernel
def random_card(cards: Bits, rng: Rng) -> int:
    """A random card of a set that is not empty."""
    return nth_lowest(cards, below(rng, popcount(cards)))


@kernel
def random_cards(cards: Bits, count: int, rng: Rng) -> Bits:
    """A random subset of that many cards."""
    drawn = NO_CARDS
    if count == popcount(cards):
        return cards
    for _ in range(count):
        drawn |= bit(random_card(cards & ~drawn, rng))
    return drawn


@kernel
def deal_unseen(hands: Bits, lacks: Bits, needs: Bits, unseen: Bits, rng: Rng) -> Bits:
    """Add `needs[p]` of the unseen cards to each hand p, none that it lacks; return those that are left.

    hands, lacks: [players] sets of cards; needs: [players] numbers.
    """
    restricted, first = 0, 0
    for player in range(hands.size):
        if needs[player] > 0 and lacks[player] & unseen != NO_CARDS:
            restricted += 1
            first = player
    if restricted > 1:
        return _deal_where_possible(hands, lacks, needs, unseen, rng)
    for number in range(hands.size):
        player = (first + number) % hands.size
        dealt = random_cards(unseen & ~lacks[player], needs[player], rng)
        hands[player] |= dealt
        unseen &= ~dealt
    return unseen


@kernel
def _deal_where_possible(hands: Bits, lacks: Bits, needs: Bits, unseen: Bits, rng: Rng) -> Bits:
    holders = hands.size + 1  # the last one is the stock, which takes what is left
    given, room = np.zeros(holders, np.uint64), np.zeros(holders, np.int64)
    may = np.zeros(holders, np.uint64)  # the unseen cards that each may hold
    room[holders - 1] = popcount(unseen)
    may[holders - 1] = unseen
    for player in range(hands.size):
        room[player] = needs[player]
        room[holders - 1] -= needs[player]
        may[player] = unseen & ~lacks[player]
    waiting = unseen & ~_give_forced(given, may, room)
    while waiting != NO_CARDS:
        card = random_card(waiting, rng)
        waiting &= ~bit(card)
        holder = _draw_holder(may, room, card, rng)
        if holder == NOBODY:
            holder = _make_room(given, may, room, card, rng)
        given[holder] |= bit(card)
        room[holder] -= 1
    for _ in range(popcount(unseen)):
        _exchange(given, may, random_card(unseen, rng), random_card(unseen, rng))
    for player in range(hands.size):
        hands[player] |= given[player]
    return given[holders - 1]


@kernel
def _give_forced(given: Bits, may: Bits, room: Bits) -> Bits:
    """Give the cards that only one holder can have; return them."""
    once, twice = NO_CARDS, NO_CARDS
    for holder in range(may.size):
        if room[holder] > 0:
            twice |= once & may[holder]
            once |= may[holder]
    forced = once & ~twice
    for holder in range(may.size):
        if room[holder] > 0:
            given[holder] = forced & may[holder]
            room[holder] -= popcount(given[holder])
    return forced


@kernel
def _draw_holder(may: Bits, room: Bits, card: int, rng: Rng) -> int:
    """A holder for the card, by the room they have; NOBODY if all are full."""
    total = 0
    for holder in range(may.size):
        if may[holder] & bit(card) != NO_CARDS:
            total += room[holder]
    if total == 0:
        return NOBODY
    number = below(rng, total)
    for holder in range(may.size):
        if may[holder] & bit(card) != NO_CARDS:
            if number < room[holder]:
                return holder
            number -= room[holder]
    return NOBODY


@kernel
def _make_room(given: Bits, may: Bits, room: Bits, card: int, rng: Rng) -> int:
    """Make room for the card at a holder who may have it: along the shortest path to one with room, everybody hands a
    card on. Return the holder."""
    holders = may.size
    came_from = np.full(holders, -2)  # -2: not reached; NOBODY: may have the card itself
    queue = np.zeros(holders, np.int64)
    head = tail = 0
    for holder in range(holders):
        if may[holder] & bit(card) != NO_CARDS:
            came_from[holder] = NOBODY
            queue[tail] = holder
            tail += 1
    while head < tail:
        holder = queue[head]
        head += 1
        if room[holder] > 0:
            return _hand_on(given, may, room, came_from, holder, rng)
        for other in range(holders):
            if came_from[other] == -2 and given[holder] & may[other] != NO_CARDS:
                came_from[other] = holder
                queue[tail] = other
                tail += 1
    return holders - 1  # never where the known facts agree with each other


@kernel
def _hand_on(given: Bits, may: Bits, room: Bits, came_from: Bits, last: int, rng: Rng) -> int:
    """Hand cards on along a path; return its first holder, who has room then."""
    holder = last
    while came_from[holder] != NOBODY:
        before = came_from[holder]
        card = random_card(given[before] & may[holder], rng)
        given[before] &= ~bit(card)
        given[holder] |= bit(card)
        room[holder] -= 1
        room[before] += 1
        holder = before
    return holder


@kernel
def _exchange(given: Bits, may: Bits, one: int, other: int) -> None:
    """Let two cards change places, if their holders may have them."""
    first = second = 0
    for holder in range(given.size):
        if given[holder] & bit(one) != NO_CARDS:
            first = holder
        if given[holder] & bit(other) != NO_CARDS:
            second = holder
    if first != second and may[first] & bit(other) != NO_CARDS and may[second] & bit(one) != NO_CARDS:
        both = bit(one) | bit(other)
        given[first] ^= both
        given[second] ^= both
