"""What each irregularity would do, before anybody reports it: what a dealer and a supervisor see
when they decide. It follows from reporting it, and from no card that lies face down."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headsup.game.refusal import Refusal
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.evolve import evolve
from headsup.game.round.irregularities import irregularity_rule, report_irregularity, reporting_rule
from headsup.game.round.state import Round
from headsup.game.rulebook.irregularity import Cause, Resolution
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents


@dataclass(frozen=True, slots=True)
class StakePreview:
    """Of one seat whose hand would be void: what goes back, and what is settled all the same."""

    seat: int
    returned: Mapping[Wager, Cents]
    settled: Mapping[Wager, Cents]


@dataclass(frozen=True, slots=True)
class IrregularityPreview:
    """One way to resolve one cause at this moment."""

    cause: Cause
    seat: int | None
    resolution: Resolution
    clause: str
    house_rule: bool
    reopened: bool  # the seat may decide again
    stakes: tuple[StakePreview, ...]


def preview_irregularities(round: Round) -> tuple[IrregularityPreview, ...]:
    """Everything that may be reported now, in the order of the causes."""
    return tuple(_previews(round))


def _previews(round: Round) -> Iterator[IrregularityPreview]:
    for cause in round.rules.book.irregularities:
        seats = sorted(round.seats) if reporting_rule(cause).of_a_seat else [None]
        for seat in seats:
            for resolution in Resolution:
                found = _preview(round, cause, seat, resolution)
                if found is not None:
                    yield found


def _preview(
    round: Round, cause: Cause, seat: int | None, resolution: Resolution
) -> IrregularityPreview | None:
    asked = ReportIrregularity(cause, "dealer", "supervisor", seat, resolution, "")
    events = report_irregularity(round, asked)
    if isinstance(events, Refusal):
        return None
    after = round
    for event in events:
        after = evolve(after, event)
    rule = irregularity_rule(round, cause)
    reopened = seat is not None and after.seats[seat].owes and not round.seats[seat].owes
    return IrregularityPreview(
        cause, seat, resolution, rule.clause, rule.house_rule, reopened, _stakes(round, after)
    )


def _stakes(before: Round, after: Round) -> tuple[StakePreview, ...]:
    """Of the hands that become void by it."""
    found = []
    for play in after.plays({}):
        if play.void is None or before.seats[play.seat].void is not None:
            continue
        settles = play.void.settles if after.deck else ()
        stakes = dict(play.stakes)
        if play.multiple:
            stakes[Wager.RAISE] = play.multiple * play.stakes[Wager.ANTE]
        found.append(
            StakePreview(
                play.seat,
                {wager: cents for wager, cents in stakes.items() if wager not in settles},
                {wager: cents for wager, cents in stakes.items() if wager in settles},
            )
        )
    return tuple(found)
