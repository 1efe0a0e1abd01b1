"""Card games once more, as plainly as possible: hands are sorted lists, and tricks lists of pairs (player, card)."""

from typing import ClassVar

from damier.core.protocol import CHANCE

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


class TrickGame:
    """A game in progress. A card is suit * ranks + rank."""

    ranks = 13

    def __init__(self, players: int) -> None:
        self.num_players = players
        self.player = CHANCE
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.pack = list(range(4 * self.ranks))  # not dealt yet
        self.trick: list[tuple[int, int]] = []
        self.trump: int | None = None
        self.won: list[list[int]] = [[] for _ in range(players)]  # cards taken
        self.turn = 0
        self.public: list[int] = []  # moves that everybody saw

    def suit(self, card: int) -> int:
        return card // self.ranks

    def strength(self, card: int) -> int:
        return card % self.ranks

    def give(self, player: int, card: int) -> None:
        self.pack.remove(card)
        self.hands[player] = sorted([*self.hands[player], card])

    def of_suit(self, player: int, suit: int | None) -> list[int]:
        return [card for card in self.hands[player] if self.suit(card) == suit]

    def followers(self) -> list[int]:
        """What may be played where only suit must be followed."""
        if not self.trick:
            return list(self.hands[self.turn])
        return self.of_suit(self.turn, self.suit(self.trick[0][1])) or list(self.hands[self.turn])

    def winner(self) -> tuple[int, int]:
        """Who wins the trick so far, and with which card."""
        led = self.suit(self.trick[0][1])
        trumps = [(player, card) for player, card in self.trick if self.suit(card) == self.trump]
        candidates = trumps or [(player, card) for player, card in self.trick if self.suit(card) == led]
        return max(candidates, key=lambda each: self.strength(each[1]))

    def put(self, card: int) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.public.append(card)

    def take(self) -> int:
        """The winner takes the trick."""
        winner = self.winner()[0]
        self.won[winner] += [card for _, card in self.trick]
        self.trick = []
        return winner


class KnockoutWhist(TrickGame):
    def __init__(self, players: int, cards: int) -> None:
        super().__init__(players)
        self.size = self.first_size = cards
        self.still_in = list(range(players))
        self.chooser = 0
        self.is_cut = self.is_choosing = False
        self.is_turned = False

    def moves(self) -> list[int]:
        if len(self.still_in) == 1:
            return []
        if self.is_cut:
            return self.best()
        if self.is_choosing:
            return [52, 53, 54, 55]
        return self.pack if self.player == CHANCE else self.followers()

    def tricks(self, player: int) -> int:
        return len(self.won[player]) // len(self.sat)

    def best(self) -> list[int]:
        most = max(self.tricks(player) for player in self.sat)
        return [player for player in self.sat if self.tricks(player) == most]

    def play(self, move: int) -> None:
        if self.is_cut:
            self.public.append(move)
            self.next_deal(move)
        elif self.is_choosing:
            self.public.append(move)
            self.is_choosing = False
            self.trump = move - 52
        elif self.player == CHANCE:
            self.dealt(move)
        else:
            self.put(move)
            seats = self.still_in
            self.turn = seats[(seats.index(self.turn) + 1) % len(seats)]
            if len(self.trick) == len(seats):
                self.turn = self.take()
                if not self.hands[self.turn]:
                    self.end_deal()
                    return
            self.player = self.turn

    def dealt(self, card: int) -> None:
        count = sum(map(len, self.hands))
        if count == self.size * len(self.still_in):
            self.pack.remove(card)
            self.public.append(card)
            self.trump, self.is_turned = self.suit(card), True
            self.player = self.turn = self.sat_down()
            return
        self.give(self.still_in[count % len(self.still_in)], card)
        if count + 1 == self.size * len(self.still_in) and self.size < self.first_size:
            self.is_choosing = True
            self.player = self.turn = self.sat_down()

    def sat_down(self) -> int:
        self.sat = list(self.still_in)
        return self.chooser

    def end_deal(self) -> None:
        self.still_in = [player for player in self.sat if self.won[player]]
        if len(self.still_in) == 1:
            return
        if len(self.best()) > 1:
            self.is_cut, self.player = True, CHANCE
        else:
            self.next_deal(self.best()[0])

    def next_deal(self, chooser: int) -> None:
        self.is_cut = False
        self.player, self.chooser, self.trump = CHANCE, chooser, None
        self.size -= 1
        self.pack = list(range(52))
        self.won = [[] for _ in self.won]

    def returns(self) -> tuple[float, ...]:
        lost = -1 / (self.num_players - 1)
        return tuple(1.0 if player in self.still_in else lost for player in range(self.num_players))


