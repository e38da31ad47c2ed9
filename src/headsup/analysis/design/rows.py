"""Chooses which rows of a paytable a design may change, and the pays it may try for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.rulebook.model import LOSS, OUTCOMES, PUSH, Pay, PayKind, Paytable, Row
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules

MAIN = "main"  # Odds and Bad Beat together
MAX_TABLES = 1_000_000  # each is rated

# Pays as casinos print them: whole numbers, and round ones from ten up.
_ROUND = (10, 11, 12, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 80)
USUAL_PAYS = (*range(1, 10), *(number * 10**power for power in range(4) for number in _ROUND))

RowName = tuple[str, str]  # paytable key and outcome


@dataclass(frozen=True)
class DesignRow:
    """A row with the pays it may have, ascending. A pay of 0 means the row does not pay."""

    key: str
    outcome: Outcome
    label: str
    pays: tuple[Fraction, ...]
    now: Fraction
    requested: bool = False  # named in the request: must vary

    @property
    def name(self) -> RowName:
        return self.key, self.outcome

    @property
    def free(self) -> bool:
        return len(self.pays) > 1

    def with_present_pay(self) -> "DesignRow":
        return replace(self, pays=(self.now,))

    def extremes(self) -> "DesignRow":
        """The row with only its lowest and highest pay."""
        return replace(self, pays=tuple(sorted({self.pays[0], self.pays[-1]})))


def design_keys(table_name: str) -> tuple[str, ...]:
    return ("odds", "bad_beat") if table_name == MAIN else (table_name,)


def row_text(table_name: str, name: RowName) -> str:
    """The name of a row; in the main game with its table, as in `odds.flush`."""
    return ".".join(name) if table_name == MAIN else str(name[1])


def design_rows(
    rules: TableRules,
    table_name: str,
    requested: Mapping[RowName, Sequence[Fraction]],
    may_add_or_drop: bool = False,
) -> tuple[DesignRow, ...]:
    """The rows of these tables from the best hand down, with the pays each may have.

    `requested` sets the pays of single rows. With `may_add_or_drop`, rows at
    the foot of the table may be dropped or added, which changes how often it pays.
    """
    tables = [rules.paytables[key] for key in design_keys(table_name) if key in rules.paytables]
    known = {(table.key, outcome) for table in tables for outcome in OUTCOMES[table.key]}
    for key, outcome in requested:
        if (key, outcome) not in known:
            raise _no_row(table_name, outcome, tables)
    return tuple(row for table in tables for row in _rows_of(table, requested, may_add_or_drop))


def _no_row(table_name: str, typed: str, tables: Sequence[Paytable]) -> Refused:
    """List the rows that pay now. The suggestion may also be a row that does not pay yet."""
    paid, known = [], {}
    for table in tables:
        for outcome in OUTCOMES[table.key]:
            text = row_text(table_name, (table.key, outcome))
            known[str(outcome)] = text
            if table.pays.get(outcome, LOSS).kind is PayKind.PAYS:
                paid.append(text)
    meant = known.get(closest_name(typed, known), "")
    return Refused(Code.BAD_DESIGN, "row", row=typed, table=table_name, rows=paid, meant=meant)


def _rows_of(
    table: Paytable, requested: Mapping[RowName, Sequence[Fraction]], may_add_or_drop: bool
) -> Iterable[DesignRow]:
    labels = {row.outcome: row.label for row in table.rows}
    for outcome in OUTCOMES[table.key]:
        name, pay = (table.key, outcome), table.pays.get(outcome, LOSS)
        if pay.kind is PayKind.POOL or table.is_unreachable(outcome):
            if name in requested:
                raise Refused(Code.BAD_DESIGN, "share", row=outcome)
            continue
        label = labels.get(outcome, outcome.words.title())
        if name in requested:
            pays = tuple(sorted({*requested[name]}))
            yield DesignRow(table.key, outcome, label, pays, pay.amount, requested=True)
        elif pay.kind is PayKind.PAYS:
            nearby = _nearby_pays(pay.amount)
            pays = (Fraction(0), *nearby) if may_add_or_drop and pay.amount <= 10 else nearby
            yield DesignRow(table.key, outcome, label, pays, pay.amount)
        elif pay.kind is PayKind.LOSS and may_add_or_drop and _is_next_below(table, outcome):
            pays = (Fraction(0), Fraction(1), Fraction(2))
            yield DesignRow(table.key, outcome, label, pays, pay.amount)


def _is_next_below(table: Paytable, outcome: Outcome) -> bool:
    """Whether this is one of the two hands just below the lowest that pays.

    Never for the Odds, where a win cannot lose, nor for the Progressive, where a row decides which
    other rows count.
    """
    if table.key in ("odds", "progressive") or outcome is Outcome.OTHER:
        return False
    order = OUTCOMES[table.key]
    paid = [order.index(row.outcome) for row in table.rows if row.pay.kind is PayKind.PAYS]
    return max(paid, default=-1) < order.index(outcome) <= max(paid, default=-1) + 2


def _nearby_pays(now: Fraction) -> tuple[Fraction, ...]:
    """The usual pays from half to twice the present pay, and the present pay itself."""
    near = {Fraction(pay) for pay in USUAL_PAYS if now / 2 <= pay <= max(2 * now, now + 2)}
    return tuple(sorted({now, *near}))


def limit_rows(
    rows: Sequence[DesignRow], weights: Mapping[RowName, float], ordered: bool
) -> tuple[DesignRow, ...]:
    """Vary as many rows as `MAX_TABLES` allows, the most influential first, and fix the others.

    `weights` are those of `row_weights`. Requested rows always vary.
    """
    fixed_rows = {row.name for row in rows if row.free and not row.requested}

    def size() -> int:
        return table_count(
            [row.with_present_pay() if row.name in fixed_rows else row for row in rows], ordered
        )

    if size() > MAX_TABLES:
        raise Refused(Code.BAD_DESIGN, "too_many", tables=size(), most=MAX_TABLES)

    def influence(row: DesignRow) -> float:
        return weights[row.name] * float(row.pays[-1] - row.pays[0])

    for row in sorted(rows, key=influence, reverse=True):
        if row.name in fixed_rows:
            fixed_rows.discard(row.name)
            if size() > MAX_TABLES:
                fixed_rows.add(row.name)
    return tuple(row.with_present_pay() if row.name in fixed_rows else row for row in rows)


def table_count(rows: Sequence[DesignRow], ordered: bool) -> int:
    """How many tables these rows allow. With `ordered`, no hand pays less than a lower one."""
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
    """The rules with these pays. Rows that a table does not list yet are added to it."""
    tables = dict(rules.paytables)
    for key in {key for key, _ in pays}:
        tables[key] = _with_rows(
            tables[key],
            {outcome: pay for (table_key, outcome), pay in pays.items() if table_key == key},
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
    """An Odds win never loses the stake, so no pay means a push there."""
    if not amount:
        return (
            replace(PUSH, printed="Push") if table.key == "odds" else replace(LOSS, printed="Loss")
        )
    return Pay(PayKind.PAYS, amount, printed_pay(amount))


def printed_pay(amount: Fraction) -> str:
    if amount.denominator == 1:
        return f"{amount.numerator:,}"
    return f"{amount.numerator}:{amount.denominator}"
