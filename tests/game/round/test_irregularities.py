"""Irregularities: New York (j), R90–R96, A7.

When a cause may be reported, how it is resolved and what happens to every wager is written here a
second time, from the register. Every cause × phase × rule book × resolution is compared with it.
"""

from pathlib import Path
from typing import cast

import pytest

from headsup.game.bank.ledger import Account, AccountKind
from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    ReportIrregularity,
    TimeOut,
)
from headsup.game.round.dealing import deal_order
from headsup.game.round.decide import decide, legal_actions
from headsup.game.round.decision import HasRaised
from headsup.game.round.events import (
    BoardCompleted,
    DecisionReopened,
    HandVoided,
    IrregularityReported,
    RoundVoided,
)
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import Cause, Resolution
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Result, Street, Wager
from headsup.game.table.equipment import CountByHand, ReportEquipmentDown
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.rounds import OpenRound
from headsup.game.values.money import MICROS_PER_CENT
from headsup.game.views.builder import rail_view
from headsup.game.views.model import VoidView
from tests.support.tables import (
    ANTE,
    BOOKS,
    ODDS,
    POCKET,
    PROGRESSIVE,
    RAISE,
    TRIPS,
    Play,
    every_wager,
    irregularity_report,
    on_felt,
    opened,
    replay_events,
    stakes,
    table_at,
)

PHASES = tuple(Phase)
DECIDING = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)
DEALT = (*DECIDING, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE)
WAGERED = (Phase.NO_MORE_BETS, *DEALT)

# When each cause can be reported (R90–R95).
WHEN = {
    "dealer_card_exposed": DECIDING,  # (j)(1): while a player may still raise or fold
    "card_found_face_up": WAGERED,  # (j)(2)(ii); before the cards a misdeal (R91)
    "player_card_count": (*WAGERED, Phase.RESOLVING),  # (j)(3): until that hand is settled
    "dealer_card_count": DEALT,  # (j)(3)
    "player_card_exposed": DECIDING,  # R95
    "early_board_card": DECIDING,  # R95
    "board_card_count": DEALT,  # R95
    "foul_deck": WAGERED,  # R95
    "missed_raise": (*DECIDING, Phase.REVEAL_DUE),  # R95
    "folded_card_exposed": (Phase.RIVER, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE),  # R95
}
VOIDS_NOTHING = ("missed_raise", "folded_card_exposed")
# (j)(2): Trips Plus is dealt out and settled nevertheless. R93: not after a wrong count.
STILL_SETTLES_TRIPS = ("dealer_card_exposed", "card_found_face_up", "early_board_card")
OF_A_SEAT = ("player_card_count", "player_card_exposed", *VOIDS_NOTHING)
# What may be reported without voiding anything, and when.
LETS_STAND = {
    # (j)(3): while no card that would follow in sequence is face up
    ("dealer_card_count", "correct"): (Phase.POCKET, Phase.FLOP_DUE),
    # the player may play on
    ("player_card_exposed", "play_on"): DECIDING,
    # "stands if the street has closed"
    ("early_board_card", "play_on"): (Phase.FLOP_DUE, Phase.RIVER_DUE),
    # a check or fold is taken back while no card has been turned up since
    ("missed_raise", "correct"): (Phase.FLOP_DUE, Phase.RIVER_DUE, Phase.REVEAL_DUE),
    ("missed_raise", "play_on"): (*DECIDING, Phase.REVEAL_DUE),
    # the fold stands
    ("folded_card_exposed", "play_on"): (Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE),
}
RESOLUTIONS = ("void", "correct", "play_on")

# Seat 1 has three nines, the others nothing; the dealer has a pair.
CARDS = {"board": "Kd9c7h5s2d", "dealer": "KhQc"}
HOLES = {1: "9h9s", 2: "8c4s", 3: "Ts6h"}


def wagers(play: Play, seat: int) -> dict[Wager, int]:
    """Every wager offered; in Washington Trips Plus for seats 1 and 3, the Progressive for 2."""
    if play.table.rules.book.max_options and seat == 2:
        return stakes(progressive=100)
    return every_wager(play.table)


