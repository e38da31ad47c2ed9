"""Dealing mode, pace and reporting thresholds are part of a table's log."""

import pytest

from headsup.game.refusal import Code
from headsup.game.table.dealing import DealingSet, SetDealing
from headsup.game.table.pacing import MAX_STEP_MILLISECONDS, PaceSet, SetPace
from headsup.game.table.reporting import MAX_THRESHOLD_CENTS, SetThresholds, ThresholdsSet
from headsup.game.table.state import AUTOMATIC, DealingMode, Pace, ReportingThresholds
from tests.support.tables import opened, replay_events

PACE = Pace(1_000, 45_000, 1_500, 800, 1_200, 1_200, 4_000, "Sue", "2026-01-31T12:00:00Z")


def test_a_table_is_paused_taken_over_and_dealt_automatically_again() -> None:
    play = opened()
    assert play.table.dealing == AUTOMATIC
    assert play.does(SetDealing("a break", by_hand=True)) == (DealingSet("a break", by_hand=True),)
    assert play.table.dealing == DealingMode("a break", by_hand=True)
    assert play.table.dealing.stops_dealer
    play.does(SetDealing("", by_hand=True))
    assert play.table.dealing.stops_dealer
    play.does(SetDealing("", by_hand=False))
    assert play.table.dealing == AUTOMATIC


def test_a_table_has_its_own_pace_until_it_goes_back_to_the_usual_one() -> None:
    play = opened()
    assert play.does(SetPace(PACE)) == (PaceSet(PACE),)
    assert play.table.pace == PACE
    play.does(SetPace(None))
    assert play.table.pace is None


@pytest.mark.parametrize("milliseconds", [-1, MAX_STEP_MILLISECONDS + 1])
def test_a_pace_out_of_bounds_is_refused(milliseconds: int) -> None:
    play = opened()
    assert play.refuses(SetPace(PACE._replace(card=milliseconds))) == Code.BAD_TIMING
    assert play.table.pace is None


def test_the_thresholds_of_a_table_are_set() -> None:
    play = opened()
    assert play.does(SetThresholds(1, 2, 3)) == (ThresholdsSet(1, 2, 3),)
    assert play.table.thresholds == ReportingThresholds(1, 2, 3)


@pytest.mark.parametrize("cents", [0, -1, MAX_THRESHOLD_CENTS + 1])
def test_a_threshold_out_of_bounds_is_refused(cents: int) -> None:
    play = opened()
    assert play.refuses(SetThresholds(1, cents, 3)) == Code.BAD_THRESHOLD


def test_settings_are_read_back_and_lead_to_the_same_table() -> None:
    play = opened()
    play.does(SetDealing("a break", by_hand=True), SetPace(PACE), SetThresholds(1, 2, 3))
    assert replay_events(play.log) == play.floor
