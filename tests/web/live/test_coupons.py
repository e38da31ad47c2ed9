"""R12 in a house: staff issue coupons, their owner alone sees and bets them, the books agree."""

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from headsup.game.bank.ledger import AccountKind
from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import PlaceBets, WithdrawBets
from headsup.game.round.state import Phase
from headsup.game.table.coupon_control import CancelCoupon, IssueCoupon
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.table.state import DEFAULT_THRESHOLDS
from headsup.house.cash.books import floor_books
from headsup.house.cash.takings import table_takings
from headsup.house.floor.host import Acceptance
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.scripted import ScriptRecorder
from tests.support.tables import ANTE, opening, stakes
from tests.support.web.office import PASSWORD, TABLE, Office, office
from tests.support.web.wires import Memory, memory, settled

SUE = ("Sue", PASSWORD)
NEW_YORK = opening("new-york", coupons=True)
LAST_DAY = "2099-12-31"
WATCHERS = {"Ann": "seat 1", "Bob": "seat 2", "Dee": "dealer", "P3": "rail", "P4": "tablevision"}


def coupon(cents: int = 1_000, expires: str = LAST_DAY) -> IssueCoupon:
    return IssueCoupon("Ann", ANTE, cents, expires, ("", ""))


def by_coupon(seat: int = 1) -> PlaceBets:
    return PlaceBets(seat, stakes(), {ANTE: 1})


async def seated(at: Office) -> None:
    for seat, name in ((1, "Ann"), (2, "Bob")):
        await at.does(name, Sit(seat, name))
        await at.does(name, BuyIn(seat, 100_000))


async def plays_on(at: Office, phase: Phase) -> None:
    """The house closes the bets, deals and goes on to this phase."""
    play = ScriptRecorder(at.host.journal.floor)
    play.bets_close()
    play.reaches(phase)
    for asked in play.requests:
        id = f"{asked.id}-{at.host.journal.head.count}"
        assert isinstance(await at.host.submit(replace(asked, id=id)), Acceptance)


