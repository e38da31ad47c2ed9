"""Audits a whole house: all logs, the tables derived from them, and the books."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from headsup.game.record.audit.auditor import AuditReport, audit
from headsup.game.record.chain import Head
from headsup.game.table.state import DEFAULT_THRESHOLDS
from headsup.house.audit.floor import audit_floor
from headsup.house.audit.house_log import HouseLogAudit, audit_house_log
from headsup.house.cash.books import Books, audit_books
from headsup.house.integrity.anchor_file import MismatchReason, find_mismatches, sample_anchors
from headsup.house.integrity.anchors import HOUSE_LOG, Anchor, MissingEntries, missing_entries
from headsup.house.store.database import Database, recorded_floors
from headsup.house.store.engine import Connection
from headsup.house.store.incidents import IncidentCount, count_incidents, last_incident_about
from headsup.house.store.rebuild import stray_rows
from headsup.house.store.settings import THRESHOLDS, read_reporting_thresholds, read_restored_at
from headsup.house.store.triggers import trigger_differences


@dataclass(frozen=True, slots=True)
class HouseAudit:
    """The result of an audit. Differences and remarks are sentences."""

    reports: Mapping[str, AuditReport]  # by floor
    books: Books
    differences: tuple[str, ...]  # of the tables derived from the logs
    remarks: tuple[str, ...]
    house_log: HouseLogAudit
    anchored_floors: Collection[str]
    incidents: tuple[IncidentCount, ...]
    missing: Mapping[str, MissingEntries]  # of logs that end before their last anchor, by floor
    restored_at: str | None  # time of the backup, if this is one or was restored from one
    has_foreign_anchors: bool  # some anchors belong to another house

    @property
    def holds(self) -> bool:
        return not (
            self.books.differences
            or self.differences
            or self.house_log.differences
            or any(report.finding for report in self.reports.values())
            or self.missing
            or self.has_foreign_anchors
        )


def audit_house(
    database: Database, anchors: Mapping[str, Sequence[Anchor]], only: str = ""
) -> HouseAudit:
    """Audit all floors, or `only` one that exists, against the anchors of each floor."""
    heads = {floor: [anchor.head for anchor in listed] for floor, listed in anchors.items()}
    house_heads = heads.pop(HOUSE_LOG, list[Head]())
    has_foreign_anchors = _has_foreign_anchors(database, anchors)
    known = recorded_floors(database)
    floors = [only] if only else sorted(known)
    audits = {floor: audit_floor(database, floor, heads.get(floor, ())) for floor in floors}
    reports = {floor: result.report for floor, result in audits.items()}
    differences = [sentence for result in audits.values() for sentence in result.differences]
    differences += () if only else find_orphans(database, known)
    with database.read_connection() as connection:
        differences += trigger_differences(connection)
    remarks = tuple(sentence for result in audits.values() for sentence in result.remarks)
    journals = {
        floor: report.journal for floor, report in reports.items() if report.finding is None
    }
    books = audit_books(database, journals, reports.keys() - journals.keys())
    # A floor with rows or buy-ins but no log is reported as a difference. If a floor was anchored
    # but left no trace here, all its entries are missing.
    lost = set() if only else heads.keys() - known
    reports |= {floor: audit((), anchors=heads[floor]) for floor in lost}
    house_log, incidents = audit_house_log(database, house_heads), count_incidents(database)
    with database.read_connection() as connection:
        restored_at = read_restored_at(connection)
    ends = {floor: report.journal.head for floor, report in reports.items() if report.is_truncated}
    ends |= {HOUSE_LOG: house_log.head} if house_log.ends_early else {}
    missing = {floor: missing_entries(head, anchors[floor]) for floor, head in ends.items()}
    return HouseAudit(
        dict(sorted(reports.items())),
        books,
        tuple(differences),
        remarks,
        house_log,
        heads,
        incidents,
        {floor: entries for floor, entries in missing.items() if entries is not None},
        restored_at,
        has_foreign_anchors,
    )


def _has_foreign_anchors(database: Database, anchors: Mapping[str, Sequence[Anchor]]) -> bool:
    """Whether some anchors belong to another house.

    They are reported, not refused: a database rewritten from its first link looks the same.
    """
    return any(
        mismatch.reason is MismatchReason.OTHER_HOUSE
        for mismatch in find_mismatches(database, sample_anchors(anchors))
    )


def find_orphans(database: Database, known: Collection[str]) -> Iterator[str]:
    """Report rows of floors that do not exist, and a threshold setting that no event explains.

    `known` are the floors that were audited; others may have been opened since.
    """
    with database.consistent_connection() as connection:
        yield from _threshold_differences(connection)
        for floor, rows in stray_rows(connection, known):
            yield f"floor {floor}: {rows}, but no such floor exists"


def _threshold_differences(connection: Connection) -> Iterator[str]:
    """The thresholds that servers give to their tables must be those of the last change."""
    last = last_incident_about(connection, THRESHOLDS)
    said = DEFAULT_THRESHOLDS._asdict() if last is None else last["now"]
    if said != read_reporting_thresholds(connection)._asdict():
        yield "the reporting thresholds differ from those in the last event"
