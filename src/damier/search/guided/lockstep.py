"""Whole games in lock-step: each searches, moves and is recorded within one call, until it asks the network."""

from typing import Any

import numpy as np

from damier.core.compile import Struct, kernel
from damier.core.errors import RulesError
from damier.core.game import Game
from damier.core.generic import heuristic, list_moves, policy_index, random_move
from damier.core.protocol import CHANCE, Rng
from damier.core.rng import below, uniform
from damier.search.guided.forest import keep_subtree, mean_value, plant
from damier.search.guided.policy import choose_child, root_policy, root_values
from damier.search.guided.selection import GUMBEL
from damier.search.guided.simulation import Boards, absorb_all, new_search, search_tree
from damier.search.montecarlo.margin import add_margin

FREE, PLAYED, FINISHED = range(3)  # the states of a place: free, with a game under way, with a game to collect

MOST_LISTED = 1 << 20  # moves in all positions of one game; positions beyond are not recorded
OPENING_TRIES = 10


class Course(Struct):
    """The settings of the games: how long a move is searched, and how it is chosen."""

    def __init__(
        self,
        sims: int = 32,
        fast_sims: int = 8,
        full_search: float = 1.0,
        keep_tree: bool = True,
        temperature: float = 1.0,
        temperature_moves: int = 30,
        late_temperature: float = 0.1,
        random_openings: float = 0.0,
        random_moves: int = 0,
        resign: float = -2.0,
    ) -> None:
        self.sims, self.fast_sims, self.full_search = sims, fast_sims, float(full_search)
        self.keep_tree = keep_tree
        self.temperature, self.temperature_moves = float(temperature), temperature_moves
        self.late_temperature = float(late_temperature)
        self.random_openings, self.random_moves = float(random_openings), random_moves
        self.resign = float(resign)  # below -1: never


class Games(Boards):
    """The games under way, by place, each with its searched positions."""

    def __init__(self, game: Game, places: int) -> None:
        super().__init__(game, places)
        length, listed = game.max_length, min(game.max_length * game.max_moves, MOST_LISTED)
        self.max_length = length
        self.start = np.array([game.start().state], game.dtype)
        self.status = np.full(places, FREE)
        self.num_moves = np.zeros(places, np.int64)
        self.moves = np.zeros((places, length), np.int64)
        self.opening = np.zeros(places, np.int64)  # how many of them are the random opening
        self.returns = np.zeros((places, game.num_players))
        self.payoffs = np.zeros((places, game.num_players))  # what is learnt: the returns, or the returns with a margin
        self.is_full = np.zeros(places, np.bool_)  # whether the move is searched in full
        # positions
        self.count = np.zeros(places, np.int64)
        self.searched = np.empty((places, length), game.dtype)
        self.weights = np.empty((places, length), np.float32)
        self.values = np.empty((places, length, game.num_players), np.float32)  # by player number
        self.offsets = np.zeros((places, length + 1), np.int64)
        self.actions = np.empty((places, listed), np.int32)
        self.probs = np.empty((places, listed), np.float32)


@kernel
def play_all(
    game: Any, forest: Any, guide: Any, work: Any, games: Any, cache: Any, course: Any, answers: tuple[Any, Any]
) -> int:
    """Use the network's answers, logits and values, and play on until every game asks again or is finished.

    Return how many rows of `planes` are to be evaluated.
    """
    logits, values = answers
    absorb_all(game, forest, guide, work, games, cache, logits, values)
    for place in range(games.status.size):
        while games.status[place] == PLAYED:
            search_tree(game, forest, guide, work, games, cache, place)
            if work.done[place] < work.target[place]:
                break
            make_move(game, forest, guide, work, course, games, place)
    return work.rows[0]


@kernel
def begin_game(game: Any, forest: Any, work: Any, course: Any, games: Any, place: int, rng: Rng) -> None:
    """Set up the first position in a free place, possibly after some random moves."""
    work.rngs[place] = rng
    games.status[place] = PLAYED
    games.count[place] = 0
    length = 0
    if uniform(work.rngs[place]) < course.random_openings and course.random_moves > 0:
        length = 1 + below(work.rngs[place], course.random_moves)
    for attempt in range(OPENING_TRIES + 1):
        games.num_moves[place] = 0
        games.roots[place] = games.start[0]
        if attempt == OPENING_TRIES:
            length = 0
        if play_opening(game, work, games, place, length):
            break
    games.opening[place] = games.num_moves[place]
    plant(forest, place)
    think(work, course, games, place)


