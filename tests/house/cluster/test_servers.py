"""Several servers on one database: each shows every floor and takes every command.

On SQLite nobody sends signals, so there every test shows that looking from time to time is enough.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from sqlalchemy import insert, select, text

from headsup.game.record.command_codec import write_command
from headsup.game.refusal import Code, Refusal
from headsup.game.table.commands import BuyIn, OpenRound, PlayerAt, Sit
from headsup.house import house as houses
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster import forwarding, leases, notifications, replicas
from headsup.house.dealing.pace import Timings
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorUnavailable,
    FloorUpdate,
    Reply,
)
from headsup.house.floor.next_step import step_key
from headsup.house.house import House
from headsup.house.people.accounts import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.engine import MAX_SHARED_CONNECTIONS
from headsup.house.store.forwarded_requests import Request, put_request
from headsup.house.store.protocol import Append, AppendResult, StoreLost
from headsup.house.store.schema import ENTRIES, REQUESTS
from tests.house.houses import FLOOR, all_done, logged, started, wallets, with_wallets
from tests.postgres import Server
from tests.scripted import CHIPS, evening
from tests.tables import STAFF

SOON = 10  # seconds


@pytest.fixture(autouse=True)
def often(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no signals, look often: a test need not wait for its half seconds."""
    if "sqlite" in request.node.name:
        monkeypatch.setattr(forwarding, "LOOK_SECONDS", 0.03)
        monkeypatch.setattr(replicas, "LOOK_SECONDS", 0.03)


@asynccontextmanager
async def two(database: Database, done: int = 0) -> AsyncIterator[tuple[House, House]]:
    """The first owns the floor F, on which so many commands of the evening were carried out."""
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        host = await one.open_floor(FLOOR)
        await all_done(host, evening()[:done])
        async with started(database, "two", alone=False) as other:
            yield one, other


def of(house: House) -> FloorHost:
    return house.hosts[FLOOR]


async def reached(house: House, host: FloorHost) -> None:
    async with asyncio.timeout(SOON):
        await of(house).reached(host.journal.head.count - 1)


async def test_a_floor_is_followed_entry_by_entry(database: Database) -> None:
    script = evening()
    async with two(database, 3) as (one, other):
        told: list[FloorUpdate] = []
        of(one).watch(told.append)
        heard: list[FloorUpdate] = []
        of(other).watch(heard.append)
        assert of(other).lost
        assert of(other).journal == of(one).journal
        await all_done(of(one), script[3:])
        await reached(other, of(one))
        assert heard == told
        assert other.tables() == one.tables()


async def test_a_table_that_another_server_opens_is_found_at_once(database: Database) -> None:
    async with two(database) as (one, other):
        await all_done(of(one), evening()[:1])
        new = CommandRequest("opening-T2", "T2", STAFF, evening(id="T2")[0].command)
        assert isinstance(await one.open_table("G", new), Acceptance)
        for table, floor in (("T1", FLOOR), ("T2", "G")):
            host = await other.find(table)
            assert host is not None
            assert host.lease.floor == floor
            assert table in host.journal.floor.tables
        assert await other.find("T3") is None


async def test_commands_are_carried_out_by_the_owner_wherever_they_are_asked(
    database: Database,
) -> None:
    """What was answered is known where it was asked; sent again anywhere it is answered alike."""
    script = evening()
    async with two(database, 1) as (one, other):
        for number, asked in enumerate(script[1:20]):
            house = (one, other)[number % 2]
            assert await house.ask(asked) == Acceptance(number + 2)
            assert of(house).journal.head.count == number + 3
        for number, asked in enumerate(script[1:20]):
            for house in (one, other):
                assert await house.ask(asked) == Acceptance(number + 2)
        used = await other.ask(CommandRequest(script[3].id, "T1", STAFF, OpenRound()))
        assert isinstance(used, Refusal)
        assert used.code is Code.ID_USED
        assert of(other).lost
    assert len(logged(database)) == 21
    with database.reading() as connection:
        assert (
            connection.execute(select(REQUESTS.c.answer).where(REQUESTS.c.answer == "")).all() == []
        )


async def test_a_refusal_is_the_same_wherever_it_is_asked(database: Database) -> None:
    async with two(database, 5) as (one, other):
        for asked in (
            CommandRequest("taken", "T1", PlayerAt(1), Sit(1, "P6")),
            CommandRequest("short", "T1", PlayerAt(1), BuyIn(1, 100 * CHIPS)),
        ):
            here, there = await one.ask(asked), await other.ask(asked)
            assert isinstance(here, Refusal)
            assert isinstance(there, Refusal)
            assert (there.code, there.message) == (here.code, here.message)


