"""Turns and positions as backgammon players write them.

A turn is a list of checkers' ways, `24/18,13/11`, each player counting from home. `bar` and `off` are places like the
points, `*` hits, `(2)` says twice. A checker that moves on is written as one way, `24/14`, with the points between only
where it hits: `24/18*/14`. People leave a space between the ways; here it is a comma, since spaces separate moves.

A position is written as the ID of GNU Backgammon: for each point, and the bar last, as many ones as there are checkers
and a zero, first of the player who is not on roll and then of the one who is; 80 bits, the first of a byte lowest, in
base 64. After colons follow whose turn it is, `-` before the first roll; the dice, `00` when they are to be rolled;
and how many turns have been played.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from damier.core.messages import say
from damier.core.protocol import CHANCE, Record
from damier.games.backgammon.turns import BAR, BASE, OFF, PASS

START = "4HPwATDgc/ABMA"
ID_LENGTH = 14
CHECKERS = 15
DICE = "00|[1-6][1-6]"

PLACES = {BAR: "bar", OFF: "off"}
NUMBERS = {name: place for place, name in PLACES.items()}
Step = tuple[int, int]  # of a checker by one die, from a place to a place
Way = list[int]  # the places of a checker, from the first to the last


def format_move(state: Record, move: int) -> str:
    if move == PASS:
        return "pass"
    blots = _blots(state)
    texts = Counter(_format_way(way, blots) for way in _ways(state, move))
    return ",".join(text + (f"({times})" if times > 1 else "") for text, times in texts.items())


def parse_move(state: Record, text: str, legal: list[int]) -> int:
    """The legal turn that is meant; ValueError if there is none, or more than one."""
    ways, stars = _read(text)
    blots = _blots(state)
    meant = []
    for move in legal:
        if _change(_ways(state, move)) == _change(ways):
            visited = {place for way in _ways(state, move) for place in way}
            named = {place for way in ways for place in way}
            if named <= visited and stars <= visited & blots:
                meant.append(move)
    if len(meant) != 1:
        raise ValueError(text)
    return meant[0]


def orders(state: Record, move: int) -> Iterator[tuple[Step, ...]]:
    """The orders in which the steps of a turn can be made: from where a checker is, and from the bar first."""
    for order in sorted(set(permutations(_steps(state, move))), reverse=True):
        places = [int(count) for count in state.points[state.player]]
        for source, target in order:
            if places[source] == 0 or (places[BAR] and source != BAR):
                break
            places[source] -= 1
            places[target] += 1
        else:
            yield order


def _steps(state: Record, move: int) -> list[Step]:
    sources = [(number, move // BASE**number % BASE) for number in range(4)]
    return [(source, max(OFF, source - int(state.dice[min(number, 1)]))) for number, source in sources if source]


def _ways(state: Record, move: int) -> list[Way]:
    """The steps of a turn, those of one checker put together."""
    ways: list[Way] = []
    for source, target in sorted(_steps(state, move), reverse=True):
        goes_on = next((way for way in ways if way[-1] == source), None)
        if goes_on is None:
            ways.append([source, target])
        else:
            goes_on.append(target)
    return ways


def _blots(state: Record) -> set[int]:
    """The points where a lonely checker of the other stands."""
    theirs = state.points[1 - state.player]
    return {point for point in range(1, BAR) if theirs[25 - point] == 1}


def _format_way(way: Way, blots: set[int]) -> str:
    shown = [place for i, place in enumerate(way) if i in (0, len(way) - 1) or place in blots]
    return "/".join(_format_place(place) + ("*" if i and place in blots else "") for i, place in enumerate(shown))


def _format_place(place: int) -> str:
    return PLACES.get(place, str(place))


def _read(text: str) -> tuple[list[Way], set[int]]:
    """The ways that a text names, and the points with a star."""
    ways: list[Way] = []
    stars: set[int] = set()
    for word in text.lower().replace(",", " ").split():
        match = re.fullmatch(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?", word)
        if match is None:
            raise ValueError(text)
        places = [match[1], *match[2].strip("/").split("/")]
        numbers = [_parse_place(place.strip("*")) for place in places]
        stars |= {number for place, number in zip(places, numbers, strict=True) if "*" in place}
        ways += [numbers] * int(match[3] or 1)
    return ways, stars


def _parse_place(place: str) -> int:
    return NUMBERS[place] if place in NUMBERS else int(place)


def _change(ways: list[Way]) -> Counter[int]:
    """How the number of checkers changes, by place."""
    change: Counter[int] = Counter()
    for way in ways:
        change[way[0]] -= 1
        change[way[-1]] += 1
    return Counter({place: number for place, number in change.items() if number})


def format_position(state: Record) -> str:
    """The position ID, whose turn it is, the dice and the number of turns: `4HPwATDgc/ABMA:0:31:0`."""
    turn = "-" if state.turn == CHANCE else str(state.turn)
    return f"{position_id(state)}:{turn}:{state.dice[0]}{state.dice[1]}:{state.num_turns}"


def position_id(state: Record) -> str:
    """GNU Backgammon's position ID. Before the first roll, player 0 counts as on roll."""
    on_roll = max(0, int(state.turn))
    bits = "".join("1" * int(count) + "0" for player in (1 - on_roll, on_roll) for count in state.points[player, 1:])
    number = int(bits[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode()[:ID_LENGTH]


def parse_position(state: Record, text: str) -> None:
    """Set up what `format_position` writes, a position ID alone, or an XGID."""
    if text.upper().startswith("XGID="):
        _parse_xgid(state, text[5:])
        return
    match = re.fullmatch(rf"([^:]*)(?::([-01]):({DICE}):([0-9]{{1,5}}))?", text)
    if match is None:
        raise ValueError(say("backgammon.position", example=f"{START}:0:31:0"))
    turn = CHANCE if match[2] == "-" or text == START else int(match[2] or 0)
    players = parse_id(match[1])
    on_roll = max(0, turn)
    state.points[on_roll], state.points[1 - on_roll] = players
    _set_turn(state, turn, match[3] or "00", int(match[4] or 0))


def _parse_xgid(state: Record, text: str) -> None:
    """The ID of eXtreme Gammon: the bar of the other, the points from home on, one's own bar; capital letters are
    player 0's checkers. Then the cube and its owner, whose turn it is (1 or -1), the dice, and the score, of which
    only the turn and the dice count here."""
    places, *parts = text.split(":")
    if not re.fullmatch("[-a-oA-O]{26}", places) or len(parts) < 4:
        raise ValueError(say("backgammon.xgid"))
    if parts[2] not in ("1", "-1") or not re.fullmatch(DICE, parts[3]):
        raise ValueError(say("backgammon.xgid-turn", got=":".join(parts[2:4])[:20]))
    for place, sign in enumerate(places):
        if sign != "-":
            player = 0 if sign.isupper() else 1
            own = place if player == 0 else 25 - place
            if own == OFF:
                raise ValueError(say("backgammon.xgid-bar"))
            state.points[player, own] = ord(sign.upper()) - ord("A") + 1
    for player in range(2):
        state.points[player, OFF] = CHECKERS - state.points[player].sum()
    _set_turn(state, 0 if parts[2] == "1" else 1, parts[3], 0)


def _set_turn(state: Record, turn: int, dice: str, num_turns: int) -> None:
    if min(state.points[:, OFF]) < 0 or sum(state.points[:, OFF]) == 2 * CHECKERS:
        raise ValueError(say("backgammon.all-off", checkers=CHECKERS))
    if turn == CHANCE and (position_id(state) != START or dice != "00" or num_turns):
        raise ValueError(say("backgammon.first-roll"))
    if dice != "00" and (CHECKERS in state.points[:, OFF]):
        raise ValueError(say("backgammon.dice-at-end"))
    state.turn, state.num_turns = turn, num_turns
    state.dice[:] = sorted(map(int, dice), reverse=True)


def parse_id(text: str) -> list[list[int]]:
    """The checkers of the player on roll, and those of the other: off, on the points 1 to 24, on the bar."""
    if not re.fullmatch(r"[A-Za-z0-9+/]{14}", text):
        raise ValueError(say("backgammon.id", length=ID_LENGTH, example=START, got=text[:60]))
    number = int.from_bytes(base64.b64decode(text + "=="), "little")
    counts = list(_runs(number))
    players = counts[25:50], counts[:25]
    if number >> (50 + sum(counts[:50])):
        raise ValueError(say("backgammon.id-places", got=text))
    if not all(sum(player) <= CHECKERS for player in players):
        raise ValueError(say("backgammon.id-checkers", checkers=CHECKERS, got=text))
    if any(players[0][place] and players[1][23 - place] for place in range(24)):
        raise ValueError(say("backgammon.id-points", got=text))
    return [[CHECKERS - sum(player), *player] for player in players]


def _runs(number: int) -> Iterator[int]:
    """How many ones stand before each zero, from the lowest bit on."""
    for _ in range(50):
        run = (~number & number + 1).bit_length() - 1
        yield run
        number >>= run + 1
