"""Several servers on one database: each shows every floor and takes every command.

SQLite has no signals, so there the tests also show that polling is enough.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from sqlalchemy import insert, select, text

from headsup.game.record.message_codec import write_command
from headsup.game.refusal import Code, Refusal
from headsup.game.table.commands import PlayerAt
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house import house as houses
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster import forwarding, leases, replicas
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
from headsup.house.people.person import Person, Role
from headsup.house.store import signals as notifications
from headsup.house.store.database import Database
from headsup.house.store.engine import MAX_SHARED_CONNECTIONS
from headsup.house.store.forwarded_requests import Request, put_request
from headsup.house.store.protocol import Append, AppendResult, StoreLost
from headsup.house.store.schema import ENTRIES, REQUESTS
from tests.support.house.houses import (
    FLOOR,
    all_done,
    decided,
    logged,
    started,
    wallets,
    with_wallets,
)
from tests.support.postgres import PostgresServer
from tests.support.scripted import CHIPS, scripted_commands
from tests.support.tables import STAFF

SOON = 10  # seconds


@pytest.fixture(autouse=True)
def poll_often(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll often where there are no signals, so that tests are fast."""
    if "sqlite" in request.node.name:
        monkeypatch.setattr(forwarding, "POLL_SECONDS", 0.03)
        monkeypatch.setattr(replicas, "LOOK_SECONDS", 0.03)


@asynccontextmanager
async def two(database: Database, done: int = 0) -> AsyncIterator[tuple[House, House]]:
    """Two servers. The first owns the floor F, with `done` commands of the script carried out."""
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        host = await one.open_floor(FLOOR)
        await all_done(host, scripted_commands()[:done])
        async with started(database, "two", alone=False) as other:
            yield one, other


def host_of(house: House) -> FloorHost:
    return house.hosts[FLOOR]


async def reached(house: House, host: FloorHost) -> None:
    async with asyncio.timeout(SOON):
        await host_of(house).wait_for_entry(host.journal.head.count - 1)


async def test_a_floor_is_followed_entry_by_entry(database: Database) -> None:
    script = scripted_commands()
    async with two(database, 3) as (one, other):
        owner_updates: list[FloorUpdate] = []
        host_of(one).subscribe(owner_updates.append)
        follower_updates: list[FloorUpdate] = []
        host_of(other).subscribe(follower_updates.append)
        assert host_of(other).halt_reason
        assert host_of(other).journal == host_of(one).journal
        await all_done(host_of(one), script[3:])
        await reached(other, host_of(one))
        assert follower_updates == owner_updates
        assert other.tables() == one.tables()


async def test_a_table_that_another_server_opens_is_found_at_once(database: Database) -> None:
    async with two(database) as (one, other):
        await all_done(host_of(one), scripted_commands()[:1])
        new = CommandRequest("opening-T2", "T2", STAFF, scripted_commands(id="T2")[0].command)
        assert isinstance(await one.open_table("G", new), Acceptance)
        for table, floor in (("T1", FLOOR), ("T2", "G")):
            host = await other.find(table)
            assert host is not None
            assert host.lease.floor == floor
            assert table in host.journal.floor.tables
        assert await other.find("T3") is None


async def test_the_owner_carries_out_commands_sent_to_any_server(
    database: Database,
) -> None:
    """The asking server knows the entry before the answer; repeats get the same answer."""
    script = scripted_commands()
    async with two(database, 1) as (one, other):
        for number, request in enumerate(script[1:20]):
            house = (one, other)[number % 2]
            assert await house.submit(request) == Acceptance(number + 2)
            assert host_of(house).journal.head.count == number + 3
        for number, request in enumerate(script[1:20]):
            for house in (one, other):
                assert await house.submit(request) == Acceptance(number + 2)
        used = await other.submit(CommandRequest(script[3].id, "T1", STAFF, OpenRound()))
        assert isinstance(used, Refusal)
        assert used.code is Code.ID_USED
        assert host_of(other).halt_reason
    assert len(logged(database)) == 21
    with database.read_connection() as connection:
        assert (
            connection.execute(select(REQUESTS.c.answer).where(REQUESTS.c.answer == "")).all() == []
        )


