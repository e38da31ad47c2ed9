"""Accounts over HTTP: the first administrator, people and passwords, the cage and its approvals."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, text

from headsup.house.cash.books import reconcile
from headsup.house.cash.cashier import CashMove, CashRefusal, move_cash
from headsup.house.incidents.sentences import describe_incident
from headsup.house.people import accounts as people
from headsup.house.people.accounts import Accounts
from headsup.house.people.person import AccountRefusal, LogIn, Person, Role
from headsup.house.store.database import Database
from headsup.house.store.incidents import IncidentQuery, find_incidents
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import WALLET_MOVES, WALLETS
from headsup.web.api import login as coming_in
from headsup.web.server.security import SESSION_COOKIE
from tests.support.databases import postgres_database
from tests.support.postgres import PostgresServer
from tests.support.web.office import PASSWORD, RICH, database_with_people, office
from tests.support.web.requests import APPROVAL, asked_by, cash, code, incidents, stranger
from tests.support.web.serving import serving

OTHER = "another good password"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the rate limit per address: all tests share one address."""
    monkeypatch.setattr(coming_in, "ATTEMPT_BURST", 1000)


# The first administrator.


def fresh(folder: Path, now: float = 1_000.0) -> tuple[Database, Accounts]:
    database = Database(f"sqlite:///{folder / 'new.db'}")
    database.migrate()
    return database, Accounts(database, lambda _: now)


def test_the_first_link_creates_one_administrator_once(tmp_path: Path) -> None:
    database, accounts = fresh(tmp_path)
    token = accounts.first_invitation()
    assert token is not None
    assert (
        accounts.create_first_administrator("not it", "Ada", PASSWORD)
        is AccountRefusal.BAD_INVITATION
    )
    assert accounts.create_first_administrator(token, "house", PASSWORD) is AccountRefusal.BAD_NAME
    assert accounts.create_first_administrator(token, "Ada", "short") is AccountRefusal.BAD_PASSWORD
    entered = accounts.create_first_administrator(token, "Ada", PASSWORD)
    assert isinstance(entered, LogIn)
    assert entered.person.role is Role.ADMINISTRATOR
    assert (
        accounts.create_first_administrator(token, "Eve", PASSWORD) is AccountRefusal.BAD_INVITATION
    )
    assert accounts.first_invitation() is None
    assert [person.name for person in accounts.people()] == ["Ada"]
    database.close()


def test_the_first_link_expires_and_has_no_other_use(tmp_path: Path) -> None:
    database, accounts = fresh(tmp_path)
    token = accounts.first_invitation()
    assert token is not None
    late = Accounts(database, lambda _: 1_000.0 + people.INVITATION_SECONDS + 1)
    assert late.create_first_administrator(token, "Ada", PASSWORD) is AccountRefusal.BAD_INVITATION
    assert accounts.person_for_token(token) is None
    assert accounts.redeem_ticket(token, "table") is None
    assert accounts.accept_invitation(token, PASSWORD) is AccountRefusal.BAD_INVITATION
    database.close()


@pytest.mark.slow
@pytest.mark.parametrize("used", [0, 1])
def test_two_new_servers_print_a_link_each_and_using_one_ends_the_other(
    tmp_path: Path, postgres: PostgresServer, used: int
) -> None:
    database = ("--database", postgres.new_database())
    with (
        serving(tmp_path, *database, "--at", "a") as one,
        serving(tmp_path, *database, "--at", "b") as other,
    ):
        tokens, addresses = [], []
        for process, address in (one, other):
            assert process.stdout is not None
            assert any("administrator" in line for line in process.stdout)
            tokens.append(process.stdout.readline().strip().partition("#first=")[2])
            addresses.append(address)
        # On either server.
        for token, address, status in (
            (tokens[used], addresses[1 - used], 200),
            (tokens[1 - used], addresses[1 - used], 401),
            (tokens[used], addresses[used], 401),
        ):
            said = {"token": token, "name": f"Ada-{status}", "password": PASSWORD}
            assert httpx.post(f"{address}/api/first", json=said, timeout=30).status_code == status


