"""Random explicit trees, as text, for tests that search them."""

from hypothesis import strategies as st

NUMBERS = st.integers(-16, 16)
CHANCES = (("1/2", "1/2"), ("1/4", "3/4"), ("1/2", "1/4", "1/4"), ("1/8", "3/8", "1/2"), ("1",))
"""All of them binary fractions, so that nothing is rounded and values can be compared exactly."""


def node(word: str, children: list[str], guess: int | None = None) -> str:
    return f"{word}{'' if guess is None else f'[{guess}]'}({' '.join(children)})"


def two_player_trees(max_leaves: int = 40) -> st.SearchStrategy[str]:
    """Max and Min in any order, with evaluations inside."""

    def extend(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(node, st.sampled_from(["max", "min"]), st.lists(below, min_size=1, max_size=4), NUMBERS)

    return extend(st.recursive(NUMBERS.map(str), extend, max_leaves=max_leaves))


def chance_trees(max_leaves: int = 40) -> st.SearchStrategy[str]:
    """Max, Min and chance."""

    def toss(chances: tuple[str, ...], below: list[str]) -> str:
        return node("chance", [f"{chance}: {child}" for chance, child in zip(chances, below, strict=False)])

    def moves(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(node, st.sampled_from(["max", "min"]), st.lists(below, min_size=1, max_size=3), NUMBERS)

    def tosses(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(toss, st.sampled_from(CHANCES), st.lists(below, min_size=3, max_size=3))

    below = st.recursive(NUMBERS.map(str), lambda below: moves(below) | tosses(below), max_leaves=max_leaves)
    return moves(below)


def three_player_trees(max_leaves: int = 30) -> st.SearchStrategy[str]:
    """A, B and C, each for himself."""
    leaves = st.builds(lambda *values: f"({' '.join(map(str, values))})", NUMBERS, NUMBERS, NUMBERS)

    def extend(below: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(node, st.sampled_from("ABC"), st.lists(below, min_size=1, max_size=4))

    return extend(st.recursive(leaves, extend, max_leaves=max_leaves))
