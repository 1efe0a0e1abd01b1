"""The checkpoints of a run rated against each other: Elo, with intervals, the untrained network at 0."""

import json
from collections.abc import Iterable
from typing import Any

from damier.arena.rating import fit
from damier.arena.record import GameRecord
from damier.core.files import write_json
from damier.zero.run import Run

# What comes of reading it when it was altered, or is half there.
_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


def rate(results: Iterable[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """By iteration. `results` are games: which checkpoints sat where, and what each seat was paid."""
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
    """The games so far; none if the file is not there, or damaged."""
    try:
        return [
            {
                "seating": [int(number) for number in game["seating"]],
                "returns": [float(each) for each in game["returns"]],
            }
            for game in json.loads(run.ratings.read_text())["results"]
        ]
    except _DAMAGED:
        return []


def load_ratings(run: Run) -> dict[int, dict[str, Any]]:
    """What was found at last, with all games; nothing if the file is not there, or damaged."""
    try:
        return {
            int(iteration): {"elo": float(rating["elo"]), "interval": [float(end) for end in rating["interval"]]}
            for iteration, rating in json.loads(run.ratings.read_text())["ratings"].items()
        }
    except _DAMAGED:
        return {}
