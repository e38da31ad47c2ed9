"""Deals simulated rounds in chunks and adds up what each wager, seat and session nets.

Sums are whole cents and do not depend on chunk sizes or workers. Shares of the Progressive's pool
are added in the order of rounds when chunks come in, since they depend on the meter's past.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from headsup.analysis.counts.caps import cap_applies
from headsup.analysis.joint.seating import SeatProfile
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
from headsup.analysis.simulation.seat_lookups import table_pays
from headsup.analysis.solver.playbooks import decision_index, playbooks
from headsup.analysis.workers.executor import Executor, Progress, run_chunks
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, Micros

CHUNK_ROUNDS, MAX_CHUNK_ROUNDS = 1 << 18, 1 << 20  # rounds of one seat: less than a second each
TARGET_CHUNKS = 4096  # a long run uses larger chunks rather than more
MAX_CHUNK_SUM = 1 << 62  # no sum within a chunk may exceed it


@dataclass(frozen=True)
class TableSetup:
    """Who sits where, and how long a session is.

    With `same_cards`, every seat plays the first seat's cards as if alone, with its own meter. This
    compares strategies or rules on the same deals.
    """

    seats: tuple[SeatProfile, ...]
    session: int = 0  # rounds; 0 for none
    meter: Micros | None = None  # where the Progressive starts, if not at its seed
    same_cards: bool = False

    @property
    def styles(self) -> tuple[SeatProfile, ...]:
        """The distinct seat profiles."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def tables(self) -> list[list[int]]:
        """Groups of seats that share a table and a meter."""
        seats = range(len(self.seats))
        return [[seat] for seat in seats] if self.same_cards else [list(seats)]

    def plays(self, wager: Wager) -> bool:
        return any(wager in style.bets for style in self.seats)


class DealPlan(NamedTuple):
    """All that a worker needs. It is small when pickled."""

    seed: int
    rounds: int
    chunk: int
    seating: Seating
    books: Playbooks
    pays: TablePays


def deal_chunk(plan: DealPlan, first: int) -> TableSums:
    """Deal the rounds of the chunk that begins with round `first`."""
    seating, last = plan.seating, min(first + plan.chunk, plan.rounds)
    seats, session = len(seating.hole), seating.session
    sessions = (last - 1) // session - first // session + 1 if session else 0
    claims = last - first if seating.progressive else 0
    cuts = last - first if seating.capped else 0
    sums = empty_sums(seats, sessions, claims, cuts)
    play_rounds(
        *(
            first,
            last,
            plan.seed,
            seating,
            decision_index(),
            plan.books,
            plan.pays,
        ),
        *(strength_tables(), table_scratch(seating), sums),
    )
    return sums._replace(
        claims=sums.claims[: int(sums.claim_count[0])].copy(),
        cuts=sums.cuts[: int(sums.cut_count[0])].copy(),
    )