class GermanWhist(TrickGame):
    def __init__(self) -> None:
        super().__init__(2)
        self.up: int | None = None
        self.drawer: int | None = None
        self.rounds = 0
        self.counted = [0, 0]

    def moves(self) -> list[int]:
        return self.pack if self.player == CHANCE else self.followers()

    def play(self, move: int) -> None:
        if self.player != CHANCE:
            self.put(move)
            self.player = self.turn = 1 - self.turn
            if len(self.trick) == 2:
                self.after_trick(self.take())
        elif self.rounds == 0 and len(self.hands[1]) < 13:
            self.give(0 if len(self.hands[0]) == len(self.hands[1]) else 1, move)
        elif self.drawer is not None:
            self.give(self.drawer, move)
            self.drawer = None
            self.player = CHANCE if self.pack else self.turn
        else:
            self.pack.remove(move)
            self.up = move
            self.public.append(move)
            self.trump = self.suit(move) if self.trump is None else self.trump
            self.player = self.turn

    def after_trick(self, winner: int) -> None:
        self.rounds += 1
        self.player = self.turn = winner
        if self.up is None:
            self.counted[winner] += 1
        else:
            self.hands[winner] = sorted([*self.hands[winner], self.up])
            self.up, self.drawer, self.player = None, 1 - winner, CHANCE

    def returns(self) -> tuple[float, ...]:
        return (1.0, -1.0) if self.counted[0] > self.counted[1] else (-1.0, 1.0)


class Belote(TrickGame):
    """The ranks are 7 8 9 J Q K 10 A."""

    ranks = 8
    plain: ClassVar = dict(zip(range(8), (0, 0, 0, 2, 3, 4, 10, 11), strict=True))
    trumps: ClassVar = dict(zip(range(8), (0, 0, 14, 20, 3, 4, 10, 11), strict=True))
    trump_order: ClassVar = [0, 1, 4, 5, 6, 7, 2, 3]  # 7 8 Q K 10 A 9 J

    def __init__(self) -> None:
        super().__init__(4)
        self.up: int | None = None
        self.taker: int | None = None
        self.bids: list[int] = []
        self.announced: int | None = None
        self.last: int | None = None

    def strength(self, card: int) -> int:
        return self.trump_order.index(card % 8) if self.suit(card) == self.trump else card % 8

    def moves(self) -> list[int]:
        if self.player == CHANCE:
            return self.pack
        if self.taker is not None:
            return self.allowed()
        if len(self.bids) == 8 or self.up is None:
            return []
        suits = [self.suit(self.up)] if len(self.bids) < 4 else sorted({0, 1, 2, 3} - {self.suit(self.up)})
        return [32, *(33 + suit for suit in suits)]

    def allowed(self) -> list[int]:
        hand = list(self.hands[self.turn])
        if not self.trick:
            return hand
        led = self.suit(self.trick[0][1])
        master, best = self.winner()
        own, trumps = self.of_suit(self.turn, led), self.of_suit(self.turn, self.trump)
        higher = [card for card in trumps if self.suit(best) != self.trump or self.strength(card) > self.strength(best)]
        if led == self.trump:
            return higher or trumps or hand
        if own:
            return own
        if master == (self.turn + 2) % 4:
            return hand
        return higher or trumps or hand

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.dealt(move)
        elif self.taker is None:
            self.bid(move)
        else:
            self.announce(move)
            self.put(move)
            self.turn = (self.turn + 1) % 4
            if len(self.trick) == 4:
                self.turn = self.last = self.take()
            self.player = self.turn

    def dealt(self, card: int) -> None:
        count = sum(map(len, self.hands))
        if count < 20:
            self.give(count % 4, card)
        elif self.up is None:
            self.pack.remove(card)
            self.public.append(card)
            self.up, self.player = card, 0
        else:
            self.give(next(player for player in range(4) if len(self.hands[player]) < 8), card)
            self.player = CHANCE if self.pack else 0

    def bid(self, move: int) -> None:
        self.bids.append(move)
        if move == 32:
            self.player = self.turn = (self.turn + 1) % 4
            return
        assert self.up is not None
        self.taker, self.trump = self.turn, move - 33
        self.hands[self.taker] = sorted([*self.hands[self.taker], self.up])
        self.turn, self.player = 0, CHANCE

    def announce(self, card: int) -> None:
        assert self.trump is not None
        pair = {8 * self.trump + 4, 8 * self.trump + 5}
        if card in pair and pair <= set(self.hands[self.turn]):
            self.announced = self.turn

    def returns(self) -> tuple[float, ...]:
        if self.taker is None:
            return (0.0, 0.0, 0.0, 0.0)
        scores = [self.team_score(team) for team in (0, 1)]
        lead = (scores[0] - scores[1]) / 272
        return lead, -lead, lead, -lead

    def cards_of(self, team: int) -> list[int]:
        return [*self.won[team], *self.won[team + 2]]

    def points(self, team: int) -> int:
        assert self.last is not None
        cards = self.cards_of(team)
        counted = sum((self.trumps if self.suit(card) == self.trump else self.plain)[card % 8] for card in cards)
        return counted + (10 if self.last % 2 == team else 0)

    def team_score(self, team: int) -> int:
        assert self.taker is not None
        bonus = [20 if self.announced is not None and self.announced % 2 == each else 0 for each in (0, 1)]
        if len(self.cards_of(team)) == 32:
            return 252 + bonus[team]
        if not self.cards_of(team):
            return bonus[team]
        taking = self.taker % 2
        margin = self.points(taking) + bonus[taking] - self.points(1 - taking) - bonus[1 - taking]
        if margin > 0:
            return self.points(team) + bonus[team]
        if team == taking:
            return bonus[team]
        return (162 if margin < 0 else self.points(team)) + bonus[team]


