"""Tables dealt by chance, added up: every wager, seat, session and meter, beside the exact values.

Sums are whole numbers of cents, and the same whatever the chunks and whoever works them. Shares of
the progressive's pool come on top when chunks are added up, in the order of rounds, since a meter
remembers what came before.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from headsup.analysis.counts.caps import cap_applies
from headsup.analysis.kernels.base.arrays import Int64s
from headsup.analysis.kernels.base.evaluator import strength_tables
from headsup.analysis.kernels.simulate.decisions import Playbooks
from headsup.analysis.kernels.simulate.tables import (
    CUT_FIELDS,
    EVERYTHING,
    NO_CAP,
    PROGRESSIVE,
    SEAT_CAP,
    TABLE_CAP,
    WAGER_COLUMNS,
    Seating,
    TablePays,
    TableSums,
    empty_sums,
    play_rounds,
    table_scratch,
)
from headsup.analysis.simulation.capped_rounds import cap_shortfalls
from headsup.analysis.simulation.meter_path import MeterPath
from headsup.analysis.simulation.seat_lookups import (
    SeatProfile,
    decision_index,
    playbooks,
    table_pays,
)
from headsup.analysis.solver.chunks import Progress
from headsup.analysis.workers.executor import Executor, run_chunks
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

CHUNK_ROUNDS, MAX_CHUNK_ROUNDS = 1 << 18, 1 << 20  # rounds of one seat: a fraction of a second
TARGET_CHUNKS = 4096  # of a long run, before they grow
MAX_CHUNK_SUM = 1 << 62  # no sum of a chunk may pass it


@dataclass(frozen=True)
class TableSetup:
    """Who sits where, and how long a session is.

    With `same_cards` every seat plays the first seat's cards as if alone, each for a meter of its
    own: ways to play, or rules, compared on the same deals.
    """

    seats: tuple[SeatProfile, ...]
    session: int = 0  # rounds; 0 for none
    meter: Micros | None = None  # where the progressive starts, if not at its seed
    same_cards: bool = False

    @property
    def styles(self) -> tuple[SeatProfile, ...]:
        """Each once."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def tables(self) -> list[list[int]]:
        """Seats that share a meter."""
        seats = range(len(self.seats))
        return [[seat] for seat in seats] if self.same_cards else [list(seats)]

    def plays(self, wager: Wager) -> bool:
        return any(wager in style.bets for style in self.seats)


class DealPlan(NamedTuple):
    """All that a worker needs; small, once it is packed."""

    seed: int
    rounds: int
    chunk: int
    seating: Seating
    books: Playbooks
    pays: TablePays


def deal_chunk(dealing: DealPlan, first: int) -> TableSums:
    """The rounds of the chunk that begins with `first`."""
    seating, last = dealing.seating, min(first + dealing.chunk, dealing.rounds)
    seats, session = len(seating.hole), seating.session
    sessions = (last - 1) // session - first // session + 1 if session else 0
    claims = last - first if seating.progressive else 0
    cuts = last - first if seating.capped else 0
    sums = empty_sums(seats, sessions, claims, cuts)
    play_rounds(
        *(
            first,
            last,
            np.uint64(dealing.seed),
            seating,
            decision_index(),
            dealing.books,
            dealing.pays,
        ),
        *(strength_tables(), table_scratch(seating), sums),
    )
    return sums._replace(
        claims=sums.claims[: int(sums.claimed[0])].copy(), cuts=sums.cuts[: int(sums.cut[0])].copy()
    )


