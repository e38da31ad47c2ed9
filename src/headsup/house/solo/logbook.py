"""The log of a table at home: audited before anything is added to it."""

from collections.abc import Iterable
from pathlib import Path

from headsup.game.record.audit.auditor import AuditReport, audit
from headsup.game.record.chain import Head
from headsup.game.record.journal import Journal
from headsup.game.refusal import Code, Refused
from headsup.house.store.log_file import LogFile
from headsup.house.store.log_file import UnwritableLog as UnwritableLog
from headsup.house.store.log_file import bounded_lines as bounded_lines
from headsup.house.store.log_file import read_lines as read_lines


class Logbook(LogFile):
    """A log file and the floor it leads to; nothing is added to one that does not hold."""

    report: AuditReport

    def __init__(self, path: Path) -> None:
        super().__init__(path, head_of=self._audited)

    def _audited(self, lines: Iterable[str]) -> Head:
        self.report = audit(lines)
        if self.report.finding is not None:
            raise Refused(Code.BROKEN_LOG, finding=self.report.finding)
        return self.report.journal.head

    @property
    def journal(self) -> Journal:
        """The floor and the end of the log as they were when the file was opened."""
        return self.report.journal