async def test_the_owner_holds_what_a_person_asks_at_other_servers_to_a_rate(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "_WAYS", 0.1)  # a burst of two, and another in five seconds
    p1, p2 = (Person(f"id-{name}", name, Role.PLAYER) for name in ("P1", "P2"))
    async with two(database, 1) as (one, other):

        async def said(house: House, person: Person | None, number: int) -> str:
            by = STAFF if person is None else PlayerAt(1)
            id = f"{person.name if person else 'house'}-{number}"
            answer = await house.ask(CommandRequest(id, "T1", by, BuyIn(1, 100), person))
            assert isinstance(answer, Refusal)
            return answer.code

        codes = [await said(other, p1, number) for number in range(4)]
        assert "busy" not in codes[:2]
        assert "busy" in codes[2:]
        assert await said(other, p2, 0) != "busy", "each person has a rate"
        house = [await said(other, None, number) for number in range(4)]
        assert "busy" not in house, "the house itself has none"
        here = [await said(one, p1, number) for number in range(10, 14)]
        assert "busy" not in here, "who asks the owner was counted at the door"


async def test_whose_seat_it_is_is_decided_by_the_owner(database: Database) -> None:
    """Whatever the asking server believes: it may be behind."""
    async with two(database, 5) as (_, other):
        stranger = Person("id", "Mallory", Role.PLAYER)
        reply = await other.ask(CommandRequest("mine", "T1", PlayerAt(1), BuyIn(1, 100), stranger))
        assert isinstance(reply, Refusal)
        assert reply.code is Code.NOT_ALLOWED
    assert wallets(database)[0] == CHIPS


async def test_what_is_due_is_done_once_whoever_asks_for_it_where(database: Database) -> None:
    """By its key, asked for at both servers at once; and answered alike when it is sent again."""
    script = evening()
    first = next(n for n, asked in enumerate(script) if isinstance(asked.command, OpenRound))
    async with two(database, first) as (one, other):
        key = step_key(of(one).journal.floor.tables["T1"])
        houses = (one, other, one, other)
        asked = [
            CommandRequest(f"press-{n}", "T1", STAFF, OpenRound(), due=key)
            for n, _ in enumerate(houses)
        ]
        replies = await asyncio.gather(
            *(house.ask(press) for house, press in zip(houses, asked, strict=True))
        )
        refusals = [reply.code for reply in replies if isinstance(reply, Refusal)]
        assert refusals == [Code.NOT_DUE_ANY_MORE] * 3
        done = next(n for n, reply in enumerate(replies) if isinstance(reply, Acceptance))
        for house in (one, other):
            assert await house.ask(asked[done]) == replies[done]


async def test_a_table_is_opened_on_a_floor_that_another_server_owns(database: Database) -> None:
    async with two(database, 1) as (one, other):
        slower = Timings(betting=45.0)
        asked = CommandRequest("opening-T2", "T2", STAFF, evening(id="T2")[0].command, pace=slower)
        assert isinstance(await other.open_table(FLOOR, asked), Acceptance)
        assert other.paces["T2"].timings == slower
        await one.tend()
        assert one.paces == other.paces
        assert {table.id for table in other.tables()} == {"T1", "T2"}
        assert {table.id for table in one.tables()} == {"T1", "T2"}
        again = CommandRequest("opening-again", "T2", STAFF, asked.command)
        assert isinstance(await other.open_table("elsewhere", again), Refusal)


async def test_no_two_tables_have_one_name_whoever_opens_them_where(postgres: Server) -> None:
    """Both servers, at the same moment, on floors of their own."""
    database = Database(postgres.new_database())
    database.migrate()
    command = evening(id="T2")[0].command
    async with two(database, 1) as (one, other):

        async def opens(house: House, floor: str) -> Reply:
            while True:  # who is told to try again does
                try:
                    return await house.open_table(
                        floor, CommandRequest(f"on {floor}", "T2", STAFF, command)
                    )
                except FloorUnavailable:
                    await asyncio.sleep(0.01)

        replies = await asyncio.gather(
            *(opens(house, f"{n} of {house.server}") for n in range(3) for house in (one, other))
        )
        assert [type(reply) for reply in replies].count(Acceptance) == 1
        found = [await house.find("T2") for house in (one, other)]
        assert len({host.lease.floor for host in found if host is not None}) == 1
        everywhere = [set(host.journal.floor.tables) for host in one.hosts.values()]
        assert everywhere.count({"T2"}) == 1
    database.close()


async def test_a_server_that_stops_hands_its_floors_over(database: Database) -> None:
    script = evening()
    async with two(database, 20) as (one, other):
        await one.stop()
        async with asyncio.timeout(SOON):
            assert await of(other).back()
        await all_done(of(other), script[20:])
    assert audit_floor(database, FLOOR).holds