@dataclass
class SimulationRun:
    """The totals of the rounds dealt so far.

    An interrupted run holds the first chunks, as if only those had been requested.
    """

    table: TableSetup
    seed: int
    rounds: int = 0
    totals: list[list[int]] = field(init=False)  # [seat][column], in cents
    squares: list[list[int]] = field(init=False)  # of a seat's net
    table_squares: list[int] = field(init=False)  # [column]: squares of the table's net
    products: list[list[int]] = field(init=False)  # [seat][seat]: products of their total nets
    antes_raised: list[int] = field(init=False)  # [seat], in Antes
    sessions: list[Counter[Cents]] = field(init=False)  # [seat]: results of whole sessions
    table_sessions: Counter[Cents] = field(init=False)  # of all seats together
    meters: list[tuple[list[int], MeterPath]] = field(init=False)  # (seats that feed it, meter)

    def __post_init__(self) -> None:
        seats = len(self.table.seats)
        self.totals = [[0] * WAGER_COLUMNS for _ in range(seats)]
        self.squares = [[0] * WAGER_COLUMNS for _ in range(seats)]
        self.table_squares = [0] * WAGER_COLUMNS
        self.products = [[0] * seats for _ in range(seats)]
        self.antes_raised = [0] * seats
        self.sessions = [Counter() for _ in range(seats)]
        self.table_sessions = Counter()
        self._unfinished_session = np.zeros(
            seats, np.int64
        )  # the session that continues in the next chunk
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
        """Deal this many rounds from the first. `progress` counts rounds."""
        plan = self._plan(rounds)
        starts = range(0, rounds, plan.chunk)

        def report(done: int, _: int) -> None:
            if progress is not None:
                progress(min(done * plan.chunk, rounds), rounds)

        for first, sums in zip(
            starts, run_chunks(starts, partial(deal_chunk, plan), workforce, report), strict=True
        ):
            self._add(first, min(first + plan.chunk, rounds), sums)

    def _plan(self, rounds: int) -> DealPlan:
        table, styles = self.table, self.table.styles
        pays, self._unit = table_pays(styles)
        self._progressive = pays.progressive * self._unit
        max_net = len(table.seats) * _max_net(pays)
        chunk = max(CHUNK_ROUNDS, min(rounds // TARGET_CHUNKS, MAX_CHUNK_ROUNDS)) // len(
            table.seats
        )
        chunk = min(chunk, MAX_CHUNK_SUM // max_net**2)
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
            skip_shared=int(table.same_cards or len(seats) == 1),
            capped=_cap_mode(table),
        )
        return DealPlan(
            self.seed, rounds, chunk, seating, playbooks([style.strategy for style in styles]), pays
        )

    # Adding up a chunk.

    def _add(self, first: int, last: int, sums: TableSums) -> None:
        unit, square = self._unit, self._unit**2
        for seat, column in np.ndindex(len(self.table.seats), WAGER_COLUMNS):
            self.totals[seat][column] += unit * int(sums.totals[seat, column])
            self.squares[seat][column] += square * int(sums.squares[seat, column])
        for column in range(WAGER_COLUMNS):
            self.table_squares[column] += square * int(sums.table_squares[column])
        for seat, other in _pairs(len(self.table.seats)):
            self.products[seat][other] += square * int(sums.products[seat, other])
        for seat, antes in enumerate(sums.raised.tolist()):
            self.antes_raised[seat] += antes
        sessions = sums.sessions * unit
        self._shortfalls: dict[int, list[list[Cents]]] = {}  # [round][seat][column], of this chunk
        for record in sums.cuts.tolist():
            self._apply_cap(record, first, sessions)
        for claim in sums.claims.tolist():
            self._pay_shares(claim, first, sessions)
        for _, meter in self.meters:
            meter.advance(last)
        self._close_sessions(sessions, last)
        self.rounds = last

    def _pay_shares(self, claim: list[int], first: int, sessions: Int64s) -> None:
        """Add the shares of the pool that one round wins."""
        seats, number = len(self.table.seats), claim[0]
        cases = [_ProgressiveCase(code) for code in claim[1 : 1 + seats]]
        shortfalls = self._shortfalls.get(number, [[0] * WAGER_COLUMNS] * seats)
        nets = [
            net * self._unit - shortfalls[seat][EVERYTHING]
            for seat, net in enumerate(claim[1 + seats :])
        ]
        awards = [0] * seats
        for group, meter in self.meters:
            winners = [seat for seat in group if cases[seat].claims]
            winners.sort(key=lambda seat: (not cases[seat].folded, -seat))  # R97
            if winners:
                shares = [self._share(seat, cases[seat]) for seat in winners]
                for seat, award in zip(
                    winners, meter.pay_shares(number, winners, shares), strict=True
                ):
                    awards[seat] = award
        fixed = [
            self._fixed(seat, case) - shortfalls[seat][PROGRESSIVE]
            for seat, case in enumerate(cases)
        ]
        for column, before in ((PROGRESSIVE, fixed), (EVERYTHING, nets)):
            for seat, award in enumerate(awards):
                self.totals[seat][column] += award
                self.squares[seat][column] += (before[seat] + award) ** 2 - before[seat] ** 2
            if seats > 1:
                table_net = sum(before)
                self.table_squares[column] += (table_net + sum(awards)) ** 2 - table_net**2
        for seat, other in _pairs(seats):
            after = (nets[seat] + awards[seat]) * (nets[other] + awards[other])
            self.products[seat][other] += after - nets[seat] * nets[other]
        if session := self.table.session:
            sessions[number // session - first // session] += awards

    def _apply_cap(self, record: list[int], first: int, sessions: Int64s) -> None:
        """Subtract what a cap takes in one round. Shares of the pool come later, uncapped."""
        seats, number = len(self.table.seats), record[0]
        seat_records = [
            record[1 + CUT_FIELDS * seat : 1 + CUT_FIELDS * (seat + 1)] for seat in range(seats)
        ]
        shortfalls = [[0] * WAGER_COLUMNS for _ in range(seats)]
        for group in self.table.tables:
            styles = [self._style(seat) for seat in group]
            codes = [(seat_records[seat][0], seat_records[seat][1]) for seat in group]
            for seat, shortfall in zip(group, cap_shortfalls(styles, codes), strict=True):
                shortfalls[seat] = shortfall
        nets = [[net * self._unit for net in record[2:]] for record in seat_records]
        for column in range(WAGER_COLUMNS):
            for seat in range(seats):
                before, cut = nets[seat][column], shortfalls[seat][column]
                self.totals[seat][column] -= cut
                self.squares[seat][column] += (before - cut) ** 2 - before**2
            if seats > 1:
                table_net, cut = (sum(row[column] for row in rows) for rows in (nets, shortfalls))
                self.table_squares[column] += (table_net - cut) ** 2 - table_net**2
        taken = [row[EVERYTHING] for row in shortfalls]
        for seat, other in _pairs(seats):
            net_here, other_net_here = nets[seat][EVERYTHING], nets[other][EVERYTHING]
            after = (net_here - taken[seat]) * (other_net_here - taken[other])
            self.products[seat][other] += after - net_here * other_net_here
        if session := self.table.session:
            sessions[number // session - first // session] -= taken
        self._shortfalls[number] = shortfalls

    def _share(self, seat: int, case: "_ProgressiveCase") -> Fraction:
        share = self._style(seat).pool_shares[case.number]
        if share is None:
            raise RuntimeError(f"Progressive case {case.number} wins no share of the pool")
        return share

    def _fixed(self, seat: int, case: "_ProgressiveCase") -> Cents:
        """What the Progressive nets without the pool."""
        style = self.table.styles.index(self._style(seat))
        return int(self._progressive[style, int(case.folded), case.number])

    def _close_sessions(self, sessions: Int64s, last: int) -> None:
        """Count the results of finished sessions, and carry over the unfinished one."""
        if not len(sessions):
            return
        sessions[0] += self._unfinished_session
        self._unfinished_session = np.zeros_like(self._unfinished_session)
        if last % self.table.session:
            self._unfinished_session = sessions[-1].copy()
            sessions = sessions[:-1]
        for seat, counter in enumerate(self.sessions):
            _count(counter, sessions[:, seat])
        _count(self.table_sessions, sessions.sum(1))


class _ProgressiveCase:
    """How one seat's Progressive ended, decoded from a claim."""

    def __init__(self, code: int) -> None:
        self.number, self.folded, self.claims = code >> 2, bool(code & 2), bool(code & 1)


def _count(counter: Counter[Cents], results: Int64s) -> None:
    values, times = np.unique(results, return_counts=True)
    counter.update(dict(zip(values.tolist(), times.tolist(), strict=True)))


def _pairs(seats: int) -> Iterator[tuple[int, int]]:
    return ((seat, other) for seat in range(seats) for other in range(seat))


def _cap_mode(table: TableSetup) -> int:
    """Which kind of cap can limit payouts at these stakes, if any."""
    shared = 1 if table.same_cards else len(table.seats)
    if not any(cap_applies(style.rules, style.bets, shared) for style in table.styles):
        return NO_CAP
    caps = [style.rules.cap for style in table.styles]
    scopes = {cap.scope for cap in caps if cap is not None}
    return TABLE_CAP if shared > 1 and "table" in scopes else SEAT_CAP


def _max_net(pays: TablePays) -> int:
    """An upper bound, in units, of what a seat wins or loses in a round."""
    parts = (pays.main, pays.trips_plus, pays.pocket_bonus, pays.all_6, pays.progressive)
    return sum(int(np.abs(part).max(initial=0)) for part in parts) or 1
