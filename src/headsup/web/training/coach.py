"""The coach of one server: advises players at tables and judges their decisions.

It sees a table only as the advised seat does (`house/training/seat_decision.py`). It starts to
watch a table when somebody there first turns the coach on.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.coach import Score
from headsup.analysis.training.note import Note, NoteSource, read_notes, write_note
from headsup.analysis.training.valuer import ValuedDecision, limit_options
from headsup.game.rulebook.table_rules import RulesChoice, TableRules
from headsup.game.rulebook.wagers import Street
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recall import round_moments
from headsup.house.house import House
from headsup.house.log import log, short_traceback
from headsup.house.people.person import Person
from headsup.house.store.errors import StoreError
from headsup.house.store.rounds import HandRecord, locate_round, recent_hands
from headsup.house.training.notebook import Notebook
from headsup.house.training.seat_decision import (
    CoachMode,
    DecisionPoint,
    SeatDecision,
    decision_from_event,
    pending_decision,
)
from headsup.web.workers.hand_values import NoAnswer, advise_hand, shipped_rules
from headsup.web.workers.solver import Solver

_Result = TypeVar("_Result")
MAX_COACHED_PLAYERS = 5_000  # remembered choices; the longest unused are dropped
PATIENCE_SECONDS = 1.2  # a page waits this long for values before it has to ask again


@dataclass(slots=True)
class _CoachedPlayer:
    """One player with a coach at one table."""

    person: Person
    mode: CoachMode
    advised: set[tuple[int, Street]] = field(default_factory=set)  # rounds and streets
    score: Score = field(default_factory=Score)  # since the coach was first turned on here
    round: int = 0
    judgements: list["asyncio.Task[Note | None]"] = field(default_factory=list)  # in this round


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A decision that awaits the player. `advice` is None while it is being computed."""

    hand: DecisionPoint
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round that somebody played, with a note on each decision."""

    hand: HandRecord
    notes: tuple[Note, ...]


class Trainer:
    def __init__(
        self, house: House, solver: Solver, notebook: Notebook, now: Callable[[], str]
    ) -> None:
        self._house, self.solver, self.notebook, self._now = house, solver, notebook, now
        # By player name and table.
        self._coached: OrderedDict[tuple[str, str], _CoachedPlayer] = OrderedDict()
        self._hosts: dict[str, FloorHost] = {}
        self._tasks: set[asyncio.Task[Note | None]] = set()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    # At a table.

    def set_mode(self, person: Person, table: str, mode: CoachMode) -> None:
        """Turn the coach on or off for the person at a table."""
        host = self._house.host_of(table)
        if host is not None and self._hosts.get(table) is not host:
            self._hosts[table] = host
            host.subscribe(self._on_update, table)
        player = self._coached.setdefault((person.name, table), _CoachedPlayer(person, mode))
        player.mode = mode
        self._coached.move_to_end((person.name, table))
        while len(self._coached) > MAX_COACHED_PLAYERS:
            self._coached.popitem(last=False)

    async def open_decision(self, person: Person, table: str) -> OpenDecision | None:
        """The decision that awaits the person; it is then marked as made with advice."""
        hand = self._open_hand(person, table)
        if hand is None or len(hand.options) < 2:
            return None
        valued = await wait_briefly(self._value(hand))
        player = self._coached.get((person.name, table))
        if valued is not None and player is not None:
            player.advised.add((hand.round, hand.street))
        return OpenDecision(hand, None if valued is None else valued.advice)

    async def judged_decisions(self, person: Person, table: str) -> list[Note] | None:
        """Their decisions in the current round, judged; None while that is being computed."""
        player = self._coached.get((person.name, table))
        hand = self._open_hand(person, table)
        if player is None or not player.judgements:
            return []
        if hand is not None and hand.round != player.round:
            return []  # a new hand has begun
        done, waiting = await asyncio.wait(player.judgements, timeout=PATIENCE_SECONDS)
        if waiting:
            return None
        succeeded = [
            task for task in player.judgements if not task.cancelled() and task.exception() is None
        ]
        notes = [task.result() for task in succeeded]
        return [note for note in notes if note is not None] if done else []

    def score(self, person: Person, table: str) -> Score:
        """The score of their coached decisions at the table."""
        player = self._coached.get((person.name, table))
        return Score() if player is None else player.score

    def _open_hand(self, person: Person, table: str) -> DecisionPoint | None:
        host = self._house.host_of(table)
        state = None if host is None else host.journal.floor.tables.get(table)
        if host is None or state is None:
            return None
        seats = [seat for seat, name in state.players.items() if name == person.name]
        hands = (pending_decision(host.journal.floor, table, seat) for seat in seats)
        return next((hand for hand in hands if hand is not None), None)

    def _on_update(self, update: FloorUpdate) -> None:
        """Called by the floor's host after each entry, so it must not block."""
        for event in update.events:
            decision = decision_from_event(update.journal.floor, update.table, event)
            player = self._coached.get((decision.player, update.table)) if decision else None
            if decision is None or player is None or player.mode is CoachMode.OFF:
                continue
            if player.round != decision.hand.round:
                player.round, player.judgements = decision.hand.round, []
            advised = (decision.hand.round, decision.hand.street) in player.advised
            player.advised.clear()
            source = NoteSource.TOLD if advised else NoteSource.TABLE
            task = asyncio.create_task(self._judge(player, decision, source))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            player.judgements.append(task)

    async def _judge(
        self, player: _CoachedPlayer, decision: SeatDecision, source: NoteSource
    ) -> Note | None:
        hand = decision.hand
        try:
            valued = await self._value(hand)
            place = f"{hand.table}, round {hand.round}"
            note = valued.note(decision.chosen, self._now(), source, hand.ante, place)
            await self.remember(player.person, [note])
        except NoAnswer as error:
            log.warning("judging a decision failed", table=hand.table, why=str(error))
            return None
        player.score = player.score.add(note.judgement)
        return note

    async def _value(self, hand: DecisionPoint) -> ValuedDecision:
        rules = rules_choice_of(hand.rules)
        cards = hand.hole, hand.board, hand.seen
        answer = await self.solver.ask(advise_hand, rules, *cards, hand.riding)
        advice = limit_options(answer.advice, hand.options)
        return ValuedDecision(hand.rules.id, answer.game, hand.hole, hand.board, advice)

    # The notebook.

    async def notes(self, person: Person) -> list[Note]:
        """All stored notes; empty if they cannot be read, so that training goes on."""
        try:
            lines = await asyncio.to_thread(self.notebook.lines, person.id)
        except (OSError, StoreError) as error:
            log.error("reading training notes failed", who=person.name, at=short_traceback(error))
            return []
        return await asyncio.to_thread(read_notes, lines)

    async def remember(self, person: Person, notes: Sequence[Note]) -> None:
        """Save notes. A failure, such as a full disk, is only logged; they are shown anyway."""
        lines = [write_note(note) for note in notes]
        try:
            await asyncio.to_thread(self.notebook.add, person.id, lines)
        except (OSError, StoreError) as error:
            log.error("storing training notes failed", who=person.name, at=short_traceback(error))

    async def forget(self, person: Person) -> None:
        await asyncio.to_thread(self.notebook.forget, person.id)

    async def rounds(self, person: Person) -> list[JudgedRound]:
        """The person's last ten rounds at any table, each decision judged."""
        played = await asyncio.to_thread(self._load_played, person)
        judged = []
        for hand, decisions in played:
            notes = []
            for decision, time in decisions:
                point = decision.hand
                valued = await self._value(point)
                place = f"{point.table}, round {point.round}"
                notes.append(
                    valued.note(decision.chosen, time, NoteSource.TABLE, point.ante, place)
                )
            judged.append(JudgedRound(hand, tuple(notes)))
        return judged

    def _load_played(
        self, person: Person
    ) -> list[tuple[HandRecord, list[tuple[SeatDecision, str]]]]:
        """The person's last hands with their decisions and times, from the log."""
        played = []
        for hand in recent_hands(self._house.database, person.name):
            decisions: list[tuple[SeatDecision, str]] = []
            location = locate_round(self._house.database, hand.table, hand.number)
            try:
                moments = () if location is None else round_moments(self._house.database, location)
                for moment in moments:
                    if moment.table != hand.table:
                        continue
                    decision = decision_from_event(moment.floor, moment.table, moment.event)
                    if decision is not None and decision.hand.seat == hand.seat:
                        decisions.append((decision, moment.time))
            except BrokenLog as broken:
                log.error("replaying a round failed", table=hand.table, why=str(broken))
            played.append((hand, decisions))
        return played


def rules_choice_of(rules: TableRules) -> RulesChoice:
    """The choice that leads to these rules, for the worker process; a table always has one."""
    return rules.choice or shipped_rules(rules.id)


async def wait_briefly(work: Awaitable[_Result]) -> _Result | None:
    """The result if it comes within PATIENCE_SECONDS; otherwise None, and the work goes on."""
    try:
        return await asyncio.wait_for(work, PATIENCE_SECONDS)
    except TimeoutError:
        return None
