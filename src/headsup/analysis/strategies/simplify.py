"""Short strategies found by the machine: lines chosen one by one for what they gain.

Rules ask only for features, so all situations with the same features are one: what raising gains
there is added up once, and every candidate line is then tried on some hundred thousand numbers. The
river is weighed as if no flop were raised, which only guides the choice; what the strategy found is
worth is evaluated exactly afterwards.
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

Gains = NDArray[np.float64]  # guides a choice, decides nothing
MIN_LINES, MAX_LINES = 3, 40
JOIN_COST_RATIO = 0.9  # of the cost of plain lines: lines with "and" are harder to keep in mind
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

    def adds(self, covered: NDArray[np.bool_]) -> float:
        return float(self.gains[self.covers & ~covered].sum())


def simplify(solved: SolvedBaseline, lines: int) -> WrittenStrategy:
    """A strategy of at most so many lines; the chart before the flop is the first of them.

    Lines that join two conditions are taken where they spare a tenth of what plain ones cost.
    """
    plain = [*_flop_candidates(solved), *_river_candidates(solved)]
    chosen = _choose_lines(plain, lines - 1)
    joining = [*plain, *_join_candidates(plain)]
    joined = _choose_lines(joining, lines - 1)
    if _missed_gain(joining, joined) < JOIN_COST_RATIO * _missed_gain(joining, chosen):
        chosen = joined
    return _write_strategy(solved, chosen)


def _choose_lines(pool: Sequence[_Candidate], lines: int) -> list[_Candidate]:
    chosen: list[_Candidate] = []
    while len(chosen) < lines and (best := _best_candidate(pool, chosen)) is not None:
        chosen.append(best)
    for _ in range(2):  # a line may be better replaced once the others are known
        for place in range(len(chosen)):
            rest = chosen[:place] + chosen[place + 1 :]
            if (better := _best_candidate(pool, rest)) is not None:
                chosen[place] = better
    return chosen


def _missed_gain(pool: Sequence[_Candidate], chosen: Sequence[_Candidate]) -> float:
    """What best decisions by these features would gain, and the chosen lines do not."""
    missed = 0.0
    for street in (FLOP, RIVER):
        gains = next(one.gains for one in pool if one.street == street)
        missed += float(gains[gains > 0].sum())
        covered = np.zeros(len(gains), np.bool_)
        for one in chosen:
            if one.street == street:
                missed -= one.adds(covered)
                covered |= one.covers
    return missed


def _best_candidate(pool: Sequence[_Candidate], chosen: Sequence[_Candidate]) -> _Candidate | None:
    covered = {
        street: np.any(
            [one.covers for one in chosen if one.street == street]
            or [np.zeros_like(next(one for one in pool if one.street == street).covers)],
            axis=0,
        )
        for street in (FLOP, RIVER)
    }
    best = max(pool, key=lambda one: one.adds(covered[one.street]))
    return best if best.adds(covered[best.street]) > 0 else None


def _write_strategy(solved: SolvedBaseline, chosen: Sequence[_Candidate]) -> WrittenStrategy:
    actions = solved.best.pocket.actions
    raising = [number for number, action in enumerate(actions) if action != PASSIVE]
    streets = {POCKET: StreetRules({"raise": (write_range(raising),)}, "check")}
    for street, otherwise in ((FLOP, "check"), (RIVER, "fold")):
        lines = tuple(one.text for one in chosen if one.street == street)
        streets[street] = StreetRules({"raise": lines}, otherwise)
    count = 1 + len(chosen)
    return WrittenStrategy(f"{count} lines", f"Found for these rules, {count} lines long.", streets)


# Candidates.


def _flop_candidates(solved: SolvedBaseline) -> list[_Candidate]:
    texts = [*HANDS, *HIGH_CARDS]
    texts += [*DRAWS, *(f"four to a flush with a hidden {rank} or better" for rank in RANK_WORDS)]
    texts += [f"open-ended straight draw and hidden {rank} or better" for rank in RANK_WORDS[6:]]
    texts.append("open-ended straight draw and four to a flush")
    features, gains = _group_by_features(flop_features(), _flop_gains(solved))
    return _candidates(FLOP, texts, features, gains)


def _river_candidates(solved: SolvedBaseline) -> list[_Candidate]:
    texts = [*HANDS, *HIGH_CARDS, *OUTS_LIMITS]
    texts += [
        f"{hand} and fewer than {outs} dealer outs" for hand in HANDS[:2] for outs in (20, 24, 28)
    ]
    parts = [
        _group_by_features(features, gains)
        for features, gains in zip(river_features(), _river_gains(solved), strict=True)
    ]
    features = Features(
        *(np.concatenate(columns) for columns in zip(*(part[0] for part in parts), strict=True))
    )
    return _candidates(RIVER, texts, features, np.concatenate([part[1] for part in parts]))


def _join_candidates(plain: Sequence[_Candidate]) -> list[_Candidate]:
    """Two plain conditions in one line, the second a high card, a draw or a number of outs; of
    those that cover the same situations, the first."""
    known = {(one.street, one.covers.tobytes()) for one in plain}
    found = []
    for first, then in product(plain, plain):
        if first.street != then.street or not _may_join(first.text, then.text):
            continue
        covers = first.covers & then.covers
        key = first.street, covers.tobytes()
        if key not in known and first.gains[covers].sum() > 0:
            known.add(key)
            found.append(
                _Candidate(first.street, f"{first.text} and {then.text}", covers, first.gains)
            )
    return found


def _may_join(first: str, then: str) -> bool:
    hand = first in HANDS or first in DRAWS
    return (
        " and " not in first
        and hand
        and (then in HIGH_CARDS or then in DRAWS or then in OUTS_LIMITS)
    )


def _candidates(
    street: str, texts: Sequence[str], features: Features, gains: Gains
) -> list[_Candidate]:
    return [
        _Candidate(street, text, parse_rule(text, street, street).applies(features), gains)
        for text in texts
    ]


def _group_by_features(features: Features, gains: Gains) -> tuple[Features, Gains]:
    """Situations with the same features as one, their gains added up."""
    dealt = features.category >= 0
    columns = [column[dealt].astype(np.int64) + 1 for column in features]
    keys, sizes = np.zeros(int(dealt.sum()), np.int64), [int(c.max()) + 1 for c in columns]
    for column, size in zip(columns, sizes, strict=True):
        keys = keys * size + column
    sums = np.bincount(keys, gains[dealt]).astype(np.float64)
    seen = np.flatnonzero(np.bincount(keys))
    found, rest = [], seen
    for size in reversed(sizes):
        rest, column = np.divmod(rest, size)
        found.append((column - 1).astype(np.int8))
    return Features(*reversed(found)), sums[seen]


def _flop_gains(solved: SolvedBaseline) -> Gains:
    """[flop, hole]: what raising gains over checking, over all real flops."""
    known, (by_ranks, by_suits) = board_tables(), solved.flop
    holes, flops = known.holes, known.flops

    more = flop_raise_spread(solved.payoffs)

    def gain(over: FlopGains) -> NDArray[np.int64]:
        return np.asarray(more * over.edge - over.check)

    gains = gain(by_ranks)[flops.ranks][:, holes.pair].astype(np.float64)
    suited = gain(by_suits)
    for suit in range(3):
        views = flops.views[:, suit]
        there = views >= 0
        gains[there] += suited[views[there]][:, holes.type[suit]]
    checked = np.array(solved.best.pocket.actions)[holes.pocket] == PASSIVE
    return np.asarray(gains * flops.weight[:, None] * checked)


def _river_gains(solved: SolvedBaseline) -> tuple[Gains, Gains]:
    """[board, pair] and [board, type]: what raising gains over folding, over all real boards."""
    terms = river_terms(solved.payoffs, solved.showdowns.dealers)
    ways, holes = full_deck_ways(), board_tables().holes
    checked = np.array(solved.best.pocket.actions)[holes.pocket] == PASSIVE
    pairs = np.bincount(holes.pair, checked, PAIRS)
    types = 4 * np.bincount(holes.type[0], checked, TYPES)
    suited_ways = np.concatenate(
        [
            np.tile(ways.types.ways2, (FIRST_FOUR_SUITED // PAIRS, 1)),
            np.tile(ways.types.ways1, ((FIRST_FIVE_SUITED - FIRST_FOUR_SUITED) // RANKS, 1)),
            np.ones((len(solved.showdowns.suited_boards.win) - FIRST_FIVE_SUITED, TYPES), np.int64),
        ]
    )
    boards = solved.showdowns.rank_boards, solved.showdowns.suited_boards
    by_ranks = _gain_over_fold(boards[0], terms) * ways.rank_boards.ways * pairs
    by_suits = _gain_over_fold(boards[1], terms) * suited_ways * types
    return FLOPS_PER_BOARD * by_ranks, FLOPS_PER_BOARD * by_suits


def _gain_over_fold(counts: DealerCounts, terms: Terms) -> Gains:
    win, tie, weak = (column.astype(np.float64) for column in (counts.win, counts.tie, counts.weak))
    pays = terms.pays[counts.verdict].astype(np.float64)
    base = pays[..., 0] + pays[..., 1] * win + pays[..., 2] * tie + pays[..., 3] * weak
    return np.asarray(
        base + terms.most * (2 * win + tie - terms.dealers) - terms.fold[counts.verdict]
    )
