"""A table's sealed shuffles: sealed before its round opens, opened when it is closed.

Nothing here is secret: the house says the commitment, and afterwards the server seed, which must
be the one that was committed to and must make the deck that was dealt. A round opens only under a
seal, and the next is sealed only when the last was opened, so none can be kept back.
"""

from typing import assert_never

from headsup.game.refusal import Code, Refusal, refusal
from headsup.game.round.state import Phase
from headsup.game.table.commands import AddSeed, OpenShuffle, SealCommand, SealShuffle
from headsup.game.table.events import Answer, SealEvent, SeedAdded, ShuffleOpened, ShuffleSealed
from headsup.game.table.floor_update import BrokenRecord
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
from headsup.game.table.state import Table


def refuse_unsealed(table: Table) -> Refusal | None:
    """Why the next round cannot be opened yet."""
    if table.shuffle is not ShuffleSource.SEALED:
        return None
    if table.sealed is None:
        return refusal(Code.NOT_SEALED, "before_the_round", round=table.rounds + 1)
    return _still_sealed(table) if table.sealed.round <= table.rounds else None


def _still_sealed(table: Table) -> Refusal:
    return refusal(Code.STILL_SEALED, round=table.sealed.round if table.sealed else 0)


def decide_seal(table: Table, command: SealCommand) -> Answer:
    if table.shuffle is not ShuffleSource.SEALED:
        return refusal(Code.NOT_SEALED, "table", table=table.id)
    match command:
        case SealShuffle(commitment):
            return _seal(table, commitment)
        case AddSeed(seat, text):
            return _add_seed(table, seat, text)
        case OpenShuffle(server_seed):
            return _open(table, server_seed)
        case _:
            assert_never(command)


def _seal(table: Table, commitment: str) -> Answer:
    if table.sealed is not None:
        return _still_sealed(table)
    if not is_256_bits(commitment):
        return refusal(Code.BAD_SEED, "commitment")
    return (ShuffleSealed(table.rounds + 1, commitment),)


def _add_seed(table: Table, seat: int, text: str) -> Answer:
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


def _open(table: Table, server_seed: str) -> Answer:
    sealed, round = table.sealed, table.round
    if sealed is None or round is None or sealed.round != round.number:
        return refusal(Code.NOT_SEALED, "no_round")
    if round.phase is not Phase.CLOSED:
        return refusal(Code.ROUND_OPEN, "not_closed", round=round.number)
    if not is_256_bits(server_seed):
        return refusal(Code.BAD_SEED, "server")
    if commitment_to(table.id, sealed.round, server_seed) != sealed.commitment:
        return refusal(Code.SEED_DIFFERS, "commitment", round=sealed.round)
    deck = deck_from(table.id, sealed.round, server_seed, sealed.seeds)
    if round.deck and round.deck != deck:
        return refusal(Code.SEED_DIFFERS, "deck", round=sealed.round)
    opened = ShuffleOpened(sealed.round, sealed.commitment, server_seed, sealed.seeds, deck)
    return (opened,)


def evolve_seal(table: Table, event: SealEvent) -> Table:
    match event:
        case ShuffleSealed(round, commitment):
            return table._replace(sealed=SealedShuffle(round, commitment))
        case SeedAdded(seat, text):
            if table.sealed is None:
                raise BrokenRecord(f"table {table.id}: a seed for no sealed shuffle")
            seeds = dict(sorted({**table.sealed.seeds, seat: text}.items()))
            return table._replace(sealed=table.sealed._replace(seeds=seeds))
        case ShuffleOpened():
            opened = PublishedShuffle(
                table.id, event.round, event.commitment, event.server_seed, event.seeds, event.deck
            )
            return table._replace(sealed=None, opened=opened)
        case _:
            assert_never(event)