async def test_a_refusal_is_the_same_on_every_server(database: Database) -> None:
    async with two(database, 5) as (one, other):
        for request in (
            CommandRequest("taken", "T1", PlayerAt(1), Sit(1, "P6")),
            CommandRequest("short", "T1", PlayerAt(1), BuyIn(1, 100 * CHIPS)),
        ):
            here, there = await one.submit(request), await other.submit(request)
            assert isinstance(here, Refusal)
            assert isinstance(there, Refusal)
            assert (there.code, there.message) == (here.code, here.message)


async def test_the_owner_limits_the_rate_of_commands_from_other_servers(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "_CHANNELS_PER_PERSON", 0.1)  # a burst of two
    p1, p2 = (Person(f"id-{name}", name, Role.PLAYER) for name in ("P1", "P2"))
    async with two(database, 1) as (one, other):

        async def reply_code(house: House, person: Person | None, number: int) -> str:
            by = STAFF if person is None else PlayerAt(1)
            id = f"{person.name if person else 'house'}-{number}"
            answer = await house.submit(CommandRequest(id, "T1", by, BuyIn(1, 100), person))
            assert isinstance(answer, Refusal)
            return answer.code

        codes = [await reply_code(other, p1, number) for number in range(4)]
        assert "busy" not in codes[:2]
        assert "busy" in codes[2:]
        assert await reply_code(other, p2, 0) != "busy", "each person has a rate"
        house = [await reply_code(other, None, number) for number in range(4)]
        assert "busy" not in house, "the house itself has none"
        here = [await reply_code(one, p1, number) for number in range(10, 14)]
        assert "busy" not in here, "who asks the owner was counted at the door"


async def test_the_owner_decides_whose_seat_it_is(database: Database) -> None:
    """The asking server may be behind, so what it believes does not count."""
    async with two(database, 5) as (_, other):
        stranger = Person("id", "Mallory", Role.PLAYER)
        reply = await other.submit(
            CommandRequest("mine", "T1", PlayerAt(1), BuyIn(1, 100), stranger)
        )
        assert isinstance(reply, Refusal)
        assert reply.code is Code.NOT_ALLOWED
    assert wallets(database)[0] == CHIPS


async def test_a_due_step_is_taken_once_whichever_server_is_asked(database: Database) -> None:
    """Sent with its key to both servers at once; a repeat gets the same answer."""
    script = scripted_commands()
    first = next(n for n, request in enumerate(script) if isinstance(request.command, OpenRound))
    async with two(database, first) as (one, other):
        key = step_key(host_of(one).journal.floor.tables["T1"])
        houses = (one, other, one, other)
        presses = [
            CommandRequest(f"press-{n}", "T1", STAFF, OpenRound(), expected_step=key)
            for n, _ in enumerate(houses)
        ]
        replies = await asyncio.gather(
            *(house.submit(press) for house, press in zip(houses, presses, strict=True))
        )
        refusals = [reply.code for reply in replies if isinstance(reply, Refusal)]
        assert refusals == [Code.NOT_DUE_ANY_MORE] * 3
        done = next(n for n, reply in enumerate(replies) if isinstance(reply, Acceptance))
        for house in (one, other):
            assert await house.submit(presses[done]) == replies[done]


async def test_a_table_is_opened_on_a_floor_that_another_server_owns(database: Database) -> None:
    async with two(database, 1) as (one, other):
        slower = Timings(betting=45.0)
        request = CommandRequest(
            "opening-T2", "T2", STAFF, scripted_commands(id="T2")[0].command, pace=slower
        )
        assert isinstance(await other.open_table(FLOOR, request), Acceptance)
        await one.maintain()
        assert one.pace("T2") == other.pace("T2") == slower
        assert {table.id for table in other.tables()} == {"T1", "T2"}
        assert {table.id for table in one.tables()} == {"T1", "T2"}
        repeat = CommandRequest("opening-again", "T2", STAFF, request.command)
        assert isinstance(await other.open_table("elsewhere", repeat), Refusal)


async def test_table_names_are_unique_across_servers(
    postgres: PostgresServer,
) -> None:
    """Both servers try at the same time, each on its own floor."""
    database = Database(postgres.new_database())
    database.migrate()
    command = scripted_commands(id="T2")[0].command
    async with two(database, 1) as (one, other):

        async def opens(house: House, floor: str) -> Reply:
            while True:  # retry while the name is locked
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
    script = scripted_commands()
    async with two(database, 20) as (one, other):
        await one.stop()
        async with asyncio.timeout(SOON):
            assert await host_of(other).wait_until_open()
        await all_done(host_of(other), script[20:])
    assert audit_floor(database, FLOOR).holds


