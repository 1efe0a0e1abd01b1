"""Bridge play against the double-dummy solver of endplay: the tricks of declarer with open cards and best play."""

from typing import Any

import numpy as np
import pytest

import damier
from damier import Struct, kernel
from damier.core.compile import COMPILER_ON
from damier.core.rng import new_rng, shuffle
from damier.games.cards.pack import PACK_52

pytest.importorskip("endplay", reason="endplay is not installed")
from endplay.dds import solve_board
from endplay.types import Deal, Denom, Player

NUM_ENDINGS = 40 if COMPILER_ON else 3
DENOMS = {"C": Denom.clubs, "D": Denom.diamonds, "H": Denom.hearts, "S": Denom.spades, "NT": Denom.nt}


def test_best_play_with_open_cards_takes_as_many_tricks_as_endplay_says(pytestconfig: pytest.Config) -> None:
    for number in range(pytestconfig.getoption("games") or NUM_ENDINGS):
        cards = (4 + number % 3) if COMPILER_ON else 3
        trump = ("S", "NT", "D")[number // 3 % 3]
        hands = random_hands(cards, number)
        position = damier.game(f"bridgeplay:cards={cards},trump={trump}").position("S:" + " ".join(hands))
        assert position.player == 1, "West leads"
        assert declarer_tricks(position) == endplay_tricks(hands, trump, cards), position


def random_hands(cards: int, seed: int) -> list[str]:
    """Any cards of the pack, in the order South, West, North, East."""
    pack = np.arange(52)
    shuffle(pack, 52, new_rng(seed))
    return [PACK_52.format_hand(sum(1 << int(card) for card in pack[cards * i : cards * (i + 1)])) for i in range(4)]


def endplay_tricks(hands: list[str], trump: str, cards: int) -> int:
    deal = Deal("S:" + " ".join(hands))
    deal.trump, deal.first = DENOMS[trump], Player.west
    return cards - max(int(tricks) for _, tricks in solve_board(deal))


class Tree(Struct):
    """One position and its moves per level."""

    def __init__(self, game: damier.Game, depth: int) -> None:
        self.states = game.new_states(depth + 1)
        self.moves = np.zeros((depth + 1, game.max_moves), np.int64)


def declarer_tricks(position: damier.Position) -> int:
    """Minimax by the rules themselves."""
    cards = position.game.options["cards"]
    tree = Tree(position.game, 4 * cards)
    tree.states[0] = position.state
    return int(position.game.run(best_tricks, tree, 0, 0, cards))


@kernel
def best_tricks(game: Any, tree: Any, level: int, alpha: int, beta: int) -> int:
    """The tricks of declarer's side, if they are between alpha and beta; else a bound."""
    state = tree.states[level]
    taken = state.tricks[0] + state.tricks[2]
    lost = state.tricks[1] + state.tricks[3]
    count = game.moves(state, tree.moves[level])
    if count == 0 or taken >= beta:
        return int(taken)
    most = int(game.cards - lost)
    if most <= alpha:
        return most
    best = -1 if state.player == 0 else 99
    for i in range(count):
        tree.states[level + 1] = tree.states[level]
        game.play(tree.states[level + 1], tree.moves[level, i])
        value = best_tricks(game, tree, level + 1, alpha, beta)
        if state.player == 0:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
