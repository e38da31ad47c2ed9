"""Accounts: who works and plays here, passwords, and the money that people bring and take."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BeforeValidator, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.house import clock
from headsup.house.cash.cashier import CashMove, NotMoved, WalletEntry, move_cash, moves_of
from headsup.house.people.account_names import LONGEST_NAME
from headsup.house.people.accounts import LogIn, NoEntry, Person, Role
from headsup.house.people.approvers import colleagues
from headsup.house.people.permissions import KEEPERS_OF_STAFF, Act, StaffChange, takes_two
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    Asker,
    PersonShown,
    _Strict,
    accounts_of,
    allowed,
    give_cookie,
    limited,
    not_looked_too_often,
    proving,
    settings_of,
    shown,
)
from headsup.web.api.records import Dollars, database_of
from headsup.web.live.command_requests import proved_second
from headsup.web.live.commands import declined_as, not_too_often
from headsup.web.live.protocol import Approval, Id, whole_numbers
from headsup.web.server.errors import ApiError
from headsup.web.server.security import COOKIE

router = APIRouter(prefix="/api", tags=["accounts"])

NamePath = Annotated[str, Path(min_length=1, max_length=40)]
PersonName = Annotated[str, Field(min_length=1, max_length=40)]
Password = Annotated[str, Field(min_length=8, max_length=256)]
Token = Annotated[str, Field(min_length=1, max_length=100)]
_STATUS = {NoEntry.NAME_TAKEN: 409, NoEntry.BAD_PASSWORD: 400}


class PersonListed(_Strict):
    """`wallet` is what a player holds in the house and has on no table, in dollars."""

    name: str
    role: Role
    locked: bool
    wallet: Dollars | None


class PersonAsked(_Strict):
    """Without a password the person is invited, and sets one. `approval`: for anybody but a
    player, of a supervisor or another administrator, as soon as there is one."""

    name: PersonName
    role: Annotated[Role, Field(strict=False)]
    password: Password | None = None
    approval: Approval | None = None


class ChangeAsked(_Strict):
    """Of an account; `approval` as for a new one."""

    approval: Approval | None = None


class Invited(_Strict):
    """The token works once, for a day: `POST /api/invitations` with a password."""

    name: str
    token: str | None


class InvitationTaken(_Strict):
    token: Token
    password: Password


class FirstAsked(_Strict):
    """The first start prints a link with this token; it works once, for a day."""

    token: Token
    name: PersonName
    password: Password


class PasswordAsked(_Strict):
    old: Annotated[str, Field(min_length=1, max_length=256)]
    new: Password


class CashAsked(_Strict):
    """Cents in or out. What is large, and what an administrator asks, a supervisor approves."""

    id: Id
    cents: Annotated[int, Field(ge=1, le=10**12), BeforeValidator(whole_numbers)]
    note: Annotated[str, Field(max_length=200)] = ""
    approval: Approval | None = None


class WalletShown(_Strict):
    wallet: Dollars


class WalletMoveShown(_Strict):
    number: int
    amount: Dollars
    reason: str = Field(examples=["deposit", "pay_out", "buy_in", "cash_out"])
    table: str
    by: str
    at: str


# People.


@router.get("/people", response_model=list[PersonListed])
async def people(request: Request, person: Asker) -> list[PersonListed]:
    """Everybody with an account."""
    allowed(person, Act.SEE_PEOPLE)
    found, wallets = await asyncio.gather(
        asyncio.to_thread(accounts_of(request).people),
        asyncio.to_thread(database_of(request).wallets),
    )
    return [_listed(one, wallets.get(one.name)) for one in found]


@router.post("/people", response_model=Invited, status_code=201)
async def create(asked: PersonAsked, request: Request, person: Asker) -> Invited:
    """An account for somebody; only an administrator makes one, and one of the staff not alone."""
    allowed(person, Act.KEEP_PEOPLE)
    by, alone = await _signed(request, person, asked.role, StaffChange.CREATED, asked.approval)
    create = accounts_of(request).create
    made = await proving(
        request, create, asked.name, asked.role, asked.password, clock.now(), by, alone
    )
    if isinstance(made, NoEntry):
        raise _no_entry(made)
    if asked.password is not None:
        return Invited(name=made.name, token=None)
    token = await asyncio.to_thread(accounts_of(request).invite, made, by, alone)
    return Invited(name=made.name, token=token)


@router.post("/people/{name}/lock", status_code=204)
async def lock(name: NamePath, request: Request, person: Asker) -> None:
    """Nobody comes in under this name any more, and whoever is in is out."""
    found = await _other(request, person, name)
    await asyncio.to_thread(accounts_of(request).deactivate, found.id, person.name)
    request.app.state.sockets.close_person(found.id)


@router.post("/people/{name}/unlock", status_code=204)
async def unlock(
    name: NamePath, request: Request, person: Asker, asked: ChangeAsked | None = None
) -> None:
    """Let somebody in again who was locked; of the staff with a second person."""
    found = await _other(request, person, name)
    approval = asked.approval if asked else None
    by, alone = await _signed(request, person, found.role, StaffChange.UNLOCKED, approval)
    await asyncio.to_thread(accounts_of(request).unlock, found.id, by, alone)


@router.post("/people/{name}/invitation", response_model=Invited)
async def invite(
    name: NamePath, request: Request, person: Asker, asked: ChangeAsked | None = None
) -> Invited:
    """For who has forgotten the password, or never had one: the old one ends at once. Of the staff
    with a second person."""
    found = await _other(request, person, name)
    approval = asked.approval if asked else None
    by, alone = await _signed(request, person, found.role, StaffChange.INVITED, approval)
    token = await asyncio.to_thread(accounts_of(request).invite, found, by, alone)
    request.app.state.sockets.close_person(found.id)
    return Invited(name=found.name, token=token)


# Oneself.


@router.post("/invitations", response_model=PersonShown)
async def accept(asked: InvitationTaken, request: Request, response: Response) -> PersonShown:
    """Set one's password with an invitation, and come in."""
    limited(request)
    accounts = accounts_of(request)
    entered = await proving(request, accounts.accept, asked.token, asked.password)
    return await _entered(entered, request, response)


