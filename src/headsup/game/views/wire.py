"""Turns views into JSON values: money in dollars, cards and decisions as text."""

import json
from collections.abc import Callable, Mapping
from typing import Any, assert_never

from headsup.game.record.codec.base import TRUSTED_SCALARS, Codec, cached_codec, write_only_codec
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.rulebook.model import Cause, Pay
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.sealing import PublishedShuffle, write_published
from headsup.game.values.hands import Category
from headsup.game.values.money import Cents, Micros, format_cents, format_micros
from headsup.game.views.model import (
    HiddenDecision,
    LastRound,
    MeterView,
    OwedDecision,
    RaiseAmount,
    ResultView,
    SeatView,
    TabulatorView,
    View,
    VisibleDecision,
)
from headsup.game.views.posted import PostedView, PrizeRow

# Fields that are left out if they are None; other fields are written as null.
OMITTED_IF_NONE = frozenset(
    {"chips", "legal", "owing", "results", "dealer_category", "dealer_qualifies", "multiple"}
    | {"amount", "fair", "closed", "last", "coupons", "guests"}
)


def decision_text(decision: VisibleDecision) -> str:
    match decision:
        case HasRaised(street, multiple):
            return f"raise {multiple} {street.value}"
        case HasFolded():
            return "fold"
        case HasChecked():
            return "check"
        case OwedDecision():
            return "owes"
        case HiddenDecision():
            return "hidden"
        case Undecided():
            return ""
        case _:
            assert_never(decision)


def _text_codec(write: Callable[[Any], str], *classes: type[Any]) -> Any:
    return write_only_codec(classes, str, write)


WIRE_CODECS = {
    **TRUSTED_SCALARS,
    Cents: _text_codec(format_cents, int),
    Micros: _text_codec(format_micros, int),
    VisibleDecision: _text_codec(
        decision_text, HasRaised, HasFolded, HasChecked, Undecided, OwedDecision, HiddenDecision
    ),
    Cause | None: _text_codec(lambda cause: cause.value if cause else "", Cause, type(None)),
    Category: _text_codec(lambda category: category.key, Category),
    Pay: _text_codec(lambda pay: pay.short, Pay),
    PublishedShuffle: write_only_codec((PublishedShuffle,), dict, write_published),
}


# Amounts as whole numbers, for the parts of a live view.
PART_CODECS = CodecRegistry(
    {kind: codec for kind, codec in WIRE_CODECS.items() if kind not in (Cents, Micros)}
)


def _cached_codec(kind: Any, overrides: Mapping[Any, Codec]) -> Codec:
    """A codec that caches what it writes: many views contain the same value."""
    return cached_codec(CodecRegistry(overrides).codec_for(kind))


_SEAT_CODECS: Mapping[Any, Codec] = {
    **WIRE_CODECS,
    Mapping[Wager, Cents]: _cached_codec(Mapping[Wager, Cents], WIRE_CODECS),
    tuple[RaiseAmount, ...]: _cached_codec(tuple[RaiseAmount, ...], WIRE_CODECS),
}
VIEW_CODECS = CodecRegistry(
    {
        **WIRE_CODECS,
        PostedView: _cached_codec(PostedView, WIRE_CODECS),
        SeatView: _cached_codec(SeatView, _SEAT_CODECS),
        ResultView: _cached_codec(ResultView, WIRE_CODECS),
        **{kind: _cached_codec(kind, WIRE_CODECS) for kind in (MeterView, TabulatorView)},
        **{
            kind: _cached_codec(kind, WIRE_CODECS)
            for kind in (Mapping[int, str], tuple[Wager, ...])
        },
        tuple[PrizeRow, ...]: _cached_codec(tuple[PrizeRow, ...], WIRE_CODECS),
    }
)


def write_view(view: View) -> dict[str, Any]:
    written = _omit_empty(_to_json(type(view), view))
    if written["round"] is not None:
        written["round"] = _omit_empty(written["round"])
    if "legal" in written:
        written["legal"] = [_omit_empty(action) for action in written["legal"]]
    return written


def write_last_round(last: LastRound) -> dict[str, Any]:
    """The last round as in the display's view."""
    return _to_json(LastRound, last)


def _to_json(kind: type[Any], value: Any) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(VIEW_CODECS.codec_for(kind).text(value))
    return written


def _omit_empty(written: dict[str, Any]) -> dict[str, Any]:
    return {
        key: item for key, item in written.items() if item is not None or key not in OMITTED_IF_NONE
    }


def write_meter(meter: MeterView | None) -> dict[str, Any] | None:
    return None if meter is None else _to_json(MeterView, meter)