def round_in_phase(book: str, phase: Phase) -> Play:
    """Seat 1 raises at once, seats 2 and 3 check; on the river 3 folds and 2 raises."""
    play = opened(book)
    play.does(OpenRound(), *(PlaceBets(seat, wagers(play, seat)) for seat in (1, 2, 3)))
    if phase is Phase.BETTING:
        return play
    play.does(CloseBets())
    if phase is Phase.NO_MORE_BETS:
        return play
    play.deals(HOLES, **CARDS)
    if phase is not Phase.POCKET:
        play.does(Raise(1, 3))
        play.reaches(phase, fold=(3,))
    return play


def finish_round(play: Play) -> None:
    """The dealer finishes the round."""
    for _ in range(30):
        if play.phase is Phase.CLOSED:
            return
        if play.phase is Phase.NO_MORE_BETS:
            play.deals()
        if owing := (play.round.seats_owing() if play.phase in DECIDING[::2] else []):
            play.does(TimeOut(owing[0], 120))
        else:
            play.does(Proceed())
    raise AssertionError(f"the round does not end: {play.phase}")


def registered_outcome(cause: str, phase: Phase, resolution: str, seat: int | None) -> str:
    """`refused`, `stands`, `hand` or `round`, according to the register."""
    if (seat is None) == (cause in OF_A_SEAT) or (seat is not None and seat > 3):
        return "refused"
    if phase not in WHEN[cause] or not can_concern(cause, phase, seat):
        return "refused"
    if resolution == "void":
        if cause in VOIDS_NOTHING:
            return "refused"
        return "hand" if cause in OF_A_SEAT else "round"
    return "stands" if phase in LETS_STAND.get((cause, resolution), ()) else "refused"


def can_concern(cause: str, phase: Phase, seat: int | None) -> bool:
    """Whether the cause can concern this seat in the round of `round_in_phase`."""
    raised = {Phase.POCKET: ()}.get(phase, (1, 2) if phase in DEALT[5:] else (1,))
    if cause == "missed_raise":
        return seat not in raised
    return cause != "folded_card_exposed" or (seat == 3 and phase in DEALT[5:])


def assert_conserved(play: Play) -> None:
    assert play.floor.ledger.total() == 0
    assert on_felt(play.floor) == 0
    assert all(
        amount > 0 for account, amount in play.floor.ledger if account.kind is AccountKind.PLAYER
    )
    assert replay_events(play.log) == play.floor


def assert_voided(play: Play, seat: int, cause: str, dealt: bool) -> None:
    """Every stake is returned, except Trips Plus where the register settles it."""
    settles = dealt and cause in STILL_SETTLES_TRIPS
    for wager, line in play.lines(seat).items():
        if wager is TRIPS and settles:
            won = seat == 1
            assert (line.result, line.net) == ((Result.WIN, 1_500) if won else (Result.LOSE, -500))
            assert line.outcome == ("three_of_a_kind" if won else line.outcome)
        else:
            assert (line.result, line.net, line.award) == (Result.VOID, 0, 0)
            misdeal = cause == "card_found_face_up" and not dealt
            rule = play.table.rules.book.irregularities[Cause(cause)]
            assert line.clause == ("R91" if misdeal else rule.clause)
    assert play.chips(seat) == 100_000 + sum(line.net for line in play.lines(seat).values())


