"""Several servers on one PostgreSQL: each runs its share of the floors and knows where the others
are."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text, update

from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.table.rounds import OpenRound
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster import membership
from headsup.house.floor.group_commit import Outcome
from headsup.house.floor.host import Acceptance, CommandRequest, FloorMoved, FloorUnavailable
from headsup.house.house import Elsewhere, House
from headsup.house.store import servers
from headsup.house.store.database import Database
from headsup.house.store.protocol import Append
from headsup.house.store.schema import SERVERS
from tests.support.databases import postgres_database
from tests.support.house.history import Acknowledged, history_faults
from tests.support.house.houses import all_done, noon, started, steal, with_wallets
from tests.support.house.tampering import without_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands

SOON = 60  # seconds; no test measures speed with it


@pytest.fixture
def database(postgres: PostgresServer) -> Iterator[Database]:
    database = postgres_database(postgres)
    with_wallets(database)
    yield database
    database.close()


def opening(table: str) -> CommandRequest:
    return scripted_commands(id=table)[0]


async def open_tables(house: House, *numbers: int) -> None:
    """Open table T1 on floor F1, and so on."""
    for number in numbers:
        reply = await house.open_table(f"F{number}", opening(f"T{number}"))
        assert isinstance(reply, Acceptance), reply


async def owns(house: House, *floors: str) -> None:
    async with asyncio.timeout(SOON):
        while house.owned_floors().keys() != {*floors}:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def pair(database: Database, *tables: int) -> AsyncIterator[tuple[House, House]]:
    """Two servers; the first opens these tables and keeps them for now."""
    async with started(database, "one") as one:
        await open_tables(one, *tables)
        async with started(database, "two") as two:
            yield one, two


async def test_a_server_knows_where_the_tables_of_another_are(database: Database) -> None:
    async with pair(database, 1) as (one, two):
        host = await one.locate("T1")
        assert host is one.hosts["F1"]
        assert await two.locate("T1") == Elsewhere("one")
        assert await two.locate("T2") is None
        assert two.hosts == {}
        with pytest.raises(FloorMoved) as moved:
            await two.submit(scripted_commands()[1])
        assert moved.value.at == "one"
        with pytest.raises(FloorMoved):
            await two.open_table("F1", opening("T7"))


async def test_a_table_name_is_used_once_in_the_house(database: Database) -> None:
    async with pair(database, 1) as (one, two):
        with pytest.raises(FloorMoved):  # its floor refuses the name
            await two.open_table("F2", opening("T1"))
        again = CommandRequest("another id", "T1", opening("T1").by, opening("T1").command)
        refused = await one.open_table("F2", again)
        assert isinstance(refused, Refusal)
        assert refused.code is Code.TABLE_OPEN
        assert database.floors() == ["F1"]


async def test_of_two_servers_that_open_one_name_at_once_one_is_refused(database: Database) -> None:
    async with pair(database) as (one, two):
        replies = await asyncio.gather(
            one.open_table("F1", opening("T1")),
            two.open_table("F2", opening("T1")),
            return_exceptions=True,
        )
        accepted = [reply for reply in replies if isinstance(reply, Acceptance)]
        others = [reply for reply in replies if isinstance(reply, Refusal | FloorMoved)]
        assert (len(accepted), len(others)) == (1, 1), replies


async def test_the_floors_of_a_server_that_stops_move_to_another(database: Database) -> None:
    async with pair(database, 1, 2, 3) as (one, two):
        playing = scripted_commands(id="T1")[1:20]
        opened = next(n for n, one in enumerate(playing) if isinstance(one.command, OpenRound))
        await all_done(one.hosts["F1"], playing[: opened + 1])
        draining = asyncio.create_task(one.drain())
        await owns(two, "F2", "F3")  # those without a round
        assert one.owned_floors().keys() == {"F1"}
        draining.cancel()
        await one.drain(0)
        await owns(two, "F1", "F2", "F3")
        await all_done(two.hosts["F1"], playing[opened + 1 :])
    assert all(audit_floor(database, f"F{number}").holds for number in (1, 2, 3))


async def test_floors_are_shared_evenly_when_a_server_has_been_up_for_a_while(
    database: Database,
) -> None:
    async with started(database, "one") as one:
        await open_tables(one, 1, 2, 3, 4)
        async with started(database, "two") as two:
            await one.maintain()
            assert len(one.hosts) == 4  # two has only just started
            one._min_uptime_seconds = 0
            await one.maintain()
            await owns(two, "F1", "F2")
            await owns(one, "F3", "F4")
            again = await two.submit(opening("T1"))
            assert again == Acceptance(1)  # sent again to the new owner


async def test_survivors_take_only_their_share_of_a_dead_servers_floors(
    database: Database,
) -> None:
    dead = House(database, "dead", noon, at="dead")
    await dead.start()
    await open_tables(dead, 1, 2, 3, 4)
    async with started(database, "one") as one, started(database, "two") as two:
        for task in dead._tasks:
            task.cancel()
        with database.engine.begin() as connection:
            is_dead = SERVERS.c.name == "dead"
            connection.execute(update(SERVERS).where(is_dead).values(lease_until=0))
        await asyncio.gather(one.maintain(), two.maintain())
        assert sorted(map(len, (one.hosts, two.hosts))) == [2, 2]
        with pytest.raises(FloorMoved):  # it believes that it still owns them
            await dead.hosts["F1"].submit(scripted_commands(id="T1")[1])
    await dead.stop()


async def test_a_floor_that_nobody_runs_is_taken_by_the_server_that_is_asked(
    database: Database,
) -> None:
    async with started(database, "one") as one:
        await open_tables(one, 1, 2)
    async with started(database, "two") as two:
        assert two.owned_floors().keys() == {"F1", "F2"}
        two.membership._settled_at = float("inf")  # it takes nothing by itself
        await two.membership.free(two.hosts["F1"].lease)
        two._drop(two.hosts["F1"])
        assert await two.locate("T1") is two.hosts["F1"]


async def test_a_server_whose_own_lease_ran_out_takes_no_others_for_dead_at_once(
    database: Database,
) -> None:
    """As when the database was away: the others need a moment to renew theirs."""
    async with pair(database, 1) as (one, two):
        with database.engine.begin() as connection:
            connection.execute(update(SERVERS).values(lease_until=0))
        await two.maintain()
        assert not two.membership.may_take
        assert two.hosts == {}
        await one.maintain()
        assert one.owned_floors().keys() == {"F1"}


async def test_a_server_that_stops_is_asked_for_nothing(database: Database) -> None:
    async with started(database, "one") as one:
        await open_tables(one, 1)
        one.membership.is_draining = True
        await one.membership.free(one.hosts["F1"].lease)
        one._drop(one.hosts["F1"])
        with pytest.raises(FloorUnavailable):
            await one.locate("T1")


@pytest.mark.parametrize(
    ("first", "second", "case"),
    [("", "b", "other_alone"), ("a", "", "alone"), ("", "", "alone"), ("a", "a", "taken")],
)
async def test_several_servers_each_need_a_name_of_their_own(
    database: Database, monkeypatch: pytest.MonkeyPatch, first: str, second: str, case: str
) -> None:
    monkeypatch.setattr(membership, "RENEW_SECONDS", 0)
    monkeypatch.setattr(membership, "LEASE_SECONDS", 0)
    assert servers.join(database, "first", first, 60_000_000) is None
    with pytest.raises(Refused) as refused:
        await House(database, "second", noon, at=second).start()
    assert (refused.value.code, refused.value.refusal.case) == (Code.SERVER_NAME, case)
    assert "first" in str(refused.value)


async def test_a_floor_stolen_between_commit_and_answer_answers_what_is_stored(
    database: Database,
) -> None:
    """The commit succeeded under the old fence, so the answer is right, and the new owner repeats
    it."""
    async with pair(database, 1) as (one, two):
        commit, sit = one.group_commit._append, scripted_commands(id="T1")[1]

        def commit_then_lose(appends: Sequence[Append]) -> Sequence[Outcome]:
            outcomes = commit(appends)
            steal(database, two.server, "F1")
            return outcomes

        one.group_commit._append = commit_then_lose
        assert await one.submit(sit) == Acceptance(2)
        with pytest.raises(FloorMoved):
            await one.submit(scripted_commands(id="T1")[2])
        await two.maintain()
        assert await two.submit(sit) == Acceptance(2)
    address = database.engine.url.render_as_string(hide_password=False)
    assert history_faults(address, [Acknowledged("T1", sit.id, 2)]) == []


async def test_the_history_checker_finds_what_is_lost_doubled_or_changed(
    database: Database,
) -> None:
    async with pair(database, 1) as (one, _):
        for request in scripted_commands(id="T1")[1:4]:
            assert isinstance(await one.submit(request), Acceptance)
    sit = scripted_commands(id="T1")[1]
    address = database.engine.url.render_as_string(hide_password=False)
    assert history_faults(address, [Acknowledged("T1", sit.id, 2)]) == []
    (wrong,) = history_faults(address, [Acknowledged("T1", sit.id, 3)])
    assert "answered 3, stored [2]" in wrong
    (lost,) = history_faults(address, [Acknowledged("T1", "a lost command", 4)])
    assert "stored nowhere" in lost
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(
            text(f"""UPDATE entries SET entry = replace(entry,
            '{scripted_commands(id="T1")[2].id}', '{sit.id}') WHERE floor = 'F1'""")
        )
    faults = history_faults(address, [])
    assert any("carried out 2 times" in fault for fault in faults)
    assert any("does not follow" in fault for fault in faults)
