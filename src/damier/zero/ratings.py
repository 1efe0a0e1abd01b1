"""Ratings of the checkpoints of a run: Elo, with intervals, the untrained network at 0."""

import json
from collections.abc import Iterable
from typing import Any

from damier.arena.rating import fit
from damier.core.files import write_json
from damier.store.record import GameRecord
from damier.zero.run import Run

# The exceptions of reading a damaged file.
_DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


def rate(results: Iterable[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """The ratings by iteration. `results` are games: which checkpoints sat where, and the payoff of each seat."""
    games = list(results)
    iterations = sorted({number for game in games for number in game["seating"]})
    place = {iteration: index for index, iteration in enumerate(iterations)}
    records = [
        GameRecord(
            number,
            tuple(place[iteration] for iteration in game["seating"]),
            opening=0,
            moves=(),
            returns=tuple(game["returns"]),
            seed=0,
            seconds=(0.0,) * len(game["seating"]),
        )
        for number, game in enumerate(games)
    ]
    ratings = fit(records, len(iterations))
    if ratings is None:
        return {}
    rated = {}
    for iteration, index in place.items():
        elo, interval = ratings.difference(index, 0) if index else (0.0, (0.0, 0.0))
        rated[iteration] = {"elo": elo, "interval": list(interval)}
    return rated


def save_ratings(run: Run, results: list[dict[str, Any]], rated: dict[int, dict[str, Any]]) -> None:
    write_json(run.ratings, {"ratings": rated, "results": results})


def load_results(run: Run) -> list[dict[str, Any]]:
    """The games so far; none if they can't be read, and then they are played again."""
    try:
        return [
            {"seating": [int(seat) for seat in game["seating"]], "returns": [float(paid) for paid in game["returns"]]}
            for game in json.loads(run.ratings.read_text())["results"]
        ]
    except _DAMAGE:
        return []


def load_ratings(run: Run) -> dict[int, dict[str, Any]]:
    """The latest ratings, from all games; nothing if the file is missing or damaged."""
    try:
        rated = json.loads(run.ratings.read_text())["ratings"]
        return {int(iteration): _rating(rating["elo"], *rating["interval"]) for iteration, rating in rated.items()}
    except _DAMAGE:
        return {}


def _rating(elo: Any, low: Any, high: Any) -> dict[str, Any]:
    return {"elo": float(elo), "interval": [float(low), float(high)]}
