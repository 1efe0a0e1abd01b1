"""The settings of the server, chosen by its owner."""

from dataclasses import dataclass, field
from pathlib import Path

from damier.web.hosts import Hosts


@dataclass(frozen=True)
class WebSettings:
    """The settings. By default, visitors can't load code, read files or start programs, and searches are small."""

    games: tuple[str, ...] = ()  # of the owner, from files, beside those that come with damier
    allow_files: bool = False  # games and players from files, networks by path
    allow_engines: bool = False  # players that are other programs
    processes: int = 2  # that search
    max_seconds: float = 10.0  # of a search
    prepare_seconds: float = 60.0  # to compile for the first search of a kind; see `max_preparation`
    max_memory: int = 64  # megabytes of a search
    max_waiting: int = 200  # searches of one address in the queue; one browser there may have half of them
    max_connections: int = 200  # live ones of one address
    max_games: int = 1000  # begun from one address within an hour
    max_body: int = 256 * 1024  # bytes of a request
    hosts: Hosts = field(default_factory=Hosts)  # names by which the server may be asked for
    database: str | None = None
    runs: Path = Path("runs")  # where the training runs are

    @property
    def max_preparation(self) -> float:
        """The time limit for preparing a search, in seconds: at least `prepare_seconds`, because compiling a short
        search takes as long as compiling a long one."""
        return max(self.prepare_seconds, self.max_seconds)
