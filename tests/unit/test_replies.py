"""Last good replies, and what every playout policy may do that looks back at the moves and learns."""

from typing import Any

import numpy as np
import pytest

import damier
from damier.core.bring import Line
from damier.core.compile import COMPILER_ON
from damier.core.protocol import CHANCE
from damier.core.rng import new_rng
from damier.search.montecarlo.replies import LastGoodReplies
from damier.search.montecarlo.simulation import Workspace
from damier.search.montecarlo.strategy import PLAYOUT_POLICY
from damier.search.montecarlo.uct import UCT

START = damier.game("tictactoe").start()
WON, LOST, DRAWN = [1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]


def line(*moves: int, players: tuple[int, ...] = (0, 1) * 5) -> Line:
    return Line(np.array(moves, np.int64), np.array(players[: len(moves)], np.int8), len(moves))


def taught(policy: LastGoodReplies, *games: tuple[Line, list[float]]) -> Workspace:
    work = Workspace(START.game, PLAYOUT_POLICY.make(policy))
    for played, payoffs in games:
        policy.learn(played, work.memory[0], np.array(payoffs))
    return work


def replies(policy: LastGoodReplies, work: Workspace, *moves: int) -> set[int]:
    """The moves that the policy draws after these, with thirty seeds."""
    state, rules = START.play_all(list(moves)).state, START.game.rules
    memory, past = work.memory[0], line(*moves)
    return {int(policy.move(rules, state, past, memory, work, new_rng(seed))) for seed in range(30)}


def test_a_reply_that_won_is_given_again_until_it_loses() -> None:
    policy = LastGoodReplies()
    won, drawn, lost = (line(0, 4, 8), WON), (line(0, 4, 8), DRAWN), (line(0, 4, 8), LOST)
    assert len(replies(policy, taught(policy), 1, 4)) > 3
    assert replies(policy, taught(policy, won), 1, 4) == {8}  # whatever was before the 4
    assert replies(policy, taught(policy, won, drawn), 1, 4) == {8}
    assert len(replies(policy, taught(policy, won, lost), 1, 4)) > 3
    assert replies(policy, taught(policy, won, (line(0, 4, 7), WON)), 1, 4) == {7}  # the last good one
    assert replies(policy, taught(policy, won, (line(0, 4, 7), LOST)), 1, 4) == {8}  # another reply lost


def test_the_other_player_has_replies_of_their_own() -> None:
    policy = LastGoodReplies()
    assert replies(policy, taught(policy, (line(0, 4, 8), LOST)), 0) == {4}
    assert len(replies(policy, taught(policy, (line(0, 4, 8), LOST)), 1, 4)) > 3


def test_without_forgetting_a_lost_reply_is_given_again() -> None:
    policy = LastGoodReplies(forget=False)
    assert replies(policy, taught(policy, (line(0, 4, 8), WON), (line(0, 4, 8), LOST)), 1, 4) == {8}


def test_a_reply_that_is_not_legal_is_not_given() -> None:
    policy = LastGoodReplies()
    found = replies(policy, taught(policy, (line(0, 4, 8), WON)), 8, 4)
    assert len(found) > 3
    assert 8 not in found


def test_two_moves_before_count_more_than_one() -> None:
    policy = LastGoodReplies(previous=2)
    work = taught(policy, (line(0, 4, 8), WON), (line(1, 4, 7), WON))
    assert replies(policy, work, 0, 4) == {8}
    assert replies(policy, work, 1, 4) == {7}
    assert replies(policy, work, 2, 4) == {7}  # only the last move is known: the newer reply


def test_chance_replies_to_nothing_and_can_be_replied_to() -> None:
    policy = LastGoodReplies()
    work = taught(policy, (line(3, 5, 1, players=(0, CHANCE, 0)), WON))
    assert np.count_nonzero(work.memory["keys"]) == 1


@pytest.mark.parametrize(
    "spec", ["uct:sims=300", "grave:sims=300,widen=2", "uct:sims=300,threads=2", "halving:sims=300"]
)
def test_each_search_begins_with_an_empty_memory(spec: str) -> None:
    spec += ",playout=(replies:previous=2)"
    used, position = damier.player(spec), damier.game("connect4").start()
    used.search(position.play("a"), seed=4)
    assert used.search(position, seed=1).visits == damier.player(spec).search(position, seed=1).visits


def test_a_search_remembers_what_it_learns() -> None:
    position = damier.game("connect4").start()
    for spec in ("uct:sims=300", "grave:sims=300"):
        plain, learning = (
            damier.player(f"{spec},playout={name}").search(position, seed=1) for name in ("uniform", "replies")
        )
        assert plain.visits != learning.visits


def test_a_kept_tree_keeps_its_memory() -> None:
    """With `forget=false` nothing is taken out again, so the second search has at least what the first one learnt."""
    player = damier.player("uct:sims=300,playout=(replies:forget=false)")
    position = damier.game("connect4").start()
    move = player.search(position, seed=1).move
    before = memory_of(player)
    assert np.count_nonzero(before) > 4
    player.search(position.play(move), seed=2)
    assert set(before[before > 0]) <= set(memory_of(player).tolist())


def memory_of(player: Any) -> Any:
    return player._growing.growers[0].work.memory["keys"][0].copy()


class Follower:
    """Looks back without a memory: plays the first legal move above the last one made."""

    def move(self, game: Any, state: Any, line: Any, memory: Any, buffers: Any, rng: Any) -> Any:
        count = game.moves(state, buffers.moves)
        for i in range(count):
            if line.length and buffers.moves[i] > line.moves[line.length - 1]:
                return buffers.moves[i]
        return buffers.moves[0] if count else -1


def test_a_policy_may_look_back_without_a_memory() -> None:
    damier.check(Follower(), ("tictactoe",), count=2)
    assert UCT(sims=50, playout=Follower()).search(START, seed=1).sims == 50


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("Greedy", "`learn` changed the line or the payoffs"),
        ("Wrapping", "`learn` wrote one thing compiled, and another as plain Python"),
        ("Shapeless", r"Shapeless: expected `Memory` to be a record type .*, got many numbers"),
        ("Truthful", "Truthful: expected `Memory` to be a record type of numbers and arrays of numbers"),
        ("Deaf", r"expected the method learn\(self, line, memory, payoffs\)"),
    ],
)
def test_a_policy_that_learns_wrongly_is_caught(part: str, found: str) -> None:
    if part == "Wrapping" and not COMPILER_ON:
        pytest.skip("only compiled code differs")
    with pytest.raises(damier.DamierError, match=found):
        damier.check(f"tests/wrong/parts.py:{part}", ("tictactoe",), count=1)


def test_bad_options_and_searches_without_a_line_are_refused() -> None:
    with pytest.raises(damier.SpecError, match="expected previous from 1 to 2, got 3"):
        damier.player("uct:playout=(replies:previous=3)")
    with pytest.raises(damier.SpecError, match="playout=heavy needs a game with"):
        damier.player("uct:playout=(replies:heavy=true)").search(START)
    with pytest.raises(damier.SpecError, match="ismcts takes no playout policy that looks back"):
        damier.player("ismcts:playout=replies")
