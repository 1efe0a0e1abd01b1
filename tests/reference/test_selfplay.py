"""Self-play: whole games in lock-step, and what is written down of them."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.errors import SpecError
from damier.search.guided.encoding import encode_many
from damier.search.guided.network import Network
from damier.zero.samples import FinishedGame, Samples, concatenate
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import SearchSettings, SelfPlaySettings
from tests.compiler import without_compiler
from tests.random_network import write_network
from tests.reference.naive_guided import REACH, with_margin

GAME = damier.game("tictactoe")
GAMES = 30 if COMPILER_ON else 12
PIG = damier.game("tests/conformance/games.py:Pig")


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> dict[damier.Game, Network]:
    folder = tmp_path_factory.mktemp("networks")
    return {game: Network(write_network(folder / f"{i}.onnx", game)) for i, game in enumerate((GAME, PIG))}


def play(
    network: Network, game: damier.Game = GAME, games: int = 12, seed: int = 1, **options: Any
) -> list[FinishedGame]:
    search = {name: options.pop(name) for name in list(options) if name in SearchSettings.model_fields}
    settings = SelfPlaySettings(**{"parallel": 5, **options})
    made = SelfPlay(game, network, SearchSettings(**{"sims": 12, **search}), settings, seed)
    return sorted(made.play(range(games)), key=lambda finished: finished.number)


def are_equal(one: Samples, other: Samples) -> bool:
    return all(np.array_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(Samples))


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (GAME, {"root": "gumbel"}),
        (GAME, {"root": "puct", "forced_playouts": 2.0, "max_depth": 3}),
        (GAME, {"root": "puct", "keep_tree": False, "cache": 0, "random_openings": 1.0, "random_moves": 3}),
        pytest.param(PIG, {"root": "gumbel", "random_openings": 0.5}, marks=without_compiler),
        pytest.param(PIG, {"root": "puct"}, marks=without_compiler),
    ],
)
def test_every_game_is_written_down_as_it_was_played(
    networks: dict[damier.Game, Network], game: damier.Game, options: dict[str, Any]
) -> None:
    finished = play(networks[game], game, **options)
    assert [each.number for each in finished] == list(range(12))
    for each in finished:
        position, samples, at = game.start(), each.samples, 0
        for ply, move in enumerate(each.moves):
            if ply >= each.opening and not position.is_chance:
                check_sample(samples, at, position, each.returns)
                at += 1
            position = position.play(move)
        assert position.returns == each.returns
        assert at == len(samples)
        assert samples.weights.tolist() == [1] * at
    openings = [each.opening for each in finished]
    if game is GAME:
        assert (min(openings) >= 1) == ("random_openings" in options) or options["root"] == "gumbel"
        assert len({each.moves for each in finished}) > 6


def test_what_is_learnt_may_also_tell_by_how_much_was_won(networks: dict[damier.Game, Network]) -> None:
    plain = {each.number: each.returns for each in play(networks[GAME])}
    finished = play(networks[GAME], margin=0.4, margin_reach=REACH)
    for each in finished:
        payoffs = with_margin(end_of(each), 0.4)
        assert payoffs is not None
        assert end_of(each).returns == each.returns
        for at, state in enumerate(each.samples.states):
            seen = [payoffs[(int(state["player"]) + i) % 2] for i in range(2)]
            assert each.samples.outcomes[at].tolist() == pytest.approx(seen)
    assert len({float(each.samples.outcomes[0, 0]) for each in finished}) > len(set(plain.values()))
    with pytest.raises(SpecError, match=r"a margin is what `evaluate` says of the end of a game, and .*Pig has none"):
        play(networks[PIG], PIG, margin=0.4)
    with pytest.raises(SpecError, match=r"expected search.margin or selfplay.solve to be 0"):
        play(networks[GAME], margin=0.4, solve=10)
    with pytest.raises(SpecError, match=r"expected search.margin 0, or no resign"):
        play(networks[GAME], margin=0.4, resign=-0.9)


def check_sample(samples: Samples, at: int, position: damier.Position, returns: tuple[float, ...]) -> None:
    """The record, every legal move with its probability, and what is by player from the player to move on."""
    listed = slice(samples.offsets[at], samples.offsets[at + 1])
    players = position.game.num_players
    assert damier.Position(position.game, samples.states[at]) == position
    assert samples.actions[listed].tolist() == [position.action(move) for move in position.moves()]
    assert samples.probs[listed].sum() == pytest.approx(1, abs=1e-5)
    assert samples.outcomes[at].tolist() == [returns[(position.player + i) % players] for i in range(players)]
    assert np.abs(samples.searched[at]).max() <= 1


def test_the_same_seed_gives_the_same_games(networks: dict[damier.Game, Network]) -> None:
    one, same, other = (play(networks[GAME], seed=seed) for seed in (1, 1, 2))
    assert all(are_equal(a.samples, b.samples) for a, b in zip(one, same, strict=True))
    assert [each.moves for each in one] != [each.moves for each in other]


def test_searched_values_and_policies_know_more_than_the_network(networks: dict[damier.Game, Network]) -> None:
    """Where a move wins at once, the search finds it nearly always, whatever the network believes."""
    for root in ("gumbel", "puct"):
        samples = concatenate([each.samples for each in play(networks[GAME], games=GAMES, root=root, sims=30)])
        shares, values = [], []
        for at, state in enumerate(samples.states):
            position = damier.Position(GAME, state)
            wins = [move for move in position.moves() if abs((position.play(move).returns or (0, 0))[0]) == 1]
            if wins:
                listed = slice(samples.offsets[at], samples.offsets[at + 1])
                policy = dict(zip(samples.actions[listed].tolist(), samples.probs[listed], strict=True))
                shares.append(sum(policy[move] for move in wins))
                values.append(samples.searched[at, 0])
        assert len(shares) > 5
        assert np.mean(shares) > 0.7
        assert np.mean(values) > 0.5


def test_fast_searches_are_not_learnt_from(networks: dict[damier.Game, Network]) -> None:
    samples = concatenate([each.samples for each in play(networks[GAME], full_search=0.25, fast_sims=2, games=GAMES)])
    assert set(samples.weights.tolist()) == {0.0, 1.0}
    assert 0.1 < samples.weights.mean() < 0.4


def test_who_is_sure_to_lose_may_resign(networks: dict[damier.Game, Network]) -> None:
    resigned = [each for each in play(networks[GAME], resign=-0.01, games=GAMES) if not end_of(each).is_over]
    assert resigned
    for each in resigned:
        loser = end_of(each).player
        assert each.returns == ((-1, 1) if loser == 0 else (1, -1))
    with pytest.raises(SpecError, match=r"resign is for two players, and .*Pig has 3"):
        play(networks[PIG], PIG, resign=-0.9)


def test_the_last_positions_are_worth_what_they_are_with_best_play(networks: dict[damier.Game, Network]) -> None:
    """With enough nodes every position; with few only the last ones, and those before end as the first of them."""
    exact: dict[damier.Position, float] = {}
    beginnings = 0
    for nodes in (100_000, 12):
        for each in play(networks[GAME], games=6, solve=nodes, random_openings=0.5, random_moves=3):
            positions = [damier.Position(GAME, state) for state in each.samples.states]
            for position in positions:
                if position not in exact:
                    exact[position] = float(damier.solve(position).score)
            found = [exact[position] for position in positions]
            told = each.samples.outcomes
            assert (told[:, 0] == -told[:, 1]).all()
            known = 0
            if nodes == 12:
                is_exact = [np.array_equal(row, told[at]) for at, row in enumerate(each.samples.searched)]
                known = min(at for at in range(len(positions) + 1) if all(is_exact[at:]))
                # none is known where even the last win would take more nodes; then the game counts as it ended
                end = found[known] if known < len(positions) else each.returns[0]
                player = positions[known].player if known < len(positions) else 0
                same = [1 if position.player == player else -1 for position in positions[:known]]
                assert told[:known, 0].tolist() == [sign * end for sign in same]
                beginnings += known
            assert told[known:, 0].tolist() == found[known:] == each.samples.searched[known:, 0].tolist()
    assert beginnings > 3
    with pytest.raises(
        SpecError, match=r"Pig: expected a game of two players without chance, which alone can be solved"
    ):
        play(networks[PIG], PIG, solve=10)


def end_of(finished: FinishedGame) -> damier.Position:
    return GAME.start().play_all(finished.moves)


def test_samples_of_many_games_are_one(networks: dict[damier.Game, Network]) -> None:
    parts = [each.samples for each in play(networks[GAME], games=4)]
    joined = concatenate(parts)
    assert len(joined) == sum(map(len, parts))
    assert joined.offsets[-1] == joined.actions.size == joined.probs.size
    at = len(parts[0])
    listed = slice(joined.offsets[at], joined.offsets[at + 1])
    assert joined.probs[listed].tolist() == parts[1].probs[: parts[1].offsets[1]].tolist()


def test_records_are_encoded_many_at_a_time(networks: dict[damier.Game, Network], tmp_path: Path) -> None:
    samples = concatenate([each.samples for each in play(networks[GAME], games=2)])
    planes = np.full((len(samples), *GAME.encode_shape), np.nan, np.float32)
    GAME.run(encode_many, samples.states, planes)
    for state, encoded in zip(samples.states, planes, strict=True):
        assert np.array_equal(damier.Position(GAME, state).encode(), encoded)