@kernel
def play_opening(game: Any, work: Any, games: Any, place: int, length: int) -> bool:
    """Play that many random moves, and the chance moves after them; False if that ends the game."""
    state = games.roots[place]
    while games.num_moves[place] < length or state.player == CHANCE:
        move = random_move(game, state, work, work.rngs[place])
        if move < 0:
            return False
        play_move(game, work, games, place, move)
    return list_moves(game, state, work.moves, work.probs) > 0


@kernel
def play_move(game: Any, work: Any, games: Any, place: int, move: int) -> None:
    number = games.num_moves[place]
    if number >= games.max_length:
        raise RulesError("rules.too-long", "limit", games.max_length)
    games.moves[place, number] = move
    games.num_moves[place] = number + 1
    game.play(games.roots[place], move)


@kernel
def think(work: Any, course: Any, games: Any, place: int) -> None:
    """Begin the search of the next move: a full one, or a fast one without noise, which teaches no policy.

    This is playout cap randomisation (Wu 2019).
    """
    is_full = course.full_search >= 1 or uniform(work.rngs[place]) < course.full_search
    games.is_full[place] = is_full
    new_search(work, place, course.sims if is_full else course.fast_sims, is_full, temperature_of(course, games, place))


@kernel
def temperature_of(course: Any, games: Any, place: int) -> float:
    return course.temperature if games.num_moves[place] < course.temperature_moves else course.late_temperature


@kernel
def make_move(game: Any, forest: Any, guide: Any, work: Any, course: Any, games: Any, place: int) -> None:
    """Finish a search: record its position, choose a move, play it, and go on."""
    state, rng = games.roots[place], work.rngs[place]
    player = state.player
    root_policy(forest, guide, work, place)
    root_values(forest, work, place, work.values)
    write_down(game, forest, work, games, place)
    if resigns(forest, work, course, place, player):
        games.returns[place, player] = -1
        games.returns[place, 1 - player] = 1
        games.payoffs[place] = games.returns[place]
        games.status[place] = FINISHED
        return
    child = choose_child(forest, guide, work, place, temperature_of(course, games, place), rng)
    play_move(game, work, games, place, forest.nodes[child].move)
    follow(game, forest, guide, work, course, games, place, child)
    if list_moves(game, state, work.moves, work.probs) == 0:
        game.returns(state, games.returns[place])
        games.payoffs[place] = games.returns[place]
        if guide.margin > 0:
            heuristic(game, state, work.margins)
            add_margin(guide.margin, guide.reach, games.payoffs[place], work.margins)
        games.status[place] = FINISHED
    else:
        think(work, course, games, place)


@kernel
def write_down(game: Any, forest: Any, work: Any, games: Any, place: int) -> None:
    """Record the position with the policy in `work.scores` and the values in `work.values`."""
    number = games.count[place]
    root = forest.nodes[forest.root[place]]
    first = games.offsets[place, number]
    if first + root.num_children > games.actions.shape[1]:
        return
    state = games.roots[place]
    games.searched[place, number] = state
    games.weights[place, number] = 1 if games.is_full[place] else 0
    for player in range(work.values.size):
        games.values[place, number, player] = work.values[player]
    for i in range(root.num_children):
        games.actions[place, first + i] = policy_index(game, state, forest.nodes[root.first_child + i].move)
        games.probs[place, first + i] = work.scores[i]
    games.offsets[place, number + 1] = first + root.num_children
    games.count[place] = number + 1


@kernel
def resigns(forest: Any, work: Any, course: Any, place: int, player: int) -> bool:
    """Whether the position and its best move are worth less than `resign` to the player."""
    if course.resign < -1 or work.values[player] >= course.resign:
        return False
    root = forest.nodes[forest.root[place]]
    for child in range(root.first_child, root.first_child + root.num_children):
        if forest.nodes[child].visits and mean_value(forest, child, player) >= course.resign:
            return False
    return True


@kernel
def follow(game: Any, forest: Any, guide: Any, work: Any, course: Any, games: Any, place: int, child: int) -> None:
    """Play the chance moves, and make the position that was reached the tree's root."""
    state = games.roots[place]
    while state.player == CHANCE:
        move = random_move(game, state, work, work.rngs[place])
        child = child_by(forest, child, move)
        play_move(game, work, games, place, move)
    # Gumbel's halving counts visits from 0, so it starts again.
    if course.keep_tree and guide.root != GUMBEL and child >= 0:
        keep_subtree(forest, place, child)
    else:
        plant(forest, place)


@kernel
def child_by(forest: Any, number: int, move: int) -> int:
    """The child that a move leads to, or -1."""
    if number >= 0:
        node = forest.nodes[number]
        for child in range(node.first_child, node.first_child + node.num_children):
            if forest.nodes[child].move == move:
                return child
    return -1
