"""Teams: who sits together, and what a game pays whose end is not reached because somebody gave up."""


def sides_of(teams: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The players of each team, in the order of their first players."""
    members: dict[int, list[int]] = {}
    for player, team in enumerate(teams):
        members.setdefault(team, []).append(player)
    return tuple(map(tuple, members.values()))


def payoffs_if_lost(teams: tuple[int, ...], loser: int) -> tuple[float, ...]:
    """The payoffs when a player gives up: the whole team loses, and all others share the win."""
    lost = [player for player, team in enumerate(teams) if team == teams[loser]]
    num_others = len(teams) - len(lost)
    if num_others == 0:
        return (-1.0,) * len(teams)
    loss = -min(1 / (len(set(teams)) - 1), num_others / len(lost))
    return tuple(loss if player in lost else -loss * len(lost) / num_others for player in range(len(teams)))
