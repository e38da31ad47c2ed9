"""A house's own file of anchors: heads are added while it is open, and what others have added is
looked at.

Who adds the anchors of another house, or of this one as it went on elsewhere (the old house beside
the restored one), is found out by the file that both name: no entry of this database is the one
that was anchored. A server is not started on such a file, and one that is open tells it.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from headsup.game.record.chain import Head
from headsup.game.refusal import Code, Refused
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.integrity.anchor_check import (
    AnchorMismatch,
    MismatchReason,
    chain_name,
    find_mismatches,
)
from headsup.house.integrity.anchors import HOUSE_CHAIN, Anchor, AnchorsFile
from headsup.house.integrity.private_file import create_private_file
from headsup.house.log import log, short_traceback
from headsup.house.store.database import Database
from headsup.house.store.projection_tables import IncidentKind

FILE_TIMEOUT_SECONDS = 5.0  # for a file on another machine
MAX_REPORTED_MISMATCHES = 100  # kinds and logs of which a running server tells, each once
_MAX_NAME_CHARS = 100  # characters of a name that stands in a file

_WORDS = {
    MismatchReason.OTHER_HOUSE: "another house adds to the file of anchors",
    MismatchReason.PAST_END: "the file of anchors has more entries than the database: "
    "the house goes on elsewhere, or entries are lost",
    MismatchReason.OTHERWISE: "the file of anchors has other entries than the database: "
    "the house goes on elsewhere, or the database was changed",
}
_SHORTER = "the file of anchors is shorter than it was"


class AnchorWriter:
    """Of one server."""

    def __init__(self, path: Path, database: Database, diary: IncidentQueue) -> None:
        self._database, self._diary = database, diary
        self._file, self._house = AnchorsFile(path), ""
        self._last: dict[str, Head] = {}  # of each log, what was added
        self._told: set[tuple[str, str]] = set()
        self._adding: asyncio.Future[tuple[bool, list[AnchorMismatch]]] | None = (
            None  # until it is done
        )
        self.unmet = 0  # anchors that were found in the file and are none of this database

    def check(self) -> bool:
        """Before the house is opened: refuses a file with which its anchors must not be mixed.
        Whether there was one. Blocks: for a thread."""
        where = str(self._file.path)
        if self._is_the_database():
            raise Refused(Code.BAD_ANCHOR, "database", where=where)
        try:
            found = self._looked()
        except FileNotFoundError:
            create_private_file(self._file.path)
            return not self._file.path.exists()  # where it cannot be made, none is begun
        except OSError as error:  # the same is told each time that nothing can be added
            log.error("the anchors cannot be read", why=error.strerror, at=short_traceback(error))
            return True
        if found:
            one = min(found, key=lambda one: [*MismatchReason].index(one.why))
            count, what = one.anchor.head.count, chain_name(one.anchor.floor)[:_MAX_NAME_CHARS]
            said = {"what": what, "count": count, "entry": count - 1, "at": one.anchor.at}
            new = not self._whose() and not self._database.floors()
            case = "new_house" if new else one.why.value
            raise Refused(Code.BAD_ANCHOR, case, where=where, **said)
        return True

    def _is_the_database(self) -> bool:
        kept_in = self._database.engine.url.database if self._database.alone else None
        return bool(kept_in) and self._file.path.resolve() == Path(kept_in or "").resolve()

    async def add(self, heads: Mapping[str, Head], at: str) -> None:
        """The floors' heads that have moved, and that of the house; nobody waits for long: where
        the file does not answer, what moved meanwhile is added when it does."""
        if self._adding is None:
            self._adding = asyncio.ensure_future(asyncio.to_thread(self._added, heads, at))
        adding = self._adding
        if not (await asyncio.wait([adding], timeout=FILE_TIMEOUT_SECONDS))[0]:
            log.error("the anchors cannot be kept", why="the file does not answer")
            return
        self._adding = None
        try:
            shorter, found = adding.result()
        except OSError as error:  # play goes on; those who run the house must see to it
            log.error("the anchors cannot be kept", why=error.strerror, at=short_traceback(error))
            return
        if shorter:
            self._tell_once("shorter", "", _SHORTER, {})
        self._tell(found)

    def _added(self, heads: Mapping[str, Head], at: str) -> tuple[bool, list[AnchorMismatch]]:
        if shorter := self._file.is_shorter():
            self._file.read_anew()
            self._last.clear()
        self._add(heads, at)
        self._add({HOUSE_CHAIN: self._database.house_head()}, at)  # may not be to be had
        # Our own are among them: whether they are still met is asked along with the others.
        return shorter, self._looked()

    def _looked(self) -> list[AnchorMismatch]:
        try:
            return find_mismatches(self._database, self._file.unread())
        except SQLAlchemyError:
            self._file.read_anew()  # nobody knows yet what it means
            raise

    def _add(self, heads: Mapping[str, Head], at: str) -> None:
        moved = {
            floor: head
            for floor, head in sorted(heads.items())
            if head.count and self._last.get(floor) != head
        }
        if moved:
            house = self._whose()
            self._file.append(Anchor(at, floor, head, house) for floor, head in moved.items())
            self._last |= moved

    def _whose(self) -> str:
        if not self._house:
            with suppress(SQLAlchemyError):  # anchors that do not say it are better than none
                self._house = self._database.identity()
        return self._house

    def _tell(self, found: list[AnchorMismatch]) -> None:
        self.unmet += len(found)
        for one in found:
            floor, head = one.anchor.floor, one.anchor.head
            what = {
                "what": chain_name(floor)[:_MAX_NAME_CHARS],
                "count": head.count,
                "at": one.anchor.at,
            }
            self._tell_once(one.why.value, floor, _WORDS[one.why], what)

    def _tell_once(self, why: str, floor: str, words: str, what: dict[str, object]) -> None:
        if (why, floor) in self._told or len(self._told) >= MAX_REPORTED_MISMATCHES:
            return
        self._told.add((why, floor))
        said = {"why": words, "file": str(self._file.path), **what}
        log.error("the file of anchors is not this house's alone, or not whole", **said)
        self._diary.tell(IncidentKind.DATA_CHANGED, said)