class BridgePlay(TrickGame):
    def __init__(self, cards: int, trump: str, target: int) -> None:
        super().__init__(4)
        self.size, self.target = cards, target
        self.trump = None if trump == "NT" else "CDHS".index(trump)
        self.pack = [card for card in self.pack if card % 13 >= 13 - cards]

    def moves(self) -> list[int]:
        return self.pack if self.player == CHANCE else self.followers()

    def play(self, move: int) -> None:
        if self.player == CHANCE:
            self.give(sum(map(len, self.hands)) % 4, move)
            if not self.pack:
                self.player = self.turn = 1
            return
        self.put(move)
        self.turn = self.take() if len(self.trick) == 4 else (self.turn + 1) % 4
        self.player = 0 if self.turn == 2 else self.turn

    def returns(self) -> tuple[float, ...]:
        tricks = len(self.won[0] + self.won[2]) // 4
        value = (2 * tricks - self.size) / self.size
        if self.target:
            value = 1.0 if tricks >= self.target else -1.0
        return value, -value, value, -value


class Hearts(TrickGame):
    def __init__(self, passing: str) -> None:
        super().__init__(4)
        self.direction = None if passing == "drawn" else ["none", "left", "across", "right"].index(passing)
        self.passed: list[list[int]] = [[], [], [], []]
        self.is_broken = False
        self.tricks = 0

    @property
    def is_passing(self) -> bool:
        return bool(self.direction) and sum(map(len, self.passed)) < 12

    def moves(self) -> list[int]:
        if self.direction is None:
            return [0, 1, 2, 3]
        if self.player == CHANCE:
            return self.pack
        hand = list(self.hands[self.turn])
        if self.is_passing:
            return hand
        harmless = [card for card in hand if self.suit(card) != HEARTS and card != 49]
        if not self.trick:
            if self.tricks == 0:
                return [0]
            others = [card for card in hand if self.suit(card) != HEARTS]
            return hand if self.is_broken or not others else others
        own = self.of_suit(self.turn, self.suit(self.trick[0][1]))
        return own or (harmless if self.tricks == 0 and harmless else hand)

    def play(self, move: int) -> None:
        if self.direction is None:
            self.direction = move
        elif self.player == CHANCE:
            self.give(sum(map(len, self.hands)) % 4, move)
            if not self.pack:
                self.player = self.turn = 0 if self.direction else self.opener()
        elif self.is_passing:
            self.hands[self.turn].remove(move)
            self.passed[self.turn].append(move)
            self.player = self.turn = sum(map(len, self.passed)) // 3 % 4
            if not self.is_passing:
                for player in range(4):
                    receiver = (player + self.direction) % 4
                    self.hands[receiver] = sorted(self.hands[receiver] + self.passed[player])
                self.player = self.turn = self.opener()
        else:
            self.put(move)
            self.is_broken = self.is_broken or self.suit(move) == HEARTS or move == 49
            self.turn = (self.turn + 1) % 4
            if len(self.trick) == 4:
                self.turn = self.take()
                self.tricks += 1
            self.player = self.turn

    def opener(self) -> int:
        return next(player for player in range(4) if 0 in self.hands[player])

    def returns(self) -> tuple[float, ...]:
        points = [sum(1 for card in cards if self.suit(card) == HEARTS) + 13 * (49 in cards) for cards in self.won]
        if 26 in points:
            points = [26 - each for each in points]
        return tuple((sum(points) / 4 - each) / 19.5 for each in points)


def new_whist(variant: str, players: int, cards: int) -> TrickGame:
    return GermanWhist() if variant == "german" else KnockoutWhist(players, cards)


GAMES = {"whist": new_whist, "hearts": Hearts, "belote": Belote, "bridgeplay": BridgePlay}
