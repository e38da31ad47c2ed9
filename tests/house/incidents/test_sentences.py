"""Descriptions of significant events: no keys, no brackets, no empty fields."""

from typing import Any

import pytest

from headsup.game.table.state import DEFAULT_THRESHOLDS, ReportingThresholds
from headsup.house.incidents.sentences import KIND_NAMES, describe_incident
from headsup.house.store.projection_rows import IncidentKind

KIND = IncidentKind


@pytest.mark.parametrize(
    ("kind", "what", "sentence"),
    [
        (
            KIND.CONFIGURATION,
            {
                "act": "TableOpened",
                "fingerprint": "9ed9",
                "meter": "",
                "paytables": {"trips_plus": "A"},
                "rules": "galaxy",
            },
            "table opened; paytables: Trips Plus A; rule book: galaxy; fingerprint: 9ed9",
        ),
        (
            KIND.UNAVAILABLE,
            {"act": "attendance", "by_hand": False, "paused": "fire drill"},
            "paused: fire drill",
        ),
        (
            KIND.CONFIGURATION,
            {"act": "attendance", "by_hand": True, "paused": ""},
            "taken over by a dealer",
        ),
        (
            KIND.CONFIGURATION,
            {"act": "attendance", "by_hand": False, "paused": ""},
            "automatic dealing resumed",
        ),
        (
            KIND.CONFIGURATION,
            {"act": "pace", "seconds": None},
            "dealing pace; seconds: default",
        ),
        (
            KIND.CONFIGURATION,
            {
                "act": "thresholds",
                "was": DEFAULT_THRESHOLDS._asdict(),
                "now": ReportingThresholds(win=250_000)._asdict(),
            },
            "reporting thresholds; "
            "before: win $10,000.00, wager $5,000.00, transaction $10,000.00; "
            "after: win $2,500.00, wager $5,000.00, transaction $10,000.00",
        ),
        (
            KIND.OVERRIDE,
            {"act": "WagersCountedByHand", "counts": {"all_6": 2, "progressive": 0}},
            "wagers counted by hand; counts: All 6 2, Progressive 0",
        ),
        (
            KIND.OVERRIDE,
            {"act": "FlagCorrected", "reason": "", "seat": 1, "wager": "all_6", "wagered": False},
            "flag corrected; seat: 1; wager: All 6; wagered: no",
        ),
        (
            KIND.JACKPOT,
            {"act": "MeterCorrected", "amount": "-1250.005", "reason": "counted twice"},
            "meter corrected; amount: -$1,250.005; reason: counted twice",
        ),
        (
            KIND.PROGRAM_ERROR,
            {"at": "host.py:12", "command": "PlaceBets", "server": "a"},
            "place: host.py:12; command: place bets; server: a",
        ),
        (
            KIND.DATA_LOSS,
            {"at": "2026-01-31T12:00:00Z", "paused": [], "server": "a", "why": "a backup"},
            "restored: 2026-01-31T12:00:00Z; tables paused: none; reason: a backup; server: a",
        ),
        (
            KIND.DATA_LOSS,
            {"act": "events_dropped", "events": 7, "server": "a"},
            "events dropped; events: 7; server: a",
        ),
        (
            KIND.DATA_CHANGED,
            {"at": "2026-01-31T12:00:00Z", "count": 120, "file": "/a", "what": "floor main"},
            "anchored: 2026-01-31T12:00:00Z; entries: 120; file: /a; log: floor main",
        ),
    ],
)
def test_details_are_described_in_words(
    kind: IncidentKind, what: dict[str, Any], sentence: str
) -> None:
    assert describe_incident(kind, what) == sentence


def test_every_kind_has_words() -> None:
    assert list(KIND_NAMES) == list(IncidentKind)
