"""`headsup audit --database`: the logs of a house's floors, its anchors, and whether all agrees."""

import json
from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import typer

from headsup.cli.commands.audit import print_missing, print_report, report_json
from headsup.cli.options.databases import check_floor, open_for_reading
from headsup.cli.options.logs import read_anchors_by_floor
from headsup.game.refusal import Code, refusal
from headsup.game.values.counts import show_count
from headsup.game.values.money import show_dollars

if TYPE_CHECKING:
    from headsup.game.record.audit.auditor import AuditReport
    from headsup.house.audit.house_chain import ChainAudit
    from headsup.house.audit.truncation import MissingEntries
    from headsup.house.cash.reconciliation import Books
    from headsup.house.incidents.significant_events import IncidentCount
    from headsup.house.integrity.anchors import Anchor
    from headsup.house.store.database import Database


@dataclass(frozen=True, slots=True)
class _HouseAudit:
    """Of all floors that were looked at, and of the house; what differs is in sentences."""

    reports: "dict[str, AuditReport]"
    books: "Books"
    notes: tuple[str, ...]
    remarks: tuple[str, ...]
    chain: "ChainAudit"
    anchored: Container[str]
    told: "tuple[IncidentCount, ...]"
    missing: "dict[str, MissingEntries]"  # of the logs that end before their anchors, by floor
    marked: str | None  # when it was marked as a backup, or as restored from one
    others: bool  # whether there are anchors of another house

    @property
    def holds(self) -> bool:
        differ = self.books.differences or self.notes or self.chain.differences
        wrong = bool(differ) or any(report.finding for report in self.reports.values())
        return not wrong and not self.missing and not self.others


def audit_house(address: str, only: str, anchors: str, as_json: bool) -> None:
    found = _run_audit(address, only, anchors)
    if as_json:
        typer.echo(json.dumps(_audit_json(found)))
    else:
        _print(found)
        _print_projections(found)
        _print_chain(found)
        _print_incidents(found.told)
        _print_truncation(found)
    if not found.holds:
        raise typer.Exit(1)


def _run_audit(address: str, only: str, file: str) -> _HouseAudit:
    from headsup.game.record.audit.auditor import audit
    from headsup.house.audit.floor import audit_floor
    from headsup.house.audit.house_chain import audit_house_chain
    from headsup.house.audit.orphans import find_orphans
    from headsup.house.audit.truncation import missing_entries
    from headsup.house.cash.reconciliation import audit_books
    from headsup.house.history.floor_index import recorded_floors
    from headsup.house.incidents.significant_events import count_incidents
    from headsup.house.integrity.anchors import HOUSE_CHAIN
    from headsup.house.store.settings import read_restored_at

    anchored = read_anchors_by_floor(file)
    heads = {floor: [one.head for one in kept] for floor, kept in anchored.items()}
    of_house = heads.pop(HOUSE_CHAIN, [])
    with open_for_reading(address) as database:
        others = _has_foreign_anchors(database, anchored)
        known = recorded_floors(database)
        floors = [check_floor(known, only)] if only else sorted(known)
        found = {floor: audit_floor(database, floor, heads.get(floor, ())) for floor in floors}
        reports = {floor: one.report for floor, one in found.items()}
        notes = [said for one in found.values() for said in one.differences]
        notes += () if only else find_orphans(database, known)
        remarks = tuple(said for one in found.values() for said in one.remarks)
        held = {floor: one.journal for floor, one in reports.items() if one.finding is None}
        books = audit_books(database, held, reports.keys() - held.keys())
        # A floor that was written or bought in at and is gone does not hold; of one that was
        # anchored and has left no trace here, all is missing.
        gone = set() if only else heads.keys() - known
        reports |= {floor: audit((), anchors=heads[floor]) for floor in gone}
        chain, told = audit_house_chain(database, of_house), count_incidents(database)
        with database.reading() as connection:
            marked = read_restored_at(connection)
    ends = {floor: one.journal.head for floor, one in reports.items() if one.ends_early}
    ends |= {HOUSE_CHAIN: chain.head} if chain.ends_early else {}
    missing = {floor: missing_entries(head, anchored[floor]) for floor, head in ends.items()}
    return _HouseAudit(
        *(dict(sorted(reports.items())), books, tuple(notes), remarks, chain, heads, told),
        {floor: one for floor, one in missing.items() if one is not None},
        marked,
        others,
    )


def _has_foreign_anchors(database: "Database", anchored: "dict[str, list[Anchor]]") -> bool:
    """Whether some of them are of another house. They are not refused: a database that was written
    anew from its first link on looks the same."""
    from headsup.house.integrity.anchor_check import MismatchReason, find_mismatches, sample_anchors

    return any(
        one.why is MismatchReason.OTHER_HOUSE
        for one in find_mismatches(database, sample_anchors(anchored))
    )


