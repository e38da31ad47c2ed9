"""A "Bonus" cell that is changed on an open table: the operator's amounts (Washington App. A–D)."""

from headsup.game.bank.meter_changes import refuse_unless_two_people
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.rulebook.opening_checks import refuse_opening
from headsup.game.rulebook.table_rules import TableRules, with_bonus_cell
from headsup.game.table.commands import SetBonusCell
from headsup.game.table.events import Answer, BonusCellSet
from headsup.game.table.floor_update import BrokenRecord, unwrap_change
from headsup.game.table.state import Table, needs_meter


def decide_bonus_cell(table: Table, command: SetBonusCell) -> Answer:
    if table.playing:
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


def evolve_bonus_cell(table: Table, event: BonusCellSet) -> Table:
    rules = unwrap_change(_rules_with_cell(table, event.key, event.outcome, event.pay), table.id)
    if rules.fingerprint != event.fingerprint:
        raise BrokenRecord(f"table {table.id}: the rules are not those that the cell gave")
    return table._replace(rules=rules)


def _rules_with_cell(table: Table, key: str, outcome: str, pay: str) -> TableRules | Refusal:
    try:
        return with_bonus_cell(table.rules, key, outcome, pay)
    except Refused as refused:
        return refused.refusal
