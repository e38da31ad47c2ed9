"""Cash at the cage and events of no decision stand in a chain of the house's own: whoever changes
one of them is found out, on every database and however many servers write."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import insert, select, text

from headsup.game.record.chain import Head, make_link
from headsup.game.refusal import Refused
from headsup.house.audit.house_chain import LINKS_PER_BATCH, audit_house_chain
from headsup.house.cash.cashier import CashMove, move_cash
from headsup.house.cash.reconciliation import reconcile
from headsup.house.cash.thresholds import ReportingThresholds
from headsup.house.integrity.backup import copy_database
from headsup.house.people.accounts import AccountRefusal, Accounts, Person, Role
from headsup.house.store.database import MIGRATIONS, Database
from headsup.house.store.house_chain import NoHouseHead, insert_linked, link_row
from headsup.house.store.schema import HOUSE_ENTRIES, HOUSE_HEAD, INCIDENTS, WALLET_MOVES
from headsup.house.store.settings import put_reporting_thresholds
from tests.cli.run import headsup
from tests.databases import in_a_file, on_a_server
from tests.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.house.tampering import Changing, without_triggers
from tests.postgres import Server
from tests.scripted import evening


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Whoever changes something puts it back."""
    if request.param == "sqlite":
        database = in_a_file(tmp_path_factory.mktemp("house") / "house.db")
    else:
        server: Server = request.getfixturevalue("postgres")
        database = on_a_server(server)
    furnish(database)
    without_triggers(database)
    yield database
    database.close()


def furnish(database: Database) -> None:
    """Links 1 to 7: money comes and goes, somebody fails to come in, amounts are set."""
    accounts = Accounts(database, lambda: 1_000.0)
    ann = accounts.create("Ann", Role.PLAYER, None, NOON)
    assert isinstance(ann, Person)
    assert accounts.deposit(ann, 700, "opening", NOON)
    assert move_cash(database, CashMove("cash-0001", "Ann", 2_000_000, "a bag", "Sue"), NOON)
    assert move_cash(database, CashMove("cash-0002", "Ann", -500, "", "Sue"), NOON)
    for _ in range(2):
        assert accounts.prove("Nobody", "a password") is AccountRefusal.WRONG
    put_reporting_thresholds(database.engine, ReportingThresholds(wager=100), "Ann", NOON)


def differences(database: Database, *anchors: Head) -> tuple[str, ...]:
    return audit_house_chain(database, anchors).differences


def test_what_the_house_did_is_in_its_chain(house: Database) -> None:
    found = audit_house_chain(house, [house.house_head()])
    assert found.differences == ()
    assert found.head == house.house_head()
    assert found.head.count == 8
    assert (found.from_before, found.anchors, found.anchors_met) == (0, 1, 1)


DEPOSIT = "number = (SELECT min(number) FROM wallet_moves WHERE reason LIKE 'deposit%')"
FAILED = "number = (SELECT min(number) FROM incidents WHERE kind = 'failed_log_in')"

