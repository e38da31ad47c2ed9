"""The meter that a table plays for, its plan, and the meters of the same floor that its pool may
go to, with the Bonus cells that are the operator's to change: what the meter's forms offer."""

from collections.abc import Iterator

from fastapi import APIRouter, Request

from headsup.game.bank.meter import Active, Closing, Meter, Regime
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.money import format_micros
from headsup.house.people.permissions import Act
from headsup.web.api.login import CurrentPerson, StrictModel, require_permission
from headsup.web.api.next_step import TablePath, require_table
from headsup.web.api.records import Dollars

router = APIRouter(prefix="/api", tags=["dealing"])


class PoolView(StrictModel):
    meter: str
    shows: Dollars


class MeterClosingView(StrictModel):
    """The approved plan to end the wager (New York (k)(5))."""

    date: str
    approval: str
    to: str


class BonusCellView(StrictModel):
    """A row whose amount the operator sets; `key` and `outcome` name it in SetBonusCell."""

    key: str
    outcome: str
    label: str
    pays: str


class MetersResponse(StrictModel):
    own: PoolView | None
    planned: MeterClosingView | None
    others: list[PoolView]
    cells: list[BonusCellView]


@router.get("/tables/{table}/meters", response_model=MetersResponse)
async def meters(table: TablePath, request: Request, person: CurrentPerson) -> MetersResponse:
    """What the table plays for, and which other pools are open on its floor."""
    require_permission(person, Act.SEE_METERS)
    host, at = require_table(request, table)
    floor = host.journal.floor
    own = floor.meters.get(at.meter)
    standing = None if own is None else own.standing
    planned = None
    if isinstance(standing, Closing):
        planned = MeterClosingView(date=standing.date, approval=standing.approval, to=standing.to)
    others = (meter for name, meter in sorted(floor.meters.items()) if name != at.meter)
    return MetersResponse(
        own=None if own is None or own.ended else _describe_pool(own),
        planned=planned,
        others=[_describe_pool(meter) for meter in others if _can_take_pools(meter)],
        cells=list(_cells(at.rules)),
    )


def _cells(rules: TableRules) -> Iterator[BonusCellView]:
    for key, table in rules.paytables.items():
        printed = rules.book.tables_of(key).get(table.id)
        if printed is None:
            continue
        for row in table.rows:
            if printed.is_bonus(row.outcome) and not table.unreachable(row.outcome):
                yield BonusCellView(
                    key=key, outcome=row.outcome, label=row.label, pays=row.pay.printed
                )


def _can_take_pools(meter: Meter) -> bool:
    return meter.rules.regime is Regime.PROGRESSIVE and isinstance(meter.standing, Active)


def _describe_pool(meter: Meter) -> PoolView:
    return PoolView(meter=meter.rules.name, shows=format_micros(meter.shown))
