"""Six-seat rounds with every wager through the pure core, against PokerKit's heads-up hands.

Both play random decisions to a showdown. Times are the best of many short batches, taken in turn in
one process, so that other load slows both alike.
"""

import random
from collections.abc import Callable
from time import perf_counter

from pokerkit import Automation, NoLimitTexasHoldem

from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    RoundCommand,
)
from headsup.game.round.decide import decide as decide_round
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.decide import act
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import Floor
from headsup.game.values.frozen_json import FrozenJson

SEATS = range(1, 7)
STAKES = {
    Wager.ANTE: 1_000,
    Wager.ODDS: 1_000,
    Wager.TRIPS_PLUS: 500,
    Wager.POCKET_BONUS: 500,
    Wager.ALL_6: 500,
    Wager.PROGRESSIVE: 100,
}
METER = {"meter_seed": "10000.00", "meter_contribution": "0.25"}


class RoundMachine:
    """Only the round: decide, evolve, settle."""

    def __init__(self) -> None:
        self.rules = table_rules("galaxy")
        self.state = Round(self.rules, 1)
        self.rng = random.Random(1)

    def ask(self, command: RoundCommand) -> None:
        decision = decide_round(self.state, command, 10**10)
        if isinstance(decision, Refusal):
            raise RuntimeError(decision.message)
        for event in decision:
            self.state = event.apply_to(self.state)

    def play(self) -> None:
        self.state = Round(self.rules, 1)
        for seat in SEATS:
            self.ask(PlaceBets(seat, STAKES))
        self.ask(CloseBets())
        self.ask(DealCards(_deck(self.rng)))
        for multiple in (3, 2, 1):
            for seat in self.state.seats_owing():
                self.ask(_choice(self.rng, seat, multiple))
            self.ask(Proceed())
        while self.state.phase is not Phase.CLOSED:
            self.ask(Proceed())


class WholeTable:
    """The round with players' chips, the ledger and the progressive meter."""

    def __init__(self) -> None:
        self.rng = random.Random(1)
        self.floor = Floor()
        self.ask(Staff(), OpenTable("galaxy", options=FrozenJson(METER)))
        for seat in SEATS:
            self.ask(PlayerAt(seat), Sit(seat, f"player {seat}"))
            self.ask(PlayerAt(seat), BuyIn(seat, 10**9))

    def ask(self, by: Actor, command: Command) -> None:
        self.floor, decision = act(self.floor, "T1", by, command)
        if isinstance(decision, Refusal):
            raise RuntimeError(decision.message)

    def play(self) -> None:
        staff = Staff()
        self.ask(staff, OpenRound())
        for seat in SEATS:
            self.ask(PlayerAt(seat), PlaceBets(seat, STAKES))
        self.ask(staff, CloseBets())
        self.ask(staff, DealCards(_deck(self.rng)))
        for multiple in (3, 2, 1):
            round = self.floor.tables["T1"].round
            for seat in round.seats_owing() if round else ():
                self.ask(PlayerAt(seat), _choice(self.rng, seat, multiple))
            self.ask(staff, Proceed())
        while self.floor.tables["T1"].is_playing:
            self.ask(staff, Proceed())


# The house shuffles, not the core, so decks are made before timing starts.
_SHUFFLER = random.Random(52)
_DECKS = [tuple(_SHUFFLER.sample(range(52), 52)) for _ in range(4_000)]


def _deck(rng: random.Random) -> tuple[int, ...]:
    return rng.choice(_DECKS)


def _choice(rng: random.Random, seat: int, multiple: int) -> Check | Raise | Fold:
    if rng.random() < 0.5:
        return Raise(seat, multiple)
    return Fold(seat) if multiple == 1 else Check(seat)


_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def pokerkit_hand() -> None:
    """Two players check and call to the showdown; PokerKit deals and pays by itself."""
    state = NoLimitTexasHoldem.create_state(_AUTOMATIONS, True, 0, (1, 2), 2, (200, 200), 2)
    while state.status:
        state.check_or_call()


def best_of(plays: list[Callable[[], None]], batches: int = 30, size: int = 20) -> list[float]:
    """Seconds per call of each, in its fastest batch."""
    best = [float("inf")] * len(plays)
    for _ in range(batches):
        for i, play in enumerate(plays):
            start = perf_counter()
            for _ in range(size):
                play()
            best[i] = min(best[i], (perf_counter() - start) / size)
    return best


def rows() -> list[tuple[str, str, str, str]]:
    machine, table = RoundMachine(), WholeTable()
    for _ in range(8_000):  # fill the hand caches, as at a table that has run for a while
        machine.play()
    ours, whole, peer = best_of([machine.play, table.play, pokerkit_hand])
    return [
        (
            "six-seat round, all wagers: round machine and settlement",
            f"{1 / ours:,.0f} rounds/s",
            f"PokerKit {1 / peer:,.0f} heads-up hands/s",
            f"{peer / ours:.1f}×",
        ),
        (
            "the same with chips, ledger and meter",
            f"{1 / whole:,.0f} rounds/s",
            f"PokerKit {1 / peer:,.0f} heads-up hands/s",
            f"{peer / whole:.1f}×",
        ),
    ]
