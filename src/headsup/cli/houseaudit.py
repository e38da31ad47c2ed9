"""`headsup audit --database`: the logs of a house's floors, its anchors, and whether all agrees."""

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from headsup.cli.audit import print_report, written_report
from headsup.cli.databases import known_floor, reading
from headsup.cli.logs import anchors_in
from headsup.game.money import dollars

if TYPE_CHECKING:
    from headsup.game.record.auditor import AuditReport
    from headsup.house.incidents import IncidentsCounted
    from headsup.house.reconciliation import Books


@dataclass(frozen=True, slots=True)
class _Notes:
    """Of all floors that were looked at."""

    differences: tuple[str, ...]
    remarks: tuple[str, ...]


def audit_house(address: str, only: str, anchors: str, as_json: bool) -> None:
    from headsup.house.auditing.floor import audit_floor
    from headsup.house.auditing.strays import strays
    from headsup.house.incidents import counted
    from headsup.house.reconciliation import audited
    from headsup.house.records import recorded_floors

    anchored = anchors_in(anchors)
    with reading(address) as database:
        # A floor that was anchored, written or bought in at and is gone does not hold either.
        known = recorded_floors(database)
        floors = [known_floor(known, only)] if only else sorted({*known, *anchored})
        found = {floor: audit_floor(database, floor, anchored.get(floor, ())) for floor in floors}
        reports = {floor: one.report for floor, one in found.items()}
        unlike = [said for one in found.values() for said in one.differences]
        unlike += () if only else strays(database, known)
        remarks = [said for one in found.values() for said in one.remarks]
        notes = _Notes(tuple(unlike), tuple(remarks))
        held = {floor: report.journal for floor, report in reports.items() if report.holds}
        books = audited(database, held, reports.keys() - held.keys())
        told = counted(database)
    if as_json:
        typer.echo(json.dumps(_written(reports, books, notes, anchored, told)))
    else:
        _print(reports, books, anchored)
        _print_notes(notes)
        _print_events(told)
    if (
        books.differences
        or notes.differences
        or not all(report.holds for report in reports.values())
    ):
        raise typer.Exit(1)


def _written(
    reports: "dict[str, AuditReport]",
    books: "Books",
    notes: "_Notes",
    anchored: Container[str],
    told: "Iterable[IncidentsCounted]",
) -> dict[str, Any]:
    from headsup.game.money import format_cents

    return {
        "holds": not books.differences
        and not notes.differences
        and all(report.holds for report in reports.values()),
        "floors": {
            floor: written_report(report, floor in anchored) for floor, report in reports.items()
        },
        "books": {
            "paid_in": format_cents(books.paid_in),
            "in_wallets": format_cents(books.in_wallets),
            "on_floors": format_cents(books.on_floors),
            "differences": list(books.differences),
            "remarks": list(books.remarks),
        },
        "notes": {"differences": list(notes.differences), "remarks": list(notes.remarks)},
        "events": {one.kind.value: {"count": one.count, "last": one.last or None} for one in told},
    }


def _print(reports: "dict[str, AuditReport]", books: "Books", anchored: Container[str]) -> None:
    from rich.text import Text

    from headsup.cli.screen import console, printable

    screen = console()
    for floor, report in reports.items():
        screen.print(Text(f"Floor {printable(floor)}", style="bold"))
        print_report(report, floor in anchored)
    screen.print(Text("Wallets and floors", style="bold"))
    screen.print(
        f"paid in {dollars(books.paid_in)}: {dollars(books.in_wallets)} in wallets, "
        f"{dollars(books.on_floors)} bought in"
    )
    for difference in books.differences:
        screen.print(Text(printable(difference), style="bold red"))
    for remark in books.remarks:
        screen.print(Text(printable(remark), style="dim"))
    if not books.differences:
        screen.print(Text("Wallets, floors and meters agree.", style="bold green"))


def _print_notes(notes: "_Notes") -> None:
    from rich.text import Text

    from headsup.cli.screen import console, printable

    screen = console()
    screen.print(Text("What is noted beside the logs", style="bold"))
    for difference in notes.differences:
        screen.print(Text(printable(difference), style="bold red"), soft_wrap=True)
    for remark in notes.remarks:
        screen.print(Text(printable(remark), style="dim"), soft_wrap=True)
    if not notes.differences:
        said = "Rounds, hands, takings, moves and events are what the logs give."
        screen.print(Text(said, style="bold green"))


def _print_events(told: "Iterable[IncidentsCounted]") -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screen import console

    screen = console()
    screen.print(Text("Significant events", style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    for one in told:
        style = "" if one.count else "dim"
        name = Text(f"  {one.kind.value.replace('_', ' ')}", style=style)
        table.add_row(name, Text(f"{one.count:,}", style=style), one.last and f"last {one.last}")
    screen.print(table)
