"""Accounts: who works and plays here, passwords, and the money that people bring and take."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BeforeValidator, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.house import clock
from headsup.house.cash.cashier import CashMove, CashRefusal, WalletEntry, list_moves, move_cash
from headsup.house.people.account_names import MAX_NAME_CHARS
from headsup.house.people.accounts import AccountRefusal, LogIn, Person, Role
from headsup.house.people.approvers import count_approvers
from headsup.house.people.permissions import STAFF_APPROVERS, Act, StaffChange, needs_second_person
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    CurrentPerson,
    PersonResponse,
    StrictModel,
    accounts_of,
    describe_person,
    give_cookie,
    limit_login_attempts,
    limit_reads,
    require_permission,
    run_in_password_pool,
    settings_of,
)
from headsup.web.api.records import Dollars, database_of
from headsup.web.live.command_requests import prove_approver
from headsup.web.live.commands import limit_commands, refusal_error
from headsup.web.live.protocol import Approval, RequestId, normalize_numbers
from headsup.web.server.errors import ApiError
from headsup.web.server.security import SESSION_COOKIE

router = APIRouter(prefix="/api", tags=["accounts"])

NamePath = Annotated[str, Path(min_length=1, max_length=40)]
PersonName = Annotated[str, Field(min_length=1, max_length=40)]
Password = Annotated[str, Field(min_length=8, max_length=256)]
Token = Annotated[str, Field(min_length=1, max_length=100)]
_STATUS = {AccountRefusal.NAME_TAKEN: 409, AccountRefusal.BAD_PASSWORD: 400}


class AccountResponse(StrictModel):
    """`wallet` is what a player holds in the house and has on no table, in dollars."""

    name: str
    role: Role
    locked: bool
    wallet: Dollars | None


class CreateAccountRequest(StrictModel):
    """Without a password the person is invited, and sets one. `approval`: for anybody but a
    player, of a supervisor or another administrator, as soon as there is one."""

    name: PersonName
    role: Annotated[Role, Field(strict=False)]
    password: Password | None = None
    approval: Approval | None = None


class ChangeAccountRequest(StrictModel):
    """Of an account; `approval` as for a new one."""

    approval: Approval | None = None


class InvitationResponse(StrictModel):
    """The token works once, for a day: `POST /api/invitations` with a password."""

    name: str
    token: str | None


class AcceptInvitationRequest(StrictModel):
    token: Token
    password: Password


class FirstAdministratorRequest(StrictModel):
    """The first start prints a link with this token; it works once, for a day."""

    token: Token
    name: PersonName
    password: Password


class ChangePasswordRequest(StrictModel):
    old: Annotated[str, Field(min_length=1, max_length=256)]
    new: Password


class CashRequest(StrictModel):
    """Cents in or out. What is large, and what an administrator asks, a supervisor approves."""

    id: RequestId
    cents: Annotated[int, Field(ge=1, le=10**12), BeforeValidator(normalize_numbers)]
    note: Annotated[str, Field(max_length=200)] = ""
    approval: Approval | None = None


class WalletResponse(StrictModel):
    wallet: Dollars


class WalletMoveResponse(StrictModel):
    number: int
    amount: Dollars
    reason: str = Field(examples=["deposit", "pay_out", "buy_in", "cash_out"])
    table: str
    by: str
    at: str


# People.


@router.get("/people", response_model=list[AccountResponse])
async def people(request: Request, person: CurrentPerson) -> list[AccountResponse]:
    """Everybody with an account."""
    require_permission(person, Act.SEE_PEOPLE)
    found, wallets = await asyncio.gather(
        asyncio.to_thread(accounts_of(request).people),
        asyncio.to_thread(database_of(request).wallets),
    )
    return [_describe_account(one, wallets.get(one.name)) for one in found]


@router.post("/people", response_model=InvitationResponse, status_code=201)
async def create(
    asked: CreateAccountRequest, request: Request, person: CurrentPerson
) -> InvitationResponse:
    """An account for somebody; only an administrator makes one, and one of the staff not alone."""
    require_permission(person, Act.KEEP_PEOPLE)
    by, alone = await _require_signatures(
        request, person, asked.role, StaffChange.CREATED, asked.approval
    )
    create = accounts_of(request).create
    made = await run_in_password_pool(
        request, create, asked.name, asked.role, asked.password, clock.now(), by, alone
    )
    if isinstance(made, AccountRefusal):
        raise _no_entry(made)
    if asked.password is not None:
        return InvitationResponse(name=made.name, token=None)
    token = await asyncio.to_thread(accounts_of(request).invite, made, by, alone)
    return InvitationResponse(name=made.name, token=token)


@router.post("/people/{name}/lock", status_code=204)
async def lock(name: NamePath, request: Request, person: CurrentPerson) -> None:
    """Nobody comes in under this name any more, and whoever is in is out."""
    found = await _require_other_person(request, person, name)
    await asyncio.to_thread(accounts_of(request).deactivate, found.id, person.name)
    request.app.state.sockets.close_person(found.id)


@router.post("/people/{name}/unlock", status_code=204)
async def unlock(
    name: NamePath,
    request: Request,
    person: CurrentPerson,
    asked: ChangeAccountRequest | None = None,
) -> None:
    """Let somebody in again who was locked; of the staff with a second person."""
    found = await _require_other_person(request, person, name)
    approval = asked.approval if asked else None
    by, alone = await _require_signatures(
        request, person, found.role, StaffChange.UNLOCKED, approval
    )
    await asyncio.to_thread(accounts_of(request).unlock, found.id, by, alone)


@router.post("/people/{name}/invitation", response_model=InvitationResponse)
async def invite(
    name: NamePath,
    request: Request,
    person: CurrentPerson,
    asked: ChangeAccountRequest | None = None,
) -> InvitationResponse:
    """For who has forgotten the password, or never had one: the old one ends at once. Of the staff
    with a second person."""
    found = await _require_other_person(request, person, name)
    approval = asked.approval if asked else None
    by, alone = await _require_signatures(
        request, person, found.role, StaffChange.INVITED, approval
    )
    token = await asyncio.to_thread(accounts_of(request).invite, found, by, alone)
    request.app.state.sockets.close_person(found.id)
    return InvitationResponse(name=found.name, token=token)


# Oneself.


@router.post("/invitations", response_model=PersonResponse)
async def accept(
    asked: AcceptInvitationRequest, request: Request, response: Response
) -> PersonResponse:
    """Set one's password with an invitation, and come in."""
    limit_login_attempts(request)
    accounts = accounts_of(request)
    entered = await run_in_password_pool(request, accounts.accept, asked.token, asked.password)
    return await _finish_login(entered, request, response)


