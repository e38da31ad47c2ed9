"""The record of a floor out of the database, held against its head and its anchors; and what is
noted beside it, made anew from it by the one function that made it.

All is read at one moment, and never more of it at a time than a few hundred rounds.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select

from headsup.game.record.audit.auditor import Auditor, AuditReport, Finding
from headsup.game.record.chain import Head, format_link
from headsup.game.table.state import Floor
from headsup.house.audit.differences import Differences
from headsup.house.audit.history_hashes import HistoryHashAudit
from headsup.house.audit.incidents import IncidentsAudit
from headsup.house.audit.rounds import RoundsAudit
from headsup.house.audit.takings import TakingsAudit
from headsup.house.audit.thresholds import ThresholdHistory, read_threshold_history
from headsup.house.audit.wallet_moves import WalletMovesAudit
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.floor.wallet_moves import wallet_moves
from headsup.house.store.database import Database, read_head, read_links
from headsup.house.store.projection_tables import Incident
from headsup.house.store.schema import ENTRIES


@dataclass(frozen=True, slots=True)
class FloorAudit:
    """`differences` are of what is noted beside the log, as far as that holds."""

    report: AuditReport
    differences: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return self.report.holds and not self.differences


def audit_floor(database: Database, floor: str, anchors: Iterable[Head] = ()) -> FloorAudit:
    """As `headsup audit` does with a file. The log ends where the floor's row says it does, and
    goes through every anchor that was kept elsewhere, as far as it goes."""
    with database.at_one_moment() as connection:
        thresholds = read_threshold_history(connection)
        with closing(ProjectionAudit(connection, floor, thresholds)) as notes:
            report = _audit_log(connection, floor, anchors, notes.take)
            if report.finding is None:
                notes.finish(report.journal.floor)
        return FloorAudit(report, notes.differences, notes.remarks)


def _audit_log(
    connection: Connection,
    floor: str,
    anchors: Iterable[Head],
    each: Callable[[FloorDecision], None],
) -> AuditReport:
    head = read_head(connection, floor)
    auditor = Auditor(head if head and head.count else None, anchors)
    before, end = Floor(), head.count if head else None
    with closing(read_links(connection, floor, end=end)) as links:
        for one in auditor.accepted(map(format_link, links)):
            events = tuple(event for event, _ in one.moments)
            each(FloorDecision(before, auditor.report.journal, one.table, one.by, events))
            before = one.floor
    report = auditor.report
    if report.finding is None:
        return replace(report, finding=_check_end(connection, floor, head, report.journal.head))
    return report


def _check_end(
    connection: Connection, floor: str, head: Head | None, found: Head
) -> Finding | None:
    """Of a log that holds as far as the floor's row says that it goes."""
    if head is None:
        expected = "a row of the floor, with the end of its log"
        return Finding(found.count, "floor", expected, "none")
    entry = ENTRIES.c
    query = select(func.count()).where(entry.floor == floor, entry.index >= head.count)
    if more := connection.execute(query).scalar_one():
        expected = "the end of the log, as the row of the floor says"
        return Finding(head.count, "floor", expected, f"{more} more")
    return None


class ProjectionAudit:
    """What is noted beside one floor's log, decision by decision."""

    def __init__(self, connection: Connection, floor: str, thresholds: ThresholdHistory) -> None:
        self._thresholds, self._found = thresholds, Differences(f"floor {floor}")
        place = connection, floor, self._found
        self._rounds, self._takings = RoundsAudit(*place), TakingsAudit(*place)
        self._incidents, self._moves = IncidentsAudit(*place), WalletMovesAudit(*place)
        self._blocks = HistoryHashAudit(*place)

    def take(self, decided: FloorDecision) -> None:
        large = self._thresholds.at(decided.journal.at)
        notes = project_decision(replace(decided, large=large.highest))

        def perhaps() -> tuple[Incident, ...]:
            if large.lowest == large.highest:
                return ()
            return project_decision(replace(decided, large=large.lowest)).incidents

        self._rounds.take(notes)
        self._takings.take(notes.takings)
        self._blocks.take(notes.blocks)
        self._incidents.take(decided.index, notes.incidents, perhaps)
        moves = wallet_moves(decided.before, decided.table_id, decided.events, decided.index)
        self._moves.take(decided.index, decided.journal.at, moves)

    def finish(self, floor: Floor) -> None:
        """The log has ended, and holds."""
        self._rounds.finish()
        self._takings.finish()
        self._incidents.finish()
        self._moves.finish()
        self._blocks.finish(floor.tables)

    def close(self) -> None:
        for one in (self._takings, self._incidents, self._moves):
            one.close()

    @property
    def differences(self) -> tuple[str, ...]:
        return self._found.sentences

    @property
    def remarks(self) -> tuple[str, ...]:
        return self._blocks.remarks
