"""Audits one floor: replays its log, then checks the tables derived from it.

The log must be intact, end where the floor's row says and pass through every anchor. The derived
tables are rebuilt from it and compared (`rebuild.py`). Everything is read in one consistent
snapshot of the database.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from headsup.game.record.audit.auditor import Auditor, AuditReport, Finding
from headsup.game.record.chain import Head, format_link
from headsup.game.record.journal import Header
from headsup.game.table.state import Floor
from headsup.game.values.amounts import show_count
from headsup.house.audit.differences import Differences
from headsup.house.fairness.seal_store import find_seal
from headsup.house.fairness.sealed_shuffles import LostSeal
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.store.database import Database, read_head, read_links, read_secret
from headsup.house.store.engine import Connection
from headsup.house.store.house_log import read_identity
from headsup.house.store.rebuild import Rebuild, count_entries_after


@dataclass(frozen=True, slots=True)
class FloorAudit:
    """The result of auditing one floor. Differences and remarks are sentences."""

    report: AuditReport
    differences: tuple[str, ...]  # of the derived tables and stored seeds
    remarks: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.report.is_valid and not self.differences


def audit_floor(database: Database, floor: str, anchors: Iterable[Head] = ()) -> FloorAudit:
    """Audit a floor as `headsup audit` does a file, against anchors stored elsewhere."""
    with database.consistent_connection() as connection:
        rebuild = Rebuild(connection, floor)
        report = _audit_log(connection, floor, anchors, rebuild)
        if report.finding is not None:
            remark = f"floor {floor}: its log does not hold, so the tables beside it were not read"
            return FloorAudit(report, (), (remark,))
        differences = Differences(f"floor {floor}")
        differences.compare_tables(rebuild)
        seeds = _lost_seals(connection, floor, report.journal.floor)
        return FloorAudit(report, (*differences.sentences, *seeds), ())


def _lost_seals(connection: Connection, id: str, floor: Floor) -> Iterator[str]:
    """The seals at the log's end that cannot be opened with the seeds in the database."""
    for name, table in floor.tables.items():
        if table.sealed is not None:
            try:
                find_seal(table, partial(read_secret, connection))
            except LostSeal as lost:
                yield f"floor {id}: table {name}: {lost.sentence}"


def _audit_log(
    connection: Connection,
    floor: str,
    anchors: Iterable[Head],
    rebuild: Rebuild,
) -> AuditReport:
    head = read_head(connection, floor)
    header = Header(floor, read_identity(connection))
    auditor = Auditor(head if head and head.count else None, anchors, header)
    before, end = Floor(), head.count if head else None
    with closing(read_links(connection, floor, end=end)) as links:
        for entry in auditor.verify_entries(map(format_link, links)):
            journal = entry.journal
            decision = FloorDecision(before, journal, entry.table, entry.by, entry.events, entry.id)
            rebuild.add(project_decision(decision))
            before = journal.floor
    report = auditor.report
    if report.finding is None:
        return replace(report, finding=_check_end(connection, floor, head, report.journal.head))
    return report


def _check_end(
    connection: Connection, floor: str, head: Head | None, log_head: Head
) -> Finding | None:
    """Whether an intact log ends where the floor's row says."""
    if head is None:
        expected = "a row for the floor, with the end of its log"
        return Finding(log_head.count, "floor", expected, "none")
    if more := count_entries_after(connection, floor, head):
        expected = "the end of the log, according to the floor's row"
        return Finding(
            head.count, "floor", expected, show_count(more, "more entry", "more entries")
        )
    return None
