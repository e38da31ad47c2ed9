"""The one way in for commands, from a person's message to the table's answer.

A command is read strictly, and its sender must be allowed to give it. If it needs a second person,
that person is authenticated by name and password. Then the floor decides. If another server owns
the floor, `FloorMoved` is raised, and the command goes there.
"""

import time
from dataclasses import replace

from headsup.game.record.message_codec import read_command, write_command
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.commands import (
    DealCards,
)
from headsup.game.round.state import Round
from headsup.game.rulebook.loader import ensure_book_id
from headsup.game.table.commands import Actor, Command
from headsup.game.table.opening import OpenTable
from headsup.game.table.state import Table
from headsup.house.dealing.pace import Timings, timing_refusals
from headsup.house.dealing.real_cards import parse_deal
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorMoved,
    FloorUnavailable,
    Reply,
)
from headsup.house.house import Elsewhere, House
from headsup.house.people.accounts import Accounts
from headsup.house.people.permissions import (
    SUPERVISORS,
    approver_refusal,
    permission,
    role_refusal,
    sign_command,
)
from headsup.house.people.person import AccountRefusal, Person, Role, is_path_part
from headsup.web.live.protocol import (
    AnsweredMessage,
    Approval,
    DeclinedMessage,
    EnterCardsRequest,
    OpenTableRequest,
    PaceSeconds,
    SubmitCommandRequest,
)
from headsup.web.server.operations import Metrics

_ANY_DECK = DealCards(())


async def locate_here(house: House, table: str) -> FloorHost | None:
    """The table's host if this server runs it; None if there is no such table. Raises FloorMoved if
    another server runs it."""
    located = await house.locate(table)
    if isinstance(located, Elsewhere):
        raise FloorMoved(at=located.at)
    return located


def round_to_deal(person: Person, table: Table) -> Round:
    """The table's round, if this person may enter cards for it; raises Refused otherwise."""
    if forbids := role_refusal(person, table, _ANY_DECK):
        raise Refused.of(forbids)
    if table.round is None:
        raise Refused(Code.NO_ROUND)
    return table.round


def check_path_names(floor: str, table: str) -> Refusal | None:
    """Refuse names that do not fit into a URL. Not a rule of the game: a log may contain them."""
    if not is_path_part(floor):
        return refusal(Code.BAD_NAME, "floor")
    return None if is_path_part(table) else refusal(Code.BAD_NAME, "table")


def check_pace(opening: OpenTable, pace: PaceSeconds | None) -> dict[str, Refusal]:
    """The problems with the requested pace of a new table, by field."""
    if pace is None:
        return {}
    if opening.shuffle.by_hand:
        return {"pace": refusal(Code.BAD_TIMING, "by_hand")}
    refusals = timing_refusals(pace.model_dump())
    return {f"pace.{step}": refused for step, refused in refusals.items()}


async def prove_approver(
    accounts: Accounts,
    person: Person,
    approval: Approval | None,
    roles: frozenset[Role] = SUPERVISORS,
) -> Person:
    """Authenticate the second person, who must have one of these roles.

    Raises Refused if the approval is missing or wrong, or if too many password checks are waiting.
    """
    if approval is None:
        case = "approval" if roles == SUPERVISORS else "staff"
        raise Refused(Code.NEEDS_TWO_PEOPLE, case)
    if approval.name == person.name:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "same", name=person.name)
    approver = await accounts.password_pool.run(
        accounts.verify_password, approval.name, approval.password
    )
    match approver:
        case AccountRefusal.LOCKED:
            raise Refused(Code.BAD_APPROVAL, "locked")
        case Person():
            if refused := approver_refusal(person, approver, roles):
                raise Refused.of(refused)
            return approver
        case _:
            raise Refused(Code.BAD_APPROVAL, "wrong")


