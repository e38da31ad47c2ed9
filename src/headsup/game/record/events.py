"""Events as JSON and back, for the log: every field by name, cards as text, fractions exact."""

from dataclasses import fields
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Any, get_args

from headsup.game.cards import format_cards, parse_cards
from headsup.game.irregularity import Cause, Resolution
from headsup.game.refusal import Refused
from headsup.game.round import events as round_events
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.settlement import Line, SeatSettlement, Settlement
from headsup.game.table import events as table_events
from headsup.game.values import Values
from headsup.game.wagers import Result, Street, Wager


def _classes(union: UnionType) -> dict[str, type[Any]]:
    return {kind.__name__: kind for kind in get_args(union)}


_EVENTS: dict[str, type[Any]] = _classes(table_events.Event)
_CARDS = {"deck", "cards"}


def write_event(event: table_events.Event) -> dict[str, Any]:
    """`{"event": "Raised", "seat": 1, …}`, ready for canonical JSON."""
    written: dict[str, Any] = {"event": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        written[field.name] = format_cards(value) if field.name in _CARDS else _written(value)
    return written


def _written(value: Any) -> Any:
    if isinstance(value, Settlement):
        return _write_settlement(value)
    if isinstance(value, Values):
        return value.plain()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_written(item) for item in value]
    if isinstance(value, dict):
        return {str(_written(key)): _written(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"{type(value).__name__} cannot be written to a log")


def read_event(raw: object) -> table_events.Event:
    """The event a log entry holds; anything else is refused by name.

    Only what `write_event` writes is read: no two texts are the same event.
    """
    name = raw.get("event") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(name, str) or name not in _EVENTS:
        raise Refused("unknown_event", f"'{_shown(raw)}' is not an event")
    kind = _EVENTS[name]
    names = [field.name for field in fields(kind)]
    if set(raw) != {"event", *names}:
        raise Refused("unknown_event", f"{kind.__name__} has the fields {', '.join(names)}")
    try:
        event: table_events.Event = kind(**{name: _read(kind, name, raw[name]) for name in names})
        exact = _alike(write_event(event), raw)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Refused("unknown_event", f"{kind.__name__} cannot be read: {error}") from None
    if not exact:
        raise Refused("unknown_event", f"{kind.__name__} is not written as it would be")
    return event


def _alike(one: Any, two: Any) -> bool:
    """Equal, and of the same types: 1, 1.0 and true are different texts."""
    if type(one) is not type(two):
        return False
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_alike(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(_alike, one, two))
    return bool(one == two)


def _shown(raw: object) -> str:
    return str(raw.get("event") if isinstance(raw, dict) else raw)[:40]


def _read(kind: type[Any], name: str, value: Any) -> Any:
    if name in _CARDS:
        return parse_cards(_text(value))
    if name == "stakes":
        stakes = {Wager(wager): _whole(cents) for wager, cents in value.items()}
        return {wager: stakes[wager] for wager in Wager if wager in stakes}
    if name == "options":
        return Values(value)
    if name == "settlement":
        return _read_settlement(value)
    if name == "street":
        return Street(value)
    if name == "cause":
        return Cause(value)
    if name == "resolution":
        return Resolution(value)
    if name == "places":
        return tuple(_text(place) for place in value)
    if name == "paytables":
        return tuple((_text(key), _text(id)) for key, id in value)
    if name == "approvals":
        first, second = value
        return (_text(first), _text(second))
    return _plain(kind, name, value)


_WHOLE = {"seat", "amount", "number", "round", "multiple", "prize"}
_FLAGS = {"auto", "clockwise", "opens_meter"}


def _plain(kind: type[Any], name: str, value: Any) -> Any:
    if name == "seat" and value is None and kind is round_events.IrregularityReported:
        return None
    if name in _WHOLE:
        return _whole(value)
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be true or false")
        return value
    return _text(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not text")
    return value


# Settlements: every line with its reason, so that a record explains itself.


def _write_settlement(settlement: Settlement) -> dict[str, Any]:
    return {
        "dealer_strength": settlement.dealer_strength,
        "dealer_qualifies": settlement.dealer_qualifies,
        "meter_before": settlement.meter_before,
        "meter_after": settlement.meter_after,
        "seats": [
            {
                "seat": seat.seat,
                "strength": seat.strength,
                "lines": [_write_line(line) for line in seat.lines],
            }
            for seat in settlement.seats
        ],
    }


def _write_line(line: Line) -> dict[str, Any]:
    written = {
        field.name: _written(getattr(line, field.name))
        for field in fields(line)
        if field.name != "pay"
    }
    pay = line.pay
    written["pay"] = None if pay is None else [pay.kind.value, str(pay.amount), pay.printed]
    return written


def _read_settlement(raw: Any) -> Settlement:
    return Settlement(
        dealer_strength=_whole(raw["dealer_strength"]),
        dealer_qualifies=raw["dealer_qualifies"] is True,
        seats=tuple(
            SeatSettlement(
                _whole(seat["seat"]),
                _whole(seat["strength"]),
                tuple(_read_line(line) for line in seat["lines"]),
            )
            for seat in raw["seats"]
        ),
        meter_before=None if raw["meter_before"] is None else _whole(raw["meter_before"]),
        meter_after=None if raw["meter_after"] is None else _whole(raw["meter_after"]),
    )


def _read_line(raw: Any) -> Line:
    values = dict(raw)
    pay = values.pop("pay")
    if pay is not None:
        kind, amount, printed = pay
        pay = Pay(PayKind(kind), Fraction(amount), printed)
    return Line(
        **{**values, "wager": Wager(values["wager"]), "result": Result(values["result"])}, pay=pay
    )