async def test_what_a_dead_owner_was_asked_is_answered_by_the_next(database: Database) -> None:
    """Also what it had carried out and not answered when it died, which is not done again."""
    script = evening()
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        await all_done(await one.open_floor(FLOOR), script[:2])
    dead = database.take(FLOOR, "dead", 60_000_000)
    assert dead is not None
    async with started(database, "two", alone=False) as house:
        assert of(house).lost
        asking = [asyncio.create_task(house.ask(asked)) for asked in script[1:3]]
        await asyncio.sleep(0)
        await asyncio.to_thread(database.renew, [dead], -1)
        async with asyncio.timeout(SOON):
            assert await asyncio.gather(*asking) == [Acceptance(2), Acceptance(3)]
        assert not of(house).lost
    assert len(logged(database)) == 4


async def test_who_asks_a_floor_that_nobody_answers_for_is_told_so(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was given up is not carried out later."""
    monkeypatch.setattr("headsup.house.cluster.forwarding.WAIT_SECONDS", 1)
    async with two(database, 1) as (one, other):
        taken = database.take(FLOOR, "frozen", 60_000_000, force=True)
        assert taken is not None
        asked = evening()[1]
        for house in (one, other):
            with pytest.raises(FloorUnavailable):
                await house.ask(asked)
        database.renew([taken], -1)
        await other.tend()
        assert await other.ask(evening()[2]) is not None
        assert of(other).journal.head.count == 2
        assert await one.ask(asked) == Acceptance(2)


async def test_an_owner_whose_lease_has_run_out_refuses_nothing_by_what_it_remembers(
    database: Database,
) -> None:
    """It was stopped; another server took the floor and seated P1. It does not know it, so it
    must not say that the seat is free, or that it is taken."""
    script = evening()
    async with two(database, 1) as (one, other):
        stale = of(one)
        taken = await asyncio.to_thread(database.take, FLOOR, "two", 60_000_000, True)
        assert taken is not None
        await other.tend()
        assert await of(other).ask(script[1]) == Acceptance(2)
        stale.good_until = 0
        buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
        assert await one.ask(buy_in) == Acceptance(3)
        assert stale.lost
        assert of(one).journal == of(other).journal
    assert wallets(database)[0] == CHIPS


async def test_an_owner_that_was_replaced_unheard_refuses_nothing_by_what_it_remembers(
    database: Database,
) -> None:
    """Its lease would be good for seconds, and nothing told it that the floor was handed over."""
    script = evening()
    async with two(database, 1) as (one, other):
        stale = of(one)
        assert await asyncio.to_thread(database.take, FLOOR, "two", 60_000_000, True) is not None
        await other.tend()
        assert await of(other).ask(script[1]) == Acceptance(2)
        buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
        assert await one.ask(buy_in) == Acceptance(3)
        assert stale.lost


async def test_what_was_refused_before_another_owned_the_floor_is_answered_as_it_was_there(
    database: Database,
) -> None:
    script = evening()
    buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
    async with two(database, 1) as (one, other):
        assert isinstance(await of(one).ask(buy_in), Refusal)
        await asyncio.to_thread(database.take, FLOOR, "two", 60_000_000, True)
        await one.tend()
        await other.tend()
        assert await of(other).ask(script[1]) == Acceptance(2)
        assert await of(other).ask(buy_in) == Acceptance(3)
        await asyncio.to_thread(database.take, FLOOR, "one", 60_000_000, True)
        await other.tend()
        await one.tend()
        assert await of(one).ask(buy_in) == Acceptance(3)
    assert wallets(database)[0] == CHIPS


async def test_two_servers_that_both_believe_they_own_a_floor(database: Database) -> None:
    """Both are asked at once, over and over: one log, each command once, and both know it all."""
    script = evening()
    async with two(database, 1) as (one, other):
        taken = await asyncio.to_thread(database.take, FLOOR, "two", 60_000_000, True)
        assert taken is not None
        await other.tend()
        assert not of(one).lost
        assert not of(other).lost
        for number, asked in enumerate(script[1:]):
            both = await asyncio.gather(one.ask(asked), other.ask(asked))
            assert set(both) == {Acceptance(number + 2)}
        assert of(one).lost
        await reached(one, of(other))
        assert of(one).journal == of(other).journal
    assert len(logged(database)) == len(script) + 1
    assert audit_floor(database, FLOOR).holds


@pytest.mark.parametrize("act", ["changed", "cut off"])
async def test_a_followed_log_that_does_not_hold_is_shut_at_once(
    database: Database, act: str
) -> None:
    """What follows a changed entry is not shown, and a log does not become shorter."""
    script = evening()
    async with two(database, 5) as (one, other):
        known = of(other).journal
        # Before the owner gives the floor back, or the other server may take it.
        taken = await asyncio.to_thread(database.take, FLOOR, "rewriting", 60_000_000, True)
        assert taken is not None
        await one.stop()
        with database.engine.begin() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(text("DROP TRIGGER entries_no_delete"))
            else:
                connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
            if act == "cut off":
                connection.execute(text("""DELETE FROM entries WHERE "index" > 3"""))
                connection.execute(text("UPDATE floors SET length = 4"))
            else:
                row = {"floor": FLOOR, "index": 6, "hash": "0" * 64, "entry": "{}"}
                connection.execute(insert(ENTRIES), row)
                connection.execute(text("UPDATE floors SET length = 7"))
        await other._followers.look()
        async with asyncio.timeout(SOON):  # sooner than an owner would be waited for
            with pytest.raises(FloorUnavailable):
                await other.ask(script[5])
        assert of(other).journal == known


async def test_a_lost_signal_loses_nothing(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connections on which signals come are cut, and nobody hears anything any more."""
    monkeypatch.setattr(notifications, "RECONNECT_SECONDS", 600)
    database = Database(postgres.new_database())
    database.migrate()
    script = evening()
    cut = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    )

    def deafen() -> int:
        with database.engine.begin() as connection:
            return int(connection.execute(cut).scalar_one())

    async with two(database, 1) as (one, other):
        deaf = 0
        async with asyncio.timeout(SOON):
            while deaf < 2:
                deaf += await asyncio.to_thread(deafen)
        for number, asked in enumerate(script[1:7]):
            assert await (one, other)[number % 2].ask(asked) == Acceptance(number + 2)
        await reached(other, of(one))
        assert of(other).journal == of(one).journal
    database.close()