@dataclass
class SimulationRun:
    """Rounds dealt so far. Interrupted, it holds those of the first chunks, as if no more had been
    asked for."""

    table: TableSetup
    seed: int
    rounds: int = 0
    totals: list[list[int]] = field(init=False)  # [seat][column], in cents
    squares: list[list[int]] = field(init=False)  # of what one seat nets
    together: list[int] = field(init=False)  # [column]: squares of what all net
    products: list[list[int]] = field(init=False)  # [seat][seat], of everything
    raised: list[int] = field(init=False)  # [seat], in Antes
    sessions: list[Counter[Cents]] = field(init=False)  # [seat]: results of whole sessions
    table_sessions: Counter[Cents] = field(init=False)  # of all seats together
    meters: list[tuple[list[int], MeterPath]] = field(init=False)  # with the seats that feed it

    def __post_init__(self) -> None:
        seats = len(self.table.seats)
        self.totals = [[0] * WAGER_COLUMNS for _ in range(seats)]
        self.squares = [[0] * WAGER_COLUMNS for _ in range(seats)]
        self.together = [0] * WAGER_COLUMNS
        self.products = [[0] * seats for _ in range(seats)]
        self.raised = [0] * seats
        self.sessions = [Counter() for _ in range(seats)]
        self.table_sessions = Counter()
        self._open = np.zeros(seats, np.int64)  # the session that goes on in the next chunk
        self.meters = [
            (group, MeterPath(self._style(group[0]).rules, len(group), self.table.meter))
            for group in self.table.tables
            if Wager.PROGRESSIVE in self._style(group[0]).bets
        ]

    def _style(self, seat: int) -> SeatProfile:
        return self.table.seats[seat]

    def deal(
        self, rounds: int, workforce: Executor | None = None, progress: Progress | None = None
    ) -> None:
        """So many rounds from the first; `progress` is told of rounds."""
        dealing = self._dealing(rounds)
        starts = range(0, rounds, dealing.chunk)

        def tell(done: int, _: int) -> None:
            if progress is not None:
                progress(min(done * dealing.chunk, rounds), rounds)

        for first, sums in zip(
            starts, run_chunks(starts, partial(deal_chunk, dealing), workforce, tell), strict=True
        ):
            self._add(first, min(first + dealing.chunk, rounds), sums)

    def _dealing(self, rounds: int) -> DealPlan:
        table, styles = self.table, self.table.styles
        pays, self._unit = table_pays(styles)
        self._progressive = pays.progressive * self._unit
        most = len(table.seats) * _max_net(pays)
        chunk = max(CHUNK_ROUNDS, min(rounds // TARGET_CHUNKS, MAX_CHUNK_ROUNDS)) // len(
            table.seats
        )
        chunk = min(chunk, MAX_CHUNK_SUM // most**2)
        if table.session:
            chunk = min(chunk, CHUNK_ROUNDS * table.session)
        if chunk < 1:
            raise Refused(Code.NOT_SOLVABLE, "stakes")
        seats = np.arange(len(table.seats))
        seating = Seating(
            hole=np.zeros_like(seats) if table.same_cards else seats,
            style=np.array([styles.index(style) for style in table.seats]),
            packet=int(table.plays(Wager.ALL_6)),
            progressive=int(table.plays(Wager.PROGRESSIVE)),
            session=table.session,
            apart=int(table.same_cards or len(seats) == 1),
            capped=_cap_mode(table),
        )
        return DealPlan(self.seed, rounds, chunk, seating, playbooks(styles), pays)

    # What a chunk brings.

    def _add(self, first: int, last: int, sums: TableSums) -> None:
        unit, square = self._unit, self._unit**2
        for seat, column in np.ndindex(len(self.table.seats), WAGER_COLUMNS):
            self.totals[seat][column] += unit * int(sums.totals[seat, column])
            self.squares[seat][column] += square * int(sums.squares[seat, column])
        for column in range(WAGER_COLUMNS):
            self.together[column] += square * int(sums.together[column])
        for seat, other in _pairs(len(self.table.seats)):
            self.products[seat][other] += square * int(sums.products[seat, other])
        for seat, raised in enumerate(sums.raised.tolist()):
            self.raised[seat] += raised
        sessions = sums.sessions * unit
        self._cuts: dict[int, list[list[Cents]]] = {}  # [round][seat][column], of this chunk
        for noted in sums.cuts.tolist():
            self._cut(noted, first, sessions)
        for claim in sums.claims.tolist():
            self._settle(claim, first, sessions)
        for _, course in self.meters:
            course.advance(last)
        self._close_sessions(sessions, last)
        self.rounds = last

    def _settle(self, claim: list[int], first: int, sessions: Int64s) -> None:
        """Pay the shares of the pool that are claimed in one round."""
        seats, number = len(self.table.seats), claim[0]
        cases = [_ProgressiveCase(code) for code in claim[1 : 1 + seats]]
        cut = self._cuts.get(number, [[0] * WAGER_COLUMNS] * seats)
        nets = [
            net * self._unit - cut[seat][EVERYTHING] for seat, net in enumerate(claim[1 + seats :])
        ]
        awards = [0] * seats
        for group, course in self.meters:
            winners = [seat for seat in group if cases[seat].claims]
            winners.sort(key=lambda seat: (not cases[seat].folded, -seat))  # R97
            if winners:
                shares = [self._share(seat, cases[seat]) for seat in winners]
                for seat, award in zip(
                    winners, course.settle(number, winners, shares), strict=True
                ):
                    awards[seat] = award
        fixed = [
            self._fixed(seat, case) - cut[seat][PROGRESSIVE] for seat, case in enumerate(cases)
        ]
        for column, before in ((PROGRESSIVE, fixed), (EVERYTHING, nets)):
            for seat, award in enumerate(awards):
                self.totals[seat][column] += award
                self.squares[seat][column] += (before[seat] + award) ** 2 - before[seat] ** 2
            if seats > 1:
                whole = sum(before)
                self.together[column] += (whole + sum(awards)) ** 2 - whole**2
        for seat, other in _pairs(seats):
            after = (nets[seat] + awards[seat]) * (nets[other] + awards[other])
            self.products[seat][other] += after - nets[seat] * nets[other]
        if session := self.table.session:
            sessions[number // session - first // session] += awards

    def _cut(self, noted: list[int], first: int, sessions: Int64s) -> None:
        """Take back what a cap cuts off in one round; shares of the pool come later, uncut."""
        seats, number = len(self.table.seats), noted[0]
        of_seat = [
            noted[1 + CUT_FIELDS * seat : 1 + CUT_FIELDS * (seat + 1)] for seat in range(seats)
        ]
        cut = [[0] * WAGER_COLUMNS for _ in range(seats)]
        for group in self.table.tables:
            styles = [self._style(seat) for seat in group]
            codes = [(of_seat[seat][0], of_seat[seat][1]) for seat in group]
            for seat, own in zip(group, cap_shortfalls(styles, codes), strict=True):
                cut[seat] = own
        nets = [[net * self._unit for net in own[2:]] for own in of_seat]
        for column in range(WAGER_COLUMNS):
            for seat in range(seats):
                before, off = nets[seat][column], cut[seat][column]
                self.totals[seat][column] -= off
                self.squares[seat][column] += (before - off) ** 2 - before**2
            if seats > 1:
                whole, off = (sum(own[column] for own in of) for of in (nets, cut))
                self.together[column] += (whole - off) ** 2 - whole**2
        lost = [own[EVERYTHING] for own in cut]
        for seat, other in _pairs(seats):
            one, two = nets[seat][EVERYTHING], nets[other][EVERYTHING]
            self.products[seat][other] += (one - lost[seat]) * (two - lost[other]) - one * two
        if session := self.table.session:
            sessions[number // session - first // session] -= lost
        self._cuts[number] = cut

    def _share(self, seat: int, case: "_ProgressiveCase") -> Fraction:
        share = self._style(seat).claims[case.number]
        if share is None:
            raise RuntimeError(f"case {case.number} has no share of the pool")
        return share

    def _fixed(self, seat: int, case: "_ProgressiveCase") -> Cents:
        """What the progressive nets without the pool."""
        style = self.table.styles.index(self._style(seat))
        return int(self._progressive[style, int(case.folded), case.number])

    def _close_sessions(self, sessions: Int64s, last: int) -> None:
        """Count what whole sessions came to, and keep the one that goes on."""
        if not len(sessions):
            return
        sessions[0] += self._open
        self._open = np.zeros_like(self._open)
        if last % self.table.session:
            self._open = sessions[-1].copy()
            sessions = sessions[:-1]
        for seat, counter in enumerate(self.sessions):
            _count(counter, sessions[:, seat])
        _count(self.table_sessions, sessions.sum(1))


class _ProgressiveCase:
    """How the progressive of one seat ended in a round of claims."""

    def __init__(self, code: int) -> None:
        self.number, self.folded, self.claims = code >> 2, bool(code & 2), bool(code & 1)


def _count(counter: Counter[Cents], results: Int64s) -> None:
    found, times = np.unique(results, return_counts=True)
    counter.update(dict(zip(found.tolist(), times.tolist(), strict=True)))


def _pairs(seats: int) -> Iterator[tuple[int, int]]:
    return ((seat, other) for seat in range(seats) for other in range(seat))


def _cap_mode(table: TableSetup) -> int:
    """Whether a cap may ever cut what seats are paid at their stakes."""
    shared = 1 if table.same_cards else len(table.seats)
    if not any(cap_applies(style.rules, style.bets, shared) for style in table.styles):
        return NO_CAP
    caps = [style.rules.cap for style in table.styles]
    scopes = {cap.scope for cap in caps if cap is not None}
    return TABLE_CAP if shared > 1 and "table" in scopes else SEAT_CAP


def _max_net(pays: TablePays) -> int:
    """No seat nets more in a round, won or lost, in units."""
    parts = (pays.main, pays.trips_plus, pays.pocket_bonus, pays.all_6, pays.progressive)
    return sum(int(np.abs(part).max(initial=0)) for part in parts) or 1
