"""Builders for tables under test. Money is in cents.

A `Play` is one floor: `does` checks that commands are accepted, `refuses` that one is refused
without effect. It stores every event with its table.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from headsup.game.bank.ledger import AccountKind
from headsup.game.bank.meter import Meter, PoolPlace
from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    WithdrawBets,
)
from headsup.game.round.dealing import build_deck, deal_order, seat_place
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.settlement import Line
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.decide import act
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.meter_control import PlanMeterClosing, TransferPool
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import AddSeed
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Floor, Table
from headsup.game.values.cards import parse_cards
from headsup.game.values.frozen_json import FrozenJson

BOOKS = (
    "galaxy",
    "galaxy-wpt",
    "new-york",
    "sugarhouse",
    "washington",
    "washington-no-qualifier",
)
STAFF = Staff("Dee")
FACE_UP = {"face_up_approval": "WSGC 2020-117", "face_up_from": "2020-07-01"}
# What a card room in Washington states before a table opens.
CARD_ROOM = {"approval": "WSGC 2013-117", "single_wager_max": "4000.00"}
METER = {"meter_seed": "10000.00", "meter_contribution": "0.25"}
# Wager keys from files, which messages for people must not use.
_KEYS = re.compile(r"\b(trips_plus|pocket_bonus|all_6)\b")
_FIELD = re.compile(r"[\w-]+(\.[\w-]+)+(: | )")  # `bonus.trips_plus.flush: `, `limits.all_6.max `
_PLAYER_COMMANDS = (
    PlaceBets,
    WithdrawBets,
    Check,
    Raise,
    Fold,
    Sit,
    Leave,
    BuyIn,
    CashOut,
    AddSeed,
)

ANTE, ODDS, TRIPS, POCKET = Wager.ANTE, Wager.ODDS, Wager.TRIPS_PLUS, Wager.POCKET_BONUS
ALL_6, PROGRESSIVE, RAISE = Wager.ALL_6, Wager.PROGRESSIVE, Wager.RAISE

# Washington's Trips Plus table 6, in which the operator fills every cell.
TRIPS_6: dict[str, Any] = {
    "paytables": {"trips_plus": "HH/TP-6"},
    "bonus": {
        "trips_plus": {
            "royal_flush": "50",
            "straight_flush": "40",
            "four_of_a_kind": "30",
            "full_house": "8",
            "flush": "5",
            "straight": "5",
            "three_of_a_kind": "3",
        }
    },
}

# A table closes only after its pool has gone where the approved plan says (R84).
POOL_LEAVES = (
    PlanMeterClosing("2026-01-01", "COMM-12", "Keno 2", PoolPlace.OUTSIDE),
    TransferPool("Keno 2", ("Sue", "Tom")),
)

# Nobody makes a hand, and the dealer does not qualify.
PLAIN = {"dealer": "QcJh", "board": "Kd9c7h5s2d", "all_6": "3c3d4h6s"}
HOLES = {1: "AsTh", 2: "8c4s", 3: "Ts6h", 4: "Jd4c", 5: "8d3h", 6: "Jc6d"}


def opening(
    book: str = "galaxy",
    *,
    clockwise: bool = False,
    meter: str = "",
    paytables: Mapping[str, str] | None = None,
    shuffle: ShuffleSource = ShuffleSource.NOT_STATED,
    **options: Any,
) -> OpenTable:
    """The command that opens a table; a Progressive gets a seed and a contribution."""
    offered = PROGRESSIVE in load_book(book).offers
    if offered and not meter and (paytables or {}).get("progressive") != "none":
        options = {**METER, **options}
    if options.get("face_up"):
        options = {**FACE_UP, **options}
    if "tribal" in load_book(book).options:
        options = {**CARD_ROOM, **options}
    chosen = tuple((paytables or {}).items())
    return OpenTable(book, chosen, FrozenJson(options), clockwise, meter, shuffle)


def stakes(ante: int = 1_000, **sides: int) -> dict[Wager, int]:
    """Ante and Odds of $10, and the named side wagers: `trips_plus=500`."""
    placed = {ANTE: ante, ODDS: ante}
    return placed | {Wager(name): cents for name, cents in sides.items()}


def every_wager(table: Table, ante: int = 1_000, side: int = 500) -> dict[Wager, int]:
    """As many wagers as the table allows one player."""
    offered = [wager for wager in SIDE_WAGERS if table.rules.offers(wager)]
    placed = stakes(ante)
    for wager in offered[: table.rules.max_side_wagers]:
        placed[wager] = table.rules.progressive_stake if wager is PROGRESSIVE else side
    return placed


@dataclass
class Play:
    """One floor, and the table that receives the commands."""

    floor: Floor = field(default_factory=Floor)
    id: str = "T1"
    log: list[tuple[str, Event]] = field(default_factory=list)

    def ask(self, command: Command, by: Actor | None = None) -> tuple[Event, ...] | Refusal:
        """Send a command; by default as the seat's player if it has one, else as staff."""
        by = by or self._default_actor(command)
        before = self.floor
        after, decision = act(before, self.id, by, command)
        if isinstance(decision, Refusal):
            assert after is before, f"{command} was refused with effect"
            return decision
        self.floor = after
        self.log += [(self.id, event) for event in decision]
        return decision

    def _default_actor(self, command: Command) -> Actor:
        actor = default_actor(command)
        if isinstance(actor, PlayerAt) and self.id in self.floor.tables:
            return STAFF if self.table.is_guest(actor.seat) else actor
        return actor

    def does(self, *commands: Command, by: Actor | None = None) -> tuple[Event, ...]:
        """Check that the commands are accepted. Returns the events of the last."""
        events: tuple[Event, ...] = ()
        for command in commands:
            decision = self.ask(command, by)
            assert not isinstance(decision, Refusal), f"{command}: {decision}"
            events = decision
        return events

    def refuses(self, command: Command, by: Actor | None = None) -> str:
        """Check that the command is refused without effect. Returns the code."""
        decision = self.ask(command, by)
        assert isinstance(decision, Refusal), f"{command} was accepted: {decision}"
        assert decision.message, f"{decision.code} says nothing"
        # Messages about fields of OpenTable may use keys.
        if not isinstance(command, OpenTable) and not _FIELD.match(decision.message):
            assert not _KEYS.search(decision.message), (
                f"message uses a key instead of a name: {decision.message}"
            )
        return decision.code

    def happens(self, id: str, event: Event) -> None:
        """Apply an event directly, without a command."""
        self.floor = evolve(self.floor, id, event)
        self.log.append((id, event))

    # Looking.

    @property
    def table(self) -> Table:
        return self.floor.tables[self.id]

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def phase(self) -> Phase:
        return self.round.phase

    @property
    def meter(self) -> Meter:
        return self.floor.meters[self.table.meter]

    def chips(self, seat: int) -> int:
        return self.floor.chips(self.id, seat)

    def lines(self, seat: int) -> dict[Wager, Line]:
        """How each wager of the seat settled."""
        assert self.round.settlement is not None
        settled = next(item for item in self.round.settlement.seats if item.seat == seat)
        return {line.wager: line for line in settled.lines}

    # A round, step by step.

    def bets(self, placed: Mapping[int, Mapping[Wager, int]]) -> None:
        """Open a round, place these wagers, and close the bets."""
        self.does(OpenRound())
        self.does(*(PlaceBets(seat, dict(wagers)) for seat, wagers in placed.items()))
        self.does(CloseBets())

    def bets_close(self) -> None:
        self.does(CloseBets())

    def deals(self, holes: Mapping[int, str] | None = None, **shared: str) -> None:
        """Deal these cards: `deals({1: "AsAh"}, board="…", dealer="…")`; others are plain."""
        self.does(DealCards(self.deck(holes, **shared)))

    def deck(self, holes: Mapping[int, str] | None = None, **shared: str) -> tuple[int, ...]:
        rules, seats = self.table.rules, self.round.dealt_seats()
        where = deal_order(rules.dealing, seats, rules.offers(ALL_6))
        cards = {**PLAIN, **shared}
        cards |= {seat_place(seat): (holes or {}).get(seat, HOLES[seat]) for seat in seats}
        return build_deck(where, {place: parse_cards(text) for place, text in cards.items()})

    def decide_all(self, *, fold: Sequence[int] = ()) -> None:
        """Every seat that owes a decision checks; on the river it raises or folds."""
        for seat in self.round.seats_owing():
            if self.phase is not Phase.RIVER:
                self.does(Check(seat))
            else:
                self.does(Fold(seat) if seat in fold else Raise(seat, 1))

    def settles(self) -> tuple[Event, ...]:
        """Settle and resolve hand after hand. Returns all events."""
        events = self.does(Proceed())
        while self.phase is Phase.RESOLVING:
            events += self.does(Proceed())
        return events

    def reaches(self, phase: Phase, *, fold: Sequence[int] = ()) -> None:
        """Play on, checking, until the round is in this phase."""
        for _ in range(30):
            if self.phase is phase:
                return
            if self.phase is Phase.NO_MORE_BETS:
                self.deals()
            elif self.phase in STREET_BY_PHASE:
                self.decide_all(fold=fold)
            else:
                self.does(Proceed())
        raise AssertionError(f"{phase} was not reached: {self.phase}")


