"""The automatic dealer acts on time, whatever happens, and across restarts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

import pytest

from headsup.game.record.journal import Journal
from headsup.game.refusal import Refusal
from headsup.game.round.commands import ExtendTime, PlaceBets, WithdrawBets
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    CardsDealt,
    Checked,
    Folded,
    RoundClosed,
)
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.equipment import CountByHand, ReportEquipmentDown
from headsup.game.table.events import Event
from headsup.game.table.rounds import RoundOpened
from headsup.game.table.sealed_shuffles import AddSeed, ShuffleOpened, ShuffleSealed
from headsup.game.table.sealing import write_published
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.dealing.dealer import AutomaticDealer
from headsup.house.dealing.pace import Timings
from headsup.house.dealing.shoe import DeckSource, seeded_bits, shuffle_deck
from headsup.house.fairness import verifier
from headsup.house.fairness.sealed_shuffles import Seal, SecretSealer, ShuffleSealer
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.floor.host import Acceptance, CommandRequest, FloorHost, FloorUpdate
from headsup.house.floor.log_reader import apply_entries
from headsup.house.store.memory import MemoryStore
from headsup.house.store.protocol import Append, AppendResult, StoreLost
from tests.support.house.houses import moved
from tests.support.tables import STAFF, opening, stakes
from tests.support.virtual_time import run

SEALER = SecretSealer(bytes(range(32)), "F")
PACE = Timings()
GRACE = 120.0
NOON = "2026-01-31T12:00:00Z"
MINUTE = 60_000_000


def seeded(number: int) -> tuple[int, ...]:
    return shuffle_deck(seeded_bits("dealer", number))


@dataclass
class Room:
    """A hosted table, its dealer, and its events with their times."""

    host: FloorHost
    dealer: AutomaticDealer
    log: list[tuple[float, Event]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def table(self) -> Table:
        return self.host.journal.floor.tables["T1"]

    def see(self, happened: FloorUpdate) -> None:
        now = asyncio.get_running_loop().time()
        self.log += [(now, event) for event in happened.events]
        self._more.set()

    async def does(self, command: Command, by: Actor = STAFF) -> None:
        reply = await self.host.submit(
            CommandRequest(f"{len(self.log)} {command}", "T1", by, command)
        )
        assert isinstance(reply, Acceptance), reply

    async def until(self, kind: type[Event], count: int = 1) -> tuple[float, Any]:
        """The count-th event of that kind and its time."""
        while True:
            found = [(at, event) for at, event in self.log if isinstance(event, kind)]
            if len(found) >= count:
                return found[count - 1]
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), 10_000)

    async def bets(self, *seats: int) -> None:
        for seat in seats:
            await self.does(PlaceBets(seat, stakes()), PlayerAt(seat))


async def hosted(store: MemoryStore, now: Callable[[], str] = lambda: NOON) -> FloorHost:
    """Open the floor from its log, as a server does at its start."""
    store.open_floor("F")
    lease = store.take_lease("F", "server")
    assert lease is not None
    journal = Journal()
    for step in apply_entries("F", journal, store.entry_texts("F")):
        journal = step.journal
    host = FloorHost(lease, journal, GroupCommit(store.commit), store.find_entry, now)
    host.start()
    return host


@asynccontextmanager
async def room(
    store: MemoryStore | None = None,
    shoe: DeckSource | ShuffleSealer = SEALER,
    book: str = "galaxy",
    seats: tuple[int, ...] = (1, 2),
    now: Callable[[], str] = lambda: NOON,
    again: float = 5.0,
    **choice: Any,
) -> AsyncIterator[Room]:
    """A table with these players and its dealer, resumed from the log if there is one."""
    store = store or MemoryStore()
    host = await hosted(store, now)
    if "T1" not in host.journal.floor.tables:
        deposits = moved(*((f"P{seat}", 10_000_000, "deposit") for seat in seats))
        store.commit([Append(host.lease, host.journal.head, (), projections=deposits)])
        shuffle = ShuffleSource.SEALED if isinstance(shoe, ShuffleSealer) else ShuffleSource.SYSTEM
        await ask(host, STAFF, replace(opening(book, **choice), shuffle=shuffle))
        for seat in seats:
            await ask(host, PlayerAt(seat), Sit(seat, f"P{seat}"))
            await ask(host, PlayerAt(seat), BuyIn(seat, 1_000_000))
    problems: list[str] = []
    dealer = AutomaticDealer(
        host,
        "T1",
        shoe,
        PACE,
        report=lambda _, problem: problems.append(problem),
        retry_seconds=again,
    )
    made = Room(host, dealer, problems=problems)
    unwatch = host.subscribe(made.see)
    try:
        yield made
    finally:
        unwatch()
        await dealer.stop()
        await host.stop()


async def ask(host: FloorHost, by: Actor, command: Command) -> None:
    reply = await host.submit(CommandRequest(f"opening {command}", "T1", by, command))
    assert not isinstance(reply, Refusal), reply


def test_a_sealed_round_is_dealt_from_its_seal_to_its_opening() -> None:
    async def plays() -> None:
        async with room() as here:
            await here.until(RoundOpened)
            await here.does(AddSeed(2, "luck"), PlayerAt(2))
            await here.bets(1, 2)
            await here.until(ShuffleOpened)
            assert here.table.opened is not None
            published = write_published(here.table.opened)
            assert published["player_seeds"] == {"2": "luck"}
            verifier.verify(published)
            await here.until(RoundOpened, 2)
            kinds = [type(event).__name__ for _, event in here.log]
            assert kinds[:2] == ["ShuffleSealed", "RoundOpened"]
            assert kinds[-4:] == ["RoundClosed", "ShuffleOpened", "ShuffleSealed", "RoundOpened"]
            assert here.problems == []

    run(plays)


def test_nobody_waits_longer_than_the_timings_say() -> None:
    async def plays() -> None:
        async with room(shoe=seeded, seats=(1, 2, 3)) as here:
            opened, _ = await here.until(RoundOpened)
            assert opened == pytest.approx(PACE.open, abs=0.5)
            await here.bets(1)
            first, _ = await here.until(BetsPlaced)
            await here.bets(2)
            closed, _ = await here.until(BetsClosed)
            assert closed - first == pytest.approx(PACE.betting, abs=0.5)
            dealt, _ = await here.until(CardsDealt)
            assert dealt - closed == pytest.approx(PACE.deal, abs=0.5)
            late = [await here.until(Checked, count) for count in (1, 2)]
            assert [at - dealt for at, _ in late] == pytest.approx([GRACE, GRACE], abs=0.5)
            assert [(event.seat, event.auto, event.waited) for _, event in late] == [
                (1, True, 120),
                (2, True, 120),
            ]

    run(plays)


def test_bets_close_soon_after_all_have_bet() -> None:
    async def plays() -> None:
        async with room(shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1)
            await asyncio.sleep(10)
            await here.bets(2)
            last, _ = await here.until(BetsPlaced, 2)
            closed, _ = await here.until(BetsClosed)
            assert closed - last == pytest.approx(PACE.all_in, abs=0.5)

    run(plays)


def test_withdrawing_and_replacing_bets_does_not_delay_the_deal() -> None:
    async def plays() -> None:
        async with room(shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1)
            first, _ = await here.until(BetsPlaced)
            for _ in range(4):
                await asyncio.sleep(4)
                await here.bets(2)
                await asyncio.sleep(0.5)
                await here.does(WithdrawBets(2), PlayerAt(2))
            closed, _ = await here.until(BetsClosed)
            assert closed - first == pytest.approx(PACE.betting, abs=0.5)

    run(plays)


def test_r33_extra_time_is_respected() -> None:
    async def plays() -> None:
        async with room(shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            dealt, _ = await here.until(CardsDealt)
            await here.does(ExtendTime(1, 60))
            first, second = [await here.until(Checked, count) for count in (1, 2)]
            assert (first[1].seat, second[1].seat) == (2, 1)
            assert first[0] - dealt == pytest.approx(GRACE, abs=0.5)
            assert second[0] - dealt == pytest.approx(GRACE + 60, abs=0.5)
            assert second[1].waited == 180

    run(plays)


def test_a_clock_that_jumps_does_not_matter() -> None:
    """Times in the log do not run backwards, and players have their normal time."""
    times = cycle(["2026-01-31T12:00:00Z", "2031-01-31T12:00:00Z", "1999-12-31T23:59:59Z"])

    async def plays() -> None:
        async with room(shoe=seeded, now=lambda: next(times)) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            dealt, _ = await here.until(CardsDealt)
            folded, _ = await here.until(Folded, 2)
            expected = 3 * GRACE + 2 * PACE.card
            assert folded - dealt == pytest.approx(expected, abs=1)
            await here.until(RoundClosed)

    run(plays)


def test_the_dealer_waits_until_the_wagers_are_counted() -> None:
    """The tabulator is down, so the dealer at the table counts before the deal."""

    async def plays() -> None:
        async with room(shoe=seeded, book="washington") as here:
            await here.does(ReportEquipmentDown("power"))
            await here.until(RoundOpened)
            await here.bets(1, 2)
            await here.until(BetsClosed)
            await asyncio.sleep(60)
            assert here.table.round is not None
            assert here.table.round.phase is Phase.NO_MORE_BETS
            assert here.problems == []
            await here.does(CountByHand({Wager.PROGRESSIVE: 0}))
            await here.until(RoundClosed)

    run(plays)


class Rejecting(MemoryStore):
    """Rejects every append while `rejects` is set."""

    rejects = False

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult]:
        rejected = [AppendResult.WALLET_SHORT] * len(appends)
        return rejected if self.rejects else super().commit(appends)


def test_a_refused_step_is_reported_and_tried_again() -> None:
    async def plays() -> None:
        store = Rejecting()
        async with room(store, shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            store.rejects = True
            await asyncio.sleep(60)
            assert set(here.problems) == {"CloseBets was refused: wallet_short"}
            assert 5 < len(here.problems) < 20, "not in a hurry"
            store.rejects = False
            await here.until(RoundClosed)

    run(plays)


class Unreliable(MemoryStore):
    """Fails as often as it is told to."""

    failures = 0
    tries = 0

    def commit(self, appends: Sequence[Append]) -> Sequence[AppendResult]:
        self.tries += 1
        if self.failures:
            self.failures -= 1
            raise StoreLost("for a moment")
        return super().commit(appends)


async def reopen(here: Room) -> float:
    """Resume the floor within a fraction of a second after it halts. Returns when."""
    while not here.host.halt_reason:
        await asyncio.sleep(0.2)
    here.host.resume(here.host.lease, ())
    return asyncio.get_running_loop().time()


def test_the_dealer_goes_on_as_soon_as_the_floor_is_open_again() -> None:
    async def plays() -> None:
        store = Unreliable()
        async with room(store, shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            store.failures = 1  # when bets close
            opened = await reopen(here)
            closed, _ = await here.until(BetsClosed)
            assert closed - opened < 0.1
            await here.until(RoundClosed)

    run(plays)


def test_a_store_that_keeps_failing_is_not_hurried() -> None:
    async def plays() -> None:
        store = Unreliable()
        async with room(store, shoe=seeded) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            before, store.failures = store.tries, 1_000
            with suppress(TimeoutError):
                async with asyncio.timeout(60):
                    while True:
                        await reopen(here)
            assert 5 < store.tries - before < 20
            store.failures = 0
            if here.host.halt_reason:
                await reopen(here)
            await here.until(RoundClosed)

    run(plays)


class FailsOnce:
    """A sealer whose store fails at the second seal, for a moment."""

    def __init__(self) -> None:
        self._fails = iter([False, True])
        self.failed_at = 0.0

    async def seal_next(self, table: Table) -> Seal:
        if next(self._fails, False):
            self.failed_at = asyncio.get_running_loop().time()
            raise StoreLost("for a moment")
        return await SEALER.seal_next(table)

    async def current_seal(self, table: Table) -> Seal:
        return await SEALER.current_seal(table)


def test_a_short_failure_while_sealing_holds_nobody_up() -> None:
    async def plays() -> None:
        sealer = FailsOnce()
        async with room(shoe=sealer) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
            sealed, _ = await here.until(ShuffleSealed, 2)
            assert sealer.failed_at
            assert sealed - sealer.failed_at < 0.2
            assert here.problems == ["StoreLost"]

    run(plays)


class Flaky:
    """A shoe that fails every other time, with cards in the error's text."""

    def __init__(self) -> None:
        self._fails: Iterator[bool] = cycle([True, False])

    def __call__(self, number: int) -> tuple[int, ...]:
        if next(self._fails):
            raise OSError(f"no randomness for AsKd in round {number}")
        return seeded(number)


