"""Audits one floor: replays its log, then checks the tables derived from it.

The log must be intact, end where the floor's row says and pass through every anchor. The derived
rows are projected again from the log by the same function that wrote them. Everything is read in
one consistent snapshot of the database, a few hundred rounds at a time.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection, func, select

from headsup.game.record.audit.auditor import Auditor, AuditReport, Finding
from headsup.game.record.chain import Head, format_link
from headsup.game.table.state import Floor
from headsup.game.values.amounts import show_count
from headsup.house.audit.differences import Differences
from headsup.house.audit.projections import (
    HistoryHashAudit,
    IncidentsAudit,
    RoundsAudit,
    TakingsAudit,
    WalletMovesAudit,
)
from headsup.house.audit.thresholds import ThresholdHistory, read_threshold_history
from headsup.house.fairness.seal_store import find_seal
from headsup.house.fairness.sealed_shuffles import LostSeal
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.store.database import Database, read_head, read_links, read_secret
from headsup.house.store.projection_rows import Incident
from headsup.house.store.schema import ENTRIES


@dataclass(frozen=True, slots=True)
class FloorAudit:
    """The result of auditing one floor. Differences and remarks are sentences."""

    report: AuditReport
    # Of the derived tables, up to where the log is intact, and of stored seeds.
    differences: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.report.is_valid and not self.differences


def audit_floor(database: Database, floor: str, anchors: Iterable[Head] = ()) -> FloorAudit:
    """Audit a floor as `headsup audit` does a file, against anchors stored elsewhere."""
    with database.consistent_connection() as connection:
        thresholds = read_threshold_history(connection)
        with closing(ProjectionAudit(connection, floor, thresholds)) as projections:
            report = _audit_log(connection, floor, anchors, projections.check)
            seeds: tuple[str, ...] = ()
            if report.finding is None:
                projections.finish(report.journal.floor)
                seeds = tuple(_lost_seals(connection, floor, report.journal.floor))
        return FloorAudit(report, (*projections.differences, *seeds), projections.remarks)


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
    check_decision: Callable[[FloorDecision], None],
) -> AuditReport:
    head = read_head(connection, floor)
    auditor = Auditor(head if head and head.count else None, anchors)
    before, end = Floor(), head.count if head else None
    with closing(read_links(connection, floor, end=end)) as links:
        for entry in auditor.verify_entries(map(format_link, links)):
            events = tuple(event for event, _ in entry.steps)
            journal = auditor.report.journal
            check_decision(FloorDecision(before, journal, entry.table, entry.actor, events))
            before = entry.floor
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
    entry = ENTRIES.c
    query = select(func.count()).where(entry.floor == floor, entry.index >= head.count)
    if more := connection.execute(query).scalar_one():
        expected = "the end of the log, according to the floor's row"
        return Finding(
            head.count, "floor", expected, show_count(more, "more entry", "more entries")
        )
    return None


class ProjectionAudit:
    """Checks all tables derived from a floor's log, one decision at a time."""

    def __init__(self, connection: Connection, floor: str, thresholds: ThresholdHistory) -> None:
        self._thresholds, self._differences = thresholds, Differences(f"floor {floor}")
        source = connection, floor, self._differences
        self._rounds, self._takings = RoundsAudit(*source), TakingsAudit(*source)
        self._incidents, self._moves = IncidentsAudit(*source), WalletMovesAudit(*source)
        self._hashes = HistoryHashAudit(*source)

    def check(self, decision: FloorDecision) -> None:
        thresholds = self._thresholds.at(decision.journal.time)
        projection, moves = project_decision(replace(decision, thresholds=thresholds.highest))

        def optional_incidents() -> tuple[Incident, ...]:
            if thresholds.lowest == thresholds.highest:
                return ()
            lowest = replace(decision, thresholds=thresholds.lowest)
            return project_decision(lowest)[0].incidents

        self._rounds.check(projection)
        self._takings.check(projection.takings)
        self._hashes.check(projection.history_hashes)
        self._incidents.check(decision.index, projection.incidents, optional_incidents)
        self._moves.check(decision.index, decision.journal.time, moves)

    def finish(self, floor: Floor) -> None:
        """Report rows that no entry explains. Only for a log that is intact to its end."""
        self._rounds.finish()
        self._takings.finish()
        self._incidents.finish()
        self._moves.finish()
        self._hashes.finish(floor.tables)

    def close(self) -> None:
        for audit in (self._takings, self._incidents, self._moves):
            audit.close()

    @property
    def differences(self) -> tuple[str, ...]:
        return self._differences.sentences

    @property
    def remarks(self) -> tuple[str, ...]:
        return self._hashes.remarks
