"""The house chain reveals every change of cash records and incidents.

It does so on every database, and with any number of servers that write.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from headsup.game.record.chain import Head, make_link
from headsup.game.refusal import Refused
from headsup.game.table.state import ReportingThresholds
from headsup.house.audit.house_chain import LINKS_PER_BATCH, audit_house_chain
from headsup.house.cash.books import reconcile
from headsup.house.cash.cashier import CashMove, move_cash
from headsup.house.integrity.backup import copy_database
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import AccountRefusal, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.house_chain import NoHouseHead, insert_linked, link_row
from headsup.house.store.schema import HOUSE_ENTRIES, HOUSE_HEAD, INCIDENTS, WALLET_MOVES
from headsup.house.store.settings import put_reporting_thresholds
from tests.cli.run import headsup
from tests.databases import postgres_database, sqlite_database
from tests.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.house.tampering import Changing, without_triggers
from tests.postgres import PostgresServer
from tests.scripted import scripted_commands


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Shared by several tests; each restores what it changes."""
    if request.param == "sqlite":
        database = sqlite_database(tmp_path_factory.mktemp("house") / "house.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        database = postgres_database(server)
    fill_house(database)
    without_triggers(database)
    yield database
    database.close()


def fill_house(database: Database) -> None:
    """Links 1 to 7: deposits and payouts, a failed log-in, new thresholds."""
    accounts = Accounts(database, lambda _: 1_000.0)
    ann = accounts.create("Ann", Role.PLAYER, None, NOON)
    assert isinstance(ann, Person)
    assert accounts.deposit(ann, 700, "opening", NOON)
    assert move_cash(database, CashMove("cash-0001", "Ann", 2_000_000, "a bag", "Sue", True), NOON)
    assert move_cash(database, CashMove("cash-0002", "Ann", -500, "", "Sue"), NOON)
    for _ in range(2):  # two servers: each records one a minute
        accounts = Accounts(database, lambda _: 1_000.0)
        assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
    put_reporting_thresholds(database.engine, ReportingThresholds(wager=100), "Ann", NOON)


def differences(database: Database, *anchors: Head) -> tuple[str, ...]:
    return audit_house_chain(database, anchors).differences


def test_the_chain_contains_every_act_of_the_house(house: Database) -> None:
    report = audit_house_chain(house, [house.house_head()])
    assert report.differences == ()
    assert report.head == house.house_head()
    assert report.head.count == 8
    assert (report.anchors, report.anchors_met) == (1, 1)


DEPOSIT = "number = (SELECT min(number) FROM wallet_moves WHERE reason LIKE 'deposit%')"
FAILED = "number = (SELECT min(number) FROM incidents WHERE kind = 'failed_log_in')"

TAMPERED = {
    "a deposit was of more": (
        f"UPDATE wallet_moves SET cents = cents + 1 WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: cents is 2000001, should be 2000000",
    ),
    "a deposit was signed by another": (
        f"UPDATE wallet_moves SET \"by\" = 'Eve' WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: by is 'Eve', should be 'Sue'",
    ),
    "a deposit is gone": (
        f"DELETE FROM wallet_moves WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, is missing: its chain requires it",
    ),
    "a deposit that nobody paid in": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", part, at, "table", "by")
        VALUES ('Ann', 100, 'deposit', '', 0, 0, 'now', '', 'Eve')""",
        "deposit of Ann, 1.00, is not supported by its chain",
    ),
    "a deposit is said to be a floor's": (
        f"UPDATE wallet_moves SET floor = 'F' WHERE {DEPOSIT}",
        "deposit: a bag of Ann, 20000.00, was altered: floor is 'F', should be ''",
    ),
    "an event tells something else": (
        f"UPDATE incidents SET what = '{{}}' WHERE {FAILED}",
        "failed_log_in of 1970-01-01T00:16:40.000000Z, was altered: what is ",
    ),
    "an event is gone": (
        f"DELETE FROM incidents WHERE {FAILED}",
        "failed_log_in of 1970-01-01T00:16:40.000000Z, is missing: its chain requires it",
    ),
    "an event that never was": (
        """INSERT INTO incidents (at, kind, who, place, what, floor, "table", round, "index", part)
        VALUES ('now', 'override', 'Eve', '', '{}', '', '', 0, 0, 0)""",
        "override of now, is not supported by its chain",
    ),
    "an event is said to be a decision's": (
        f'UPDATE incidents SET "index" = 5 WHERE {FAILED}',
        "failed_log_in of 1970-01-01T00:16:40.000000Z, was altered: index is 5, should be 0",
    ),
    "a link says something else": (
        """UPDATE house_entries SET entry = replace(entry, 'Ann', 'Eve') WHERE "index" = 2""",
        "the house's chain is broken at link 2: it does not match its hash",
    ),
    "a link is none": (
        """UPDATE house_entries SET entry = 'é' WHERE "index" = 2""",
        "the house's chain is broken at link 2: it is unreadable",
    ),
    "a link is kept as another row's": (
        """UPDATE house_entries SET number = 99 WHERE "index" = 2""",
        "the house's chain is broken at link 2: it is stored under another record",
    ),
    "a link is gone": (
        """DELETE FROM house_entries WHERE "index" = 3""",
        "the house's chain is broken at link 3: link 4 is in its place",
    ),
    "the last link is gone": (
        """DELETE FROM house_entries WHERE "index" = 7""",
        "the house's chain has 7 links, its head says 8",
    ),
    "a link too many": (
        "INSERT INTO house_entries VALUES (8, 'other', '{}', 'incidents', 99)",
        "the house's chain is broken at link 8: it does not match its hash",
    ),
    "its end is another": (
        "UPDATE house_head SET length = 9",
        "the house's chain has 8 links, its head says 9",
    ),
    "its end is gone": ("DELETE FROM house_head", "the end of the house's chain is not stored"),
}


@pytest.mark.parametrize(("act", "message"), TAMPERED.values(), ids=TAMPERED)
def test_every_change_is_named(house: Database, act: str, message: str) -> None:
    with Changing(house, act):
        named = differences(house)
    assert any(message in difference for difference in named), named
    assert differences(house) == ()


def test_the_books_report_a_chain_with_the_wrong_end(house: Database) -> None:
    message = "the house's chain does not end where its head says"
    assert message not in reconcile(house, {}).differences
    with Changing(house, "UPDATE house_head SET length = 9"):
        assert message in reconcile(house, {}).differences
    with Changing(house, """DELETE FROM house_entries WHERE "index" = 7"""):
        assert message in reconcile(house, {}).differences


def test_anchors_reveal_a_rewritten_chain(house: Database) -> None:
    anchors = [house.house_head()]
    forged = f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"
    with Changing(house, forged):
        rewrite_chain(house)
        assert differences(house) == ()
        (difference,) = differences(house, *anchors)
    assert difference == "the house's chain is broken at link 7: it differs from its anchor"


def rewrite_chain(database: Database) -> None:
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


def test_anchors_reveal_a_truncated_chain(house: Database) -> None:
    anchors = [house.house_head()]
    with house.read_connection() as connection:
        query = select(HOUSE_ENTRIES.c.hash).where(HOUSE_ENTRIES.c.index == 6)
        hash = connection.execute(query).scalar_one()
    with Changing(
        house,
        """DELETE FROM house_entries WHERE "index" = 7""",
        f"UPDATE house_head SET length = 7, hash = '{hash}'",
        "DELETE FROM incidents WHERE kind = 'configuration'",
    ):
        assert differences(house) == ()
        report = audit_house_chain(house, anchors)
    assert (report.differences, report.ends_early, report.head.count) == ((), True, 7)
    assert not audit_house_chain(house, anchors).ends_early


# Writing the chain.


async def test_decisions_of_a_floor_are_only_in_its_own_log(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, scripted_commands()[:1])
        before = database.house_head()
        await all_done(host, scripted_commands()[1:])
        assert database.house_head() == before
    assert differences(database) == ()


async def test_play_does_not_wait_for_writers_of_the_houses_chain(postgres: PostgresServer) -> None:
    database = postgres_database(postgres)
    with_wallets(database)
    async with opened(database) as (_, host):
        with database.engine.begin() as connection:  # another server is writing the chain
            connection.execute(select(HOUSE_HEAD).with_for_update())
            await all_done(host, scripted_commands())
    database.close()


def test_uncommitted_acts_are_in_no_chain(database: Database) -> None:
    row = {"person": "Ann", "cents": 5, "reason": "deposit", "floor": "", "index": 0, "part": 0}
    whole = {**row, "at": NOON, "table": "", "by": ""}
    before = database.house_head()
    with database.engine.connect() as connection:
        insert_linked(connection, WALLET_MOVES, [whole])
        connection.rollback()
    accounts = Accounts(database, lambda _: 1_000.0)
    assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
    assert database.house_head().count == before.count + 1
    assert differences(database) == ()


def test_a_chain_without_its_head_takes_no_more_links(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM house_head"))
    with pytest.raises(NoHouseHead):
        Accounts(database, lambda _: 1_000.0).verify_password("Nobody", "a password")
    with database.read_connection() as connection:
        assert connection.execute(select(INCIDENTS)).all() == []


def test_concurrent_servers_write_a_single_chain(database: Database) -> None:
    others = [Database(database.engine.url.render_as_string(False)) for _ in range(3)]
    Accounts(database, lambda _: 1_000.0).create("Ann", Role.PLAYER, None, NOON)

    def write(number: int) -> None:
        server = others[number % 3]
        move_cash(server, CashMove(f"cash-{number:04}", "Ann", 2_000_000, "", "Sue", True), NOON)
        Accounts(server, lambda _: 1_000.0).verify_password("Nobody", "a password")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(30)))
    for server in others:
        server.close()
    report = audit_house_chain(database)
    assert report.differences == ()
    assert report.head.count == 1 + 30 * 3  # a deposit, its incident, and a failed log-in


def test_a_long_chain_is_compared_in_parts(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    names = ("at", "kind", "who", "place", "what", "floor", "table")
    row = {**dict.fromkeys(names, ""), "kind": "failed_log_in", "round": 0, "index": 0, "part": 0}
    with database.engine.begin() as connection:
        insert_linked(connection, INCIDENTS, [row] * (2 * LINKS_PER_BATCH + 10))
    assert differences(database) == ()
    without_triggers(database)
    with database.engine.begin() as connection:
        for number in (1, LINKS_PER_BATCH + 3, 2 * LINKS_PER_BATCH + 10):
            connection.execute(text(f"UPDATE incidents SET who = 'Eve' WHERE number = {number}"))
    assert len(differences(database)) == 3
    database.close()


# Copies.


def test_a_copy_needs_the_complete_chain_of_the_house(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    fill_house(database)
    copy_database(tmp_path / "house.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert audit_house_chain(copied).head == database.house_head()
    copied.close()
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE house_entries SET entry = '{}' WHERE number = 2"))
    database.close()
    with pytest.raises(Refused, match="does not match its hash"):
        copy_database(tmp_path / "house.db", tmp_path / "other.db")


async def test_the_command_compares_the_chain_with_its_anchors(tmp_path: Path) -> None:
    file, anchors = tmp_path / "house.db", tmp_path / "anchors.jsonl"
    database = sqlite_database(file)
    fill_house(database)
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, scripted_commands()[:1])
        await house.anchor()
    words = ("audit", "--database", f"sqlite:///{file}", "--anchors", anchors)
    done = headsup(*words)
    assert done.code == 0, done.out
    assert "Cash at the cage and house events agree with the chain." in done.out
    assert f"head {database.house_head().count}:{database.house_head().hash}" in done.out
    assert headsup("audit", anchors, "--anchors", anchors).code != 0
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"))
        connection.execute(text("UPDATE wallets SET cents = 201 WHERE person = 'Ann'"))
        connection.execute(text("UPDATE wallet_sums SET cents = 201 WHERE person = 'Ann'"))
    rewrite_chain(database)
    database.close()
    assert headsup(*words[:3]).code == 0  # everything matches
    result = headsup(*words, "--json")
    assert result.code == 1
    assert "it differs from its anchor" in result.json["house"]["differences"][0]
    exported = headsup("export", "--database", f"sqlite:///{file}", "--floor", FLOOR)
    (tmp_path / "log.jsonl").write_text(exported.out)
    assert headsup("audit", tmp_path / "log.jsonl", "--anchors", anchors).code == 0
