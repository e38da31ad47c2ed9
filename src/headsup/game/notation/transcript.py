"""Plays a written round out again, as commands, to check it and to watch it.

The text gives each seat's decision but not the order within a street, so seats act in seat order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from headsup.game.bank.ledger import Account, AccountKind, Reason, Transfer, post
from headsup.game.bank.meter import Meter
from headsup.game.notation.model import FinishedRound, WrittenReport, WrittenRound
from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    DealFaceDown,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    RoundCommand,
    TimeOut,
    TurnOver,
)
from headsup.game.round.dealing import ALL_6, BOARD, DEALER, build_deck, deal_order, seat_place
from headsup.game.round.decide import decide
from headsup.game.round.decision import (
    HAS_CHECKED,
    UNDECIDED,
    HasChecked,
    HasFolded,
    HasRaised,
    Undecided,
)
from headsup.game.round.state import EMPTY_DEAL, STREET_BY_PHASE, FeltRound, Phase, Round
from headsup.game.round.turned_over import CardsDue, cards_due
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.options import MAX_MULTIPLE
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import SeatPlay
from headsup.game.table.chips.felt import is_guest_name, seat_name
from headsup.game.table.commands import Actor, PlayerAt, Staff
from headsup.game.table.decide import act
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve as evolve_floor
from headsup.game.table.opening import meter_rules
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.seating import BoughtIn, PlayerSat
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, needs_meter, new_table
from headsup.game.values.cards import DECK, Cards
from headsup.game.values.money import MAX_METER_MICROS


@dataclass(frozen=True, slots=True)
class Transcript:
    """All commands of a round, in order, and the closed round they lead to."""

    commands: tuple[RoundCommand, ...]
    round: Round


def finish_round(written: WrittenRound) -> FinishedRound:
    """The round for settlement, with the hands that its irregularities voided."""
    round = play_written_round(written).round
    deal = round.deal if round.board_shown == 5 else EMPTY_DEAL
    if round.felt is not None:
        deal = round.open_deal()
    plays = round.seat_plays(written.players)
    return FinishedRound(written.rules, deal, plays, written.meter, written.id)


def play_written_round(written: WrittenRound) -> Transcript:
    """Play out a written round. A round that could not have happened is refused."""
    script = _Script(written)
    while script.round.phase is not Phase.CLOSED:
        for command in script.next_commands():
            script.apply(command)
    _check_all_happened(script)
    return Transcript(tuple(script.commands), script.round)


class _Script:
    """Finds and applies the commands that a written round implies, one after another."""

    def __init__(self, written: WrittenRound) -> None:
        self.written = written
        self.plays = {play.seat: play for play in written.plays}
        felt = FeltRound() if written.turned_over else None
        self.round = Round(written.rules, written.number, felt=felt)
        self.reports = list(written.reports)
        self.commands: list[RoundCommand] = []

    def apply(self, command: RoundCommand) -> None:
        answer = decide(self.round, command, self.written.meter, self.written.players)
        if isinstance(answer, Refusal):
            raise Refused.of(answer)
        self.commands.append(command)
        for event in answer:
            self.round = event.apply_to(self.round)

    def next_commands(self) -> Iterator[RoundCommand]:
        """The commands that come next. Apply each before asking for another."""
        phase = self.round.phase
        if phase is Phase.BETTING:
            for number, play in sorted(self.plays.items()):
                # Coupons have numbers only at a table.
                yield PlaceBets(number, play.stakes, dict.fromkeys(play.coupons, 0))
            yield CloseBets()
            return
        if self.reports and self.reports[0].at is phase:
            yield from self._report_commands(self.reports.pop(0))
            return
        if phase is Phase.NO_MORE_BETS:
            felt = self.round.felt
            yield DealCards(deck_of(self.written)) if felt is None else DealFaceDown()
        elif (due := cards_due(self.round)) is not None:
            yield TurnOver(due.place, self._written_cards(due))
        elif phase in STREET_BY_PHASE:
            yield self._decision(self.round.seats_owing()[0], STREET_BY_PHASE[phase])
        else:
            yield Proceed()

    def _written_cards(self, due: CardsDue) -> Cards:
        written, place = self.written, due.place
        if place == BOARD:
            shown = self.round.board_shown
            return written.deal.board[shown : shown + due.cards]
        if place == DEALER:
            return written.deal.dealer
        if place == ALL_6:
            return written.deal.all_6
        return next(play.hole for play in written.plays if seat_place(play.seat) == place)

    def _report_commands(self, written: WrittenReport) -> Iterator[RoundCommand]:
        """The report, after the decisions that the reported seats had made on this street."""
        phase, report = written
        street = STREET_BY_PHASE.get(phase)
        if street is not None:
            for number in self.round.seats_owing():
                if report.seat in (None, number) and self._decided_before(report, number, street):
                    yield self._decision(number, street, missed=_is_taken_back(report))
        if self.round.phase is not phase:
            raise Refused(Code.BAD_IRREGULARITY, "decided", where="irregularity", at=phase)
        yield report

    def _decided_before(self, report: ReportIrregularity, number: int, street: Street) -> bool:
        if _is_taken_back(report) or report.cause is Cause.FOLDED_CARD_EXPOSED:
            return True
        return report.resolution is Resolution.VOID and self._decides_on(number, street)

    def _decides_on(self, number: int, street: Street) -> bool:
        """Whether the seat raised, folded or ran out of time on this street."""
        timed_out = number in self.written.auto and not self.round.seats[number].auto
        match self.plays[number].decision:
            case HasRaised(raised_on):
                return timed_out or raised_on is street
            case HasFolded():
                return timed_out or street is Street.RIVER
            case Undecided() | HasChecked():
                return timed_out

    def _will_be_taken_back(self, number: int) -> bool:
        """Whether the seat's Raise was missed at first, and recorded as a check or fold."""
        return any(
            report.seat == number
            and _is_taken_back(report)
            and _is_right_after(phase, self.round.phase)
            for phase, report in self.reports
        )

    def _decision(self, number: int, street: Street, missed: bool = False) -> RoundCommand:
        decision = self.plays[number].decision
        missed = missed or self._will_be_taken_back(number)
        if isinstance(decision, HasRaised) and decision.street is street and not missed:
            return Raise(number, decision.multiple)
        if street is Street.RIVER and not isinstance(decision, HasFolded) and not missed:
            raise Refused(Code.BAD_DECISION, "neither", where=f"seat {number}")
        if number in self.written.auto:
            return TimeOut(number, self.round.rules.grace_seconds)
        return Fold(number) if street is Street.RIVER else Check(number)


