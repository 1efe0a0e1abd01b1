"""`damier play`: a game in the terminal."""

import random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from damier.cli.terminal.output import GameName, Moves, PositionText, console, find_position, working

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.players import Player

OPPONENT = "uct:seconds=0.5"
COLOURS = ("bold red", "bold yellow", "bold blue", "bold green")
HELP = """Type a move in the game's notation, or one of
  hint    what a player would do here, and what it is worth; also ?
  moves   list the legal moves
  undo    take back your last move (and what followed it)
  help    this text
  quit    leave the game"""


def command(
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            help="Who sits where, first player first; repeat it for each seat. Seats left over: the first is"
            f" `human`, the others `{OPPONENT}`."
        ),
    ] = None,
    position: PositionText = "",
    moves: Moves = "",
    hints: Annotated[str, typer.Option(help="Who gives hints when a person asks for one.")] = OPPONENT,
    seed: Annotated[int | None, typer.Option(help="Seed of the players and of chance; default: a new one.")] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with plain characters.")] = False,
) -> None:
    """Play a game in the terminal, against a player or between players.

    **Examples**

    - `damier play connect4`
    - `damier play othello:size=6 --seat grave:sims=5000 --seat human`
    - `damier play examples/nim.py:Nim --seat human --seat human`
    - `damier play connect4 --seat human --seat examples/epsilon_greedy.py:EpsilonGreedy`
    """
    with working(f"preparing {game}"):
        start = find_position(game, position, moves)
    playing = TerminalGame(start, seat or [], hints, random.getrandbits(32) if seed is None else seed, ascii)
    try:
        playing.play()
    finally:
        playing.leave()


class TerminalGame:
    """A game in progress: the positions so far and who sits where."""

    def __init__(self, start: "Position", seats: list[str], hints: str, seed: int, ascii: bool) -> None:
        from damier.core.view import can_show_unicode
        from damier.players import player

        self.positions = [start]
        self.game = start.game
        self.seed = seed
        self.unicode = not ascii and can_show_unicode()
        self.seats = _sit_down(seats, self.game.num_players)
        self.hints, self.adviser = hints, player(hints)

    @property
    def position(self) -> "Position":
        return self.positions[-1]

    def play(self) -> None:
        """Until the game is over or the person leaves."""
        from damier.core.errors import ForfeitError
        from damier.core.rng import new_rng
        from damier.players.human import Human

        self._show()
        if any(isinstance(player, Human) for _, player in self.seats):
            console.print("[dim]Type a move; 'help' tells what else.[/dim]")
        while not self.position.is_over:
            position = self.position
            if position.is_chance:
                self._make(position.random_move(new_rng(self.seed, len(self.positions))), "chance")
                continue
            spec, player = self.seats[position.player]
            if not isinstance(player, Human):
                try:
                    result = player.search(position, seed=self.seed + len(self.positions))
                except ForfeitError as error:
                    console.print(str(error), style="red", highlight=False, markup=False)
                    console.print(f"{self._name(position.player)} forfeits the game", style="bold", highlight=False)
                    return
                self._make(result.move, spec)
            elif not self._ask():
                return
        self._tell_result()

    def _ask(self) -> bool:
        """Let the person move or give a command; False if they leave."""
        try:
            answer = console.input(Text.assemble((f"{self._name(self.position.player)} to move> ", "bold"))).strip()
        except EOFError:
            answer = "quit"
        match answer.lower():
            case "":
                pass
            case "quit" | "exit":
                console.print("left the game")
                return False
            case "help":
                console.print(HELP, highlight=False)
            case "hint" | "?":
                self._hint()
            case "moves":
                console.print(" ".join(self.position.notations()), highlight=False)
            case "undo":
                self._undo()
            case _:
                self._try(answer)
        return True

    def _try(self, answer: str) -> None:
        from damier.core.errors import MoveError

        try:
            move = self.position.parse(answer)
        except MoveError as error:
            console.print(str(error), style="red", highlight=False, markup=False)
        else:
            self._make(move, "")

    def _hint(self) -> None:
        from damier.core.errors import ForfeitError

        position = self.position
        try:
            with working("thinking"):
                result = self.adviser.search(position, seed=self.seed + len(self.positions))
        except ForfeitError as error:
            console.print(str(error), style="red", highlight=False, markup=False)
            return
        worth = f", worth {result.values[position.player]:+.2f}" if result.values else ""
        console.print(f"{self.hints} would play [bold]{result.notation}[/bold]{worth}", highlight=False)

    def leave(self) -> None:
        for player in (self.adviser, *(player for _, player in self.seats)):
            player.close()

    def _undo(self) -> None:
        """Back to the last position in which a person was to move."""
        from damier.players.human import Human

        for index in reversed(range(len(self.positions) - 1)):
            earlier = self.positions[index]
            if not earlier.is_chance and isinstance(self.seats[earlier.player][1], Human):
                del self.positions[index + 1 :]
                self._show()
                return
        console.print("there is nothing to take back", style="red")

    def _make(self, move: int, by: str) -> None:
        position = self.position
        mover = by if position.is_chance else self._name(position.player) + (f" ({by})" if by else "")
        self.positions.append(position.play(move))
        console.print()
        self._show()
        console.print(f"{mover} played [bold]{position.notation(move)}[/bold]", highlight=False)

    def _show(self) -> None:
        board = Text(self.position.draw(self.unicode))
        for symbol in self._symbols():
            if symbol.player < 0 and not symbol.colour:
                continue
            shown = symbol.unicode if self.unicode else symbol.ascii
            style = f"bold {symbol.colour}" if symbol.colour else COLOURS[symbol.player % len(COLOURS)]
            board.highlight_words([shown], style)
        console.print(board)

    def _symbols(self) -> tuple[Any, ...]:
        return tuple(self.position.view().symbols) if self.game.has("view") and not self.game.has("draw") else ()

    def _name(self, player: int) -> str:
        """Whose turn it is, with their piece where there is one."""
        own = [symbol for symbol in self._symbols() if symbol.player == player]
        piece = f" {own[0].unicode if self.unicode else own[0].ascii}" if own else ""
        return f"player {player + 1}{piece}"

    def _tell_result(self) -> None:
        returns = self.position.returns
        assert returns is not None
        best = max(returns)
        winners = [player for player, value in enumerate(returns) if value == best]
        if self.game.num_players == 1:
            console.print(f"the game is over, {self._score()}payoff {best:+.3g}", style="bold", highlight=False)
        elif len(winners) == self.game.num_players:
            console.print("a draw", style="bold")
        else:
            verb = "wins" if len(winners) == 1 else "win"
            console.print(f"{' and '.join(map(self._name, winners))} {verb}", style="bold", highlight=False)

    def _score(self) -> str:
        """How people count, where the game knows it."""
        return f"score {self.game.score(self.position.state)}, " if self.game.has("score") else ""


def _sit_down(seats: list[str], count: int) -> list[tuple[str, "Player"]]:
    from damier.core.errors import SpecError
    from damier.players import player

    if len(seats) > count:
        raise SpecError(f"expected at most {count} seats, got {len(seats)}: {' '.join(seats)}")
    specs = [*seats, *["human", *[OPPONENT] * count][len(seats) : count]]
    return [(spec, player(spec)) for spec in specs]
