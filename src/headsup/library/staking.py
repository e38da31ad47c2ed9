"""Stakes as a Python user names them: `{"ante": 10, "trips_plus": 5}`, in dollars."""

from collections.abc import Mapping

from headsup.game.refusal import Code, Refused, closest_name
from headsup.game.round.stakes import refuse_stakes
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.amounts import parse_cents, parse_meter
from headsup.game.values.money import Cents, Micros


def read_meter(rules: TableRules, stakes: Mapping[Wager, Cents], meter: object) -> Micros | None:
    """Where the progressive stands, if somebody bets on it; None where nobody says."""
    if meter is None:
        return None
    if not rules.offers(Wager.PROGRESSIVE) or Wager.PROGRESSIVE not in stakes:
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where="meter", other="progressive")
    return parse_meter(meter, "meter")


def _parse_stakes(bets: object) -> dict[Wager, Cents]:
    names = [Wager.ANTE.value, *(wager.value for wager in SIDE_WAGERS)]
    if not isinstance(bets, Mapping):
        said = str(bets)[:40]
        raise Refused(Code.BAD_BETS, "form", where="bets", bet=said, wagers=names, meant="")
    for name in bets:
        if name not in names:
            meant = closest_name(name, names)
            raise Refused(Code.BAD_BETS, "form", where="bets", bet=name, wagers=names, meant=meant)
    return {Wager(name): parse_cents(amount, f"bets: {name}") for name, amount in bets.items()}


def read_stakes(rules: TableRules, bets: Mapping[str, object]) -> dict[Wager, Cents]:
    """As this table takes them; an Ante brings as much on Odds."""
    stakes = _parse_stakes(bets)
    if Wager.ANTE not in stakes:
        raise Refused(Code.BAD_BETS, "no_ante", where="bets")
    if unfit := refuse_stakes(rules, {**stakes, Wager.ODDS: stakes[Wager.ANTE]}):
        raise Refused.of(unfit)
    return stakes