def _is_taken_back(report: ReportIrregularity) -> bool:
    return report.cause is Cause.MISSED_RAISE and report.resolution is Resolution.CORRECT


def _is_right_after(phase: Phase, street: Phase) -> bool:
    """Whether the phase is the one right after the street."""
    order = tuple(Phase)
    return order.index(phase) == order.index(street) + 1


def _check_all_happened(script: _Script) -> None:
    """Refuse a text with reports, cards or decisions that did not occur when it was played out."""
    for phase, report in script.reports:
        raise Refused(
            Code.BAD_IRREGULARITY, "never", where="irregularity", cause=report.cause, at=phase
        )
    if script.written.deal.board and not script.round.dealt:
        raise Refused(Code.BAD_IRREGULARITY, "undealt", where="irregularity")
    for number, seat in script.round.seats.items():
        decision = UNDECIDED if seat.decision == HAS_CHECKED else seat.decision
        if decision != script.plays[number].decision:
            raise Refused(Code.BAD_DECISION, "void", where=f"seat {number}")


def deck_of(written: WrittenRound) -> tuple[int, ...]:
    """The written deck, or one that deals the written cards."""
    if written.deck:
        return written.deck
    if not written.deal.board:
        raise Refused(Code.MISSING_CARDS, "dealt")
    order = deal_order(
        written.rules.dealing,
        tuple(play.seat for play in written.plays if play.hole),
        ALL_6 in written.rules.paytables,
    )
    cards = {DEALER: written.deal.dealer, BOARD: written.deal.board, ALL_6: written.deal.all_6}
    cards |= {seat_place(play.seat): play.hole for play in written.plays if play.hole}
    if not cards[ALL_6]:  # dealt, but nobody wagered on them: any cards will do
        named = {card for hand in cards.values() for card in hand}
        cards[ALL_6] = tuple(card for card in DECK if card not in named)[:4]
    return build_deck(order, dict(cards))


# The same round at a table, for replays.


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, and the floor after it."""

    event: Event
    floor: Floor


def play_at_table(written: WrittenRound) -> Iterator[Moment]:
    """A written round event by event, from its opening to its close."""
    table_id = written.table or "table"
    floor = _opening(written, table_id)
    opening: list[Event] = [RoundOpened(written.number)]
    for event in opening:
        floor = evolve_floor(floor, table_id, event)
        yield Moment(event, floor)
    for command in play_written_round(written).commands:
        _, decision = act(floor, table_id, _actor_of(command), command)
        if isinstance(decision, Refusal):
            raise Refused.of(decision)
        for event in decision:
            floor = evolve_floor(floor, table_id, event)
            yield Moment(event, floor)


def _actor_of(command: RoundCommand) -> Actor:
    if isinstance(command, PlaceBets | Check | Raise | Fold):
        return PlayerAt(command.seat)
    return Staff()


def _opening(written: WrittenRound, table_id: str) -> Floor:
    """A table with these seats taken, enough chips for any decision, and the given meter."""
    has_meter = written.meter is not None and needs_meter(written.rules)
    meter_name = f"{table_id} meter" if has_meter else ""
    source = ShuffleSource.TURNED_OVER if written.turned_over else ShuffleSource.NOT_STATED
    table = new_table(table_id, written.rules, meter=meter_name, shuffle=source)
    table = table._replace(rounds=written.number - 1)
    floor = Floor(tables={table_id: table})
    if has_meter:
        floor = _with_meter(floor, written, meter_name)
    for play in written.plays:
        for event in (
            PlayerSat(play.seat, _player_name(play)),
            BoughtIn(play.seat, _chips_needed(play)),
        ):
            floor = evolve_floor(floor, table_id, event)
    return floor


def _player_name(play: SeatPlay) -> str:
    """Whoever has no name is called by the seat. A round is played again with counted chips, so
    guests get names like those of accounts: "player 3" where a record says "seat 3"."""
    name = play.player or seat_name(play.seat)
    return name.replace("seat", "player") if is_guest_name(name) else name


def _chips_needed(play: SeatPlay) -> int:
    """Cents enough for the wagers placed and the largest possible Raise."""
    return sum(play.stakes.values()) + MAX_MULTIPLE * play.stakes[Wager.ANTE]


def _with_meter(floor: Floor, written: WrittenRound, name: str) -> Floor:
    """Add the meter that the text gives, which includes this round's contributions (R72)."""
    pool = written.meter or 0
    rules = meter_rules(written.rules, name)
    rules = replace(rules, contribution=0, maximum=MAX_METER_MICROS)
    meter = Meter(rules, pool=pool, seeded=pool)
    ledger = floor.ledger
    if pool and meter.account.kind is not AccountKind.BONUS:
        house = Account(AccountKind.SEED, name)
        ledger = post(ledger, [Transfer(house, meter.account, pool, Reason.SEED, name)])
    return floor._replace(ledger=ledger, meters={name: meter})
