"""The record of a floor out of the database, held against its head and its anchors."""

from collections.abc import Iterable

from headsup.game.record.auditor import AuditReport, audit
from headsup.game.record.chain import Head, format_link
from headsup.house.store.database import Database


def audit_floor(database: Database, floor: str, anchors: Iterable[Head] = ()) -> AuditReport:
    """As `headsup audit` does with a file. The log ends where the floor's row says it does, and
    goes through every anchor that was kept elsewhere."""
    head = database.head(floor)
    links = database.links(floor, end=head.count or None)
    return audit(map(format_link, links), head if head.count else None, anchors)
