"""Previews what each irregularity would do, for the dealer and supervisor who decide on it.

A preview reports the irregularity on a copy of the round; it reveals no face-down card.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headsup.game.refusal import Refusal
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.irregularities import report_irregularity, reporting_rule
from headsup.game.round.state import Round
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class StakePreview:
    """A seat whose hand would be void: the stakes returned, and those settled nevertheless."""

    seat: int
    returned: Mapping[Wager, Cents]
    settled: Mapping[Wager, Cents]


@dataclass(frozen=True, slots=True)
class IrregularityPreview:
    """One way to resolve one cause at this point of the round."""

    cause: Cause
    seat: int | None
    resolution: Resolution
    clause: str
    house_rule: bool
    reopened: bool  # whether the seat may decide again
    stakes: tuple[StakePreview, ...]


def preview_irregularities(round: Round) -> tuple[IrregularityPreview, ...]:
    """Everything that may be reported now, in the order of the book's causes."""
    return tuple(_previews(round))


def _previews(round: Round) -> Iterator[IrregularityPreview]:
    for cause in round.rules.book.irregularities:
        seats = sorted(round.seats) if reporting_rule(cause).names_seat else [None]
        for seat in seats:
            for resolution in Resolution:
                preview = _preview(round, cause, seat, resolution)
                if preview is not None:
                    yield preview


def _preview(
    round: Round, cause: Cause, seat: int | None, resolution: Resolution
) -> IrregularityPreview | None:
    report = ReportIrregularity(cause, "dealer", "supervisor", seat, resolution, "")
    events = report_irregularity(round, report)
    if isinstance(events, Refusal):
        return None
    after = round
    for event in events:
        after = event.apply_to(after)
    rule = round.irregularity_rule(cause)
    reopened = (
        seat is not None and after.seats[seat].owes_decision and not round.seats[seat].owes_decision
    )
    return IrregularityPreview(
        cause, seat, resolution, rule.clause, rule.house_rule, reopened, _stakes(round, after)
    )


def _stakes(before: Round, after: Round) -> tuple[StakePreview, ...]:
    """The stakes of hands that become void."""
    previews = []
    for play in after.seat_plays({}):
        if play.void is None or before.seats[play.seat].void is not None:
            continue
        settles = play.void.settles if after.dealt else ()
        stakes = dict(play.stakes)
        if play.multiple:
            stakes[Wager.RAISE] = play.multiple * play.stakes[Wager.ANTE]
        previews.append(
            StakePreview(
                play.seat,
                {wager: cents for wager, cents in stakes.items() if wager not in settles},
                {wager: cents for wager, cents in stakes.items() if wager in settles},
            )
        )
    return tuple(previews)
