"""What each kind of viewer is told about each kind of event, in one table."""

import pytest

from headsup.game.round.state import Phase
from headsup.game.views.announcements import (
    BonusPrizeAnnouncement,
    BonusPrizeDetails,
    ChipsAnnouncement,
    DealAnnouncement,
    FullEvent,
    IrregularityAnnouncement,
    NameOnly,
    announcement_for,
)
from headsup.game.views.viewers import parse_viewer
from tests.support.events import KINDS, every_kind
from tests.support.tables import table_at

# For an event at a seat: that seat, another seat, the dealer, the rail, the display. `all` is the
# full event, `name` only its name, `-` nothing; other words name a special announcement.
ALL_AT_THE_TABLE = "all all all all -"
ALL_AND_THE_DISPLAY = "all all all all name"
WHY_IS_THE_STAFFS = "name name all name name"
STAFF_ALONE = "- - all - -"
NOBODY = "- - - - -"
HIDDEN_UNTIL_ALL_DECIDED = "all - - - -"
GRANTED = {
    "PlayerSat": ALL_AT_THE_TABLE,
    "GuestSat": ALL_AT_THE_TABLE,
    "PlayerLeft": ALL_AT_THE_TABLE,
    "BoughtIn": "all chips all chips -",
    "CashedOut": "all chips all chips -",
    "BetsPlaced": ALL_AT_THE_TABLE,
    "BetsWithdrawn": ALL_AT_THE_TABLE,
    "BetsClosed": ALL_AND_THE_DISPLAY,
    "SeedAdded": ALL_AT_THE_TABLE,
    "ShuffleSealed": ALL_AND_THE_DISPLAY,
    "ShuffleOpened": ALL_AND_THE_DISPLAY,
    "CardsDealt": "cards cards cards cards -",
    "CardsLaid": "cards cards cards cards -",
    "CardsSeen": NOBODY,  # also when a reader tells cards that lie face down
    "DecisionCorrected": ALL_AT_THE_TABLE,
    "StakesCorrected": ALL_AT_THE_TABLE,
    "CardsCorrected": WHY_IS_THE_STAFFS,
    "CardsTurned": ALL_AT_THE_TABLE,
    "HandSettled": "name name name name name",
    "Checked": HIDDEN_UNTIL_ALL_DECIDED,
    "Raised": HIDDEN_UNTIL_ALL_DECIDED,
    "Folded": HIDDEN_UNTIL_ALL_DECIDED,
    "TimeExtended": ALL_AT_THE_TABLE,
    "FlopRevealed": ALL_AT_THE_TABLE,
    "TurnAndRiverRevealed": ALL_AT_THE_TABLE,
    "DealerRevealed": ALL_AT_THE_TABLE,
    "BoardCompleted": ALL_AT_THE_TABLE,
    "DecisionReopened": ALL_AT_THE_TABLE,
    "HandVoided": ALL_AND_THE_DISPLAY,
    "RoundVoided": ALL_AND_THE_DISPLAY,
    "IrregularityReported": "report report all report -",
    # The results of face-down hands; each is in the view once the hand is turned up.
    "RoundSettled": "name name name name name",
    "HandResolved": ALL_AT_THE_TABLE,
    "RoundOpened": ALL_AND_THE_DISPLAY,
    "RoundClosed": ALL_AND_THE_DISPLAY,
    "TableOpened": ALL_AND_THE_DISPLAY,
    "TableClosed": WHY_IS_THE_STAFFS,
    "PayoutCorrected": "all - all - -",
    "CouponIssued": "all - all - -",
    "CouponCancelled": "all - all - -",
    "SensorRead": "all - all - -",
    "WagersRegistered": ALL_AND_THE_DISPLAY,
    "WagersCountedByHand": ALL_AT_THE_TABLE,
    "FlagCorrected": WHY_IS_THE_STAFFS,
    "EquipmentWentDown": WHY_IS_THE_STAFFS,
    "EquipmentRestored": WHY_IS_THE_STAFFS,
    "DealingSet": ALL_AND_THE_DISPLAY,
    "PaceSet": STAFF_ALONE,
    "ThresholdsSet": STAFF_ALONE,
    "AwardHeld": ALL_AND_THE_DISPLAY,
    "AwardVerified": WHY_IS_THE_STAFFS,
    "AwardRefused": WHY_IS_THE_STAFFS,
    "AwardPaid": ALL_AT_THE_TABLE,
    "FeltSet": STAFF_ALONE,
    "ShiftOpened": STAFF_ALONE,
    "TrayFilled": STAFF_ALONE,
    "TrayCredited": STAFF_ALONE,
    "BoxPulled": STAFF_ALONE,
    "BoxCounted": STAFF_ALONE,
    "ShiftClosed": STAFF_ALONE,
    "SealLost": WHY_IS_THE_STAFFS,
    "MeterCorrected": WHY_IS_THE_STAFFS,
    "MeterFrozen": WHY_IS_THE_STAFFS,
    "MeterUnfrozen": WHY_IS_THE_STAFFS,
    "MeterClosingPlanned": WHY_IS_THE_STAFFS,
    "MeterClosingDue": ALL_AND_THE_DISPLAY,
    "PoolTransferred": WHY_IS_THE_STAFFS,
    "PoolReceived": WHY_IS_THE_STAFFS,
    "BonusEnded": WHY_IS_THE_STAFFS,
    "BonusPrizeSet": "prize prize order prize prize",
    "BonusCellSet": "prize prize order prize prize",
}
NAMES = {
    FullEvent: "all",
    NameOnly: "name",
    ChipsAnnouncement: "chips",
    DealAnnouncement: "cards",
    IrregularityAnnouncement: "report",
    BonusPrizeAnnouncement: "prize",
    BonusPrizeDetails: "order",
    type(None): "-",
}


def test_every_kind_of_event_is_listed_here() -> None:
    assert sorted(GRANTED) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_each_viewer_gets_the_announcement_listed(kind: str) -> None:
    event = every_kind()[kind]
    floor = table_at(Phase.POCKET, seats=(1, 2)).floor
    seat = getattr(event, "seat", None) or 1
    viewers = (f"seat {seat}", f"seat {1 if seat > 1 else 2}", "dealer", "rail", "tablevision")
    made = [
        NAMES[type(announcement_for(parse_viewer(viewer), floor, "T1", event))]
        for viewer in viewers
    ]
    assert " ".join(made) == GRANTED[kind]