async def test_a_request_that_has_expired_is_not_carried_out(database: Database) -> None:
    async with two(database, 1) as (one, other):
        late = json.dumps(
            {
                "id": "late",
                "table": "T1",
                "by": "P6",
                "command": write_command(OpenRound()),
                "person": None,
            }
        )
        await asyncio.to_thread(put_request, database, Request("1", FLOOR, "two", late), -1)
        assert await other.ask(evening()[1]) == Acceptance(2)
        with database.reading() as connection:
            held = connection.execute(select(REQUESTS).where(REQUESTS.c.number == "1")).one()
        assert held.answer == ""
        assert of(one).journal.head.count == 3


async def test_a19_of_fifty_who_race_for_six_seats_at_two_servers_six_sit(
    database: Database,
) -> None:
    async with two(database, 1) as (one, other):
        asking = []
        for number in range(50):
            name, seat = f"N{number}", 1 + number % 6
            asked = CommandRequest(f"sitting-{number}", "T1", PlayerAt(seat), Sit(seat, name))
            asking.append((one, other)[number % 2].ask(asked))
        replies = await asyncio.gather(*asking)
        seated = [f"N{n}" for n, reply in enumerate(replies) if isinstance(reply, Acceptance)]
        assert len(seated) == 6
        for house in (one, other):
            await reached(house, of(one))
            assert sorted(of(house).journal.floor.tables["T1"].players.values()) == sorted(seated)
        taken = {reply.code for reply in replies if isinstance(reply, Refusal)}
        assert taken == {Code.SEAT_TAKEN}


async def test_readers_who_hold_every_connection_cost_no_lease(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (houses, leases):
        monkeypatch.setattr(module, "RENEW_SECONDS", 0.2)
    async with started(database, "one", alone=False) as house:
        host = await house.open_floor(FLOOR)
        readers = [database.reading() for _ in range(MAX_SHARED_CONNECTIONS)]
        enough = host.good_until + 1  # all that was under way when the last of them came is over
        async with asyncio.timeout(SOON):
            while host.good_until < enough:
                await asyncio.sleep(0.05)
        for reader in readers:
            reader.close()
        assert not host.lost


async def test_a_server_that_cannot_keep_leaves_its_floor_to_one_that_can(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can take the floor again and again, and would hold it for ever."""
    monkeypatch.setattr(leases, "LEASE_MICROSECONDS", 1_000_000)
    for module in (houses, leases):
        monkeypatch.setattr(module, "RENEW_SECONDS", 0.2)

    def lost(_: Sequence[Append]) -> list[AppendResult]:
        raise StoreLost("what is sent is too large for this line")

    async with two(database, 5) as (one, other):
        assert of(other).lost
        monkeypatch.setattr(one.keeper, "_keep", lost)
        async with asyncio.timeout(SOON):
            while of(other).lost:
                with suppress(FloorUnavailable):
                    await of(one).ask(evening()[5])
                await asyncio.sleep(0.01)
        assert of(one).lost
        assert await other.ask(evening()[5]) == Acceptance(6)