@pytest.mark.clause(
    "NY (j)(1)",
    "NY (j)(2)(i)",
    "NY (j)(2)(ii)",
    "NY (j)(3) player",
    "NY (j)(3) dealer",
    "NY (j)(3) correction",
)
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("cause", WHEN)
def test_a7_every_phase_and_resolution_conserves_money(book: str, cause: str) -> None:
    for phase in PHASES:
        start = round_in_phase(book, phase)
        for resolution in RESOLUTIONS:
            for seat in (None, 1, 2, 3, 4):
                play = Play(start.floor, start.id, list(start.log))
                outcome = registered_outcome(cause, phase, resolution, seat)
                answer = play.ask(irregularity_report(cause, seat, resolution))
                context = f"{book} {cause} at {phase}, {resolution}, seat {seat}"
                if outcome == "refused":
                    assert isinstance(answer, Refusal), context
                    assert play.log == start.log
                    continue
                assert not isinstance(answer, Refusal), f"{context}: {answer}"
                assert answer[0] == IrregularityReported(
                    Cause(cause), seat, Resolution(resolution), "Dee", "Sue", ""
                )
                assert play.log[: len(start.log)] == start.log, "nothing is taken back"
                raised = [seat.seat for seat in play.round.seat_plays({}) if seat.multiple]
                finish_round(play)
                assert_conserved(play)
                dealt = bool(play.round.deck)
                voided = {"stands": [], "hand": [seat or 0], "round": [1, 2, 3]}[outcome]
                for number in voided:
                    assert_voided(play, number, cause, dealt)
                    assert (RAISE in play.lines(number)) == (number in raised), context
                for number in {1, 2, 3} - set(voided):
                    assert Result.VOID not in {
                        line.result for line in play.lines(number).values()
                    }, context
                total = sum(
                    PROGRESSIVE in play.round.seats[number].stakes
                    for number in {1, 2, 3} - set(voided)
                )
                if play.floor.meters:
                    assert play.meter.pool == (1_000_000 + 25 * total) * MICROS_PER_CENT, context


def test_a7_there_are_more_than_360_combinations() -> None:
    phases, books, causes = len(PHASES), len(BOOKS), len(WHEN)
    assert phases * books * causes * len(RESOLUTIONS) >= 1_500
    assert set(load_book("new-york").irregularities) == set(WHEN)


@pytest.mark.parametrize("book", BOOKS)
def test_r96_every_book_has_new_yorks_set_the_rest_marked_as_house_rules(book: str) -> None:
    rules = load_book(book).irregularities
    assert set(rules) == set(WHEN)
    own = ("dealer_card_exposed", "card_found_face_up", "player_card_count", "dealer_card_count")
    for cause, rule in rules.items():
        assert rule.house_rule == (book != "new-york" or cause not in own), cause


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "new-york"])
def test_r96_a_void_by_new_yorks_procedure_says_that_it_is_a_house_rule(book: str) -> None:
    play = table_at(Phase.FLOP, book)
    (_, voided) = play.does(irregularity_report("dealer_card_exposed"))
    clause = "R96, NY (j)(1), (2)(i)"
    assert voided == RoundVoided(Cause.DEALER_CARD_EXPOSED, clause, house_rule=True)
    view = rail_view(play.floor, "T1").round
    assert view is not None
    shown = VoidView(Cause.DEALER_CARD_EXPOSED, clause, house_rule=True, settles=(TRIPS,))
    assert [view.voided, view.seats[1].voided] == [shown, shown]
    play.does(Proceed())
    line = play.lines(1)[ANTE]
    assert (line.why, line.clause) == ("returned: dealer card exposed, a house rule", clause)


def test_r96_new_yorks_own_void_is_no_house_rule() -> None:
    play = table_at(Phase.FLOP, "new-york")
    play.does(irregularity_report("dealer_card_exposed"), Proceed())
    assert play.lines(1)[ANTE].why == "returned: dealer card exposed"


# R95: a Raise that was missed, a card of a folded hand.


def test_r95_a_missed_raise_is_corrected_if_no_card_was_turned_up_since() -> None:
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2))
    play.does(Check(1), Check(2))
    assert play.phase is Phase.FLOP_DUE
    events = play.does(irregularity_report("missed_raise", 1, "correct"))
    assert events[1:] == (DecisionReopened(1),)
    assert (play.phase, play.round.seats_owing()) == (Phase.POCKET, [1])
    assert play.refuses(Proceed()) == "nothing_due"
    play.does(Raise(1, 3))
    assert play.round.seats[1].decision == HasRaised(Street.POCKET, 3)
    assert play.phase is Phase.FLOP_DUE


def test_r95_a_raise_that_was_missed_on_the_river_takes_the_fold_back() -> None:
    play = table_at(Phase.RIVER, "new-york", seats=(1, 2))
    play.does(TimeOut(1, 120), Raise(2, 1))
    assert play.phase is Phase.REVEAL_DUE
    play.does(irregularity_report("missed_raise", 1, "correct"), Raise(1, 1))
    assert play.phase is Phase.REVEAL_DUE
    play.reaches(Phase.SETTLED)
    assert RAISE in play.lines(1)