async def test_the_next_owner_answers_commands_sent_to_a_dead_one(database: Database) -> None:
    """Including a command that it carried out but did not answer; that is not done twice."""
    script = scripted_commands()
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        await all_done(await one.open_floor(FLOOR), script[:2])
    dead = database.take_lease(FLOOR, "dead", 60_000_000)
    assert dead is not None
    async with started(database, "two", alone=False) as house:
        assert host_of(house).halt_reason
        asking = [asyncio.create_task(house.submit(request)) for request in script[1:3]]
        await asyncio.sleep(0)
        await asyncio.to_thread(database.renew, [dead], -1)
        async with asyncio.timeout(SOON):
            assert await asyncio.gather(*asking) == [Acceptance(2), Acceptance(3)]
        assert not host_of(house).halt_reason
    assert len(logged(database)) == 4


async def test_a_command_to_a_floor_without_an_owner_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a request that was given up is not carried out later."""
    monkeypatch.setattr("headsup.house.cluster.forwarding.WAIT_SECONDS", 1)
    async with two(database, 1) as (one, other):
        taken = database.take_lease(FLOOR, "frozen", 60_000_000, force=True)
        assert taken is not None
        request = scripted_commands()[1]
        for house in (one, other):
            with pytest.raises(FloorUnavailable):
                await house.submit(request)
        database.renew([taken], -1)
        await other.maintain()
        assert await other.submit(scripted_commands()[2]) is not None
        assert host_of(other).journal.head.count == 2
        assert await one.submit(request) == Acceptance(2)


async def test_an_owner_whose_lease_expired_refuses_nothing_from_stale_state(
    database: Database,
) -> None:
    """The owner was stopped; another server took the floor and seated P1. The old owner does not
    know, so it must not refuse anything by its own state."""
    script = scripted_commands()
    async with two(database, 1) as (one, other):
        stale = host_of(one)
        taken = await asyncio.to_thread(database.take_lease, FLOOR, "two", 60_000_000, True)
        assert taken is not None
        await other.maintain()
        assert await host_of(other).submit(script[1]) == Acceptance(2)
        stale.lease_good_until = 0
        buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
        assert await one.submit(buy_in) == Acceptance(3)
        assert stale.halt_reason
        assert host_of(one).journal == host_of(other).journal
    assert wallets(database)[0] == CHIPS


async def test_an_owner_replaced_without_notice_refuses_nothing_from_stale_state(
    database: Database,
) -> None:
    """Its lease seems good for seconds, and no signal has announced the hand-over."""
    script = scripted_commands()
    async with two(database, 1) as (one, other):
        stale = host_of(one)
        assert (
            await asyncio.to_thread(database.take_lease, FLOOR, "two", 60_000_000, True) is not None
        )
        await other.maintain()
        assert await host_of(other).submit(script[1]) == Acceptance(2)
        buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
        assert await one.submit(buy_in) == Acceptance(3)
        assert stale.halt_reason


async def test_a_refusal_keeps_its_answer_after_the_floor_changed_owners(
    database: Database,
) -> None:
    script = scripted_commands()
    buy_in = CommandRequest("buy", "T1", PlayerAt(1), BuyIn(1, CHIPS))
    async with two(database, 1) as (one, other):
        assert isinstance(await host_of(one).submit(buy_in), Refusal)
        await asyncio.to_thread(database.take_lease, FLOOR, "two", 60_000_000, True)
        await one.maintain()
        await other.maintain()
        assert await host_of(other).submit(script[1]) == Acceptance(2)
        assert await host_of(other).submit(buy_in) == Acceptance(3)
        await asyncio.to_thread(database.take_lease, FLOOR, "one", 60_000_000, True)
        await other.maintain()
        await one.maintain()
        assert await host_of(one).submit(buy_in) == Acceptance(3)
    assert wallets(database)[0] == CHIPS


async def test_two_servers_that_both_believe_they_own_a_floor(database: Database) -> None:
    """Both get commands again and again: one log, each command once, and both know everything."""
    script = scripted_commands()
    async with two(database, 1) as (one, other):
        taken = await asyncio.to_thread(database.take_lease, FLOOR, "two", 60_000_000, True)
        assert taken is not None
        await other.maintain()
        assert not host_of(one).halt_reason
        assert not host_of(other).halt_reason
        for request in script[1:]:
            (reply,) = set(await asyncio.gather(one.submit(request), other.submit(request)))
            assert isinstance(reply, Acceptance)
        assert host_of(one).halt_reason
        await reached(one, host_of(other))
        assert host_of(one).journal == host_of(other).journal
    assert len(decided(database)) == len(script)
    assert audit_floor(database, FLOOR).holds


@pytest.mark.parametrize("act", ["changed", "cut off"])
async def test_a_followed_log_that_is_broken_closes_at_once(database: Database, act: str) -> None:
    """Entries after a changed one are not shown, and a log must not become shorter."""
    script = scripted_commands()
    async with two(database, 5) as (one, other):
        known = host_of(other).journal
        # Before the owner releases the floor and the other server can take it.
        taken = await asyncio.to_thread(database.take_lease, FLOOR, "rewriting", 60_000_000, True)
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
        await other._followers.catch_up()
        async with asyncio.timeout(SOON):  # sooner than a request would time out
            with pytest.raises(FloorUnavailable):
                await other.submit(script[5])
        assert host_of(other).journal == known


async def test_a_lost_signal_loses_nothing(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connections that receive signals are cut, so no server gets any."""
    monkeypatch.setattr(notifications, "RECONNECT_SECONDS", 600)
    database = Database(postgres.new_database())
    database.migrate()
    script = scripted_commands()
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
        for number, request in enumerate(script[1:7]):
            assert await (one, other)[number % 2].submit(request) == Acceptance(number + 2)
        await reached(other, host_of(one))
        assert host_of(other).journal == host_of(one).journal
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
        assert await other.submit(scripted_commands()[1]) == Acceptance(2)
        with database.read_connection() as connection:
            held = connection.execute(select(REQUESTS).where(REQUESTS.c.number == "1")).one()
        assert held.answer == ""
        assert host_of(one).journal.head.count == 3


