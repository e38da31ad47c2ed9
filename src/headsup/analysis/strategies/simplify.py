"""Finds short strategies: a beam search over lines of up to three conditions joined by `and`.

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
BEAM, BRANCHES = 24, 40  # sets of lines that are kept, and how many longer ones are tried of each
LEAST_IMPROVEMENT = 1e-9
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
    """One possible line, and the situations it covers."""

    street: str
    text: str
    covers: NDArray[np.bool_]
    gains: Gains


@dataclass(frozen=True)
class _Lines:
    """Some lines of one street: their places among the candidates, and what they gain together."""

    places: tuple[int, ...]
    covered: NDArray[np.bool_]
    gain: float


def simplify(baseline: SolvedBaseline, lines: int) -> WrittenStrategy:
    """A strategy of at most this many lines, counting the pocket range as one.

    Flop and river are searched apart; then the lines are shared out so that both gain most.
    """
    streets, found = [], []
    for plain in (_flop_candidates(baseline), _river_candidates(baseline)):
        candidates = _join(plain, plain)
        first = _find_lines(candidates, lines - 1)
        used = sorted({place for each in first for place in each.places})
        candidates = _join([candidates[place] for place in used], plain, candidates)
        streets.append(candidates)
        found.append(_find_lines(candidates, lines - 1))
    flop, river = found
    splits = [(flop[count], river[lines - 1 - count]) for count in range(lines)]
    best = max(splits, key=lambda split: split[0].gain + split[1].gain)
    chosen = [
        candidates[place]
        for candidates, part in zip(streets, best, strict=True)
        for place in part.places
    ]
    return _write_strategy(baseline, chosen)


def _find_lines(candidates: Sequence[_Candidate], most: int) -> list[_Lines]:
    """[number of lines]: the best lines found with at most so many.

    The search keeps the `BEAM` best sets of each size and adds every line to each. A set that
    no single exchange improves is then taken.
    """
    gains = candidates[0].gains
    covers = np.stack([candidate.covers for candidate in candidates])
    weighted = (covers * gains).astype(np.float32)
    beam = [_Lines((), np.zeros(len(gains), np.bool_), 0.0)]
    found = [beam[0]]
    for _ in range(most):
        added = weighted @ np.stack([~lines.covered for lines in beam]).T.astype(np.float32)
        added += np.array([lines.gain for lines in beam], np.float32)
        order = np.argsort(-added, axis=None)[: BEAM * BRANCHES]
        longer: dict[bytes, _Lines] = {}
        for place, number in zip(*np.unravel_index(order, added.shape), strict=True):
            lines = beam[number]
            covered = lines.covered | covers[place]
            key = covered.tobytes()
            if key not in longer and len(longer) < BEAM:
                places = (*lines.places, int(place))
                longer[key] = _Lines(places, covered, float(gains[covered].sum()))
        beam = sorted(longer.values(), key=lambda lines: -lines.gain)
        best = _exchange(beam[0], covers, weighted, gains)
        beam[0] = best
        found.append(best if best.gain > found[-1].gain else found[-1])
    return found


def _exchange(
    lines: _Lines, covers: NDArray[np.bool_], weighted: NDArray[np.float32], gains: Gains
) -> _Lines:
    """Replace one line at a time by a better one, as long as that gains anything."""
    improved = True
    while improved:
        improved = False
        for index in range(len(lines.places)):
            rest = lines.places[:index] + lines.places[index + 1 :]
            covered = covers[[*rest]].any(axis=0)
            place = int(np.argmax(weighted @ (~covered).astype(np.float32)))
            exchanged = covered | covers[place]
            gain = float(gains[exchanged].sum())
            if gain > lines.gain * (1 + LEAST_IMPROVEMENT):
                lines, improved = _Lines((*rest, place), exchanged, gain), True
    return lines


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


def _join(
    lines: Sequence[_Candidate], plain: Sequence[_Candidate], known: Sequence[_Candidate] = ()
) -> list[_Candidate]:
    """The known lines, these, and these joined with a plain one.

    Of several lines that cover the same situations, only the first is used.
    """
    candidates: dict[bytes, _Candidate] = {}
    for line in (*known, *lines):
        candidates.setdefault(line.covers.tobytes(), line)
    for first, second in product(lines, plain):
        covers = first.covers & second.covers
        if (first.gains[covers] > 0).any():
            text = f"{first.text} and {second.text}"
            joined = _Candidate(first.street, text, covers, first.gains)
            candidates.setdefault(covers.tobytes(), joined)
    return list(candidates.values())


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
