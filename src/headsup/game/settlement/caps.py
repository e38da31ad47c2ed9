"""Caps what one round pays, for each player or for the whole table (R100–R103)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from headsup.game.rulebook.model import Cap, PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.settlement.model import Line, SeatPlay, SeatSettlement
from headsup.game.values.money import Cents

# R101: these are paid first.
_CUT_ORDER = (Wager.ANTE, Wager.RAISE, Wager.ODDS, *SIDE_WAGERS)


def apply_cap(
    rules: TableRules, plays: Sequence[SeatPlay], seats: list[SeatSettlement]
) -> list[SeatSettlement]:
    """Apply the table's cap to all seats, which are in settlement order."""
    cap = rules.cap
    if cap is None:
        return seats
    clause = rules.book.options["cap"].clause
    if cap.scope == "table":
        return _cap_per_table(cap, clause, seats)
    return _cap_per_player(cap, clause, plays, seats)


def cap_single_seat(rules: TableRules, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Apply the cap to one seat that shares it with no other."""
    if rules.cap is None:
        return lines
    return _cut(lines, rules.cap, rules.book.options["cap"].clause, rules.cap.amount)


def winnings_under_cap(rules: TableRules, lines: Iterable[Line]) -> Cents:
    """The part of these lines' winnings that counts toward the cap."""
    cap = rules.cap
    return 0 if cap is None else sum(line.net for line in lines if _is_capped(line, cap))


def _cap_per_player(
    cap: Cap, clause: str, plays: Sequence[SeatPlay], seats: list[SeatSettlement]
) -> list[SeatSettlement]:
    """Each player has one allowance for all positions that they hold (R100)."""
    left: dict[str | int, Cents] = {}
    paid = []
    for play, seat in zip(plays, seats, strict=True):
        player = play.player or play.seat
        lines = _cut(seat.lines, cap, clause, left.get(player, cap.amount))
        used = sum(line.net for line in lines if _is_capped(line, cap))
        left[player] = left.get(player, cap.amount) - used
        paid.append(seat if lines is seat.lines else seat._replace(lines=lines))
    return paid


def _cap_per_table(cap: Cap, clause: str, seats: list[SeatSettlement]) -> list[SeatSettlement]:
    """R102: the cap is shared in proportion to what each seat won."""
    won = [sum(line.net for line in seat.lines if _is_capped(line, cap)) for seat in seats]
    total = sum(won)
    if total <= cap.amount:
        return seats
    return [
        seat._replace(lines=_cut(seat.lines, cap, clause, cap.amount * amount // total))
        for seat, amount in zip(seats, won, strict=True)
    ]


def _is_capped(line: Line, cap: Cap) -> bool:
    """Whether the cap covers this winning line. Shares of the pool are never cut (R103)."""
    return (
        line.wager in cap.wagers
        and line.net > 0
        and line.pay is not None
        and line.pay.kind is PayKind.PAYS
        and line.pay.amount >= cap.spares_below
    )


def _cut(lines: tuple[Line, ...], cap: Cap, clause: str, allowance: Cents) -> tuple[Line, ...]:
    """R101: pay Ante, Raise, then Odds until the allowance is used up. Cut lines cite the cap."""
    for line in sorted(lines, key=lambda line: _CUT_ORDER.index(line.wager)):
        if _is_capped(line, cap):
            paid = min(line.net, allowance)
            allowance -= paid
            if paid < line.net:
                cut = replace(line, net=paid, shortfall=line.net - paid, clause=clause)
                lines = tuple(cut if other is line else other for other in lines)
    return lines
