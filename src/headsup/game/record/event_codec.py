"""Events as JSON and back, for the log: `{"event": "Raised", "seat": 1, …}`."""

from collections.abc import Mapping
from typing import Any

from headsup.game.record.codec.base import Codec, TypeMismatch
from headsup.game.record.codec.cache import cached_codec
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line, Settlement
from headsup.game.table.events import Event
from headsup.game.values.money import Cents

# Settlement hands out the same lines again and again; a text of each is enough.
_LINE = cached_codec(CodecRegistry().of(Line), 4096)
# A settlement is long, and written twice: in the record and in the state it leads to.
SETTLEMENT_CODEC = cached_codec(CodecRegistry({Line: _LINE}).of(Settlement), 16)
# So are stakes, and players place the same again and again, as the same value; the places of the
# cards are the same in each round of so many seats.
STAKES_CODEC = cached_codec(CodecRegistry().of(Mapping[Wager, Cents]), 1024)
PLACES_CODEC = cached_codec(CodecRegistry().of(tuple[str, ...]), 64)
CACHED_CODECS: Mapping[Any, Codec] = {
    Mapping[Wager, Cents]: STAKES_CODEC,
    tuple[str, ...]: PLACES_CODEC,
}
_EVENT = CodecRegistry({Settlement: SETTLEMENT_CODEC, **CACHED_CODECS}).of(Event, tag="event")


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
    except TypeMismatch as unfit:
        raise Refused(Code.UNKNOWN_EVENT, flaw=unfit.flaw) from None
    return event
