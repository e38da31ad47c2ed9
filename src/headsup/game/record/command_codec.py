"""Commands as JSON and back, and whether one built in Python is exactly what its class says.

The core compares with `is` and counts with `+`: text for a wager or true for a seat would pass
where it must not, be remembered, and be found in no record afterwards.
"""

from typing import Any

from headsup.game.record.codec.base import TypeMismatch
from headsup.game.record.codec.registry import CodecRegistry
from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.table.commands import Actor, Command

_COMMAND = CodecRegistry().of(Command, tag="command")
_ACTOR_CODEC = CodecRegistry().of(Actor)
_TEXT = CodecRegistry().of(str)


def write_command(command: Command) -> dict[str, Any]:
    """`{"command": "Raise", "seat": 1, "multiple": 3}`."""
    written: dict[str, Any] = _COMMAND.write(command)
    return written


def command_text(command: Command) -> str:
    """The same as canonical JSON."""
    return _COMMAND.text(command)


def read_command(raw: object) -> Command:
    try:
        command: Command = _COMMAND.read(raw)
    except TypeMismatch as unfit:
        raise Refused(Code.BAD_COMMAND, flaw=unfit.flaw) from None
    return command


def refuse_malformed_command(command: Command) -> Refusal | None:
    """The refusal of a command that is not of its annotated types."""
    try:
        _COMMAND.check(command)
    except TypeMismatch as unfit:
        return refusal(Code.BAD_COMMAND, flaw=unfit.flaw)
    return None


def refuse_malformed_request(table_id: str, by: Actor, command: Command) -> Refusal | None:
    """The same of everything that a table is asked with."""
    try:
        _COMMAND.check(command)
        _ACTOR_CODEC.check(by)
        _TEXT.check(table_id)
    except TypeMismatch as unfit:
        return refusal(Code.BAD_COMMAND, flaw=unfit.flaw)
    return None
