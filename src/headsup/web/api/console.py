"""Dealer console routes: payouts hand by hand, entering real cards, previews."""

import json
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.round.state import Phase, Round
from headsup.game.round.turned_over import hand_to_pay
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatSettlement
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.cards import card_name
from headsup.game.values.money import format_cents
from headsup.game.views.irregularity_preview import IrregularityPreview, preview_irregularities
from headsup.game.views.wire import WIRE_CODECS
from headsup.house.dealing.real_cards import preview_entry
from headsup.web.api.commands import command_response, desk_of
from headsup.web.api.login import COMMAND_RATE, CurrentPerson, StrictModel
from headsup.web.api.next_step import TablePath, require_table_to_deal
from headsup.web.api.records import Dollars
from headsup.web.live.protocol import EnterCardsRequest, ReplyMessage
from headsup.web.server.errors import ApiError

router = APIRouter(prefix="/api", tags=["dealing"])


class PayoutLine(StrictModel):
    """`pays` is what the house or the pool adds; `returns` is the stake returned to the player."""

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
    """What is taken and paid on each wager: of the hands resolved in this round, in order, and of
    the next one."""
    state = require_table_to_deal(request, person, table)[1]
    round = state.round
    if round is None or round.settlement is None:
        return []
    settlement = round.settlement
    due = round.unresolved_seats()[:1] if round.felt is None else (hand_to_pay(round),)
    seats = (*round.resolved, *(seat for seat in due if seat is not None))
    return [
        _describe_payout(state, settlement.seat(seat), seat in round.resolved) for seat in seats
    ]


def _describe_payout(table: Table, settlement: SeatSettlement, resolved: bool) -> PayoutResponse:
    return PayoutResponse(
        seat=settlement.seat,
        player=table.players.get(settlement.seat, ""),
        resolved=resolved,
        net=format_cents(settlement.net),
        lines=[_describe_line(line) for line in settlement.lines],
    )


def _describe_line(line: Line) -> PayoutLine:
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


# Previews: where typed cards would go, and what each irregularity would return or settle.


class PreviewCardsRequest(StrictModel):
    """Cards in the order of the deal, `QhJh…`, or by place, `board=…, seat 1=…, dealer=…`."""

    text: str = Field(max_length=1000)


class CardPlace(StrictModel):
    place: str
    card: str | None


class PreviewCardsResponse(StrictModel):
    """Where each card goes; `wrong` says why the rest is refused."""

    places: list[CardPlace]
    complete: bool
    wrong: str | None


@router.post("/tables/{table}/cards/preview", response_model=PreviewCardsResponse)
async def preview_cards(
    table: TablePath, body: PreviewCardsRequest, request: Request, person: CurrentPerson
) -> PreviewCardsResponse:
    """Where the cards typed so far would go."""
    state = require_table_to_deal(request, person, table)[1]
    preview = preview_entry(_require_waiting_round(state), body.text)
    return PreviewCardsResponse(
        places=[
            CardPlace(place=place, card=None if card is None else card_name(card))
            for place, card in preview.cards
        ],
        complete=preview.complete,
        wrong=None if preview.refusal is None else preview.refusal.message,
    )


@router.post("/tables/{table}/cards", response_model=ReplyMessage, dependencies=[COMMAND_RATE])
async def deal(
    table: TablePath, body: EnterCardsRequest, request: Request, person: CurrentPerson
) -> Response:
    """Deal the typed cards."""
    require_table_to_deal(request, person, table)
    return command_response(await desk_of(request).enter_cards(person, table, body))


def _require_waiting_round(table: Table) -> Round:
    round = table.round
    waits = round is not None and round.phase is Phase.NO_MORE_BETS
    if round is None or not waits or table.shuffle is not ShuffleSource.ENTERED:
        raise ApiError(409, "no_cards_due", "the table is not waiting for cards")
    return round


_PREVIEW = CodecRegistry(WIRE_CODECS).codec_for(IrregularityPreview)


def _write_preview(preview: IrregularityPreview) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(_PREVIEW.text(preview))
    return written


@router.get("/tables/{table}/irregularities")
async def irregularities(
    table: TablePath, request: Request, person: CurrentPerson
) -> list[dict[str, Any]]:
    """The irregularities that can be reported now, and what each resolution would return or settle,
    by seat."""
    round = require_table_to_deal(request, person, table)[1].round
    return [] if round is None else [_write_preview(item) for item in preview_irregularities(round)]
