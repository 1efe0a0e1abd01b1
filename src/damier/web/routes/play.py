"""The routes for playing: what there is, games with their seats, and positions to look at."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from damier.core.messages import spoken
from damier.web.catalogue import catalogue, players_for, presets_for
from damier.web.context import Here, Json, Who
from damier.web.permissions import MOST_MOVES
from damier.web.searching.turns import Steps
from damier.web.views import show_position, sketch

router = APIRouter(prefix="/api", tags=["play"])

Spec = Annotated[str, Field(min_length=1, max_length=400, description="`name[:option=value,...]`")]
Notation = Annotated[str, Field(min_length=1, max_length=200, description="A move in the game's notation.")]
Moves = Annotated[list[Notation], Field(max_length=MOST_MOVES, description="Moves from the start of the game.")]
Key = Annotated[str, Path(min_length=8, max_length=64, description="The key of a game; whoever has it may play.")]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """A game and who sits where, first player first; `human` is a person."""

    game: Spec = "connect4"
    seats: list[Spec] = Field(default_factory=lambda: ["human", "uct:sims=1000"], min_length=1, max_length=8)
    moves: Moves = Field(default_factory=list)


class Move(Body):
    move: Notation


class Ply(Body):
    ply: int = Field(ge=0, le=100_000)


class Resignation(Body):
    seat: int | None = Field(None, ge=0, le=7, description="Default: the person to move.")


class Pace(Body):
    """How fast the server's players play among themselves."""

    delay: float | None = Field(None, ge=0, le=30, description="Seconds from one move to the next, at least.")
    is_paused: bool | None = None


class Line(Body):
    game: Spec
    moves: Moves = Field(default_factory=list)


@router.get("/catalogue")
async def get_catalogue(here: Here) -> Json:
    """The games and players with their options, and presets of players for each game."""
    return await here.lobby.compute(lambda: catalogue(here.settings))


@router.get("/catalogue/{game:path}/board")
async def get_sketch(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """A board of this game some moves into it, for a thumbnail."""
    return dict(spoken(await here.lobby.compute(lambda: sketch(here.lobby.game(game)))))


@router.get("/catalogue/{game:path}/presets")
async def get_presets(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """A beginner, a club player and a strong one for a game with its options."""
    return await here.lobby.compute(lambda: presets_for(here.lobby.game(game)))


@router.get("/catalogue/{game:path}/players")
async def get_players(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """The names of the players that can play a game with its options within the limits of this server."""
    return {"players": await here.lobby.compute(lambda: players_for(here.lobby.game(game), here.settings))}


@router.post("/positions")
async def show_a_position(line: Line, here: Here) -> Json:
    """The position after these moves: its board, its legal moves, and the line that led there."""

    def show() -> Steps[Json]:
        positions = yield from here.lobby.line(line.game, line.moves)
        return show_position(positions)

    return dict(spoken(await here.lobby.compute_steps(show)))


@router.post("/games", status_code=201)
async def begin_a_game(new: NewGame, here: Here, who: Who) -> Json:
    """Begin a game. The answer's `id` is its key: whoever has it may play."""
    room = await here.lobby.begin(new.game, new.seats, new.moves, who)
    return await room.state()


@router.get("/games/{key}")
async def show_a_game(key: Key, here: Here, who: Who) -> Json:
    """The game as it is now."""
    return await (await here.lobby.room(key, who)).state()


@router.get("/games/{key}/plies/{ply}")
async def show_a_ply(key: Key, ply: Annotated[int, Path(ge=0, le=100_000)], here: Here, who: Who) -> Json:
    """The game as it was after so many moves; the last position, if there were not so many."""
    room = await here.lobby.room(key, who)
    positions = room.course.positions[: ply + 1]
    return dict(spoken(await here.lobby.compute(lambda: show_position(positions))))


@router.post("/games/{key}/moves")
async def make_a_move(key: Key, move: Move, here: Here, who: Who) -> Json:
    """Make a move for the person whose turn it is."""
    room = await here.lobby.room(key, who)
    await room.play(move.move)
    return await room.state()


@router.post("/games/{key}/undo")
async def take_back(key: Key, here: Here, who: Who) -> Json:
    """Back to the last position in which a person was to move."""
    room = await here.lobby.room(key, who)
    await room.undo()
    return await room.state()


@router.post("/games/{key}/back")
async def go_back(key: Key, to: Ply, here: Here, who: Who) -> Json:
    """Take back to any point of the game."""
    room = await here.lobby.room(key, who)
    await room.back(to.ply)
    return await room.state()


@router.post("/games/{key}/resign")
async def resign(key: Key, of: Resignation, here: Here, who: Who) -> Json:
    """Give a game up."""
    room = await here.lobby.room(key, who)
    await room.resign(of.seat)
    return await room.state()


@router.post("/games/{key}/swap")
async def swap_seats(key: Key, here: Here, who: Who) -> Json:
    """Everybody moves on by one seat."""
    room = await here.lobby.room(key, who)
    await room.swap()
    return await room.state()


@router.post("/games/{key}/pace")
async def set_the_pace(key: Key, pace: Pace, here: Here, who: Who) -> Json:
    """Make the server's players slower, pause them, or let them go on."""
    room = await here.lobby.room(key, who)
    await room.pace(pace.delay, pace.is_paused)
    return await room.state()
