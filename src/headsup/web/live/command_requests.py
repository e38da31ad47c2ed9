"""From a person's message to the answer of a table: the one way in for commands.

The command is read strictly, its asker must be allowed to ask it, what takes two persons has its
second one proved by name and password; then the floor's owner decides it.
"""

import time
from dataclasses import replace

from headsup.game.record.command_codec import read_command, write_command
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.state import Round
from headsup.game.rulebook.loader import ensure_book_id
from headsup.game.table.commands import Actor, Command, OpenRound, OpenTable
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import Table
from headsup.house.dealing.pace import Timings, timing_refusals
from headsup.house.dealing.real_cards import parse_deal
from headsup.house.floor.host import Acceptance, CommandRequest, FloorUnavailable, Reply
from headsup.house.house import House
from headsup.house.integrity.restore_guard import has_known_cards
from headsup.house.people.accounts import AccountRefusal, Accounts, Person, Role
from headsup.house.people.path_names import is_path_part
from headsup.house.people.permissions import (
    SUPERVISORS,
    approver_refusal,
    permission,
    permission_refusal,
    role_refusal,
    sign_command,
)
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
# What goes on with a round.
DEALING_COMMANDS = (OpenRound, CloseBets, DealCards, Proceed, TimeOut)
# What brings it nearer to being won or lost.
PLAYING_COMMANDS = (PlaceBets, WithdrawBets, Check, Raise, Fold, Proceed, TimeOut)


def round_to_deal(person: Person, table: Table) -> Round:
    """The round for which this person may enter cards; raises Refused."""
    if forbids := permission_refusal(person, table, _ANY_DECK):
        raise Refused.of(forbids)
    if table.round is None:
        raise Refused(Code.NO_ROUND)
    return table.round


def check_path_names(floor: str, table: str) -> Refusal | None:
    """Why nobody could ask for this table. Not a rule of the game: a log may hold such names."""
    if not is_path_part(floor):
        return refusal(Code.BAD_NAME, "floor")
    return None if is_path_part(table) else refusal(Code.BAD_NAME, "table")


def check_pace(opening: OpenTable, pace: PaceSeconds | None) -> dict[str, Refusal]:
    """By field, what is wrong with the pace that a table is to be opened with."""
    if pace is None:
        return {}
    if opening.shuffle is ShuffleSource.ENTERED:
        return {"pace": refusal(Code.BAD_TIMING, "by_hand")}
    wrong = timing_refusals(pace.model_dump())
    return {f"pace.{step}": refused for step, refused in wrong.items()}


async def prove_approver(
    accounts: Accounts,
    person: Person,
    approval: Approval | None,
    roles: frozenset[Role] = SUPERVISORS,
) -> Person:
    """The one of these roles who approves what this person asks; raises Refused where nobody fit
    is proved by name and password, or too many wait to be."""
    if approval is None:
        case = "approval" if roles == SUPERVISORS else "staff"
        raise Refused(Code.NEEDS_TWO_PEOPLE, case)
    if approval.name == person.name:
        raise Refused(Code.NEEDS_TWO_PEOPLE, "same", name=person.name)
    proved = await accounts.proving.run(accounts.prove, approval.name, approval.password)
    match proved:
        case AccountRefusal.LOCKED:
            raise Refused(Code.BAD_APPROVAL, "locked")
        case Person():
            if refused := approver_refusal(person, proved, roles):
                raise Refused.of(refused)
            return proved
        case _:
            raise Refused(Code.BAD_APPROVAL, "wrong")


