"""What an irregularity is said to return or settle is what it then returns or settles."""

import pytest

from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.irregularity import Resolution
from headsup.game.rulebook.wagers import Result
from headsup.game.settlement.model import Line
from headsup.game.views.irregularity_preview import preview_irregularities
from tests.tables import BOOKS, Play, at

MOMENTS = (
    Phase.NO_MORE_BETS,
    Phase.POCKET,
    Phase.FLOP_DUE,
    Phase.FLOP,
    Phase.RIVER,
    Phase.REVEAL_DUE,
    Phase.SETTLEMENT_DUE,
)


def lines(play: Play, seat: int) -> tuple[Line, ...]:
    assert play.round.settlement is not None
    return play.round.settlement.seat(seat).lines


@pytest.mark.parametrize("phase", MOMENTS, ids=str)
@pytest.mark.parametrize("book", BOOKS)
def test_what_is_foreseen_happens(book: str, phase: Phase) -> None:
    start = at(phase, book)
    found = preview_irregularities(start.round)
    assert any(one.stakes for one in found)
    for one in found:
        play = Play(start.floor)
        play.does(ReportIrregularity(one.cause, "Dee", "Sue", one.seat, one.resolution))
        decides = set(play.round.owing()) - set(start.round.owing())
        assert decides == ({one.seat} if one.reopened else set())
        void = {number for number, seat in play.round.seats.items() if seat.void is not None}
        assert {stakes.seat for stakes in one.stakes} == void
        if one.resolution is not Resolution.VOID:
            continue
        play.reaches(Phase.SETTLED)
        for stakes in one.stakes:
            settled = {line.wager: line for line in lines(play, stakes.seat)}
            returned = {
                wager: line.stake for wager, line in settled.items() if line.result is Result.VOID
            }
            assert stakes.returned == returned
            assert stakes.settled == {
                wager: line.stake
                for wager, line in settled.items()
                if line.result is not Result.VOID
            }


def test_nothing_is_foreseen_before_bets_are_closed_or_after_a_void() -> None:
    assert preview_irregularities(at(Phase.BETTING).round) == ()
    play = at(Phase.FLOP)
    first = next(
        one for one in preview_irregularities(play.round) if one.seat is None and one.stakes
    )
    play.does(ReportIrregularity(first.cause, "Dee", "Sue", None, first.resolution))
    assert preview_irregularities(play.round) == ()