def books_agree(at: Office) -> dict[AccountKind, int]:
    """Cents of coupons by kind of account."""
    with at.house.database.consistent_connection() as connection:
        takings = {one.table: one for one in table_takings(connection, floor=TABLE)}
    floor = floor_books(TABLE, at.host.journal, takings)
    assert not floor.differences
    assert floor.total == 0
    kinds = (AccountKind.ISSUED_COUPON, AccountKind.COUPON, AccountKind.SPENT_COUPON)
    return {kind: floor.by_kind.get(kind, 0) // 10_000 for kind in kinds}


async def asked(wire: Memory, command: PlaceBets | WithdrawBets) -> str:
    """Send a command through a socket; returns the code of its refusal."""
    id = f"command-{len(wire.sent)}-{wire.index}"
    wire.say(type="ask", id=id, table=TABLE, command=write_command(command))
    await settled(lambda: any(f'"id":"{id}"' in text for text in wire.sent))
    (answer,) = (one for one in wire.messages if one.get("id") == id)
    return str(answer.get("code", ""))


async def test_a_coupon_from_issue_to_its_wager_over_sockets(tmp_path: Path) -> None:
    async with office(tmp_path, NEW_YORK) as at, AsyncExitStack() as held:
        await seated(at)
        sockets, wires = Sockets(Metrics()), dict[str, Memory]()
        for who, viewer in WATCHERS.items():
            wires[who] = wire = await held.enter_async_context(memory(at, sockets, who))
            wire.say(type="watch", table=TABLE, viewer=viewer)
            await settled(lambda wire=wire: '"type":"view"' in wire.sent[-1])  # type: ignore[misc]
        await at.does("Dee", OpenRound())
        assert await asked(wires["Ann"], by_coupon()) == "no_such_coupon"
        await at.does("Dee", coupon(), SUE)
        assert await asked(wires["Bob"], by_coupon(2)) == "no_such_coupon"
        assert await asked(wires["Ann"], by_coupon()) == ""
        assert await asked(wires["Ann"], WithdrawBets(1)) == ""
        assert await asked(wires["Ann"], by_coupon()) == ""
        await plays_on(at, Phase.CLOSED)
        for wire in wires.values():
            wire.say(type="ping")
        await settled(lambda: all('"pong"' in wire.sent[-1] for wire in wires.values()))
        for who, wire in wires.items():
            told = "".join(wire.sent)
            sees = who in ("Ann", "Dee")
            assert (LAST_DAY in told) == sees, who
            assert ("CouponIssued" in told) == sees, who
        mine: list[Any] = [one.get("set", one.get("parts", {})) for one in wires["Ann"].messages]
        held_by_ann = [parts["you"].get("coupons", []) for parts in mine if "you" in parts]
        assert next(item["coupon"] for items in held_by_ann for item in items) == 1
        assert held_by_ann[-1] == []
        await at.does("Dee", OpenRound())
        assert await asked(wires["Ann"], by_coupon()) == "no_such_coupon"
        held_by_kind = books_agree(at)
        assert list(held_by_kind.values()) == [-1_000, 0, 1_000]


async def test_a_coupon_survives_a_restart_and_is_still_bet_once(tmp_path: Path) -> None:
    async with office(tmp_path, NEW_YORK) as at:
        await seated(at)
        await at.does("Dee", coupon(), SUE)
        await at.does("Dee", OpenRound())
        await at.does("Ann", by_coupon())
    async with office(tmp_path, NEW_YORK) as at:
        assert await at.code("Bob", by_coupon(2)) == "no_such_coupon"
        assert list(books_agree(at).values()) == [-1_000, 0, 0]
        await plays_on(at, Phase.CLOSED)
        await at.does("Dee", OpenRound())
        assert await at.code("Ann", by_coupon()) == "no_such_coupon"
    async with office(tmp_path, NEW_YORK) as at:
        assert await at.code("Ann", by_coupon()) == "no_such_coupon"


async def test_bets_that_race_for_one_coupon_stake_it_once(tmp_path: Path) -> None:
    async with office(tmp_path, NEW_YORK) as at:
        await seated(at)
        await at.does("Dee", coupon(), SUE)
        await at.does("Dee", OpenRound())
        answers = await asyncio.gather(
            *(at.code("Ann", by_coupon()) for _ in range(20)),
            *(at.code("Bob", by_coupon(2)) for _ in range(20)),
            *(at.code("Dee", CancelCoupon(1, "why", ("", "")), SUE) for _ in range(3)),
        )
        # Ann's 20 bets replace each other, or the coupon was cancelled between them.
        assert set(answers[20:40]) == {"no_such_coupon"}
        assert set(answers[40:]) <= {"", "coupon_on_felt", "no_such_coupon"}
        issued, unspent, _ = books_agree(at).values()
        assert (issued, unspent) in ((-1_000, 0), (0, 0))


async def test_coupons_take_two_people(tmp_path: Path) -> None:
    async with office(tmp_path, NEW_YORK) as at:
        assert await at.code("Dee", coupon()) == "needs_two_people"
        assert await at.code("Sue", coupon(), SUE) == "needs_two_people"
        assert await at.code("Dee", coupon(), ("Art", PASSWORD)) == "bad_approval"
        assert await at.code("Ann", coupon(), SUE) == "not_allowed"
        assert await at.code("Dee", coupon(expires="2020-01-01"), SUE) == "coupon_expired"
        assert books_agree(at)[AccountKind.ISSUED_COUPON] == 0
        await at.does("Dee", coupon(), SUE)
        event = list(at.house.database.entry_texts(TABLE))[-1][1]
        assert '"approvals":["Dee","Sue"]' in event


async def test_a_large_coupon_is_a_significant_event(tmp_path: Path) -> None:
    async with office(tmp_path, NEW_YORK) as at:
        large = DEFAULT_THRESHOLDS.transaction
        await at.does("Dee", coupon(large - 100), SUE)
        await at.does("Dee", coupon(large), SUE)
        (found,) = find_incidents(at.house.database, IncidentQuery(IncidentKind.LARGE_TRANSACTION))
        assert found.who == "Dee / Sue"
        what = json.loads(found.what)
        assert (what["player"], what["wager"]) == ("Ann", "ante")
