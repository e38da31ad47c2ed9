"""The meter that a table plays for, its plan, and the meters of the same floor that its pool may
go to, with the Bonus cells that are the operator's to change: what the meter's forms offer."""

from collections.abc import Iterator

from fastapi import APIRouter, Request

from headsup.game.bank.meter import Active, Closing, Meter, Regime
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.money import format_micros
from headsup.house.people.permissions import Act
from headsup.web.api.login import Asker, _Strict, allowed
from headsup.web.api.next_step import TablePath, table_at
from headsup.web.api.records import Dollars

router = APIRouter(prefix="/api", tags=["dealing"])


class PoolShown(_Strict):
    meter: str
    shows: Dollars


class ClosingShown(_Strict):
    """The approved plan to end the wager (New York (k)(5))."""

    date: str
    approval: str
    to: str


class BonusCellShown(_Strict):
    """A row whose amount the operator sets; `key` and `outcome` name it in SetBonusCell."""

    key: str
    outcome: str
    label: str
    pays: str


class MetersShown(_Strict):
    own: PoolShown | None
    planned: ClosingShown | None
    others: list[PoolShown]
    cells: list[BonusCellShown]


@router.get("/tables/{table}/meters", response_model=MetersShown)
async def meters(table: TablePath, request: Request, person: Asker) -> MetersShown:
    """What the table plays for, and which other pools are open on its floor."""
    allowed(person, Act.SEE_METERS)
    host, at = table_at(request, table)
    floor = host.journal.floor
    own = floor.meters.get(at.meter)
    standing = None if own is None else own.standing
    planned = None
    if isinstance(standing, Closing):
        planned = ClosingShown(date=standing.date, approval=standing.approval, to=standing.to)
    others = (meter for name, meter in sorted(floor.meters.items()) if name != at.meter)
    return MetersShown(
        own=None if own is None or own.ended else _shown(own),
        planned=planned,
        others=[_shown(meter) for meter in others if _takes_pools(meter)],
        cells=list(_cells(at.rules)),
    )


def _cells(rules: TableRules) -> Iterator[BonusCellShown]:
    for key, table in rules.paytables.items():
        printed = rules.book.tables_of(key).get(table.id)
        if printed is None:
            continue
        for row in table.rows:
            if printed.is_bonus(row.outcome) and not table.unreachable(row.outcome):
                yield BonusCellShown(
                    key=key, outcome=row.outcome, label=row.label, pays=row.pay.printed
                )


def _takes_pools(meter: Meter) -> bool:
    return meter.rules.regime is Regime.PROGRESSIVE and isinstance(meter.standing, Active)


def _shown(meter: Meter) -> PoolShown:
    return PoolShown(meter=meter.rules.name, shows=format_micros(meter.shown))
