"""Events as JSON and back, for the log: `{"event": "Raised", "seat": 1, …}`."""

from typing import Any

from headsup.game.record.codec import Codecs
from headsup.game.record.forms import Unfit
from headsup.game.record.memory import remembered
from headsup.game.refusal import Code, Refused
from headsup.game.settlement import Line
from headsup.game.table.events import Event

# Settlement hands out the same lines again and again; a text of each is enough.
LINE = remembered(Codecs().of(Line), 4096)
_EVENT = Codecs({Line: LINE}).of(Event, tag="event")


def event_text(event: Event) -> str:
    """The event's canonical JSON; one that is not of its types is a bug, and is not written."""
    try:
        _EVENT.check(event)
    except Unfit as unfit:
        raise TypeError(f"{unfit.flaw} cannot be written to a log") from None
    return _EVENT.text(event)


def write_event(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = _EVENT.write(event)
    return written


def read_event(raw: object) -> Event:
    """The event a log entry holds; what `write_event` would not have written is refused."""
    try:
        event: Event = _EVENT.read(raw)
    except Unfit as unfit:
        raise Refused(Code.UNKNOWN_EVENT, flaw=unfit.flaw) from None
    return event
