"""The player `belief`: a naive search over states of knowledge agrees with it, and it acts to learn where that pays."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

import damier
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.lessons import trace
from damier.search.hidden.belief import Belief, Model

KUHN = {"J ?": "bet", "Q ?": "bet", "K ?": "check", "J ? check bet": "fold", "Q ? check bet": "call"}
"""The best answers of the first player to somebody who plays at random; with the king both moves are worth 0.75."""


class Naive:
    """Expectimax on sets of positions, with exact posteriors; every position is walked through."""

    def __init__(self, game: Game, me: int, model: Model | None = None) -> None:
        self.game, self.me, self.model = game, me, model
        self.scores: dict[tuple[int, ...], list[float]] = {}  # by what I know: the value of each move
        self.total = self.value([(game.start(), 1.0)])

    def value(self, belief: list[tuple[Position, float]]) -> float:
        """What the positions are worth to me, each times its probability."""
        total, sets = 0.0, defaultdict[tuple[int, ...], list[tuple[Position, float]]](list)
        while belief:
            pos, weight = belief.pop()
            if pos.returns is not None:
                total += weight * pos.returns[self.me]
            elif pos.player == self.me:
                sets[pos.observation()].append((pos, weight))
            else:
                belief += [(pos.play(move), weight * chance) for move, chance in self.chances(pos).items()]
        for known, alike in sets.items():
            moves = alike[0][0].moves()
            found = [self.value([(pos.play(move), weight) for pos, weight in alike]) for move in moves]
            reach = sum(weight for _, weight in alike)
            self.scores[known] = [value / reach for value in found] if reach > 0 else []
            total += max(found)
        return total

    def chances(self, pos: Position) -> dict[int, float]:
        if pos.is_chance:
            return pos.outcomes
        if self.model is None:
            return dict.fromkeys(pos.moves(), 1 / len(pos.moves()))
        return dict(self.model[pos.player, pos.observation()])


def turns(game: Game, me: int) -> list[Position]:
    """Every position in which a player moves."""
    found, waiting = list[Position](), [game.start()]
    while waiting:
        pos = waiting.pop()
        if not pos.is_over:
            found += [pos] * (pos.player == me)
            waiting += [pos.play(move) for move in pos.moves()]
    return found


@pytest.mark.parametrize("name", ["kuhn", "tree:file=nonlocality"])
@pytest.mark.parametrize("me", [0, 1])
def test_values_are_those_of_a_naive_search(name: str, me: int) -> None:
    game, player = damier.game(name), damier.player("belief")
    naive = Naive(game, me)
    for pos in turns(game, me):
        found = player.search(pos)
        expected = naive.scores[pos.observation(me)]
        assert found.scores == pytest.approx(expected)
        assert found.values is not None
        assert found.values[me] == pytest.approx(max(expected)) == pytest.approx(-found.values[1 - me])
        assert found.notation == pos.notations()[expected.index(max(expected))]


def test_it_answers_random_play_of_kuhn_poker_as_well_as_possible() -> None:
    game, player = damier.game("kuhn"), damier.player("belief")
    moves = {pos.seen_by(0).line(): player.search(pos).notation for pos in turns(game, 0)}
    assert moves == KUHN | {"K ? check bet": "call"}
    told = trace("belief", "kuhn")  # another program, written as in a textbook
    assert Naive(game, 0).total == pytest.approx(told.values[0]) == pytest.approx(0.25)  # half a chip
    assert Naive(game, 1).total == pytest.approx(5 / 24)


def test_it_depends_on_nothing_but_what_it_knows() -> None:
    """The positions that look the same give the same answer, and so does every seed."""
    game, player = damier.game("kuhn"), damier.player("belief")
    seen: dict[tuple[int, ...], object] = {}
    for pos in turns(game, 1):
        for seed in (0, 1):
            found = player.search(pos, seed)
            assert seen.setdefault(pos.observation(), (found.move, found.scores)) == (found.move, found.scores)
    assert len(seen) == 6


def test_it_pays_for_information_where_that_pays() -> None:
    player = damier.player("belief")
    for price, move in (("1/4", "look"), ("3/2", "guess")):
        cost = float(Fraction(price))
        looks = [f"look=max(heads={a - cost} tails={-a - cost})" for a in (1, -1)]
        text = (
            f"chance(heads=1/2: max{{s}}(guess=max{{g}}(heads=1 tails=-1) {looks[0]}) "
            f"tails=1/2: max{{s}}(guess=max{{g}}(heads=-1 tails=1) {looks[1]}))"
        )
        pos = damier.game(f"tree:text={text}").start().play("tails")
        assert player.search(pos).notation == move
        looked = pos.play("look")
        assert player.search(looked).notation == "tails"
    peek = damier.game("tree:file=peek").start().play("heads")
    assert player.search(peek).notation == "look"
    assert trace("pimc", "peek").move == "guess"  # averaging over deals thinks that it will see the coin


def test_the_posterior_is_exact_given_a_model() -> None:
    game = damier.game("kuhn")
    pos = game.start().play_all("Q K bet")  # the second player has the king
    bets = {0: 0.9, 1: 0.3, 2: 0.5}
    model = {
        (p.player, p.observation()): {0: 1 - bets[p.observation()[0]], 1: bets[p.observation()[0]]}
        for p in [*turns(game, 0), *turns(game, 1)]
    }
    player = Belief(others=model)
    found = {position.line(): chance for position, chance in player.posterior(pos)}
    assert found == pytest.approx({"J K bet": 0.75, "Q K bet": 0.25})
    for each in (0, 1):
        naive = Naive(game, each, model)
        for turn in turns(game, each):
            assert player.search(turn).scores == pytest.approx(naive.scores[turn.observation()])
    never = model | {(0, known): {0: 1.0, 1: 0.0} for owner, known in model if owner == 0 and len(known) == 1}
    after = Belief(others=never).search(pos)  # a move that the model never makes
    assert after.notation == "call"


def test_a_strategy_file_is_a_model_and_no_answer_beats_an_equilibrium(tmp_path: Path) -> None:
    game, path = damier.game("kuhn"), tmp_path / "kuhn.npz"
    found = damier.equilibrium(game, method="cfr+", iterations=300, out=path)
    player = damier.player(f"belief:others={path}")
    assert player == damier.player(f"belief:others={path}")
    naive = Naive(game, 0, found.strategy)
    assert naive.total * 2 == pytest.approx(-1 / 18, abs=0.01)
    for pos in turns(game, 0):
        assert player.search(pos).scores == pytest.approx(naive.scores[pos.observation()], abs=1e-6)


def test_what_it_can_not_do_is_refused_in_one_line(tmp_path: Path) -> None:
    wide = tmp_path / "wide.tree"
    wide.write_text(f"max(min{{m}}({'1 ' * 9999}) min{{m}}({'2 ' * 9999}))")
    with pytest.raises(SpecError, match=r"has 20,000 nodes or more, which take at least 3 MB, .* nothing was begun"):
        damier.player("belief:memory=1").search(damier.game(f"tree:file={wide}").start())
    with pytest.raises(SpecError, match="has no perfect recall, which regret minimisation and beliefs need"):
        damier.player("belief").search(damier.game("tree:text=max(a=max{x}(1 2) b=max{x}(0 3))").start())
    pos = damier.game("kuhn").start().play_all("J Q")
    with pytest.raises(SpecError, match=r"as player 1 sees it, .* moves that add up to 1, got 0\.0, 0\.0"):
        Belief(others={(1, (0, 0)): {0: 0.5}}).search(pos)
    with pytest.raises(SpecError, match=r"nowhere\.npz' can't be read"):
        damier.player("belief:others=nowhere.npz").search(pos)
