"""A log that goes through every anchor up to its own end, and ends before the last of them: a copy
of an earlier moment, or one whose end is gone. Which of the two it is, no log can tell."""

from collections.abc import Iterable
from dataclasses import dataclass

from headsup.game.record.chain import Head
from headsup.house.integrity.anchors import Anchor


@dataclass(frozen=True, slots=True)
class MissingEntries:
    """The entries that were anchored and are not there, and when they were: `since` by the first
    anchor that knows of them, `until` by the last."""

    first: int
    last: int
    since: str
    until: str


def missing_entries(head: Head, anchors: Iterable[Anchor]) -> MissingEntries | None:
    """What is missing at the end of a log that agrees with its anchors as far as it goes."""
    beyond = [one for one in anchors if one.head.count > head.count]
    if not beyond:
        return None
    times = [one.at for one in beyond]
    last = max(one.head.count for one in beyond)
    return MissingEntries(head.count, last - 1, min(times), max(times))