class CommandDesk:
    """Takes commands from sockets and from HTTP to the tables."""

    def __init__(self, house: House, accounts: Accounts, metrics: Metrics) -> None:
        self._house, self._accounts, self._metrics = house, accounts, metrics

    async def submit(
        self, person: Person, table: str, message: SubmitCommandRequest, due_key: str = ""
    ) -> AnsweredMessage | DeclinedMessage:
        """The table's answer; a message that is sent again gets the same answer.

        With a `due_key`, the command is carried out only while that dealer's step is due.
        """
        return self._reply_message(message.id, await self._submit(person, table, message, due_key))

    async def open(
        self, person: Person, message: OpenTableRequest
    ) -> AnsweredMessage | DeclinedMessage:
        """Open a table on a floor, and the floor with its first table."""
        return self._reply_message(message.id, await self._open(person, message))

    async def enter_cards(
        self, person: Person, table: str, message: EnterCardsRequest
    ) -> AnsweredMessage | DeclinedMessage:
        """Deal the cards that a dealer typed, at a table with real cards."""
        return self._reply_message(message.id, await self._enter_cards(person, table, message))

    async def _enter_cards(self, person: Person, table: str, message: EnterCardsRequest) -> Reply:
        host = await locate_here(self._house, table)
        state = self._house.table(table)
        if host is None or state is None:
            return refusal(Code.NO_SUCH_TABLE, table=table)
        try:
            dealing = parse_deal(round_to_deal(person, state), message.text)
        except Refused as refused:
            # These cards may have been dealt already, and so not fit the round after it.
            by, command = sign_command(person, None, _ANY_DECK)
            repeated = CommandRequest(
                message.id, table, by, command, person, typed_text=message.text
            )
            return await host.find_acceptance(repeated) or refused.refusal
        submission = SubmitCommandRequest(id=message.id, command=write_command(dealing))
        return await self._submit(person, table, submission, typed_text=message.text)

    async def _submit(
        self,
        person: Person,
        table: str,
        message: SubmitCommandRequest,
        due_key: str = "",
        typed_text: str = "",
    ) -> Reply:
        started = time.monotonic()
        try:
            if await locate_here(self._house, table) is None:
                return refusal(Code.NO_SUCH_TABLE, table=table)
            command = read_command(message.command)
            # Before any password is checked. Whose seat it is, the floor's owner checks.
            if forbids := role_refusal(person, self._house.table(table), command):
                return forbids
            by, command = await self._sign(person, command, message.approval)
            request = CommandRequest(
                message.id, table, by, command, person, expected_step=due_key, typed_text=typed_text
            )
            reply = await self._house.submit(request)
        except Refused as error:
            return error.refusal
        except FloorMoved:
            raise
        except FloorUnavailable:
            return refusal(Code.UNAVAILABLE)
        self._metrics.answered.observe(time.monotonic() - started)
        return refusal(Code.NO_SUCH_TABLE, table=table) if reply is None else reply

    async def _open(self, person: Person, message: OpenTableRequest) -> Reply:
        try:
            opening = read_command(message.command)
            if not isinstance(opening, OpenTable):
                return refusal(Code.BAD_MESSAGE)
            if forbids := role_refusal(person, None, opening):
                return forbids
            if refused := check_path_names(message.floor, message.table):
                return refused
            if refused := next(iter(check_pace(opening, message.pace).values()), None):
                return refused
            pace = None if message.pace is None else Timings(**message.pace.model_dump())
            opening = replace(opening, rules=ensure_book_id(opening.rules))
            by, command = await self._sign(person, opening, message.approval)
            await self._house.incident_queue.check_files()
            request = CommandRequest(message.id, message.table, by, command, person, pace)
            return await self._house.open_table(message.floor, request)
        except Refused as error:
            return error.refusal
        except FloorMoved:
            raise
        except FloorUnavailable:
            return refusal(Code.UNAVAILABLE)

    async def _sign(
        self, person: Person, command: Command, approval: Approval | None
    ) -> tuple[Actor, Command]:
        """Put in the names of sender and approver. Raises Refused if a needed approval fails."""
        if not permission(command).two_persons:
            return sign_command(person, None, command)
        approver = await prove_approver(self._accounts, person, approval)
        return sign_command(person, approver, command)

    def _reply_message(self, id: str, reply: Reply) -> AnsweredMessage | DeclinedMessage:
        match reply:
            case Acceptance(index):
                self._metrics.commands.labels("accepted").inc()
                return AnsweredMessage(id=id, index=index)
            case Refusal(code):
                self._metrics.commands.labels("refused").inc()
                return DeclinedMessage(id=id, code=code.value, message=reply.message)
