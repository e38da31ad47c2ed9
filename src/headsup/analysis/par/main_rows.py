"""How rounds of the main game end: tables for the par sheet, from the counts of a solution."""

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
    """All rounds with the same deciding action."""

    way: str
    probability: Fraction
    results: tuple[Fraction, Fraction, Fraction]  # share of all rounds that win, tie, lose
    net: Fraction  # in Antes, on average over these rounds


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """One possible net result of a round, in Antes."""

    net: Fraction
    deals: int
    probability: Fraction

    @property
    def contribution(self) -> Fraction:
        """The part of the mean result that comes from this row."""
        return self.net * self.probability


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One way the Odds wager can end. `net` is per unit staked."""

    label: str
    pays: str
    deals: int
    probability: Fraction
    net: Fraction

    @property
    def contribution(self) -> Fraction:
        return self.net * self.probability


def endings(solution: Solution, raise_label: str) -> list[Ending]:
    """One row for each deciding action, and one for all rounds."""
    by_way: dict[str, list[RoundResult]] = {}
    for row in solution.results:
        way = f"{raise_label} {row.multiple}× on the {row.street}"
        by_way.setdefault(way if row.multiple else "Fold", []).append(row)
    order = sorted(by_way, key=lambda way: way == "Fold")
    rows = [_ending(way, by_way[way], solution.deals) for way in order]
    return [*rows, _ending("All rounds", list(solution.results), solution.deals)]


def _ending(way: str, results: list[RoundResult], deals: int) -> Ending:
    count = sum(row.deals for row in results)
    net = sum((row.deals * row.net for row in results), Fraction())

    def share(result: int) -> Fraction:
        return Fraction(sum(row.deals for row in results if _result(row) == result), deals)

    return Ending(
        way, Fraction(count, deals), (share(1), share(0), share(-1)), Fraction(net, count)
    )


def _result(row: RoundResult) -> int:
    """The result of the round: a folded hand loses, whatever it would have made."""
    return row.result if row.multiple else -1


def return_table(solution: Solution) -> tuple[ReturnRow, ...]:
    """Every net result a round can have, ascending.

    Probabilities sum to 1, contributions to the player's mean result.
    """
    deals: dict[Fraction, int] = {}
    for row in solution.results:
        deals[row.net] = deals.get(row.net, 0) + row.deals
    return tuple(
        ReturnRow(net, deals[net], Fraction(deals[net], solution.deals)) for net in sorted(deals)
    )


# Each wager of the main game, as settlement pays it.


def _settle_results(
    rules: TableRules, solution: Solution
) -> Iterator[tuple[RoundResult, list[Line]]]:
    """Settle every result at the smallest Ante that needs no rounding."""
    exact = replace(rules, chip_unit=1, cap=None)
    tables = [rules.paytables[key] for key in ("odds", "bad_beat") if key in rules.paytables]
    unit = lcm(*(pay.amount.denominator for table in tables for pay in table.pays.values()))
    for row in solution.results:
        comparison = Comparison(row.result + 1)
        cell = Category(row.category), comparison, row.dealer_qualifies
        yield row, [*main_lines(exact, unit, row.multiple, *cell)]


def wager_edges(rules: TableRules, solution: Solution) -> dict[Wager, Fraction]:
    """The house's gain on Ante, Odds and Raise, each per Ante. They add up to the house edge."""
    edges = {wager: Fraction() for wager in (Wager.ANTE, Wager.ODDS, Wager.RAISE)}
    for row, lines in _settle_results(rules, solution):
        ante = lines[0].stake
        for line in lines:
            edges[line.wager] -= Fraction(row.deals * line.net, ante * solution.deals)
    return edges


def odds_rows(rules: TableRules, solution: Solution) -> tuple[OddsRow, ...]:
    """Every way the Odds wager can end, best first: from wins down to losses and folds."""
    cases: dict[tuple[int, int, str], tuple[Pay | None, Fraction, int]] = {}
    for row, lines in _settle_results(rules, solution):
        line = next(line for line in lines if line.wager is Wager.ODDS)
        net = Fraction(line.net, line.stake)
        key = _odds_case(row, line, rules)
        cases[key] = (line.pay, net, cases.get(key, (None, net, 0))[2] + row.deals)
    return tuple(
        OddsRow(label, _pays(pay), deals, Fraction(deals, solution.deals), net)
        for (_, _, label), (pay, net, deals) in sorted(cases.items())
    )


_FOLDED, _LOST, _BEATEN, _TIED, _PUSHED, _WON = range(5, -1, -1)


def _odds_case(row: RoundResult, line: Line, rules: TableRules) -> tuple[int, int, str]:
    """The sort position and label of the row; hands have their own row if the table pays them."""
    if not row.multiple:
        return _FOLDED, 0, "Folded"
    if row.result == 0:
        return _TIED, 0, "Copies the dealer's hand"
    paid = line.pay is not None and line.pay.kind is PayKind.PAYS
    won = row.result > 0
    if not paid:
        return (_PUSHED, 0, "Any other hand wins") if won else (_LOST, 0, "Any other hand loses")
    table = rules.paytables["odds" if won else "bad_beat"]
    labels = {table_row.outcome: table_row.label for table_row in table.rows}
    order = 1 if line.outcome is Outcome.OTHER else -row.category
    label = f"{labels[line.outcome]} {'wins' if won else 'loses'}"
    return _WON if won else _BEATEN, order, label


def _pays(pay: Pay | None) -> str:
    return "" if pay is None else pay.short


def net_distribution(solution: Solution) -> dict[Fraction, Fraction]:
    """[net result in Antes]: its probability, ascending."""
    return {row.net: row.probability for row in return_table(solution)}
