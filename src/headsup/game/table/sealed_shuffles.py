"""The commands and events of a table's sealed shuffles.

A shuffle is sealed before its round opens and opened after the round is closed. The server seed
must match the commitment and lead to the deck that was dealt. Every round needs a seal. Before the
last shuffle is opened, neither can the next be sealed nor the table be closed, so the house cannot
withhold one. A seal that cannot be opened is given up on record, signed by two people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from headsup.game.bank.meter_changes import refuse_unless_two_people
from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.audience import AT_THE_TABLE, StaffOnly, TableAndDisplay
from headsup.game.round.state import Phase
from headsup.game.table.sealing import (
    MAX_PLAYER_SEED_CHARACTERS,
    PublishedShuffle,
    SealedShuffle,
    commitment_to,
    deck_from,
    is_256_bits,
    is_player_seed,
)
from headsup.game.table.seating import refuse_empty_seat
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import BrokenRecord, Floor, Table, with_table
from headsup.game.values.cards import Cards


@dataclass(frozen=True, slots=True)
class SealShuffle:
    """The house commits to the shuffle of the next round (`game/table/sealing.py`)."""

    commitment: str


@dataclass(frozen=True, slots=True)
class AddSeed:
    """A player's text, mixed into a sealed shuffle until bets close; another one replaces it."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class OpenShuffle:
    """After the round, publish the server seed that the house committed to, in hex."""

    server_seed: str


@dataclass(frozen=True, slots=True)
class ReportLostSeal:
    """Give up a seal that cannot be opened. Two people sign, and every audit names it."""

    reason: str
    approvals: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ShuffleSealed:
    """The house has committed to the shuffle of this round, which is not open yet."""

    round: int
    commitment: str

    audience = TableAndDisplay()


@dataclass(frozen=True, slots=True)
class SeedAdded:
    seat: int
    text: str

    audience = AT_THE_TABLE


@dataclass(frozen=True, slots=True)
class ShuffleOpened:
    """Everything needed to check that a closed round's shuffle is the sealed one.

    The deck follows from the seeds, even if no card was dealt.
    """

    round: int
    commitment: str
    server_seed: str
    seeds: Mapping[int, str]
    deck: Cards

    audience = TableAndDisplay()  # it shows all cards, but the round is over


@dataclass(frozen=True, slots=True)
class SealLost:
    """The house gave up a seal that it could not open."""

    round: int
    commitment: str
    reason: str
    approvals: tuple[str, str]

    audience = StaffOnly()


SealCommand = SealShuffle | AddSeed | OpenShuffle | ReportLostSeal
SealEvent = ShuffleSealed | SeedAdded | ShuffleOpened | SealLost
SealAnswer = tuple[SealEvent, ...] | Refusal


def refuse_unsealed(table: Table) -> Refusal | None:
    """Why the next round cannot be opened yet."""
    if table.shuffle is not ShuffleSource.SEALED:
        return None
    if table.sealed is None:
        return refusal(Code.NOT_SEALED, "before_the_round", round=table.rounds + 1)
    return _unopened_refusal(table) if table.sealed.round <= table.rounds else None


def _unopened_refusal(table: Table) -> Refusal:
    return refusal(Code.STILL_SEALED, round=table.sealed.round if table.sealed else 0)


def decide_seal(table: Table, command: SealCommand) -> SealAnswer:
    if table.shuffle is not ShuffleSource.SEALED:
        return refusal(Code.NOT_SEALED, "table", table=table.id)
    match command:
        case SealShuffle(commitment):
            return _seal(table, commitment)
        case AddSeed(seat, text):
            return _add_seed(table, seat, text)
        case OpenShuffle(server_seed):
            return _open(table, server_seed)
        case ReportLostSeal(reason, approvals):
            return _report_lost(table, reason, approvals)
        case _:
            assert_never(command)


def _seal(table: Table, commitment: str) -> SealAnswer:
    if table.sealed is not None:
        return _unopened_refusal(table)
    if not is_256_bits(commitment):
        return refusal(Code.BAD_SEED, "commitment")
    return (ShuffleSealed(table.rounds + 1, commitment),)


def _add_seed(table: Table, seat: int, text: str) -> SealAnswer:
    if refused := refuse_empty_seat(table, seat):
        return refused
    if table.sealed is None:
        return refusal(Code.NOT_SEALED, "before_the_round", round=table.rounds + 1)
    round = table.round
    if round is not None and round.number == table.sealed.round and round.phase != Phase.BETTING:
        return refusal(Code.WRONG_PHASE, "seeds_are_in", where=f"seat {seat}", phase=round.phase)
    if not is_player_seed(text):
        return refusal(
            Code.BAD_SEED, "player", where=f"seat {seat}", most=MAX_PLAYER_SEED_CHARACTERS
        )
    return (SeedAdded(seat, text),)


def _open(table: Table, server_seed: str) -> SealAnswer:
    sealed = table.sealed
    # With nobody seated, a shuffle may be opened unused, so that the table can close.
    if sealed is None or (sealed.round > table.rounds and table.players):
        return refusal(Code.NOT_SEALED, "no_round")
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.rounds)
    if not is_256_bits(server_seed):
        return refusal(Code.BAD_SEED, "server")
    if commitment_to(table.id, sealed.round, server_seed) != sealed.commitment:
        return refusal(Code.SEED_DIFFERS, "commitment", round=sealed.round)
    deck = deck_from(table.id, sealed.round, server_seed, sealed.seeds)
    if deals_other_cards(table, deck):
        return refusal(Code.SEED_DIFFERS, "deck", round=sealed.round)
    opened = ShuffleOpened(sealed.round, sealed.commitment, server_seed, sealed.seeds, deck)
    return (opened,)


def deals_other_cards(table: Table, deck: Cards) -> bool:
    """Whether the sealed round was dealt from another deck than this one."""
    sealed, round = table.sealed, table.round
    if sealed is None or round is None or round.number != sealed.round:
        return False
    return round.dealt and round.deck != deck


def _report_lost(table: Table, reason: str, approvals: tuple[str, str]) -> SealAnswer:
    if table.sealed is None:
        return refusal(Code.NOT_SEALED, "nothing_to_open", table=table.id)
    if table.is_playing:
        return refusal(Code.ROUND_OPEN, "not_closed", round=table.rounds)
    if not reason.strip():
        return refusal(Code.NEEDS_REASON, "lost_seal")
    if refuse_unless_two_people(approvals):
        return refusal(Code.NEEDS_TWO_PEOPLE, "lost_seal")
    return (SealLost(table.sealed.round, table.sealed.commitment, reason, approvals),)


def evolve_seal(floor: Floor, table: Table, event: SealEvent) -> Floor:
    return with_table(floor, _with_seal(table, event))


def _with_seal(table: Table, event: SealEvent) -> Table:
    match event:
        case ShuffleSealed(round, commitment):
            return table._replace(sealed=SealedShuffle(round, commitment))
        case SeedAdded(seat, text):
            if table.sealed is None:
                raise BrokenRecord(f"table {table.id}: a seed was added without a sealed shuffle")
            seeds = dict(sorted({**table.sealed.seeds, seat: text}.items()))
            return table._replace(sealed=table.sealed._replace(seeds=seeds))
        case ShuffleOpened():
            opened = PublishedShuffle(
                table.id, event.round, event.commitment, event.server_seed, event.seeds, event.deck
            )
            return table._replace(sealed=None, opened=opened)
        case SealLost():
            return table._replace(sealed=None)
        case _:
            assert_never(event)
