"""Writes commands and events as JSON and reads them, and refuses commands that cannot be written.

The game relies on exact types: a str for a Wager or True for seat 1 would be accepted, cached, and
then unreadable in the log. So a command is decided only if it could be written.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from headsup.game.record.codec.base import (
    SCALAR_CODECS,
    TRUSTED_SCALARS,
    Expectation,
    TypeMismatch,
    cached_codec,
)
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line
from headsup.game.table.commands import Actor, Command, PlayerAt, Staff
from headsup.game.table.events import Event
from headsup.game.values.money import Cents

_COMMAND = CodecRegistry().codec_for(Command, tag="command")


def write_command(command: Command) -> dict[str, Any]:
    """`{"command": "Raise", "seat": 1, "multiple": 3}`, in the order people read it."""
    raw: dict[str, Any] = json.loads(command_text(command))
    return {name: raw[name] for name in ("command", *(each.name for each in fields(command)))}


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
        _COMMAND.text(command)
        _actor_text(actor)
        _TEXT.text(table_id)
    except TypeMismatch as mismatch:
        return refusal(Code.BAD_COMMAND, flaw=mismatch.flaw)
    return None


_TEXT, _WHOLE = SCALAR_CODECS[str], SCALAR_CODECS[int]


def _actor_text(actor: Actor) -> str:
    match actor:
        case PlayerAt(seat):
            return _WHOLE.text(seat)
        case Staff(name):
            return _TEXT.text(name)
    raise TypeMismatch(Expectation.KIND, actor, (PlayerAt.__name__, Staff.__name__))


# Events: `{"event": "Raised", "seat": 1, …}`.

# Events follow from commands that were checked.
_TRUSTED = CodecRegistry(TRUSTED_SCALARS)
_EVENT = CodecRegistry(
    {
        **TRUSTED_SCALARS,
        # Settlements share line objects; stakes and the places of cards are often the same objects.
        Line: cached_codec(_TRUSTED.codec_for(Line), 4096),
        Mapping[Wager, Cents]: cached_codec(_TRUSTED.codec_for(Mapping[Wager, Cents]), 1024),
        tuple[str, ...]: cached_codec(_TRUSTED.codec_for(tuple[str, ...]), 64),
    }
).codec_for(Event, tag="event")


def event_text(event: Event) -> str:
    """The event's canonical JSON."""
    return _EVENT.text(event)


def write_event(event: Event) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(event_text(event))
    return raw


def read_event(raw: object) -> Event:
    """Read an event; raises `Refused` for anything that `write_event` would not have written."""
    try:
        event: Event = _EVENT.read(raw)
    except TypeMismatch as mismatch:
        raise Refused(Code.UNKNOWN_EVENT, flaw=mismatch.flaw) from None
    return event
