"""The coach of one server: who wants it when, what they decided, and what that was worth.

It looks at a table as the seat that it advises sees it (`house/solo/seat_decision.py`), and at no
more. It watches a table from when somebody there first wants it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from headsup.analysis.advice.advice import Advice
from headsup.analysis.advice.coach import Score
from headsup.analysis.training.judging import ValuedDecision
from headsup.analysis.training.note import Note, NoteSource, read_notes, write_note
from headsup.analysis.training.valuer import limit_options
from headsup.game.rulebook.table_rules import RulesChoice, TableRules
from headsup.game.rulebook.wagers import Street
from headsup.house.floor.host import FloorHost, FloorUpdate
from headsup.house.floor.log_reader import BrokenLog
from headsup.house.history.recall import HandRecord, locate_round, recent_hands, round_moments
from headsup.house.house import House
from headsup.house.log import log, short_traceback
from headsup.house.people.accounts import Person
from headsup.house.solo.coach_mode import CoachMode
from headsup.house.solo.notebook import Notebook
from headsup.house.solo.seat_decision import (
    DecisionPoint,
    SeatDecision,
    decision_from_event,
    pending_decision,
)
from headsup.web.workers.training_values import ValueClient, ValuesUnavailable, shipped_rules

_Wanted = TypeVar("_Wanted")
MAX_COACHED_PLAYERS = 5_000  # persons whose choice is known; the longest unused are forgotten
PATIENCE_SECONDS = 1.2  # seconds that a page waits for values before it is told to look again


@dataclass(slots=True)
class _CoachedPlayer:
    """One person at one table."""

    person: Person
    mode: CoachMode
    told: set[tuple[int, Street]] = field(default_factory=set)  # rounds and streets
    score: Score = field(default_factory=Score)  # since it was first wanted here
    round: int = 0
    made: list["asyncio.Task[Note | None]"] = field(default_factory=list)  # in this round


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """What somebody has to decide, valued; `advice` is None as long as it is worked out."""

    hand: DecisionPoint
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class JudgedRound:
    """A round that somebody played, and its decisions valued."""

    hand: HandRecord
    notes: tuple[Note, ...]


class Trainer:
    def __init__(
        self, house: House, values: ValueClient, notebook: Notebook, now: Callable[[], str]
    ) -> None:
        self._house, self.values, self.notebook, self._now = house, values, notebook, now
        self._coached: OrderedDict[tuple[str, str], _CoachedPlayer] = (
            OrderedDict()
        )  # by name and table
        self._hosts: dict[str, FloorHost] = {}
        self._tasks: set[asyncio.Task[Note | None]] = set()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self.values.stop()

    # At a table.

    def coach(self, person: Person, table: str, mode: CoachMode) -> None:
        """Coach the person there from now on, or no more."""
        host = self._house.host_of(table)
        if host is not None and self._hosts.get(table) is not host:
            self._hosts[table] = host
            host.watch(self._happened, table)
        known = self._coached.setdefault((person.name, table), _CoachedPlayer(person, mode))
        known.mode = mode
        self._coached.move_to_end((person.name, table))
        while len(self._coached) > MAX_COACHED_PLAYERS:
            self._coached.popitem(last=False)

    async def open(self, person: Person, table: str) -> OpenDecision | None:
        """What the person has to decide there now; they are then taken to have seen the values."""
        hand = self._open_hand(person, table)
        if hand is None or len(hand.options) < 2:
            return None
        valued = await wait_briefly(self._valued(hand))
        known = self._coached.get((person.name, table))
        if valued is not None and known is not None:
            known.told.add((hand.round, hand.street))
        return OpenDecision(hand, None if valued is None else valued.advice)

    async def made(self, person: Person, table: str) -> list[Note] | None:
        """What they decided in the round there, valued; None as long as some is worked out."""
        known = self._coached.get((person.name, table))
        hand = self._open_hand(person, table)
        if known is None or not known.made or (hand is not None and hand.round != known.round):
            return []  # at a new hand, nothing of the last one is said any more
        done, waiting = await asyncio.wait(known.made, timeout=PATIENCE_SECONDS)
        if waiting:
            return None
        failed = (task.cancelled() or task.exception() is not None for task in known.made)
        notes = [
            None if bad else task.result() for task, bad in zip(known.made, failed, strict=True)
        ]
        return [note for note in notes if note is not None] if done else []

    def score(self, person: Person, table: str) -> Score:
        """Of what they decided there with the coach."""
        known = self._coached.get((person.name, table))
        return Score() if known is None else known.score

    def _open_hand(self, person: Person, table: str) -> DecisionPoint | None:
        host = self._house.host_of(table)
        at = None if host is None else host.journal.floor.tables.get(table)
        if host is None or at is None:
            return None
        own = [seat for seat, name in at.players.items() if name == person.name]
        hands = (pending_decision(host.journal.floor, table, seat) for seat in own)
        return next((hand for hand in hands if hand is not None), None)

    def _happened(self, news: FloorUpdate) -> None:
        """Called by the table's owner: nothing here may wait."""
        for event in news.events:
            decision = decision_from_event(news.journal.floor, news.table, event)
            known = self._coached.get((decision.player, news.table)) if decision else None
            if decision is None or known is None or known.mode is CoachMode.OFF:
                continue
            if known.round != decision.hand.round:
                known.round, known.made = decision.hand.round, []
            told = (decision.hand.round, decision.hand.street) in known.told
            known.told.clear()
            source = NoteSource.TOLD if told else NoteSource.TABLE
            task = asyncio.create_task(self._noted(known, decision, source))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            known.made.append(task)

    async def _noted(
        self, known: _CoachedPlayer, decision: SeatDecision, source: NoteSource
    ) -> Note | None:
        hand = decision.hand
        try:
            valued = await self._valued(hand)
            place = f"{hand.table}, round {hand.round}"
            note = valued.note(decision.chosen, self._now(), source, hand.ante, place)
            await self.remember(known.person, [note])
        except ValuesUnavailable as none:
            log.warning("a decision is not valued", table=hand.table, why=str(none))
            return None
        known.score = known.score.with_(note.judgement)
        return note

    async def _valued(self, hand: DecisionPoint) -> ValuedDecision:
        rules = rules_choice_of(hand.rules)
        asked = await self.values.advice(rules, hand.hole, hand.board, hand.seen, hand.riding)
        advice = limit_options(asked.advice, hand.options)
        return ValuedDecision(hand.rules.id, asked.game, hand.hole, hand.board, advice)

    # What is remembered.

    async def notes(self, person: Person) -> list[Note]:
        """None where they cannot be read: training goes on without."""
        try:
            lines = await asyncio.to_thread(self.notebook.lines, person.id)
        except (OSError, SQLAlchemyError) as error:
            log.error("decisions cannot be read", who=person.name, at=short_traceback(error))
            return []
        return await asyncio.to_thread(read_notes, lines)

    async def remember(self, person: Person, notes: Sequence[Note]) -> None:
        """What a full disk does not keep is judged and shown all the same."""
        lines = [write_note(note) for note in notes]
        try:
            await asyncio.to_thread(self.notebook.add, person.id, lines)
        except (OSError, SQLAlchemyError) as error:
            log.error("decisions are not remembered", who=person.name, at=short_traceback(error))

    async def forget(self, person: Person) -> None:
        await asyncio.to_thread(self.notebook.forget, person.id)

    async def rounds(self, person: Person) -> list[JudgedRound]:
        """The last ten rounds of a person, wherever they were played, each decision valued."""
        played = await asyncio.to_thread(self._played, person)
        judged = []
        for hand, decisions in played:
            notes = []
            for decision, at in decisions:
                one = decision.hand
                valued = await self._valued(one)
                place = f"{one.table}, round {one.round}"
                notes.append(valued.note(decision.chosen, at, NoteSource.TABLE, one.ante, place))
            judged.append(JudgedRound(hand, tuple(notes)))
        return judged

    def _played(self, person: Person) -> list[tuple[HandRecord, list[tuple[SeatDecision, str]]]]:
        """Out of the record."""
        found = []
        for hand in recent_hands(self._house.database, person.name):
            decisions: list[tuple[SeatDecision, str]] = []
            place = locate_round(self._house.database, hand.table, hand.number)
            try:
                for moment in () if place is None else round_moments(self._house.database, place):
                    if moment.table != hand.table:
                        continue
                    made = decision_from_event(moment.floor, moment.table, moment.event)
                    if made is not None and made.hand.seat == hand.seat:
                        decisions.append((made, moment.at))
            except BrokenLog as broken:
                log.error("a round cannot be shown again", table=hand.table, why=str(broken))
            found.append((hand, decisions))
        return found


def rules_choice_of(rules: TableRules) -> RulesChoice:
    """How these rules are said again elsewhere; a table's are always recorded."""
    return rules.choice or shipped_rules(rules.id)


async def wait_briefly(work: Awaitable[_Wanted]) -> _Wanted | None:
    """What comes soon; None for what takes longer, and goes on in the meantime."""
    try:
        return await asyncio.wait_for(work, PATIENCE_SECONDS)
    except TimeoutError:
        return None
