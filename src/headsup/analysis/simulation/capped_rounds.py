"""Settles simulated rounds in which a cap limits the payouts, with the game's own settlement.

Such rounds are rare. The kernel only records how each seat's wagers ended, as two codes.
"""

from collections.abc import Sequence
from functools import cache

from headsup.analysis.counts.side_cases import all_6_outcomes, pocket_outcomes, progressive_outcomes
from headsup.analysis.joint.seating import SeatProfile
from headsup.analysis.kernels.simulate.tables import EVERYTHING, MAIN, WAGER_COLUMNS
from headsup.analysis.simulation.seat_lookups import COLUMN_BY_WAGER, multiples_of
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
    """What the cap takes at one table, by [seat][column]. `codes` come from the kernel."""
    rules = styles[0].rules
    lines = [_lines(style, *code) for style, code in zip(styles, codes, strict=True)]
    plays = [SeatPlay(seat, (), {}, UNDECIDED) for seat in range(len(styles))]
    settlements = [SeatSettlement(seat, 0, seat_lines) for seat, seat_lines in enumerate(lines)]
    return [_columns(seat.lines) for seat in apply_cap(rules, plays, settlements)]


@cache
def _lines(style: SeatProfile, main: int, side: int) -> tuple[Line, ...]:
    """All lines of a seat but forfeited stakes, which no cap concerns."""
    rules, bets = style.rules, style.bets
    rest, qualifies = divmod(main, 2)
    rest, result = divmod(rest, 3)
    multiple_index, category = divmod(rest, 10)
    multiple = multiples_of(style)[multiple_index]
    cell = Category(category), Comparison(result), bool(qualifies)
    lines = [*main_lines(rules, bets[Wager.ANTE], multiple, *cell)]
    has_folded, outcomes = _sides(rules, side, Wager.PROGRESSIVE in bets)
    for wager in SIDE_WAGERS:
        if wager in bets and (not has_folded or rules.after_fold[wager]):
            lines.append(paid_line(rules, wager, bets[wager], outcomes[wager]))
    return tuple(lines)


def _sides(
    rules: TableRules, side: int, has_progressive: bool
) -> tuple[bool, dict[SideWager, Outcome]]:
    rest, hand = divmod(side, 16)
    rest, pocket = divmod(rest, 256)
    rest, all_6_case = divmod(rest, 16)
    folded, case = divmod(rest, 32)
    outcomes: dict[SideWager, Outcome] = {
        Wager.TRIPS_PLUS: hand_outcome(Category(hand)),
        Wager.POCKET_BONUS: pocket_outcomes()[pocket],
        Wager.ALL_6: all_6_outcomes()[all_6_case],
    }
    if has_progressive:
        outcomes[Wager.PROGRESSIVE] = progressive_outcomes(rules)[case]
    return bool(folded), outcomes


def _columns(lines: Sequence[Line]) -> list[Cents]:
    shortfalls = [0] * WAGER_COLUMNS
    for line in lines:
        shortfalls[COLUMN_BY_WAGER.get(line.wager, MAIN)] += line.shortfall
        shortfalls[EVERYTHING] += line.shortfall
    return shortfalls
