import gc
import os

import pytest
from hypothesis import HealthCheck, settings

# The first call of a kernel compiles it, which is no reason to fail; and a test that fails, fails every time.
settings.register_profile(
    "damier", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("damier")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=int, help="random games to compare with naive rules, for each name of a game")


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what lives to the end, and come less often: the compiler makes millions of
    small objects, and looking through all modules and tests for each few hundred takes a tenth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


@pytest.fixture(autouse=True, scope="session")
def _games_are_kept_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test writes into the user's database, nor does a process that it starts."""
    os.environ["DAMIER_DATABASE"] = str(tmp_path_factory.mktemp("games") / "games.sqlite3")