class CommandDesk:
    """Where commands are handed in, over a socket or by HTTP."""

    def __init__(self, house: House, accounts: Accounts, metrics: Metrics) -> None:
        self._house, self._accounts, self._metrics = house, accounts, metrics

    async def ask(
        self, person: Person, table: str, message: SubmitCommandRequest, due: str = ""
    ) -> AnsweredMessage | DeclinedMessage:
        """What a table answers; the same again when the message is sent again. `next_step` is the
        key of what it does, where it is to be done only while that is due."""
        return self._told(message.id, await self._ask(person, table, message, due))

    async def open(
        self, person: Person, message: OpenTableRequest
    ) -> AnsweredMessage | DeclinedMessage:
        """Open a table on a floor, and the floor with its first table."""
        return self._told(message.id, await self._open(person, message))

    async def enter(
        self, person: Person, table: str, message: EnterCardsRequest
    ) -> AnsweredMessage | DeclinedMessage:
        """Deal the cards that a dealer typed, where real cards are dealt."""
        return self._told(message.id, await self._enter(person, table, message))

    async def _enter(self, person: Person, table: str, message: EnterCardsRequest) -> Reply:
        host = await self._house.find(table)
        at = self._house.table(table)
        if host is None or at is None:
            return refusal(Code.NO_SUCH_TABLE, table=table)
        try:
            dealing = parse_deal(round_to_deal(person, at), message.text)
        except Refused as refused:
            # Perhaps it was dealt, and does not fit the round that has followed.
            by, command = sign_command(person, None, _ANY_DECK)
            before = CommandRequest(message.id, table, by, command, person, typed=message.text)
            return await host.kept(before) or refused.refusal
        asked = SubmitCommandRequest(id=message.id, command=write_command(dealing))
        return await self._ask(person, table, asked, typed=message.text)

    async def _ask(
        self,
        person: Person,
        table: str,
        message: SubmitCommandRequest,
        due: str = "",
        typed: str = "",
    ) -> Reply:
        started = time.monotonic()
        if await self._house.find(table) is None:
            return refusal(Code.NO_SUCH_TABLE, table=table)
        try:
            command = read_command(message.command)
            # Before a password is looked at; whose seat it is, the floor's owner looks.
            if forbids := role_refusal(person, self._house.table(table), command):
                return forbids
            by, command = await self._signed(person, command, message.approval)
            asked = CommandRequest(message.id, table, by, command, person, due=due, typed=typed)
            if paused := self._paused(asked):
                return await self._kept(asked) or paused
            reply = await self._house.ask(asked)
        except Refused as refused:
            return refused.refusal
        except FloorUnavailable:
            return refusal(Code.UNAVAILABLE)
        self._metrics.answered.observe(time.monotonic() - started)
        return refusal(Code.NO_SUCH_TABLE, table=table) if reply is None else reply

    async def _open(self, person: Person, message: OpenTableRequest) -> Reply:
        try:
            opening = read_command(message.command)
            if not isinstance(opening, OpenTable):
                return refusal(Code.BAD_MESSAGE)
            if forbids := permission_refusal(person, None, opening):
                return forbids
            if refused := check_path_names(message.floor, message.table):
                return refused
            if refused := next(iter(check_pace(opening, message.pace).values()), None):
                return refused
            pace = None if message.pace is None else Timings(**message.pace.model_dump())
            opening = replace(opening, rules=ensure_book_id(opening.rules))
            by, command = await self._signed(person, opening, message.approval)
            await self._house.diary.authenticate()
            asked = CommandRequest(message.id, message.table, by, command, person, pace)
            return await self._house.open_table(message.floor, asked)
        except Refused as refused:
            return refused.refusal
        except FloorUnavailable:
            return refusal(Code.UNAVAILABLE)

    def _paused(self, asked: CommandRequest) -> Refusal | None:
        """While a table is paused nothing is dealt there; players may still decide and leave, and
        what has gone wrong can be mended. Where cards may be known nobody plays at all."""
        why, table = self._house.attendances.of(asked.table).paused, self._house.table(asked.table)
        if why and isinstance(asked.command, DEALING_COMMANDS):
            return refusal(Code.PAUSED, why=why)
        if not isinstance(asked.command, PLAYING_COMMANDS) or table is None or table.round is None:
            return None
        known = bool(table.round.seats) and has_known_cards(self._house, table)
        return refusal(Code.KNOWN_CARDS, round=table.rounds) if known else None

    async def _kept(self, asked: CommandRequest) -> Reply | None:
        """It may have been done before the table was paused, and be asked again."""
        host = self._house.host_of(asked.table)
        return None if host is None else await host.kept(asked)

    async def _signed(
        self, person: Person, command: Command, approval: Approval | None
    ) -> tuple[Actor, Command]:
        """Raises Refused where a second person is needed and nobody fit is proved."""
        if not permission(command).two_persons:
            return sign_command(person, None, command)
        second = await prove_approver(self._accounts, person, approval)
        return sign_command(person, second, command)

    def _told(self, id: str, reply: Reply) -> AnsweredMessage | DeclinedMessage:
        match reply:
            case Acceptance(index):
                self._metrics.commands.labels("accepted").inc()
                return AnsweredMessage(id=id, index=index)
            case Refusal(code):
                self._metrics.commands.labels("refused").inc()
                return DeclinedMessage(id=id, code=code.value, message=reply.message)
