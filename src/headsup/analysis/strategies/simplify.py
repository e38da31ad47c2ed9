"""Finds short strategies: a beam search over lines of up to three conditions joined by `and`.

Rules look only at features, so the gains of all situations with equal features are summed once, and
each candidate line is rated on a few hundred thousand numbers. River gains are computed as if no
flop were raised. They only guide the choice; the result is evaluated exactly afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
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
    SUIT_WORDS,
    parse_rule,
)
from headsup.analysis.strategies.written_strategy import POCKET, StreetRules, WrittenStrategy
from headsup.analysis.workers.executor import KernelPool

Gains = NDArray[np.float64]  # approximate: used only to choose lines
BEAM, BRANCHES = 24, 40  # sets of lines that are kept, and how many longer ones are tried of each
LEAST_IMPROVEMENT = 1e-9
DENSE_KEYS = 1 << 25  # keys of merged situations are renumbered beyond that
HANDS_STEP = 20
OUTS = range(12, 32)
HANDS = (
    *(f"{hand} or better" for hand in CATEGORY_WORDS),
    *(f"hidden {hand} or better" for hand in CATEGORY_WORDS),
    *(f"hidden pair of {ranks} or better" for ranks in PLURALS),
)
HIGH_CARDS = tuple(f"hidden {rank} or better" for rank in RANK_WORDS)
DRAWS = ("four to a flush", "open-ended straight draw")
LOWER_CARDS = tuple(f"lower hidden {rank} or better" for rank in RANK_WORDS[1:])
FLOPS = (
    *(f"flop of {suits}" for suits in SUIT_WORDS),
    *(f"{prefix}{word} flop" for prefix in ("", "un") for word in ("paired", "connected")),
)
HANDS_LIMITS = tuple(f"fewer than {hands} hands beat you" for hands in range(500, 900, HANDS_STEP))
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


def simplify(
    baseline: SolvedBaseline, lines: int, pool: KernelPool, *, easy: bool = False
) -> WrittenStrategy:
    """A strategy of at most this many lines, counting the pocket range as one.

    Flop and river are searched apart; then the lines are shared out so that both gain most. An
    easy strategy counts no hands that beat the player: nobody does so at a table.
    """
    plain = _flop_candidates(baseline), _river_candidates(baseline, easy)
    searches = [_Search(_join(each, each)) for each in plain]
    _find_lines(searches, lines - 1, pool)
    searches = [
        _Search(_join(search.lines_in_use(), each, search.candidates))
        for search, each in zip(searches, plain, strict=True)
    ]
    _find_lines(searches, lines - 1, pool)
    flop, river = searches
    splits = [(flop.found[count], river.found[lines - 1 - count]) for count in range(lines)]
    best = max(splits, key=lambda split: split[0].gain + split[1].gain)
    chosen = [
        search.candidates[place]
        for search, part in zip(searches, best, strict=True)
        for place in part.places
    ]
    return _write_strategy(baseline, chosen)


def search_steps(lines: int) -> int:
    """How many calls of the pool `simplify` makes, for progress."""
    return 4 * (lines - 1 + lines - 2)


def _find_lines(searches: Sequence["_Search"], most: int, pool: KernelPool) -> None:
    for _ in range(most):
        pool.run(search.lengthen for search in searches)
    for count in range(most - 1, 0, -1):
        pool.run(partial(search.shorten, count) for search in searches)


class _Search:
    """Looks for the best lines of one street. `found[n]` are the best of at most n lines."""

    def __init__(self, candidates: Sequence[_Candidate]) -> None:
        self.candidates, self._gains = candidates, candidates[0].gains
        self._covers = np.stack([candidate.covers for candidate in candidates])
        self._weighted = (self._covers * self._gains).astype(np.float32)
        self._beam = [_Lines((), np.zeros(len(self._gains), np.bool_), 0.0)]
        self.found = [self._beam[0]]

    def lines_in_use(self) -> list[_Candidate]:
        """The candidates that any of the found sets uses."""
        places = {place for lines in self.found for place in lines.places}
        return [self.candidates[place] for place in sorted(places)]

    def lengthen(self) -> None:
        """Add every line to each of the `BEAM` best sets of the last size, and keep the best.

        The very best is then changed until no single exchange improves it.
        """
        added = self._weighted @ np.stack([~lines.covered for lines in self._beam]).T.astype(
            np.float32
        )
        added += np.array([lines.gain for lines in self._beam], np.float32)
        order = np.argsort(-added, axis=None)[: BEAM * BRANCHES]
        longer: dict[bytes, _Lines] = {}
        for place, number in zip(*np.unravel_index(order, added.shape), strict=True):
            lines = self._beam[number]
            covered = lines.covered | self._covers[place]
            key = covered.tobytes()
            if key not in longer and len(longer) < BEAM:
                longer[key] = self._lines((*lines.places, int(place)))
        self._beam = sorted(longer.values(), key=lambda lines: -lines.gain)
        self._beam[0] = best = self._exchange(self._beam[0])
        self.found.append(max(best, self.found[-1], key=lambda lines: lines.gain))

    def shorten(self, count: int) -> None:
        """Leave the least useful line out of the next longer set, if what remains is better."""
        places = self.found[count + 1].places
        shorter = (self._lines(places[:i] + places[i + 1 :]) for i in range(len(places)))
        best = self._exchange(max(shorter, key=lambda lines: lines.gain))
        if best.gain > self.found[count].gain:
            self.found[count] = best

    def _lines(self, places: tuple[int, ...]) -> _Lines:
        covered = np.asarray(self._covers[[*places]].any(axis=0))
        return _Lines(places, covered, float(self._gains[covered].sum()))

    def _exchange(self, lines: _Lines) -> _Lines:
        """Replace one line at a time by a better one, as long as that gains anything."""
        improved = True
        while improved:
            improved = False
            for index in range(len(lines.places)):
                rest = self._lines(lines.places[:index] + lines.places[index + 1 :])
                place = int(np.argmax(self._weighted @ (~rest.covered).astype(np.float32)))
                exchanged = self._lines((*rest.places, place))
                if exchanged.gain > lines.gain * (1 + LEAST_IMPROVEMENT):
                    lines, improved = exchanged, True
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
    texts = [*HANDS, *HIGH_CARDS, *LOWER_CARDS, *FLOPS]
    texts += [*DRAWS, *(f"four to a flush with a hidden {rank} or better" for rank in RANK_WORDS)]
    texts += [f"open-ended straight draw and hidden {rank} or better" for rank in RANK_WORDS[6:]]
    texts.append("open-ended straight draw and four to a flush")
    features, gains = _group_by_features(flop_features(), _flop_gains(baseline))
    return _candidates(FLOP, texts, features, gains)


def _river_candidates(baseline: SolvedBaseline, easy: bool) -> list[_Candidate]:
    texts = [*HANDS, *HIGH_CARDS, *LOWER_CARDS, *OUTS_LIMITS, *(() if easy else HANDS_LIMITS)]
    parts = [
        _group_by_features(
            features._replace(beaten=features.beaten // HANDS_STEP * HANDS_STEP), gains
        )
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
    """A candidate for each text. Situations that the same texts cover are merged."""
    covers = np.stack([parse_rule(text, street, street).applies(features) for text in texts])
    packed = np.ascontiguousarray(np.packbits(covers, axis=0).T)
    signatures = packed.view(f"S{packed.shape[1]}").ravel()
    _, examples, groups = np.unique(signatures, return_index=True, return_inverse=True)
    sums = np.bincount(groups, gains).astype(np.float64)
    return [
        _Candidate(street, text, cover[examples], sums)
        for text, cover in zip(texts, covers, strict=True)
    ]


def _group_by_features(features: Features, gains: Gains) -> tuple[Features, Gains]:
    """Merge situations with equal features and add up their gains."""
    dealt = features.category >= 0
    columns = [column[dealt] for column in features]
    keys, size = np.zeros(len(columns[0]), np.int32), 1
    for column in columns:
        codes, count = _renumber(column + 1)
        if size * count > DENSE_KEYS:
            keys, size = _renumber(keys)
        keys, size = keys * np.int32(count) + codes, size * count
    keys, size = _renumber(keys)
    examples = np.zeros(size, np.int32)
    examples[keys] = np.arange(len(keys), dtype=np.int32)
    grouped = Features._make(column[examples] for column in columns)
    return grouped, np.bincount(keys, gains[dealt]).astype(np.float64)


def _renumber(keys: NDArray[np.signedinteger]) -> tuple[NDArray[np.int32], int]:
    """Number the keys that are used from 0, in their order. Also returns how many there are."""
    used = np.bincount(keys.ravel()) > 0
    return (np.cumsum(used, dtype=np.int32) - 1)[keys], int(used.sum())


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