def test_links_used_at_the_same_moment_create_one_administrator(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    servers = [Database(address), Database(address)]
    servers[0].migrate()
    accounts = [Accounts(database, lambda _: 1_000.0) for database in servers]
    tokens = [one.first_invitation() for one in accounts for _ in range(2)]
    together = Barrier(len(tokens))

    def use(number: int) -> LogIn | AccountRefusal:
        together.wait()
        return accounts[number % 2].create_first_administrator(
            tokens[number] or "", f"A{number}", PASSWORD
        )

    with ThreadPoolExecutor(len(tokens)) as threads:
        entered = list(threads.map(use, range(len(tokens))))
    assert sum(isinstance(one, LogIn) for one in entered) == 1
    assert entered.count(AccountRefusal.BAD_INVITATION) == len(tokens) - 1
    assert len(accounts[0].people()) == 1
    for database in servers:
        database.close()


@pytest.mark.slow
def test_a_new_house_prints_the_link_and_it_works(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        assert process.stdout is not None
        assert "a new house" in process.stdout.readline()
        assert "administrator" in process.stdout.readline()
        link = process.stdout.readline().strip()
        found = re.fullmatch(re.escape(address) + r"/welcome#first=(\S{40,})", link)
        assert found is not None, link
        page = httpx.get(f"{address}/welcome", timeout=30)
        assert "welcome.js" in page.text
        said = {"token": found[1], "name": "Ada", "password": PASSWORD}
        answer = httpx.post(f"{address}/api/first", json=said, timeout=30)
        assert answer.json() == {"name": "Ada", "role": "administrator", "wallet": None}
        assert SESSION_COOKIE in answer.cookies
        again = httpx.post(f"{address}/api/first", json={**said, "name": "Eve"}, timeout=30)
        assert again.status_code == 401
    with serving(tmp_path) as (process, _):
        process.terminate()
        assert process.stdout is not None
        assert process.stdout.read() == ""


# People.


async def test_an_administrator_creates_accounts_and_invites(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http, stranger(at) as other:
        pia = {"name": "Pia", "role": "dealer", "approval": APPROVAL}
        made = await http.post("/api/people", json=pia)
        assert made.status_code == 201
        token = made.json()["token"]
        assert await code(
            await http.post("/api/people", json={"name": "Pia", "role": "player"})
        ) == (
            409,
            "name_taken",
        )
        bad = {"token": token, "password": "short"}
        assert (await other.post("/api/invitations", json=bad)).status_code == 400
        taken = await other.post("/api/invitations", json={"token": token, "password": PASSWORD})
        assert taken.json()["name"] == "Pia"
        assert (await other.get("/api/me")).json()["role"] == "dealer"
        again = await other.post("/api/invitations", json={"token": token, "password": OTHER})
        assert await code(again) == (401, "bad_invitation")
        assert isinstance(at.accounts.log_in("Pia", PASSWORD), LogIn)


async def test_a_reset_ends_the_old_password_and_every_log_in(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http, asked_by(at, "Dee") as dee:
        assert (await dee.get("/api/me")).status_code == 200
        given = await http.post("/api/people/Dee/invitation", json={"approval": APPROVAL})
        assert (await dee.get("/api/me")).status_code == 401
        assert at.accounts.log_in("Dee", PASSWORD) is AccountRefusal.WRONG
        async with stranger(at) as other:
            said = {"token": given.json()["token"], "password": OTHER}
            assert (await other.post("/api/invitations", json=said)).status_code == 200
        assert isinstance(at.accounts.log_in("Dee", OTHER), LogIn)


async def test_lock_and_unlock(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Ada") as http, asked_by(at, "Dee") as dee:
        assert (await http.post("/api/people/Dee/lock")).status_code == 204
        assert (await dee.get("/api/me")).status_code == 401
        assert at.accounts.log_in("Dee", PASSWORD) is AccountRefusal.LOCKED
        found = {one["name"]: one for one in (await http.get("/api/people")).json()}
        assert found["Dee"]["locked"]
        assert found["Ann"]["wallet"] == f"{RICH // 100}.00"
        assert found["Dee"]["wallet"] is None
        unlocked = await http.post("/api/people/Dee/unlock", json={"approval": APPROVAL})
        assert unlocked.status_code == 204
        assert isinstance(at.accounts.log_in("Dee", PASSWORD), LogIn)
        for url in ("lock", "unlock", "invitation"):
            assert await code(await http.post(f"/api/people/Ada/{url}")) == (409, "own_account")
            assert await code(await http.post(f"/api/people/Nobody/{url}")) == (
                404,
                "no_such_person",
            )


async def test_three_failures_lock_and_even_the_right_password_is_refused(tmp_path: Path) -> None:
    async with office(tmp_path) as at, stranger(at) as http:
        for _ in range(3):
            said = {"name": "Dee", "password": "wrong password"}
            answer = await code(await http.post("/api/login", json=said))
            assert answer == (401, "wrong_name_or_password")
        right = {"name": "Dee", "password": PASSWORD}
        refused = await http.post("/api/login", json=right)
        assert await code(refused) == (401, "locked")
        assert refused.json()["error"]["message"] == (
            "this account is locked, after 3 wrong passwords in a row or by the house; "
            "an administrator can unlock it"
        )
        failed = incidents(at, IncidentKind.FAILED_LOG_IN)
        assert [one.who for one in failed] == ["Dee"] * 4
        assert incidents(at, IncidentKind.DEACTIVATION)[0].what


async def test_an_unknown_name_is_not_recorded(tmp_path: Path) -> None:
    """The unknown name may be a password typed into the wrong field."""
    async with office(tmp_path) as at, stranger(at) as http:
        said = {"name": "hunter2 is my secret", "password": "x"}
        assert (await http.post("/api/login", json=said)).status_code == 401
        (found,) = incidents(at, IncidentKind.FAILED_LOG_IN)
        assert "hunter2" not in repr(found)


async def test_changing_the_password_ends_every_log_in(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as one, asked_by(at, "Dee") as two:
        said = {"old": "wrong password", "new": OTHER}
        assert await code(await one.post("/api/password", json=said)) == (
            401,
            "wrong_name_or_password",
        )
        said["old"] = PASSWORD
        assert (await one.post("/api/password", json=said)).status_code == 204
        assert (await two.get("/api/me")).status_code == 401
        assert at.accounts.log_in("Dee", PASSWORD) is AccountRefusal.WRONG
        assert isinstance(at.accounts.log_in("Dee", OTHER), LogIn)


async def test_log_out_everywhere(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as one, asked_by(at, "Dee") as two:
        assert (await one.post("/api/logout/everywhere")).status_code == 204
        assert (await two.get("/api/me")).status_code == 401


def test_a_log_in_ends_by_itself(tmp_path: Path) -> None:
    database, accounts = fresh(tmp_path)
    person = accounts.create("Dee", Role.DEALER, PASSWORD, "")
    assert isinstance(person, Person)
    entered = accounts.log_in_as(person)
    assert accounts.person_for_token(entered.token) == person
    later = Accounts(database, lambda _: 1_000.0 + people.LOG_IN_SECONDS + 1)
    assert later.person_for_token(entered.token) is None
    database.close()


# The cage.


async def test_cash_has_two_sides_and_is_moved_once(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        before = reconcile(at.house.database, {})
        for _ in range(3):
            answer = await http.post("/api/people/Ann/deposit", json=cash(5_000))
            assert answer.json() == {"wallet": f"{(RICH + 5_000) // 100}.00"}
        other = await http.post("/api/people/Ann/deposit", json=cash(6_000))
        assert await code(other) == (409, "id_used")
        out = await http.post("/api/people/Ann/payout", json=cash(2_000, "cash-0002"))
        assert out.json() == {"wallet": f"{(RICH + 3_000) // 100}.00"}
        after = reconcile(at.house.database, {})
        assert after.paid_in - before.paid_in == 3_000
        assert after.in_wallets - before.in_wallets == 3_000
        moves = (await http.get("/api/people/Ann/wallet")).json()
        assert [(move["amount"], move["reason"], move["by"]) for move in moves] == [
            ("-20.00", "pay_out", "Sue"),
            ("50.00", "deposit", "Sue"),
        ]
        async with asked_by(at, "Ann") as ann:
            assert (await ann.get("/api/wallet")).json() == moves
        async with asked_by(at, "Bob") as bob:
            assert (await bob.get("/api/wallet")).json() == []


async def test_a_wallet_pays_no_more_than_it_holds(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        approval = {"name": "Sam", "password": PASSWORD}
        said = cash(RICH + 1, approval=approval)
        answer = await http.post("/api/people/Ann/payout", json=said)
        assert await code(answer) == (409, "wallet_short")
        assert at.house.database.wallet("Ann") == RICH
        (found,) = incidents(at, IncidentKind.NEGATIVE_BALANCE)
        assert found.who == "Sue / Sam"
        nobody = await http.post("/api/people/Dee/deposit", json=cash(1))
        assert await code(nobody) == (404, "no_wallet")


async def test_large_amounts_need_two_and_supervisors_never_approve_their_own(
    tmp_path: Path,
) -> None:
    large, url = 1_000_000, "/api/people/Ann/deposit"
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:
        for approval, refused in (
            (None, "needs_two_people"),
            (APPROVAL, "needs_two_people"),  # Sue herself
            ({"name": "Sam", "password": "wrong password"}, "bad_approval"),
            ({"name": "Ada", "password": PASSWORD}, "bad_approval"),
            ({"name": "Ann", "password": PASSWORD}, "bad_approval"),
        ):
            said = cash(large) | ({"approval": approval} if approval else {})
            assert await code(await http.post(url, json=said)) == (403, refused)
        assert at.house.database.wallet("Ann") == RICH
        said = cash(large, approval={"name": "Sam", "password": PASSWORD})
        assert (await http.post(url, json=said)).status_code == 200
        (found,) = incidents(at, IncidentKind.LARGE_TRANSACTION)
        assert found.who == "Sue / Sam"
    async with office(tmp_path) as at, asked_by(at, "Ada") as http:
        assert await code(await http.post(url, json=cash(1, "cash-0002"))) == (
            403,
            "needs_two_people",
        )
        said = cash(1, "cash-0003", approval=APPROVAL)
        assert (await http.post(url, json=said)).status_code == 200


async def test_one_day_of_small_amounts_needs_two_like_one_large_amount(tmp_path: Path) -> None:
    """Pay-ins and payouts count apart, and each person for themselves."""
    approval = {"approval": {"name": "Sam", "password": PASSWORD}}
    async with office(tmp_path) as at, asked_by(at, "Sue") as http:

        async def move(way: str, cents: int, id: str, **more: Any) -> tuple[int, str]:
            url = f"/api/people/Ann/{way}"
            return await code(await http.post(url, json=cash(cents, f"cash-{id}") | more))

        assert await move("deposit", 999_999, "0001") == (200, "")
        assert await move("payout", 999_999, "0002") == (200, "")
        for id, way in (("0003", "deposit"), ("0004", "payout")):
            assert await move(way, 1, id) == (403, "needs_two_people")
        assert await move("deposit", 999_999, "0001") == (200, ""), "the same move again"
        assert at.house.database.wallet("Ann") == RICH
        assert incidents(at, IncidentKind.LARGE_TRANSACTION) == []

        assert await move("deposit", 1, "0003", **approval) == (200, "")
        assert await move("deposit", 1, "0003", **approval) == (200, ""), "the same move again"
        assert await move("deposit", 1, "0005") == (403, "needs_two_people")
        assert at.house.database.wallet("Ann") == RICH + 1
        (found,) = incidents(at, IncidentKind.LARGE_TRANSACTION)
        assert found.who == "Sue / Sam"
        assert "of the day together: $10,000.00" in describe_incident(
            found.kind, json.loads(found.what)
        )
        other = await http.post("/api/people/Bob/deposit", json=cash(999_999, "cash-0006"))
        assert await code(other) == (200, "")


def test_the_next_day_begins_at_nothing(tmp_path: Path) -> None:
    database = database_with_people(tmp_path)

    def moved(cents: int, id: str, at: str) -> object:
        return move_cash(database, CashMove(id, "Ann", cents, "", "Sue"), at)

    assert moved(600_000, "1", "2026-01-31T23:59:59.999999Z") == RICH + 600_000
    assert moved(600_000, "2", "2026-01-31T23:59:59.999999Z") is CashRefusal.NEEDS_TWO
    assert moved(600_000, "2", "2026-02-01T00:00:00.000000Z") == RICH + 1_200_000
    database.close()


async def test_racing_small_deposits_of_one_day_are_counted_together(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        moves = [CashMove(f"cash-{number}", "Ann", 300_000, "", "Sue") for number in range(12)]
        results = await asyncio.gather(
            *(
                asyncio.to_thread(move_cash, at.house.database, move, "2026-01-31T12")
                for move in moves
            )
        )
        assert results.count(CashRefusal.NEEDS_TWO) == 9
        assert at.house.database.wallet("Ann") == RICH + 900_000


async def test_a_hundred_racing_deposits_of_one_id_are_one(tmp_path: Path) -> None:

    async with office(tmp_path) as at:
        move = CashMove("cash-0001", "Ann", 700, "", "Sue")
        results = await asyncio.gather(
            *(asyncio.to_thread(move_cash, at.house.database, move, "") for _ in range(100))
        )
        assert set(results) == {RICH + 700}
        with at.house.database.read_connection() as connection:
            count = connection.execute(select(func.count()).select_from(WALLET_MOVES)).scalar_one()
        assert count == 1


@pytest.mark.slow
def test_racing_payouts_of_one_id_are_one_with_the_same_answer(postgres: PostgresServer) -> None:
    """Even when they empty the wallet, and when two servers on one database race."""
    for held in (700, 1_500):
        database = postgres_database(postgres)
        accounts = Accounts(database, lambda _: 1_000.0)
        assert isinstance(accounts.create("Ann", Role.PLAYER, None, ""), Person)
        move_cash(database, CashMove("cash-0001", "Ann", held, "", "Sue", True), "")
        assert raced(database, CashMove("cash-0002", "Ann", -700, "", "Sue")) == {held - 700}
        assert find_incidents(database, IncidentQuery(IncidentKind.NEGATIVE_BALANCE)) == []
        database.close()


def raced(database: Database, move: CashMove) -> set[object]:
    """The answers to three identical requests at the same moment."""
    with ThreadPoolExecutor(3) as threads:
        with database.engine.begin() as connection:  # all of them wait for the wallet's row
            connection.execute(select(WALLETS).with_for_update()).all()
            paying = [threads.submit(move_cash, database, move, "") for _ in range(3)]
            waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while connection.execute(waiting).scalar_one() < 3:
                pass
        return {one.result() for one in paying}


@pytest.mark.slow
def test_if_every_administrator_is_locked_the_next_start_prints_a_link(
    tmp_path: Path,
) -> None:
    database, accounts = fresh(tmp_path)
    token = accounts.first_invitation()
    assert token is not None
    assert isinstance(accounts.create_first_administrator(token, "Ada", PASSWORD), LogIn)
    for _ in range(people.MAX_FAILED_LOGINS):  # anybody can lock an account whose name they know
        assert accounts.verify_password("Ada", "not it at all") is AccountRefusal.WRONG
    again = accounts.first_invitation()
    assert again is not None
    second = accounts.create_first_administrator(again, "Eve", PASSWORD)
    assert isinstance(second, LogIn)
    assert accounts.first_invitation() is None
    ada = accounts.find_by_name("Ada")
    assert ada is not None
    accounts.unlock(ada.id, "Eve")
    assert isinstance(accounts.log_in("Ada", PASSWORD), LogIn)
    database.close()