def test_errors_are_reported_without_cards_and_the_dealer_goes_on() -> None:
    async def plays() -> None:
        async with room(shoe=Flaky()) as here:
            for number in (1, 2, 3):
                await here.until(RoundOpened, number)
                await here.bets(1, 2)
                await here.until(RoundClosed, number)
            assert here.problems == ["OSError"] * 3

    run(plays)


def test_a_sealed_table_is_not_dealt_from_another_shoe() -> None:
    async def plays() -> None:
        store = MemoryStore()
        async with room(store) as here:
            await here.until(RoundOpened)
            await here.bets(1, 2)
        async with room(store, shoe=seeded) as here:
            await asyncio.sleep(30)
            assert here.table.round is not None
            assert here.table.round.deck == ()
            assert set(here.problems) == {"NoShoe"}

    run(plays)


ALONG: tuple[type[Event], ...] = (
    ShuffleSealed, RoundOpened, BetsPlaced, BetsClosed, CardsDealt, Folded, RoundClosed,
)  # fmt: skip


@pytest.mark.parametrize("kind", ALONG, ids=lambda kind: kind.__name__)
def test_a_restart_anywhere_between_seal_and_opening_loses_nothing(kind: type[Event]) -> None:
    """Another server with the same secret deals and opens the sealed round."""

    async def plays() -> None:
        store = MemoryStore()
        async with room(store) as here:
            if kind is not ShuffleSealed:
                await here.until(RoundOpened)
                await here.does(AddSeed(1, "mine"), PlayerAt(1))
            if kind not in (ShuffleSealed, RoundOpened):
                await here.bets(1, 2)
            await here.until(kind)
            promised = [event for _, event in here.log if isinstance(event, ShuffleSealed)]
        async with room(store, SecretSealer(SEALER.secret, "F")) as here:
            if kind is ShuffleSealed:
                await here.until(RoundOpened)
            if kind in (ShuffleSealed, RoundOpened):
                await here.bets(1, 2)
            if here.table.opened is None:  # unless the last server has done it
                await here.until(ShuffleOpened)
            opened = here.table.opened
            assert opened is not None
            assert opened.commitment == promised[0].commitment
            assert opened.seeds == ({} if kind is ShuffleSealed else {1: "mine"})
            verifier.verify(write_published(opened))
            assert here.problems == []

    run(plays)
