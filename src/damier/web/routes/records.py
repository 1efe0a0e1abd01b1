"""The routes for stored games: list, search, replay, export, import."""

import json
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import PlainTextResponse
from pydantic import Field

from damier.core.errors import SpecError
from damier.core.messages import spoken
from damier.core.position import Position
from damier.store.schema import CasualGame
from damier.web.context import Here, Json, Who
from damier.web.importing import JSON, read_games
from damier.web.lobby import Lobby, NotFoundError
from damier.web.room import ConflictError
from damier.web.routes.play import Body
from damier.web.searching.turns import Steps
from damier.web.views import show_line, show_position, win_chances

router = APIRouter(prefix="/api/records", tags=["records"])

Format = Annotated[str, Field(max_length=40, pattern="^[a-z0-9]+$")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a game in the list.")]


class Import(Body):
    """Up to a hundred games in a text: as JSON, or in a format that the catalogue lists."""

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
    """The stored games, newest first. Only your own games come with their key."""
    owner = who.token if mine else None

    def find() -> tuple[list[Json], int]:
        rows, count = here.lobby.store.casual_games(text, owner, limit, offset)
        return [_summary(row, who.token, here.lobby.is_secret(row)) for row in rows], count

    games, count = await here.lobby.compute(find)
    return {"count": count, "games": games}


@router.get("/{number}")
async def show_a_record(number: Number, here: Here, who: Who) -> Json:
    """A game with all its moves, to replay it."""
    row = await _row(here.lobby, number)

    def show() -> Steps[Json]:
        line = yield from here.lobby.replay(row)
        formats = [JSON, *(each.extension for each in line[-1].game.file_formats)]
        return show_position(line) | {"chances": [win_chances(values) for values in row.thoughts], "formats": formats}

    found: Json = spoken(await here.lobby.compute_steps(show))
    return found | _summary(row, who.token, is_secret=False)


@router.get("/{number}/export", response_class=PlainTextResponse)
async def export(number: Number, here: Here, format: Format = JSON) -> PlainTextResponse:
    """A game as a file: JSON, or a format that the game declares, such as PDN."""
    row = await _row(here.lobby, number)

    def write() -> Steps[str]:
        line = yield from here.lobby.replay(row)
        return _written(line, row, format)

    text = await here.lobby.compute_steps(write)
    name = f"damier-{number}.{format}"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("", status_code=201)
async def import_games(given: Import, here: Here, who: Who) -> Json:
    """Store the games of a file."""
    read = await here.lobby.compute_steps(lambda: read_games(here.lobby, given.format, given.text))
    return {"numbers": await here.lobby.record(read, who)}


async def _row(lobby: Lobby, number: int) -> CasualGame:
    """A game that everybody may see."""

    def find() -> tuple[CasualGame | None, bool]:
        row = lobby.store.casual(id=number)
        return row, row is not None and lobby.is_secret(row)

    row, is_secret = await lobby.compute(find)
    if row is None:
        raise NotFoundError("web.no-game-number", number=number)
    if is_secret:
        raise ConflictError("web.secret-game", number=number)
    return row


def _summary(row: CasualGame, token: str, is_secret: bool) -> Json:
    """A game in the list; for a damaged one, the parts that can be read. Of a game with secrets nobody is told how many
    moves were made, and when."""
    facts = {"number": row.id, "game": row.game, "note": row.note, "is_damaged": row.is_damaged}
    facts |= {"began": row.began.isoformat(), "changed": (row.began if is_secret else row.changed).isoformat()}
    if row.is_damaged:
        return facts | {"key": None, "seats": [], "plies": 0, "returns": None, "resigned": None}
    return facts | {
        "key": row.key if row.owner == token and token else None,
        "seats": row.seats,
        "plies": None if is_secret else len(row.moves),
        "returns": row.returns,
        "resigned": row.resigned,
    }


def _written(line: list[Position], row: CasualGame, format: str) -> str:
    position = line[-1]
    formats = {each.extension: each for each in position.game.file_formats}
    if format in formats:
        return str(formats[format].write(position))
    if format != JSON:
        raise SpecError("web.format", game=position.game.name, known=[JSON, *formats], got=format)
    moves = [each["notation"] for each in show_line(line)]
    facts = {
        "game": row.game,
        "seats": row.seats,
        "moves": moves,
        "returns": row.returns,
        "resigned": row.resigned,
        "began": row.began.isoformat(),
    }
    return json.dumps(facts, indent=2) + "\n"
