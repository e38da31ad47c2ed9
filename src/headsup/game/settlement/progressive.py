"""Pays shares of the progressive pool and computes what remains in it."""

from collections.abc import Sequence
from dataclasses import replace

from headsup.game.bank.awards import pool_awards
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement.model import Line, SeatSettlement
from headsup.game.values.money import MICROS_PER_CENT, Cents, Micros


def pool_claims(seats: Sequence[SeatSettlement]) -> list[tuple[int, Line]]:
    """The lines that win a share of the pool, each with its seat's index, in settlement order."""
    progressive = Wager.PROGRESSIVE
    return [
        (i, line)
        for i, seat in enumerate(seats)
        for line in seat.lines
        if line.wager is progressive and line.pay is not None and line.pay.kind is PayKind.POOL
    ]


def with_award(seat: SeatSettlement, line: Line, award: Cents) -> SeatSettlement:
    """The seat with this share of the pool added to its line."""
    won = replace(line, net=line.net + award, award=award)
    return seat._replace(lines=tuple(won if other is line else other for other in seat.lines))


def pay_pool(
    rules: TableRules, seats: list[SeatSettlement], meter: Micros | None
) -> tuple[list[SeatSettlement], Micros | None] | Refusal:
    """Pay percentage awards, the only ones that lower the pool (R75). Returns seats and pool."""
    claims = pool_claims(seats)
    if not claims:
        return seats, meter
    if meter is None:
        i, line = claims[0]
        share = line.pay.short if line.pay else ""
        return refusal(Code.MISSING_METER, where="meter", seat=seats[i].seat, share=share)
    shares = [line.pay.amount for _, line in claims if line.pay]
    shared = pool_awards(meter, shares, rules.sequential_awards, rules.bonus_jackpot)
    paid = list(seats)
    for (i, line), micros in zip(claims, shared.awards, strict=True):
        paid[i] = with_award(paid[i], line, micros // MICROS_PER_CENT)
    # R73: reset to the seed; fractions of a cent carry over (R79).
    return paid, shared.remaining + (rules.meter_seed if shared.resets else 0)
