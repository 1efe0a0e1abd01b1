"""An external program as a player, by the Go Text Protocol."""

import time
import weakref
from typing import ClassVar

from damier.core.errors import ForfeitError, MoveError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.games import game as find_game
from damier.players.external.engines_file import chosen_options, fill_in, read_engine, words_of_command
from damier.players.external.gtp_client import CHANCE_COLOUR, GtpClient, side_to_move, sides
from damier.search.player import Player, Sight
from damier.search.result import SearchResult

START_TIMEOUT = 300.0  # seconds: programs load networks and opening books, or compile, before they answer at all


class ExternalPlayer(Player):
    """An external program that speaks GTP; `engines.toml` says how to start it."""

    sight: ClassVar[Sight] = Sight.OPEN

    def __init__(self, name: str, **options: str) -> None:
        self.name = name
        self._settings = read_engine(name)
        self._options = chosen_options(name, self._settings, options)
        self._command = words_of_command(name, self._settings, self._options)
        self._ours = {theirs.lower(): ours for ours, theirs in self._settings.moves.items()}
        self._client: GtpClient | None = None
        self._known: tuple[int, ...] = ()  # the moves on the engine's board

    def prepare(self, pos: Position) -> None:
        """Start the program and show it the position: neither is time for a move."""
        self._check_game(pos.game)
        self._show(pos)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Ask the engine for its move. The protocol has no seed, so it is not sent."""
        self._check_game(pos.game)
        began = time.perf_counter()
        client = self._show(pos)
        colour = self._colour(pos)
        answer = client.send(f"genmove {colour}")
        move = self._read(pos, colour, answer)
        self._known = (*pos.history, move)
        return SearchResult(move, pos.notation(move), pv=(move,), seconds=time.perf_counter() - began)

    def check_sight(self, game: Game) -> None:
        """Refuse a game of hidden information, because the protocol sends all moves, and with them the cards; and a
        game that the engine does not play."""
        if game.is_hidden:
            raise SpecError("engine.hidden", game=game.name)
        self._check_game(game)

    def close(self) -> None:
        """Stop the program. The next search starts it again."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _check_game(self, game: Game) -> None:
        games = self._settings.games()
        if games and game not in map(find_game, games):
            raise SpecError("engine.other-game", engine=self.name, games=" ".join(games), game=game.name)

    def _start(self, game: Game) -> GtpClient:
        own = self._settings.own_game(lambda ours: find_game(ours) == game)
        client = GtpClient(self.name, [fill_in(word, own) for word in self._command], self._settings.timeout)
        weakref.finalize(self, client.close)
        start_timeout = max(START_TIMEOUT, self._settings.timeout)
        for line in self._settings.setup:
            client.send(fill_in(line, self._options | own), start_timeout)
        client.send("clear_board", start_timeout)
        return client

    def _show(self, pos: Position) -> GtpClient:
        """Bring the engine's board to this position, from its current one or from the start."""
        if not pos.is_from_start:
            raise SpecError("engine.set-up", engine=self.name)
        if self._client is None or self._client.is_closed:
            self._client, self._known = self._start(pos.game), ()
        elif pos.history[: len(self._known)] != self._known:
            self._client.send("clear_board")
            self._known = ()
        earlier = pos.game.start()
        for ply, move in enumerate(pos.history):
            if ply >= len(self._known):
                theirs = self._theirs(earlier.notation(move))
                if theirs:  # some programs infer a pass from the colour of the next move, and refuse it as a move
                    self._client.send(f"play {self._colour(earlier)} {theirs}")
                self._known = pos.history[: ply + 1]
            earlier = earlier.play(move)
        return self._client

    def _colour(self, pos: Position) -> str:
        if pos.is_chance:
            return CHANCE_COLOUR
        names, side = self._settings.colours or sides(pos.game), side_to_move(pos)
        if side >= len(names):
            raise SpecError("engine.few-colours", engine=self.name, count=len(names), game=pos.game.name)
        return names[side]

    def _theirs(self, notation: str) -> str:
        return self._settings.moves.get(notation, notation)

    def _read(self, pos: Position, colour: str, answer: str) -> int:
        """The move in the answer; an engine that resigns, or breaks the rules, has lost."""
        if answer.lower() == "resign":
            raise ForfeitError("engine.resigned", engine=self.name, number=len(pos.history) + 1)
        try:
            return pos.parse(self._ours.get(answer.lower(), answer))
        except MoveError:
            shown = " ".join(answer.split())[:60]
            number = len(pos.history) + 1
            raise ForfeitError("engine.illegal", engine=self.name, colour=colour, move=shown, number=number) from None