def test_r95_after_the_next_card_a_missed_raise_stands_as_a_check() -> None:
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2))
    play.does(Check(1), Check(2), Proceed())
    assert play.refuses(irregularity_report("missed_raise", 1, "correct")) == "bad_resolution"
    state = play.round
    play.does(irregularity_report("missed_raise", 1, "play_on"))
    assert play.round == state
    play.does(Raise(1, 2))
    assert play.refuses(irregularity_report("missed_raise", 1, "play_on")) == "bad_irregularity"


def test_r95_an_exposed_card_of_a_folded_hand_changes_nothing() -> None:
    play = table_at(Phase.RIVER, "new-york", seats=(1, 2))
    assert (
        play.refuses(irregularity_report("folded_card_exposed", 1, "play_on")) == "bad_irregularity"
    )
    play.does(Fold(1))
    for resolution in ("void", "play_on"):
        assert (
            play.refuses(irregularity_report("player_card_exposed", 1, resolution))
            == "bad_irregularity"
        )
    assert play.refuses(irregularity_report("folded_card_exposed", 1)) == "bad_resolution"
    state = play.round
    play.does(irregularity_report("folded_card_exposed", 1, "play_on"))
    assert play.round == state
    play.does(Raise(2, 1))
    play.reaches(Phase.SETTLED)
    assert play.lines(1)[ANTE].outcome == "fold"


# (j)(1) and (2).


@pytest.mark.clause("NY (j)(1)", "NY (j)(2)(i)")
@pytest.mark.parametrize("dealing", ["hand", "shoe"])
@pytest.mark.parametrize("phase", DECIDING)
def test_ny_j_1_and_2_all_hands_are_void_and_trips_plus_is_dealt_out(
    phase: Phase, dealing: str
) -> None:
    play = opened("new-york", seats=(1, 2), dealing=dealing)
    play.bets({1: stakes(trips_plus=500, pocket_bonus=500), 2: stakes(pocket_bonus=500)})
    play.deals(HOLES, **CARDS)
    play.reaches(phase)
    shown = play.round.board_shown
    events = play.does(irregularity_report("dealer_card_exposed"))
    assert events[1:] == (
        RoundVoided(Cause.DEALER_CARD_EXPOSED, "NY (j)(1), (2)(i)", house_rule=False),
    )
    assert play.phase is Phase.SETTLEMENT_DUE
    for seat in (1, 2):
        assert legal_actions(play.round, seat) == ()
        assert play.refuses(Check(seat)) == "wrong_phase"
    settled = play.settles()
    completed = [event for event in settled if isinstance(event, BoardCompleted)]
    rest = play.round.deal.board[shown:]
    assert completed == ([BoardCompleted(rest)] if rest else [])
    assert play.round.board_shown == 5
    assert not play.round.dealer_shown
    assert play.lines(1)[TRIPS].net == 1_500
    for seat in (1, 2):
        for wager in (ANTE, ODDS, POCKET):
            assert play.lines(seat)[wager].result is Result.VOID
    assert (play.chips(1), play.chips(2)) == (101_500, 100_000)


@pytest.mark.parametrize("cause", STILL_SETTLES_TRIPS)
def test_without_a_trips_wager_the_board_is_not_dealt_out(cause: str) -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(pocket_bonus=500), 2: stakes()})
    play.deals()
    play.does(irregularity_report(cause))
    play.settles()
    assert play.round.board_shown == 0
    assert (play.chips(1), play.chips(2)) == (100_000, 100_000)


@pytest.mark.clause("NY (j)(1)")
@pytest.mark.parametrize("multiple", [1, 3])
def test_ny_j_1_ends_when_every_player_has_raised(multiple: int) -> None:
    """ "Prior to each player placing an authorized wager or folding": all have raised."""
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2))
    play.does(Raise(1, multiple))
    assert not isinstance(Play(play.floor).ask(irregularity_report("dealer_card_exposed")), Refusal)
    play.does(Raise(2, multiple))
    for _ in (Phase.FLOP_DUE, Phase.RIVER_DUE, Phase.REVEAL_DUE):
        assert play.refuses(irregularity_report("dealer_card_exposed")) == "wrong_phase"
        play.does(Proceed())


