"""`damier play`: a game in the terminal."""

import random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from damier.cli.terminal.arguments import GameName, Moves, PositionText
from damier.cli.terminal.eyes import Eyes
from damier.cli.terminal.output import console, find_position, working
from damier.core.messages import Message, message_of, say, spoken
from damier.core.numbers import plain

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.players import Player

OPPONENT = "uct:seconds=0.5"
HIDDEN_OPPONENTS = "ismcts:seconds=0.5", "random"  # in a game of hidden information, the first that there is
COLOURS = ("bold red", "bold yellow", "bold blue", "bold green")


def command(
    game: GameName,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            help="A player, first seat first; repeat the option for each seat. By default, the first seat is `human`"
            f" and the others are `{OPPONENT}`, or `ismcts` if the game hides cards."
        ),
    ] = None,
    position: PositionText = None,
    moves: Moves = "",
    hints: Annotated[
        str,
        typer.Option(help=f"The player that gives hints; default: `{OPPONENT}`, or `ismcts` if the game hides cards."),
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Seed of the players and of chance; default: a random seed.")] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters.")] = False,
) -> None:
    """Play a game in the terminal, or watch players play.

    **Examples**

    - `damier play connect4`
    - `damier play othello:size=6 --seat grave:sims=5000 --seat human`
    - `damier play examples/nim.py:Nim --seat human --seat human`
    - `damier play connect4 --seat human --seat examples/epsilon_greedy.py:EpsilonGreedy`
    - `damier play kuhn`: you see your own card only
    """
    with working(f"preparing {game}"):
        start = find_position(game, position, moves)
    playing = TerminalGame(start, seat or [], hints, random.getrandbits(32) if seed is None else seed, ascii)
    try:
        playing.play()
    finally:
        playing.leave()


