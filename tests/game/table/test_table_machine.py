"""A3, A4, A18: floors of up to three tables under random commands, good and bad, by all actors.

Checked after every command: a refusal has no effect; deciding again gives the same answer; events
read back from JSON unchanged, and lead to the same floor; all accounts sum to zero and no player's
is negative; chips, felt and meters match a plain count of the events.

A run is a list of commands made from one seed. If it fails, commands are removed as long as it
still fails in the same way, and the remaining ones are printed.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, get_args

import pytest

from headsup.game.bank.meter import PoolPlace
from headsup.game.round.events import HandVoided, RoundSettled, RoundVoided
from headsup.game.rulebook.wagers import Wager
from headsup.game.table import postings
from headsup.game.table.chips.held_awards import AwardEvent, RefuseAward
from headsup.game.table.chips.shifts import CloseShift
from headsup.game.table.commands import Command, PlayerAt
from headsup.game.table.equipment import EquipmentEvent
from headsup.game.table.events import Event
from headsup.game.table.meter_control import PlanMeterClosing, TransferPool
from headsup.game.table.opening import CloseTable
from headsup.game.table.sealed_shuffles import OpenShuffle
from headsup.game.table.seating import Leave
from headsup.game.table.state import Floor, Table
from tests.support.machine import Machine
from tests.support.random_commands import SERVER_SEED, Request, anything, sensible
from tests.support.tables import BOOKS, STAFF

RUN = 250  # commands in a run


def replay(script: Sequence[Request]) -> Machine:
    machine = Machine()
    for request in script:
        machine.ask(request)
    machine.ends()
    return machine


def fails(script: Sequence[Request]) -> type[Exception] | None:
    try:
        replay(script)
    except Exception as error:
        return type(error)
    return None


def shrink(script: list[Request]) -> list[Request]:
    """As few of the commands as possible that still fail in the same way."""
    kind = fails(script)
    size = len(script) // 2
    while size:
        start = 0
        while start < len(script):
            shorter = script[:start] + script[start + size :]
            if fails(shorter) is kind:
                script = shorter
            else:
                start += size
        size //= 2
    return script


def run(book: str, seed: str, commands: int = RUN) -> Machine:
    random = Random(seed)
    machine = Machine()
    script: list[Request] = []
    try:
        for _ in range(commands):
            sane = random.random() < 0.75
            request = sensible(random, machine.floor, book) if sane else anything(random, book)
            script.append(request)
            machine.ask(request)
        for request in closing_time(machine.floor):
            script.append(request)
            machine.ask(request)
        machine.ends()
    except Exception as error:
        short = shrink(script)
        shown = "\n".join(f"  {request}" for request in short)
        raise AssertionError(f"run {seed!r} fails ({error!r}) with only:\n{shown}") from error
    return machine


def closing_time(floor: Floor) -> list[Request]:
    """Commands that empty and close every table without an open round."""
    idle = [table for table in floor.tables.values() if not table.is_playing]
    return [request for table in idle for request in last_requests(table)]


def last_requests(table: Table) -> list[Request]:
    """Players, held awards, the shift, the seal and the pool go before the table."""
    two = ("Dee", "Sue")
    commands: list[Command] = [
        *(RefuseAward(number, "closing time", two) for number in table.felt.held),
        *([CloseShift(0, two)] if table.felt.shift else []),
        *([OpenShuffle(SERVER_SEED)] if table.sealed else []),
    ]
    if table.meter:
        commands.append(PlanMeterClosing("2026-12-31", "A-9", "Keno", PoolPlace.OUTSIDE))
        commands.append(TransferPool("Keno", two))
    commands.append(CloseTable("closing time", "Sue"))
    leaving = (
        Request(table.id, STAFF if table.is_guest(seat) else PlayerAt(seat), Leave(seat))
        for seat in table.players
    )
    return [*leaving, *(Request(table.id, STAFF, command) for command in commands)]


def runs(book: str, count: int) -> set[str]:
    """Run and check that enough happens to prove something; returns the kinds of events seen."""
    accepted, rounds, awards, voids = 0, 0, 0, 0
    kinds: set[str] = set()
    for number in range(count):
        machine = run(book, f"{book} {number}")
        accepted += machine.accepted
        kinds |= {type(event).__name__ for _, event in machine.log}
        for _, event in machine.log:
            voids += isinstance(event, RoundVoided | HandVoided)
            if isinstance(event, RoundSettled):
                rounds += 1
                awards += any(x.award for seat in event.settlement.seats for x in seat.lines)
    assert accepted > count * RUN * 0.5
    assert rounds > count * 3
    assert voids >= count // 3
    assert awards or book in ("galaxy-wpt", "sugarhouse")
    return kinds


BONUS = {"BonusPrizeSet", "BonusEnded", "BonusCellSet"}
COUPONS = {"CouponIssued", "CouponCancelled"}
METER = {
    "MeterCorrected",
    "MeterFrozen",
    "MeterUnfrozen",
    "MeterClosingPlanned",
    "PoolTransferred",
    "PoolReceived",
}


EQUIPMENT = {kind.__name__ for kind in get_args(EquipmentEvent)}
AWARDS = {kind.__name__ for kind in get_args(AwardEvent)}


def possible(book: str) -> set[str]:
    """Every kind of event, except those of pools and prizes that the book does not have."""
    kinds = {kind.__name__ for kind in get_args(Event)}
    kinds.discard("MeterClosingDue")  # the calendar adds it, not the game
    kinds -= {"DealingSet", "PaceSet", "ThresholdsSet"}  # they change nothing in the game
    if book in ("galaxy-wpt", "sugarhouse", "new-york"):
        kinds.discard("CardsTurned")  # neither All 6 nor hands dealt face up
    if book in ("galaxy-wpt", "sugarhouse"):
        return kinds - METER - AWARDS - BONUS - EQUIPMENT - COUPONS
    if book == "new-york":
        return kinds - BONUS
    return kinds - COUPONS if book == "washington" else kinds - BONUS - COUPONS


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_a18_twenty_thousand_random_commands_never_break_a_floor(book: str) -> None:
    """Six books: 140,000 commands. Every kind of event happens; Washington has the rarest."""
    assert runs(book, (40_000 if book == "washington" else 20_000) // RUN) == possible(book)


def test_a_broken_floor_is_found_and_its_run_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests the machine itself: a Raise that takes no chips is found, in a handful of commands."""
    honest = postings.stake_transfers

    def forgetful(table: Table, seat: int, stakes: Mapping[Wager, int], *coupons: Any) -> Any:
        return () if Wager.RAISE in stakes else honest(table, seat, stakes, *coupons)

    monkeypatch.setattr("headsup.game.table.rounds.stake_transfers", forgetful)
    with pytest.raises(AssertionError, match="fails") as caught:
        runs("new-york", 4)
    assert "Raise(" in str(caught.value)
    assert str(caught.value).count("Request(") <= 10
