"""Turns a settlement into JSON: the output of `settle`."""

from typing import Any

from headsup.game.notation.model import FinishedRound
from headsup.game.settlement import Line, SeatSettlement, Settlement
from headsup.game.values.cards import format_cards
from headsup.game.values.hands import best_five, category_of, hand_name
from headsup.game.values.money import format_cents, format_micros
from headsup.game.views.posted import bonus_notices


def write_settlement(round: FinishedRound, settlement: Settlement) -> dict[str, Any]:
    """The settlement as JSON-ready values, in a readable order."""
    deal = round.deal
    written: dict[str, Any] = {} if round.id is None else {"id": round.id}
    written["dealer"] = {
        **_write_hand((*deal.dealer, *deal.board), settlement.dealer_strength),
        "qualifies": settlement.dealer_qualifies,
    }
    settled = {seat.seat: seat for seat in settlement.seats}
    written["seats"] = [
        _write_seat(settled[play.seat], (*play.hole, *deal.board)) for play in round.plays
    ]
    written["order"] = list(settled)
    book = round.rules.book
    written["rules"] = {
        "id": book.id,
        "version": book.version,
        "fingerprint": round.rules.fingerprint,
    }
    written["meter"] = None
    if settlement.meter_before is not None and settlement.meter_after is not None:
        written["meter"] = {
            "before": format_micros(settlement.meter_before),
            "after": format_micros(settlement.meter_after),
        }
        if round.rules.bonus_jackpot:  # notices that must accompany the prize (R83)
            written["meter"]["notices"] = list(bonus_notices(round.rules))
    return written


def _write_seat(seat: SeatSettlement, cards: tuple[int, ...]) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        **_write_hand(cards, seat.strength),
        "wagers": {line.wager: _write_line(line) for line in seat.lines},
        "net": format_cents(seat.net),
    }


def _write_hand(cards: tuple[int, ...], strength: int) -> dict[str, str | None]:
    """Nulls if the round was void before all cards were dealt."""
    if len(cards) < 7:
        return {"category": None, "best": None, "hand": None}
    return {
        "category": category_of(strength).key,
        "best": format_cards(best_five(cards)),
        "hand": hand_name(strength),
    }


def _write_line(line: Line) -> dict[str, Any]:
    written: dict[str, Any] = {
        "stake": format_cents(line.stake),
        "result": line.result,
        "net": format_cents(line.net),
        "outcome": line.cause or line.outcome,
        "why": line.why,
        "clause": line.clause,
    }
    if line.award:
        written["award"] = format_cents(line.award)
    if line.breakage:
        written["breakage"] = format_micros(line.breakage)
    if line.shortfall:
        written["shortfall"] = format_cents(line.shortfall)
    if line.coupon:
        written["coupon"] = True
    return written
