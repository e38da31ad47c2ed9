"""How rounds of the main game end, read off the joint distribution of a solution."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.solution import Outcome, Solution
from headsup.game.hands import Category
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.tablerules import TableRules


@dataclass(frozen=True, slots=True)
class Ending:
    """All rounds with one decision."""

    decision: str
    probability: Fraction
    results: tuple[Fraction, Fraction, Fraction]  # wins, ties, loses: shares of all rounds
    net: Fraction  # in Antes, on average over these rounds


@dataclass(frozen=True, slots=True)
class OddsRow:
    label: str
    pays: str
    deals: int
    probability: Fraction


def endings(solution: Solution, raise_label: str) -> list[Ending]:
    """One line for each decision, and one for all."""
    by_decision: dict[str, list[Outcome]] = {}
    for outcome in solution.outcomes:
        decision = f"{raise_label} {outcome.multiple}× on the {outcome.street}"
        by_decision.setdefault(decision if outcome.multiple else "Fold", []).append(outcome)
    order = sorted(by_decision, key=lambda decision: decision == "Fold")
    lines = [_ending(decision, by_decision[decision], solution.deals) for decision in order]
    return [*lines, _ending("All rounds", list(solution.outcomes), solution.deals)]


def _ending(decision: str, outcomes: list[Outcome], deals: int) -> Ending:
    count = sum(outcome.deals for outcome in outcomes)
    net = sum((outcome.deals * outcome.net for outcome in outcomes), Fraction())

    def share(result: int) -> Fraction:
        met = (outcome for outcome in outcomes if _result(outcome) == result)
        return Fraction(sum(outcome.deals for outcome in met), deals)

    return Ending(
        decision, Fraction(count, deals), (share(1), share(0), share(-1)), Fraction(net, count)
    )


def _result(outcome: Outcome) -> int:
    """A folded hand has lost, whatever it would have become."""
    return outcome.result if outcome.multiple else -1


def odds_rows(rules: TableRules, solution: Solution) -> Iterator[OddsRow]:
    """Every pay of the Odds wager: on hands that win, then as Bad Beat on hands that lose."""
    for key, result, words in (("odds", 1, "{} wins"), ("bad_beat", -1, "{} loses")):
        table = rules.paytables.get(key)
        if table is None:
            continue
        deals = _by_category(solution, result)
        for row in sorted(table.rows, key=lambda row: _strength(row.outcome), reverse=True):
            if table.unreachable(row.outcome) or row.pay.kind is PayKind.LOSS:
                continue
            others = (count for hand, count in deals.items() if hand not in table.pays)
            count = sum(others) if row.outcome == "other" else deals.get(row.outcome, 0)
            share = Fraction(count, solution.deals)
            yield OddsRow(words.format(row.label), row.pay.short, count, share)


def _strength(outcome: str) -> int:
    return next((category for category in Category if category.key == outcome), -1)


def _by_category(solution: Solution, result: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for outcome in solution.outcomes:
        if outcome.multiple and outcome.result == result:
            key = Category(outcome.category).key
            counts[key] = counts.get(key, 0) + outcome.deals
    return counts


def nets(solution: Solution) -> dict[Fraction, Fraction]:
    """The distribution of a round's result in Antes, ascending."""
    deals: dict[Fraction, int] = {}
    for outcome in solution.outcomes:
        deals[outcome.net] = deals.get(outcome.net, 0) + outcome.deals
    return {net: Fraction(deals[net], solution.deals) for net in sorted(deals)}
