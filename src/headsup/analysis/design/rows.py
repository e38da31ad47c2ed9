"""The rows of a paytable that may be changed, and the pays each of them may have."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.rulebook.model import LOSS, OUTCOMES, PUSH, Pay, PayKind, Paytable, Row
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules

MAIN = "main"  # Odds and Bad Beat together
MAX_TABLES = 1_000_000  # that are looked at, one by one

# Pays as casinos print them: whole numbers, and from ten on round ones.
_ROUND = (10, 11, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 80)
USUAL_PAYS = (*range(1, 10), *(number * 10**power for power in range(4) for number in _ROUND))

RowName = tuple[str, str]  # paytable key and outcome


@dataclass(frozen=True)
class DesignRow:
    """One row and what it may pay, ascending; a pay of 0 is no pay at all."""

    key: str
    outcome: Outcome
    label: str
    pays: tuple[Fraction, ...]
    now: Fraction
    asked: bool = False  # named by whoever asked, so that it is never kept as it is unasked

    @property
    def name(self) -> RowName:
        return self.key, self.outcome

    @property
    def free(self) -> bool:
        return len(self.pays) > 1

    def kept(self) -> "DesignRow":
        return replace(self, pays=(self.now,))

    def ends(self) -> "DesignRow":
        """With its lowest and highest pay alone."""
        return replace(self, pays=tuple(sorted({self.pays[0], self.pays[-1]})))


def design_keys(what: str) -> tuple[str, ...]:
    return ("odds", "bad_beat") if what == MAIN else (what,)


def row_text(what: str, name: RowName) -> str:
    """Of two tables a row is named with its own: `odds.flush`."""
    return ".".join(name) if what == MAIN else str(name[1])


def design_rows(
    rules: TableRules,
    what: str,
    asked: Mapping[RowName, Sequence[Fraction]],
    may_end: bool = False,
) -> tuple[DesignRow, ...]:
    """The rows of these tables from the best hand down, with the pays each may have.

    `asked` are rows with pays of their own. With `may_end` rows may be dropped or added at the
    foot of the table, since how often it pays is to change.
    """
    tables = [rules.paytables[key] for key in design_keys(what) if key in rules.paytables]
    known = {(table.key, outcome) for table in tables for outcome in OUTCOMES[table.key]}
    for key, outcome in asked:
        if (key, outcome) not in known:
            raise _no_row(what, outcome, tables)
    return tuple(row for table in tables for row in _rows_of(table, asked, may_end))


def _no_row(what: str, typed: str, tables: Sequence[Paytable]) -> Refused:
    """Rows are told as they are paid now; one that is not paid yet may be meant as well."""
    paid, known = [], {}
    for table in tables:
        for outcome in OUTCOMES[table.key]:
            text = row_text(what, (table.key, outcome))
            known[str(outcome)] = text
            if table.pays.get(outcome, LOSS).kind is PayKind.PAYS:
                paid.append(text)
    meant = known.get(closest_name(typed, known), "")
    return Refused(Code.BAD_DESIGN, "row", row=typed, table=what, rows=paid, meant=meant)


def _rows_of(
    table: Paytable, asked: Mapping[RowName, Sequence[Fraction]], may_end: bool
) -> Iterable[DesignRow]:
    labels = {row.outcome: row.label for row in table.rows}
    for outcome in OUTCOMES[table.key]:
        name, pay = (table.key, outcome), table.pays.get(outcome, LOSS)
        if pay.kind is PayKind.POOL or table.unreachable(outcome):
            if name in asked:
                raise Refused(Code.BAD_DESIGN, "share", row=outcome)
            continue
        label = labels.get(outcome, outcome.words.title())
        if name in asked:
            pays = tuple(sorted({*asked[name]}))
            yield DesignRow(table.key, outcome, label, pays, pay.amount, asked=True)
        elif pay.kind is PayKind.PAYS:
            around = _nearby_pays(pay.amount)
            pays = (Fraction(0), *around) if may_end and pay.amount <= 10 else around
            yield DesignRow(table.key, outcome, label, pays, pay.amount)
        elif pay.kind is PayKind.LOSS and may_end and _is_next_below(table, outcome):
            pays = (Fraction(0), Fraction(1), Fraction(2))
            yield DesignRow(table.key, outcome, label, pays, pay.amount)


def _is_next_below(table: Paytable, outcome: Outcome) -> bool:
    """Whether this is one of the two hands next below the last that is paid.

    An Odds win is never lost, and a progressive's rows decide which others count.
    """
    if table.key in ("odds", "progressive") or outcome is Outcome.OTHER:
        return False
    order = OUTCOMES[table.key]
    paid = [order.index(row.outcome) for row in table.rows if row.pay.kind is PayKind.PAYS]
    return max(paid, default=-1) < order.index(outcome) <= max(paid, default=-1) + 2


def _nearby_pays(now: Fraction) -> tuple[Fraction, ...]:
    """Usual pays from half to twice what the row pays now, which may stay as well."""
    near = {Fraction(pay) for pay in USUAL_PAYS if now / 2 <= pay <= max(2 * now, now + 2)}
    return tuple(sorted({now, *near}))


def limit_rows(
    rows: Sequence[DesignRow], weights: Mapping[RowName, float], ordered: bool
) -> tuple[DesignRow, ...]:
    """So few tables that all can be looked at: rows that move least stay as they are.

    `weights` say how often each row is paid. What was asked for is never given up.
    """
    kept = {row.name for row in rows if row.free and not row.asked}

    def size() -> int:
        return table_count([row.kept() if row.name in kept else row for row in rows], ordered)

    if size() > MAX_TABLES:
        raise Refused(Code.BAD_DESIGN, "too_many", tables=size(), most=MAX_TABLES)

    def moves(row: DesignRow) -> float:
        return weights[row.name] * float(row.pays[-1] - row.pays[0])

    for row in sorted(rows, key=moves, reverse=True):
        if row.name in kept:
            kept.discard(row.name)
            if size() > MAX_TABLES:
                kept.add(row.name)
    return tuple(row.kept() if row.name in kept else row for row in rows)


def table_count(rows: Sequence[DesignRow], ordered: bool) -> int:
    """How many tables these rows make. With `ordered` no hand pays less than a lower one."""
    if not ordered:
        return prod(len(row.pays) for row in rows)
    total = 1
    for key in {row.key for row in rows}:
        ways: dict[Fraction, int] = {}
        for row in (row for row in rows if row.key == key):
            ways = {
                pay: sum(count for above, count in ways.items() if above >= pay) if ways else 1
                for pay in row.pays
            }
        total *= sum(ways.values())
    return total


# Tables with other pays.


def with_pays(rules: TableRules, pays: Mapping[RowName, Fraction]) -> TableRules:
    """The same rules with these pays; rows that a table does not list yet are added to it."""
    tables = dict(rules.paytables)
    for key in {key for key, _ in pays}:
        tables[key] = _with_rows(
            tables[key], {outcome: pay for (at, outcome), pay in pays.items() if at == key}
        )
    return replace(rules, paytables=tables)


def _with_rows(table: Paytable, pays: Mapping[str, Fraction]) -> Paytable:
    labels = {row.outcome: row.label for row in table.rows}
    rows = []
    for outcome in OUTCOMES[table.key]:
        listed = table.pays.get(outcome)
        if outcome in pays and (listed is not None or pays[outcome] or Outcome.OTHER in table.pays):
            amount = pays[outcome]
            pay = listed if listed is not None and listed.amount == amount else _pay(table, amount)
            rows.append(Row(outcome, labels.get(outcome, outcome.words.title()), pay))
        elif listed is not None:
            rows.append(Row(outcome, labels[outcome], listed))
    return replace(table, rows=tuple(rows))


def _pay(table: Paytable, amount: Fraction) -> Pay:
    """An Odds win always gives the stake back."""
    if not amount:
        return (
            replace(PUSH, printed="Push") if table.key == "odds" else replace(LOSS, printed="Loss")
        )
    return Pay(PayKind.PAYS, amount, printed_pay(amount))


def printed_pay(amount: Fraction) -> str:
    if amount.denominator == 1:
        return f"{amount.numerator:,}"
    return f"{amount.numerator}:{amount.denominator}"
