"""The routes for following: tournaments and training runs."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from damier.web.context import Here, Json, Who
from damier.web.routes.play import Body, Spec
from damier.web.runs import list_runs, read_run, sample_games

router = APIRouter(prefix="/api", tags=["follow"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


class NewTournament(Body):
    """A round robin; see `damier tournament`."""

    game: Spec = "tictactoe"
    players: list[Spec] = Field(min_length=2, max_length=12)
    games: int = Field(20, ge=1, le=1000, description="For each pair (for three seats: each three, ...).")
    openings: int = Field(0, ge=0, le=50, description="Random moves before the players take over.")


@router.get("/events")
async def list_events(here: Here) -> Json:
    """All tournaments and matches, newest first."""
    return {"events": await here.tournaments.summaries()}


@router.post("/events", status_code=201)
async def start_a_tournament(new: NewTournament, here: Here, who: Who) -> Json:
    """Start a tournament; only one runs at a time."""
    return {"id": await here.tournaments.start(new.game, new.players, new.games, new.openings)}


@router.get("/events/{number}")
async def show_an_event(number: Number, here: Here) -> Json:
    """The crosstable, the ratings with their intervals, and the last games so far."""
    return await here.tournaments.standings(number)


@router.post("/events/{number}/stop")
async def stop_a_tournament(number: Number, here: Here) -> Json:
    """Stop a tournament; finished games stay stored."""
    await here.tournaments.stop(number)
    return await here.tournaments.standings(number)


@router.post("/events/{number}/resume")
async def resume_a_tournament(number: Number, here: Here) -> Json:
    """Resume an interrupted tournament of this page that is not running."""
    return {"id": await here.tournaments.resume(number)}


@router.get("/events/{number}/games/{game}")
async def show_a_game_of_an_event(number: Number, game: Annotated[int, Path(ge=0, le=2**31 - 1)], here: Here) -> Json:
    """One game of a tournament, to replay it."""
    return await here.tournaments.game(number, game)


@router.get("/runs")
async def get_runs(here: Here) -> Json:
    """The training runs in the server's folder."""
    return {"runs": await here.lobby.compute_steps(lambda: list_runs(here.settings.runs))}


@router.get("/runs/{name}")
async def get_run(name: Annotated[str, Path(max_length=200)], here: Here) -> Json:
    """The settings and the curves of a run."""
    return await here.lobby.compute(lambda: read_run(here.settings.runs, name))


@router.get("/runs/{name}/games")
async def get_sample_games(name: Annotated[str, Path(max_length=200)], here: Here) -> Json:
    """The last games between networks of a run, if its gate plays any, and some self-play games."""
    return {"games": await here.lobby.compute_steps(lambda: sample_games(here.settings.runs, name))}
