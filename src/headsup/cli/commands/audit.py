"""`headsup audit`: whether a log is the log that was written, and everything in it possible."""

import json
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.options.databases import DatabaseOption
from headsup.cli.options.rules_option import JsonOption
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import show_count

if TYPE_CHECKING:
    from headsup.game.record.audit.auditor import AuditReport
    from headsup.game.record.chain import Head
    from headsup.house.audit.truncation import MissingEntries

TRUNCATION_NOTICE = (
    "Without an anchor nobody can see whether entries were cut off at the end "
    "or the whole log was written anew."
)


def audit(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="An event log, JSON Lines; - reads standard input."),
    ] = "",
    anchor: Annotated[
        str,
        typer.Option(
            "--anchor", metavar="COUNT:HASH", help="The end of the log as you kept it elsewhere."
        ),
    ] = "",
    database: DatabaseOption = "",
    floor: Annotated[str, typer.Option("--floor", metavar="NAME", help="Only this floor.")] = "",
    anchors: Annotated[
        str,
        typer.Option("--anchors", metavar="FILE", help="The anchors that a server wrote."),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Verify the hash chain of a log and re-derive every state, balance and meter from its events.

    With --database the logs of all floors, or of one, are read there, and wallets, floors and
    meters must agree. The exit status is 0 when the log holds, 1 with the first bad entry when it
    does not, or with what is missing when it ends before the last of the --anchors, and 2 when the
    file cannot be read.
    """
    if bool(file) == bool(database):
        raise Refused(Code.BAD_ARGUMENTS, "file_or_database")
    if database:
        from headsup.cli.commands.audit_house import audit_house

        if anchor:
            raise Refused(Code.BAD_ANCHOR, "floors", where="--anchor")
        audit_house(database, floor, anchors, as_json)
        return

    from headsup.cli.options.logs import log_lines, read_log_anchors
    from headsup.game.record.audit.auditor import audit as audit_lines
    from headsup.house.audit.truncation import missing_entries

    kept = read_log_anchors(anchors, floor)
    report = audit_lines(log_lines(file), parse_anchor(anchor), (one.head for one in kept))
    missing = missing_entries(report.journal.head, kept) if report.ends_early else None
    if as_json:
        typer.echo(json.dumps(report_json(report, missing)))
    else:
        print_report(report, missing)
    if not report.holds:
        raise typer.Exit(1)


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
    from headsup.game.record.digest import write_balances
    from headsup.game.values.money import format_micros

    floor, head, _ = report.journal
    finding = report.difference
    return {
        "holds": report.holds,
        "entries": head.count,
        "rounds": report.rounds,
        "tables": len(floor.tables),
        "head": {"count": head.count, "hash": head.hash},
        "anchored": report.anchor is not None if anchored is None else anchored,
        "anchors": {"kept": report.anchors, "met": report.anchors_met},
        "ends_before": missing and asdict(missing),
        "balances": {
            name: format_micros(micros)
            for name, micros in write_balances(floor.ledger).items()
            if isinstance(micros, int)
        },
        "meters": {name: format_micros(meter.pool) for name, meter in floor.meters.items()},
        "difference": finding
        and {
            "entry": finding.index,
            "fault": str(finding.fault),
            "expected": finding.expected,
            "found": finding.found,
        },
    }


def print_report(
    report: "AuditReport", missing: "MissingEntries | None" = None, anchored: bool | None = None
) -> None:
    """`anchored` says whether an anchor was kept elsewhere, where one was held beside the log."""
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screens.style import console, printable
    from headsup.game.record.digest import write_balances
    from headsup.game.values.money import format_micros, show_micro_dollars
    from headsup.game.views.posted import bonus_notices

    screen = console()
    floor, head, _ = report.journal
    if report.finding is not None:
        bad = report.finding
        screen.print(Text(f"The log does not hold at entry {bad.index}.", style="bold red"))
        screen.print(Text(f"  expected  {printable(bad.expected)}"), soft_wrap=True)
        screen.print(Text(f"  found     {printable(bad.found)}"), soft_wrap=True)
        screen.print(Text(f"Entries 0 to {head.count - 1} hold.") if head.count else Text(""))
        _print_anchors(report)
        return
    if missing is None:
        screen.print(Text("The log holds.", style="bold green"))
    else:
        print_missing("The log", missing)
    screen.print(
        f"{show_count(head.count, 'entry', 'entries')}, {show_count(report.rounds, 'round')}, "
        f"{show_count(len(floor.tables), 'table')}"
    )
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, micros in write_balances(floor.ledger).items():
        table.add_row(Text(f"  {printable(name)}"), format_micros(int(str(micros))))
    table.add_row(Text("  all accounts together", style="dim"), Text("0.00", style="dim"))
    for name, meter in floor.meters.items():
        table.add_row(Text(f"  meter {printable(name)} shows"), show_micro_dollars(meter.pool))
    screen.print(table)
    posted = (bonus_notices(table.rules) for table in floor.tables.values())
    for notice in dict.fromkeys(chain.from_iterable(posted)):
        screen.print(Text(f"  {printable(notice)}", style="dim"))
    screen.print(Text(f"head {head.count}:{head.hash}"), soft_wrap=True)
    _print_anchors(report)
    if not (report.anchor is not None if anchored is None else anchored):
        screen.print(Text(TRUNCATION_NOTICE, style="dim"))


def print_missing(
    what: str, missing: "MissingEntries", one: str = "Entry", many: str = "Entries"
) -> None:
    """No verdict that something is wrong, and none that nothing is."""
    from rich.text import Text

    from headsup.cli.screens.style import console

    screen = console()
    said = f"{what} holds as far as it goes, and ends before its last anchors."
    screen.print(Text(said, style="bold yellow"))
    alone, once = missing.first == missing.last, missing.since == missing.until
    gone = f"{one} {missing.first} is" if alone else f"{many} {missing.first} to {missing.last} are"
    anchored = f"at {missing.since}" if once else f"from {missing.since} to {missing.until}"
    screen.print(Text(f"  {gone} missing, as anchored {anchored}."), soft_wrap=True)


def _print_anchors(report: "AuditReport") -> None:
    """How many of a server's anchors the log went through, where any were given."""
    from headsup.cli.screens.style import console

    if report.anchors:
        kept = show_count(report.anchors, "anchor")
        none = "" if report.anchors_met else ": they may be of another log, or of another house"
        console().print(f"{report.anchors_met:,} of {kept} met{none}")
