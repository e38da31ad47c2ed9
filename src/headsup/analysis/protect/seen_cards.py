"""Computes the exact edge of a player who sees cards that should be hidden.

Before the first decision the player sees some of the dealer's cards, of the flop, or the turn or
river card, and plays perfectly from there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from headsup.analysis.kernels.base.numbering import pocket_class
from headsup.analysis.protect.exposure import (
    KERNEL_CALLS,
    ExposureResult,
    SharedView,
    combine_results,
    exposure_edges,
)
from headsup.analysis.protect.known import KnownCards
from headsup.analysis.protect.river_seen import RIVER_KERNEL_CALLS, river_exposure_edges
from headsup.analysis.solver.deck import Deck
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.workers.executor import KernelPool, Progress


@dataclass(frozen=True)
class Exposure:
    """How many cards are seen before the pocket decision, by where they belong."""

    dealer: int = 0
    flop: int = 0
    river: int = 0  # of the two cards after the flop: none or one


MIN_CASES_FOR_PROGRESS = 10


@dataclass(frozen=True)
class ExposureReport:
    exposure: Exposure
    face_up: tuple[int, ...]  # the cards of other hands seen
    total: ExposureResult
    # By the dealer's cards, whose suits do not matter; one example for each.
    cases: tuple[tuple[tuple[int, ...], ExposureResult], ...]


def evaluate_exposure(
    payoffs: Payoffs,
    exposure: Exposure,
    progress: Progress | None = None,
    deck: Deck | None = None,
    face_up: tuple[int, ...] = (),
) -> ExposureReport:
    """The exact edge with these cards seen. `progress` may raise to cancel."""
    return evaluate_exposures(payoffs, [exposure], progress, deck, face_up)[0]


def evaluate_exposures(
    payoffs: Payoffs,
    exposures: Sequence[Exposure],
    progress: Progress | None = None,
    deck: Deck | None = None,
    face_up: tuple[int, ...] = (),
) -> list[ExposureReport]:
    """Evaluate several exposures. Most work is shared by those with the same dealer cards.

    `face_up` are cards of other hands, which the player sees as well.
    """
    deck = deck or Deck()
    results: dict[Exposure, list[tuple[tuple[int, ...], int, ExposureResult]]] = {
        exposure: [] for exposure in exposures
    }
    cases = {
        count: dealer_cases(count, deck, face_up)
        for count in {exposure.dealer for exposure in exposures}
    }
    calls = (RIVER_KERNEL_CALLS if exposure.river else KERNEL_CALLS for exposure in exposures)
    calls_by_exposure = zip(calls, exposures, strict=True)
    total = sum(count * len(cases[exposure.dealer]) for count, exposure in calls_by_exposure)
    groups = {(exposure.dealer, exposure.river) for exposure in exposures}
    steps = sum(len(cases[dealer]) for dealer, _ in groups)
    # Cases take equally long, so many of them are counted as steps; few are counted by kernel
    # calls, whose number is only estimated.
    by_case = progress if progress is not None and steps >= MIN_CASES_FOR_PROGRESS else None
    done = 0
    with KernelPool(total, None if by_case else progress) as pool:
        for count, dealer_hands in cases.items():
            for river, edges_of in ((0, exposure_edges), (1, river_exposure_edges)):
                group = [
                    exposure
                    for exposure in results
                    if (exposure.dealer, exposure.river) == (count, river)
                ]
                shared = SharedView()
                for cards, weight in dealer_hands if group else ():
                    known = KnownCards(cards, face_up, deck)
                    group_results = edges_of(
                        payoffs, known, pool, [exposure.flop for exposure in group], shared
                    )
                    for exposure, result in zip(group, group_results, strict=True):
                        results[exposure].append((cards, weight, result))
                    done += 1
                    if by_case is not None:
                        by_case(done, steps)
    return [
        ExposureReport(
            exposure,
            face_up,
            combine_results([(weight, result) for _, weight, result in results[exposure]]),
            tuple(_by_ranks(results[exposure])),
        )
        for exposure in exposures
    ]


def _by_ranks(
    cases: Sequence[tuple[tuple[int, ...], int, ExposureResult]],
) -> Iterator[tuple[tuple[int, ...], ExposureResult]]:
    """Combine cases whose dealer cards differ only by suits that matter to hands face up."""
    groups: dict[int, list[tuple[tuple[int, ...], int, ExposureResult]]] = {}
    for case in cases:
        cards = case[0]
        key = pocket_class(*cards) if len(cards) == 2 else sum(cards) >> 2
        groups.setdefault(key, []).append(case)
    for group in groups.values():
        yield group[0][0], combine_results([(weight, result) for _, weight, result in group])


def dealer_cases(
    count: int, deck: Deck, dead_cards: tuple[int, ...] = ()
) -> list[tuple[tuple[int, ...], int]]:
    """The dealer's known cards up to suits, each with how many real combinations it represents."""
    permutations = KnownCards(dead_cards=dead_cards, deck=deck).suit_permutations
    cards = [4 * rank + suit for rank in deck.ranks for suit in range(4)]
    counts: dict[tuple[int, ...], int] = {}
    for dealt in combinations([card for card in cards if card not in dead_cards], count):
        case = min(
            tuple(sorted(card >> 2 << 2 | suits[card & 3] for card in dealt))
            for suits in permutations
        )
        counts[case] = counts.get(case, 0) + 1
    return list(counts.items())
