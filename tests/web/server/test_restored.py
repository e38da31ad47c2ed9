"""A house restored from a backup: staff end the rounds that were open, and from then on no card is
dealt that anybody could know."""

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from uuid import uuid4

import pytest

from headsup.game.round.commands import Check, PlaceBets, Raise, ReportIrregularity
from headsup.game.rulebook.model import Cause
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import SealShuffle
from headsup.game.table.seating import BuyIn, CashOut, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import DealingMode
from headsup.house import clock
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.incidents.sentences import describe_incident
from headsup.house.integrity.database_kind import ensure_database_kind
from headsup.house.integrity.restore_guard import PAUSE_REASON
from headsup.house.people.person import Person, Role
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.settings import read_restored_at
from tests.support.cli.run import headsup
from tests.support.databases import sqlite_database
from tests.support.postgres import PostgresServer
from tests.support.tables import stakes
from tests.support.web.dealer import Dealer, seated
from tests.support.web.live_server import live
from tests.support.web.office import PASSWORD, TABLE, Office, office
from tests.support.web.requests import asked_by
from tests.support.web.restored import SEALED, STAND, going_on, stands, table_of
from tests.support.web.serving import serving

HOUSE = Staff("house")
GIVEN_BACK = {"paused": "", "by_hand": False}
CHIPS = 50_000


class Then(Enum):
    """The state of the round at the time of the backup."""

    SEALED = auto()  # no round was open yet
    LEFT = auto()  # and nobody sits there any more
    OPEN = auto()
    BETS = auto()
    DEALT = auto()
    DECIDED = auto()


async def backed_up(folder: Path, then: Then, opening: OpenTable = SEALED) -> Path:
    """The backup of a house whose table was in this state; the house itself plays on."""
    async with office(folder, opening) as at, asked_by(at, "Dee") as http:
        dealer, backup = Dealer(http), folder / "backup.db"
        await seated(at, 1)
        if then in (Then.SEALED, Then.LEFT):
            seal = await at.house.sealer_of(TABLE).seal_next(table_of(at))
            asked = CommandRequest("sealing", TABLE, Staff("house"), SealShuffle(seal.commitment))
            assert isinstance(await at.house.submit(asked), Acceptance)
            if then is Then.LEFT:
                await at.does("P1", CashOut(1, CHIPS))
                await at.does("P1", Leave(1))
        else:
            assert await dealer.press() == "open_round"
        if then in (Then.BETS, Then.DEALT, Then.DECIDED):
            await at.does("P1", PlaceBets(1, stakes()))
        if then in (Then.DEALT, Then.DECIDED):
            assert [await dealer.press() for _ in range(2)] == ["close_bets", "deal"]
        if then is Then.DECIDED:
            await at.does("P1", Raise(1, 3))
            assert [await dealer.press() for _ in range(2)] == ["flop", "turn_and_river"]
        address = f"sqlite:///{folder / 'house.db'}"
        copied = await asyncio.to_thread(headsup, "backup", backup, "--database", address)
        assert copied.code == 0, copied.err
    return backup


async def restored(folder: Path, then: Then, opening: OpenTable = SEALED) -> str:
    """The address of a database made by `headsup restore`."""
    backup, address = await backed_up(folder, then, opening), f"sqlite:///{folder / 'again.db'}"
    done = await asyncio.to_thread(headsup, "restore", backup, "--database", address)
    assert "will be paused" in done.out, done.err
    return address


@pytest.mark.parametrize("then", [Then.BETS, Then.DEALT])
async def test_staff_end_a_round_with_chips_before_the_house_deals_again(
    tmp_path: Path, then: Then
) -> None:
    address = await restored(tmp_path, then)
    async with going_on(tmp_path, address) as (at, there), asked_by(at, "Dee") as http:
        assert there.house.dealing_modes.get(TABLE) == DealingMode(PAUSE_REASON, by_hand=True)
        sealed, entries = table_of(at).sealed, at.host.journal.head.count
        assert sealed is not None
        dealer = Dealer(http)
        dealer.pressed = 100  # the old house has used these ids
        key = {"id": "not-while-paused", "key": (await dealer.due())["key"]}
        for refused, code in (
            (await http.post(f"/api/tables/{TABLE}/due", json=key), ("paused", "nothing_due")),
            (await http.post(STAND, json=GIVEN_BACK), ("known_cards",)),
        ):
            assert (refused.status_code, refused.json()["error"]["code"] in code) == (409, True)
        plays = PlaceBets(1, stakes()) if then is Then.BETS else Check(1)
        assert await at.code("P1", plays) == "known_cards"
        await stands(http, by_hand=True)
        assert await at.code("P1", plays) == "known_cards", "nor is it played on then"
        assert (await http.post(STAND, json=GIVEN_BACK)).status_code == 409, "not before its end"
        if then is Then.BETS:
            assert await dealer.press() == "close_bets"
        await at.does("Dee", ReportIrregularity(Cause.FOUL_DECK, "", ""), ("Sue", PASSWORD))
        while table_of(at).is_playing:
            await dealer.press()
        assert at.host.journal.floor.chips(TABLE, 1) == CHIPS, "the stakes went back"
        done_by = {
            json.loads(text)["by"] for _, text in at.house.database.entry_texts(TABLE, entries)
        }
        assert "house" not in done_by
        await stands(http)
        await sealed_anew(at, sealed.commitment)


