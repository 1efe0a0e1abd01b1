"""`careful`, `perfect`, and the mistakes of players on solved positions."""

from pathlib import Path

import pytest

import damier
from damier.arena.mistakes import Judge, Mistakes, mistakes
from tests.unit.arena_games import Most

GAME = damier.game("tictactoe")


def choices(player: str, moves: str) -> set[str]:
    position = GAME.start().play_all(moves)
    seated = damier.player(player)
    return {seated.search(position, seed).notation for seed in range(40)}


def test_careful_wins_and_blocks_and_is_random_besides() -> None:
    assert choices("careful", "a1 b1 a2 b2") == {"a3"}, "rather win than block"
    assert choices("careful", "a1 b2 a2") == {"a3"}
    assert len(choices("careful", "")) == 9
    assert len(choices("careful", "a1 c3 c1 b1 a3")) > 1, "two threats: nothing helps, and it plays on"


def test_careful_plays_games_of_several_players_and_with_dice() -> None:
    for rules in ("pig", Most(3)):
        position = damier.game(rules).start()
        while position.is_chance:
            position = position.play(position.moves()[0])
        assert damier.player("careful").search(position, 1).move in position.moves()


def test_perfect_plays_any_of_the_best_moves() -> None:
    assert len(choices("perfect", "")) == 9, "all first moves draw"
    assert choices("perfect", "a1") == {"b2"}
    result = damier.player("perfect").search(GAME.start().play_all("a1 b1"))
    assert result.values == (1.0, -1.0)


def test_mistakes_are_moves_that_give_away_value(tmp_path: Path) -> None:
    file = tmp_path / "values.jsonl"
    positions = [GAME.start().play_all(moves) for moves in ("", "a1", "a1 b1", "a1 b2 c3")]
    puzzles = Judge(GAME, file).puzzles(positions)
    assert [puzzle.is_testing for puzzle in puzzles] == [False, True, True, True]
    (answer,) = puzzles[1].position.play("b2").history[1:]
    assert [puzzles[1].is_mistake(move) for move in puzzles[1].position.moves()].count(False) == 1
    assert not puzzles[1].is_mistake(answer)
    found = mistakes("perfect", puzzles)
    assert found == Mistakes(0, 4, 3)
    assert 0 < found.interval[1] < 0.6
    assert mistakes("random", puzzles * 25).made > 10


def test_what_was_solved_is_solved_once_and_a_torn_line_again(tmp_path: Path) -> None:
    file, asked = tmp_path / "values.jsonl", []

    def solve(position: damier.Position) -> dict[int, int]:
        asked.append(position.history)
        return dict.fromkeys(position.moves(), -3)

    positions = [GAME.start(), GAME.start().play("a1")]
    first = Judge(GAME, file, solve).puzzles(positions)
    assert Judge(GAME, file, solve).puzzles(positions) == first
    assert set(first[0].values.values()) == {-1}
    file.write_text(file.read_text()[:-10])
    assert Judge(GAME, file, solve).puzzles(positions) == first
    assert [len(history) for history in asked] == [0, 1, 1]
    with pytest.raises(damier.DamierError, match="can't write"):
        Judge(GAME, tmp_path / "values.jsonl" / "x", solve).puzzles(positions)
