"""Route for the office's meter forms.

They need the table's meter, its planned closing, the meters of the same floor that could take its
pool, and the Bonus cells.
"""

from collections.abc import Iterator

from fastapi import APIRouter, Request

from headsup.game.bank.meter import Active, Closing, Meter, PoolPlace, Regime
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.money import format_micros
from headsup.house.people.permissions import Act
from headsup.web.api.login import StrictModel, needs
from headsup.web.api.next_step import TablePath, require_table
from headsup.web.api.records import Dollars

router = APIRouter(prefix="/api", tags=["dealing"])


class PoolView(StrictModel):
    meter: str
    shows: Dollars


class MeterClosingView(StrictModel):
    """The approved plan to end the Progressive (New York (k)(5))."""

    date: str
    approval: str
    to: str
    place: PoolPlace
    floor: str
    due: bool


class BonusCellView(StrictModel):
    """A row whose amount the operator sets; `key` and `outcome` identify it in SetBonusCell."""

    key: str
    outcome: str
    label: str
    pays: str


class MetersResponse(StrictModel):
    own: PoolView | None
    planned: MeterClosingView | None
    others: list[PoolView]
    cells: list[BonusCellView]


@router.get(
    "/tables/{table}/meters", response_model=MetersResponse, dependencies=[needs(Act.SEE_METERS)]
)
async def meters(table: TablePath, request: Request) -> MetersResponse:
    """The meter a table plays for, and the other open meters of its floor."""
    host, state = require_table(request, table)
    floor = host.journal.floor
    meter = floor.meters.get(state.meter)
    standing = None if meter is None else meter.standing
    planned = None
    if isinstance(standing, Closing):
        planned = MeterClosingView(
            date=standing.date,
            approval=standing.approval,
            to=standing.to,
            place=standing.place,
            floor=standing.floor,
            due=standing.due,
        )
    others = (other for name, other in sorted(floor.meters.items()) if name != state.meter)
    return MetersResponse(
        own=None if meter is None or meter.is_ended else _describe_pool(meter),
        planned=planned,
        others=[_describe_pool(other) for other in others if _can_take_pools(other)],
        cells=list(_bonus_cells(state.rules)),
    )


def _bonus_cells(rules: TableRules) -> Iterator[BonusCellView]:
    for key, table in rules.paytables.items():
        printed = rules.book.tables_of(key).get(table.id)
        if printed is None:
            continue
        for row in table.rows:
            if printed.is_bonus(row.outcome) and not table.is_unreachable(row.outcome):
                yield BonusCellView(
                    key=key, outcome=row.outcome, label=row.label, pays=row.pay.printed
                )


def _can_take_pools(meter: Meter) -> bool:
    return meter.rules.regime is Regime.PROGRESSIVE and isinstance(meter.standing, Active)


def _describe_pool(meter: Meter) -> PoolView:
    return PoolView(meter=meter.rules.name, shows=format_micros(meter.displayed))
