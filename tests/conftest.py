import os

import pytest


@pytest.fixture(autouse=True, scope="session")
def _games_are_kept_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test writes into the user's database, nor does a process that it starts."""
    os.environ["DAMIER_DATABASE"] = str(tmp_path_factory.mktemp("games") / "games.sqlite3")
