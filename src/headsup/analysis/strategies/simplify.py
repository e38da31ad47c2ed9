"""Finds short strategies: a greedy search adds the line that gains most, one at a time.

Rules look only at features, so the gains of all situations with equal features are summed once, and
each candidate line is rated on a few hundred thousand numbers. River gains are computed as if no
flop were raised. They only guide the choice; the result is evaluated exactly afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.kernels.base.arrays import PASSIVE, DealerCounts, FlopGains, Terms
from headsup.analysis.kernels.base.board_tables import board_tables, full_deck_ways
from headsup.analysis.kernels.base.numbering import (
    FIRST_FIVE_SUITED,
    FIRST_FOUR_SUITED,
    PAIRS,
    RANKS,
    TYPES,
)
from headsup.analysis.kernels.solve.features import Features, flop_features, river_features
from headsup.analysis.solver.best_play import flop_raise_spread
from headsup.analysis.solver.deck import FLOPS_PER_BOARD
from headsup.analysis.solver.layers import river_terms
from headsup.analysis.strategies.evaluation import SolvedBaseline
from headsup.analysis.strategies.ranges import write_range
from headsup.analysis.strategies.vocabulary import (
    CATEGORY_WORDS,
    FLOP,
    PLURALS,
    RANK_WORDS,
    RIVER,
    parse_rule,
)
from headsup.analysis.strategies.written_strategy import POCKET, StreetRules, WrittenStrategy

Gains = NDArray[np.float64]  # approximate: used only to choose lines
JOIN_COST_RATIO = 0.9  # lines with "and" are harder to remember, so they must save a tenth
OUTS = range(12, 32)
HANDS = (
    *(f"{hand} or better" for hand in CATEGORY_WORDS),
    *(f"hidden {hand} or better" for hand in CATEGORY_WORDS),
    *(f"hidden pair of {ranks} or better" for ranks in PLURALS),
)
HIGH_CARDS = tuple(f"hidden {rank} or better" for rank in RANK_WORDS)
DRAWS = ("four to a flush", "open-ended straight draw")
OUTS_LIMITS = tuple(f"fewer than {outs} dealer outs" for outs in OUTS)


@dataclass(frozen=True)
class _Candidate:
    street: str
    text: str
    covers: NDArray[np.bool_]
    gains: Gains

    def added_gain(self, covered: NDArray[np.bool_]) -> float:
        return float(self.gains[self.covers & ~covered].sum())


def simplify(baseline: SolvedBaseline, lines: int) -> WrittenStrategy:
    """A strategy of at most this many lines, counting the pocket range as one.

    Lines that join two conditions are used only if they save a tenth of the cost of plain lines.
    """
    plain = [*_flop_candidates(baseline), *_river_candidates(baseline)]
    chosen = _choose_lines(plain, lines - 1)
    with_joined = [*plain, *_join_candidates(plain)]
    joined = _choose_lines(with_joined, lines - 1)
    if _missed_gain(with_joined, joined) < JOIN_COST_RATIO * _missed_gain(with_joined, chosen):
        chosen = joined
    return _write_strategy(baseline, chosen)


def _choose_lines(pool: Sequence[_Candidate], lines: int) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    while len(chosen) < lines and (best := _best_candidate(pool, chosen)) is not None:
        chosen.append(best)
    for _ in range(2):  # replace lines that are no longer best beside the others
        for index in range(len(chosen)):
            rest = chosen[:index] + chosen[index + 1 :]
            if (better := _best_candidate(pool, rest)) is not None:
                chosen[index] = better
    return chosen


def _missed_gain(pool: Sequence[_Candidate], chosen: Sequence[_Candidate]) -> float:
    """What the best decisions on these features would gain beyond the chosen lines."""
    missed = 0.0
    for street in (FLOP, RIVER):
        gains = next(candidate.gains for candidate in pool if candidate.street == street)
        missed += float(gains[gains > 0].sum())
        covered = np.zeros(len(gains), np.bool_)
        for candidate in chosen:
            if candidate.street == street:
                missed -= candidate.added_gain(covered)
                covered |= candidate.covers
    return missed


def _best_candidate(pool: Sequence[_Candidate], chosen: Sequence[_Candidate]) -> _Candidate | None:
    covered = {
        street: np.any(
            [line.covers for line in chosen if line.street == street]
            or [np.zeros_like(next(line for line in pool if line.street == street).covers)],
            axis=0,
        )
        for street in (FLOP, RIVER)
    }
    best = max(pool, key=lambda line: line.added_gain(covered[line.street]))
    return best if best.added_gain(covered[best.street]) > 0 else None


def _write_strategy(baseline: SolvedBaseline, chosen: Sequence[_Candidate]) -> WrittenStrategy:
    actions = baseline.best.pocket.actions
    raise_classes = [number for number, action in enumerate(actions) if action != PASSIVE]
    streets = {POCKET: StreetRules({"raise": (write_range(raise_classes),)}, "check")}
    for street, otherwise in ((FLOP, "check"), (RIVER, "fold")):
        lines = tuple(line.text for line in chosen if line.street == street)
        streets[street] = StreetRules({"raise": lines}, otherwise)
    count = 1 + len(chosen)
    return WrittenStrategy(f"{count} lines", f"Found for these rules: {count} lines.", streets)


# Candidates.


def _flop_candidates(baseline: SolvedBaseline) -> list[_Candidate]:
    texts = [*HANDS, *HIGH_CARDS]
    texts += [*DRAWS, *(f"four to a flush with a hidden {rank} or better" for rank in RANK_WORDS)]
    texts += [f"open-ended straight draw and hidden {rank} or better" for rank in RANK_WORDS[6:]]
    texts.append("open-ended straight draw and four to a flush")
    features, gains = _group_by_features(flop_features(), _flop_gains(baseline))
    return _candidates(FLOP, texts, features, gains)


def _river_candidates(baseline: SolvedBaseline) -> list[_Candidate]:
    texts = [*HANDS, *HIGH_CARDS, *OUTS_LIMITS]
    texts += [
        f"{hand} and fewer than {outs} dealer outs" for hand in HANDS[:2] for outs in (20, 24, 28)
    ]
    parts = [
        _group_by_features(features, gains)
        for features, gains in zip(river_features(), _river_gains(baseline), strict=True)
    ]
    features = Features(
        *(np.concatenate(columns) for columns in zip(*(part[0] for part in parts), strict=True))
    )
    return _candidates(RIVER, texts, features, np.concatenate([part[1] for part in parts]))


def _join_candidates(plain: Sequence[_Candidate]) -> list[_Candidate]:
    """Lines of two plain conditions, the second a high card, a draw or a number of outs.

    Of several that cover the same situations, only the first is used.
    """
    covered_before = {(candidate.street, candidate.covers.tobytes()) for candidate in plain}
    joined = []
    for first, second in product(plain, plain):
        if first.street != second.street or not _may_join(first.text, second.text):
            continue
        covers = first.covers & second.covers
        key = first.street, covers.tobytes()
        if key not in covered_before and first.gains[covers].sum() > 0:
            covered_before.add(key)
            joined.append(
                _Candidate(first.street, f"{first.text} and {second.text}", covers, first.gains)
            )
    return joined


def _may_join(first: str, second: str) -> bool:
    starts_with_hand = first in HANDS or first in DRAWS
    return (
        " and " not in first
        and starts_with_hand
        and (second in HIGH_CARDS or second in DRAWS or second in OUTS_LIMITS)
    )


def _candidates(
    street: str, texts: Sequence[str], features: Features, gains: Gains
) -> list[_Candidate]:
    return [
        _Candidate(street, text, parse_rule(text, street, street).applies(features), gains)
        for text in texts
    ]


def _group_by_features(features: Features, gains: Gains) -> tuple[Features, Gains]:
    """Merge situations with equal features and add up their gains."""
    dealt = features.category >= 0
    columns = [column[dealt].astype(np.int64) + 1 for column in features]
    keys, sizes = np.zeros(int(dealt.sum()), np.int64), [int(c.max()) + 1 for c in columns]
    for column, size in zip(columns, sizes, strict=True):
        keys = keys * size + column
    sums = np.bincount(keys, gains[dealt]).astype(np.float64)
    used_keys = np.flatnonzero(np.bincount(keys))
    grouped, rest = [], used_keys
    for size in reversed(sizes):
        rest, column = np.divmod(rest, size)
        grouped.append((column - 1).astype(np.int8))
    return Features(*reversed(grouped)), sums[used_keys]


def _flop_gains(baseline: SolvedBaseline) -> Gains:
    """[flop, hole]: the gain of raising over checking, over all real flops."""
    tables, (by_ranks, by_suits) = board_tables(), baseline.flop
    holes, flops = tables.holes, tables.flops

    raise_spread = flop_raise_spread(baseline.payoffs)

    def gain(layer_gains: FlopGains) -> NDArray[np.int64]:
        return np.asarray(raise_spread * layer_gains.edge - layer_gains.check)

    gains = gain(by_ranks)[flops.ranks][:, holes.pair].astype(np.float64)
    suited_gains = gain(by_suits)
    for suit in range(3):
        suit_flops = flops.suited_flops[:, suit]
        has_suit = suit_flops >= 0
        gains[has_suit] += suited_gains[suit_flops[has_suit]][:, holes.type[suit]]
    checked = np.array(baseline.best.pocket.actions)[holes.pocket] == PASSIVE
    return np.asarray(gains * flops.weight[:, None] * checked)


def _river_gains(baseline: SolvedBaseline) -> tuple[Gains, Gains]:
    """[board, pair] and [board, type]: the gain of raising over folding, over all real boards."""
    terms = river_terms(baseline.payoffs, baseline.showdowns.dealer_hands)
    ways, holes = full_deck_ways(), board_tables().holes
    checks_pocket = np.array(baseline.best.pocket.actions)[holes.pocket] == PASSIVE
    pairs_checked = np.bincount(holes.pair, checks_pocket, PAIRS)
    types_checked = 4 * np.bincount(holes.type[0], checks_pocket, TYPES)
    suited_ways = np.concatenate(
        [
            np.tile(ways.types.ways2, (FIRST_FOUR_SUITED // PAIRS, 1)),
            np.tile(ways.types.ways1, ((FIRST_FIVE_SUITED - FIRST_FOUR_SUITED) // RANKS, 1)),
            np.ones(
                (len(baseline.showdowns.suited_boards.win) - FIRST_FIVE_SUITED, TYPES), np.int64
            ),
        ]
    )
    boards = baseline.showdowns.rank_boards, baseline.showdowns.suited_boards
    by_ranks = _gain_over_fold(boards[0], terms) * ways.rank_boards.ways * pairs_checked
    by_suits = _gain_over_fold(boards[1], terms) * suited_ways * types_checked
    return FLOPS_PER_BOARD * by_ranks, FLOPS_PER_BOARD * by_suits


def _gain_over_fold(counts: DealerCounts, terms: Terms) -> Gains:
    win, tie, weak = (column.astype(np.float64) for column in (counts.win, counts.tie, counts.weak))
    pays = terms.pays[counts.verdict].astype(np.float64)
    base = pays[..., 0] + pays[..., 1] * win + pays[..., 2] * tie + pays[..., 3] * weak
    return np.asarray(
        base + terms.most * (2 * win + tie - terms.dealers) - terms.fold[counts.verdict]
    )
