"""Opens and closes tables, and changes their "Bonus" cells."""

from dataclasses import dataclass

from headsup.game.bank.meter import Active, MeterRules, Regime, refuse_meter_rules
from headsup.game.bank.meter_changes import open_meter, refuse_unless_two_people
from headsup.game.bank.meter_closing import refuse_pool_left
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.audience import StaffOnly, TableAndDisplay
from headsup.game.rulebook.opening_checks import refuse_opening
from headsup.game.rulebook.table_rules import TableRules, rules_from_record, with_bonus_cell
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import (
    BrokenRecord,
    Floor,
    Table,
    needs_meter,
    new_table,
    unwrap_change,
    with_meter,
    with_table,
    with_transfers,
)
from headsup.game.table.tabulator import refuse_sensor_layout, tabulator_for
from headsup.game.values.frozen_json import NO_OPTIONS, FrozenJson
from headsup.game.values.money import MAX_METER_MICROS, MICROS_PER_CENT


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table: its rules (book, paytables, options), how seats act, and its meter.

    `rules` is the id of a shipped book or the whole text of a book, never a path
    (`rules_from_record`). `meter` names an open meter to link to; if it is empty, the table opens
    its own if it needs one.
    """

    rules: str
    paytables: tuple[tuple[str, str], ...] = ()
    options: FrozenJson = NO_OPTIONS
    clockwise: bool = False
    meter: str = ""
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close a table for good; its record, name and meter stay."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class SetBonusCell:
    """Change the amount in a "Bonus" cell of a paytable, between rounds (Washington App. A–D)."""

    key: str
    outcome: str
    pay: str
    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TableOpened:
    rules: str
    paytables: tuple[tuple[str, str], ...]
    options: FrozenJson
    clockwise: bool
    meter: str  # the meter the table plays for; empty if no wager needs one
    opens_meter: bool
    fingerprint: str  # of the rules, so that a record shows exactly what was played
    shuffle: ShuffleSource

    audience = TableAndDisplay()


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was closed for good."""

    reason: str
    by: str

    audience = StaffOnly()


@dataclass(frozen=True, slots=True)
class BonusCellSet:
    """One cell of the table's rules changed; `fingerprint` names the new rules."""

    key: str
    outcome: str
    pay: str
    reason: str
    approvals: tuple[str, str]
    fingerprint: str


# Opening a table.


def open_table(floor: Floor, table_id: str, command: OpenTable) -> tuple[TableOpened] | Refusal:
    if table_id != table_id.strip() or not table_id.isprintable():
        return refusal(Code.BAD_NAME, "table")
    if not table_id or table_id in floor.tables:
        return refusal(Code.TABLE_OPEN, table=table_id)
    rules = _load_rules(command)
    if isinstance(rules, Refusal):
        return rules
    meter, opens_meter = "", False
    if needs_meter(rules):
        meter, opens_meter = command.meter or f"{table_id} meter", not command.meter
    tabulator = tabulator_for(rules)
    if refused := (
        refuse_opening(rules)
        or _refuse_meter(floor, rules, command, meter)
        or (refuse_sensor_layout(tabulator) if tabulator else None)
    ):
        return refused
    return (
        TableOpened(
            command.rules,
            command.paytables,
            command.options,
            command.clockwise,
            meter,
            opens_meter,
            rules.fingerprint,
            command.shuffle,
        ),
    )


def _load_rules(command: OpenTable) -> TableRules | Refusal:
    try:
        return rules_from_record(command.rules, command.paytables, command.options)
    except Refused as refused:
        return refused.refusal


def meter_rules(rules: TableRules, name: str) -> MeterRules:
    """The rules of the meter that a table with these rules opens."""
    bonus = rules.bonus_jackpot
    return MeterRules(
        name=name,
        meter_seed=rules.meter_seed,
        contribution=0 if bonus else rules.meter_contribution,
        maximum=MAX_METER_MICROS if bonus else rules.meter_max or MAX_METER_MICROS,
        regime=Regime.BONUS if bonus else Regime.PROGRESSIVE,
        # In Washington the operator only holds the players' money (App. D note 6).
        escrow=rules.book.cites == "WA" and not bonus,
        linkable=rules.book.linkable_meter,
        reseed_floor=rules.reseed_floor,
    )


def _refuse_meter(
    floor: Floor, rules: TableRules, command: OpenTable, meter: str
) -> Refusal | None:
    if not meter:
        return refusal(Code.NO_SUCH_METER, "none_needed", rules=rules.id) if command.meter else None
    if command.meter:
        return _refuse_link(floor, rules, meter)
    new = meter_rules(rules, meter)
    return (
        _refuse_unset_meter(rules, "meter_seed" in command.options)
        or refuse_meter_rules(new)
        or _refuse_above_stake(rules, new)
    )


def _refuse_unset_meter(rules: TableRules, seed_given: bool) -> Refusal | None:
    """R77: the operator sets seed and contribution before the first wager.

    A seed of zero is allowed if it is stated and the document permits "any initial seed".
    """
    if not rules.meter_seed and not (seed_given and rules.book.any_seed):
        return refusal(Code.METER_UNSET, option="meter_seed")
    if not rules.bonus_jackpot and not rules.meter_contribution:
        return refusal(Code.METER_UNSET, option="meter_contribution")
    return None