def test_r91_a_card_found_face_up_before_the_deal_is_a_misdeal() -> None:
    play = table_at(Phase.NO_MORE_BETS, "new-york")
    play.does(irregularity_report("card_found_face_up"))
    assert play.round.void is not None
    assert (play.round.void.clause, play.round.void.house_rule) == ("R91", True)
    assert play.refuses(DealCards(tuple(range(52)))) == "wrong_phase"
    play.settles()
    assert [play.chips(seat) for seat in (1, 2, 3)] == [100_000] * 3
    assert play.round.deck == ()
    assert not any(isinstance(event, BoardCompleted) for _, event in play.log)


@pytest.mark.clause("NY (j)(1)")
@pytest.mark.parametrize("book", BOOKS)
def test_r92_a_folders_ante_and_odds_come_back_when_the_round_is_void(book: str) -> None:
    play = table_at(Phase.RIVER, book, seats=(1, 2))
    play.does(Fold(1), irregularity_report("dealer_card_exposed"))
    play.settles()
    assert play.lines(1)[ANTE].result is Result.VOID
    assert play.lines(1)[ODDS].result is Result.VOID
    assert play.lines(1)[TRIPS].result is Result.LOSE
    assert play.chips(1) == 100_000 - 500


@pytest.mark.clause("NY (j)(2)(i)")
def test_ny_j_2_trips_plus_is_settled_where_a_fold_would_have_forfeited_it() -> None:
    """A hand that is void before its last decision was never folded."""
    play = opened("new-york", seats=(1, 2), trips_plus_after_fold="forfeits")
    play.bets({1: stakes(trips_plus=500), 2: stakes(trips_plus=500)})
    play.deals({1: "9h9s", 2: "KcKs"}, **CARDS)
    play.reaches(Phase.RIVER)
    play.does(Raise(1, 1), irregularity_report("dealer_card_exposed"))
    play.settles()
    for seat in (1, 2):
        assert play.lines(seat)[TRIPS].outcome == "three_of_a_kind"
        assert play.chips(seat) == 101_500


def test_a_raise_is_returned_with_the_rest() -> None:
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2))
    play.does(Raise(1, 3))
    assert play.chips(1) == 100_000 - 1_000 * 5 - 1_100
    play.does(irregularity_report("foul_deck"))
    play.settles()
    assert play.lines(1)[RAISE].stake == 3_000
    assert play.chips(1) == 100_000


# (j)(3).


@pytest.mark.clause("NY (j)(3) player")
@pytest.mark.parametrize("phase", WHEN["player_card_count"])
@pytest.mark.parametrize("clockwise", [False, True])
def test_ny_j_3_a_players_count_voids_that_hand_only_trips_too(
    phase: Phase, clockwise: bool
) -> None:
    play = table_at(phase, "new-york", seats=(1, 2, 3), clockwise=clockwise)
    events = play.does(irregularity_report("player_card_count", 2))
    assert events[1:] == (HandVoided(2, Cause.PLAYER_CARD_COUNT, "NY (j)(3)", house_rule=False),)
    assert play.refuses(Check(2)) in ("already_acted", "wrong_phase")
    finish_round(play)
    assert {line.result for line in play.lines(2).values()} == {Result.VOID}
    assert play.chips(2) == 100_000
    for seat in (1, 3):
        assert play.lines(seat)[TRIPS].result is Result.LOSE
        assert play.lines(seat)[ANTE].result is not Result.VOID


@pytest.mark.clause("NY (j)(3) player")
def test_ny_j_3_a_hand_with_a_wrong_count_gets_no_cards_and_the_others_play() -> None:
    play = table_at(Phase.NO_MORE_BETS, "new-york", seats=(1, 2, 3))
    play.does(irregularity_report("player_card_count", 2))
    places = deal_order(play.table.rules.dealing, (1, 3), False)
    assert play.round.dealt_seats() == (1, 3)
    play.does(DealCards(tuple(range(52))))
    assert (play.round.places, play.round.seats[2].hole) == (places, ())
    finish_round(play)
    assert play.chips(2) == 100_000
    assert play.lines(1)[ANTE].result is not Result.VOID
    only = table_at(Phase.NO_MORE_BETS, "new-york", seats=(2,))
    only.does(irregularity_report("player_card_count", 2))
    assert only.phase is Phase.SETTLEMENT_DUE, "there is nobody to deal to"
    finish_round(only)
    assert only.chips(2) == 100_000


