"""Chooses a table's rules by name and keyword."""

from collections.abc import Mapping
from typing import Any

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.round.stakes import refuse_stakes
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.model import PAYTABLE_KEYS
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.amounts import parse_cents, parse_meter
from headsup.game.values.money import Cents, Micros

RULE_BOOKS = SHIPPED_BOOKS

# The name of a rule book, the path of your own, or rules from `rules()`.
RulesLike = str | TableRules
CountLike = int | float | str  # a whole number: `100_000`, `1e5` or `"100,000"`


def require_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Refused(Code.BAD_ARGUMENTS, "text", where=where, value=value)
    return value


def rules(name: RulesLike = "galaxy", **choices: Any) -> TableRules:
    """Choose a table's rules: `rules("new-york", trips_plus="B", pocket_raises=[1, 2, 3])`.

    Keywords are paytables (`odds`, `bad_beat`, `trips_plus`, …) and options
    of the rule book, as for `--set`. `rules="new-york"` works like the first argument. All mistakes
    are reported together.
    """
    name = choices.pop("rules", name)
    if isinstance(name, TableRules):
        if choices:
            raise TypeError("rules is a TableRules already: pass no paytables or options with it")
        return name
    paytables = {key: value for key, value in choices.items() if key in PAYTABLE_KEYS}
    options = {key: value for key, value in choices.items() if key not in PAYTABLE_KEYS}
    return table_rules(require_text(name, "name"), paytables, options)


def read_meter(rules: TableRules, stakes: Mapping[Wager, Cents], meter: object) -> Micros | None:
    """The Progressive's meter, or None if not given. Refused if nobody bets on the Progressive."""
    if meter is None:
        return None
    if not rules.offers(Wager.PROGRESSIVE) or Wager.PROGRESSIVE not in stakes:
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where="meter", other="progressive")
    return parse_meter(meter, "meter")


def _parse_stakes(bets: object) -> dict[Wager, Cents]:
    names = [Wager.ANTE.value, *(wager.value for wager in SIDE_WAGERS)]
    if not isinstance(bets, Mapping):
        text = str(bets)[:40]
        raise Refused(Code.BAD_BETS, "form", where="bets", bet=text, wagers=names, meant="")
    for name in bets:
        if name not in names:
            meant = closest_name(name, names)
            raise Refused(Code.BAD_BETS, "form", where="bets", bet=name, wagers=names, meant=meant)
    return {Wager(name): parse_cents(amount, f"bets: {name}") for name, amount in bets.items()}


def read_stakes(rules: TableRules, bets: Mapping[str, object]) -> dict[Wager, Cents]:
    """Read stakes, and refuse those this table does not take. Odds always equal the Ante."""
    stakes = _parse_stakes(bets)
    if Wager.ANTE not in stakes:
        raise Refused(Code.BAD_BETS, "no_ante", where="bets")
    if refusal := refuse_stakes(rules, {**stakes, Wager.ODDS: stakes[Wager.ANTE]}):
        raise Refused.of(refusal)
    return stakes
