"""A cap on what one round pays, where rounds are counted (R100–R103).

Settlement itself cuts: Ante, Raise and Odds are paid first, then side wagers. So what the main game
nets under a cap turns on the main game alone, and is counted exactly. A side wager that shares the
cap with others is cut by what they won; and where seats share it, by what those won.
"""

from collections.abc import Iterator, Mapping

from headsup.analysis.par.par_sheet import is_trips_plus_forfeited
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Comparison, Street, Wager
from headsup.game.settlement import Line, main_lines, paid_line
from headsup.game.settlement.caps import winnings_under_cap
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents


def max_capped_wins(rules: TableRules, bets: Mapping[Wager, Cents]) -> dict[Wager, Cents]:
    """The most that each wager wins of what the cap covers; ANTE is the main game."""
    most = {
        Wager.ANTE: max(
            winnings_under_cap(rules, lines) for lines in _main(rules, bets[Wager.ANTE])
        )
    }
    for wager in SIDE_WAGERS:
        if wager in bets:
            rows = rules.paytables[wager.value].pays
            lines = [paid_line(rules, wager, bets[wager], outcome) for outcome in rows]
            most[wager] = max(winnings_under_cap(rules, [line]) for line in lines)
    return {wager: amount for wager, amount in most.items() if amount}


def _main(rules: TableRules, ante: Cents) -> Iterator[tuple[Line, ...]]:
    for multiple in {multiple for street in Street for multiple in rules.raises[street]}:
        for hand in Category:
            for result in Comparison:
                for qualifies in (False, True):
                    yield main_lines(rules, ante, multiple, hand, result, qualifies)


def cap_applies(rules: TableRules, bets: Mapping[Wager, Cents], seats: int = 1) -> bool:
    """Whether any round comes to more than the cap; `seats` are those that may share it."""
    if rules.cap is None:
        return False
    shared = seats if rules.cap.scope == "table" else 1
    return shared * sum(max_capped_wins(rules, bets).values()) > rules.cap.amount


def best_play_label(rules: TableRules, bets: Mapping[Wager, Cents], seats: int = 1) -> str:
    """What the solved strategy is truly called: a cap that cuts is settled and not solved for, and
    so is what a fold forfeits, but for Trips Plus where it is solved with the main game (R54)."""
    together = is_trips_plus_forfeited(rules)
    forfeited = any(
        not rules.after_fold[wager] and not (wager is Wager.TRIPS_PLUS and together)
        for wager in SIDE_WAGERS
        if bets.get(wager)
    )
    if forfeited:
        return "the best play of the main game alone"
    cut = cap_applies(rules, bets, seats)
    return "the best play of the game without its cap" if cut else "best play"


def is_capped_alone(
    rules: TableRules, bets: Mapping[Wager, Cents], wager: Wager, seats: int = 1
) -> bool:
    """Whether what the cap leaves of this wager turns on nothing but the wager itself."""
    cap = rules.cap
    if cap is None or not cap_applies(rules, bets, seats):
        return True
    most = max_capped_wins(rules, bets)
    if wager not in most:
        return True
    return (seats == 1 or cap.scope == "player") and (wager is Wager.ANTE or [*most] == [wager])
