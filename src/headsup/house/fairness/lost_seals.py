"""What the house does with a seal that cannot be opened, and before a table with a seal closes.

A seal is lost if its server seed is missing from the database or was altered there. Nothing is
dealt from it: the table is paused with the reason, and a significant event is recorded. Staff void
the round and report the lost seal, which every audit then names.
"""

from collections.abc import Awaitable, Callable, Mapping
from uuid import uuid4

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.table.commands import Command, Staff
from headsup.game.table.opening import CloseTable
from headsup.game.table.sealed_shuffles import OpenShuffle, ReportLostSeal
from headsup.game.table.state import Table
from headsup.house.dealing.known_cards import has_known_cards
from headsup.house.fairness.sealed_shuffles import LostSeal, SealFault, ShuffleSealer
from headsup.house.floor.request import CommandRequest, Reply
from headsup.house.incidents.system_events import IncidentQueue
from headsup.house.log import log
from headsup.house.store.projection_rows import IncidentKind

Submit = Callable[[CommandRequest], Awaitable[Reply | None]]


class LostSeals:
    """The lost seals that this server has come across. Each is recorded once, and pauses its table.

    `find_table` gives the table as it is now, and `pause` pauses it for a reason.
    """

    def __init__(
        self,
        incidents: IncidentQueue,
        find_table: Callable[[str], Table | None],
        pause: Callable[[Table, str], Awaitable[None]],
    ) -> None:
        self._incidents, self._find_table, self._pause = incidents, find_table, pause
        self._lost: dict[str, LostSeal] = {}

    def of(self, table: Table) -> LostSeal | None:
        """Why the table's present seal is lost, if it is. A seal that was opened is not."""
        lost = self._lost.get(table.id)
        return lost if lost is not None and _is_sealed_by(table, lost) else None

    async def report(self, floor: str, table: Table, lost: LostSeal) -> None:
        current = self._find_table(table.id)
        if current is None or not _is_sealed_by(current, lost):
            return  # opened meanwhile, and its seed deleted
        is_new, self._lost[table.id] = self.of(current) is None, lost
        if is_new:
            sealed = lost.sealed
            log.error("seal lost", table=table.id, round=sealed.round, why=lost.fault.value)
            is_missing = lost.fault is SealFault.MISSING
            kind = IncidentKind.DATA_LOSS if is_missing else IncidentKind.DATA_CHANGED
            details = {"why": lost.sentence, "round": sealed.round, "commitment": sealed.commitment}
            self._incidents.add(kind, details, floor, table.id)
            await self._incidents.flush()
        await self._pause(current, lost.sentence)


def _is_sealed_by(table: Table, lost: LostSeal) -> bool:
    return table.sealed is not None and table.sealed.commitment == lost.sealed.commitment


def stop_notice(table: Table, known_rounds: Mapping[str, int], lost_seals: LostSeals) -> str:
    """Why the table's round must stop, and what staff do about it; empty if it goes on."""
    if has_known_cards(table, known_rounds):
        return refusal(Code.KNOWN_CARDS, round=table.rounds).message
    lost = lost_seals.of(table)
    return "" if lost is None else lost_seal_refusal(lost).message


def lost_seal_refusal(lost: LostSeal) -> Refusal:
    """Why nothing can be dealt or opened, and what staff do about it."""
    return refusal(Code.SEAL_LOST, "staff", why=lost.sentence)


async def prepare_seal(
    table: Table, command: Command, sealer: ShuffleSealer, lost_seals: LostSeals, submit: Submit
) -> Refusal | None:
    """Open the seal of a table that is to be closed, and refuse to give up a seal that is there."""
    if table.sealed is None or table.is_playing:
        return None
    if isinstance(command, CloseTable) and not table.players:
        return await _open_seal(table, sealer, lost_seals, submit)
    if isinstance(command, ReportLostSeal):
        return await _refuse_giving_up(table, sealer, lost_seals)
    return None


async def _open_seal(
    table: Table, sealer: ShuffleSealer, lost_seals: LostSeals, submit: Submit
) -> Refusal | None:
    try:
        seal = await sealer.current_seal(table)
    except LostSeal as lost:
        return None if lost_seals.of(table) is None else lost_seal_refusal(lost)
    opening = OpenShuffle(seal.server_seed.hex())
    # Somebody may have opened it meanwhile. Whether it is open, the table itself decides.
    await submit(CommandRequest(uuid4().hex, table.id, Staff("dealer"), opening))
    return None


async def _refuse_giving_up(
    table: Table, sealer: ShuffleSealer, lost_seals: LostSeals
) -> Refusal | None:
    try:
        seal = await sealer.current_seal(table)
    except LostSeal:
        is_lost = lost_seals.of(table) is not None  # else another server has opened it
        return None if is_lost else refusal(Code.NOT_DUE_ANY_MORE)
    return refusal(Code.SEAL_NOT_LOST, round=seal.round)
