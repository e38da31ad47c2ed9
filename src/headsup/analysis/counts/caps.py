"""A cap on what one round pays (R100–R103), for exact counts of rounds.

Settlement pays Ante, Raise and Odds first, then side wagers. So the main game's result under a cap
depends on the main game alone and is counted exactly. A side wager's payout also depends on what
the other wagers won, and, where seats share the cap, on what the other seats won.
"""

from collections.abc import Iterator, Mapping

from headsup.analysis.solver.compile import is_trips_plus_forfeited
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Comparison, Street, Wager
from headsup.game.settlement import Line, main_lines, paid_line
from headsup.game.settlement.caps import winnings_under_cap
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents


def max_capped_wins(rules: TableRules, bets: Mapping[Wager, Cents]) -> dict[Wager, Cents]:
    """Each wager's largest win that counts towards the cap. ANTE stands for the main game."""
    wins = {
        Wager.ANTE: max(
            winnings_under_cap(rules, lines) for lines in _all_main_results(rules, bets[Wager.ANTE])
        )
    }
    for wager in SIDE_WAGERS:
        if wager in bets:
            outcomes = rules.paytables[wager.value].pays
            lines = [paid_line(rules, wager, bets[wager], outcome) for outcome in outcomes]
            wins[wager] = max(winnings_under_cap(rules, [line]) for line in lines)
    return {wager: amount for wager, amount in wins.items() if amount}


def _all_main_results(rules: TableRules, ante: Cents) -> Iterator[tuple[Line, ...]]:
    for multiple in {multiple for street in Street for multiple in rules.raises[street]}:
        for hand in Category:
            for result in Comparison:
                for qualifies in (False, True):
                    yield main_lines(rules, ante, multiple, hand, result, qualifies)


def cap_applies(rules: TableRules, bets: Mapping[Wager, Cents], seats: int = 1) -> bool:
    """Whether any round can win more than the cap. `seats` is how many may share it."""
    if rules.cap is None:
        return False
    sharing_seats = seats if rules.cap.scope == "table" else 1
    return sharing_seats * sum(max_capped_wins(rules, bets).values()) > rules.cap.amount


def best_play_label(rules: TableRules, bets: Mapping[Wager, Cents], seats: int = 1) -> str:
    """What to call the solved strategy.

    It is not the best play of the whole game if a cap applies or if a fold forfeits a side wager,
    because neither is part of the solve; except Trips Plus, if it is solved too (R54).
    """
    trips_plus_is_solved = is_trips_plus_forfeited(rules)
    has_forfeits = any(
        not rules.after_fold[wager] and not (wager is Wager.TRIPS_PLUS and trips_plus_is_solved)
        for wager in SIDE_WAGERS
        if bets.get(wager)
    )
    if has_forfeits:
        return "the best play of the main game alone"
    is_capped = cap_applies(rules, bets, seats)
    return "the best play of the game without its cap" if is_capped else "best play"


def is_payout_independent(
    rules: TableRules, bets: Mapping[Wager, Cents], wager: Wager, seats: int = 1
) -> bool:
    """Whether the capped payout of this wager depends on no other wager or seat."""
    cap = rules.cap
    if cap is None or not cap_applies(rules, bets, seats):
        return True
    wins = max_capped_wins(rules, bets)
    if wager not in wins:
        return True
    return (seats == 1 or cap.scope == "player") and (wager is Wager.ANTE or [*wins] == [wager])