@router.post("/first", response_model=PersonResponse)
async def create_first_administrator(
    asked: FirstAdministratorRequest, request: Request, response: Response
) -> PersonResponse:
    """Become the first administrator of a new house, with the link that its start printed."""
    limit_login_attempts(request)
    accounts = accounts_of(request)
    said = asked.token, asked.name, asked.password
    entered = await run_in_password_pool(request, accounts.become_first, *said)
    return await _finish_login(entered, request, response)


@router.post("/password", status_code=204)
async def change_password(
    asked: ChangePasswordRequest, request: Request, response: Response, person: CurrentPerson
) -> None:
    """Every log-in of this person ends; come in again with the new one."""
    limit_login_attempts(request)
    change = accounts_of(request).change_password
    changed = await run_in_password_pool(request, change, person, asked.old, asked.new)
    if changed is not None:
        raise _no_entry(changed)
    _end_logins(request, response, person)


@router.post("/logout/everywhere", status_code=204)
async def log_out_everywhere(request: Request, response: Response, person: CurrentPerson) -> None:
    """Every log-in and every socket of this person ends."""
    await asyncio.to_thread(accounts_of(request).log_out_everywhere, person.id)
    _end_logins(request, response, person)


# Money.


@router.get("/wallet", response_model=list[WalletMoveResponse])
async def own_wallet(
    request: Request,
    person: CurrentPerson,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveResponse]:
    """What moved in one's own wallet, the newest first."""
    limit_reads(request, person)
    found = await asyncio.to_thread(list_moves, database_of(request), person.name, before)
    return [_move(one) for one in found]


@router.get("/people/{name}/wallet", response_model=list[WalletMoveResponse])
async def wallet(
    name: NamePath,
    request: Request,
    person: CurrentPerson,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveResponse]:
    require_permission(person, Act.SEE_CASH)
    limit_reads(request, person)
    found = await asyncio.to_thread(list_moves, database_of(request), name, before)
    return [_move(one) for one in found]


