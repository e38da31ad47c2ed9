"""Game protection: what a player gains by seeing cards too early, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.protect.exposure import ExposureResult
from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
from headsup.analysis.protect.seen_cards import evaluate_exposure as expose
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import BadPayoffs
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_count
from headsup.library.rules import RulesLike, rules
from headsup.report.sheets.protection import dealer_cards_name, exposure_sheet


@dataclass(frozen=True)
class ProtectionResult:
    """Figures for a player who has seen these cards, per Ante, from the player's side."""

    rules: TableRules
    protection: ExposureReport = field(repr=False)

    @property
    def player_edge(self) -> Fraction:
        return self.protection.total.player_edge

    @property
    def raise_pocket(self) -> Fraction:
        """How often such a player raises before the flop."""
        return self.protection.total.raise_pocket

    @property
    def by_dealer(self) -> Mapping[str, ExposureResult]:
        """Results by the dealer's exposed card, such as `A`, or both cards, such as `AKs`."""
        return {
            dealer_cards_name(cards): result for cards, result in self.protection.cases if cards
        }

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup protect --see … --json`."""
        return exposure_sheet(self.rules, self.protection).json()

    def __repr__(self) -> str:
        see = self.protection.exposure
        seen = f"dealer={see.dealer}, flop={see.flop}" + (", river=1" if see.river else "")
        return f"<{seen}: player's edge {percent(self.player_edge)}>"


def protect(
    dealer: int = 0, flop: int = 0, name: RulesLike = "galaxy", *, river: int = 0, **choices: Any
) -> ProtectionResult:
    """A player's edge after seeing cards too early: `protect(flop=1)`.

    The arguments say how many of the dealer's two cards, of the flop, and of turn and river were
    seen.
    """
    dealer = parse_count(dealer, "dealer", 2, minimum=0)
    flop = parse_count(flop, "flop", 3, minimum=0)
    river = parse_count(river, "river", 1, minimum=0)
    if not dealer + flop + river:
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing")
    table = rules(name, **choices)
    try:
        return ProtectionResult(
            table, expose(compile_payoffs(table), Exposure(dealer, flop, river))
        )
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=table.id, reason=str(error)) from None
