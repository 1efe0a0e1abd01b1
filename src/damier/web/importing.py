"""Importing games from a visitor's file. Its content is checked before any game is built or played."""

import json
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.position import Position
from damier.games import file_formats
from damier.web.lobby import Elsewhere, Lobby, check_length
from damier.web.searching.turns import Steps
from damier.web.views import replayed

JSON = "json"
"""The format that every game has. Games declare others in `file_formats`."""
Json = dict[str, Any]

MOST_GAMES = 100  # of one file
MOST_KINDS = 10  # of different games among them: building one may take as long as playing it
LONGEST_NOTE = 200


def read_games(lobby: Lobby, format: str, text: str) -> Steps[list[Elsewhere]]:
    """The games of a file, checked like games that a visitor plays."""
    if format == JSON:
        return (yield from _read_json(lobby, text))
    formats = file_formats(*lobby.settings.games)
    if format not in formats:
        raise SpecError("import.format", known=[JSON, *formats], got=format[:LONGEST_NOTE])
    known = formats[format]
    _check_number(known.count(text))
    read = []
    for each in known.read(text, None):
        yield
        if each.start != each.start.game.start():
            raise DamierError("import.set-up")
        read.append(_kept(each.end, " - ".join(each.players)[:LONGEST_NOTE] or f"from a {known.name} file"))
    return read


def _read_json(lobby: Lobby, text: str) -> Steps[list[Elsewhere]]:
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError("import.no-json", why=str(error)[:100]) from None
    games = document if isinstance(document, list) else [document]
    _check_number(len(games))
    for each in games:
        _check_game(each)
    kinds = {each["game"] for each in games}
    if len(kinds) > MOST_KINDS:
        raise SpecError("import.many-kinds", most=MOST_KINDS, got=len(kinds))
    read = []
    for each in games:
        line = yield from replayed([lobby.game(each["game"]).start()], each["moves"])
        seats = each["seats"] if _are_texts(each.get("seats")) else []
        note = " - ".join(seats)[:LONGEST_NOTE] or "from a JSON file"
        read.append(_kept(line[-1], note, each.get("resigned")))
    return read


def _kept(end: Position, note: str, resigned: Any = None) -> Elsewhere:
    """A game to keep. Nobody may go on with a game of hidden information whose deal is in a file."""
    if resigned is not None:
        most = end.game.num_players - 1
        if end.is_over or type(resigned) is not int or not 0 <= resigned <= most:
            raise SpecError("import.resigned", most=most, got=repr(resigned)[:LONGEST_NOTE])
    elif end.game.is_hidden and not end.is_over:
        raise DamierError("import.hidden", game=end.game.name)
    return Elsewhere(end, note, resigned)


def _check_number(games: int) -> None:
    if games > MOST_GAMES:
        raise SpecError("import.many-games", most=MOST_GAMES, got=games)


def _check_game(given: Any) -> None:
    if not isinstance(given, dict) or not _are_texts([given.get("game")]) or not _are_texts(given.get("moves")):
        raise SpecError("import.expected")
    check_length(given["moves"])


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and _is_unicode(each) for each in value)


def _is_unicode(text: str) -> bool:
    """Refuse lone surrogates, which JSON can write and the database can't store."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
