"""Prints the result of `headsup audit` for one log or a whole house."""

from itertools import chain
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from headsup.cli.screens.style import console, printable
from headsup.game.record.audit.auditor import AuditReport
from headsup.game.record.floor_text import write_balances
from headsup.game.refusal import Code, refusal
from headsup.game.values.amounts import show_count
from headsup.game.values.money import format_micros, show_dollars, show_micro_dollars
from headsup.game.views.posted import bonus_notices
from headsup.house.integrity.anchors import HOUSE_LOG, MissingEntries

if TYPE_CHECKING:
    from headsup.house.audit.house import HouseAudit

TRUNCATION_NOTICE = (
    "Without an anchor, entries cut off at the end or a complete rewrite of the log cannot be "
    "detected."
)


def print_house_audit(audit: "HouseAudit") -> None:
    _print_floors_and_books(audit)
    _print_projections(audit)
    _print_house_log(audit)
    _print_incidents(audit)
    _print_truncation(audit)


def _print_floors_and_books(audit: "HouseAudit") -> None:
    screen, books = console(), audit.books
    if audit.has_foreign_anchors:
        message = refusal(Code.BAD_ANCHOR, "other_house").message
        screen.print(Text(f"{message[0].upper()}{message[1:]}.", style="bold red"))
    for floor, report in audit.reports.items():
        screen.print(Text(f"Floor {printable(floor)}", style="bold"))
        print_report(report, audit.missing.get(floor), floor in audit.anchored_floors)
    screen.print(Text("Wallets and floors", style="bold"))
    screen.print(
        f"paid in {show_dollars(books.paid_in)}: {show_dollars(books.in_wallets)} in wallets, "
        f"{show_dollars(books.on_floors)} bought in"
    )
    for difference in books.differences:
        screen.print(Text(printable(difference), style="bold red"))
    for remark in books.remarks:
        screen.print(Text(printable(remark), style="dim"))
    if not books.differences:
        screen.print(Text("Wallets, floors and meters agree.", style="bold green"))


def _print_projections(audit: "HouseAudit") -> None:
    agreement = "Rounds, hands, takings, moves and events agree with the logs."
    _print_part("Projections", audit.differences, audit.remarks, agreement)


def _print_house_log(audit: "HouseAudit") -> None:
    house_log = audit.house_log
    agreement = "Cash at the cage, accounts and house events agree with the house's log."
    _print_part("House log", house_log.differences, (), agreement)
    screen = console()
    screen.print(show_count(house_log.head.count, "entry", "entries"))
    screen.print(Text(f"head {house_log.head.count}:{house_log.head.hash}"), soft_wrap=True)
    if house_log.anchors:
        screen.print(
            f"{house_log.anchors_met:,} of {show_count(house_log.anchors, 'anchor')} matched"
        )
    if missing := audit.missing.get(HOUSE_LOG):
        print_missing("The house's log", missing)


def _print_truncation(audit: "HouseAudit") -> None:
    """If logs end before their last anchors, explain once what that means."""
    if not audit.missing:
        return
    if audit.restored_at:
        text = (
            f"This database was marked at {audit.restored_at} as a backup, or as restored from "
            "one, so its logs are expected to end before their last anchors. Play and payments "
            "after the backup are not in it."
        )
    else:
        text = (
            "Logs end before their last anchors, but this database is not marked as a backup. "
            "Unless it is an earlier copy, its latest entries were lost or cut off: keep "
            "everything, restore a backup, and find out who had access."
        )
    console().print(Text(text, style="bold yellow"))


def _print_part(
    title: str, differences: tuple[str, ...], remarks: tuple[str, ...], agreement: str
) -> None:
    screen = console()
    screen.print(Text(title, style="bold"))
    for difference in differences:
        screen.print(Text(printable(difference), style="bold red"), soft_wrap=True)
    for remark in remarks:
        screen.print(Text(printable(remark), style="dim"), soft_wrap=True)
    if not differences:
        screen.print(Text(agreement, style="bold green"))


def _print_incidents(audit: "HouseAudit") -> None:
    from headsup.house.incidents.sentences import KIND_NAMES

    screen = console()
    screen.print(Text("Significant events", style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    for row in audit.incidents:
        style = "" if row.count else "dim"
        name = Text(f"  {KIND_NAMES[row.kind]}", style=style)
        table.add_row(name, Text(f"{row.count:,}", style=style), row.last and f"last {row.last}")
    screen.print(table)


def print_report(
    report: AuditReport, missing: MissingEntries | None = None, anchored: bool | None = None
) -> None:
    """Print the audit of one log. `anchored`: whether it was compared with an anchor."""
    screen = console()
    floor, head = report.journal.floor, report.journal.head
    if report.finding is not None:
        finding = report.finding
        screen.print(Text(f"The log is broken at entry {finding.index}.", style="bold red"))
        screen.print(Text(f"  expected  {printable(finding.expected)}"), soft_wrap=True)
        screen.print(Text(f"  found     {printable(finding.found)}"), soft_wrap=True)
        screen.print(Text(f"Entries 0 to {head.count - 1} are intact.") if head.count else Text(""))
        _print_anchors(report)
        return
    if missing is None:
        screen.print(Text("The log is intact.", style="bold green"))
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
    table.add_row(Text("  sum of all accounts", style="dim"), Text("0.00", style="dim"))
    for name, meter in floor.meters.items():
        table.add_row(Text(f"  meter {printable(name)} shows"), show_micro_dollars(meter.pool))
    screen.print(table)
    posted = (bonus_notices(table.rules) for table in floor.tables.values())
    for notice in dict.fromkeys(chain.from_iterable(posted)):
        screen.print(Text(f"  {printable(notice)}", style="dim"))
    for remark in report.remarks:
        screen.print(Text(printable(remark), style="bold yellow"), soft_wrap=True)
    screen.print(Text(f"head {head.count}:{head.hash}"), soft_wrap=True)
    _print_anchors(report)
    if not (report.anchor is not None if anchored is None else anchored):
        screen.print(Text(TRUNCATION_NOTICE, style="dim"))


def print_missing(
    subject: str, missing: MissingEntries, singular: str = "Entry", plural: str = "Entries"
) -> None:
    """Print which anchored entries are missing. That alone does not prove the log wrong."""
    screen = console()
    verdict = f"{subject} is intact as far as it goes, but ends before its last anchors."
    screen.print(Text(verdict, style="bold yellow"))
    is_one, once = missing.first == missing.last, missing.since == missing.until
    entries = (
        f"{singular} {missing.first} is"
        if is_one
        else f"{plural} {missing.first} to {missing.last} are"
    )
    anchored = f"at {missing.since}" if once else f"from {missing.since} to {missing.until}"
    screen.print(Text(f"  {entries} missing (anchored {anchored})."), soft_wrap=True)


def _print_anchors(report: AuditReport) -> None:
    """Print how many of the given anchors the log matches, if any were given."""
    if report.anchors:
        given = show_count(report.anchors, "anchor")
        doubt = (
            "" if report.anchors_matched else ": they may belong to another log or another house"
        )
        console().print(f"{report.anchors_matched:,} of {given} matched{doubt}")
