"""How rounds of the main game end, read off the joint distribution of a solution."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from headsup.analysis.solution import RoundResult, Solution
from headsup.game.hands import Category
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.tablerules import TableRules


@dataclass(frozen=True, slots=True)
class Ending:
    """All rounds that were decided in one way."""

    way: str
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
    """One line for each way to decide a round, and one for all."""
    by_way: dict[str, list[RoundResult]] = {}
    for one in solution.results:
        way = f"{raise_label} {one.multiple}× on the {one.street}"
        by_way.setdefault(way if one.multiple else "Fold", []).append(one)
    order = sorted(by_way, key=lambda way: way == "Fold")
    lines = [_ending(way, by_way[way], solution.deals) for way in order]
    return [*lines, _ending("All rounds", list(solution.results), solution.deals)]


def _ending(way: str, results: list[RoundResult], deals: int) -> Ending:
    count = sum(one.deals for one in results)
    net = sum((one.deals * one.net for one in results), Fraction())

    def share(result: int) -> Fraction:
        return Fraction(sum(one.deals for one in results if _result(one) == result), deals)

    return Ending(
        way, Fraction(count, deals), (share(1), share(0), share(-1)), Fraction(net, count)
    )


def _result(one: RoundResult) -> int:
    """A folded hand has lost, whatever it would have become."""
    return one.result if one.multiple else -1


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
    for one in solution.results:
        if one.multiple and one.result == result:
            key = Category(one.category).key
            counts[key] = counts.get(key, 0) + one.deals
    return counts


def nets(solution: Solution) -> dict[Fraction, Fraction]:
    """The distribution of a round's result in Antes, ascending."""
    deals: dict[Fraction, int] = {}
    for one in solution.results:
        deals[one.net] = deals.get(one.net, 0) + one.deals
    return {net: Fraction(deals[net], solution.deals) for net in sorted(deals)}
