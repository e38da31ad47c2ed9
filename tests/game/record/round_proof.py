"""Makes the proof of a settled round from the record (R95)."""

from collections.abc import Iterable

from headsup.game.table.round_history import RoundProof, SettledRound, make_round_proof
from headsup.game.table.state import Floor


def find_round_proof(floors: Iterable[Floor], table_id: str, number: int) -> RoundProof | None:
    """The proof of that round, given all floors that the record leads through."""
    settled: list[SettledRound] = []
    for floor in floors:
        table = floor.tables.get(table_id)
        last = table.past.last if table is not None else None
        if last is not None and (not settled or settled[-1].number != last.number):
            settled.append(last)
    places = [place for place, item in enumerate(settled) if item.number == number]
    return make_round_proof(settled, places[0]) if places else None
