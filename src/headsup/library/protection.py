"""Game protection: what a player gains by seeing cards too early, exactly."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.limits import (
    DEFAULT_LAYOUT_SEED,
    DEFAULT_LAYOUTS,
    MAX_LAYOUTS,
    MAX_OTHER_HANDS,
    MAX_SEED,
)
from headsup.analysis.protect.dealer_errors import DealerError
from headsup.analysis.protect.dealer_errors import dealer_errors as find_errors
from headsup.analysis.protect.exposure import KERNEL_CALLS, ExposureResult, exposure_edge
from headsup.analysis.protect.face_up import (
    FaceUpAverage,
    FaceUpEstimate,
    average_seen_hand,
    estimate_seen_hands,
)
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.seen_cards import Exposure, ExposureReport
from headsup.analysis.protect.seen_cards import evaluate_exposure as expose
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import BadPayoffs
from headsup.analysis.workers.executor import KernelPool, open_workers
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.values.amounts import parse_count, show_count
from headsup.game.values.cards import Cards, UnreadableCards, card_name, parse_cards
from headsup.library.game import WORKBENCH
from headsup.library.rules import CountLike, RulesLike, require_text, rules
from headsup.report.sheets.protection import dealer_cards_name, exposure_sheet, seen_hands_sheet


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
    dealer: int = 0,
    flop: int = 0,
    name: RulesLike = "galaxy",
    *,
    river: int = 0,
    others: str | None = None,
    **choices: Any,
) -> ProtectionResult:
    """A player's edge after seeing cards too early: `protect(flop=1)`.

    The arguments say how many of the dealer's two cards, of the flop, and of turn and river were
    seen. `others` are hands of others that the player sees as well: `protect(flop=1,
    others="AsKd")`.
    """
    dealer = parse_count(dealer, "dealer", 2, minimum=0)
    flop = parse_count(flop, "flop", 3, minimum=0)
    river = parse_count(river, "river", 1, minimum=0)
    if not dealer + flop + river:
        raise Refused(Code.BAD_ARGUMENTS, "see_nothing")
    seen = () if others is None else read_face_up(require_text(others, "others"), "others")
    table = rules(name, **choices)
    try:
        report = expose(compile_payoffs(table), Exposure(dealer, flop, river), face_up=tuple(seen))
        return ProtectionResult(table, report)
    except BadPayoffs as error:
        raise Refused(Code.NOT_SOLVABLE, "amounts", rules=table.id, reason=str(error)) from None


def face_up(cards: str, name: RulesLike = "galaxy", **choices: Any) -> ExposureResult:
    """The exact figures of a player who sees these hands of others: `face_up("AsKd QhQs")`."""
    table, seen = rules(name, **choices), read_face_up(require_text(cards, "cards"), "cards")
    with KernelPool(2 * KERNEL_CALLS) as pool:
        return exposure_edge(compile_payoffs(table), KnownCards(dead_cards=tuple(seen)), pool)


@dataclass(frozen=True)
class SeenHands:
    """Figures of a player who sees some hands of others, over all their layouts, per Ante.

    One hand is exact; the figures of more hands have a standard error.
    """

    rules: TableRules
    figures: FaceUpAverage | FaceUpEstimate = field(repr=False)

    @property
    def player_edge(self) -> Fraction | float:
        match self.figures:
            case FaceUpAverage(result=result):
                return result.player_edge
            case FaceUpEstimate(mean=mean):
                return mean

    @property
    def standard_error(self) -> float:
        """That of `player_edge` and `gain`; 0 if they are exact."""
        match self.figures:
            case FaceUpAverage():
                return 0.0
            case FaceUpEstimate(standard_error=error):
                return error

    @property
    def gain(self) -> Fraction | float:
        """What seeing the hands is worth."""
        return self.figures.gain

    @property
    def unseen(self) -> Fraction:
        """The player's exact edge when nothing is seen."""
        return self.figures.unseen

    def to_json(self) -> dict[str, Any]:
        """The output of `headsup protect --hands … --json`."""
        return seen_hands_sheet(self.rules, self.figures).json()

    def __repr__(self) -> str:
        hands = show_count(self.figures.hands, "other hand")
        error = f" ± {self.standard_error:.4%}" if self.standard_error else ""
        return f"<{hands} seen: player's edge {float(self.player_edge):.4%}{error}>"


def seen_hands(
    hands: CountLike,
    layouts: CountLike = DEFAULT_LAYOUTS,
    seed: CountLike = DEFAULT_LAYOUT_SEED,
    name: RulesLike = "galaxy",
    *,
    workers: CountLike | None = None,
    scheduler: str | None = None,
    **choices: Any,
) -> SeenHands:
    """What it is worth to see hands of others, over all layouts: `seen_hands(3, layouts=100)`.

    One hand is computed exactly, in a few minutes, and `layouts` and `seed` are not used. Two to
    five hands are estimated from random layouts. Each of the `workers`, or of the workers of the
    Dask `scheduler`, solves a layout.
    """
    hands = parse_count(hands, "hands", MAX_OTHER_HANDS)
    layouts = parse_count(layouts, "layouts", MAX_LAYOUTS, minimum=2)
    seed = parse_count(seed, "seed", MAX_SEED, minimum=0)
    table = rules(name, **choices)
    payoffs = compile_payoffs(table)
    with open_workers(workers=workers, scheduler=scheduler) as executor:
        remote = None if workers is None and scheduler is None else executor
        if hands == 1:
            return SeenHands(table, average_seen_hand(payoffs, workforce=remote))
        return SeenHands(
            table, estimate_seen_hands(payoffs, hands, layouts, seed, workforce=remote)
        )


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
