"""The guided search of games with hidden information: information sets, deals, and what is learnt from self-play."""

from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.budget import Budget
from damier.core.errors import SpecError
from damier.core.protocol import Planes, Record
from damier.games.poker.kuhn import Kuhn
from damier.search.guided.forest import NO_SET
from damier.search.guided.network import Network
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import SearchSettings, SelfPlaySettings
from tests.random_network import write_network


class EncodedKuhn(Kuhn):
    """Kuhn poker with planes: the mover's card, and the moves so far."""

    encode_shape = (1, 3, 4)
    num_actions = 2

    def encode(self, state: Record, out: Planes) -> None:
        out[:] = 0
        out[0, state.cards[state.player], 0] = 1
        for number in range(state.num_bets):
            out[0, state.bets[number], 1 + number] = 1


GAME = damier.game(EncodedKuhn())
JACK_FACES_BET = GAME.start().play_all("K J bet")
KING_FACES_BET = GAME.start().play_all("J K bet")


@pytest.fixture(scope="module")
def blind(tmp_path_factory: pytest.TempPathFactory) -> Network:
    """A network that knows nothing: all moves alike, all values 0."""
    return Network(write_network(tmp_path_factory.mktemp("networks") / "blind.onnx", GAME, scale=0.0))


def test_its_planes_keep_the_laws() -> None:
    assert damier.check_game(GAME).knowledge["information_sets"] == [6, 6]


@pytest.mark.parametrize("root", [PUCT, GUMBEL])
def test_it_folds_the_jack_and_calls_with_the_king(blind: Network, root: int) -> None:
    search = GuidedSearch(GAME, blind, Guide(root), Budget(sims=61))
    assert search.search(JACK_FACES_BET.seen_by(1)).notation == "fold"
    assert search.search(KING_FACES_BET.seen_by(1)).notation == "call"


def test_a_node_is_what_its_mover_knows(blind: Network) -> None:
    """Player 0 bets or checks with the king: 2 moves, and 4 information sets of player 1, then 1 of player 0."""
    pos = GAME.start().play_all("K J")
    search = GuidedSearch(GAME, blind, Guide(PUCT), Budget(sims=200))
    result = search.search(pos.seen_by(0))
    assert sum(result.visits) == result.sims == 200
    assert int((search.forest.set_nodes != NO_SET).sum()) == 2 * 2 + 1
    assert search.forest.used[0] == 1 + 2 + 5 * (1 + 2)


def test_the_result_depends_on_the_observation_alone(blind: Network) -> None:
    one, other = GAME.start().play_all("Q J check"), GAME.start().play_all("K J check")
    search = [GuidedSearch(GAME, blind, Guide(), Budget(sims=33)) for _ in range(2)]
    first, second = (each.search(pos.seen_by(1), seed=3) for each, pos in zip(search, (one, other), strict=True))
    assert (first.visits, first.scores, first.move) == (second.visits, second.scores, second.move)


def test_the_mean_of_a_move_is_over_the_deals(blind: Network) -> None:
    """With the queen after a bet, the other holds the jack or the king: calling is worth about 0, folding -1/2."""
    pos = GAME.start().play_all("K Q bet")
    result = GuidedSearch(GAME, blind, Guide(PUCT, c_puct=50), Budget(sims=2001)).search(pos.seen_by(1))
    scores = dict(zip(result.moves, result.scores, strict=True))
    assert scores[0] == -0.5
    assert abs(scores[1]) < 0.1


def test_self_play_records_what_was_played(blind: Network) -> None:
    play = SelfPlay(GAME, blind, SearchSettings(sims=9, max_depth=3), SelfPlaySettings(parallel=4), seed=5)
    games = list(play.play(range(12)))
    assert len(games) == 12
    for finished in games:
        end = GAME.start().play_all(finished.moves)
        assert end.returns == finished.returns
        assert len(finished.samples) == len(finished.moves) - max(2, finished.opening)
        assert np.allclose(np.add.reduceat(finished.samples.probs, finished.samples.offsets[:-1]), 1, atol=1e-5)
    again = SelfPlay(GAME, blind, SearchSettings(sims=9, max_depth=3), SelfPlaySettings(parallel=4), seed=5)
    assert [each.moves for each in again.play(range(12))] == [each.moves for each in games]


def test_exact_solving_is_refused(blind: Network, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="exact solving is for games in which everybody sees everything"):
        SelfPlay(GAME, blind, settings=SelfPlaySettings(solve=10))
    net = write_network(tmp_path / "net.onnx", GAME)
    with pytest.raises(SpecError, match="exact solving is for games in which everybody sees everything"):
        damier.player(f"zero:net={net},exact=true").search(KING_FACES_BET)
    assert damier.player(f"zero:net={net},sims=7").search(KING_FACES_BET).sims == 7
