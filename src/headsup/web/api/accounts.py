"""Account routes: staff and players, their passwords, and cash in and out of wallets."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BeforeValidator, Field

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.values.money import format_cents
from headsup.house import clock
from headsup.house.cash.cashier import CashMove, CashRefusal, move_cash
from headsup.house.people.permissions import STAFF_APPROVERS, Act, StaffChange, needs_second_person
from headsup.house.people.person import MAX_NAME_CHARS, AccountRefusal, LogIn, Person, Role
from headsup.house.store.wallets import WalletEntry, list_moves
from headsup.web.api.commands import refusal_error
from headsup.web.api.lobby import house_of
from headsup.web.api.login import (
    COMMAND_RATE,
    LOGIN_RATE,
    READ_RATE,
    CurrentPerson,
    PersonResponse,
    StrictModel,
    accounts_of,
    describe_person,
    give_cookie,
    needs,
    run_in_password_pool,
    settings_of,
)
from headsup.web.api.records import Dollars, database_of
from headsup.web.live.command_requests import prove_approver
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
    """`wallet` is a player's money that is not on a table, in dollars; null for staff."""

    name: str
    role: Role
    locked: bool
    wallet: Dollars | None


class CreateAccountRequest(StrictModel):
    """Without a password, the person gets an invitation to set one. For staff, `approval` is by a
    supervisor or another administrator, once the house has one."""

    name: PersonName
    role: Annotated[Role, Field(strict=False)]
    password: Password | None = None
    approval: Approval | None = None


class ChangeAccountRequest(StrictModel):
    """A change of an account; `approval` as for a new one."""

    approval: Approval | None = None


class InvitationResponse(StrictModel):
    """The token works once, for a day, in `POST /api/invitations`; null if a password was set."""

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
    """Cents in or out. A supervisor approves large amounts, and any amount for an administrator."""

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


@router.get("/people", response_model=list[AccountResponse], dependencies=[needs(Act.SEE_PEOPLE)])
async def people(request: Request) -> list[AccountResponse]:
    """All accounts."""
    persons, wallets = await asyncio.gather(
        asyncio.to_thread(accounts_of(request).people),
        asyncio.to_thread(database_of(request).wallets),
    )
    return [_describe_account(account, wallets.get(account.name)) for account in persons]


@router.post(
    "/people",
    response_model=InvitationResponse,
    status_code=201,
    dependencies=[needs(Act.MANAGE_PEOPLE), COMMAND_RATE],
)
async def create(
    body: CreateAccountRequest, request: Request, person: CurrentPerson
) -> InvitationResponse:
    """Create an account. Only administrators may; a staff account needs a second person."""
    signed_by, alone = await _require_signatures(
        request, person, body.role, StaffChange.CREATED, body.approval
    )
    create = accounts_of(request).create
    created = await run_in_password_pool(
        request, create, body.name, body.role, body.password, clock.now(), signed_by, alone
    )
    if isinstance(created, AccountRefusal):
        raise _account_error(created)
    if body.password is not None:
        return InvitationResponse(name=created.name, token=None)
    token = await asyncio.to_thread(accounts_of(request).invite, created, signed_by, alone)
    return InvitationResponse(name=created.name, token=token)


@router.post("/people/{name}/lock", status_code=204, dependencies=[needs(Act.MANAGE_PEOPLE)])
async def lock(name: NamePath, request: Request, person: CurrentPerson) -> None:
    """Lock an account: it can no longer log in, and its open sessions end."""
    account = await _require_other_person(request, person, name)
    await asyncio.to_thread(accounts_of(request).deactivate, account.id, person.name)
    request.app.state.sockets.close_person(account.id)


@router.post(
    "/people/{name}/unlock", status_code=204, dependencies=[needs(Act.MANAGE_PEOPLE), COMMAND_RATE]
)
async def unlock(
    name: NamePath,
    request: Request,
    person: CurrentPerson,
    body: ChangeAccountRequest | None = None,
) -> None:
    """Unlock an account; a staff account needs a second person."""
    account = await _require_other_person(request, person, name)
    approval = body.approval if body else None
    signed_by, alone = await _require_signatures(
        request, person, account.role, StaffChange.UNLOCKED, approval
    )
    await asyncio.to_thread(accounts_of(request).unlock, account.id, signed_by, alone)


