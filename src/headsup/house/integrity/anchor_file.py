"""Keeps a house's anchor file up to date, and checks that it belongs to this database.

Two houses may write to one file by mistake, or an old house may go on beside its restored copy.
Then some anchors match no entry of this database: a server refuses to start with such a file, and
a running one reports it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from headsup.game.record.chain import Head
from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.integrity.anchors import HOUSE_LOG, Anchor, AnchorFile
from headsup.house.integrity.private_file import create_private_file
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database, read_hashes
from headsup.house.store.errors import StoreError
from headsup.house.store.projection_rows import IncidentKind

# Checking anchors. This looks up anchored entries only, so it is cheap; an audit checks all
# entries between them, too.


class MismatchReason(TextEnum):
    """Why an anchor does not match the database."""

    OTHER_HOUSE = "other_house"
    PAST_END = "past_end"  # the log is shorter
    DIFFERENT = "otherwise"  # the log has another entry there


@dataclass(frozen=True, slots=True)
class AnchorMismatch:
    anchor: Anchor
    reason: MismatchReason


def find_mismatches(database: Database, anchors: Iterable[Anchor]) -> list[AnchorMismatch]:
    """The anchors that do not match this database.

    If they come from a file that is still written to, read the file before calling this: entries
    are stored before they are anchored.
    """
    unique = dict.fromkeys(anchors)
    counts_by_floor: dict[str, set[int]] = {}
    for anchor in unique:
        counts_by_floor.setdefault(anchor.floor, set()).add(anchor.head.count)
    identity, hashes = read_hashes(database, counts_by_floor)
    mismatches = [
        AnchorMismatch(anchor, reason)
        for anchor in unique
        if (reason := _mismatch_reason(anchor, identity, hashes))
    ]
    return _reclassify_unnamed(unique.keys(), mismatches)


def _mismatch_reason(
    anchor: Anchor, identity: str, hashes: Mapping[str, Mapping[int, str]]
) -> MismatchReason | None:
    if anchor.house and anchor.house != identity:
        return MismatchReason.OTHER_HOUSE
    hash = hashes[anchor.floor].get(anchor.head.count)
    if hash is None:
        return MismatchReason.PAST_END
    return None if hash == anchor.head.hash else MismatchReason.DIFFERENT


def _reclassify_unnamed(
    anchors: Set[Anchor], mismatches: list[AnchorMismatch]
) -> list[AnchorMismatch]:
    """Decide whether anchors that name no house belong to another one: then none of them matches.

    Floors' logs may be equal in two houses, house logs never are, so those decide if possible.
    """
    unnamed = {anchor for anchor in anchors if not anchor.house}
    decisive = {anchor for anchor in unnamed if anchor.floor == HOUSE_LOG} or unnamed
    unmatched = {
        mismatch.anchor: mismatch.reason for mismatch in mismatches if mismatch.anchor in decisive
    }
    if len(unmatched) < len(decisive) or MismatchReason.DIFFERENT not in unmatched.values():
        return mismatches
    return [
        AnchorMismatch(mismatch.anchor, MismatchReason.OTHER_HOUSE)
        if mismatch.anchor in unnamed
        else mismatch
        for mismatch in mismatches
    ]


def sample_anchors(anchors: Mapping[str, Iterable[Anchor]]) -> list[Anchor]:
    """A few anchors that show which houses they belong to: from each log the earliest, and one for
    each house that is named."""
    sample = []
    for log_anchors in anchors.values():
        sample.append(min(log_anchors, key=lambda anchor: anchor.head.count))
        sample += {anchor.house: anchor for anchor in log_anchors}.values()
    return sample


def chain_name(floor: str) -> str:
    return f"floor {floor}" if floor != HOUSE_LOG else "the house's own log"


# Writing anchors.

FILE_TIMEOUT_SECONDS = 5.0  # the file may be on another machine
MAX_REPORTED_MISMATCHES = 100  # a running server reports each reason and log once
_MAX_NAME_CHARS = 100  # names come from the file, which anybody may have written

_EXPLANATIONS = {
    MismatchReason.OTHER_HOUSE: "another house writes to this anchor file",
    MismatchReason.PAST_END: "the anchor file has more entries than the database: "
    "the house is running elsewhere, or entries were lost",
    MismatchReason.DIFFERENT: "the anchor file has other entries than the database: "
    "the house is running elsewhere, or the database was altered",
}
_SHORTENED = "lines were removed from the anchor file"


class AnchorWriter:
    """Adds one server's anchors to the file, and reports anchors that do not match."""

    def __init__(self, path: Path, database: Database, diary: IncidentQueue) -> None:
        self._database, self._diary = database, diary
        self._file, self._house = AnchorFile(path), ""
        self._last: dict[str, Head] = {}  # the last anchor added for each log
        self._reported: set[tuple[str, str]] = set()
        self._pending: asyncio.Future[tuple[bool, list[AnchorMismatch]]] | None = None
        self.mismatches = 0  # anchors in the file that do not match this database

    def check(self) -> bool:
        """Refuse to start with a file that is not this house's, and create a missing one.

        Returns whether there was one. Blocks: run in a thread.
        """
        where = str(self._file.path)
        if self._is_the_database():
            raise Refused(Code.BAD_ANCHOR, "database", where=where)
        try:
            mismatches = self._check_file()
        except FileNotFoundError:
            create_private_file(self._file.path)
            return not self._file.path.exists()  # if it cannot be created, it may be out of reach
        except OSError as error:  # start all the same: each attempt to add anchors logs it again
            log.error("anchor file not readable", why=error.strerror, at=short_traceback(error))
            return True
        if mismatches:
            worst = min(mismatches, key=lambda mismatch: [*MismatchReason].index(mismatch.reason))
            anchor = worst.anchor
            count, name = anchor.head.count, chain_name(anchor.floor)[:_MAX_NAME_CHARS]
            details = {"what": name, "count": count, "entry": count - 1, "at": anchor.at}
            is_new = self._database.house_head().count <= 1 and not self._database.floors()
            case = "new_house" if is_new else worst.reason.value
            raise Refused(Code.BAD_ANCHOR, case, where=where, **details)
        return True

    def _is_the_database(self) -> bool:
        file = self._database.engine.url.database if self._database.is_alone else None
        return bool(file) and self._file.path.resolve() == Path(file or "").resolve()

    async def add(self, heads: Mapping[str, Head], at: str) -> None:
        """Add the heads that have moved, the floors' and the house's.

        Waits FILE_TIMEOUT_SECONDS at most: if the file does not respond, the next call catches up.
        """
        if self._pending is None:
            add_and_check = asyncio.to_thread(self._add_and_check, heads, at)
            self._pending = asyncio.ensure_future(add_and_check)
        pending = self._pending
        if not (await asyncio.wait([pending], timeout=FILE_TIMEOUT_SECONDS))[0]:
            log.error("anchors not written", why="the file does not respond")
            return
        self._pending = None
        try:
            is_shorter, mismatches = pending.result()
        except OSError as error:  # play goes on; the operator has to act
            log.error("anchors not written", why=error.strerror, at=short_traceback(error))
            return
        if is_shorter:
            self._report_once("shorter", "", _SHORTENED, {})
        self._report(mismatches)

    def _add_and_check(
        self, heads: Mapping[str, Head], at: str
    ) -> tuple[bool, list[AnchorMismatch]]:
        if is_shorter := self._file.is_shorter():
            self._file.reset()
            self._last.clear()
        self._add(heads, at)
        self._add({HOUSE_LOG: self._database.house_head()}, at)  # raises if out of reach
        # This also checks the anchors just added.
        return is_shorter, self._check_file()

    def _check_file(self) -> list[AnchorMismatch]:
        try:
            return find_mismatches(self._database, self._file.read_new())
        except StoreError:
            self._file.reset()  # these anchors were not checked
            raise

    def _add(self, heads: Mapping[str, Head], at: str) -> None:
        moved = {
            floor: head
            for floor, head in sorted(heads.items())
            if head.count and self._last.get(floor) != head
        }
        if moved:
            house = self._identity()
            self._file.append(Anchor(at, floor, head, house) for floor, head in moved.items())
            self._last |= moved

    def _identity(self) -> str:
        if not self._house:
            with suppress(StoreError):  # better an anchor that names no house than none
                self._house = self._database.identity()
        return self._house

    def _report(self, mismatches: list[AnchorMismatch]) -> None:
        self.mismatches += len(mismatches)
        for mismatch in mismatches:
            anchor, reason = mismatch.anchor, mismatch.reason
            details = {
                "what": chain_name(anchor.floor)[:_MAX_NAME_CHARS],
                "count": anchor.head.count,
                "at": anchor.at,
            }
            self._report_once(reason.value, anchor.floor, _EXPLANATIONS[reason], details)

    def _report_once(
        self, reason: str, floor: str, explanation: str, details: dict[str, object]
    ) -> None:
        if (reason, floor) in self._reported or len(self._reported) >= MAX_REPORTED_MISMATCHES:
            return
        self._reported.add((reason, floor))
        incident = {"why": explanation, "file": str(self._file.path), **details}
        log.error("anchor file does not match the database", **incident)
        self._diary.add(IncidentKind.DATA_CHANGED, incident)