@pytest.mark.parametrize("then", [Then.SEALED, Then.LEFT, Then.OPEN])
async def test_a_sealed_shuffle_without_bets_is_used_up(tmp_path: Path, then: Then) -> None:
    address = await restored(tmp_path, then)
    async with live(tmp_path, demo=False, address=address) as there:
        (table,) = there.house.tables()
        assert there.house.dealing_modes.get(TABLE) == DealingMode()
        assert not table.is_playing
        assert table.sealed is not None
        assert table.sealed.round == table.rounds == 1, "it can only be opened"
    if then is not Then.LEFT:
        async with going_on(tmp_path, address) as (at, _):
            await sealed_anew(at, table.sealed.commitment)


async def test_a_round_without_open_decisions_goes_on(tmp_path: Path) -> None:
    address = await restored(tmp_path, Then.DECIDED)
    async with going_on(tmp_path, address) as (at, there):
        assert there.house.dealing_modes.get(TABLE) == DealingMode()
        sealed = table_of(at).sealed
        assert sealed is not None
        await sealed_anew(at, sealed.commitment)


async def test_cards_drawn_after_the_backup_are_drawn_again(tmp_path: Path) -> None:
    address = await restored(tmp_path, Then.BETS, replace(SEALED, shuffle=ShuffleSource.SYSTEM))
    async with live(tmp_path, demo=False, address=address) as there:
        assert there.house.dealing_modes.get(TABLE) == DealingMode()


async def sealed_anew(at: Office, before: str) -> None:
    """The automatic dealer opens the old seal, and seals a new shuffle that nobody has seen."""
    async with asyncio.timeout(60):
        while (sealed := table_of(at).sealed) is None or sealed.commitment == before:
            await asyncio.sleep(0.01)
    published = [fair for fair in (table_of(at).opened,) if fair is not None]
    assert [fair.commitment for fair in published] == [before]


async def test_a_restore_is_reported_once_and_pauses_tables_only_once(
    tmp_path: Path,
) -> None:
    address = await restored(tmp_path, Then.BETS)
    async with going_on(tmp_path, address) as (at, there), asked_by(at, "Dee") as http:
        await stands(http, by_hand=True)
    async with going_on(tmp_path, address) as (at, there):
        assert there.house.dealing_modes.get(TABLE) == DealingMode(by_hand=True)
    database = Database(address)
    with database.read_connection() as connection:
        rows = connection.exec_driver_sql(
            "SELECT what FROM incidents WHERE kind = ?", (IncidentKind.DATA_LOSS.value,)
        ).all()
    database.close()
    (told,) = (json.loads(row.what) for row in rows)
    assert told["why"] == "restored from a backup"
    assert told["paused"] == [TABLE]
    assert f"tables paused: {TABLE};" in describe_incident(IncidentKind.DATA_LOSS, told)


@pytest.mark.parametrize("then", [Then.SEALED, Then.BETS])
async def test_a_demonstration_that_is_restored_pauses_no_table(tmp_path: Path, then: Then) -> None:
    """There is no staff on duty and no real money at stake; the restore is still reported."""
    address = await restored(tmp_path, then)
    async with live(tmp_path, demo=True, address=address) as there:
        (table,) = there.house.tables()
        assert there.house.dealing_modes.get(TABLE) == DealingMode()
        assert there.house.known_rounds == {}
        assert table.is_playing is (then is Then.BETS)
        assert table.sealed is not None
        assert table.sealed.round == table.rounds
        with there.house.database.read_connection() as connection:
            assert read_restored_at(connection) is None
            told = connection.exec_driver_sql(
                "SELECT what FROM incidents WHERE kind = ?", (IncidentKind.DATA_LOSS.value,)
            ).all()
        assert [json.loads(row.what)["why"] for row in told] == ["restored from a backup"]


@pytest.mark.parametrize(
    ("demo", "said"),
    [
        (True, "This is a demonstration with play money: serve it with --demo."),
        (False, "This is a real house: serve it without --demo."),
    ],
)
def test_a_restore_is_recorded(tmp_path: Path, demo: bool, said: str) -> None:
    database, backup = sqlite_database(tmp_path / "kept.db"), tmp_path / "backup"
    ensure_database_kind(database, demo, "there", clock.now())
    database.close()
    again = f"sqlite:///{tmp_path / 'again.db'}"
    assert headsup("backup", backup, "--database", f"sqlite:///{tmp_path / 'kept.db'}").code == 0
    done = headsup("restore", backup, "--database", again)
    assert said in done.out.splitlines()
    assert ("will be paused" in done.out) is not demo
    assert said in headsup("restore", "--database", again).out.splitlines()