TAMPERED = {
    "a deposit was of more": (
        f"UPDATE wallet_moves SET cents = cents + 1 WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: cents is 2000001 and not 2000000",
    ),
    "a deposit was signed by another": (
        f"UPDATE wallet_moves SET \"by\" = 'Eve' WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: by is 'Eve' and not 'Sue'",
    ),
    "a deposit is gone": (
        f"DELETE FROM wallet_moves WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, is not there, and its chain gives it",
    ),
    "a deposit that nobody paid in": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", at, "table", "by")
        VALUES ('Ann', 100, 'deposit', '', 0, 'now', '', 'Eve')""",
        "deposit of Ann, 1.00, is there, and its chain does not give it",
    ),
    "a deposit is said to be a floor's": (
        f"UPDATE wallet_moves SET floor = 'F' WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: floor is 'F' and not ''",
    ),
    "an event tells something else": (
        f"UPDATE incidents SET what = '{{}}' WHERE {FAILED}",
        "failed_log_in of 1970-01-01T00:16:40.000000Z, was altered: what is ",
    ),
    "an event is gone": (
        f"DELETE FROM incidents WHERE {FAILED}",
        "failed_log_in of 1970-01-01T00:16:40.000000Z, is not there, and its chain gives it",
    ),
    "an event that never was": (
        """INSERT INTO incidents (at, kind, who, place, what, floor, "table", round, "index")
        VALUES ('now', 'override', 'Eve', '', '{}', '', '', 0, 0)""",
        "override of now, is there, and its chain does not give it",
    ),
    "an event is said to be a decision's": (
        f'UPDATE incidents SET "index" = 5 WHERE {FAILED}',
        "failed_log_in of 1970-01-01T00:16:40.000000Z, was altered: index is 5 and not 0",
    ),
    "a link says something else": (
        """UPDATE house_entries SET entry = replace(entry, 'Ann', 'Eve') WHERE "index" = 2""",
        "the house's chain does not hold at link 2: it does not fit its hash",
    ),
    "a link is none": (
        """UPDATE house_entries SET entry = 'é' WHERE "index" = 2""",
        "the house's chain does not hold at link 2: it cannot be read",
    ),
    "a link is kept as another row's": (
        """UPDATE house_entries SET number = 99 WHERE "index" = 2""",
        "the house's chain does not hold at link 2: it is kept as one of another record",
    ),
    "a link is gone": (
        """DELETE FROM house_entries WHERE "index" = 3""",
        "the house's chain does not hold at link 3: link 4 stands there",
    ),
    "the last link is gone": (
        """DELETE FROM house_entries WHERE "index" = 7""",
        "the house's chain has 7 links, and is said to have 8",
    ),
    "a link too many": (
        "INSERT INTO house_entries VALUES (8, 'other', '{}', 'incidents', 99)",
        "the house's chain does not hold at link 8: it does not fit its hash",
    ),
    "its end is another": (
        "UPDATE house_head SET length = 9",
        "the house's chain has 8 links, and is said to have 9",
    ),
    "its end is gone": ("DELETE FROM house_head", "where the house's chain ends is not kept"),
}


@pytest.mark.parametrize(("act", "said"), TAMPERED.values(), ids=TAMPERED)
def test_whatever_is_changed_is_named(house: Database, act: str, said: str) -> None:
    with Changing(house, act):
        found = differences(house)
    assert any(said in one for one in found), found
    assert differences(house) == ()


def test_the_books_see_where_the_chain_does_not_end_as_it_should(house: Database) -> None:
    said = "the house's chain does not end where it is said to end"
    assert said not in reconcile(house, {}).differences
    with Changing(house, "UPDATE house_head SET length = 9"):
        assert said in reconcile(house, {}).differences
    with Changing(house, """DELETE FROM house_entries WHERE "index" = 7"""):
        assert said in reconcile(house, {}).differences


def test_a_chain_that_was_written_anew_is_found_out_by_its_anchors(house: Database) -> None:
    anchors = [house.house_head()]
    forged = f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"
    with Changing(house, forged):
        written_anew(house)
        assert differences(house) == ()
        (found,) = differences(house, *anchors)
    assert found == "the house's chain does not hold at link 7: it was anchored otherwise"


def written_anew(database: Database) -> None:
    with database.engine.begin() as connection:
        links = connection.execute(select(HOUSE_ENTRIES).order_by(HOUSE_ENTRIES.c.index)).all()
        connection.execute(text("DELETE FROM house_entries"))
        head = Head()
        for row in links:
            entry = make_link(head, {})._replace(text=row.entry).entry
            if row.record:
                table = WALLET_MOVES if row.record == "wallet_moves" else INCIDENTS
                held = select(table).where(table.c.number == row.number)
                entry["row"] = dict(connection.execute(held).one()._mapping)
            link = make_link(head, entry)
            connection.execute(insert(HOUSE_ENTRIES), link_row(link, row.record, row.number))
            head = link.head
        connection.execute(text("UPDATE house_head SET hash = :hash"), {"hash": head.hash})


def test_a_chain_that_was_cut_off_is_found_out_by_its_anchors(house: Database) -> None:
    anchors = [house.house_head()]
    with house.reading() as connection:
        query = select(HOUSE_ENTRIES.c.hash).where(HOUSE_ENTRIES.c.index == 6)
        hash = connection.execute(query).scalar_one()
    with Changing(
        house,
        """DELETE FROM house_entries WHERE "index" = 7""",
        f"UPDATE house_head SET length = 7, hash = '{hash}'",
        "DELETE FROM incidents WHERE kind = 'configuration'",
    ):
        assert differences(house) == ()
        found = audit_house_chain(house, anchors)
    assert (found.differences, found.ends_early, found.head.count) == ((), True, 7)
    assert not audit_house_chain(house, anchors).ends_early


# Writing.


async def test_what_a_floor_decides_is_in_its_own_log_alone(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, evening()[:1])
        before = database.house_head()
        await all_done(host, evening()[1:])
        assert database.house_head() == before
    assert differences(database) == ()


async def test_play_waits_for_nobody_who_writes_the_houses_chain(postgres: Server) -> None:
    database = on_a_server(postgres)
    with_wallets(database)
    async with opened(database) as (_, host):
        with database.engine.begin() as connection:  # somebody is in the middle of writing it
            connection.execute(select(HOUSE_HEAD).with_for_update())
            await all_done(host, evening())
    database.close()


def test_what_is_not_committed_is_in_no_chain(database: Database) -> None:
    row = {"person": "Ann", "cents": 5, "reason": "deposit", "floor": "", "index": 0}
    whole = {**row, "at": NOON, "table": "", "by": ""}
    before = database.house_head()
    with database.engine.connect() as connection:
        insert_linked(connection, WALLET_MOVES, [whole])
        connection.rollback()
    accounts = Accounts(database, lambda: 1_000.0)
    assert accounts.prove("Nobody", "a password") is AccountRefusal.WRONG
    assert database.house_head().count == before.count + 1
    assert differences(database) == ()


def test_a_chain_without_its_end_takes_no_more(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM house_head"))
    with pytest.raises(NoHouseHead):
        Accounts(database, lambda: 1_000.0).prove("Nobody", "a password")
    with database.reading() as connection:
        assert connection.execute(select(INCIDENTS)).all() == []


def test_servers_that_write_at_once_write_one_chain(database: Database) -> None:
    others = [Database(database.engine.url.render_as_string(False)) for _ in range(3)]
    Accounts(database, lambda: 1_000.0).create("Ann", Role.PLAYER, None, NOON)

    def write(number: int) -> None:
        server = others[number % 3]
        move_cash(server, CashMove(f"cash-{number:04}", "Ann", 2_000_000, "", "Sue"), NOON)
        Accounts(server, lambda: 1_000.0).prove("Nobody", "a password")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(30)))
    for server in others:
        server.close()
    found = audit_house_chain(database)
    assert found.differences == ()
    assert found.head.count == 1 + 30 * 3  # a deposit that is large, and who did not come in


def test_a_chain_of_many_links_is_compared_part_by_part(tmp_path: Path) -> None:
    database = in_a_file(tmp_path / "house.db")
    names = ("at", "kind", "who", "place", "what", "floor", "table")
    row = {**dict.fromkeys(names, ""), "kind": "failed_log_in", "round": 0, "index": 0}
    with database.engine.begin() as connection:
        insert_linked(connection, INCIDENTS, [row] * (2 * LINKS_PER_BATCH + 10))
    assert differences(database) == ()
    without_triggers(database)
    with database.engine.begin() as connection:
        for number in (1, LINKS_PER_BATCH + 3, 2 * LINKS_PER_BATCH + 10):
            connection.execute(text(f"UPDATE incidents SET who = 'Eve' WHERE number = {number}"))
    assert len(differences(database)) == 3
    database.close()


# Databases from before, and copies.


def test_records_from_before_the_chain_are_its_first_links(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    for database in (
        Database(f"sqlite:///{tmp_path / 'older.db'}"),
        Database(request.getfixturevalue("postgres").new_database()),
    ):
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with database.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "0013")
        with_wallets(database, linked=False)
        names = ("at", "kind", "who", "place", "what", "floor", "table")
        row = {**dict.fromkeys(names, "x"), "round": 0}
        with database.engine.begin() as connection:
            connection.execute(insert(INCIDENTS), [{**row, "index": index} for index in (0, 7)])
        database.migrate()
        found = audit_house_chain(database)
        assert (found.differences, found.from_before, found.head.count) == ((), 7, 8)
        furnish(database)
        assert audit_house_chain(database).head.count == 15
        assert differences(database, found.head) == ()
        without_triggers(database)
        with Changing(database, "UPDATE wallet_moves SET cents = 1 WHERE number = 2"):
            (said,) = differences(database)
        assert "deposit of P2, 2000.00, was altered" in said
        database.close()


def test_a_copy_has_the_houses_chain_whole_or_is_none(tmp_path: Path) -> None:
    database = in_a_file(tmp_path / "house.db")
    furnish(database)
    copy_database(tmp_path / "house.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert audit_house_chain(copied).head == database.house_head()
    copied.close()
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE house_entries SET entry = '{}' WHERE number = 2"))
    database.close()
    with pytest.raises(Refused, match="does not fit its hash"):
        copy_database(tmp_path / "house.db", tmp_path / "other.db")


async def test_the_command_holds_the_chain_against_its_anchors(tmp_path: Path) -> None:
    file, anchors = tmp_path / "house.db", tmp_path / "anchors.jsonl"
    database = in_a_file(file)
    furnish(database)
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, evening()[:1])
        await house.anchor()
    words = ("audit", "--database", f"sqlite:///{file}", "--anchors", anchors)
    done = headsup(*words)
    assert done.code == 0, done.out
    assert "Cash at the cage and events of no decision are what the chain says." in done.out
    assert f"head {database.house_head().count}:{database.house_head().hash}" in done.out
    assert headsup("audit", anchors, "--anchors", anchors).code != 0
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"))
        connection.execute(text("UPDATE wallets SET cents = 201 WHERE person = 'Ann'"))
        connection.execute(text("UPDATE wallet_sums SET cents = 201 WHERE person = 'Ann'"))
    written_anew(database)
    database.close()
    assert headsup(*words[:3]).code == 0  # all of it agrees
    told = headsup(*words, "--json")
    assert told.code == 1
    assert "it was anchored otherwise" in told.json["house"]["differences"][0]
    exported = headsup("export", "--database", f"sqlite:///{file}", "--floor", FLOOR)
    (tmp_path / "log.jsonl").write_text(exported.out)
    assert headsup("audit", tmp_path / "log.jsonl", "--anchors", anchors).code == 0
