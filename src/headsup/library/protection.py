"""What a player gains who has seen cards before the first decision, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.protect.exposure import ExposureResult
from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
from headsup.analysis.protect.seen_cards import evaluate_exposure as expose
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import BadPayoffs
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.counts import parse_count
from headsup.library.rules import RulesLike, rules
from headsup.report.json.protect import dealer_cards_name, protection_json


@dataclass(frozen=True)
class ProtectionResult:
    """Against a player who has seen so much; per Ante, from the player's side."""

    rules: TableRules
    protection: ExposureReport = field(repr=False)

    @property
    def player_edge(self) -> Fraction:
        return self.protection.total.player_edge

    @property
    def raise_pocket(self) -> Fraction:
        """How often such a player raises at once."""
        return self.protection.total.raise_pocket

    @property
    def by_dealer(self) -> Mapping[str, ExposureResult]:
        """By the dealer's card seen, such as `A`, or by both, such as `AKs`."""
        return {dealer_cards_name(cards): one for cards, one in self.protection.cases if cards}

    def to_json(self) -> dict[str, Any]:
        """As `headsup protect --see … --json` answers."""
        return protection_json(self.rules, self.protection)

    def __repr__(self) -> str:
        see = self.protection.see
        seen = f"dealer={see.dealer}, flop={see.flop}" + (", river=1" if see.river else "")
        return f"<{seen}: player's edge {percent(self.player_edge)}>"


def protect(
    dealer: int = 0, flop: int = 0, name: RulesLike = "galaxy", *, river: int = 0, **chosen: Any
) -> ProtectionResult:
    """`protect(flop=1)`: so many of the dealer's cards, of the flop and of the two after it seen
    too early."""
    dealer = parse_count(dealer, "dealer", 2, least=0)
    flop = parse_count(flop, "flop", 3, least=0)
    river = parse_count(river, "river", 1, least=0)
    if not dealer + flop + river:
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing")
    table = rules(name, **chosen)
    try:
        return ProtectionResult(
            table, expose(compile_payoffs(table), Exposure(dealer, flop, river))
        )
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=table.id, reason=str(error)) from None
