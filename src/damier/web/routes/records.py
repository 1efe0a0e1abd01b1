"""The routes for games that were played: list, search, look, export, import."""

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse
from pydantic import Field

from damier.core.errors import SpecError
from damier.core.messages import spoken
from damier.core.position import Position
from damier.games.blokus.blksgf import format_blksgf
from damier.games.draughts.pdn import format_pdn
from damier.store.database import CasualGame
from damier.web.context import Here, Json, Who
from damier.web.importing import Format, read_games
from damier.web.routes.play import Body
from damier.web.searching.turns import Steps
from damier.web.shown import show_line, show_position, win_chances
from damier.web.tables import NotFoundError, Room

router = APIRouter(prefix="/api/records", tags=["records"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a game in the list.")]


class Import(Body):
    """Games in a text. A blksgf file holds one game, PDN and JSON up to a hundred."""

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

    def show() -> Steps[Json]:
        line = yield from here.room.replay(row)
        return show_position(line) | {"chances": [win_chances(values) for values in row.thoughts]}

    found: Json = spoken(await here.room.compute_steps(show))
    return found | _summary(row, who.token)


@router.get("/{number}/export", response_class=PlainTextResponse)
async def export(number: Number, here: Here, format: Format = "json") -> PlainTextResponse:
    """A game as a file: PDN for draughts, blksgf for Blokus, JSON for every game."""
    row = await _row(here.room, number)

    def write() -> Steps[str]:
        line = yield from here.room.replay(row)
        return _written(line, row, format)

    text = await here.room.compute_steps(write)
    name = f"damier-{number}.{format}"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("", status_code=201)
async def import_games(given: Import, here: Here, who: Who) -> Json:
    """Keep the games of a file among the records."""
    read = await here.room.compute_steps(lambda: read_games(here.room, given.format, given.text))
    return {"numbers": await here.room.record(read, who)}


async def _row(room: Room, number: int) -> CasualGame:
    row = await room.compute(lambda: room.store.casual(id=number))
    if row is None:
        raise NotFoundError("web.no-game-number", number=number)
    return row


def _summary(row: CasualGame, token: str) -> Json:
    """A game in the list. Of a damaged one only what can be read."""
    facts = {"number": row.id, "game": row.game, "note": row.note, "is_damaged": row.is_damaged}
    facts |= {"began": row.began.isoformat(), "changed": row.changed.isoformat()}
    if row.is_damaged:
        return facts | {"key": None, "seats": [], "plies": 0, "returns": None, "resigned": None}
    return facts | {
        "key": row.key if row.owner == token and token else None,
        "seats": row.seats,
        "plies": len(row.moves),
        "returns": row.returns,
        "resigned": row.resigned,
    }


def _written(line: list[Position], row: CasualGame, format: str) -> str:
    position = line[-1]
    rules = position.game.rules
    if format == "pdn":
        if not hasattr(rules, "variant"):
            raise SpecError("web.no-pdn", game=position.game.name)
        return format_pdn(position)
    if format == "blksgf":
        if not hasattr(rules, "piece_name"):
            raise SpecError("web.no-blksgf", game=position.game.name)
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
