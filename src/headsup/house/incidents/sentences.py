"""Describes significant events in words, for the back office and `headsup audit`.

Exports and APIs have the raw keys instead.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.money import show_dollars
from headsup.house.store.projection_rows import IncidentKind

KIND_NAMES: Mapping[IncidentKind, str] = {
    IncidentKind.FAILED_LOG_IN: "failed log-in",
    IncidentKind.PROGRAM_ERROR: "program error",
    IncidentKind.AUTHENTICATION_MISMATCH: "program altered",
    IncidentKind.UNAVAILABLE: "interruption",
    IncidentKind.LARGE_WIN: "large win",
    IncidentKind.LARGE_WAGER: "large wager",
    IncidentKind.OVERRIDE: "staff override",
    IncidentKind.DATA_CHANGED: "data altered from outside",
    IncidentKind.CONFIGURATION: "configuration changed",
    IncidentKind.TIME_CHANGED: "clock changed",
    IncidentKind.GAME_PARAMETERS: "game parameters changed",
    IncidentKind.JACKPOT: "meter changed by staff",
    IncidentKind.ADJUSTMENT: "payout corrected",
    IncidentKind.PERSONAL_DATA: "account changed",
    IncidentKind.DEACTIVATION: "account locked",
    IncidentKind.LARGE_TRANSACTION: "large transaction",
    IncidentKind.NEGATIVE_BALANCE: "overdraft refused",
    IncidentKind.DATA_LOSS: "data lost or restored",
}

# Labels of fields whose own name would not be understood.
_FIELDS = {
    "alone": "no approval",
    "award": "from the meter",
    "before": "unrecorded before it",
    "changed": "files changed",
    "count": "entries",
    "digest": "SHA-256",
    "files": "number of files",
    "key": "paytable",
    "kind": "error",
    "net": "won",
    "now": "after",
    "of_day": "of the day together",
    "paused": "tables paused",
    "rules": "rule book",
    "to": "goes to",
    "title": "document",
    "was": "before",
    "what": "log",
    "why": "reason",
}
# Labels of `at`, which is a place in the program or a time.
_AT = {
    IncidentKind.PROGRAM_ERROR: "place",
    IncidentKind.DATA_LOSS: "restored",
    IncidentKind.DATA_CHANGED: "anchored",
}
_ACTS = {
    "program": "program",
    "thresholds": "reporting thresholds",
    "pace": "dealing pace",
    "gaming day": "gaming day",
}
_LAST_FIELDS = ("fingerprint", "digest", "server")
_MONEY_FIELDS = frozenset({"amount", "award", "net", "of_day", "prize"})
# Fields whose values are keys, too.
_KEY_FIELDS = frozenset({"cause", "command", "kind", "outcome", "resolution", "role"})
_FELT_KEYS = frozenset({*Wager, "bad_beat"})


def describe_incident(kind: IncidentKind, details: Mapping[str, Any]) -> str:
    """All details in one line, without empty fields."""
    rest = {name: value for name, value in details.items() if name != "act"}
    match details.get("act"):
        case None:
            parts = []
        case "attendance":
            parts = [_describe_dealing_mode(rest.pop("paused", ""), rest.pop("by_hand", False))]
        case "thresholds":
            parts = [_ACTS["thresholds"]]
            rest = {name: _list_values(amounts, show_dollars) for name, amounts in rest.items()}
        case act:
            parts = [_ACTS.get(act) or _to_words(act)]
    if "seconds" in rest and rest["seconds"] is None:
        rest["seconds"] = "default"
    parts += [
        f"{_field_label(kind, name)}: {_show_field(name, rest[name])}"
        for name in _fields_in_order(rest)
    ]
    return "; ".join(parts)


def _describe_dealing_mode(paused: str, by_hand: bool) -> str:
    if paused:
        return f"paused: {paused}"
    return "taken over by a dealer" if by_hand else "automatic dealing resumed"


def _fields_in_order(details: Mapping[str, Any]) -> list[str]:
    """Non-empty fields in their own order, but hashes and the server last."""
    names = [name for name, value in details.items() if value not in (None, "", {})]
    return sorted(names, key=lambda name: _LAST_FIELDS.index(name) if name in _LAST_FIELDS else -1)


def _field_label(kind: IncidentKind, name: str) -> str:
    if name == "at" and kind in _AT:
        return _AT[kind]
    return _FIELDS.get(name) or _to_words(name)


def _show_field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _list_values(value, str)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if name in _MONEY_FIELDS:
        return _show_exact_dollars(value)
    if name in _KEY_FIELDS:
        return _to_words(value)
    return _key_name(str(value)) if name in ("wager", "key") else str(value)


def _show_exact_dollars(amount: str) -> str:
    """Dollars with fractions of a cent, as meters have them."""
    exact = Decimal(amount)
    return f"{'-' if exact < 0 else ''}${abs(exact):,}"


def _list_values(values: Mapping[str, Any], show: Callable[[Any], str]) -> str:
    return ", ".join(f"{_key_name(name)} {show(value)}" for name, value in values.items())


def _key_name(key: str) -> str:
    """A wager or paytable as on the felt, anything else in lower case."""
    return felt_name(key) if key in _FELT_KEYS else key.replace("_", " ")


def _to_words(name: str) -> str:
    """`TableOpened` and `by_hand` as "table opened" and "by hand"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()
