"""Settlement never guesses at a card: it refuses a hand whose wagers rest on an unknown one."""

from dataclasses import replace

import pytest

from headsup.game.refusal import Code, Refusal, Refused
from headsup.game.round.decision import HAS_FOLDED, UNDECIDED, Decision, HasRaised
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import Deal, SeatPlay, settle, try_settle
from headsup.game.values.cards import parse_cards

MAIN = {Wager.ANTE: 1000, Wager.ODDS: 1000}
RAISED = HasRaised(Street.POCKET, 3)
HOLE = parse_cards("AsKs")
DEAL = Deal(parse_cards("QdTc"), parse_cards("Kd9c5h5s2d"), parse_cards("3c3d4h6s"))
PLACES = ("hole", "board", "dealer", "all_6")
# A table with every wager: Galaxy's Progressive has a row that shares the pool.
GALAXY = table_rules("galaxy", {}, {"meter_seed": "1000.00", "meter_contribution": "0.25"})
NEW_YORK = table_rules("new-york", {}, {"meter_seed": "1000.00", "meter_contribution": "0.25"})

RESTS_ON: dict[Wager, set[str]] = {
    Wager.TRIPS_PLUS: {"hole", "board"},
    Wager.POCKET_BONUS: {"hole"},
    Wager.ALL_6: {"hole", "all_6"},
    Wager.PROGRESSIVE: {"hole", "board"},
}
STAKES = {
    Wager.TRIPS_PLUS: 500,
    Wager.POCKET_BONUS: 500,
    Wager.ALL_6: 500,
    Wager.PROGRESSIVE: GALAXY.progressive_stake,
}


def settled_without(rules: TableRules, place: str, play: SeatPlay) -> object:
    """The answer of settlement when the cards of one place are not known."""
    deal = DEAL
    if place == "hole":
        play = play._replace(hole=())
    else:
        deal = replace(DEAL, **{place: ()})
    return try_settle(rules, deal, [play], 1_000_000)


def play_of(decision: Decision, *sides: Wager) -> SeatPlay:
    return SeatPlay(3, HOLE, {**MAIN, **{wager: STAKES[wager] for wager in sides}}, decision)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("wager", RESTS_ON)
def test_a_folded_hand_is_refused_without_the_cards_its_wager_rests_on(
    wager: Wager, place: str
) -> None:
    """Galaxy keeps every side wager in play after a fold."""
    answer = settled_without(GALAXY, place, play_of(HAS_FOLDED, wager))
    if place in RESTS_ON[wager]:
        assert isinstance(answer, Refusal)
        assert answer.code is Code.MISSING_CARDS
    else:
        assert not isinstance(answer, Refusal)


@pytest.mark.parametrize("place", PLACES)
def test_a_raised_hand_is_refused_without_its_cards_the_board_or_the_dealers(place: str) -> None:
    answer = settled_without(GALAXY, place, play_of(RAISED))
    assert isinstance(answer, Refusal) is (place != "all_6")


def test_a_fold_that_no_wager_survives_needs_no_card() -> None:
    play = play_of(HAS_FOLDED)._replace(hole=())
    (seat,) = settle(GALAXY, Deal((), ()), [play]).seats
    assert seat.net == -2000


def test_a_forfeited_wager_loses_without_its_cards() -> None:
    """New York may choose that Trips Plus falls with the hand (R54)."""
    options = {"meter_seed": "1000.00", "meter_contribution": "0.25"}
    rules = table_rules("new-york", {}, {**options, "trips_plus_after_fold": "forfeits"})
    play = play_of(HAS_FOLDED, Wager.TRIPS_PLUS)._replace(hole=())
    (seat,) = settle(rules, Deal((), ()), [play]).seats
    assert {line.wager: line.net for line in seat.lines}[Wager.TRIPS_PLUS] == -500


def test_a_void_hand_needs_only_the_cards_of_the_wagers_that_are_still_settled() -> None:
    """New York (j)(2)(i): Trips Plus is settled on the board, everything else goes back."""
    rule = NEW_YORK.book.irregularities[Cause.DEALER_CARD_EXPOSED]
    play = play_of(UNDECIDED)._replace(void=rule)
    (seat,) = settle(NEW_YORK, Deal((), ()), [play._replace(hole=())]).seats
    assert seat.net == 0
    with_trips = play_of(UNDECIDED, Wager.TRIPS_PLUS)._replace(void=rule)
    with pytest.raises(Refused, match="board"):
        settle(NEW_YORK, Deal((), ()), [with_trips])
