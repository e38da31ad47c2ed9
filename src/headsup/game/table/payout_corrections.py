"""Corrects a wrong payout with a further entry, however long ago the round was (R95)."""

from dataclasses import dataclass, replace

from headsup.game.bank.ledger import Reason, Transfer, cage_account
from headsup.game.refusal import Code, Refusal, refusal, show_value
from headsup.game.round.audience import Audience, PlayerOnly
from headsup.game.table.chips.felt import is_guest_name
from headsup.game.table.postings import posting_reference
from headsup.game.table.seating import refuse_amount, refuse_empty_seat
from headsup.game.table.state import Floor, SettledRound, Table, with_transfers
from headsup.game.values.money import MICROS_PER_CENT, Cents


@dataclass(frozen=True, slots=True)
class CorrectPayout:
    """Correct a wrong payout with a further entry (R95).

    A positive `amount` goes to the player, a negative one comes back. `round` is 0 for the last one
    settled; `seat` is the player's seat in that round. `player` is needed for an earlier round, and
    if somebody else sits there now.
    """

    seat: int
    amount: Cents
    reason: str
    dealer: str
    supervisor: str
    player: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class PayoutCorrected:
    seat: int
    amount: Cents
    round: int
    reason: str
    dealer: str
    supervisor: str
    player: str

    @property
    def audience(self) -> Audience:
        return PlayerOnly(self.player)


def decide_correction(
    floor: Floor, table: Table, command: CorrectPayout
) -> tuple[PayoutCorrected] | Refusal:
    seat, amount = command.seat, command.amount
    if refused := _refuse_undocumented(command):
        return refused
    last = table.last_settled
    if last is None:
        return refusal(Code.NO_ROUND, "paid")
    if not command.player and (refused := refuse_empty_seat(table, seat)):
        return refused
    if is_of_earlier_round(table, command):
        if not command.player:
            return refusal(Code.NOT_IN_ROUND, where=f"seat {show_value(seat)}", round=command.round)
    elif refused := refuse_correction(last, replace(command, player=_player(table, command))):
        return refused
    name = _player(table, command)
    if not amount:
        return refusal(Code.BAD_AMOUNT, "correction", where=f"seat {seat}: correction")
    if refused := refuse_amount(abs(amount), f"seat {seat}: correction"):
        return refused
    chips = floor.ledger.balance(table.purse_of(name)) // MICROS_PER_CENT
    if -amount > chips and not is_guest_name(name):
        return refusal(Code.NOT_ENOUGH_CHIPS, seat=seat, chips=chips, cents=-amount)
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    return (
        PayoutCorrected(
            seat,
            amount,
            command.round or last.number,
            command.reason,
            dealer,
            supervisor,
            name,
        ),
    )


def evolve_correction(floor: Floor, table: Table, event: PayoutCorrected) -> Floor:
    """To or from the player's chips; an account that has left is paid at the cage."""
    chips, tray = table.purse_of(event.player), table.tray_of(event.player)
    debit, credit = (tray, chips) if event.amount > 0 else (chips, tray)
    amount = abs(event.amount) * MICROS_PER_CENT
    ref = f"{posting_reference(table)} {event.round} {event.reason}"
    correction = Transfer(debit, credit, amount, Reason.PAYOUT_CORRECTION, ref)
    if event.player in table.players.values() or is_guest_name(event.player):
        return with_transfers(floor, (correction,))
    paid = Transfer(chips, cage_account(), amount, Reason.CASH_OUT, ref)
    return with_transfers(floor, (correction, paid))


def _refuse_undocumented(command: CorrectPayout) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "correction")
    return None if command.reason.strip() else refusal(Code.NEEDS_REASON, "correction")


def _player(table: Table, command: CorrectPayout) -> str:
    """The player named, or the one who still sits there."""
    return command.player or table.players[command.seat]


# Earlier rounds. A table knows only its last. Who played in an earlier one, the house looks up
# before it decides, and the audit knows from the log. Both ask the same question.


def is_of_earlier_round(table: Table, command: CorrectPayout) -> bool:
    last = table.last_settled
    return last is not None and 0 < command.round < last.number


def refuse_correction(settled: SettledRound | None, command: CorrectPayout) -> Refusal | None:
    """The refusal unless this round was settled, with this player in this seat."""
    if settled is None or command.round not in (0, settled.number):
        return refusal(Code.NO_ROUND, "settled", round=command.round)
    if settled.player(command.seat) != command.player:
        where = f"seat {show_value(command.seat)}"
        return refusal(Code.NOT_IN_ROUND, where=where, round=settled.number)
    return None