@router.post("/people/{name}/deposit", response_model=WalletResponse)
async def deposit(
    name: NamePath, asked: CashRequest, request: Request, person: CurrentPerson
) -> WalletResponse:
    """Take in cash for a player's wallet."""
    return await _move_cash(request, person, name, asked, asked.cents)


@router.post("/people/{name}/payout", response_model=WalletResponse)
async def pay_out(
    name: NamePath, asked: CashRequest, request: Request, person: CurrentPerson
) -> WalletResponse:
    """Pay cash out of a player's wallet."""
    return await _move_cash(request, person, name, asked, -asked.cents)


async def _move_cash(
    request: Request, person: Person, name: str, asked: CashRequest, cents: int
) -> WalletResponse:
    require_permission(person, Act.MOVE_CASH)
    limit_commands(request, person.id)
    by, large = person.name, house_of(request).large
    if large.is_large(cents) or person.role is Role.ADMINISTRATOR:
        try:
            second = await prove_approver(accounts_of(request), person, asked.approval)
        except Refused as refused:
            raise refusal_error(refused.refusal) from None
        by = f"{person.name} / {second.name}"
    move = CashMove(asked.id, name, cents, asked.note, by)
    held = await asyncio.to_thread(move_cash, database_of(request), move, clock.now(), large)
    match held:
        case CashRefusal.NO_WALLET:
            raise ApiError(404, held.value, "no player has this name")
        case CashRefusal.TOO_LITTLE:
            raise ApiError(409, held.value, "the wallet holds less")
        case CashRefusal.ID_USED:
            raise ApiError(409, held.value, "the id was used for something else")
        case int():
            return WalletResponse(wallet=format_cents(held))


async def _require_signatures(
    request: Request, person: Person, role: Role, change: StaffChange, approval: Approval | None
) -> tuple[str, bool]:
    """The names of those who sign a change of an account of this role, and whether a second one is
    missing because the house has none; raises where one has to approve and does not."""
    others = await asyncio.to_thread(
        count_approvers, database_of(request), person.id, STAFF_APPROVERS
    )
    if not needs_second_person(role, change, others):
        return person.name, role is not Role.PLAYER
    limit_commands(request, person.id)
    try:
        second = await prove_approver(accounts_of(request), person, approval, STAFF_APPROVERS)
    except Refused as refused:
        raise refusal_error(refused.refusal) from None
    return f"{person.name} / {second.name}", False


async def _require_other_person(request: Request, person: Person, name: str) -> Person:
    """Somebody else: who keeps the accounts does not lock the own."""
    require_permission(person, Act.KEEP_PEOPLE)
    found = await asyncio.to_thread(accounts_of(request).named, name)
    if found is None:
        raise ApiError(404, "no_such_person")
    if found.id == person.id:
        raise ApiError(409, "own_account", "that is your own account; ask another administrator")
    return found


def _end_logins(request: Request, response: Response, person: Person) -> None:
    response.delete_cookie(SESSION_COOKIE)
    request.app.state.sockets.close_person(person.id)


async def _finish_login(
    entered: LogIn | AccountRefusal, request: Request, response: Response
) -> PersonResponse:
    if isinstance(entered, AccountRefusal):
        raise _no_entry(entered)
    give_cookie(response, entered, settings_of(request))
    return await describe_person(request, entered.person)


def _no_entry(why: AccountRefusal) -> ApiError:
    if why is AccountRefusal.BAD_NAME:
        return refusal_error(refusal(Code.BAD_NAME, "person", most=MAX_NAME_CHARS))
    return ApiError(_STATUS.get(why, 401), why.value)


def _describe_account(person: Person, cents: int | None) -> AccountResponse:
    return AccountResponse(
        name=person.name,
        role=person.role,
        locked=person.locked,
        wallet=None if cents is None else format_cents(cents),
    )


def _move(move: WalletEntry) -> WalletMoveResponse:
    return WalletMoveResponse(
        number=move.number,
        amount=format_cents(move.cents),
        reason=move.reason,
        table=move.table,
        by=move.by,
        at=move.at,
    )