@router.post("/first", response_model=PersonShown)
async def first(asked: FirstAsked, request: Request, response: Response) -> PersonShown:
    """Become the first administrator of a new house, with the link that its start printed."""
    limited(request)
    accounts = accounts_of(request)
    said = asked.token, asked.name, asked.password
    entered = await proving(request, accounts.become_first, *said)
    return await _entered(entered, request, response)


@router.post("/password", status_code=204)
async def change_password(
    asked: PasswordAsked, request: Request, response: Response, person: Asker
) -> None:
    """Every log-in of this person ends; come in again with the new one."""
    limited(request)
    change = accounts_of(request).change_password
    changed = await proving(request, change, person, asked.old, asked.new)
    if changed is not None:
        raise _no_entry(changed)
    _out(request, response, person)


@router.post("/logout/everywhere", status_code=204)
async def log_out_everywhere(request: Request, response: Response, person: Asker) -> None:
    """Every log-in and every socket of this person ends."""
    await asyncio.to_thread(accounts_of(request).log_out_everywhere, person.id)
    _out(request, response, person)


# Money.


@router.get("/wallet", response_model=list[WalletMoveShown])
async def own_wallet(
    request: Request,
    person: Asker,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveShown]:
    """What moved in one's own wallet, the newest first."""
    not_looked_too_often(request, person)
    found = await asyncio.to_thread(moves_of, database_of(request), person.name, before)
    return [_move(one) for one in found]


@router.get("/people/{name}/wallet", response_model=list[WalletMoveShown])
async def wallet(
    name: NamePath,
    request: Request,
    person: Asker,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveShown]:
    allowed(person, Act.SEE_CASH)
    not_looked_too_often(request, person)
    found = await asyncio.to_thread(moves_of, database_of(request), name, before)
    return [_move(one) for one in found]