def _audit_json(found: _HouseAudit) -> dict[str, Any]:
    from headsup.game.values.money import format_cents
    from headsup.house.integrity.anchors import HOUSE_CHAIN

    books, chain = found.books, found.chain
    return {
        "holds": found.holds,
        "ends_before": bool(found.missing),
        "anchors_of_others": found.others,
        "backup": found.marked,
        "floors": {
            floor: report_json(report, found.missing.get(floor), floor in found.anchored)
            for floor, report in found.reports.items()
        },
        "books": {
            "paid_in": format_cents(books.paid_in),
            "in_wallets": format_cents(books.in_wallets),
            "on_floors": format_cents(books.on_floors),
            "differences": list(books.differences),
            "remarks": list(books.remarks),
        },
        "notes": {"differences": list(found.notes), "remarks": list(found.remarks)},
        "house": {
            "head": {"count": chain.head.count, "hash": chain.head.hash},
            "from_before": chain.from_before,
            "anchors": {"kept": chain.anchors, "met": chain.anchors_met},
            "ends_before": (early := found.missing.get(HOUSE_CHAIN)) and asdict(early),
            "differences": list(chain.differences),
        },
        "events": {
            one.kind.value: {"count": one.count, "last": one.last or None} for one in found.told
        },
    }


def _print(found: _HouseAudit) -> None:
    from rich.text import Text

    from headsup.cli.screens.style import console, printable

    screen, books = console(), found.books
    if found.others:
        said = refusal(Code.BAD_ANCHOR, "other_house").message
        screen.print(Text(f"{said[0].upper()}{said[1:]}.", style="bold red"))
    for floor, report in found.reports.items():
        screen.print(Text(f"Floor {printable(floor)}", style="bold"))
        print_report(report, found.missing.get(floor), floor in found.anchored)
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


def _print_projections(found: _HouseAudit) -> None:
    said = "Rounds, hands, takings, moves and events are what the logs give."
    _print_part("What is noted beside the logs", found.notes, found.remarks, said)


def _print_chain(found: _HouseAudit) -> None:
    from rich.text import Text

    from headsup.cli.screens.style import console
    from headsup.house.integrity.anchors import HOUSE_CHAIN

    chain = found.chain
    said = "Cash at the cage and events of no decision are what the chain says."
    _print_part("The house's own chain", chain.differences, (), said)
    before = f", {chain.from_before:,} of them from before it" if chain.from_before else ""
    screen = console()
    screen.print(f"{show_count(chain.head.count, 'link')}{before}")
    screen.print(Text(f"head {chain.head.count}:{chain.head.hash}"), soft_wrap=True)
    if chain.anchors:
        screen.print(f"{chain.anchors_met:,} of {show_count(chain.anchors, 'anchor')} met")
    if missing := found.missing.get(HOUSE_CHAIN):
        print_missing("The chain", missing, "Link", "Links")


def _print_truncation(found: _HouseAudit) -> None:
    """What it means that logs end before their anchors, once for all of them."""
    from rich.text import Text

    from headsup.cli.screens.style import console

    if not found.missing:
        return
    if found.marked:
        said = (
            f"This database was marked at {found.marked} as a backup, or as restored from one: "
            "that logs end before their last anchors is to be expected of it. What was played and "
            "paid after the backup is not here."
        )
    else:
        said = (
            "Logs end before their last anchors, and nothing marks this database as a backup. "
            "Where it is not a copy of an earlier moment, its end is lost or was cut off: keep "
            "everything, restore a backup, ask who had access."
        )
    console().print(Text(said, style="bold yellow"))


def _print_part(
    title: str, differences: tuple[str, ...], remarks: tuple[str, ...], agree: str
) -> None:
    from rich.text import Text

    from headsup.cli.screens.style import console, printable

    screen = console()
    screen.print(Text(title, style="bold"))
    for difference in differences:
        screen.print(Text(printable(difference), style="bold red"), soft_wrap=True)
    for remark in remarks:
        screen.print(Text(printable(remark), style="dim"), soft_wrap=True)
    if not differences:
        screen.print(Text(agree, style="bold green"))


def _print_incidents(told: "Iterable[IncidentCount]") -> None:
    from rich.table import Table
    from rich.text import Text

    from headsup.cli.screens.style import console
    from headsup.house.incidents.sentences import KIND_NAMES

    screen = console()
    screen.print(Text("Significant events", style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    for one in told:
        style = "" if one.count else "dim"
        name = Text(f"  {KIND_NAMES[one.kind]}", style=style)
        table.add_row(name, Text(f"{one.count:,}", style=style), one.last and f"last {one.last}")
    screen.print(table)