@pytest.mark.clause("NY (j)(3) player")
@pytest.mark.parametrize("phase", WHEN["player_card_count"])
def test_ny_j_3_r94_the_contribution_of_the_void_hand_goes_back(phase: Phase) -> None:
    play = table_at(phase, "new-york", seats=(1, 2, 3))
    seed, each = 10_000_000_000, 250_000
    assert play.meter.pool == seed + 3 * each
    play.does(irregularity_report("player_card_count", 2))
    assert play.meter.pool == seed + 2 * each
    finish_round(play)
    assert_conserved(play)


@pytest.mark.clause("NY (j)(3) player")
def test_ny_j_3_a_count_by_hand_leaves_out_a_hand_that_is_void_already() -> None:
    play = opened("new-york", seats=(1, 2))
    play.does(ReportEquipmentDown("power"))
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.does(irregularity_report("player_card_count", 2), CountByHand({PROGRESSIVE: 1}))
    assert play.meter.pool == 10_000_250_000


@pytest.mark.clause("NY (j)(3) player")
@pytest.mark.parametrize(("paytable", "board"), [("A", "QsJs2c4dTs"), ("H", "QsJsTs2c4d")])
def test_ny_j_3_a_share_of_the_pool_that_a_void_hand_had_won_goes_back(
    paytable: str, board: str
) -> None:
    """Found while the hands are turned over: 10 % of the pool, or all of it."""
    play = opened("new-york", seats=(1, 2), paytables={"progressive": paytable})
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.deals({1: "AsKs"}, board=board, dealer="9h9c")
    play.does(Raise(1, 3), Raise(2, 3))
    play.reaches(Phase.RESOLVING)
    won = play.lines(1)[PROGRESSIVE].award * 10_000
    assert won > 1_000_000_000
    pool = play.meter.pool
    play.does(Proceed(), irregularity_report("player_card_count", 1))
    assert play.meter.pool == pool + won - 250_000
    finish_round(play)
    assert play.chips(1) == 100_000
    assert_conserved(play)


@pytest.mark.clause("NY (j)(3) player")
def test_ny_j_3_a_hand_that_is_settled_stands() -> None:
    play = table_at(Phase.RESOLVING, "new-york", seats=(1, 2))
    play.does(Proceed())
    assert play.round.resolved == (2,)
    assert play.refuses(irregularity_report("player_card_count", 2)) == "bad_irregularity"
    play.does(irregularity_report("player_card_count", 1))
    finish_round(play)
    assert play.chips(1) == 100_000


def test_the_street_closes_when_the_last_hand_that_owes_a_decision_is_void() -> None:
    play = table_at(Phase.POCKET, seats=(1, 2))
    play.does(Check(1), irregularity_report("player_card_count", 2))
    phases = [play.phase]
    play.does(Proceed(), irregularity_report("player_card_exposed", 1))
    phases.append(play.phase)
    assert phases == [Phase.FLOP_DUE, Phase.RIVER_DUE]
    finish_round(play)
    assert (play.chips(1), play.chips(2)) == (100_000, 100_000)


@pytest.mark.clause("NY (j)(3) correction", "NY (j)(3) dealer")
def test_ny_j_3_the_dealers_count_is_corrected_in_sequence_unless_face_up() -> None:
    play = table_at(Phase.POCKET, "new-york")
    state = play.round
    events = play.does(irregularity_report("dealer_card_count", resolution="correct"))
    assert len(events) == 1
    assert play.round == state, "the round goes on as it was; the report is in the record"
    play.reaches(Phase.FLOP_DUE)
    play.does(irregularity_report("dealer_card_count", resolution="correct"))