def _refuse_link(floor: Floor, rules: TableRules, name: str) -> Refusal | None:
    meter = floor.meters.get(name)
    if meter is None:
        return refusal(Code.NO_SUCH_METER, "to_link", meter=name)
    linked = meter.rules
    if not rules.book.linkable_meter or not linked.linkable:
        return refusal(Code.METER_TABLE, "one_each", rules=rules.id)
    if not isinstance(meter.standing, Active):
        return refusal(Code.METER_ENDED, "closing", meter=name)
    new = meter_rules(rules, name)
    settings = (
        (new.meter_seed, linked.meter_seed),
        (new.contribution, linked.contribution),
    )
    if any(value and value != linked_value for value, linked_value in settings):
        return refusal(Code.METER_RULES, "linked", meter=name)
    if (new.regime, new.escrow) != (linked.regime, linked.escrow):
        return refusal(Code.METER_TABLE, "another_prize", meter=name, rules=rules.id)
    return _refuse_above_stake(rules, linked)


def _refuse_above_stake(rules: TableRules, meter: MeterRules) -> Refusal | None:
    stake = rules.progressive_stake * MICROS_PER_CENT
    if meter.contribution_of(stake) > stake:
        return refusal(Code.METER_AMOUNT, "above_stake", where=meter.name)
    return None


def evolve_opening(floor: Floor, table_id: str, event: TableOpened) -> Floor:
    rules = rules_from_record(event.rules, event.paytables, event.options)
    if rules.fingerprint != event.fingerprint:
        raise BrokenRecord(
            f"table {table_id}: {event.rules} is not the rule book that it was opened with"
        )
    table = new_table(table_id, rules, event.clockwise, event.meter, event.shuffle)
    floor = with_table(floor, table)
    if not event.opens_meter:
        return floor
    change = open_meter(meter_rules(rules, event.meter), table_id)
    meter, transfers = unwrap_change(change, table_id)
    return with_meter(with_transfers(floor, transfers), meter)


# Closing a table.


def close_table(floor: Floor, table: Table, command: CloseTable) -> tuple[TableClosed] | Refusal:
    if table.is_playing and table.round is not None:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.round.number)
    if table.players:
        return refusal(Code.TABLE_OCCUPIED, table=table.id, seats=tuple(sorted(table.players)))
    if table.felt.held:
        return refusal(Code.AWARD_STATE, "closing", award=min(table.felt.held))
    if (shift := table.felt.shift) is not None:
        return refusal(Code.SHIFT_OPEN, table=table.id, shift=shift.number)
    if table.sealed is not None:
        return refusal(Code.STILL_SEALED, "closing", table=table.id, round=table.sealed.round)
    if not command.reason.strip() or not command.by.strip():
        return refusal(Code.CLOSING_RECORD)
    return _refuse_pool_left(floor, table) or (TableClosed(command.reason, command.by),)


def _refuse_pool_left(floor: Floor, table: Table) -> Refusal | None:
    """R84: the players' pool is moved first, unless another table still plays for it."""
    meter = floor.meter_of(table.id)
    if meter is None:
        return None
    others = (other for other in floor.tables.values() if other.id != table.id)
    if any(other.meter == table.meter and not other.closed for other in others):
        return None
    return refuse_pool_left(meter)


def evolve_closing(floor: Floor, table: Table, event: TableClosed) -> Floor:
    return with_table(floor, table._replace(closed=event.reason))


# Changing a "Bonus" cell of an open table (Washington App. A–D).


def decide_bonus_cell(table: Table, command: SetBonusCell) -> tuple[BonusCellSet] | Refusal:
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "rules", table=table.id)
    if not command.reason.strip():
        return refusal(Code.METER_RECORD, "prize_reason")
    if refused := refuse_unless_two_people(command.approvals):
        return refused
    key, outcome, pay = command.key, command.outcome, command.pay
    rules = _rules_with_cell(table, key, outcome, pay)
    if isinstance(rules, Refusal):
        return rules
    if refused := refuse_opening(rules):
        return refused
    if needs_meter(rules) and not table.meter:
        return refusal(Code.NO_SUCH_METER, "of_table", table=table.id)
    return (BonusCellSet(key, outcome, pay, command.reason, command.approvals, rules.fingerprint),)


def evolve_bonus_cell(floor: Floor, table: Table, event: BonusCellSet) -> Floor:
    rules = unwrap_change(_rules_with_cell(table, event.key, event.outcome, event.pay), table.id)
    if rules.fingerprint != event.fingerprint:
        raise BrokenRecord(
            f"table {table.id}: the changed cell does not lead to the recorded rules"
        )
    return with_table(floor, table._replace(rules=rules))


def _rules_with_cell(table: Table, key: str, outcome: str, pay: str) -> TableRules | Refusal:
    try:
        return with_bonus_cell(table.rules, key, outcome, pay)
    except Refused as refused:
        return refused.refusal
