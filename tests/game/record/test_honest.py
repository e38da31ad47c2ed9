"""The audit accepts everything that the journal writes: extreme money, names, options, times."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import Link, format_link
from headsup.game.record.journal import Journal, record_command
from headsup.game.refusal import Refusal
from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, Proceed, Raise
from headsup.game.round.decide import legal_actions
from headsup.game.round.state import STREET_BY_PHASE, Phase
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.meter_control import CorrectMeter, FreezeMeter, SetBonusPrize
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.state import Table
from headsup.game.values.cards import DECK
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import MAX_METER_MICROS, MAX_STAKE_CENTS
from tests.support.logs import DEALER, Recorder
from tests.support.odd_commands import askers, commands

NAMES = ("Ann", "seat 3", "é 漢字 🂡", "Ann\u202e", "x" * 3_000, '"; {', "\\u0041", "dealer")
TABLES = ("T1", "seat 1", "T/1", "meter", "漢", "x" * 3_000, '"', "T1 meter")
TIMES = ("12:00:00Z", "11:59:59.999999Z", "12:00:00.5Z", "12:00:00.50Z", "23:59:59Z")
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"meter_seed": "10000000000.00", "meter_contribution": "1.00"},
    {"meter_seed": "0.01", "meter_contribution": "0.000001", "meter_max": "0.02"},
    {"meter_seed": "2500.00", "meter_contribution": "0.333333", "positions_per_player": 6},
    {"meter_seed": "1.00", "meter_contribution": "0.25", "chip_unit": "25.00", "rounding": "up"},
    {"meter_seed": "1.00", "meter_contribution": "0.25", "percentage_awards": "sequential"},
    {"meter_seed": "1.00", "meter_contribution": "0", "jackpot_regime": "bonus"},
)


class Extremes:
    """One table with its log, for random commands."""

    def __init__(self, book: str, table: str, options: dict[str, Any], random: Random) -> None:
        self.id, self.random = table, random
        self.journal, self.links = Journal(), list[Link]()
        # A tribal table needs an approval, but no maximum wager.
        tribal = {"approval": "A-1", "tribal": True} if book.startswith("washington") else {}
        chosen = ({**each, **tribal} for each in (options, OPTIONS[1], {}))
        assert any(self.ask(DEALER, OpenTable(book, (), FrozenJson(each))) for each in chosen)

    @property
    def table(self) -> Table:
        return self.journal.floor.tables[self.id]

    def ask(self, by: Actor, command: Command) -> bool:
        at = f"2026-01-{self.random.choice((30, 31))}T{self.random.choice(TIMES)}"
        self.journal, answer = record_command(self.journal, at, self.id, by, command)
        if isinstance(answer, Refusal):
            return False
        self.links += answer
        return True

    def seat_players(self) -> None:
        for seat in (1, 3, 6):
            self.ask(PlayerAt(seat), Sit(seat, self.random.choice(NAMES)))
            for _ in range(self.random.randrange(4)):
                self.ask(PlayerAt(seat), BuyIn(seat, self.random.choice((1, MAX_STAKE_CENTS))))

    def go_on(self) -> None:
        """What is due, with as much money as there is."""
        round = self.table.round
        if round is None or round.phase is Phase.CLOSED:
            self.ask(DEALER, OpenRound())
        elif round.phase is Phase.BETTING:
            for seat in self.table.players:
                self.bets(seat)
            self.ask(DEALER, CloseBets()) or self.ask(DEALER, Proceed())
        elif round.phase in STREET_BY_PHASE and round.seats_owing():
            seat = self.random.choice(round.seats_owing())
            choices = sorted(
                legal_actions(round, seat), key=lambda choice: isinstance(choice, Raise)
            )
            done = self.ask(PlayerAt(seat), self.random.choice([choices[-1], choices[0]]))
            done or self.ask(PlayerAt(seat), choices[0])
        else:
            deck = tuple(self.random.sample(DECK, 52))
            self.ask(DEALER, DealCards(deck)) or self.ask(DEALER, Proceed())

    def bets(self, seat: int) -> None:
        ante = self.random.choice((1, 1_000, self.journal.floor.chips(self.id, seat) // 8 or 1))
        stakes = {Wager.ANTE: ante, Wager.ODDS: ante}
        for wager in SIDE_WAGERS:
            if self.table.rules.offers(wager):
                fixed = wager is Wager.PROGRESSIVE
                stakes[wager] = self.table.rules.progressive_stake if fixed else ante
        self.ask(PlayerAt(seat), PlaceBets(seat, stakes)) or self.ask(
            PlayerAt(seat), PlaceBets(seat, {Wager.ANTE: ante, Wager.ODDS: ante})
        )

    def staff_work(self) -> None:
        amount = self.random.choice((1, -1, MAX_METER_MICROS, -MAX_METER_MICROS, 10**15 + 7))
        by = Staff(self.random.choice(NAMES))
        self.ask(by, CorrectMeter(amount, "two\nlines\t\x1b", ("Ann", "é")))
        self.ask(by, SetBonusPrize(abs(amount), "\u2028", "Bob"))
        self.ask(by, FreezeMeter(self.random.choice(("", " \x07 down", "ü" * 500))))

    def all_leave(self) -> None:
        for _ in range(60):
            if not self.table.is_playing:
                break
            self.go_on()
        for seat in tuple(self.table.players):
            self.ask(PlayerAt(seat), Leave(seat))

    def assert_valid(self) -> None:
        report = audit(format_link(link) for link in self.links)
        assert report.finding is None, report.finding
        assert report.journal == self.journal


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(
    st.sampled_from(SHIPPED_BOOKS),
    st.sampled_from(TABLES),
    st.sampled_from(OPTIONS),
    st.randoms(use_true_random=False),
    st.lists(st.tuples(askers, commands), max_size=12),
)
def test_an_audit_accepts_any_honest_log(
    book: str, table: str, options: dict[str, Any], random: Random, odd: list[tuple[Actor, Command]]
) -> None:
    play = Extremes(book, table, options, random)
    play.seat_players()
    for by, command in odd:
        for _ in range(random.randrange(6)):
            play.go_on()
        play.ask(by, command)
        play.staff_work()
    play.all_leave()
    play.assert_valid()


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_an_audit_accepts_leaving_with_more_than_the_largest_buy_in(book: str) -> None:
    """A bankroll of $10,000,000, three raises, quit."""
    for seed in range(4):
        play = Extremes(book, "T1", OPTIONS[3], Random(seed))
        play.ask(PlayerAt(1), Sit(1, "Ann"))
        for _ in range(3):
            play.ask(PlayerAt(1), BuyIn(1, MAX_STAKE_CENTS))
        for _ in range(40):
            play.go_on()
        play.all_leave()
        play.assert_valid()
        assert play.table.players == {}


def test_a_player_may_leave_with_more_than_the_largest_buy_in() -> None:
    log = Recorder()
    log.do("T1", DEALER, OpenTable("galaxy-wpt"))
    log.do("T1", PlayerAt(1), Sit(1, "Ann"))
    for _ in range(2):
        log.do("T1", PlayerAt(1), BuyIn(1, MAX_STAKE_CENTS))
    log.do("T1", PlayerAt(1), Leave(1))
    assert audit(log.lines).is_valid
    cashed_out = log.links[-1].entry["events"][0]
    assert (cashed_out["event"], cashed_out["amount"]) == ("CashedOut", 2 * MAX_STAKE_CENTS)