@router.post("/people/{name}/deposit", response_model=WalletShown)
async def deposit(name: NamePath, asked: CashAsked, request: Request, person: Asker) -> WalletShown:
    """Take in cash for a player's wallet."""
    return await _cash(request, person, name, asked, asked.cents)


@router.post("/people/{name}/payout", response_model=WalletShown)
async def pay_out(name: NamePath, asked: CashAsked, request: Request, person: Asker) -> WalletShown:
    """Pay cash out of a player's wallet."""
    return await _cash(request, person, name, asked, -asked.cents)


async def _cash(
    request: Request, person: Person, name: str, asked: CashAsked, cents: int
) -> WalletShown:
    allowed(person, Act.MOVE_CASH)
    not_too_often(request, person.id)
    by, large = person.name, house_of(request).large
    if large.is_large(cents) or person.role is Role.ADMINISTRATOR:
        try:
            second = await proved_second(accounts_of(request), person, asked.approval)
        except Refused as refused:
            raise declined_as(refused.refusal) from None
        by = f"{person.name} / {second.name}"
    move = CashMove(asked.id, name, cents, asked.note, by)
    held = await asyncio.to_thread(move_cash, database_of(request), move, clock.now(), large)
    match held:
        case NotMoved.NO_WALLET:
            raise ApiError(404, held.value, "no player has this name")
        case NotMoved.TOO_LITTLE:
            raise ApiError(409, held.value, "the wallet holds less")
        case NotMoved.ID_USED:
            raise ApiError(409, held.value, "the id was used for something else")
        case int():
            return WalletShown(wallet=format_cents(held))


async def _signed(
    request: Request, person: Person, role: Role, change: StaffChange, approval: Approval | None
) -> tuple[str, bool]:
    """The names of those who sign a change of an account of this role, and whether a second one is
    missing because the house has none; raises where one has to approve and does not."""
    others = await asyncio.to_thread(colleagues, database_of(request), person.id, KEEPERS_OF_STAFF)
    if not takes_two(role, change, others):
        return person.name, role is not Role.PLAYER
    not_too_often(request, person.id)
    try:
        second = await proved_second(accounts_of(request), person, approval, KEEPERS_OF_STAFF)
    except Refused as refused:
        raise declined_as(refused.refusal) from None
    return f"{person.name} / {second.name}", False


async def _other(request: Request, person: Person, name: str) -> Person:
    """Somebody else: who keeps the accounts does not lock the own."""
    allowed(person, Act.KEEP_PEOPLE)
    found = await asyncio.to_thread(accounts_of(request).named, name)
    if found is None:
        raise ApiError(404, "no_such_person")
    if found.id == person.id:
        raise ApiError(409, "own_account", "that is your own account; ask another administrator")
    return found


def _out(request: Request, response: Response, person: Person) -> None:
    response.delete_cookie(COOKIE)
    request.app.state.sockets.close_person(person.id)


async def _entered(entered: LogIn | NoEntry, request: Request, response: Response) -> PersonShown:
    if isinstance(entered, NoEntry):
        raise _no_entry(entered)
    give_cookie(response, entered, settings_of(request))
    return await shown(request, entered.person)


def _no_entry(why: NoEntry) -> ApiError:
    if why is NoEntry.BAD_NAME:
        return declined_as(refusal(Code.BAD_NAME, "person", most=LONGEST_NAME))
    return ApiError(_STATUS.get(why, 401), why.value)


def _listed(person: Person, cents: int | None) -> PersonListed:
    return PersonListed(
        name=person.name,
        role=person.role,
        locked=person.locked,
        wallet=None if cents is None else format_cents(cents),
    )


def _move(move: WalletEntry) -> WalletMoveShown:
    return WalletMoveShown(
        number=move.number,
        amount=format_cents(move.cents),
        reason=move.reason,
        table=move.table,
        by=move.by,
        at=move.at,
    )
