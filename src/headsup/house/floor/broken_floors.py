"""The floors that a server keeps shut because their logs are broken.

The log must be audited. Until it verifies again, this server shows nothing new of the floor and
never takes it. The fault and its repair are each reported once.
"""

from collections.abc import Callable, Collection, Iterator

from headsup.house.floor.log_reader import BrokenLog
from headsup.house.log import log
from headsup.house.store.projection_rows import IncidentKind

EXAMINE_SECONDS = 30.0  # between two readings of a broken log; repairs take people much longer
MIN_EXAMINE_REST = 20  # times as long as the last reading took, if that was slow


class BrokenFloors(Collection[str]):
    def __init__(self, report: Callable[[IncidentKind, dict[str, object], str], None]) -> None:
        """`report` takes a significant event and the floor it is about."""
        self._report = report
        self._reasons: dict[str, tuple[IncidentKind, str]] = {}

    def __contains__(self, floor: object) -> bool:
        return floor in self._reasons

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._reasons))

    def __len__(self) -> int:
        return len(self._reasons)

    def shut(self, floor: str, broken: BrokenLog) -> None:
        kind = IncidentKind.DATA_LOSS if broken.is_shorter else IncidentKind.DATA_CHANGED
        why = str(broken)
        if self._reasons.get(floor) == (kind, why):
            return
        self._reasons[floor] = kind, why
        log.error("floor not opened, log broken", floor=floor, why=why)
        self._report(kind, {"why": why}, floor)

    def reopen(self, floor: str) -> None:
        kind, why = self._reasons.pop(floor)
        log.info("floor reopened, log verifies again", floor=floor, was=why)
        self._report(kind, {"act": "log verifies again", "was": why}, floor)
