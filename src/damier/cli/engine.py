"""`damier engine`: serve a player to other programs."""

import os
import sys
from typing import Annotated

import typer

from damier.cli.terminal.arguments import GameName, Moves, PositionText, Seed
from damier.cli.terminal.output import find_position


def command(
    game: GameName,
    player: Annotated[
        str, typer.Option(help="The player: `name[:option=value,...]`, or `file.py:Class` for your own.")
    ] = "uct:seconds=1",
    position: PositionText = None,
    moves: Moves = "",
    protocol: Annotated[str, typer.Option(help="The protocol on standard input and output: `gtp`.")] = "gtp",
    seed: Seed = 0,
) -> None:
    r"""Serve a player to another program, which sends commands and gets moves (the Go Text Protocol).

    **Examples**

    - `damier engine blokus:board=duo --player grave:seconds=1`
    - `printf 'genmove b\nshowboard\n' | damier engine connect4`
    - `damier engine connect4 --player examples/epsilon_greedy.py:EpsilonGreedy`
    - `twogtp --black 'damier engine blokus:board=duo' --white pentobi-gtp --game duo`
    """
    from damier.core.errors import SpecError
    from damier.players.external.gtp_server import GtpServer, answer

    if protocol != "gtp":
        raise SpecError("spec.one-of", option="--protocol", known=["gtp"], got=protocol)
    if player.partition(":")[0] == "human":
        raise SpecError("player.person")
    start = find_position(game, position, moves)
    server = GtpServer(start.game, player, seed, start)
    server.prepare()
    # Every line gets an answer, even one that is not valid text.
    with (
        os.fdopen(os.dup(0), encoding="utf-8", errors="replace") as lines,
        os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as answers,
    ):
        os.dup2(2, 1)  # output printed by the rules goes to stderr
        try:
            answer(server, lines, answers)
        finally:
            server.player.close()
