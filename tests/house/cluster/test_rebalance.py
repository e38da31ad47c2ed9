"""Floors are spread over the servers of a house when an administrator asks, between rounds."""

import asyncio
from pathlib import Path

from headsup.game.table.commands import OpenRound
from headsup.house.audit.floor import audit_floor
from headsup.house.cluster.join import take_share_always
from headsup.house.cluster.rebalance import wanted_moves
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.incidents.significant_events import IncidentQuery, find_incidents
from headsup.house.store.database import Database
from headsup.house.store.presence import share_presence
from headsup.house.store.projection_tables import IncidentKind
from tests.house.houses import started, with_wallets
from tests.scripted import evening
from tests.tables import STAFF
from tests.web.live.test_protocol_http import asked_by
from tests.web.office import office

SECONDS = 60  # far more than anything here takes
MINUTE = 60_000_000  # microseconds


def test_floors_are_moved_one_at_a_time_until_no_two_servers_differ_by_two() -> None:
    owned = {"a": "one", "b": "one", "c": "one", "d": "two"}
    everything = owned.keys()
    assert wanted_moves(owned, {"one", "two", "three"}, everything) == {"a": "three"}
    assert wanted_moves(owned, {"one", "two"}, everything) == {"a": "two"}
    assert wanted_moves(owned, {"one", "two", "three"}, {"c"}) == {"c": "three"}
    assert wanted_moves(owned, {"one", "two", "three"}, set()) == {}
    assert wanted_moves({}, {"one", "two"}, set()) == {}
    six = dict.fromkeys("abcdef", "one")
    moves = wanted_moves(six, {"one", "two", "three"}, six.keys())
    assert sorted(moves.values()) == ["three", "three", "two", "two"]
    # Where floors are spread already, asking again moves nothing: nothing goes to and fro.
    assert wanted_moves({**six, **moves}, {"one", "two", "three"}, six.keys()) == {}


async def owned_by(house: House, count: int) -> None:
    async with asyncio.timeout(SECONDS):
        while len(house.owned()) != count:
            await house.tend()


async def test_an_idle_server_is_given_floors_and_those_in_play_stay(database: Database) -> None:
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 5):
            table = f"T{number}"
            asked = CommandRequest(f"opening-{table}", table, STAFF, evening(id=table)[0].command)
            assert isinstance(await one.open_table(f"F{number}", asked), Acceptance)
        playing = evening(id="T1")[1:20]
        opened = next(n for n, one in enumerate(playing) if isinstance(one.command, OpenRound))
        for asked in playing[: opened + 1]:
            assert isinstance(await one.ask(asked), Acceptance)
        async with started(database, "two", alone=False) as two:
            for server in ("one", "two"):
                share_presence(database, server, {}, MINUTE)
            assert two.owned() == {}
            done = await two.spread("Ada")
            assert (done.moved, done.in_play, done.servers) == (("F2", "F3"), ("F1",), 2)
            await owned_by(two, 2)
            await owned_by(one, 2)
            assert set(one.owned()) == {"F1", "F4"}
            # Whoever asks whichever server, the floor's new owner carries it out, once.
            sit = evening(id="T2")[1]
            assert await one.ask(sit) == await two.ask(sit) == Acceptance(2)
            for asked in playing[opened + 1 :]:
                assert isinstance(await two.ask(asked), Acceptance)
            again = await one.spread("Ada")
            assert again.moved == ()
        (told, *_) = find_incidents(database, IncidentQuery(who="Ada"))
        assert '"moved": {"F2": "two", "F3": "two"}' in told.what
    assert all(audit_floor(database, f"F{number}").holds for number in range(1, 5))


async def test_a_server_that_joins_takes_its_share_for_itself_and_leaves_what_is_in_play(
    database: Database,
) -> None:
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 7):
            asked = evening(id=f"T{number}")[0]
            assert isinstance(await one.open_table(f"F{number}", asked), Acceptance)
        playing = evening(id="T1")[1:20]
        opened = next(n for n, asked in enumerate(playing) if isinstance(asked.command, OpenRound))
        for asked in playing[: opened + 1]:
            assert isinstance(await one.ask(asked), Acceptance)
        async with started(database, "two", alone=False) as two:
            for server in ("one", "two", "three"):  # two has joined, and so has another
                share_presence(database, server, {}, MINUTE)
            joining = asyncio.create_task(take_share_always(two, 0))
            await owned_by(two, 2)
            await owned_by(one, 4)  # what is the third one's share is for the third one to take
            joining.cancel()
            assert "F1" in one.owned()
            for asked in playing[opened + 1 :]:
                assert isinstance(await two.ask(asked), Acceptance)
        told = find_incidents(database, IncidentQuery(who="house", kind=IncidentKind.CONFIGURATION))
        assert sum('"act": "floors spread"' in one.what for one in told) == 1
    assert all(audit_floor(database, f"F{number}").holds for number in range(1, 7))


async def test_a_server_alone_takes_no_share(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert at.house.alone
        await take_share_always(at.house)  # returns at once


async def test_a_floor_in_which_a_round_began_unseen_stays(database: Database) -> None:
    """What the asked server knows is behind the log: the round that was opened elsewhere counts."""
    with_wallets(database)
    async with started(database, "one", alone=False) as one:
        for number in range(1, 5):
            asked = evening(id=f"T{number}")[0]
            assert isinstance(await one.open_table(f"F{number}", asked), Acceptance)
        playing = evening(id="T1")[1:20]
        opened = next(n for n, asked in enumerate(playing) if isinstance(asked.command, OpenRound))
        for asked in playing[:opened]:
            assert isinstance(await one.ask(asked), Acceptance)
        async with started(database, "two", alone=False) as two:
            await two._followers.stop()  # it hears nothing more
            for server in ("one", "two"):
                share_presence(database, server, {}, MINUTE)
            assert isinstance(await one.ask(playing[opened]), Acceptance)
            done = await two.spread("Ada")
            assert done.moved == ("F2",)
        (told, *_) = find_incidents(database, IncidentQuery(who="Ada"))
        assert '"moved": {"F2": "two"}' in told.what


async def test_a_house_of_one_server_has_nothing_to_spread(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        shown = (await http.get("/api/floors")).json()
        assert shown["alone"]
        assert (
            {one["server"] for one in shown["floors"]} == set(shown["servers"]) == {shown["here"]}
        )
        answer = await http.post("/api/floors/spread")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "one_server")