@pytest.mark.clause("NY (j)(3) correction")
@pytest.mark.parametrize("dealing", ["hand", "shoe"])
@pytest.mark.parametrize("phase", DEALT[2:])
def test_ny_j_3_the_dealers_count_is_not_corrected_once_a_board_card_is_face_up(
    phase: Phase, dealing: str
) -> None:
    """The cards that would follow in sequence have been turned face up."""
    play = table_at(phase, "new-york", dealing=dealing)
    assert (
        play.refuses(irregularity_report("dealer_card_count", resolution="correct"))
        == "bad_resolution"
    )
    play.does(irregularity_report("dealer_card_count"))
    play.settles()
    assert [play.chips(seat) for seat in (1, 2, 3)] == [100_000] * 3


@pytest.mark.clause("NY (j)(3) correction")
def test_ny_j_3_the_dealers_count_is_not_corrected_once_a_board_card_was_seen_early() -> None:
    play = table_at(Phase.FLOP_DUE, "new-york")
    play.does(irregularity_report("early_board_card", resolution="play_on"))
    assert (
        play.refuses(irregularity_report("dealer_card_count", resolution="correct"))
        == "bad_resolution"
    )
    play.does(irregularity_report("dealer_card_count"))


@pytest.mark.parametrize("phase", [Phase.FLOP_DUE, Phase.RIVER_DUE])
def test_r95_no_check_is_taken_back_once_a_card_of_the_next_street_was_seen(phase: Phase) -> None:
    play = table_at(phase)
    play.does(irregularity_report("early_board_card", resolution="play_on"))
    assert (
        play.refuses(irregularity_report("missed_raise", 1, resolution="correct"))
        == "bad_resolution"
    )
    play.does(
        Proceed(),
        irregularity_report("missed_raise", 1, resolution="play_on"),
        Check(1) if phase is Phase.FLOP_DUE else Fold(1),
    )
    play.does(irregularity_report("missed_raise", 1, resolution="correct"))


STRICT_HOUSE = """
extends = "new-york"
title = "Strict house"
[irregularities.dealer_card_count]
voids = "all"
settles = []
clause = "House 1"
correctable = false
"""


def test_a_book_may_forbid_corrections(tmp_path: Path) -> None:
    book = tmp_path / "strict.toml"
    book.write_text(STRICT_HOUSE, encoding="utf-8")
    state = Round(table_rules(str(book)), 1)._replace(phase=Phase.POCKET)
    answer = decide(state, irregularity_report("dealer_card_count", resolution="correct"))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad_resolution"
    assert not isinstance(decide(state, irregularity_report("dealer_card_count")), Refusal)


# Reports.

FOUL, COUNT = Cause.FOUL_DECK, Cause.PLAYER_CARD_COUNT
BAD_REPORTS = {
    "a text that reads like a cause": (
        ReportIrregularity(cast(Cause, "foul_deck"), "Dee", "Sue"),
        "bad_command",
    ),
    "a text that reads like a resolution": (
        ReportIrregularity(Cause.PLAYER_CARD_EXPOSED, "Dee", "Sue", 1, cast(Resolution, "play_on")),
        "bad_command",
    ),
    "no such cause": (
        ReportIrregularity(cast(Cause, "bad_luck"), "Dee", "Sue"),
        "bad_command",
    ),
    "no supervisor": (ReportIrregularity(FOUL, "Dee", ""), "needs_two_people"),
    "no dealer": (ReportIrregularity(FOUL, " ", "Sue"), "needs_two_people"),
    "one person": (ReportIrregularity(FOUL, "Sue", " sue "), "needs_two_people"),
    "a seat for the table": (ReportIrregularity(FOUL, "Dee", "Sue", 1), "no_such_seat"),
    "no seat": (ReportIrregularity(COUNT, "Dee", "Sue"), "no_such_seat"),
    "an empty seat": (ReportIrregularity(COUNT, "Dee", "Sue", 5), "no_such_seat"),
    "no such resolution": (
        ReportIrregularity(FOUL, "Dee", "Sue", None, cast(Resolution, "ignore")),
        "bad_command",
    ),
}


