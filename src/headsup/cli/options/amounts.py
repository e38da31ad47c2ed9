"""Reads amounts and stakes from options: `10`, `$1,000.50`, `ante=10,all_6=5`."""

import re
from typing import TYPE_CHECKING

from headsup.game.refusal import Code, Refused, closest_name

if TYPE_CHECKING:
    from headsup.game.rulebook.table_rules import TableRules
    from headsup.game.rulebook.wagers import Wager
    from headsup.game.values.money import Cents, Micros


def normalize_amount(text: str) -> str:
    """Strip the dollar sign and thousands commas of `$1,000`. Other text is left as it is."""
    from headsup.game.values.amounts import drop_grouping

    return drop_grouping(text.strip().removeprefix("$").strip())


def read_cents(text: str, where: str) -> "Cents":
    from headsup.game.values.amounts import parse_cents

    return parse_cents(normalize_amount(text), where)


def read_meter(text: str | None) -> "Micros | None":
    from headsup.game.values.amounts import parse_meter

    return None if text is None else parse_meter(normalize_amount(text), "--meter")


def read_bets(rules: "TableRules", text: str | None) -> "dict[Wager, Cents]":
    """The stakes in `text`, checked against the table's rules, or a default round."""
    from headsup.game.round.stakes import refuse_stakes
    from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager

    if text is None:
        from headsup.analysis.par.table_par import default_bets

        return default_bets(rules)
    names = [Wager.ANTE.value, *(wager.value for wager in SIDE_WAGERS)]
    stakes: dict[Wager, Cents] = {}
    for part in re.split(r",(?!\d)", text):  # a comma before a digit belongs to an amount
        name, equals, amount = (word.strip() for word in part.partition("="))
        if not equals or name not in names:
            bet = part.strip()[:40]
            raise Refused(
                Code.BAD_BETS,
                "form",
                where="--bets",
                bet=bet,
                wagers=names,
                meant=closest_name(name, set(names) - {name}),
            )
        if Wager(name) in stakes:
            raise Refused(Code.BAD_BETS, "twice", where="--bets", wager=name)
        stakes[Wager(name)] = read_cents(amount, f"--bets: {name}")
    ante = {Wager.ODDS: stakes[Wager.ANTE]} if Wager.ANTE in stakes else {}
    if refusal := refuse_stakes(rules, {**stakes, **ante}):
        raise Refused.of(refusal.within("--bets"))
    return stakes