def by_house(command: Command, by: Actor = HOUSE) -> CommandRequest:
    return CommandRequest(uuid4().hex, TABLE, by, command)


async def test_the_same_command_marks_a_house_on_postgresql(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    """A database filled by pg_restore."""
    address = postgres.new_database()
    async with live(tmp_path, demo=False, address=address) as there:
        house = there.house
        assert isinstance(await house.open_table(TABLE, by_house(SEALED)), Acceptance)
        seal = await house.sealer_of(TABLE).seal_next(house.tables()[0])
        for command in (SealShuffle(seal.commitment), OpenRound()):
            assert isinstance(await house.submit(by_house(command)), Acceptance)
        sitting = PlayerAt(1), (Sit(1, "Ann"), BuyIn(1, CHIPS), PlaceBets(1, stakes()))
        person = there.accounts.create("Ann", Role.PLAYER, None, clock.now())
        assert isinstance(person, Person)
        there.accounts.deposit(person, CHIPS, "play_money", clock.now())
        for asked in sitting[1]:
            reply = await house.submit(by_house(asked, sitting[0]))
            assert isinstance(reply, Acceptance), reply
    marked = await asyncio.to_thread(headsup, "restore", "--database", address)
    assert (marked.code, marked.err) == (0, "")
    for _ in range(2):  # a round nobody has ended is still paused at the next start
        async with live(tmp_path, demo=False, address=address) as there:
            assert there.house.dealing_modes.get(TABLE).paused == PAUSE_REASON


async def test_serving_a_backup_file_directly_counts_as_restored(tmp_path: Path) -> None:
    backup = await backed_up(tmp_path, Then.BETS)
    async with live(tmp_path, demo=False, address=f"sqlite:///{backup}") as there:
        assert there.house.dealing_modes.get(TABLE).paused == PAUSE_REASON


@pytest.mark.parametrize("name", ["a?b.db", "50%.db", "f%20.db", "d#e.db", "größe 1.db"])
def test_a_backup_may_have_any_file_name(tmp_path: Path, name: str) -> None:
    database = sqlite_database(tmp_path / "house.db")
    database.close()
    file, again = tmp_path / name, f"sqlite:///{tmp_path / 'again.db'}"
    assert headsup("backup", file, "--database", f"sqlite:///{tmp_path / 'house.db'}").code == 0
    assert headsup("restore", file, "--database", again).code == 0


async def test_a_backup_of_a_newer_version_is_not_restored(tmp_path: Path) -> None:
    """Otherwise the newer version would deal from an unmarked copy."""
    backup, target = await backed_up(tmp_path, Then.BETS), tmp_path / "again.db"
    with closing(sqlite3.connect(backup)) as there:
        there.execute("UPDATE alembic_version SET version_num = '9999'")
        there.commit()
    done = headsup("restore", backup, "--database", f"sqlite:///{target}")
    assert (done.code, "9999" in done.err) == (2, True)
    assert not list(tmp_path.glob("*again.db*"))


def test_a_file_without_a_house_is_refused(tmp_path: Path) -> None:
    for name, table in (("empty.db", ""), ("other.db", "CREATE TABLE other (id INTEGER)")):
        with closing(sqlite3.connect(tmp_path / name)) as there:
            there.execute(table)
            there.commit()
        done = headsup("restore", "--database", f"sqlite:///{tmp_path / name}")
        assert (done.code, "there is no house in it" in done.err) == (2, True), done.err
        place = f"sqlite:///{tmp_path / 'again.db'}"
        done = headsup("restore", tmp_path / name, "--database", place)
        assert (done.code, f"{tmp_path / name}: there is no house" in done.err) == (2, True), (
            done.err
        )
        with closing(sqlite3.connect(tmp_path / name)) as there:
            tables = there.execute("SELECT sql FROM sqlite_master").fetchall()
        assert tables == ([(table,)] if table else []), "nothing was added"
    done = headsup("restore", tmp_path / "empty.db", "--database", "sqlite://")
    assert "names no file" in done.err


async def test_a_database_in_use_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path) as (_, _address):
        address = f"sqlite:///{tmp_path / 'house.db'}"
        done = await asyncio.to_thread(headsup, "restore", "--database", address)
    assert (done.code, "in use by another server" in done.err) == (2, True)


def test_a_file_that_is_no_backup_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database at all, but a long text" * 100)
    for what, said in (("text", "not a database"), (".", "it is a folder")):
        place = f"sqlite:///{tmp_path / 'again.db'}"
        done = headsup("restore", tmp_path / what, "--database", place)
        assert (done.code, said in done.err) == (2, True), done.err
        assert "again.db" not in done.err


def test_nothing_to_restore_is_one_sentence() -> None:
    done = headsup("restore")
    assert done.code == 2
    assert "takes a backup, --database, or both" in done.err
