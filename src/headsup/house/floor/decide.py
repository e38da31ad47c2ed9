"""Decides a batch of waiting requests: from a floor and the requests to what must be stored.

Each request passes the gate, one ordered list of checks, and then the game decides it on top of
those before it. Nothing here waits, stores or sends anything: the floor's host does. Only the
floor's owner decides, so every check sees the table as it is at that moment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple, assert_never

from headsup.game.record.chain import Link
from headsup.game.record.journal import (
    NO_ORIGIN,
    Checkpoint,
    Header,
    Journal,
    Origin,
    actor_name,
    decide_at,
    record_checkpoint,
    record_decision,
    start_log,
)
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.commands import (
    CloseBets,
    CorrectCards,
    CorrectDecision,
    CorrectStakes,
    DealCards,
    DealFaceDown,
    ExtendTime,
    PlayerCommand,
    Proceed,
    ReadCards,
    ReportIrregularity,
    TimeOut,
    TurnOver,
)
from headsup.game.table.chips.held_awards import AwardCommand
from headsup.game.table.chips.shifts import ShiftCommand
from headsup.game.table.commands import Actor, Command, Staff
from headsup.game.table.coupon_control import CouponCommand
from headsup.game.table.dealing import SetDealing
from headsup.game.table.equipment import EquipmentCommand
from headsup.game.table.events import Event
from headsup.game.table.meter_control import MeterCommand
from headsup.game.table.opening import CloseTable, OpenTable, SetBonusCell
from headsup.game.table.pacing import SetPace
from headsup.game.table.payout_corrections import (
    CorrectPayout,
    is_of_earlier_round,
    refuse_correction,
)
from headsup.game.table.reporting import SetThresholds
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import SealCommand
from headsup.game.table.seating import SeatingCommand
from headsup.game.table.state import (
    DEFAULT_THRESHOLDS,
    Floor,
    ReportingThresholds,
    SettledRound,
    Table,
)
from headsup.house.dealing.pace import pace_of
from headsup.house.floor.next_step import step_key
from headsup.house.floor.projections import FloorDecision, project_decision
from headsup.house.floor.request import Acceptance, CommandRequest, Reply, RequestContent
from headsup.house.people.permissions import permission_refusal
from headsup.house.store.projection_rows import Projection

HOUSE = Staff("house")  # acts where neither a person nor the dealer does
# How many entries per table are replayed at most when a floor is opened, at 0.1 ms each. Writing
# checkpoints more often would hold up other tables.
CHECKPOINT_ENTRIES_PER_TABLE = 40


# The gate.


class _Effect(NamedTuple):
    """What a command does to a round that is being played."""

    moves_on: bool = False  # so a paused table does not take it
    decides: bool = False  # it influences who wins, so nobody may know the cards


_DEALS, _PLAYS, _BOTH, _NEITHER = (
    _Effect(moves_on=True),
    _Effect(decides=True),
    _Effect(moves_on=True, decides=True),
    _Effect(),
)


def _effect_of(command: Command) -> _Effect:
    if isinstance(command, PlayerCommand):
        return _PLAYS
    if isinstance(command, Proceed | TimeOut | TurnOver):
        return _BOTH
    if isinstance(command, OpenRound | CloseBets | DealCards | DealFaceDown | ReadCards):
        return _DEALS
    if isinstance(command, ExtendTime | ReportIrregularity | CorrectPayout):
        return _NEITHER
    if isinstance(command, CorrectCards | CorrectDecision | CorrectStakes):
        return _NEITHER
    if isinstance(command, OpenTable | CloseTable | SetBonusCell | MeterCommand | EquipmentCommand):
        return _NEITHER
    if isinstance(command, SeatingCommand | SealCommand | CouponCommand):
        return _NEITHER
    if isinstance(command, ShiftCommand | AwardCommand):
        return _NEITHER
    if isinstance(command, SetDealing | SetPace | SetThresholds):
        return _NEITHER
    assert_never(command)


@dataclass(frozen=True, slots=True)
class Gate:
    """The checks of one floor, with what the house knows beyond the floor itself."""

    has_known_cards: Callable[[Table], bool] = lambda _: False
    program_refusal: Callable[[Command], Refusal | None] = lambda _: None

    def refusal_for(self, request: CommandRequest, table: Table | None) -> Refusal | None:
        """Why the request does not reach the game. The table is None if it is not open yet."""
        return (
            _check_permission(request, table)
            or _check_pause(request, table)
            or self._check_known_cards(request, table)
            or _check_expected_step(request, table)
            or self.program_refusal(request.command)
        )

    def _check_known_cards(self, request: CommandRequest, table: Table | None) -> Refusal | None:
        """If cards of the round may be known to somebody, nobody plays it."""
        if table is None or not _effect_of(request.command).decides:
            return None
        if table.round is None or not table.round.seats or not self.has_known_cards(table):
            return None
        return refusal(Code.KNOWN_CARDS, round=table.rounds)


def _check_permission(request: CommandRequest, table: Table | None) -> Refusal | None:
    """Whether the person's role may do this, and the seat is theirs. The house may do anything."""
    person = request.person
    return None if person is None else permission_refusal(person, table, request.command)


def _check_pause(request: CommandRequest, table: Table | None) -> Refusal | None:
    """At a paused table nothing is dealt, but players may decide and leave, and mistakes can be
    put right. Only the house itself still ends empty rounds, after it was restored."""
    is_house = request.person is None and request.by == HOUSE
    if table is None or is_house or not _effect_of(request.command).moves_on:
        return None
    return refusal(Code.PAUSED, why=table.dealing.paused) if table.dealing.paused else None


