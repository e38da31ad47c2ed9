"""The one way in for commands, from a person's message to the table's answer.

A command is read strictly, and its sender must be allowed to give it. If it needs a second person,
that person is authenticated by name and password. Then the floor decides. If another server owns
the floor, `FloorMoved` is raised, and the command goes there.
"""

import asyncio
import time
from dataclasses import replace
from uuid import uuid4

from headsup.game.record.message_codec import read_command, write_command
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.commands import (
    DealCards,
)
from headsup.game.round.state import Round
from headsup.game.rulebook.loader import ensure_book_id
from headsup.game.table.commands import Actor, Command, Staff
from headsup.game.table.opening import OpenTable
from headsup.game.table.sealed_shuffles import OpenShuffle, SealShuffle
from headsup.game.table.seating import BuyIn, CashOut, Leave
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.game.values.cards import Cards
from headsup.house.dealing.pace import Timings, timing_refusals
from headsup.house.dealing.real_cards import parse_deal
from headsup.house.dealing.shoe import shuffle_deck
from headsup.house.fairness.lost_seals import lost_seal_refusal
from headsup.house.fairness.sealed_shuffles import LostSeal
from headsup.house.floor.host import (
    Acceptance,
    CommandRequest,
    FloorHost,
    FloorMoved,
    FloorUnavailable,
    Reply,
)
from headsup.house.floor.next_step import (
    DealerStep,
    command_for,
    step_from_key,
    step_key,
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
    Approval,
    EnterCardsRequest,
    OpenTableRequest,
    PaceSeconds,
    RefusalMessage,
    ReplyMessage,
    SubmitCommandRequest,
)
from headsup.web.live.visibility import may_deal
from headsup.web.server.operations import Metrics

SHOE_STAFF = Staff("dealer")
_ANY_DECK = DealCards(())
_WALLET_COMMANDS = frozenset(kind.__name__ for kind in (BuyIn, CashOut, Leave))


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
    ) -> ReplyMessage | RefusalMessage:
        """The table's answer; a message that is sent again gets the same answer.

        With a `due_key`, the command is carried out only while that dealer's step is due.
        """
        reply = await self._submit(person, table, message, due_key)
        return self._reply_message(message.id, reply, await self._wallet(person, message, reply))

    async def do_step(
        self, person: Person, table: str, id: str, key: str, line: str | None = None
    ) -> ReplyMessage | RefusalMessage:
        """Do the step that is due, if it is still the one that the dealer saw."""
        if line is not None:
            return await self.enter_cards(person, table, EnterCardsRequest(id=id, text=line))
        return self._reply_message(id, await self._do_step(person, table, id, key))

    async def _do_step(self, person: Person, table: str, id: str, key: str) -> Reply:
        """Even a step that has passed goes to the floor's owner: only it knows whether the step was
        done under this id, in which case the client gets the same answer again."""
        if not may_deal(person):
            return refusal(Code.NOT_ALLOWED, role=person.role)
        if await locate_here(self._house, table) is None:
            return refusal(Code.NO_SUCH_TABLE, table=table)
        state = self._house.table(table)
        if state is None:
            return refusal(Code.NO_SUCH_TABLE, table=table)
        try:
            return await self._do_checked_step(person, state, id, key)
        except LostSeal as lost:
            now = self._house.table(table)
            if now is None or self._house.lost_seals.of(now) is None:
                return refusal(Code.NOT_DUE_ANY_MORE)  # another server has opened the seal
            return lost_seal_refusal(lost)

    async def _do_checked_step(self, person: Person, table: Table, id: str, key: str) -> Reply:
        step, is_current = step_from_key(key), step_key(table) == key
        if step is DealerStep.DEAL:
            deck = await self._next_deck(table) if is_current else ()
            return await self._submit_for_shoe(table, DealCards(deck), key, id)
        command = None if step is None else command_for(step)
        if command is None:
            return refusal(Code.NOT_DUE_ANY_MORE)
        if is_current and step is DealerStep.OPEN_ROUND:
            await self._seal_next_shuffle(table, key)
        message = SubmitCommandRequest(id=id, command=write_command(command))
        return await self._submit(person, table.id, message, key)

    async def _next_deck(self, table: Table) -> Cards:
        """The cards of the house's own shoe."""
        if table.sealed is None:
            return shuffle_deck()
        seal = await self._house.sealer_of(table.id).current_seal(table)
        return seal.deck(table.sealed.seeds)

    async def _seal_next_shuffle(self, table: Table, key: str) -> None:
        """Open the seal of the last round, and seal the next shuffle."""
        if table.shuffle is not ShuffleSource.SEALED:
            return
        sealer, sealed = self._house.sealer_of(table.id), table.sealed
        if sealed is not None and sealed.round == table.rounds:
            seal = await sealer.current_seal(table)
            await self._submit_for_shoe(table, OpenShuffle(seal.server_seed.hex()), key)
            sealed = None
        if sealed is not None:
            await sealer.current_seal(table)  # before bets are taken on it
        else:
            seal = await sealer.seal_next(table)
            await self._submit_for_shoe(table, SealShuffle(seal.commitment), key)

    async def _submit_for_shoe(
        self, table: Table, command: Command, key: str, id: str = ""
    ) -> Reply:
        """Submit a command of the house's shoe to the floor."""
        request = CommandRequest(
            id or uuid4().hex, table.id, SHOE_STAFF, command, expected_step=key
        )
        try:
            reply = await self._house.submit(request)
        except FloorMoved:
            raise
        except FloorUnavailable:
            return refusal(Code.UNAVAILABLE)
        return refusal(Code.NO_SUCH_TABLE, table=table.id) if reply is None else reply

    async def open(
        self, person: Person, message: OpenTableRequest
    ) -> ReplyMessage | RefusalMessage:
        """Open a table on a floor, and the floor with its first table."""
        return self._reply_message(message.id, await self._open(person, message))

    async def enter_cards(
        self, person: Person, table: str, message: EnterCardsRequest
    ) -> ReplyMessage | RefusalMessage:
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

    async def _wallet(
        self, person: Person, message: SubmitCommandRequest, reply: Reply
    ) -> int | None:
        """What the player's wallet holds after a command that moves its money."""
        if person.role is not Role.PLAYER or isinstance(reply, Refusal):
            return None
        if message.command["command"] not in _WALLET_COMMANDS:
            return None
        return await asyncio.to_thread(self._house.database.wallet, person.name)

    def _reply_message(
        self, id: str, reply: Reply, wallet: int | None = None
    ) -> ReplyMessage | RefusalMessage:
        match reply:
            case Acceptance(index):
                self._metrics.commands.labels("accepted").inc()
                return ReplyMessage(type="reply", id=id, index=index, wallet=wallet)
            case Refusal(code, case_):
                self._metrics.commands.labels("refused").inc()
                return RefusalMessage(id=id, code=code.value, case=case_, say=reply.message)
