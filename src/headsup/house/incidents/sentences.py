"""Significant events in the words that people read: of their kinds, and of what was noted of each.

The office and `headsup audit` say the same; exports and programs have the keys.
"""

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.money import show_dollars
from headsup.house.store.projection_tables import IncidentKind

KIND_NAMES: Mapping[IncidentKind, str] = {
    IncidentKind.FAILED_LOG_IN: "failed log-in",
    IncidentKind.PROGRAM_ERROR: "program error",
    IncidentKind.AUTHENTICATION_MISMATCH: "program not as it was",
    IncidentKind.UNAVAILABLE: "interruption",
    IncidentKind.LARGE_WIN: "large win",
    IncidentKind.LARGE_WAGER: "large wager",
    IncidentKind.OVERRIDE: "decided by staff",
    IncidentKind.DATA_CHANGED: "data changed from outside",
    IncidentKind.CONFIGURATION: "set-up changed",
    IncidentKind.TIME_CHANGED: "clock was set",
    IncidentKind.GAME_PARAMETERS: "prizes or pays changed",
    IncidentKind.JACKPOT: "meter changed by staff",
    IncidentKind.ADJUSTMENT: "payout corrected",
    IncidentKind.PERSONAL_DATA: "account changed",
    IncidentKind.DEACTIVATION: "account locked",
    IncidentKind.LARGE_TRANSACTION: "large move of money",
    IncidentKind.NEGATIVE_BALANCE: "more than the wallet held",
    IncidentKind.DATA_LOSS: "data lost or restored",
}

# What a field is called where its own name is not how people say it.
_FIELDS = {
    "alone": "approved by nobody",
    "award": "from the meter",
    "changed": "files changed",
    "count": "entries",
    "digest": "SHA-256",
    "files": "how many files",
    "key": "paytable",
    "kind": "error",
    "net": "won",
    "now": "from now on",
    "paused": "tables paused",
    "rules": "rule book",
    "to": "goes to",
    "title": "document",
    "was": "before",
    "what": "log",
    "why": "reason",
}
# What `at` is: a place in the program, or a time.
_AT = {
    IncidentKind.PROGRAM_ERROR: "place",
    IncidentKind.DATA_LOSS: "restored",
    IncidentKind.DATA_CHANGED: "anchored",
}
_ACTS = {
    "program": "program",
    "thresholds": "amounts that count as large",
    "pace": "pace of dealing",
}
_LAST = ("fingerprint", "digest", "server")
_MONEY = frozenset({"amount", "award", "net", "prize"})
_KEYS = frozenset({"cause", "command", "kind", "outcome", "resolution", "role"})  # values, too
_FELT = frozenset({*Wager, "bad_beat"})


def describe_incident(kind: IncidentKind, what: Mapping[str, Any]) -> str:
    """All that was noted, in one line; what is empty is left out."""
    rest = {name: value for name, value in what.items() if name != "act"}
    match what.get("act"):
        case None:
            parts = []
        case "attendance":
            parts = [_describe_dealing_mode(rest.pop("paused", ""), rest.pop("by_hand", False))]
        case "thresholds":
            parts = [_ACTS["thresholds"]]
            rest = {name: _each(amounts, show_dollars) for name, amounts in rest.items()}
        case act:
            parts = [_ACTS.get(act) or _words(act)]
    if "seconds" in rest and rest["seconds"] is None:
        rest["seconds"] = "as usual"
    parts += [f"{_field(kind, name)}: {_value(name, rest[name])}" for name in _in_order(rest)]
    return "; ".join(parts)


def _describe_dealing_mode(paused: str, by_hand: bool) -> str:
    if paused:
        return f"paused: {paused}"
    return "taken over by a dealer" if by_hand else "dealt by the house again"


def _in_order(what: Mapping[str, Any]) -> list[str]:
    """As they were noted, and at the end what no person reads through."""
    shown = [name for name, value in what.items() if value not in (None, "", {})]
    return sorted(shown, key=lambda name: _LAST.index(name) if name in _LAST else -1)


def _field(kind: IncidentKind, name: str) -> str:
    if name == "at" and kind in _AT:
        return _AT[kind]
    return _FIELDS.get(name) or _words(name)


def _value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _each(value, str)
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if name in _MONEY:
        return _dollars(value)
    if name in _KEYS:
        return _words(value)
    return _key_name(str(value)) if name in ("wager", "key") else str(value)


def _dollars(amount: str) -> str:
    """With the fractions of a cent that a meter may have."""
    exact = Decimal(amount)
    return f"{'-' if exact < 0 else ''}${abs(exact):,}"


def _each(values: Mapping[str, Any], tell: Callable[[Any], str]) -> str:
    return ", ".join(f"{_key_name(name)} {tell(value)}" for name, value in values.items())


def _key_name(key: str) -> str:
    """A wager or paytable as on the felt; anything else in small letters."""
    return felt_name(key) if key in _FELT else key.replace("_", " ")


def _words(name: str) -> str:
    """`TableOpened` and `by_hand` alike, as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()
