"""Events as JSON and back, for the log: `{"event": "Raised", "seat": 1, …}`."""

from collections.abc import Mapping
from typing import Any

from headsup.game.record.codec.base import Form, Unfit
from headsup.game.record.codec.cache import remembered
from headsup.game.record.codec.registry import Codecs
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line, Settlement
from headsup.game.table.events import Event
from headsup.game.values.money import Cents

# Settlement hands out the same lines again and again; a text of each is enough.
_LINE = remembered(Codecs().of(Line), 4096)
# A settlement is long, and written twice: in the record and in the state it leads to.
SETTLEMENT = remembered(Codecs({Line: _LINE}).of(Settlement), 16)
# So are stakes, and players place the same again and again, as the same value; the places of the
# cards are the same in each round of so many seats.
STAKES = remembered(Codecs().of(Mapping[Wager, Cents]), 1024)
PLACES = remembered(Codecs().of(tuple[str, ...]), 64)
REMEMBERED: Mapping[Any, Form] = {Mapping[Wager, Cents]: STAKES, tuple[str, ...]: PLACES}
_EVENT = Codecs({Settlement: SETTLEMENT, **REMEMBERED}).of(Event, tag="event")


def event_text(event: Event) -> str:
    """The event's canonical JSON. What is decided is of its types: commands are held to theirs
    at the door, and what a log says is read strictly."""
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
