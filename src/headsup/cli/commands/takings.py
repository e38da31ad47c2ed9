"""`headsup takings`: what tables won, beside what was to be expected."""

import json
from typing import TYPE_CHECKING

import click

from headsup.cli.options.databases import database_option, open_for_reading
from headsup.cli.shell.command import Command, option
from headsup.game.values.money import MICROS_PER_CENT, format_cents

if TYPE_CHECKING:
    from headsup.house.cash.expected_win import TableExpectation

_HEADS = ("Table", "Rounds", "Drop", "Handle", "Win", "Expected", "Band of 95 %", "")


@click.command(cls=Command)
@database_option
@option("--since", metavar="DAY", default=None, help="The first day (UTC), like 2026-01-31.")
@option("--until", metavar="DAY", default=None, help="The first day that is left out.")
@option("--json", "as_json", is_flag=True, help="Print JSON.")
def takings(database: str, since: str | None, until: str | None, as_json: bool) -> None:
    """Compare what tables won with the exact expected win on the stakes placed."""
    with open_for_reading(database) as store:
        from headsup.library.house import expected_wins

        found = expected_wins(store, since, until)
    if as_json:
        print(json.dumps([_values(one) for one in found]))
        return
    if not found:
        print("No round was played.")
        return
    rows = [_HEADS, *map(_cells, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())


def _values(one: "TableExpectation") -> dict[str, object]:
    low, high = one.band
    return {
        "floor": one.taken.floor,
        "table": one.taken.table,
        "rounds": one.taken.rounds,
        "drop": format_cents(one.taken.drop),
        "handle": format_cents(one.taken.handle),
        "win": format_cents(round(one.taken.win / MICROS_PER_CENT)),
        "expected": format_cents(round(one.expected)),
        "low": format_cents(round(low)),
        "high": format_cents(round(high)),
        "within": one.is_within if one.is_judged else None,
    }


def _cells(one: "TableExpectation") -> tuple[str, ...]:
    values = _values(one)
    names = ("table", "rounds", "drop", "handle", "win", "expected")
    verdict = {None: "too few rounds to judge", True: "within", False: "outside"}
    band = f"{values['low']} to {values['high']}"
    within = one.is_within if one.is_judged else None
    return (*(str(values[name]) for name in names), band, verdict[within])
