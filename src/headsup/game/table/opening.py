"""Opening a table: its rules as chosen, and the meter it plays for."""

from headsup.game.bank.meter import Active, MeterRules, Regime, refuse_meter_rules
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.rulebook.opening_checks import refuse_opening
from headsup.game.rulebook.table_rules import TableRules, rules_from_record
from headsup.game.table.commands import OpenTable
from headsup.game.table.events import Answer, TableOpened
from headsup.game.table.state import Floor, needs_meter
from headsup.game.table.tabulator import refuse_sensor_layout, tabulator_for
from headsup.game.values.money import MAX_METER_MICROS, MICROS_PER_CENT


def open_table(floor: Floor, table_id: str, command: OpenTable) -> Answer:
    if table_id != table_id.strip() or not table_id.isprintable():
        return refusal(Code.BAD_NAME, "table")
    if not table_id or table_id in floor.tables:
        return refusal(Code.TABLE_OPEN, table=table_id)
    rules = _rules(command)
    if isinstance(rules, Refusal):
        return rules
    meter, opens = "", False
    if needs_meter(rules):
        meter, opens = command.meter or f"{table_id} meter", not command.meter
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
            opens,
            rules.fingerprint,
            command.shuffle,
        ),
    )


def _rules(command: OpenTable) -> TableRules | Refusal:
    try:
        return rules_from_record(command.rules, command.paytables, command.options)
    except Refused as refused:
        return refused.refusal


def meter_rules(rules: TableRules, name: str) -> MeterRules:
    """The meter that a table with these rules opens."""
    bonus = rules.bonus_jackpot
    return MeterRules(
        name=name,
        meter_seed=rules.meter_seed,
        contribution=0 if bonus else rules.meter_contribution,
        maximum=MAX_METER_MICROS if bonus else rules.meter_max or MAX_METER_MICROS,
        regime=Regime.BONUS if bonus else Regime.PROGRESSIVE,
        # Washington's operator only keeps the players' money (App. D note 6).
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
    own = meter_rules(rules, meter)
    return (
        _refuse_unset_meter(rules, "meter_seed" in command.options)
        or refuse_meter_rules(own)
        or _refuse_above_stake(rules, own)
    )


def _refuse_unset_meter(rules: TableRules, seed_said: bool) -> Refusal | None:
    """R77: seed and contribution are the operator's to set before the first wager; where the
    document takes "any initial seed", to none as well."""
    if not rules.meter_seed and not (seed_said and rules.book.any_seed):
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
    own = meter_rules(rules, name)
    chosen = (
        (own.meter_seed, linked.meter_seed),
        (own.contribution, linked.contribution),
    )
    if any(mine and mine != theirs for mine, theirs in chosen):
        return refusal(Code.METER_RULES, "linked", meter=name)
    if (own.regime, own.escrow) != (linked.regime, linked.escrow):
        return refusal(Code.METER_TABLE, "another_prize", meter=name, rules=rules.id)
    return _refuse_above_stake(rules, linked)


def _refuse_above_stake(rules: TableRules, meter: MeterRules) -> Refusal | None:
    stake = rules.progressive_stake * MICROS_PER_CENT
    if meter.contribution_of(stake) > stake:
        return refusal(Code.METER_AMOUNT, "above_stake", where=meter.name)
    return None
