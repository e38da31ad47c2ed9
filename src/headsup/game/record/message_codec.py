"""Writes commands and events as JSON and reads them, and checks commands built in Python.

The game relies on exact types: a str for a Wager or True for seat 1 would be accepted, cached, and
then unreadable in the log. So commands are checked before they are decided.
"""

from collections.abc import Mapping
from typing import Any

from headsup.game.record.codec.base import TypeMismatch, cached_codec
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line
from headsup.game.table.commands import Actor, Command
from headsup.game.table.events import Event
from headsup.game.values.money import Cents

_COMMAND = CodecRegistry().codec_for(Command, tag="command")
_ACTOR_CODEC = CodecRegistry().codec_for(Actor)
_TEXT = CodecRegistry().codec_for(str)


def write_command(command: Command) -> dict[str, Any]:
    """`{"command": "Raise", "seat": 1, "multiple": 3}`."""
    raw: dict[str, Any] = _COMMAND.write(command)
    return raw


def command_text(command: Command) -> str:
    """The command's canonical JSON."""
    return _COMMAND.text(command)


def read_command(raw: object) -> Command:
    try:
        command: Command = _COMMAND.read(raw)
    except TypeMismatch as mismatch:
        raise Refused(Code.BAD_COMMAND, flaw=mismatch.flaw) from None
    return command


def refuse_malformed_request(table_id: str, actor: Actor, command: Command) -> Refusal | None:
    """The refusal of a command, actor or table id that does not have its annotated types."""
    try:
        _COMMAND.check(command)
        _ACTOR_CODEC.check(actor)
        _TEXT.check(table_id)
    except TypeMismatch as mismatch:
        return refusal(Code.BAD_COMMAND, flaw=mismatch.flaw)
    return None


# Events: `{"event": "Raised", "seat": 1, …}`.

# Settlements share the same line objects.
_LINE = cached_codec(CodecRegistry().codec_for(Line), 4096)
# So are stakes and the places of the cards, which are often the same objects.
_EVENT = CodecRegistry(
    {
        Line: _LINE,
        Mapping[Wager, Cents]: cached_codec(CodecRegistry().codec_for(Mapping[Wager, Cents]), 1024),
        tuple[str, ...]: cached_codec(CodecRegistry().codec_for(tuple[str, ...]), 64),
    }
).codec_for(Event, tag="event")


def event_text(event: Event) -> str:
    """The event's canonical JSON.

    Its types need no check: commands were checked, and logs are read strictly.
    """
    return _EVENT.text(event)


def write_event(event: Event) -> dict[str, Any]:
    raw: dict[str, Any] = _EVENT.write(event)
    return raw


def read_event(raw: object) -> Event:
    """Read an event; raises `Refused` for anything that `write_event` would not have written."""
    try:
        event: Event = _EVENT.read(raw)
    except TypeMismatch as mismatch:
        raise Refused(Code.UNKNOWN_EVENT, flaw=mismatch.flaw) from None
    return event
