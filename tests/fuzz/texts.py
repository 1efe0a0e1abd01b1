"""Hostile words, and how a valid text is damaged. All fuzzers of text draw from here."""

import random
from collections.abc import Sequence

HUGE = "9" * 30
LONG = "a" * 300
NUMBERS = ["0", "1", "2", "3", "7", "-1", "-0", "1e9", "1e400", "nan", "inf", "-inf", "0x10", "1_000", "²", "0.5"]
NUMBERS += [str(2**31), str(2**63 - 1), str(2**63), str(-(2**63)), HUGE, "9" * 5000]
WORDS = ["", " ", "a", "true", "no", "pass", "None", ".", "..", "~", "~nobody/x", "/", "/dev/null", "/proc/self/mem"]
WORDS += [
    LONG,
    "é",
    "\udcff",
    "\ufeff",
    "\u202e",
    "{}",
    "[]",
    '"',
    "'",
    "%s",
    "$HOME",
    "a,b",
    "a=b",
    "a:b",
    "-",
    "--",
    "(",
]


def word(rng: random.Random) -> str:
    """A word that nobody expects, mostly of our lists."""
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(NUMBERS)
    if kind < 0.85:
        return rng.choice(WORDS)
    return "".join(
        chr(rng.choice([rng.randrange(32, 127), rng.randrange(160, 0x2FFF)])) for _ in range(rng.randrange(9))
    )


def damaged(rng: random.Random, text: str, parts: Sequence[str] = ()) -> str:
    """A text with some places changed: cut, doubled, swapped, or overwritten by a word of ours or by one of `parts`."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 2, 5, 20, 100]))
        piece = text[start:end]
        new = rng.choice(["", piece * 2, piece[::-1], word(rng), word(rng), rng.choice([*parts, ""])])
        text = text[:start] + new + text[end:]
    return text
