"""How rounds of the main game end, read off the joint distribution of a solution."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from headsup.analysis.solver.solution import RoundResult, Solution
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Comparison, Wager
from headsup.game.settlement import Line, main_lines
from headsup.game.values.hands import Category


@dataclass(frozen=True, slots=True)
class Ending:
    """All rounds that were decided in one way."""

    way: str
    probability: Fraction
    results: tuple[Fraction, Fraction, Fraction]  # wins, ties, loses: shares of all rounds
    net: Fraction  # in Antes, on average over these rounds


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """One result of a round in Antes: in how many deals, and its share of the mean."""

    net: Fraction
    deals: int
    probability: Fraction

    @property
    def contribution(self) -> Fraction:
        return self.net * self.probability


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One way in which the Odds wager ends; `net` is per unit staked."""

    label: str
    pays: str
    deals: int
    probability: Fraction
    net: Fraction

    @property
    def contribution(self) -> Fraction:
        return self.net * self.probability


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


def return_table(solution: Solution) -> tuple[ReturnRow, ...]:
    """Every result that a round can have, ascending: probabilities sum to 1, contributions to
    what the player loses on average."""
    deals: dict[Fraction, int] = {}
    for one in solution.results:
        deals[one.net] = deals.get(one.net, 0) + one.deals
    return tuple(
        ReturnRow(net, deals[net], Fraction(deals[net], solution.deals)) for net in sorted(deals)
    )


# Wager by wager, as settlement itself says.


def _settle_results(
    rules: TableRules, solution: Solution
) -> Iterator[tuple[RoundResult, list[Line]]]:
    """Every result with its lines, at the smallest Ante that settles without rounding."""
    exact = replace(rules, chip_unit=1, cap=None)
    tables = [rules.paytables[key] for key in ("odds", "bad_beat") if key in rules.paytables]
    unit = lcm(*(pay.amount.denominator for table in tables for pay in table.pays.values()))
    for one in solution.results:
        comparison = Comparison(one.result + 1)
        cell = Category(one.category), comparison, one.dealer_qualifies
        yield one, [*main_lines(exact, unit, one.multiple, *cell)]


def wager_edges(rules: TableRules, solution: Solution) -> dict[Wager, Fraction]:
    """What the house gains on each of Ante, Odds and Raise, per Ante; together the house edge."""
    edges = {wager: Fraction() for wager in (Wager.ANTE, Wager.ODDS, Wager.RAISE)}
    for one, lines in _settle_results(rules, solution):
        ante = lines[0].stake
        for line in lines:
            edges[line.wager] -= Fraction(one.deals * line.net, ante * solution.deals)
    return edges


def odds_rows(rules: TableRules, solution: Solution) -> tuple[OddsRow, ...]:
    """Every way in which the Odds wager ends, from the best down: hands that win, copies, Bad
    Beats, what loses, what was folded."""
    found: dict[tuple[int, int, str], tuple[Pay | None, Fraction, int]] = {}
    for one, lines in _settle_results(rules, solution):
        line = next(line for line in lines if line.wager is Wager.ODDS)
        net = Fraction(line.net, line.stake)
        key = _odds_case(one, line, rules)
        found[key] = (line.pay, net, found.get(key, (None, net, 0))[2] + one.deals)
    return tuple(
        OddsRow(label, _pays(pay), deals, Fraction(deals, solution.deals), net)
        for (_, _, label), (pay, net, deals) in sorted(found.items())
    )


_FOLDED, _LOST, _BEATEN, _TIED, _PUSHED, _WON = range(5, -1, -1)


def _odds_case(one: RoundResult, line: Line, rules: TableRules) -> tuple[int, int, str]:
    """Where the row stands, and its label: hands by name where the table pays them so."""
    if not one.multiple:
        return _FOLDED, 0, "Folded"
    if one.result == 0:
        return _TIED, 0, "Copies the dealer's hand"
    paid = line.pay is not None and line.pay.kind is PayKind.PAYS
    won = one.result > 0
    if not paid:
        return (_PUSHED, 0, "Any other hand wins") if won else (_LOST, 0, "Any other hand loses")
    table = rules.paytables["odds" if won else "bad_beat"]
    labels = {row.outcome: row.label for row in table.rows}
    place = 1 if line.outcome is Outcome.OTHER else -one.category
    label = f"{labels[line.outcome]} {'wins' if won else 'loses'}"
    return _WON if won else _BEATEN, place, label


def _pays(pay: Pay | None) -> str:
    return "" if pay is None else pay.short


def net_distribution(solution: Solution) -> dict[Fraction, Fraction]:
    """The distribution of a round's result in Antes, ascending."""
    return {row.net: row.probability for row in return_table(solution)}
