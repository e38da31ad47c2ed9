"""How many floors each server should own, and which server gives floors to which.

Every server works this out from the same rows and carries out its own part alone. The floors are
shared evenly; a server that is about to stop has a share of nothing. So a planned stop, the loss of
a server and the arrival of a new one all follow one rule.
"""

from collections.abc import Collection, Mapping


def shares(counts: Mapping[str, int], free: int, draining: Collection[str]) -> dict[str, int]:
    """The number of floors each server should own, by server. No two differ by more than one, and
    those that own most keep one more, so that few floors move."""
    staying = sorted(
        (name for name in counts if name not in draining), key=lambda n: (-counts[n], n)
    )
    if not staying:
        return dict(counts)
    each, more = divmod(sum(counts.values()) + free, len(staying))
    shared = {name: each + (place < more) for place, name in enumerate(staying)}
    return {name: shared.get(name, 0) for name in counts}


def receivers(
    giver: str, counts: Mapping[str, int], draining: Collection[str], ready: Collection[str]
) -> list[str]:
    """The servers that the giver gives one floor each to, in order. `ready` may receive."""
    goal = shares(counts, 0, draining)
    room = {name: goal[name] - counts[name] for name in sorted(ready) if goal[name] > counts[name]}
    for name in sorted(counts):
        chosen = []
        for _ in range(max(counts[name] - goal[name], 0)):
            if not (poorest := max(room, key=lambda name: room[name], default="")):
                break
            chosen.append(poorest)
            room[poorest] -= 1
            if not room[poorest]:
                del room[poorest]
        if name == giver:
            return chosen
    return []
