"""Corrects a wrong payout with a further entry, however long ago the round was (R95)."""

from dataclasses import dataclass

from headsup.game.bank.ledger import Reason, Transfer, bank_account, cage_account
from headsup.game.refusal import Code, Refusal, refusal, show_value
from headsup.game.round.audience import Audience, PlayerOnly, Sentence
from headsup.game.rulebook.model import RuleBook
from headsup.game.table.postings import posting_reference
from headsup.game.table.round_history import RoundProof, SettledRound
from headsup.game.table.seating import refuse_amount, refuse_empty_seat
from headsup.game.table.state import Floor, Table, with_transfers
from headsup.game.values.money import MICROS_PER_CENT, Cents, show_dollars


@dataclass(frozen=True, slots=True)
class CorrectPayout:
    """Correct a wrong payout with a further entry (R95).

    A positive `amount` goes to the player, a negative one comes back. The round is the last one
    settled unless `recalled` proves an earlier one; `seat` is the player's seat in that round.
    `player` is needed if somebody else sits there now.
    """

    seat: int
    amount: Cents
    reason: str
    dealer: str
    supervisor: str
    player: str = ""
    recalled: RoundProof | None = None


@dataclass(frozen=True, slots=True)
class PayoutCorrected:
    seat: int
    amount: Cents
    round: int
    reason: str
    dealer: str
    supervisor: str
    player: str
    recalled: RoundProof | None

    @property
    def audience(self) -> Audience:
        return PlayerOnly(self.player)

    def sentence(self, _: RuleBook) -> Sentence:
        change = ("+" if self.amount > 0 else "") + show_dollars(self.amount)
        return f"Seat {self.seat}'s payout is corrected by {change}."


def decide_correction(
    floor: Floor, table: Table, command: CorrectPayout
) -> tuple[PayoutCorrected] | Refusal:
    seat, amount = command.seat, command.amount
    if refused := _refuse_undocumented(command):
        return refused
    settled = _disputed_round(table, command)
    if isinstance(settled, Refusal):
        return settled
    name = _player_in_round(table, command, settled)
    if isinstance(name, Refusal):
        return name
    if not amount:
        return refusal(Code.BAD_AMOUNT, "correction", where=f"seat {seat}: correction")
    if refused := refuse_amount(abs(amount), f"seat {seat}: correction"):
        return refused
    chips = floor.ledger.balance(table.chips_account_of(name)) // MICROS_PER_CENT
    if -amount > chips:
        return refusal(Code.NOT_ENOUGH_CHIPS, seat=seat, chips=chips, cents=-amount)
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    return (
        PayoutCorrected(
            seat,
            amount,
            settled.number,
            command.reason,
            dealer,
            supervisor,
            name,
            command.recalled,
        ),
    )


def evolve_correction(floor: Floor, table: Table, event: PayoutCorrected) -> Floor:
    """To or from the player's chips; a player who has left is paid at the cage."""
    chips, tray = table.chips_account_of(event.player), bank_account(table.id)
    debit, credit = (tray, chips) if event.amount > 0 else (chips, tray)
    amount = abs(event.amount) * MICROS_PER_CENT
    ref = f"{posting_reference(table)} {event.round} {event.reason}"
    correction = Transfer(debit, credit, amount, Reason.PAYOUT_CORRECTION, ref)
    if event.player in table.players.values():
        return with_transfers(floor, (correction,))
    paid = Transfer(chips, cage_account(), amount, Reason.CASH_OUT, ref)
    return with_transfers(floor, (correction, paid))


def _refuse_undocumented(command: CorrectPayout) -> Refusal | None:
    dealer, supervisor = command.dealer.strip(), command.supervisor.strip()
    if not dealer or not supervisor or dealer.casefold() == supervisor.casefold():
        return refusal(Code.NEEDS_TWO_PEOPLE, "correction")
    return None if command.reason.strip() else refusal(Code.NEEDS_REASON, "correction")


def _disputed_round(table: Table, command: CorrectPayout) -> SettledRound | Refusal:
    """The round in question: the last one, or an earlier one with a proof from the record."""
    if command.recalled is not None:
        if not table.past.proves(command.recalled):
            return refusal(Code.NO_ROUND, "recalled", round=command.recalled.round.number)
        return command.recalled.round
    return table.past.last or refusal(Code.NO_ROUND, "paid")


def _player_in_round(table: Table, command: CorrectPayout, settled: SettledRound) -> str | Refusal:
    """Who held the seat in that round: the player named, or the one who still sits there."""
    seat = command.seat
    if not command.player and (refused := refuse_empty_seat(table, seat)):
        return refused
    name = command.player or table.players[seat]
    if settled.player(seat) != name:
        return refusal(Code.NOT_IN_ROUND, where=f"seat {show_value(seat)}", round=settled.number)
    return name