def _check_expected_step(request: CommandRequest, table: Table | None) -> Refusal | None:
    """Whether the dealer's step that the sender saw is still the next one."""
    if not request.expected_step or (table and step_key(table) == request.expected_step):
        return None
    return refusal(Code.NOT_DUE_ANY_MORE)


# The batch.


@dataclass(frozen=True, slots=True)
class FloorUpdate:
    """One decision: its events at a table, and the journal after it."""

    journal: Journal
    table: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class BatchFacts:
    """What a batch depends on besides the floor and the requests."""

    at: str
    header: Header  # of the log, if this is its first decision
    thresholds: ReportingThresholds = DEFAULT_THRESHOLDS
    gate: Gate = field(default_factory=Gate)
    # The rounds that corrections are about, by table and number, as far as they were settled.
    settled: Mapping[tuple[str, int], SettledRound | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BatchDecision:
    """What became of each request, and what must be stored before anybody learns of it.

    An exception among the replies is a bug: the command had no effect.
    """

    journal: Journal
    replies: tuple[Reply | Exception, ...]
    links: tuple[Link, ...] = ()
    updates: tuple[FloorUpdate, ...] = ()
    projections: tuple[Projection, ...] = ()
    checkpoint: Checkpoint | None = None


def decide_batch(
    journal: Journal,
    requests: Sequence[CommandRequest],
    facts: BatchFacts,
    earlier: Sequence[Reply | None] = (),
) -> BatchDecision:
    """Decide the requests in order. `earlier` has the replies that some of them got before."""
    batch, replies = _Batch(journal, facts), list[Reply | Exception]()
    for request, reply in zip_longest(requests, earlier):
        try:
            replies.append(reply or batch.decide(request))
        except Exception as error:
            replies.append(error)
    return BatchDecision(
        batch.journal,
        tuple(replies),
        tuple(batch.links),
        tuple(batch.updates),
        tuple(batch.projections),
        batch.checkpoint,
    )


@dataclass(slots=True)
class _Batch:
    """The decisions so far, none of them stored yet."""

    journal: Journal
    facts: BatchFacts
    links: list[Link] = field(default_factory=list)
    updates: list[FloorUpdate] = field(default_factory=list)
    accepted: dict[str, tuple[RequestContent, Acceptance]] = field(default_factory=dict)  # by id
    projections: list[Projection] = field(default_factory=list)
    checkpoint: Checkpoint | None = None

    def decide(self, request: CommandRequest) -> Reply:
        """Decide one more command, on top of those before it."""
        content, facts = request.content, self.facts
        if (earlier := self.accepted.get(request.id)) is not None:
            is_same = earlier[0] == content
            return earlier[1] if is_same else refusal(Code.ID_USED, id=request.id)
        table = self.journal.floor.tables.get(request.table)
        if refused := facts.gate.refusal_for(request, table):
            return refused
        if refused := self._refuse_correction(request.command, table):
            return refused
        decision = decide_at(self.journal, facts.at, request.table, request.by, request.command)
        if isinstance(decision, Refusal):
            return decision
        if not self.links:
            self._begin()
        if table is not None and table.thresholds != facts.thresholds and not table.closed:
            self._apply(request.table, HOUSE, SetThresholds(*facts.thresholds))
        index = self._record(request.table, request.by, request.command, decision, request.origin)
        acceptance = Acceptance(index)
        if request.id:
            self.accepted[request.id] = content, acceptance
        if request.pace is not None and isinstance(request.by, Staff):
            pace = pace_of(request.pace, request.by.name, facts.at)
            self._apply(request.table, request.by, SetPace(pace))
        return acceptance

    def _refuse_correction(self, command: Command, table: Table | None) -> Refusal | None:
        """A table knows its last round only; earlier ones were looked up."""
        if table is None or not isinstance(command, CorrectPayout):
            return None
        if not is_of_earlier_round(table, command):
            return None
        return refuse_correction(self.facts.settled.get((table.id, command.round)), command)

    def _apply(self, table: str, by: Actor, command: Command) -> None:
        """Decide a command of the house itself, which cannot be refused here."""
        decision = decide_at(self.journal, self.facts.at, table, by, command)
        if isinstance(decision, Refusal):
            raise RuntimeError(f"{type(command).__name__} was refused: {decision.code}")
        self._record(table, by, command, decision)

    def _record(
        self,
        table: str,
        by: Actor,
        command: Command,
        events: tuple[Event, ...],
        origin: Origin = NO_ORIGIN,
    ) -> int:
        """Record a decision; returns the index of its entry."""
        before = self.journal.floor
        self.journal, links = record_decision(
            self.journal, self.facts.at, table, by, command, events, origin
        )
        name = actor_name(before, table, by, command)
        decision = FloorDecision(before, self.journal, table, name, events, origin.id)
        self.links += links
        self.updates.append(FloorUpdate(self.journal, table, events))
        self.projections.append(project_decision(decision))
        return links[-1].index

    def _begin(self) -> None:
        """What comes before the first decision of a log, and of a batch if a checkpoint is due."""
        journal = self.journal
        if journal.head.count == 0:
            self.journal, header = start_log(self.facts.header)
            self.links.append(header)
        elif journal.head.count >= journal.checked + entries_per_checkpoint(journal.floor):
            self.checkpoint = record_checkpoint(journal, self.facts.at)
            self.journal = self.checkpoint.journal
            self.links.append(self.checkpoint.link)


def entries_per_checkpoint(floor: Floor) -> int:
    return CHECKPOINT_ENTRIES_PER_TABLE * len(floor.tables)
