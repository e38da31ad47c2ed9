"""What is wrong with an entry of a log: the first place where it is not what was expected."""

from collections.abc import Mapping
from typing import Any, NoReturn

from headsup.game.record.chain import Json, canonical_json
from headsup.game.refusal import show_value
from headsup.game.values.str_enum import TextEnum


class EntryFault(TextEnum):
    """Which part of an entry is wrong. `chain.Fault` has what can be wrong with its link."""

    ENTRY = "entry"  # its form
    TIME = "time"  # before the entry before it
    COMMAND = "command"  # unreadable
    DECISION = "decision"  # the game refuses the command
    EVENT = "event"  # the command does not lead to it
    STATE = "state"  # the digest is of another state


class BadEntry(Exception):
    """An entry that this program would not have written."""

    def __init__(self, fault: str, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.fault, self.expected, self.found = fault, expected, found


def compare_entries(expected: Mapping[str, Any], found: Mapping[str, Any]) -> NoReturn:
    """Raise `BadEntry` for the first difference; there must be one."""
    _compare_events(expected["events"], found["events"])
    path, due, actual = first_difference(expected, found)
    raise BadEntry(EntryFault.ENTRY, f"{path}{due}", actual)


def _compare_events(expected: list[Any], found: Any) -> None:
    if not isinstance(found, list) or not found:
        raise BadEntry(EntryFault.ENTRY, "the events of a decision", show_value(found))
    for i, event in enumerate(expected):
        if i == len(found):
            raise BadEntry(EntryFault.EVENT, f"{event['event']} to follow", "the end of the entry")
        name = _event_name(found[i])
        if name != event["event"]:
            raise BadEntry(EntryFault.EVENT, event["event"], name)
        if not _is_same(event, found[i]):
            path, due, actual = first_difference(event, found[i])
            raise BadEntry(EntryFault.EVENT, f"{path}{due}", actual)
    if len(found) > len(expected):
        extra = _event_name(found[len(expected)])
        raise BadEntry(EntryFault.EVENT, "no further event", extra)


def _event_name(event: Any) -> str:
    name = event.get("event") if isinstance(event, dict) else event
    return name if isinstance(name, str) and name.isalpha() else show_value(event)


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, str, str]:
    """Where two JSON values first differ, and what each of them has there."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in sorted(set(expected) | set(found)):
            if key not in expected or key not in found or not _is_same(expected[key], found[key]):
                inner = (expected.get(key, "nothing"), found.get(key, "nothing"))
                return first_difference(*inner, f"{path}.{key}" if path else str(key))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            if not _is_same(*pair):
                return first_difference(*pair, f"{path}[{i}]")
    return (f"{path} = " if path else ""), show_value(expected), show_value(found)


def _is_same(one: Json, other: Json) -> bool:
    """Compares texts, because to Python True equals 1."""
    return canonical_json(one) == canonical_json(other)


def show_digest(text: object) -> str:
    """A digest in full, to compare with the expected one; other texts are shortened."""
    is_digest = isinstance(text, str) and len(text) == 64 and text.isalnum()
    return str(text) if is_digest else show_value(text)
