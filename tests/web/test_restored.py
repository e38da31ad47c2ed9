"""A house that goes on from a backup: the rounds that were open in it are ended by staff, and from
then on nothing is dealt that anybody could know."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx

from headsup.game.irregularity import Cause
from headsup.game.round.commands import PlaceBets, ReportIrregularity
from headsup.game.shuffle import Shuffle
from headsup.game.table.commands import SealShuffle, Staff
from headsup.game.table.state import Table
from headsup.house.attendance import Attendance
from headsup.house.dealers import Dealers
from headsup.house.host import Asked, CarriedOut
from headsup.house.restored import WHY
from headsup.house.store.database import Database
from headsup.house.store.notes import IncidentKind
from headsup.web.asking import Desk
from headsup.web.operations import Metrics
from tests.cli.run import headsup
from tests.postgres import running_server
from tests.tables import opening, stakes
from tests.web.live import QUICK, Live, live
from tests.web.office import PASSWORD, TABLE, Office, office
from tests.web.test_due import Dealer, seated
from tests.web.test_protocol_http import asked_by

SEALED = replace(opening("galaxy"), shuffle=Shuffle.SEALED)
STAND = f"/api/tables/{TABLE}/attendance"
BEFORE_BETS, WITH_BETS = 0, 1
CHIPS = 50_000


async def backed_up(folder: Path, bets: int) -> Path:
    """Of a house in the middle of a round, or before anyone has bet in it; it goes on."""
    async with office(folder, SEALED) as at, asked_by(at, "Dee") as http:
        dealer, backup = Dealer(http), folder / "backup.db"
        await seated(at, 1)
        assert await dealer.press() == "open_round"
        if bets:
            await at.does("P1", PlaceBets(1, stakes()))
        address = f"sqlite:///{folder / 'house.db'}"
        copied = await asyncio.to_thread(headsup, "backup", backup, "--database", address)
        assert copied.code == 0, copied.err
        await dealer.press()
    return backup


@asynccontextmanager
async def going_on(folder: Path, address: str) -> AsyncIterator[tuple[Office, Live]]:
    """The whole house on the restored database, with its automatic dealers."""
    async with live(folder, demo=False, address=address) as there:
        people = {person.name: person for person in there.accounts.people()}
        desk = Desk(there.house, there.accounts, Metrics())
        dealers = Dealers(there.house, QUICK)
        dealers.start()
        try:
            yield Office(there.house, there.accounts, desk, people), there
        finally:
            await dealers.stop()


def table_of(at: Office) -> Table:
    return at.host.journal.floor.tables[TABLE]


async def stands(http: httpx.AsyncClient, **how: object) -> None:
    answer = await http.post(STAND, json={"paused": "", "by_hand": False, **how})
    assert answer.status_code == 200, answer.text


async def test_a_round_that_was_open_is_ended_by_staff_before_anything_is_dealt(
    tmp_path: Path,
) -> None:
    for bets in (BEFORE_BETS, WITH_BETS):
        folder = tmp_path / str(bets)
        folder.mkdir()
        backup = await backed_up(folder, bets)
        address = f"sqlite:///{folder / 'again.db'}"
        restored = await asyncio.to_thread(headsup, "restore", backup, "--database", address)
        assert "will be paused" in restored.out, restored.err
        async with going_on(folder, address) as (at, there), asked_by(at, "Dee") as http:
            assert there.house.attendances.of(TABLE) == Attendance(WHY, by_hand=True)
            sealed, entries = table_of(at).sealed, at.host.journal.head.count
            assert sealed is not None
            dealer = Dealer(http)
            dealer.pressed = 100  # the ids of the old house are used
            refused = await http.post(
                f"/api/tables/{TABLE}/due",
                json={"id": "not-while-paused", "key": (await dealer.due())["key"]},
            )
            assert refused.status_code == 409
            assert WHY in refused.json()["error"]["message"]
            await stands(http, by_hand=True)
            if bets:
                assert [await dealer.press() for _ in range(2)] == ["close_bets", "deal"]
                foul = ReportIrregularity(Cause.FOUL_DECK, "", "")
                await at.does("Dee", foul, ("Sue", PASSWORD))
            while table_of(at).playing:
                await dealer.press()
            assert at.host.journal.floor.chips(TABLE, 1) == CHIPS, "the stakes went back"
            dealt = at.house.database.texts(TABLE, entries)
            acts = {json.loads(text)["by"] for _, text in dealt}
            assert acts
            assert not any("house" in by for by in acts), acts
            await stands(http)
            await sealed_anew(at, sealed.commitment)


async def sealed_anew(at: Office, before: str) -> None:
    """The automatic dealer opens what was sealed, and seals with what nobody has seen."""
    async with asyncio.timeout(60):
        while (sealed := table_of(at).sealed) is None or sealed.commitment == before:
            await asyncio.sleep(0.01)
    opened = table_of(at).opened
    assert opened is not None
    assert opened.commitment == before


async def test_it_is_told_once_and_what_goes_on_again_is_not_paused_by_a_later_start(
    tmp_path: Path,
) -> None:
    backup = await backed_up(tmp_path, BEFORE_BETS)
    address = f"sqlite:///{tmp_path / 'again.db'}"
    await asyncio.to_thread(headsup, "restore", backup, "--database", address)
    async with going_on(tmp_path, address) as (at, there), asked_by(at, "Dee") as http:
        await stands(http, by_hand=True)
    async with going_on(tmp_path, address) as (at, there):
        assert there.house.attendances.of(TABLE).paused == ""
    database = Database(address)
    with database.reading() as connection:
        rows = connection.exec_driver_sql(
            "SELECT what FROM incidents WHERE kind = ?", (IncidentKind.DATA_LOSS.value,)
        ).all()
    database.close()
    assert [json.loads(row.what)["why"] for row in rows] == ["restored from a backup"]


async def test_a_house_on_a_database_server_is_marked_by_the_same_command(tmp_path: Path) -> None:
    """What pg_restore has put there."""
    with running_server() as server:
        address = server.new_database()
        async with live(tmp_path, demo=False, address=address) as there:
            asked = Asked("opening", TABLE, Staff("house"), SEALED)
            await there.house.open_table(TABLE, asked)
            seal = await there.house.sealer_of(TABLE).fresh(there.house.tables()[0])
            sealing = Asked("sealing", TABLE, Staff("house"), SealShuffle(seal.commitment))
            assert isinstance(await there.house.ask(sealing), CarriedOut)
        marked = await asyncio.to_thread(headsup, "restore", "--database", address)
        assert (marked.code, marked.err) == (0, "")
        for _ in range(2):  # what nobody has ended waits also at the next start
            async with live(tmp_path, demo=False, address=address) as there:
                assert there.house.attendances.of(TABLE).paused == WHY


def test_nothing_to_restore_is_one_sentence() -> None:
    done = headsup("restore")
    assert done.code == 2
    assert "takes a backup, --database, or both" in done.err
