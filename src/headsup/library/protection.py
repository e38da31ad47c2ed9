"""Game protection: what a player gains by seeing cards too early, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.limits import MAX_OTHER_HANDS
from headsup.analysis.protect.dealer_errors import DealerError
from headsup.analysis.protect.dealer_errors import dealer_errors as find_errors
from headsup.analysis.protect.exposure import KERNEL_CALLS, ExposureResult, exposure_edge
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
from headsup.analysis.protect.seen_cards import evaluate_exposure as expose
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import BadPayoffs
from headsup.analysis.workers.executor import KernelPool
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_count
from headsup.game.values.cards import Cards, UnreadableCards, card_name, parse_cards
from headsup.library.game import WORKBENCH
from headsup.library.rules import RulesLike, require_text, rules
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


def face_up(cards: str, name: RulesLike = "galaxy", **choices: Any) -> ExposureResult:
    """The exact figures of a player who sees these hands of others: `face_up("AsKd QhQs")`."""
    table, seen = rules(name, **choices), read_face_up(require_text(cards, "cards"), "cards")
    with KernelPool(2 * KERNEL_CALLS) as pool:
        return exposure_edge(compile_payoffs(table), KnownCards(dead_cards=tuple(seen)), pool)


def dealer_errors(name: RulesLike = "galaxy", **choices: Any) -> dict[str, DealerError]:
    """What each kind of dealer error costs if it is always made, by its key."""
    table = rules(name, **choices)
    solution = WORKBENCH.strategy(compile_payoffs(table)).solution
    return {error.key: error for error in find_errors(table, solution)}


def read_face_up(text: str, where: str) -> Cards:
    """Read one to five whole hands, no card twice."""
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=error) from None
    if len(cards) % 2 or not 2 <= len(cards) <= 2 * MAX_OTHER_HANDS:
        raise Refused(Code.WRONG_CARD_COUNT, "hands", where=where, count=len(cards))
    for index, card in enumerate(cards):
        if card in cards[:index]:
            name = card_name(card)
            raise Refused(Code.DUPLICATE_CARD, "named_twice", card=name, first=where, second=where)
    return cards
