"""Views as JSON-ready values: money in dollars, cards and decisions as text."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, assert_never

from headsup.game.record.codec.base import Form, write_only
from headsup.game.record.codec.registry import Codecs
from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.rulebook.irregularity import Cause
from headsup.game.rulebook.model import Pay
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.sealing import Published, write_published
from headsup.game.values.hands import Category
from headsup.game.values.identity_cache import Remembered
from headsup.game.values.money import Cents, Micros, format_cents, format_micros
from headsup.game.views.model import (
    Hidden,
    LastRound,
    MeterView,
    Owes,
    RaiseValue,
    ResultView,
    SeatView,
    ShownDecision,
    TabulatorView,
    View,
)
from headsup.game.views.posted import PostedView, PrizeRow

# Left out where there is nothing to say; all else is null or empty then.
LEFT_OUT = frozenset(
    {"chips", "legal", "owing", "results", "dealer_category", "dealer_qualifies", "multiple"}
    | {"amount", "fair", "closed", "last"}
)


def decision_text(decision: ShownDecision) -> str:
    match decision:
        case HasRaised(street, multiple):
            return f"raise {multiple} {street.value}"
        case HasFolded():
            return "fold"
        case HasChecked():
            return "check"
        case Owes():
            return "owes"
        case Hidden():
            return "hidden"
        case Undecided():
            return ""
        case _:
            assert_never(decision)


def _text(write: Callable[[Any], str], *classes: type[Any]) -> Any:
    return write_only(classes, str, write)


OWN = {
    Cents: _text(format_cents, int),
    Micros: _text(format_micros, int),
    ShownDecision: _text(decision_text, HasRaised, HasFolded, HasChecked, Undecided, Owes, Hidden),
    Cause | None: _text(lambda cause: cause.value if cause else "", Cause, type(None)),
    Category: _text(lambda category: category.key, Category),
    Pay: _text(lambda pay: pay.short, Pay),
    Published: write_only((Published,), dict, write_published),
}


_POSTED = Codecs(OWN).of(PostedView).write


@lru_cache(maxsize=1024)
def write_posted(posted: PostedView) -> dict[str, Any]:
    """Written once: what is posted is the same in every view."""
    written: dict[str, Any] = _POSTED(posted)
    return written


def _once(kind: Any, own: Mapping[Any, Form]) -> Form:
    """What is in many views, and in those of a moment later, is written once."""
    form = Codecs(own).of(kind)
    return form._replace(write=Remembered(form.write), text=Remembered(form.text))


_STAKED: Mapping[Any, Form] = {
    **OWN,
    Mapping[Wager, Cents]: _once(Mapping[Wager, Cents], OWN),
    tuple[RaiseValue, ...]: _once(tuple[RaiseValue, ...], OWN),
}
VIEWS = Codecs(
    {
        **OWN,
        PostedView: _once(PostedView, OWN)._replace(write=write_posted),
        SeatView: _once(SeatView, _STAKED),
        ResultView: _once(ResultView, OWN),
        **{kind: _once(kind, OWN) for kind in (MeterView, TabulatorView)},
        **{kind: _once(kind, OWN) for kind in (Mapping[int, str], tuple[Wager, ...])},
        tuple[PrizeRow, ...]: _once(tuple[PrizeRow, ...], OWN),
    }
)


def write_view(view: View) -> dict[str, Any]:
    written = _said(VIEWS.of(type(view)).write(view))
    if written["round"] is not None:
        written["round"] = _said(written["round"])
    if "legal" in written:
        written["legal"] = [_said(action) for action in written["legal"]]
    return written


def write_last(last: LastRound) -> dict[str, Any]:
    """As it stands in the display's view."""
    written: dict[str, Any] = VIEWS.of(LastRound).write(last)
    return written


def _said(written: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in written.items() if item is not None or key not in LEFT_OUT}


def write_meter(meter: MeterView | None) -> dict[str, Any] | None:
    written: dict[str, Any] | None = None if meter is None else VIEWS.of(MeterView).write(meter)
    return written