@router.post(
    "/people/{name}/invitation",
    response_model=InvitationResponse,
    dependencies=[needs(Act.MANAGE_PEOPLE), COMMAND_RATE],
)
async def invite(
    name: NamePath,
    request: Request,
    person: CurrentPerson,
    body: ChangeAccountRequest | None = None,
) -> InvitationResponse:
    """Invite a person to set a new password; the old one stops working at once. A staff account
    needs a second person."""
    account = await _require_other_person(request, person, name)
    approval = body.approval if body else None
    signed_by, alone = await _require_signatures(
        request, person, account.role, StaffChange.INVITED, approval
    )
    token = await asyncio.to_thread(accounts_of(request).invite, account, signed_by, alone)
    request.app.state.sockets.close_person(account.id)
    return InvitationResponse(name=account.name, token=token)


# Your own account.


@router.post("/invitations", response_model=PersonResponse, dependencies=[LOGIN_RATE])
async def accept(
    body: AcceptInvitationRequest, request: Request, response: Response
) -> PersonResponse:
    """Set a password with an invitation, and log in."""
    accounts = accounts_of(request)
    login = await run_in_password_pool(
        request, accounts.accept_invitation, body.token, body.password
    )
    return await _finish_login(login, request, response)


@router.post("/first", response_model=PersonResponse, dependencies=[LOGIN_RATE])
async def create_first_administrator(
    body: FirstAdministratorRequest, request: Request, response: Response
) -> PersonResponse:
    """Create the first administrator of a new house, with the link printed at its first start."""
    accounts = accounts_of(request)
    login = await run_in_password_pool(
        request, accounts.create_first_administrator, body.token, body.name, body.password
    )
    return await _finish_login(login, request, response)


@router.post("/password", status_code=204, dependencies=[LOGIN_RATE])
async def change_password(
    body: ChangePasswordRequest, request: Request, response: Response, person: CurrentPerson
) -> None:
    """Change your password. All your log-ins end; log in again with the new one."""
    change = accounts_of(request).change_password
    refused = await run_in_password_pool(request, change, person, body.old, body.new)
    if refused is not None:
        raise _account_error(refused)
    _end_logins(request, response, person)


@router.post("/logout/everywhere", status_code=204)
async def log_out_everywhere(request: Request, response: Response, person: CurrentPerson) -> None:
    """End all your log-ins and sockets."""
    await asyncio.to_thread(accounts_of(request).log_out_everywhere, person.id)
    _end_logins(request, response, person)


# Money.


@router.get("/wallet", response_model=list[WalletMoveResponse], dependencies=[READ_RATE])
async def own_wallet(
    request: Request,
    person: CurrentPerson,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveResponse]:
    """The movements of your own wallet, newest first."""
    moves = await asyncio.to_thread(list_moves, database_of(request), person.name, before)
    return [_describe_move(move) for move in moves]


