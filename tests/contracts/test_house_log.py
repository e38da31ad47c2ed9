"""The house's log reveals every change of cash, accounts and significant events.

It does so on every database, and with any number of servers that write.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from headsup.game.record.chain import Head, make_link_from_text
from headsup.game.refusal import Refused
from headsup.game.table.state import ReportingThresholds
from headsup.house.audit.house_log import audit_house_log
from headsup.house.cash.books import reconcile
from headsup.house.cash.cashier import CashMove, move_cash
from headsup.house.integrity.anchors import HOUSE_LOG
from headsup.house.integrity.backup import copy_database
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import AccountRefusal, LogIn, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.house_log import (
    CashMoved,
    NoHouseLog,
    house_transaction,
    record_cash,
)
from headsup.house.store.schema import ENTRIES, FLOORS, INCIDENTS, PEOPLE, SESSIONS
from headsup.house.store.settings import put_reporting_thresholds
from tests.support.cli.run import headsup
from tests.support.databases import DATABASES, postgres_database, set_identity, sqlite_database
from tests.support.house.houses import FLOOR, NOON, all_done, opened, with_wallets
from tests.support.house.tampering import Changing, put_back_triggers, without_triggers
from tests.support.postgres import PostgresServer
from tests.support.scripted import scripted_commands


@pytest.fixture(scope="module", params=DATABASES)
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
    """Entries 1 to 8: two accounts, deposits and payouts, failed log-ins, new thresholds."""
    accounts = Accounts(database, lambda _: 1_000.0)
    ann = accounts.create("Ann", Role.PLAYER, None, NOON)
    assert isinstance(ann, Person)
    assert isinstance(accounts.create("Sue", Role.SUPERVISOR, None, NOON), Person)
    assert accounts.deposit(ann, 700, "opening", NOON)
    assert move_cash(
        database,
        CashMove("cash-0001", "Ann", 2_000_000, "a bag", "Sue / Tom", two_signed=True),
        NOON,
    )
    assert move_cash(database, CashMove("cash-0002", "Ann", -500, "", "Sue"), NOON)
    assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
    put_reporting_thresholds(database.engine, ReportingThresholds(wager=100), "Ann", NOON)


def differences(database: Database, *anchors: Head) -> tuple[str, ...]:
    return audit_house_log(database, anchors).differences


def test_the_log_contains_every_act_of_the_house(house: Database) -> None:
    report = audit_house_log(house, [house.house_head()])
    assert report.differences == ()
    assert report.head == house.house_head()
    entries = [json.loads(text) for _, text in house.entry_texts(HOUSE_LOG)]
    assert entries[0]["house"] == house.identity()
    events = [event["event"] for entry in entries[1:] for event in entry["events"]]
    cash = "CashMoved", "CashMoved", "Observed", "CashMoved"  # one deposit is large
    assert events == ["AccountSet", "AccountSet", *cash, "Observed", "Observed"]
    assert (report.anchors, report.anchors_met) == (1, 1)


DEPOSIT = "number = (SELECT min(number) FROM wallet_moves WHERE reason LIKE 'deposit%')"
FAILED = "number = (SELECT min(number) FROM incidents WHERE kind = 'failed_log_in')"

# What is done, and the table and key of the row, or the entry, that the audit must name.
TAMPERED = {
    "a deposit was of more": (
        f"UPDATE wallet_moves SET cents = cents + 1 WHERE {DEPOSIT}",
        "the house, wallet_moves, entry 4 part 0 was altered: cents is 2000001",
    ),
    "a deposit was signed by another": (
        f"UPDATE wallet_moves SET \"by\" = 'Eve' WHERE {DEPOSIT}",
        "the house, wallet_moves, entry 4 part 0 was altered: by is 'Eve', should be 'Sue / Tom'",
    ),
    "a deposit is gone": (
        f"DELETE FROM wallet_moves WHERE {DEPOSIT}",
        "the house, wallet_moves, entry 4 part 0 is missing: its log requires it",
    ),
    "a deposit that nobody paid in": (
        """INSERT INTO wallet_moves (person, cents, reason, floor, "index", part, at, "table", "by")
        VALUES ('Ann', 100, 'deposit', '', 99, 0, 'now', '', 'Eve')""",
        "the house, wallet_moves, entry 99 part 0 is not supported by its log",
    ),
    "a deposit is said to be a floor's": (
        f"UPDATE wallet_moves SET floor = 'F' WHERE {DEPOSIT}",
        "the house, wallet_moves, entry 4 part 0 is missing",
    ),
    "a deposit may be sent again": (
        "DELETE FROM answers WHERE command = 'cash-0001'",
        "the house, answers, cash-0001 is missing: its log requires it",
    ),
    "a deposit to come is answered already": (
        "INSERT INTO answers VALUES ('', 'cash-0003', 4)",
        "the house, answers, cash-0003 is not supported by its log",
    ),
    "an event tells something else": (
        f"UPDATE incidents SET what = '{{}}' WHERE {FAILED}",
        "the house, incidents, entry 7 part 0 was altered: what is ",
    ),
    "an event is gone": (
        f"DELETE FROM incidents WHERE {FAILED}",
        "the house, incidents, entry 7 part 0 is missing",
    ),
    "an event that never was": (
        """INSERT INTO incidents
        (at, kind, who, place, what, log, floor, "table", round, "index", part)
        VALUES ('now', 'override', 'Eve', '', '{}', '', '', '', 0, 99, 0)""",
        "the house, incidents, entry 99 part 0 is not supported",
    ),
    "an event is said to be a floor's": (
        f"UPDATE incidents SET log = 'F' WHERE {FAILED}",
        "the house, incidents, entry 7 part 0 is missing",
    ),
    "a player is made an administrator": (
        "UPDATE people SET role = 'administrator' WHERE name = 'Ann'",
        "the house, people, name Ann was altered: role is 'administrator', should be 'player'",
    ),
    "an account is locked": (
        "UPDATE people SET locked = NOT locked WHERE name = 'Sue'",
        "the house, people, name Sue was altered: locked is ",
    ),
    "an account that nobody made": (
        """INSERT INTO people (id, name, role, password, failures, locked, created_at)
        VALUES ('1', 'Eve', 'administrator', '', 0, false, 'now')""",
        "the house, people, name Eve is not supported by its log",
    ),
    "an account is gone": (
        "DELETE FROM people WHERE name = 'Sue'",
        "the house, people, name Sue is missing",
    ),
    "an entry says something else": (
        """UPDATE entries SET entry = replace(entry, 'Ann', 'Eve') WHERE "index" = 3""",
        "the house's log is broken at entry 3: it does not match its hash",
    ),
    "an entry is none": (
        """UPDATE entries SET entry = 'é' WHERE "index" = 2""",
        "the house's log is broken at entry 2: it is unreadable",
    ),
    "an entry is gone": (
        """DELETE FROM entries WHERE "index" = 3""",
        "the house's log is broken at entry 4: entry 3 is missing",
    ),
    "the last entry is gone": (
        """DELETE FROM entries WHERE "index" = 8""",
        "the house's log has 8 entries, its head says 9",
    ),
    "an entry too many": (
        "INSERT INTO entries VALUES ('', 9, 'other', '{}')",
        "the house's log is broken at entry 9: it does not match its hash",
    ),
    "its end is another": (
        "UPDATE floors SET length = 10 WHERE id = ''",
        "the house's log has 9 entries, its head says 10",
    ),
    "its end is gone": (
        "DELETE FROM floors WHERE id = ''",
        "the end of the house's log is not stored",
    ),
}


@pytest.mark.parametrize(("act", "message"), TAMPERED.values(), ids=TAMPERED)
def test_every_change_is_named(house: Database, act: str, message: str) -> None:
    with Changing(house, act):
        (named,) = differences(house)
    assert named.startswith(message), named
    assert differences(house) == ()


def test_the_books_report_a_log_with_the_wrong_end(house: Database) -> None:
    message = "the house's log does not end where its head says"
    assert message not in reconcile(house, {}).differences
    with Changing(house, "UPDATE floors SET length = 10 WHERE id = ''"):
        assert message in reconcile(house, {}).differences
    with Changing(house, """DELETE FROM entries WHERE "index" = 8"""):
        assert message in reconcile(house, {}).differences


def test_anchors_reveal_a_rewritten_log(house: Database) -> None:
    anchors = [house.house_head()]
    with Changing(house, f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"):
        rewrite_log(house, "2000000", "1")
        assert differences(house) == ()
        (difference,) = differences(house, *anchors)
    assert difference == "the house's log is broken at entry 8: it differs from its anchor"


def rewrite_log(database: Database, old: str, new: str) -> None:
    """Replace a text everywhere, and make a valid chain of the result."""
    texts, head = [text for _, text in database.entry_texts(HOUSE_LOG)], Head()
    with database.engine.begin() as connection:
        for text_before in texts:
            link = make_link_from_text(head, text_before.replace(old, new))
            change = update(ENTRIES).where(
                ENTRIES.c.floor == HOUSE_LOG, ENTRIES.c.index == link.index
            )
            connection.execute(change.values(hash=link.hash, entry=link.text))
            head = link.head
        connection.execute(update(FLOORS).where(FLOORS.c.id == HOUSE_LOG).values(hash=head.hash))


def test_anchors_reveal_a_truncated_log(house: Database) -> None:
    anchors = [house.house_head()]
    hash = [hash for hash, _ in house.entry_texts(HOUSE_LOG)][-2]
    with Changing(
        house,
        """DELETE FROM entries WHERE "index" = 8""",
        f"UPDATE floors SET length = 8, hash = '{hash}' WHERE id = ''",
        "DELETE FROM incidents WHERE kind = 'configuration'",
    ):
        report = audit_house_log(house, anchors)
    assert (report.differences, report.ends_early, report.head.count) == ((), True, 8)
    assert not audit_house_log(house, anchors).ends_early


def test_the_log_of_another_house_is_not_taken_for_this_one(database: Database) -> None:
    fill_house(database)
    set_identity(database, "0123456789abcdef")
    (difference,) = differences(database)
    assert "broken at entry 0: it is not the header of this house's log" in difference


def test_no_password_hash_or_token_stands_in_the_log(database: Database) -> None:
    accounts, password = Accounts(database, lambda _: 1_000.0), "correct horse battery"
    sue = accounts.create("Sue", Role.SUPERVISOR, password, NOON, "Ada")
    assert isinstance(sue, Person)
    session = accounts.log_in("Sue", password)
    assert isinstance(session, LogIn)
    assert accounts.change_password(sue, password, "another long one") is None
    invitation = accounts.invite(sue, "Ada")
    accepted = accounts.accept_invitation(invitation, "a third long one")
    assert isinstance(accepted, LogIn)
    for _ in range(4):
        accounts.log_in("Sue", "a wrong password")
    accounts.unlock(sue.id, "Ada")
    accounts.deactivate(sue.id, "Ada")
    with database.read_connection() as connection:
        hashes = connection.execute(select(PEOPLE.c.password)).scalars().all()
        tokens = connection.execute(select(SESSIONS.c.token)).scalars().all()
    log = "".join(text for _, text in database.entry_texts(HOUSE_LOG))
    assert "AccountSet" in log
    secrets = (password, "another long one", "a third long one", "a wrong password")
    for secret in (*secrets, session.token, invitation, accepted.token, *hashes, *tokens):
        assert secret
        assert secret not in log
    assert "argon2" not in log
    assert differences(database) == ()


# Writing the log.


async def test_decisions_of_a_floor_are_only_in_its_own_log(database: Database) -> None:
    with_wallets(database)
    async with opened(database) as (_, host):
        await all_done(host, scripted_commands()[:1])
        before = database.house_head()
        await all_done(host, scripted_commands()[1:])
        assert database.house_head() == before
    assert differences(database) == ()


async def test_play_does_not_wait_for_writers_of_the_houses_log(postgres: PostgresServer) -> None:
    database = postgres_database(postgres)
    with_wallets(database)
    async with opened(database) as (_, host):
        with database.engine.begin() as connection:  # another server is writing to the log
            house_row = select(FLOORS).where(FLOORS.c.id == HOUSE_LOG)
            connection.execute(house_row.with_for_update())
            await all_done(host, scripted_commands())
    database.close()


def test_uncommitted_acts_are_in_no_log(database: Database) -> None:
    with_wallets(database)
    before = database.house_head()

    def fail() -> None:
        with house_transaction(database.engine) as connection:
            record_cash(connection, NOON, "Sue", CashMoved("P1", 5, "deposit", 5))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert database.house_head() == before
    accounts = Accounts(database, lambda _: 1_000.0)
    assert accounts.verify_password("Nobody", "a password") is AccountRefusal.WRONG
    assert database.house_head().count == before.count + 1
    assert differences(database) == ()


def test_a_log_without_its_head_takes_no_more_entries(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("DELETE FROM floors WHERE id = ''"))
    with pytest.raises(NoHouseLog):
        Accounts(database, lambda _: 1_000.0).verify_password("Nobody", "a password")
    with database.read_connection() as connection:
        assert connection.execute(select(INCIDENTS)).all() == []


def test_concurrent_servers_write_a_single_log(database: Database) -> None:
    others = [Database(database.engine.url.render_as_string(False)) for _ in range(3)]
    Accounts(database, lambda _: 1_000.0).create("Ann", Role.PLAYER, None, NOON)

    def write(number: int) -> None:
        server = others[number % 3]
        move = CashMove(f"cash-{number:04}", "Ann", 2_000_000, "", "Sue / Tom", two_signed=True)
        move_cash(server, move, NOON)
        Accounts(server, lambda _: 1_000.0).verify_password("Nobody", "a password")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(write, range(30)))
    for server in others:
        server.close()
    report = audit_house_log(database)
    assert report.differences == ()
    assert report.head.count == 2 + 30 * 3  # a deposit, its incident, and a failed log-in


# Copies.


def test_a_copy_needs_the_complete_log_of_the_house(tmp_path: Path) -> None:
    database = sqlite_database(tmp_path / "house.db")
    fill_house(database)
    copy_database(tmp_path / "house.db", tmp_path / "copy.db")
    copied = Database(f"sqlite:///{tmp_path / 'copy.db'}")
    assert audit_house_log(copied).head == database.house_head()
    copied.close()
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text("""UPDATE entries SET entry = '{}' WHERE "index" = 2"""))
    database.close()
    with pytest.raises(Refused, match="does not match its hash"):
        copy_database(tmp_path / "house.db", tmp_path / "other.db")


async def test_the_command_compares_the_log_with_its_anchors(tmp_path: Path) -> None:
    file, anchors = tmp_path / "house.db", tmp_path / "anchors.jsonl"
    database = sqlite_database(file)
    fill_house(database)
    async with opened(database, anchors=anchors) as (house, host):
        await all_done(host, scripted_commands()[:1])
        await house.anchor()
    words = ("audit", "--database", f"sqlite:///{file}", "--anchors", anchors)
    done = headsup(*words)
    assert done.code == 0, done.out
    assert "Cash at the cage, accounts and house events agree with the house's log." in done.out
    assert f"head {database.house_head().count}:{database.house_head().hash}" in done.out
    assert headsup("audit", anchors, "--anchors", anchors).code != 0
    without_triggers(database)
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE wallet_moves SET cents = 1 WHERE {DEPOSIT}"))
        connection.execute(text("UPDATE wallets SET cents = 201 WHERE person = 'Ann'"))
        connection.execute(text("UPDATE wallet_sums SET cents = 201 WHERE person = 'Ann'"))
    rewrite_log(database, "2000000", "1")
    with database.engine.begin() as connection:
        put_back_triggers(connection)
    database.close()
    assert headsup(*words[:3]).code == 0  # everything matches
    result = headsup(*words, "--json")
    assert result.code == 1
    assert "it differs from its anchor" in result.json["house"]["differences"][0]
    exported = headsup("export", "--database", f"sqlite:///{file}", "--floor", FLOOR)
    (tmp_path / "log.jsonl").write_text(exported.out)
    assert headsup("audit", tmp_path / "log.jsonl", "--anchors", anchors).code == 0
