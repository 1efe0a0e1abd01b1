"""PDN, the Portable Draughts Notation: games in text files, as draughts programs exchange them.

    [GameType "25,W,8,8,A0,0"]
    [Result "*"]

    1. c3-d4 d6-c5 2. b2-c3 *

Comments, variations, annotations and move numbers are skipped. The tag GameType tells the rules
(https://pdn.fmjd.org); `dames8` has no number there, and adds a tag Rules.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from damier.core.errors import DamierError, MoveError, PositionError
from damier.core.file_formats import FileFormat
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.core.position import Position
from damier.games import game as find_game
from damier.games.draughts.notation import MOVE
from damier.games.draughts.variants import COLOURS, VARIANTS

TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""What every game tells, in this order; ? where it is not known."""

RESULTS = ("0-1", "1/2-1/2", "1-0")
"""White has lost, drawn, won."""
RESULTS_OF_INTERNATIONAL = ("0-2", "1-1", "2-0")
UNFINISHED = "*"

_TOKEN = re.compile(
    rf"""
    (?P<skipped> \s+ | \{{[^}}]*\}} | ;[^\n]* | ^%[^\n]* | \$[0-9]+ | [!?]+ | \([!?]+\) | [0-9]+\.+ )
  | (?P<tag> \[ \s* (?P<name>[A-Za-z0-9_]+) \s* "(?P<value>(?:[^"\\]|\\.)*)" \s* \] )
  | (?P<open> \( ) | (?P<close> \) )
  | (?P<result> (?: 1/2-1/2 | 1-0 | 0-1 | 2-0 | 0-2 | 1-1 | 0-0 | \* ) (?![-0-9xX:]) )
  | (?P<move> {MOVE} )
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


class PdnError(DamierError):
    """A PDN text that can't be read."""


@dataclass(frozen=True)
class PdnGame:
    """A game: where it starts, its moves, and what is told about it."""

    start: Position
    moves: tuple[int, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def end(self) -> Position:
        """The position after the last move."""
        return self.start.play_all(self.moves)

    @property
    def players(self) -> list[str]:
        """White and Black, where the tags name them."""
        return [self.tags[tag] for tag in ("White", "Black") if self.tags.get(tag, "?") != "?"]

    @property
    def result(self) -> str:
        """As the tag tells, else as the game ended; `*` if it did not."""
        returns = self.end.returns
        if "Result" in self.tags or returns is None:
            return self.tags.get("Result", UNFINISHED)
        variant = self.start.game.rules.variant
        results = RESULTS_OF_INTERNATIONAL if variant == VARIANTS["international"] else RESULTS
        return results[int(returns[COLOURS.index(variant.first)]) + 1]


# -- writing -------------------------------------------------------------------------------------------------


def format_pdn(*games: PdnGame | Position) -> str:
    """The text of games. A position stands for the moves that led to it."""
    given = (PdnGame(each.origin, each.history) if isinstance(each, Position) else each for each in games)
    return "\n".join(map(_format_game, given))


def _format_game(game: PdnGame) -> str:
    tags = dict.fromkeys(TAGS, "?") | _tags_of_rules(game.start.game) | dict(game.tags) | {"Result": game.result}
    if game.start != game.start.game.start():
        tags |= {"SetUp": "1", "FEN": game.start.text()}
    header = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    text = " ".join([*_words(game), game.result])
    return f"{header}\n{textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False)}\n"


def _tags_of_rules(game: Game) -> dict[str, str]:
    rules, variant = game.rules, game.rules.variant
    corner = "A0" if variant.algebraic else "N2" if variant.first == "white" and not variant.one_is_whites else "N1"
    facts = (variant.game_type, variant.first[0].upper(), variant.size, variant.size, corner, int(variant.mirrored))
    tags = {"GameType": ",".join(map(str, facts))}
    return tags if _rules_of_type(variant.game_type) == rules.rules else tags | {"Rules": rules.rules}


def _words(game: PdnGame) -> Iterator[str]:
    separator = game.start.game.rules.variant.separator
    position = game.start
    for index, move in enumerate(game.moves):
        ply = index + game.start.player
        if position.player == 0 or index == 0:
            yield f"{ply // 2 + 1}{'.' if position.player == 0 else '...'}"
        yield position.notation(move).replace("x", separator)
        position = position.play(move)


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


# -- reading -------------------------------------------------------------------------------------------------


def parse_pdn(text: str, game: object = None) -> list[PdnGame]:
    """The games in a text. `game`, as `damier.game` takes it, says by which rules; else the tags of each do."""
    return list(each_pdn(text, game))


def each_pdn(text: str, game: object = None) -> Iterator[PdnGame]:
    """The same games, each read when it is asked for."""
    return (_Reader(text, game).read(tokens) for tokens in _split(text))


def count_pdn(text: str) -> int:
    """How many games a text holds, without reading their moves."""
    return sum(1 for _ in _split(text))


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Everything that counts; variations are skipped whole."""
    index = depth = 0
    while index < len(text):
        token = _TOKEN.match(text, index)
        if token is None:
            got = text[index:].split(None, 1)[0][:20]
            raise _error(text, index, say("pdn.token", got=repr(got)[1:-1]))
        index = token.end()
        depth += {"open": 1, "close": -1}.get(token.lastgroup or "", 0)
        if depth < 0:
            raise _error(text, token.start(), say("pdn.not-open"))
        if depth == 0 and _kind(token) in ("tag", "move", "result"):
            yield token
    if depth > 0:
        raise _error(text, len(text), say("pdn.not-closed"))


def _split(text: str) -> Iterator[list[re.Match[str]]]:
    """The tokens of each game: a result ends it, and so does a tag after a move."""
    tokens: list[re.Match[str]] = []
    for token in _tokens(text):
        if _kind(token) == "tag" and tokens and _kind(tokens[-1]) != "tag":
            yield tokens
            tokens = []
        tokens.append(token)
        if _kind(token) == "result":
            yield tokens
            tokens = []
    if tokens:
        yield tokens


class _Reader:
    """One game of a text being read."""

    def __init__(self, text: str, game: object) -> None:
        self.text, self.game = text, game

    def read(self, tokens: list[re.Match[str]]) -> PdnGame:
        tags = {token["name"]: re.sub(r"\\(.)", r"\1", token["value"]) for token in tokens if _kind(token) == "tag"}
        start = self.start(tags, tokens[0].start())
        position = start
        for token in tokens:
            if _kind(token) == "move":
                try:
                    position = position.play(token["move"])
                except MoveError as error:
                    raise _error(self.text, token.start(), error.message) from None
            elif _kind(token) == "result":
                tags["Result"] = token["result"]
        return PdnGame(start, position.history, tags)

    def start(self, tags: dict[str, str], index: int) -> Position:
        game = find_game(self.game) if self.game is not None else self.game_of(tags, index)
        try:
            return game.position(tags["FEN"]) if "FEN" in tags else game.start()
        except PositionError as error:
            raise _error(self.text, index, error.message) from None

    def game_of(self, tags: dict[str, str], index: int) -> Game:
        number = tags.get("GameType", "").partition(",")[0].strip()
        rules = _rules_of_type(int(number)) if re.fullmatch("[0-9]{1,4}", number) else None
        if tags.get("Rules") in VARIANTS:
            rules = tags["Rules"]
        if rules is None:
            raise _error(self.text, index, say("pdn.game-type"))
        return find_game("dames8" if rules == "dames8" else f"draughts:rules={rules}")


def _rules_of_type(number: int) -> str | None:
    """Of the rules with this number the last: dames8 is no country's game."""
    return {variant.game_type: rules for rules, variant in VARIANTS.items()}.get(number)


PDN = FileFormat("PDN", "pdn", each_pdn, format_pdn, count_pdn)


def _kind(token: re.Match[str]) -> str:
    return token.lastgroup or ""


def _error(text: str, index: int, what: Message) -> PdnError:
    return PdnError("pdn.line", line=text.count("\n", 0, index) + 1, what=what)
