"""The routes for games that were played: list, search, look, export, import."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse
from pydantic import Field

from damier.arena.store import CasualGame
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.games.blokus.blksgf import BlksgfGame, format_blksgf, parse_blksgf
from damier.games.draughts.pdn import PdnGame, format_pdn, parse_pdn
from damier.web.context import Here, Json, Who
from damier.web.guard import HUMAN
from damier.web.play import Body
from damier.web.shown import positions_of, show_line, show_position, win_chances
from damier.web.tables import NotFoundError, Room

router = APIRouter(prefix="/api/records", tags=["records"])

Format = Literal["json", "pdn", "blksgf"]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a game in the list.")]
MOST_IMPORTED = 100
NAMES = ("White", "Black", "PB", "PW", "P1", "P2", "P3", "P4")  # where PDN and blksgf tell who played

Read = tuple[Game, list[str], str]  # a game, its moves and where it is from


class Import(Body):
    """Games in a text. A blksgf file holds one game, PDN and JSON any number."""

    format: Format
    text: str = Field(min_length=1, max_length=200_000)


@router.get("")
async def list_games(
    here: Here,
    who: Who,
    text: Annotated[str, Query(max_length=100, description="Part of the game's, a player's or a note's name.")] = "",
    mine: Annotated[bool, Query(description="Only games that this browser began.")] = False,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Json:
    """The games that were played here, the last one first. Only one's own have their key with them."""
    owner = who.token if mine else None
    rows, count = await here.room.compute(lambda: here.room.store.casual_games(text, owner, limit, offset))
    return {"count": count, "games": [_summary(row, who.token) for row in rows]}


@router.get("/{number}")
async def look_at_a_record(number: Number, here: Here, who: Who) -> Json:
    """A game with all its moves, to replay it."""
    row = await _row(here.room, number)

    def show() -> Json:
        chances = [win_chances(values) for values in row.thoughts]
        return show_position(_line(here.room, row)) | {"chances": chances}

    return await here.room.compute(show) | _summary(row, who.token)


@router.get("/{number}/export", response_class=PlainTextResponse)
async def export(number: Number, here: Here, format: Format = "json") -> PlainTextResponse:
    """A game as a file: PDN for draughts, blksgf for Blokus, JSON for every game."""
    row = await _row(here.room, number)
    text = await here.room.compute(lambda: _written(_line(here.room, row), row, format))
    name = f"damier-{number}.{format}"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("", status_code=201)
async def import_games(given: Import, here: Here, who: Who) -> Json:
    """Keep the games of a file among the records."""
    read = await here.room.compute(lambda: _read(here.room, given))
    numbers = []
    for game, moves, note in read[:MOST_IMPORTED]:
        seats = [HUMAN] * game.num_players
        numbers.append((await here.room.begin(game.name, seats, moves, who, note)).number)
    return {"numbers": numbers}


async def _row(room: Room, number: int) -> CasualGame:
    row = await room.compute(lambda: room.store.casual(id=number))
    if row is None:
        raise NotFoundError(f"there is no game number {number}")
    return row


def _line(room: Room, row: CasualGame) -> list[Position]:
    return positions_of(room.game(row.game), row.moves)


def _summary(row: CasualGame, token: str) -> Json:
    return {
        "number": row.id,
        "key": row.key if row.owner == token and token else None,
        "game": row.game,
        "seats": row.seats,
        "plies": len(row.moves),
        "returns": row.returns,
        "resigned": row.resigned,
        "note": row.note,
        "began": row.began.isoformat(),
        "changed": row.changed.isoformat(),
    }


def _written(line: list[Position], row: CasualGame, format: str) -> str:
    position = line[-1]
    rules = position.game.rules
    if format == "pdn":
        if not hasattr(rules, "variant"):
            raise SpecError(f"PDN is for draughts, and this game is {position.game.name}; take JSON")
        return format_pdn(position)
    if format == "blksgf":
        if not hasattr(rules, "piece_name"):
            raise SpecError(f"blksgf is for Blokus, and this game is {position.game.name}; take JSON")
        return format_blksgf(position)
    moves = [each["notation"] for each in show_line(line)]
    facts = {
        "game": row.game,
        "seats": row.seats,
        "moves": moves,
        "returns": row.returns,
        "began": row.began.isoformat(),
    }
    return json.dumps(facts, indent=2) + "\n"


def _read(room: Room, given: Import) -> list[Read]:
    """The games of a file, checked as if a visitor had played them."""
    if given.format == "json":
        return _read_json(room, given.text)
    if given.format == "pdn":
        found: list[PdnGame | BlksgfGame] = list(parse_pdn(given.text))
    else:
        found = [parse_blksgf(given.text)]
    read = []
    for each in found:
        game = each.start.game
        if each.start != game.start():
            raise DamierError("a game that does not begin at the start can't be kept; its moves can be played by hand")
        told = each.tags if isinstance(each, PdnGame) else each.properties
        players = [told[name] for name in NAMES if told.get(name, "?") != "?"]
        read.append((game, _notations(each.end), " - ".join(players)[:200] or f"from a {given.format} file"))
    return read


def _read_json(room: Room, text: str) -> list[Read]:
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"expected a JSON document, got something else: {str(error)[:100]}") from None
    read = []
    for each in document if isinstance(document, list) else [document]:
        if not isinstance(each, dict) or not isinstance(each.get("game"), str) or not _are_texts(each.get("moves")):
            raise SpecError('expected {"game": "connect4", "moves": ["d", "d"]} or a list of such games')
        position = room.line(each["game"], each["moves"])[-1]
        seats = each["seats"] if _are_texts(each.get("seats")) else []
        read.append((position.game, _notations(position), " - ".join(seats)[:200] or "from a JSON file"))
    return read


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _notations(position: Position) -> list[str]:
    return [each["notation"] for each in show_line(positions_of(position.game, position.history))]
