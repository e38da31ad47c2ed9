"""Simulated rounds in which a cap cuts what is paid: settled again, one by one, by the game itself.

They are rare, so the kernel only notes how each seat's wagers ended, as numbers.
"""

from collections.abc import Sequence
from functools import cache

from headsup.analysis.kernels.simulate.tables import EVERYTHING, MAIN, WAGER_COLUMNS
from headsup.analysis.simulation.seat_lookups import (
    COLUMN_BY_WAGER,
    SeatProfile,
    all_6_outcomes,
    multiples_of,
    pocket_outcomes,
    progressive_outcomes,
)
from headsup.game.round.decision import UNDECIDED
from headsup.game.rulebook.outcomes import Outcome, hand_outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Comparison, SideWager, Wager
from headsup.game.settlement import Line, SeatPlay, SeatSettlement, main_lines, paid_line
from headsup.game.settlement.caps import apply_cap
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents


def cap_shortfalls(
    styles: Sequence[SeatProfile], codes: Sequence[tuple[int, int]]
) -> list[list[Cents]]:
    """What is cut by [seat][column] at one table; `codes` are as the kernel notes them."""
    rules = styles[0].rules
    lines = [_lines(style, *code) for style, code in zip(styles, codes, strict=True)]
    plays = [SeatPlay(seat, (), {}, UNDECIDED) for seat in range(len(styles))]
    settled = [SeatSettlement(seat, 0, own) for seat, own in enumerate(lines)]
    return [_columns(seat.lines) for seat in apply_cap(rules, plays, settled)]


@cache
def _lines(style: SeatProfile, main: int, side: int) -> tuple[Line, ...]:
    """All but forfeited stakes, which no cap asks about."""
    rules, bets = style.rules, style.bets
    rest, qualifies = divmod(main, 2)
    rest, result = divmod(rest, 3)
    place, made = divmod(rest, 10)
    multiple = multiples_of(style)[place]
    cell = Category(made), Comparison(result), bool(qualifies)
    lines = [*main_lines(rules, bets[Wager.ANTE], multiple, *cell)]
    folded, outcomes = _sides(rules, side, Wager.PROGRESSIVE in bets)
    for wager in SIDE_WAGERS:
        if wager in bets and (not folded or rules.after_fold[wager]):
            lines.append(paid_line(rules, wager, bets[wager], outcomes[wager]))
    return tuple(lines)


def _sides(rules: TableRules, side: int, pool: bool) -> tuple[bool, dict[SideWager, Outcome]]:
    rest, hand = divmod(side, 16)
    rest, pocket = divmod(rest, 256)
    rest, six = divmod(rest, 16)
    folded, case = divmod(rest, 32)
    outcomes: dict[SideWager, Outcome] = {
        Wager.TRIPS_PLUS: hand_outcome(Category(hand)),
        Wager.POCKET_BONUS: pocket_outcomes()[pocket],
        Wager.ALL_6: all_6_outcomes()[six],
    }
    if pool:
        outcomes[Wager.PROGRESSIVE] = progressive_outcomes(rules)[case]
    return bool(folded), outcomes


def _columns(lines: Sequence[Line]) -> list[Cents]:
    cut = [0] * WAGER_COLUMNS
    for line in lines:
        cut[COLUMN_BY_WAGER.get(line.wager, MAIN)] += line.shortfall
        cut[EVERYTHING] += line.shortfall
    return cut
