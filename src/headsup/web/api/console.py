"""What a dealer takes and pays, hand by hand."""

from fastapi import APIRouter, Request

from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatSettlement
from headsup.game.table.state import Table
from headsup.game.values.money import format_cents
from headsup.web.api.login import CurrentPerson, StrictModel
from headsup.web.api.next_step import TablePath, require_table_to_deal
from headsup.web.api.records import Dollars

router = APIRouter(prefix="/api", tags=["dealing"])


class PayoutLine(StrictModel):
    """`pays` is what the house or the pool adds; `returns` is the stake that goes back."""

    wager: Wager
    stake: Dollars
    result: Result
    net: Dollars
    pays: Dollars
    returns: Dollars
    award: Dollars
    why: str
    clause: str


class PayoutResponse(StrictModel):
    seat: int
    player: str
    resolved: bool
    net: Dollars
    lines: list[PayoutLine]


@router.get("/tables/{table}/payouts", response_model=list[PayoutResponse])
async def payouts(
    table: TablePath, request: Request, person: CurrentPerson
) -> list[PayoutResponse]:
    """The hands that were settled in this round, in order, and the one that is to be turned up
    next: what is taken and paid on each wager."""
    at = require_table_to_deal(request, person, table)[1]
    round = at.round
    if round is None or round.settlement is None:
        return []
    seats = (*round.resolved, *round.unresolved()[:1])
    made = round.settlement
    return [_payout(at, made.seat(seat), seat in round.resolved) for seat in seats]


def _payout(table: Table, made: SeatSettlement, resolved: bool) -> PayoutResponse:
    return PayoutResponse(
        seat=made.seat,
        player=table.players.get(made.seat, ""),
        resolved=resolved,
        net=format_cents(made.net),
        lines=[_line(line) for line in made.lines],
    )


def _line(line: Line) -> PayoutLine:
    lost = line.result is Result.LOSE or line.kept
    returns = 0 if lost or line.coupon else line.stake
    pays = line.net if not lost else line.net + (0 if line.coupon else line.stake)
    return PayoutLine(
        wager=line.wager,
        stake=format_cents(line.stake),
        result=line.result,
        net=format_cents(line.net),
        pays=format_cents(pays),
        returns=format_cents(returns),
        award=format_cents(line.award),
        why=line.why,
        clause=line.clause,
    )