@pytest.mark.parametrize("case", BAD_REPORTS)
def test_r95_a_report_names_a_known_cause_a_seat_where_due_and_two_people(case: str) -> None:
    command, code = BAD_REPORTS[case]
    assert table_at(Phase.POCKET).refuses(command) == code


@pytest.mark.parametrize("cause", WHEN)
def test_a_round_is_voided_only_once(cause: str) -> None:
    play = table_at(Phase.POCKET)
    play.does(irregularity_report("foul_deck"))
    seat = 1 if cause in OF_A_SEAT else None
    assert play.refuses(irregularity_report(cause, seat)) == "already_void"


def test_a_hand_is_voided_once_and_keeps_its_cause_if_the_round_is_voided() -> None:
    play = table_at(Phase.POCKET, "new-york")
    play.does(irregularity_report("player_card_count", 1))
    assert play.refuses(irregularity_report("player_card_count", 1)) == "already_void"
    assert play.refuses(irregularity_report("player_card_exposed", 1)) == "already_void"
    play.does(irregularity_report("dealer_card_exposed"))
    play.settles()
    assert {line.cause for line in play.lines(1).values()} == {Cause.PLAYER_CARD_COUNT}
    assert play.lines(1)[TRIPS].result is Result.VOID, "R93: no saving clause"
    assert play.lines(2)[TRIPS].result is Result.LOSE, "(j)(2)(i)"


# The Progressive of a void hand (R94).


def contributions(play: Play) -> int:
    """What the house owes the pool out of its tray, in cents; below zero once it has paid."""
    accrual = Account(AccountKind.ACCRUAL, play.table.meter)
    return -play.floor.ledger.balance(accrual) // MICROS_PER_CENT


@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington"])
def test_r94_the_contribution_is_reversed_by_a_compensating_entry(book: str) -> None:
    play = opened(book, seats=(1, 2))
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.deals()
    assert (contributions(play), play.meter.contributed) == (50, 50 * MICROS_PER_CENT)
    play.does(irregularity_report("player_card_count", 1))
    assert (contributions(play), play.meter.contributed) == (25, 25 * MICROS_PER_CENT)
    play.does(irregularity_report("dealer_card_count"))
    assert (contributions(play), play.meter.contributed) == (0, 0)
    play.settles()
    assert contributions(play) == 0
    assert (play.chips(1), play.chips(2)) == (100_000, 100_000)


def test_r94_a_counted_contribution_is_reversed_even_if_the_meter_is_frozen_by_now() -> None:
    play = opened("new-york", seats=(1,))
    play.bets({1: stakes(progressive=100)})
    play.does(FreezeMeter("sensor down"), irregularity_report("foul_deck"))
    play.settles()
    assert play.meter.contributed == 0
    assert play.meter.pool == 1_000_000 * MICROS_PER_CENT


def test_r94_an_uncounted_contribution_is_not_reversed_even_if_the_meter_runs_again() -> None:
    play = opened("new-york", seats=(1,))
    play.does(FreezeMeter("sensor down"))
    play.bets({1: stakes(progressive=100)})
    play.does(FreezeMeter(""), irregularity_report("foul_deck"))
    play.settles()
    assert play.meter.contributed == 0
    assert play.meter.pool == 1_000_000 * MICROS_PER_CENT


@pytest.mark.parametrize("book", ["galaxy", "new-york", "washington"])
def test_r94_a_share_of_the_pool_excludes_the_void_wager(book: str) -> None:
    play = opened(book, seats=(1, 2), meter_contribution="0.90")
    play.bets({1: stakes(progressive=100), 2: stakes(progressive=100)})
    play.deals({1: "AsKs"}, board="QsJs2c4dTs", dealer="9h9c")
    play.does(irregularity_report("player_card_count", 2), Raise(1, 3))
    play.reaches(Phase.SETTLED)
    line = play.lines(1)[PROGRESSIVE]
    assert line.award == 100_009, "10 % of $10,000.90, not of $10,001.80"
    assert play.round.settlement is not None
    assert play.chips(1) == 100_000 + play.round.settlement.seat(1).net
    assert play.meter.pool == 10_000_900_000 - 1_000_090_000
    assert play.round.settlement.meter_after == play.meter.pool