def default_actor(command: Command) -> Actor:
    return PlayerAt(command.seat) if isinstance(command, _PLAYER_COMMANDS) else STAFF


@cache
def _opened(
    command: OpenTable, seats: tuple[int, ...], chips: int, id: str
) -> tuple[Floor, tuple[tuple[str, Event], ...]]:
    play = Play(id=id)
    play.does(command)
    for seat in seats:
        play.does(Sit(seat, f"P{seat}"))
        if chips:
            play.does(BuyIn(seat, chips))
    return play.floor, tuple(play.log)


def opened(
    book: str = "galaxy",
    seats: Sequence[int] = (1, 2, 3),
    chips: int = 100_000,
    id: str = "T1",
    **choices: Any,
) -> Play:
    """An open table with players P1, P2, …, each with chips of $1,000."""
    floor, log = _opened(opening(book, **choices), tuple(seats), chips, id)
    return Play(floor, id, list(log))


def table_at(
    phase: Phase, book: str = "galaxy", seats: Sequence[int] = (1, 2, 3), **choices: Any
) -> Play:
    """A table whose round is in this phase, every seat with as many wagers as it may place."""
    play = opened(book, seats, **choices)
    play.does(OpenRound())
    for seat in seats:
        play.does(PlaceBets(seat, every_wager(play.table)))
    if phase is not Phase.BETTING:
        play.does(CloseBets())
        play.reaches(phase)
    return play


def irregularity_report(
    cause: str, seat: int | None = None, resolution: str = "void"
) -> ReportIrregularity:
    return ReportIrregularity(Cause(cause), "Dee", "Sue", seat, Resolution(resolution))


def on_felt(floor: Floor) -> int:
    """The amount of all wagers on the felt, in micros."""
    return sum(amount for account, amount in floor.ledger if account.kind is AccountKind.WAGER)


def replay_events(log: Sequence[tuple[str, Event]]) -> Floor:
    """The floor rebuilt from the events alone."""
    floor = Floor()
    for table, event in log:
        floor = evolve(floor, table, event)
    return floor
