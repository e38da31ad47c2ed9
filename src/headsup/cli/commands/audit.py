"""`headsup audit`: checks that a log or a whole database adds up and was not altered."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import json_option
from headsup.cli.options.databases import (
    check_floor,
    database_option,
    open_for_reading,
    require_server_extra,
)
from headsup.cli.options.logs import log_lines, read_anchors_by_floor, read_log_anchors
from headsup.cli.shell.command import Command, option
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.record.audit.auditor import AuditReport
    from headsup.game.record.chain import Head
    from headsup.house.audit.house import HouseAudit
    from headsup.house.integrity.anchors import MissingEntries


@click.command(cls=Command)
@click.argument(
    "file", metavar="[FILE]", default="", help="An event log, JSON Lines; - reads standard input."
)
@option(
    "--anchor", metavar="COUNT:HASH", default="", help="The log's head, as you stored it elsewhere."
)
@database_option
@option("--floor", metavar="NAME", default="", help="Only this floor.")
@option("--anchors", metavar="FILE", default="", help="An anchor file written by a server.")
@json_option
def audit(file: str, anchor: str, database: str, floor: str, anchors: str, as_json: bool) -> None:
    """Verify the hash chain of a log and re-derive every state, balance and meter from its events.

    With --database, audit the logs of all floors, or of one, and check that wallets, floors and
    meters agree. Exit status: 0 if the log is intact; 1 if an entry is bad, or if the log ends
    before the last of the --anchors; 2 if the file cannot be read.
    """
    if bool(file) == bool(database):
        raise Refused(Code.BAD_ARGUMENTS, "file_or_database")
    if database:
        if anchor:
            raise Refused(Code.BAD_ANCHOR, "floors", where="--anchor")
        _audit_database(database, floor, anchors, as_json)
        return

    from headsup.game.record.audit.auditor import audit as audit_lines
    from headsup.house.integrity.anchors import missing_entries

    log_anchors = read_log_anchors(anchors, floor)
    heads = (log_anchor.head for log_anchor in log_anchors)
    report = audit_lines(log_lines(file), parse_anchor(anchor), heads)
    missing = missing_entries(report.journal.head, log_anchors) if report.is_truncated else None
    if as_json:
        print(json.dumps(report_json(report, missing)))
    else:
        from headsup.cli.screens.audit import print_report

        print_report(report, missing)
    if not report.is_valid:
        raise SystemExit(1)


def parse_anchor(text: str) -> "Head | None":
    from headsup.game.record.chain import Head

    if not text:
        return None
    count, _, digest = text.partition(":")
    hexadecimal = len(digest) == 64 and set(digest) <= set("0123456789abcdef")
    if not (count.isascii() and count.isdigit() and len(count) < 20 and hexadecimal):
        raise Refused(Code.BAD_ANCHOR, where=f"--anchor {text[:20]}")
    return Head(int(count), digest)


def report_json(
    report: "AuditReport", missing: "MissingEntries | None" = None, anchored: bool | None = None
) -> dict[str, Any]:
    from headsup.game.record.floor_text import write_balances
    from headsup.game.values.money import format_micros

    floor, head = report.journal.floor, report.journal.head
    finding = report.difference
    return {
        "holds": report.is_valid,
        "entries": head.count,
        "rounds": report.rounds,
        "tables": len(floor.tables),
        "head": {"count": head.count, "hash": head.hash},
        "anchored": report.anchor is not None if anchored is None else anchored,
        "anchors": {"kept": report.anchors, "met": report.anchors_matched},
        "ends_before": missing and asdict(missing),
        "balances": {
            name: format_micros(micros)
            for name, micros in write_balances(floor.ledger).items()
            if isinstance(micros, int)
        },
        "remarks": list(report.remarks),
        "meters": {name: format_micros(meter.pool) for name, meter in floor.meters.items()},
        "difference": finding
        and {
            "entry": finding.index,
            "fault": str(finding.fault),
            "expected": finding.expected,
            "found": finding.found,
        },
    }


def _audit_database(address: str, floor: str, anchors_file: str, as_json: bool) -> None:
    with require_server_extra():
        from headsup.house.audit.house import audit_house
        from headsup.house.store.database import recorded_floors

    anchors = read_anchors_by_floor(anchors_file)
    with open_for_reading(address) as database:
        if floor:
            check_floor(recorded_floors(database), floor)
        result = audit_house(database, anchors, floor)
    if as_json:
        print(json.dumps(house_audit_json(result)))
    else:
        from headsup.cli.screens.audit import print_house_audit

        print_house_audit(result)
    if not result.holds:
        raise SystemExit(1)


def house_audit_json(audit: "HouseAudit") -> dict[str, Any]:
    from headsup.game.values.money import format_cents
    from headsup.house.integrity.anchors import HOUSE_LOG

    books, house_log = audit.books, audit.house_log
    return {
        "holds": audit.holds,
        "ends_before": bool(audit.missing),
        "anchors_of_others": audit.has_foreign_anchors,
        "backup": audit.restored_at,
        "floors": {
            floor: report_json(report, audit.missing.get(floor), floor in audit.anchored_floors)
            for floor, report in audit.reports.items()
        },
        "books": {
            "paid_in": format_cents(books.paid_in),
            "in_wallets": format_cents(books.in_wallets),
            "on_floors": format_cents(books.on_floors),
            "differences": list(books.differences),
            "remarks": list(books.remarks),
        },
        "notes": {"differences": list(audit.differences), "remarks": list(audit.remarks)},
        "house": {
            "head": {"count": house_log.head.count, "hash": house_log.head.hash},
            "anchors": {"kept": house_log.anchors, "met": house_log.anchors_met},
            "ends_before": (missing := audit.missing.get(HOUSE_LOG)) and asdict(missing),
            "differences": list(house_log.differences),
        },
        "events": {
            incident.kind.value: {"count": incident.count, "last": incident.last or None}
            for incident in audit.incidents
        },
    }
