"""The routes for learning: lessons on trees and positions, and exercises."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from damier.core.errors import SpecError
from damier.core.messages import spoken
from damier.games.trees.notation import TreeError, parse_tree
from damier.games.trees.rules import ENDING, FOLDER
from damier.lessons import ALGORITHMS, tree_names
from damier.lessons.exercises import LEVELS
from damier.lessons.montecarlo import SIMS
from damier.lessons.regrets import Cfr
from damier.lessons.running import CLASSICAL, MONTE_CARLO
from damier.lessons.simulations import Ismcts
from damier.web.context import Here, Json, Who
from damier.web.routes.play import Body, Moves, Spec
from damier.web.searching.turns import Steps

router = APIRouter(prefix="/api", tags=["learn"])

LESSON_SECONDS = 2.0  # and as long again before the process is killed
LONGEST_TREE = 10_000  # characters
MOST_DEPTH, MOST_SIMULATIONS = 12, 200
LARGEST_SEED = 2**31 - 1

# Suggested lessons: the textbook examples, and a position of a real game.
SAMPLES: list[Json] = [
    {"algorithm": "minimax", "tree": "lines"},
    {"algorithm": "alphabeta", "tree": "walk"},
    {"algorithm": "alphabeta", "tree": "deep"},
    {"algorithm": "negamax", "tree": "walk"},
    {"algorithm": "expectimax", "tree": "ghost"},
    {"algorithm": "expectiminimax", "tree": "coin"},
    {"algorithm": "maxn", "tree": "three"},
    {"algorithm": "alphabeta", "game": "tictactoe", "moves": ["b2", "a1", "c3", "a3", "a2"], "depth": 3},
    {"algorithm": "uct", "game": "tictactoe", "moves": ["b2", "a1", "c3", "a3"], "simulations": 30},
    {"algorithm": "rave", "tree": "walk", "simulations": 20},
    {"algorithm": "astar", "tree": "path"},
    {"algorithm": "astar", "game": "sliding:scramble=8", "moves": []},
    {"algorithm": "pimc", "tree": "fusion"},
    {"algorithm": "belief", "tree": "fusion"},
    {"algorithm": "belief", "tree": "peek"},
    {"algorithm": "pimc", "tree": "nonlocality"},
    {"algorithm": "cfr", "tree": "nonlocality", "simulations": 20},
    {"algorithm": "ismcts", "tree": "pennies", "simulations": 20},
    {"algorithm": "cfr", "tree": "bluff", "simulations": 100},
    {"algorithm": "pimc", "game": "kuhn", "moves": ["K", "J"]},
]

Algorithm = Annotated[str, Field(max_length=40, json_schema_extra={"enum": list(ALGORITHMS)})]
Name = Annotated[str, Field(max_length=200)]
Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
Asked = Literal["minimax", "alphabeta", "negamax", "expectimax", "expectiminimax", "maxn", "pimc", "belief"]
Seed = Annotated[int, Query(ge=0, le=LARGEST_SEED, description="Which tree.")]
Depth = Annotated[int, Query(ge=1, le=6, description="How many plies; at most 256 leaves in all.")]
Branching = Annotated[int, Query(ge=1, le=4, description="How many arcs a node has.")]


class Lesson(Body):
    """An algorithm and its subject: an example tree, a tree typed as text, or a position of a game."""

    algorithm: Algorithm = "alphabeta"
    tree: str | None = Field(None, max_length=60, description="The name of a tree that comes with damier.")
    text: str | None = Field(None, max_length=LONGEST_TREE, description="A tree: `max(min(3 12) min(2 4))`.")
    game: Spec | None = None
    moves: Moves = Field(default_factory=list, description="From the start of the game to the position.")
    depth: int | None = Field(None, ge=0, le=MOST_DEPTH, description="Default: all of a tree, two plies of a game.")
    simulations: int = Field(SIMS, ge=1, le=MOST_SIMULATIONS, description="`uct`, `rave`, `ismcts`, `cfr`.")
    seed: int = Field(0, ge=0, le=LARGEST_SEED, description="`uct`, `rave` and `ismcts`.")
    c: float | None = Field(None, ge=0, le=100, allow_inf_nan=False, description="`uct`, `rave`, `ismcts`.")


class Typed(Body):
    text: str = Field(max_length=LONGEST_TREE)


class Answers(Body):
    """The values of the inner nodes, the pruned arcs, and the move."""

    values: dict[Name, Number | list[Number] | None] = Field(default_factory=dict, max_length=1000)
    cut: list[Name] = Field(default_factory=list, max_length=1000)
    move: Name = ""


class AnsweredExercise(Body):
    """An exercise, given by its parameters, and the answers."""

    algorithm: Asked = "alphabeta"
    seed: int = Field(0, ge=0, le=LARGEST_SEED)
    depth: int = Field(3, ge=1, le=6)
    branching: int = Field(2, ge=1, le=4)
    answers: Answers


@router.get("/lessons")
async def list_lessons() -> Json:
    """The algorithms, the example trees, suggested lessons, and the kinds of exercises."""
    return {
        "algorithms": list(ALGORITHMS),
        "classical": list(CLASSICAL),
        "montecarlo": [*MONTE_CARLO, Ismcts.name],
        "iterated": [Cfr.name],
        "trees": {name: (FOLDER / f"{name}{ENDING}").read_text(encoding="utf-8") for name in tree_names()},
        "samples": SAMPLES,
        "exercises": list(LEVELS),
        "limits": {"text": LONGEST_TREE, "depth": MOST_DEPTH, "simulations": MOST_SIMULATIONS},
    }


@router.post("/trees")
async def check_a_tree(typed: Typed, here: Here) -> Json:
    """Whether a text is a tree; if not, the error with its `line` and `column`."""

    def check() -> Json:
        try:
            parse_tree(typed.text)
        except TreeError as error:
            return {"is_tree": False, "error": error.message, "line": error.line, "column": error.column}
        return {"is_tree": True}

    return dict(spoken(await here.lobby.compute(check)))


@router.post("/lessons")
async def run_a_lesson(lesson: Lesson, here: Here, who: Who) -> Json:
    """Every step of an algorithm, with the drawing of its tree.

    An error in a typed tree has its `line` and `column`.
    """
    lobby = here.lobby

    def check() -> Steps[Json]:
        moves: list[int] = []
        game = lesson.game
        if sum(given is not None for given in (lesson.tree, lesson.text, lesson.game)) != 1:
            raise SpecError("lesson.one-place")
        if lesson.tree is not None and lesson.tree not in tree_names():
            raise SpecError("tree.unknown", name=lesson.tree, known=tree_names())
        if lesson.moves and game is None:
            raise SpecError("lesson.moves-of-game")
        if lesson.text is not None:
            parse_tree(lesson.text)
        if game is not None:
            position = (yield from lobby.line(game, lesson.moves))[-1]
            game, moves = position.game.name, list(position.history)
        return lesson.model_dump() | {"game": game, "moves": moves, "do": "lesson", "seconds": LESSON_SECONDS}

    answer = await here.lessons.submit(await lobby.compute_steps(check), who).done
    found: Json = answer["lesson"]
    return found


@router.get("/exercises")
async def ask(
    here: Here, who: Who, algorithm: Asked = "alphabeta", seed: Seed = 0, depth: Depth = 3, branching: Branching = 2
) -> Json:
    """A random tree, the questions about it, and an empty form for the answers. The same numbers give the same tree."""
    task = {"do": "exercise", "algorithm": algorithm, "seed": seed, "depth": depth, "branching": branching}
    answer = await here.lessons.submit(task | {"seconds": LESSON_SECONDS}, who).done
    found: Json = answer["exercise"]
    return found


@router.post("/exercises")
async def check_answers(given: AnsweredExercise, here: Here, who: Who) -> Json:
    """Whether the answers are right; if not, the first mistake and its explanation."""
    task = given.model_dump() | {"do": "check", "seconds": LESSON_SECONDS}
    answer = await here.lessons.submit(task, who).done
    found: Json = answer["verdict"]
    return found
