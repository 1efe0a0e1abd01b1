"""The routes for playing: the catalogue, games and positions."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from damier.core.messages import spoken
from damier.web.catalogue import catalogue, players_for, presets_for
from damier.web.context import Here, Json, Who
from damier.web.permissions import MOST_MOVES
from damier.web.room import GameRoom
from damier.web.searching.turns import Steps
from damier.web.views import drawn, show_position, sketch

router = APIRouter(prefix="/api", tags=["play"])

Spec = Annotated[str, Field(min_length=1, max_length=400, description="`name[:option=value,...]`")]
Notation = Annotated[str, Field(min_length=1, max_length=200, description="A move in the game's notation.")]
Moves = Annotated[list[Notation], Field(max_length=MOST_MOVES, description="Moves from the start of the game.")]
Key = Annotated[str, Path(min_length=8, max_length=64, description="The key of a game; everyone who has it may play.")]


async def _room(key: Key, here: Here, who: Who) -> GameRoom:
    return await here.lobby.room(key, who)


Room = Annotated[GameRoom, Depends(_room)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewGame(Body):
    """A game and its players, first seat first; `human` is a visitor."""

    game: Spec = "connect4"
    seats: list[Spec] = Field(default_factory=lambda: ["human", "uct:sims=1000"], min_length=1, max_length=8)
    moves: Moves = Field(default_factory=list)


class Move(Body):
    move: Notation


class Ply(Body):
    ply: int = Field(ge=0, le=100_000)


class Seat(Body):
    seat: int = Field(ge=0, le=7)


class Resignation(Body):
    seat: int | None = Field(None, ge=0, le=7, description="Default: the visitor to move.")


class Pace(Body):
    """The speed of the server's players."""

    delay: float | None = Field(None, ge=0, le=30, description="The least number of seconds between two moves.")
    is_paused: bool | None = None


class Line(Body):
    game: Spec
    moves: Moves = Field(default_factory=list)
    draw: bool = Field(False, description="Whether chance moves then, until a player is to move.")


@router.get("/catalogue")
async def get_catalogue(here: Here) -> Json:
    """The games and players with their options, and presets of players for each game."""
    return await here.lobby.compute(lambda: catalogue(here.settings))


@router.get("/catalogue/{game:path}/board")
async def get_sketch(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """A board after a few moves, for a thumbnail."""
    return dict(spoken(await here.lobby.compute(lambda: sketch(here.lobby.game(game)))))


@router.get("/catalogue/{game:path}/presets")
async def get_presets(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """A beginner, a club player and a strong player for a game with its options."""
    return await here.lobby.compute(lambda: presets_for(here.lobby.game(game)))


@router.get("/catalogue/{game:path}/players")
async def get_players(game: Annotated[str, Path(max_length=400)], here: Here) -> Json:
    """The names of the players that can play a game within the limits of this server."""
    return {"players": await here.lobby.compute(lambda: players_for(here.lobby.game(game), here.settings))}


@router.post("/positions")
async def show_a_position(line: Line, here: Here) -> Json:
    """The position after these moves: its board, its legal moves, and the moves played."""

    def show() -> Steps[Json]:
        positions = yield from here.lobby.line(line.game, line.moves)
        return show_position((yield from drawn(positions)) if line.draw else positions)

    return dict(spoken(await here.lobby.compute_steps(show)))


@router.post("/games", status_code=201)
async def begin_a_game(new: NewGame, here: Here, who: Who) -> Json:
    """Start a game. The answer's `id` is its key: everyone who has it may play."""
    room = await here.lobby.begin(new.game, new.seats, new.moves, who)
    return await room.state(who.token)


@router.get("/games/{key}")
async def show_a_game(room: Room, who: Who) -> Json:
    """The current state of a game, as this browser may see it."""
    return await room.state(who.token)


@router.get("/games/{key}/plies/{ply}")
async def show_a_ply(room: Room, who: Who, ply: Annotated[int, Path(ge=0, le=100_000)]) -> Json:
    """The game after `ply` moves that this browser may know of, or its last position."""
    return await room.showing.ply(who.token, ply)


@router.get("/games/{key}/beliefs")
async def show_beliefs(room: Room, who: Who) -> Json:
    """What the others could hold, for all that this browser's seat knows."""
    return await room.showing.beliefs(who.token)


@router.post("/games/{key}/sit")
async def take_a_seat(room: Room, seat: Seat, who: Who) -> Json:
    """Take a free seat for a person in a game of hidden information."""
    await room.sit(seat.seat, who.token)
    return await room.state(who.token)


@router.post("/games/{key}/moves")
async def make_a_move(room: Room, move: Move, who: Who) -> Json:
    """Make a move for the visitor whose turn it is."""
    await room.play(move.move, who.token)
    return await room.state(who.token)


@router.post("/games/{key}/undo")
async def take_back(room: Room, who: Who) -> Json:
    """Take back to the last position in which a visitor was to move."""
    await room.undo()
    return await room.state(who.token)


@router.post("/games/{key}/back")
async def go_back(room: Room, to: Ply, who: Who) -> Json:
    """Take back to any point of the game."""
    await room.back(to.ply)
    return await room.state(who.token)


@router.post("/games/{key}/resign")
async def resign(room: Room, of: Resignation, who: Who) -> Json:
    """Resign a game."""
    await room.resign(of.seat, who.token)
    return await room.state(who.token)


@router.post("/games/{key}/swap")
async def swap_seats(room: Room, who: Who) -> Json:
    """Move every player on by one seat."""
    await room.swap()
    return await room.state(who.token)


@router.post("/games/{key}/pace")
async def set_the_pace(room: Room, pace: Pace, who: Who) -> Json:
    """Slow down, pause or resume the server's players."""
    await room.pace(pace.delay, pace.is_paused, who.token)
    return await room.state(who.token)