async def test_a19_of_fifty_who_race_for_six_seats_at_two_servers_six_sit(
    database: Database,
) -> None:
    async with two(database, 1) as (one, other):
        asking = []
        for number in range(50):
            name, seat = f"N{number}", 1 + number % 6
            request = CommandRequest(f"sitting-{number}", "T1", PlayerAt(seat), Sit(seat, name))
            asking.append((one, other)[number % 2].submit(request))
        replies = await asyncio.gather(*asking)
        seated = [f"N{n}" for n, reply in enumerate(replies) if isinstance(reply, Acceptance)]
        assert len(seated) == 6
        for house in (one, other):
            await reached(house, host_of(one))
            assert sorted(host_of(house).journal.floor.tables["T1"].players.values()) == sorted(
                seated
            )
        taken = {reply.code for reply in replies if isinstance(reply, Refusal)}
        assert taken == {Code.SEAT_TAKEN}


async def test_readers_holding_every_connection_cost_no_lease(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (houses, leases):
        monkeypatch.setattr(module, "RENEW_SECONDS", 0.2)
    async with started(database, "one", alone=False) as house:
        host = await house.open_floor(FLOOR)
        readers = [database.read_connection() for _ in range(MAX_SHARED_CONNECTIONS)]
        enough = host.lease_good_until + 1  # renewals under way then are over
        async with asyncio.timeout(SOON):
            while host.lease_good_until < enough:
                await asyncio.sleep(0.05)
        for reader in readers:
            reader.close()
        assert not host.halt_reason


async def test_a_server_that_cannot_store_leaves_its_floor_to_one_that_can(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it would take the floor again and again, and keep it from the other."""
    monkeypatch.setattr(leases, "LEASE_MICROSECONDS", 1_000_000)
    for module in (houses, leases):
        monkeypatch.setattr(module, "RENEW_SECONDS", 0.2)

    def lost(_: Sequence[Append]) -> list[AppendResult]:
        raise StoreLost("what is sent is too large for this line")

    async with two(database, 5) as (one, other):
        assert host_of(other).halt_reason
        monkeypatch.setattr(one.group_commit, "_append", lost)
        async with asyncio.timeout(SOON):
            while host_of(other).halt_reason:
                with suppress(FloorUnavailable):
                    await host_of(one).submit(scripted_commands()[5])
                await asyncio.sleep(0.01)
        assert host_of(one).halt_reason
        assert await other.submit(scripted_commands()[5]) == Acceptance(6)
