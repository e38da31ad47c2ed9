"""Floors are spread over servers, on demand or when a server joins, but never during a round."""

import asyncio
from pathlib import Path

from headsup.game.table.rounds import OpenRound
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster.join import take_share_always
from headsup.house.cluster.rebalance import plan_moves
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.presence import share_presence
from headsup.house.store.projection_rows import IncidentKind
from tests.support.house.houses import started, with_wallets
from tests.support.scripted import scripted_commands
from tests.support.tables import STAFF
from tests.support.web.office import office
from tests.support.web.requests import asked_by

SECONDS = 60  # far longer than anything here takes
MINUTE = 60_000_000  # microseconds


def test_floors_are_moved_one_at_a_time_until_no_two_servers_differ_by_two() -> None:
    owned = {"a": "one", "b": "one", "c": "one", "d": "two"}
    everything = owned.keys()
    assert plan_moves(owned, {"one", "two", "three"}, everything) == {"a": "three"}
    assert plan_moves(owned, {"one", "two"}, everything) == {"a": "two"}
    assert plan_moves(owned, {"one", "two", "three"}, {"c"}) == {"c": "three"}
    assert plan_moves(owned, {"one", "two", "three"}, set()) == {}
    assert plan_moves({}, {"one", "two"}, set()) == {}
    six = dict.fromkeys("abcdef", "one")
    moves = plan_moves(six, {"one", "two", "three"}, six.keys())
    assert sorted(moves.values()) == ["three", "three", "two", "two"]
    # Spreading again moves nothing.
    assert plan_moves({**six, **moves}, {"one", "two", "three"}, six.keys()) == {}


async def owned_by(house: House, count: int) -> None:
    async with asyncio.timeout(SECONDS):
        while len(house.owned_floors()) != count:
            await house.maintain()


async def test_an_idle_server_is_given_floors_and_those_in_play_stay(database: Database) -> None:
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 5):
            table = f"T{number}"
            request = CommandRequest(
                f"opening-{table}", table, STAFF, scripted_commands(id=table)[0].command
            )
            assert isinstance(await one.open_table(f"F{number}", request), Acceptance)
        playing = scripted_commands(id="T1")[1:20]
        opened = next(n for n, one in enumerate(playing) if isinstance(one.command, OpenRound))
        for request in playing[: opened + 1]:
            assert isinstance(await one.submit(request), Acceptance)
        async with started(database, "two", alone=False) as two:
            for server in ("one", "two"):
                share_presence(database, server, {}, MINUTE)
            assert two.owned_floors() == {}
            done = await two.spread("Ada")
            assert (done.moved, done.in_play, done.servers) == (("F2", "F3"), ("F1",), 2)
            await owned_by(two, 2)
            await owned_by(one, 2)
            assert set(one.owned_floors()) == {"F1", "F4"}
            # The new owner carries out commands from every server, once each.
            sit = scripted_commands(id="T2")[1]
            assert await one.submit(sit) == await two.submit(sit) == Acceptance(2)
            for request in playing[opened + 1 :]:
                assert isinstance(await two.submit(request), Acceptance)
            again = await one.spread("Ada")
            assert again.moved == ()
        (incidents_found, *_) = find_incidents(database, IncidentQuery(actor="Ada"))
        assert '"moved": {"F2": "two", "F3": "two"}' in incidents_found.what
    assert all(audit_floor(database, f"F{number}").holds for number in range(1, 5))


async def test_a_server_that_joins_takes_its_share_for_itself_and_leaves_what_is_in_play(
    database: Database,
) -> None:
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 7):
            request = scripted_commands(id=f"T{number}")[0]
            assert isinstance(await one.open_table(f"F{number}", request), Acceptance)
        playing = scripted_commands(id="T1")[1:20]
        opened = next(
            n for n, request in enumerate(playing) if isinstance(request.command, OpenRound)
        )
        for request in playing[: opened + 1]:
            assert isinstance(await one.submit(request), Acceptance)
        async with started(database, "two", alone=False) as two:
            for server in ("one", "two", "three"):  # two has joined, and so has three
                share_presence(database, server, {}, MINUTE)
            joining = asyncio.create_task(take_share_always(two, 0))
            await owned_by(two, 2)
            await owned_by(one, 4)  # three must take its own share
            joining.cancel()
            assert "F1" in one.owned_floors()
            for request in playing[opened + 1 :]:
                assert isinstance(await two.submit(request), Acceptance)
        incidents_found = find_incidents(
            database, IncidentQuery(actor="house", kind=IncidentKind.CONFIGURATION)
        )
        assert sum('"act": "floors spread"' in one.what for one in incidents_found) == 1
    assert all(audit_floor(database, f"F{number}").holds for number in range(1, 7))


async def test_a_server_alone_takes_no_share(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert at.house.is_alone
        await take_share_always(at.house)  # returns at once


async def test_a_floor_with_an_unnoticed_round_stays(database: Database) -> None:
    """The server has not read the entry yet, but the round that it opens counts."""
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 5):
            request = scripted_commands(id=f"T{number}")[0]
            assert isinstance(await one.open_table(f"F{number}", request), Acceptance)
        playing = scripted_commands(id="T1")[1:20]
        opened = next(
            n for n, request in enumerate(playing) if isinstance(request.command, OpenRound)
        )
        for request in playing[:opened]:
            assert isinstance(await one.submit(request), Acceptance)
        async with started(database, "two", alone=False) as two:
            await two._followers.stop()  # it follows no logs any more
            for server in ("one", "two"):
                share_presence(database, server, {}, MINUTE)
            assert isinstance(await one.submit(playing[opened]), Acceptance)
            done = await two.spread("Ada")
            assert done.moved == ("F2",)
        (incidents_found, *_) = find_incidents(database, IncidentQuery(actor="Ada"))
        assert '"moved": {"F2": "two"}' in incidents_found.what


async def test_a_house_of_one_server_has_nothing_to_spread(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        shown = (await http.get("/api/floors")).json()
        assert shown["alone"]
        assert (
            {one["server"] for one in shown["floors"]} == set(shown["servers"]) == {shown["here"]}
        )
        answer = await http.post("/api/floors/spread")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "one_server")