@router.get(
    "/people/{name}/wallet",
    response_model=list[WalletMoveResponse],
    dependencies=[needs(Act.SEE_CASH), READ_RATE],
)
async def wallet(
    name: NamePath,
    request: Request,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> list[WalletMoveResponse]:
    moves = await asyncio.to_thread(list_moves, database_of(request), name, before)
    return [_describe_move(move) for move in moves]


@router.post(
    "/people/{name}/deposit",
    response_model=WalletResponse,
    dependencies=[needs(Act.MOVE_CASH), COMMAND_RATE],
)
async def deposit(
    name: NamePath, body: CashRequest, request: Request, person: CurrentPerson
) -> WalletResponse:
    """Take cash for a player's wallet."""
    return await _move_cash(request, person, name, body, body.cents)


@router.post(
    "/people/{name}/payout",
    response_model=WalletResponse,
    dependencies=[needs(Act.MOVE_CASH), COMMAND_RATE],
)
async def pay_out(
    name: NamePath, body: CashRequest, request: Request, person: CurrentPerson
) -> WalletResponse:
    """Pay cash out of a player's wallet."""
    return await _move_cash(request, person, name, body, -body.cents)


async def _move_cash(
    request: Request, person: Person, name: str, body: CashRequest, cents: int
) -> WalletResponse:
    signed_by, thresholds = person.name, house_of(request).thresholds
    is_approved = (
        thresholds.is_large(cents)
        or person.role is Role.ADMINISTRATOR
        or body.approval is not None  # of the day's moves together, as the cage will say
    )
    if is_approved:
        try:
            approver = await prove_approver(accounts_of(request), person, body.approval)
        except Refused as error:
            raise refusal_error(error.refusal) from None
        signed_by = f"{person.name} / {approver.name}"
    move = CashMove(body.id, name, cents, body.note, signed_by, is_approved)
    balance = await asyncio.to_thread(
        move_cash, database_of(request), move, clock.now(), thresholds
    )
    match balance:
        case CashRefusal.NO_WALLET:
            raise ApiError(404, balance.value, "no player has this name")
        case CashRefusal.TOO_LITTLE:
            raise ApiError(409, balance.value, "the wallet does not hold that much")
        case CashRefusal.ID_USED:
            raise ApiError(409, balance.value, "this id was already used for another transaction")
        case CashRefusal.NEEDS_TWO:
            amount = thresholds.transaction
            raise refusal_error(refusal(Code.NEEDS_TWO_PEOPLE, "day", name=name, amount=amount))
        case int():
            return WalletResponse(wallet=format_cents(balance))


async def _require_signatures(
    request: Request, person: Person, role: Role, change: StaffChange, approval: Approval | None
) -> tuple[str, bool]:
    """Who signs a change of an account of this role, and whether one person signs a staff change
    alone because the house has no second. Raises if a required approval is missing."""
    other_approvers = await asyncio.to_thread(
        accounts_of(request).count_approvers, person.id, STAFF_APPROVERS
    )
    if not needs_second_person(role, change, other_approvers):
        return person.name, role is not Role.PLAYER
    try:
        approver = await prove_approver(accounts_of(request), person, approval, STAFF_APPROVERS)
    except Refused as error:
        raise refusal_error(error.refusal) from None
    return f"{person.name} / {approver.name}", False


async def _require_other_person(request: Request, person: Person, name: str) -> Person:
    """The account of this name, which must not be one's own."""
    account = await asyncio.to_thread(accounts_of(request).find_by_name, name)
    if account is None:
        raise ApiError(404, "no_such_person")
    if account.id == person.id:
        raise ApiError(409, "own_account", "this is your own account; ask another administrator")
    return account


def _end_logins(request: Request, response: Response, person: Person) -> None:
    response.delete_cookie(SESSION_COOKIE)
    request.app.state.sockets.close_person(person.id)


async def _finish_login(
    login: LogIn | AccountRefusal, request: Request, response: Response
) -> PersonResponse:
    if isinstance(login, AccountRefusal):
        raise _account_error(login)
    give_cookie(response, login, settings_of(request))
    return await describe_person(request, login.person)


def _account_error(refused: AccountRefusal) -> ApiError:
    if refused is AccountRefusal.BAD_NAME:
        return refusal_error(refusal(Code.BAD_NAME, "person", most=MAX_NAME_CHARS))
    return ApiError(_STATUS.get(refused, 401), refused.value)


def _describe_account(person: Person, cents: int | None) -> AccountResponse:
    return AccountResponse(
        name=person.name,
        role=person.role,
        locked=person.locked,
        wallet=None if cents is None else format_cents(cents),
    )


def _describe_move(move: WalletEntry) -> WalletMoveResponse:
    return WalletMoveResponse(
        number=move.number,
        amount=format_cents(move.cents),
        reason=move.reason,
        table=move.table,
        by=move.by,
        at=move.at,
    )