class TerminalGame:
    """A game in progress: the positions so far and the players."""

    def __init__(self, start: "Position", seats: list[str], hints: str, seed: int, ascii: bool) -> None:
        from damier.core.view import can_show_unicode
        from damier.players import player
        from damier.players.human import Human

        self.positions = [start]
        self.dealt: list[str] = []  # the outcomes of chance that were not told yet
        self.game = start.game
        self.seed = seed
        self.unicode = not ascii and can_show_unicode()
        self.seats = _sit_down(seats, self.game)
        self.hints = hints or opponent(self.game)
        self.adviser = player(self.hints)
        self.eyes = Eyes(start, [number for number, (_, each) in enumerate(self.seats) if isinstance(each, Human)])
        self._check_sight()

    def _check_sight(self) -> None:
        """Refuse players that need open cards, and an adviser who sees them all."""
        from damier.core.errors import SpecError
        from damier.search.player import Sight

        for player in (self.adviser, *(player for _, player in self.seats)):
            player.check_sight(self.game)
        if self.eyes.people and self.adviser.sight is Sight.ALL:
            raise SpecError("analysis.hidden-cheat", player=self.hints)

    @property
    def position(self) -> "Position":
        return self.positions[-1]

    def play(self) -> None:
        """Play until the game is over or the user quits."""
        from damier.core.errors import ForfeitError
        from damier.core.rng import new_rng
        from damier.players.human import Human

        if not (self.game.is_hidden and self.position.is_chance):  # nothing is dealt yet
            self._show()
        if any(isinstance(player, Human) for _, player in self.seats):
            console.print(say("play.type-a-move").text(), style="dim", highlight=False)
        while not self.position.is_over:
            position = self.position
            if self.eyes.must_change(position) and not self._hand_over():
                return
            if position.is_chance:
                self._make(position.random_move(new_rng(self.seed, len(self.positions))), say("lesson.chance"))
                continue
            spec, player = self.seats[position.player]
            if not isinstance(player, Human):
                try:
                    result = player.search(position, seed=self.seed + len(self.positions))
                except ForfeitError as error:
                    console.print(error.text(), style="red", highlight=False, markup=False)
                    forfeits = say("play.forfeits", player=self._name(position.player))
                    console.print(forfeits.text(), style="bold", highlight=False)
                    return
                self._make(result.move, spec)
            elif not self._ask():
                return
        self._tell_result()

    def _hand_over(self) -> bool:
        """Let the next person look, and show them what happened; False if nobody comes."""
        player = self.position.player
        try:
            self.eyes.change(player, self._name(player))
        except EOFError:
            console.print(say("play.left").text())
            return False
        self._show()
        line = self.position.seen_by(player).line()
        console.print(say("cards.moves", moves=line or "-").text(), highlight=False, markup=False)
        return True

    def _ask(self) -> bool:
        """Read a move or a command from the user; False if they quit."""
        try:
            answer = console.input(Text.assemble((f"{self._to_move().text()}> ", "bold"))).strip()
        except EOFError:
            answer = "quit"
        match answer.lower():
            case "":
                pass
            case "quit" | "exit":
                console.print(say("play.left").text())
                return False
            case "help":
                key = "play.help-hidden" if self.eyes.people else "play.help"
                console.print(say(key).text(), highlight=False, markup=False)
            case "hint" | "?":
                self._hint()
            case "moves":
                console.print(" ".join(self.position.notations()), highlight=False)
            case "undo":
                self._undo()
            case _:
                self._try(answer)
        return True

    def _to_move(self) -> Message:
        return say("play.to-move", player=self._name(self.position.player))

    def _try(self, answer: str) -> None:
        from damier.core.errors import MoveError

        try:
            move = self.position.seen_by(self.position.player).parse(answer)  # an error quotes what they see
        except MoveError as error:
            console.print(_from_one(message_of(error)).text(), style="red", highlight=False, markup=False)
        else:
            self._make(move, "")

    def _hint(self) -> None:
        from damier.core.errors import ForfeitError

        position = self.position
        try:
            with working("thinking"):
                result = self.adviser.search(position, seed=self.seed + len(self.positions))
        except ForfeitError as error:
            console.print(error.text(), style="red", highlight=False, markup=False)
            return
        hint = say("play.hint", player=self.hints, move=result.notation)
        if result.values:
            worth = plain(result.values[position.player], 2)
            hint = say("play.hint-worth", player=self.hints, move=result.notation, worth=worth)
        console.print(hint.text(), highlight=False, markup=False)

    def leave(self) -> None:
        for player in (self.adviser, *(player for _, player in self.seats)):
            player.close()

    def _undo(self) -> None:
        """Go back to the last position in which the user was to move."""
        from damier.players.human import Human

        if self.eyes.people:
            console.print(say("play.hidden-fixed", game=self.game.name).text(), style="red", highlight=False)
            return
        for index in reversed(range(len(self.positions) - 1)):
            earlier = self.positions[index]
            if not earlier.is_chance and isinstance(self.seats[earlier.player][1], Human):
                del self.positions[index + 1 :]
                self._show()
                return
        console.print(say("play.nothing-to-undo").text(), style="red")

    def _make(self, move: int, by: str) -> None:
        from damier.core.knowledge import HIDDEN

        position = self.position
        mover = by if position.is_chance else self._name(position.player)
        if by and not position.is_chance:
            mover = say("play.player-by", player=mover, by=by)
        self.positions.append(position.play(move))
        heard = self.eyes.hear(position, move, self.position)
        if position.is_chance:  # a whole deal is one event
            self.dealt += heard
            if self.position.is_chance:
                return
            heard, self.dealt = self.dealt, []
        if not heard:
            return
        seen = " ".join(word for word in heard if word != HIDDEN)
        console.print()
        self._show()
        told = say("play.played", player=mover, move=seen) if seen else say("play.hidden-move", player=mover)
        console.print(told.text(), highlight=False, markup=False)

    def _show(self) -> None:
        seen = self.eyes.seen(self.position)
        if seen is None:
            return
        board = Text(spoken(seen.draw(self.unicode)))
        for symbol in self._symbols():
            if symbol.player < 0 and not symbol.colour:
                continue
            shown = symbol.unicode if self.unicode else symbol.ascii
            style = f"bold {symbol.colour}" if symbol.colour else COLOURS[symbol.player % len(COLOURS)]
            board.highlight_words([shown], style)
        console.print(board)

    def _symbols(self) -> tuple[Any, ...]:
        from damier.core.view import Grid

        seen = self.eyes.seen(self.position)
        view = seen.view() if seen is not None and self.game.has("view") and not self.game.has("draw") else None
        return tuple(view.symbols) if isinstance(view, Grid) else ()

    def _name(self, player: int) -> Message:
        """A player's name, with their piece if they have one."""
        own = [symbol for symbol in self._symbols() if symbol.player == player]
        piece = f" {own[0].unicode if self.unicode else own[0].ascii}" if own else ""
        return say("play.player", number=player + 1, piece=piece)

    def _tell_result(self) -> None:
        returns = self.position.returns
        assert returns is not None
        best = max(returns)
        winners = [player for player, value in enumerate(returns) if value == best]
        if self.game.num_players == 1:
            console.print(self._outcome(best).text(), style="bold", highlight=False)
        elif len(winners) == self.game.num_players:
            console.print(say("play.draw").text(), style="bold")
        else:
            wins = say("play.wins", winners=[self._name(player) for player in winners])
            console.print(wins.text(), style="bold", highlight=False)
        if self.game.unit and self.game.num_players > 1:
            console.print(", ".join(map(self.game.value_text, returns)), highlight=False)

    def _outcome(self, payoff: float) -> Message:
        """The result of a game for one player: its score, or its payoff."""
        if self.game.has("score"):
            return say("play.over-score", score=self.game.score(self.position.state), payoff=payoff)
        return say("play.over-payoff", payoff=payoff)


def _from_one(message: Message) -> Message:
    """What is wrong with a move, with the observer counted from 1 as everything in the terminal is."""
    after = message.facts.get("after")
    if not isinstance(after, Message) or "observer" not in after.facts:
        return message
    seen = say(after.key, **after.facts | {"observer": after.facts["observer"] + 1})
    return say(message.key, **message.facts | {"after": seen})


def opponent(game: "Game") -> str:
    """The usual opponent in a game."""
    from damier.players import REGISTRY

    if not game.is_hidden:
        return OPPONENT
    return next(spec for spec in HIDDEN_OPPONENTS if spec.partition(":")[0] in REGISTRY)


def _sit_down(seats: list[str], game: "Game") -> list[tuple[str, "Player"]]:
    from damier.core.errors import SpecError
    from damier.players import player

    count = game.num_players
    if len(seats) > count:
        raise SpecError("play.many-seats", most=count, got=len(seats), seats=" ".join(seats))
    specs = [*seats, *["human", *[opponent(game)] * count][len(seats) : count]]
    return [(spec, player(spec)) for spec in specs]
