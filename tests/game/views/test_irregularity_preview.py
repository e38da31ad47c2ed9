"""A preview of an irregularity matches what then happens."""

import pytest

from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import Resolution
from headsup.game.rulebook.wagers import Result
from headsup.game.settlement.model import Line
from headsup.game.views.irregularity_preview import preview_irregularities
from tests.support.tables import BOOKS, Play, table_at

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
def test_previews_match_what_happens(book: str, phase: Phase) -> None:
    start = table_at(phase, book)
    previews = preview_irregularities(start.round)
    assert any(preview.stakes for preview in previews)
    for preview in previews:
        play = Play(start.floor)
        play.does(ReportIrregularity(preview.cause, "Dee", "Sue", preview.seat, preview.resolution))
        decides = set(play.round.seats_owing()) - set(start.round.seats_owing())
        assert decides == ({preview.seat} if preview.reopened else set())
        void = {number for number, seat in play.round.seats.items() if seat.void is not None}
        assert {stakes.seat for stakes in preview.stakes} == void
        if preview.resolution is not Resolution.VOID:
            continue
        play.reaches(Phase.SETTLED)
        for stakes in preview.stakes:
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


def test_there_are_no_previews_before_bets_close_or_after_a_void() -> None:
    assert preview_irregularities(table_at(Phase.BETTING).round) == ()
    play = table_at(Phase.FLOP)
    first = next(
        preview
        for preview in preview_irregularities(play.round)
        if preview.seat is None and preview.stakes
    )
    play.does(ReportIrregularity(first.cause, "Dee", "Sue", None, first.resolution))
    assert preview_irregularities(play.round) == ()
