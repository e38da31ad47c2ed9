"""What cards seen too early are worth: the exact edge of a player who knows some of them.

The player sees own hole, some cards of the dealer's, of the flop and of the two after it before the
first decision, and plays everything best from there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.protect.exposure import (
    KERNEL_CALLS,
    ExposureResult,
    combine_results,
    exposure_edges,
)
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.river_seen import RIVER_KERNEL_CALLS, river_exposure_edges
from headsup.analysis.solver.chunks import KernelPool, Progress
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.payoffs import Payoffs


@dataclass(frozen=True)
class Exposure:
    """How many cards are seen before the pocket decision."""

    dealer: int = 0
    flop: int = 0
    river: int = 0  # of the two cards after the flop: none or one


MIN_CASES_FOR_PROGRESS = 10


@dataclass(frozen=True)
class ExposureReport:
    see: Exposure
    total: ExposureResult
    cases: tuple[tuple[tuple[int, ...], ExposureResult], ...]  # by the dealer's cards, up to suits


def evaluate_exposure(
    payoffs: Payoffs, see: Exposure, progress: Progress | None = None, deck: Deck | None = None
) -> ExposureReport:
    """The exact edge with these cards seen; `progress` may raise to stop."""
    return evaluate_exposures(payoffs, [see], progress, deck)[0]


def evaluate_exposures(
    payoffs: Payoffs,
    sees: Sequence[Exposure],
    progress: Progress | None = None,
    deck: Deck | None = None,
) -> list[ExposureReport]:
    """The same for several; those with as many of the dealer's cards share nearly all the work."""
    deck = deck or Deck()
    found: dict[Exposure, list[tuple[tuple[int, ...], int, ExposureResult]]] = {
        see: [] for see in sees
    }
    cases = {count: dealer_cases(count, deck) for count in {see.dealer for see in sees}}
    calls = (RIVER_KERNEL_CALLS if see.river else KERNEL_CALLS for see in sees)
    each = zip(calls, sees, strict=True)
    total = sum(count * len(cases[see.dealer]) for count, see in each)
    kinds = {(see.dealer, see.river) for see in sees}
    steps = sum(len(cases[dealer]) for dealer, _ in kinds)
    # Cases are alike, and how many calls one makes is a guess; few cases are told by their calls.
    by_case = progress if progress is not None and steps >= MIN_CASES_FOR_PROGRESS else None
    done = 0
    with KernelPool(total, None if by_case else progress) as crew:
        for count, dealt in cases.items():
            for river, edges_of in ((0, exposure_edges), (1, river_exposure_edges)):
                asked = [see for see in found if (see.dealer, see.river) == (count, river)]
                for cards, weight in dealt if asked else ():
                    known = KnownCards(dealer=cards, deck=deck)
                    edges = edges_of(payoffs, known, crew, [see.flop for see in asked])
                    for see, one in zip(asked, edges, strict=True):
                        found[see].append((cards, weight, one))
                    done += 1
                    if by_case is not None:
                        by_case(done, steps)
    return [
        ExposureReport(
            see,
            combine_results([(weight, one) for _, weight, one in found[see]]),
            tuple((cards, one) for cards, _, one in found[see]),
        )
        for see in sees
    ]


def dealer_cases(count: int, deck: Deck) -> list[tuple[tuple[int, ...], int]]:
    """The dealer's known cards up to suits, with the real ones that each case stands for."""
    if count == 0:
        return [((), 1)]
    if count == 1:
        return [((4 * rank,), 4) for rank in deck.ranks]
    cases: dict[int, list[tuple[int, ...]]] = {}
    cards = [4 * rank + suit for rank in deck.ranks for suit in range(4)]
    for pair in combinations(cards, 2):
        cases.setdefault(pocket_class(*pair), []).append(pair)
    return [(pairs[0], len(pairs)) for pairs in cases.values()]
