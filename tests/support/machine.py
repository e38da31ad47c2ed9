"""A floor under random commands: what must hold after every event."""

import json
from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from headsup.game.bank.ledger import (
    Account,
    AccountKind,
    drop_account,
    guests_account,
    player_account,
)
from headsup.game.bank.meter import Regime
from headsup.game.record.message_codec import read_event, write_event
from headsup.game.refusal import Refusal
from headsup.game.round.commands import CloseBets, DealCards, DealFaceDown, Proceed, TimeOut
from headsup.game.round.decision import HasRaised
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    CardsCorrected,
    DecisionCorrected,
    HandResolved,
    HandSettled,
    HandVoided,
    Raised,
    RoundClosed,
    RoundSettled,
    RoundVoided,
    StakesCorrected,
)
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.round.turned_over import cards_due, known_cards_due
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.chips.felt import is_guest_name
from headsup.game.table.chips.held_awards import (
    AwardPaid,
    AwardRefused,
    VerifyAward,
    award_to_verify,
    is_held,
)
from headsup.game.table.chips.shifts import BoxPulled, ShiftOpened, house_chips
from headsup.game.table.commands import Command
from headsup.game.table.coupon_control import CouponCancelled, CouponIssued
from headsup.game.table.decide import act, decide
from headsup.game.table.equipment import (
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import (
    BonusEnded,
    BonusPrizeSet,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PoolReceived,
    PoolTransferred,
)
from headsup.game.table.opening import TableOpened
from headsup.game.table.payout_corrections import PayoutCorrected
from headsup.game.table.seating import BoughtIn, CashedOut
from headsup.game.table.state import Floor, Table
from headsup.game.values.cards import DECK
from headsup.game.values.money import MICROS_PER_CENT
from tests.support.random_commands import Request, before_the_deal, some_cards
from tests.support.tables import ANTE, PROGRESSIVE, STAFF


def won_by(round: Round, seat: int) -> int:
    """What the hand has won of the pool so far, in micros."""
    hands = () if round.settlement is None else round.settlement.seats
    lines = (line for hand in hands if hand.seat == seat for line in hand.lines)
    return sum(line.award for line in lines) * MICROS_PER_CENT


@dataclass
class Count:
    chips: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    felt: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    prizes: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # guests', by table
    won_before: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # micros
    cash: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # in the box, by table
    pools: dict[str, int] = field(default_factory=dict)  # micros, what is in reserve included
    frozen: set[str] = field(default_factory=set)
    down: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # meter → tables
    counted: set[tuple[str, int]] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)  # meters that are played for no more
    # table → coupon → player and cents; on the felt or not
    coupons: dict[str, dict[int, tuple[str, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )

    def see(self, before: Floor, id: str, event: Event) -> None:
        table = before.tables.get(id)
        if table is None:
            assert isinstance(event, TableOpened)
            if event.opens_meter:
                # The seed of every table above but the Bonus Jackpots' is METER's.
                self.pools[event.meter] = 10_000_000_000
            return
        state = table.round
        match event:
            case BoughtIn(seat, amount):
                if table.is_guest(seat):
                    self.cash[id] += amount
                else:
                    self.chips[id, table.players[seat]] += amount
            case PayoutCorrected(_, amount, player=name):
                here = name in table.players.values() or is_guest_name(name)
                self.chips[id, name] += amount if here else 0
            case AwardPaid(_, _, player, amount):
                if player in table.players.values() or is_guest_name(player):
                    self.chips[id, player] += amount
                if is_guest_name(player):
                    self.prizes[id] += amount
            case BoxPulled(_, _, amount):
                assert amount == self.cash[id]
                self.cash[id] = 0
            case ShiftOpened():
                names = [name for of, name in self.chips if of == id and is_guest_name(name)]
                carried = sum(self.chips[id, name] for name in names)
                self.won_before[id] = (self.prizes[id] - carried) * MICROS_PER_CENT
            case CashedOut(seat, amount):
                self.chips[id, table.players[seat]] -= amount
            case BetsPlaced(seat, stakes, coupons):
                assert state is not None
                self.take_back(table, state, seat)
                self.stake(table, seat, sum(stakes.values()))
                self.chips[id, table.players[seat]] += sum(stakes[wager] for wager in coupons)
                for wager, number in coupons.items():
                    assert self.coupons[id][number] == (table.players[seat], stakes[wager])
            case BetsWithdrawn(seat):
                assert state is not None
                self.take_back(table, state, seat)
            case CouponIssued(number, player, _, amount):
                assert number not in self.coupons[id]
                self.coupons[id][number] = (player, amount)
            case CouponCancelled(number):
                del self.coupons[id][number]
            case Raised(seat, _, multiple):
                assert state is not None
                self.stake(table, seat, state.seats[seat].stakes[ANTE] * multiple)
            case StakesCorrected(seat, was, now):
                self.stake(table, seat, sum(now.values()) - sum(was.values()))
            case DecisionCorrected(seat, _, was_decided, now_decided):
                assert state is not None
                ante = state.seats[seat].stakes[ANTE]
                for decision, sign in ((was_decided, -1), (now_decided, 1)):
                    if isinstance(decision, HasRaised):
                        self.stake(table, seat, sign * ante * decision.multiple)
            case BetsClosed():
                assert state is not None
                self.felt[id] -= sum(
                    seat.stakes[PROGRESSIVE]
                    for seat in state.seats.values()
                    if self.collected(table, seat.stakes)
                )
            case HandResolved(seat):
                assert state is not None
                assert state.settlement is not None
                lines = state.settlement.seat(seat).lines
                award = sum(line.award for line in lines)
                if is_held(table, award):
                    self.chips[id, table.players[seat]] -= award
                elif table.is_guest(seat):
                    self.prizes[id] += award
                self.chips[id, table.players[seat]] += sum(
                    line.net + (0 if line.coupon else line.stake) for line in lines
                )
                for line in lines:
                    if line.coupon and line.result != "void":
                        del self.coupons[id][state.seats[seat].coupons[line.wager]]
                self.felt[id] -= sum(
                    line.stake for line in lines if not self.collected(table, {line.wager})
                )
            case _:
                pass
        if table.meter:
            self.see_meter(before, table, event)

    def collected(self, table: Table, wagers: Container[Wager]) -> bool:
        """Whether the dealer took a Progressive stake up before play."""
        return PROGRESSIVE in wagers and table.rules.paytables["progressive"].basis == "for"

    def stake(self, table: Table, seat: int, cents: int) -> None:
        self.chips[table.id, table.players[seat]] -= cents
        self.felt[table.id] += cents

    def take_back(self, table: Table, state: Round, seat: int) -> None:
        """The seat's bets so far, if any: chips to the player, coupons as coupons."""
        if seat in state.seats:
            bets = state.seats[seat]
            self.stake(table, seat, -sum(bets.stakes.values()))
            by_coupon = sum(bets.stakes[wager] for wager in bets.coupons)
            self.chips[table.id, table.players[seat]] -= by_coupon

    def see_meter(self, before: Floor, table: Table, event: Event) -> None:
        name = table.meter
        bonus = before.meters[name].rules.regime is Regime.BONUS
        each = 0 if bonus or name in self.gone else 250_000
        match event:
            case WagersRegistered(flags):
                seats = flags.get(PROGRESSIVE, ())
                self.counted |= {(table.id, number) for number in seats}
                self.pools[name] += each * len(seats)
            case WagersCountedByHand(counts):
                assert table.round is not None
                on_felt = [
                    number
                    for number, seat in table.round.seats.items()
                    if PROGRESSIVE in seat.stakes and seat.void is None
                ]
                assert len(on_felt) == counts[PROGRESSIVE]
                self.counted |= {(table.id, number) for number in on_felt}
                self.pools[name] += each * len(on_felt)
            case FlagCorrected(seat, _, wagered):
                (self.counted.add if wagered else self.counted.remove)((table.id, seat))
                self.pools[name] += each if wagered else -each
            case HandVoided(seat):
                assert table.round is not None
                wagered = PROGRESSIVE in table.round.seats[seat].stakes
                if wagered and (table.id, seat) in self.counted:
                    self.counted.remove((table.id, seat))
                    self.pools[name] -= each
                if not table.round.dealt and table.round.dealt_seats() == (seat,):
                    # No cards are dealt, so flags without wagers are not corrected any more.
                    self.pools[name] -= each * sum(id == table.id for id, _ in self.counted)
                    self.counted = {item for item in self.counted if item[0] != table.id}
                if not bonus:  # what it won goes back
                    self.pools[name] += won_by(table.round, seat)
            case HandResolved(seat):  # it can no longer be void
                self.counted.discard((table.id, seat))
            case RoundVoided():
                assert table.round is not None
                if not bonus:
                    unpaid = (
                        seat for seat in table.round.seats if seat not in table.round.resolved
                    )
                    self.pools[name] += sum(won_by(table.round, seat) for seat in unpaid)
                of_table = {item for item in self.counted if item[0] == table.id}
                self.counted -= of_table
                self.pools[name] -= each * len(of_table)
            case EquipmentWentDown():
                self.down[name].add(table.id)
            case EquipmentRestored():
                self.down[name].remove(table.id)
            case RoundClosed():
                self.counted = {item for item in self.counted if item[0] != table.id}
            case RoundSettled(settlement):
                lines = [line for seat in settlement.seats for line in seat.lines]
                if not bonus:
                    self.pools[name] -= sum(line.award for line in lines) * MICROS_PER_CENT
                    whole = any(line.award and line.pay and line.pay.amount == 1 for line in lines)
                    self.pools[name] += 10_000_000_000 if whole else 0
            case CardsCorrected():
                assert table.round is not None
                if not bonus:
                    unpaid = (
                        seat for seat in table.round.seats if seat not in table.round.resolved
                    )
                    self.pools[name] += sum(won_by(table.round, seat) for seat in unpaid)
            case HandSettled(settled):
                assert table.round is not None
                if not bonus:
                    self.pools[name] -= sum(line.award for line in settled.lines) * MICROS_PER_CENT
                    self.pools[name] += won_by(table.round, settled.seat)
                    whole = any(
                        line.award and line.pay and line.pay.amount == 1 for line in settled.lines
                    )
                    self.pools[name] += 10_000_000_000 if whole else 0
            case AwardRefused(number, _, _, reseed_back):
                if not bonus:
                    self.pools[name] += table.felt.held[number].amount * MICROS_PER_CENT
                    self.pools[name] -= reseed_back
            case MeterCorrected(amount):
                self.pools[name] += amount
            case MeterFrozen():
                self.frozen.add(name)
            case MeterUnfrozen():
                self.frozen.discard(name)
            case PoolTransferred(to, amount):
                assert amount == self.pools[name]
                if to in self.pools:
                    self.pools[to] += amount
                self.pools[name] = 0
                self.gone.add(name)
            case PoolReceived(_, amount):
                self.pools[name] += amount
            case BonusPrizeSet(prize):
                self.pools[name] = prize
            case BonusEnded():
                self.pools[name] = 0
                self.frozen.discard(name)
            case _:
                pass

    def agrees(self, floor: Floor) -> None:
        ledger = floor.ledger
        self.guests_agree(floor)
        for (id, name), cents in self.chips.items():
            if is_guest_name(name):
                continue
            assert cents >= 0, f"{name} at {id} is below zero"
            assert ledger.balance(player_account(f"{id}/{name}")) == cents * MICROS_PER_CENT
        felt: dict[str, int] = defaultdict(int)
        for account, amount in ledger:
            if account.kind is AccountKind.WAGER:
                felt[account.owner.split("/")[0]] += amount
        for id, table in floor.tables.items():
            assert felt[id] == self.felt[id] * MICROS_PER_CENT
            settled = table.round is None or table.round.phase in (Phase.SETTLED, Phase.CLOSED)
            assert not (settled and felt[id]), "nothing lies on the felt between rounds"
        for table in floor.tables.values():
            self.coupons_agree(floor, table)
        for name, meter in floor.meters.items():
            assert meter.pool + meter.reserve == self.pools[name], (
                f"{name} is not what it should be"
            )
            assert bool(meter.frozen_reason) == (name in self.frozen or bool(self.down[name]))
            if meter.rules.regime is Regime.PROGRESSIVE:
                assert ledger.balance(meter.account) == meter.pool
            assert ledger.balance(Account(AccountKind.RESERVE, name)) == meter.reserve

    def guests_agree(self, floor: Floor) -> None:
        """R109: what guests won or lost is with the chips they carry, and their cash in the box."""
        balance = floor.ledger.balance
        for id in floor.tables:
            names = [name for table, name in self.chips if table == id and is_guest_name(name)]
            carried = sum(self.chips[id, name] for name in names) * MICROS_PER_CENT
            assert balance(guests_account(id)) == carried
            assert balance(drop_account(id)) == self.cash[id] * MICROS_PER_CENT
            shift = floor.tables[id].felt.shift
            if shift is not None and not floor.tables[id].is_playing:
                won = -carried + self.prizes[id] * MICROS_PER_CENT
                assert house_chips(floor, id) - shift.start == won - self.won_before[id]

    def coupons_agree(self, floor: Floor, table: Table) -> None:
        unspent, balance = self.coupons[table.id], floor.ledger.balance
        held = {
            number: (item.player, item.amount) for number, item in table.coupons.unspent.items()
        }
        assert held == unspent
        laid = [
            number
            for seat in (table.round.seats.values() if table.round and table.is_playing else ())
            for number in seat.coupons.values()
        ]
        assert len(laid) == len(set(laid)), "a coupon lies on the felt twice"
        if not balance(Account(AccountKind.ISSUED_COUPON, table.id)):
            assert not unspent
            return
        issued = -balance(Account(AccountKind.ISSUED_COUPON, table.id))
        spent = balance(Account(AccountKind.SPENT_COUPON, table.id))
        total = sum(cents for _, cents in unspent.values())
        assert issued - spent == total * MICROS_PER_CENT
        for name in {player for player, _ in unspent.values()}:
            assert balance(Account(AccountKind.COUPON, f"{table.id}/{name}")) >= 0


class Machine:
    def __init__(self) -> None:
        self.floor = Floor()
        self.read = Floor()  # folded from the events as JSON gives them back
        self.count = Count()
        self.log: list[tuple[str, Event]] = []
        self.accepted = 0

    def ask(self, request: Request) -> None:
        before = self.floor
        after, answer = act(before, *request)
        assert decide(before, *request) == answer, "deciding again gives the same answer"
        if isinstance(answer, Refusal):
            assert after is before, "a refusal has no effect"
            assert answer.code.replace("_", "").isalpha()
            assert answer.message.isprintable()
            assert answer.message
            return
        self.accepted += 1
        self.floor = before
        for event in answer:
            self.happens(request.table, event)
        assert equal_floors(self.floor, after), "evolving again gives the same floor"
        self.holds(request.table)

    def happens(self, id: str, event: Event) -> None:
        again = read_event(json.loads(json.dumps(write_event(event))))
        assert again == event, "an event reads back as it was written"
        self.count.see(self.floor, id, event)
        self.floor = evolve(self.floor, id, event)
        self.read = evolve(self.read, id, again)
        self.log.append((id, event))

    def holds(self, id: str) -> None:
        """Check the floor after an event at this table; other tables are compared at the end."""
        assert self.floor.ledger.total() == 0
        assert equal_floors(self.floor, self.read, [id]), "the record gives another floor"
        self.count.agrees(self.floor)

    def ends(self) -> None:
        """Every open round can be finished, and the whole record leads to the same floor."""
        for id, table in self.floor.tables.items():
            if table.round is not None and table.round.seats:
                ended = finish(self.floor, id)
                assert not ended.tables[id].is_playing
                assert ended.ledger.total() == 0
        assert equal_floors(self.floor, self.read), "the record gives another floor"
        floor = Floor()
        for id, event in self.log:
            floor = evolve(floor, id, event)
        assert equal_floors(floor, self.floor)


def equal_floors(one: Floor, two: Floor, ids: Iterable[str] | None = None) -> bool:
    """Whether money, meters and these tables (or all) are equal."""
    return (
        one.ledger == two.ledger
        and one.meters == two.meters
        and len(one.tables) == len(two.tables)
        and all(_same_table(one.tables[id], two.tables[id]) for id in ids or one.tables)
    )


def _same_table(one: Table, two: Table) -> bool:
    return one is two or _without_rules(one) == _without_rules(two)


def _without_rules(table: Table) -> tuple[Any, ...]:
    """Rules are compared by identity; opening checks that they are the same."""
    return (table._replace(rules=None, round=None), table.round and table.round[1:])  # type: ignore[arg-type]


def finish(floor: Floor, id: str) -> Floor:
    """The dealer alone finishes the round: closes bets, deals, times out, proceeds."""
    for _ in range(60):
        state = floor.tables[id].round
        assert state is not None
        if state.phase is Phase.CLOSED:
            return floor
        command: Command = Proceed()
        award = award_to_verify(floor.tables[id])
        if award is not None:
            command = VerifyAward(award, ("Dee", "Sue"))
        elif state.phase is Phase.BETTING:
            command = CloseBets()
        elif state.phase is Phase.NO_MORE_BETS:
            deals = DealCards(DECK) if state.felt is None else DealFaceDown()
            command = before_the_deal(floor.tables[id], state) or deals
        elif (due := cards_due(state)) is not None and not known_cards_due(state, due):
            command = some_cards(Random(0), state, due.place, due.cards)
        elif state.phase in STREET_BY_PHASE:
            command = TimeOut(state.seats_owing()[0], None)
        floor, answer = act(floor, id, STAFF, command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
    raise AssertionError("the round does not end")
