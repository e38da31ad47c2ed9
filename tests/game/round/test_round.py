"""One round, step by step: R9, R21, R27–R34 and New York (c)–(e)."""

from typing import Any

import pytest

from headsup.game.refusal import Refusal
from headsup.game.round.commands import (
    Check,
    CloseBets,
    DealCards,
    ExtendTime,
    Fold,
    PlaceBets,
    Proceed,
    Raise,
    RoundCommand,
    TimeOut,
    WithdrawBets,
)
from headsup.game.round.decide import decide, legal_actions
from headsup.game.round.decision import HAS_FOLDED, HasRaised
from headsup.game.round.events import (
    BetsPlaced,
    Checked,
    Folded,
    Raised,
    RoundClosed,
    TimeExtended,
)
from headsup.game.round.state import STREET_BY_PHASE, Phase, Round
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Result, Street, Wager
from headsup.game.table.commands import PlayerAt
from headsup.game.table.rounds import OpenRound
from headsup.game.values.cards import DECK
from tests.support.tables import (
    ANTE,
    BOOKS,
    ODDS,
    RAISE,
    Play,
    every_wager,
    irregularity_report,
    on_felt,
    opened,
    stakes,
    table_at,
)

# Galaxy 5, 7, 9; GW 4, 6, 8; NY (e)(3), (5), (7); SugarHouse; WA 2–4 (R27, R28).
RAISES = {
    "galaxy": ([3], [2], [1]),
    "galaxy-wpt": ([1, 2, 3], [1, 2], [1]),
    "new-york": ([1, 2, 3], [1, 2], [1]),
    "sugarhouse": ([3], [2], [1]),
    "washington": ([3], [2], [1]),
    "washington-no-qualifier": ([3], [2], [1]),
}
PHASES = tuple(Phase)
DECIDING = tuple(STREET_BY_PHASE)


def names(play: Play) -> list[str]:
    return [type(event).__name__ for _, event in play.log]


# From betting to closed.


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("dealing", ["hand", "shoe"])
def test_a_round_runs_from_betting_to_closed(book: str, dealing: str) -> None:
    play = opened(book, seats=(1, 2), dealing=dealing)
    before = len(play.log)
    phases = []
    play.does(OpenRound())
    for seat in (1, 2):
        play.does(PlaceBets(seat, every_wager(play.table)))
    phases.append(play.phase)
    play.does(CloseBets())
    phases.append(play.phase)
    play.deals()
    phases.append(play.phase)
    for step in (
        (Check(1), Raise(2, 3)),
        (Proceed(),),
        (Check(1),),
        (Proceed(),),
        (Fold(1),),
        (Proceed(),),
        (Proceed(),),
        (Proceed(), Proceed()),
        (Proceed(),),
    ):
        play.does(*step)
        phases.append(play.phase)
    assert phases == list(Phase), "every phase, in the order of the game"
    assert names(play)[before:] == [
        "RoundOpened",
        "BetsPlaced",
        "BetsPlaced",
        "BetsClosed",
        *(["WagersRegistered"] if play.table.tabulator else []),
        "CardsDealt",
        "Checked",
        "Raised",
        "FlopRevealed",
        "Checked",
        "TurnAndRiverRevealed",
        "Folded",
        "DealerRevealed",
        "RoundSettled",
        "HandResolved",
        "HandResolved",
        "RoundClosed",
    ]
    assert on_felt(play.floor) == 0
    assert play.lines(1)[ANTE].result is Result.LOSE
    assert RAISE in play.lines(2)


@pytest.mark.parametrize("raise_on", [Street.POCKET, Street.FLOP])
def test_when_all_have_raised_the_dealer_goes_on_without_decisions(raise_on: Street) -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    if raise_on is Street.FLOP:
        play.does(Check(1), Check(2), Proceed())
    play.does(Raise(2, 1), Raise(1, 2))
    seen = []
    while play.phase is not Phase.CLOSED:
        seen.append(play.phase)
        play.does(Proceed())
    due = [Phase.FLOP_DUE, Phase.RIVER_DUE, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE]
    due += [Phase.RESOLVING, Phase.RESOLVING, Phase.SETTLED]
    assert seen == (due if raise_on is Street.POCKET else due[1:])


def test_the_board_is_shown_three_then_two_and_the_dealer_last() -> None:
    """NY (e)(4), (6), (8)."""
    play = table_at(Phase.POCKET)
    shown = {}
    for phase in PHASES[PHASES.index(Phase.POCKET) :]:
        play.reaches(phase)
        shown[phase] = (play.round.board_shown, play.round.dealer_shown)
    assert shown == {
        Phase.POCKET: (0, False),
        Phase.FLOP_DUE: (0, False),
        Phase.FLOP: (3, False),
        Phase.RIVER_DUE: (3, False),
        Phase.RIVER: (5, False),
        Phase.REVEAL_DUE: (5, False),
        Phase.SETTLEMENT_DUE: (5, True),
        Phase.RESOLVING: (5, True),
        Phase.SETTLED: (5, True),
        Phase.CLOSED: (5, True),
    }


# Betting.


def test_r9_bets_are_replaced_and_withdrawn_until_no_more_bets() -> None:
    play = opened(seats=(1, 2))
    play.does(OpenRound(), PlaceBets(1, stakes(1_000, trips_plus=500)))
    assert play.chips(1) == 100_000 - 2_500
    play.does(PlaceBets(1, stakes(2_000)))
    assert play.chips(1) == 100_000 - 4_000
    assert play.round.seats[1].stakes == {ANTE: 2_000, ODDS: 2_000}
    play.does(WithdrawBets(1))
    assert play.chips(1) == 100_000
    assert on_felt(play.floor) == 0
    assert play.refuses(WithdrawBets(1)) == "no_such_seat"
    play.does(PlaceBets(1, stakes()), CloseBets())
    assert play.refuses(PlaceBets(1, stakes(2_000))) == "wrong_phase"
    assert play.refuses(PlaceBets(2, stakes())) == "wrong_phase"
    assert play.refuses(WithdrawBets(1)) == "wrong_phase"


@pytest.mark.clause("NY (c)(2) not increased", "NY (c)(2) not withdrawn")
@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase is not Phase.BETTING])
def test_ny_c_2_no_wager_is_made_increased_or_withdrawn_after_no_more_bets(phase: Phase) -> None:
    play = table_at(phase, "new-york", seats=(1, 2))
    for seat in (1, 2):
        assert play.refuses(PlaceBets(seat, stakes(5_000))) == "wrong_phase"
        assert play.refuses(WithdrawBets(seat)) == "wrong_phase"
    assert play.refuses(CloseBets()) == "wrong_phase"


BAD_STAKES: dict[str, tuple[str, dict[Wager, int], str]] = {
    "nothing": ("galaxy", {}, "missing_wager"),
    "Odds alone": ("galaxy", {ODDS: 1_000}, "missing_wager"),
    "Ante alone": ("galaxy", {ANTE: 1_000}, "missing_wager"),
    "a side wager alone (R8)": ("galaxy", {Wager.TRIPS_PLUS: 1_000}, "missing_wager"),
    "Ante and Odds differ": ("galaxy", {ANTE: 1_000, ODDS: 1_100}, "ante_not_equal_odds"),
    "zero": ("galaxy", stakes(0), "stake_not_positive"),
    "below zero": ("galaxy", stakes(-1_000), "stake_not_positive"),
    "side of zero": ("galaxy", stakes(trips_plus=0), "stake_not_positive"),
    "a fraction of a cent": ("galaxy", {ANTE: 10.5, ODDS: 10.5}, "bad_command"),  # type: ignore[dict-item]
    "true": ("galaxy", {ANTE: True, ODDS: True}, "bad_command"),
    "2^62": ("galaxy", stakes(2**62), "amount_too_large"),
    "below the limit": ("galaxy", stakes(400), "below_minimum"),
    "above the limit": ("galaxy", stakes(20_100), "above_maximum"),
    "off the step": ("galaxy", stakes(1_050), "off_step"),
    "a side wager's limit": ("galaxy", stakes(trips_plus=5_100), "above_maximum"),
    "a Raise before the cards": ("galaxy", stakes(**{"raise": 1_000}), "wager_not_offered"),
    "All 6 in New York": ("new-york", stakes(all_6=500), "wager_not_offered"),
    "Progressive at SugarHouse": ("sugarhouse", stakes(progressive=100), "wager_not_offered"),
    "NY (k)(1) not a dollar": ("new-york", stakes(progressive=99), "progressive_stake"),
    "two dollars": ("galaxy", stakes(progressive=200), "progressive_stake"),
    "a fifth option": ("washington", stakes(trips_plus=500, pocket_bonus=500), "too_many_wagers"),
    "above the chips": ("galaxy", stakes(10_000, trips_plus=100), "not_enough_chips"),
}
LIMITS = {
    "ante": {"min": "5.00", "max": "200.00", "step": "1.00"},
    "trips_plus": {"min": "1.00", "max": "50.00"},
}


@pytest.mark.parametrize("case", BAD_STAKES)
def test_r5_to_r10_stakes_outside_the_rules_are_refused(case: str) -> None:
    book, placed, code = BAD_STAKES[case]
    play = opened(book, seats=(1,), chips=20_000, limits=LIMITS)
    play.does(OpenRound())
    assert play.refuses(PlaceBets(1, placed)) == code
    play.does(PlaceBets(1, stakes(500)))
    assert play.refuses(PlaceBets(1, placed)) == code, "also instead of good stakes"
    assert play.round.seats[1].stakes == stakes(500)


def test_chips_already_on_the_felt_count_when_bets_are_replaced() -> None:
    play = opened(seats=(1,), chips=4_000)
    play.does(OpenRound(), PlaceBets(1, stakes(2_000)))
    assert play.chips(1) == 0
    assert play.refuses(PlaceBets(1, stakes(2_001))) == "not_enough_chips"
    play.does(PlaceBets(1, stakes(2_000)), PlaceBets(1, stakes(1_000)))
    assert play.chips(1) == 2_000


def test_bets_do_not_close_on_an_empty_layout() -> None:
    play = opened()
    play.does(OpenRound())
    assert play.refuses(CloseBets()) == "no_wagers"
    play.does(PlaceBets(1, stakes()), WithdrawBets(1))
    assert play.refuses(CloseBets()) == "no_wagers"


# Dealing.


def test_cards_are_dealt_once_and_only_after_no_more_bets() -> None:
    for phase in PHASES:
        if phase is not Phase.NO_MORE_BETS:
            assert table_at(phase).refuses(DealCards(DECK)) == "wrong_phase"


BAD_DECKS = {
    "51 cards": DECK[:-1],
    "53 cards": (*DECK, 0),
    "a card twice": (*DECK[:-1], 0),
    "no cards": (),
}
NO_CARDS = {
    "a joker": (*DECK[:-1], 52),
    "below zero": (*DECK[:-1], -1),
    "true for the deuce of diamonds": (0, True, *DECK[2:]),
}


@pytest.mark.clause("G 1")
@pytest.mark.parametrize("case", BAD_DECKS)
def test_a_deck_is_52_different_cards(case: str) -> None:
    assert table_at(Phase.NO_MORE_BETS).refuses(DealCards(BAD_DECKS[case])) == "bad_deck"


@pytest.mark.parametrize("case", NO_CARDS)
def test_a_deck_is_of_cards(case: str) -> None:
    assert table_at(Phase.NO_MORE_BETS).refuses(DealCards(NO_CARDS[case])) == "bad_command"


# Decisions.


@pytest.mark.clause(
    "G 5 raise",
    "G 5 check",
    "G 7 raise",
    "G 7 check",
    "G 9 must",
    "GW 4 raise",
    "GW 4 check",
    "GW 6 raise",
    "GW 6 check",
    "GW 8 must",
    "NY (e)(3) raise",
    "NY (e)(3) check",
    "NY (e)(5) raise",
    "NY (e)(5) check",
    "NY (e)(7) raise or fold",
    "NY (e)(2) raise or check",
    "NY (c)(4)",
    "SH How to play pocket check",
    "SH How to play pocket raise",
    "SH How to play flop raise",
    "SH How to play flop check",
    "SH How to play river",
    "SH Raise check or bet",
    "SH Raise amount",
    "WA 2 play",
    "WA 2 check",
    "WA 3 play",
    "WA 3 check",
    "WA 4 play or fold",
    "G Introduction deal",
    "GW Introduction deal",
)
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("phase", DECIDING)
def test_r27_r28_exactly_the_printed_raises_are_allowed(book: str, phase: Phase) -> None:
    play = table_at(phase, book, seats=(1,))
    printed = RAISES[book][DECIDING.index(phase)]
    last = Fold(1) if phase is Phase.RIVER else Check(1)
    assert list(legal_actions(play.round, 1)) == [
        *(Raise(1, multiple) for multiple in printed),
        last,
    ]
    for multiple in range(-1, 12):
        trial = Play(play.floor)
        if multiple in printed:
            trial.does(Raise(1, multiple))
            street = STREET_BY_PHASE[phase]
            assert trial.round.seats[1].decision == HasRaised(street, multiple)
            paid = play.chips(1) - trial.chips(1)
            assert paid == multiple * play.round.seats[1].stakes[ANTE]
        else:
            assert trial.refuses(Raise(1, multiple)) == "raise_not_allowed"


@pytest.mark.clause(
    "G 9 must",
    "GW 8 must",
    "NY (e)(2) raise or check",
    "NY (e)(7) raise or fold",
    "SH Raise river",
    "WA 4 play or fold",
)
@pytest.mark.parametrize("book", BOOKS)
def test_r31_r32_no_fold_before_the_river_and_no_check_on_it(book: str) -> None:
    assert table_at(Phase.POCKET, book).refuses(Fold(1)) == "no_early_fold"
    assert table_at(Phase.FLOP, book).refuses(Fold(1)) == "no_early_fold"
    assert table_at(Phase.RIVER, book).refuses(Check(1)) == "must_raise_or_fold"


@pytest.mark.clause(
    "GW 6 not raised",
    "NY (e)(5) not raised",
    "G 7 not raised",
    "G 9 not raised",
    "GW 8 not raised",
    "NY (e)(7) not raised",
    "SH How to play flop not raised",
    "WA 3 not played",
    "WA 4 not played",
)
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("phase", [Phase.POCKET, Phase.FLOP])
def test_r30_a_raise_closes_the_action(book: str, phase: Phase) -> None:
    play = table_at(phase, book, seats=(1, 2))
    streets = RAISES[book][DECIDING.index(phase) :]
    play.does(Raise(1, streets[0][0]))
    for later, _ in enumerate(streets):
        for multiple in range(1, 5):
            assert play.refuses(Raise(1, multiple)) == "already_acted"
        for command in (Check(1), Fold(1), TimeOut(1, 120)):
            assert play.refuses(command) == "already_acted"
        assert legal_actions(play.round, 1) == ()
        if later < len(streets) - 1:
            play.does(Check(2), Proceed())
    assert play.phase is Phase.RIVER


def test_a_street_takes_one_decision_from_each_seat() -> None:
    play = table_at(Phase.POCKET, seats=(1, 2))
    play.does(Check(1))
    for command in (Check(1), Raise(1, 3), TimeOut(1, 120)):
        assert play.refuses(command) == "already_acted"
    river = table_at(Phase.RIVER, seats=(1, 2))
    river.does(Fold(1))
    for late in (Fold(1), Raise(1, 1), TimeOut(1, 120)):
        assert river.refuses(late) == "already_acted"


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase not in DECIDING])
def test_no_decision_outside_a_street(phase: Phase) -> None:
    play = table_at(phase)
    for command in (Check(1), Raise(1, 3), Raise(1, 1), Fold(1), TimeOut(1, 120)):
        assert play.refuses(command) == "wrong_phase"
    assert all(legal_actions(play.round, seat) == () for seat in range(8))


def test_a_seat_without_a_wager_has_no_decision() -> None:
    play = opened(seats=(1, 2))
    play.bets({1: stakes()})
    play.deals()
    for seat in (2, 3, 0, 7):
        for command in (Check(seat), Raise(seat, 3), Fold(seat), TimeOut(seat, 120)):
            assert play.refuses(command) == "no_such_seat"
        assert legal_actions(play.round, seat) == ()


def test_a_raise_beyond_the_chips_is_refused_and_the_player_may_still_check() -> None:
    play = opened("new-york", seats=(1,), chips=4_000)
    play.bets({1: stakes(1_000)})
    play.deals()
    assert play.refuses(Raise(1, 3)) == "not_enough_chips"
    play.does(Raise(1, 2))
    assert play.chips(1) == 0


@pytest.mark.parametrize("phase", PHASES)
def test_the_dealer_proceeds_only_when_something_is_due(phase: Phase) -> None:
    waits = (Phase.BETTING, Phase.NO_MORE_BETS, *DECIDING, Phase.CLOSED)
    play = table_at(phase)
    if phase in waits:
        assert play.refuses(Proceed()) == "nothing_due"
    else:
        play.does(Proceed())
        hands_left = phase is Phase.RESOLVING and len(play.round.seats) > 1
        assert PHASES.index(play.phase) == PHASES.index(phase) + (not hands_left)


# Who acts when.


@pytest.mark.parametrize("phase", DECIDING)
def test_r34_clockwise_seats_act_from_the_dealers_left(phase: Phase) -> None:
    play = table_at(phase, seats=(2, 4, 5), clockwise=True)
    act = Fold if phase is Phase.RIVER else Check
    for first, *later in ((2, 4, 5), (4, 5), (5,)):
        for seat in later:
            assert play.refuses(act(seat)) == "not_your_turn"
            assert play.refuses(TimeOut(seat, 120)) == "not_your_turn"
            assert legal_actions(play.round, seat) == ()
        assert legal_actions(play.round, first)
        play.does(act(first))
    assert play.phase is PHASES[PHASES.index(phase) + 1]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_r34_at_once_seats_act_in_any_order(order: tuple[int, ...]) -> None:
    play = table_at(Phase.POCKET, seats=(1, 2, 3))
    play.does(*(Check(seat) for seat in order))
    assert play.phase is Phase.FLOP_DUE


def test_clockwise_seats_that_have_raised_are_passed_over() -> None:
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2, 3), clockwise=True)
    play.does(Check(1), Raise(2, 1), Check(3), Proceed())
    assert play.refuses(Check(3)) == "not_your_turn"
    play.does(Check(1), Check(3))
    assert play.phase is Phase.RIVER_DUE


# Time-outs.


@pytest.mark.parametrize("book", BOOKS)
def test_r33_nobody_is_timed_out_before_two_minutes(book: str) -> None:
    play = table_at(Phase.POCKET, book, seats=(1,))
    for waited in (-1, 0, 119):
        assert play.refuses(TimeOut(1, waited)) == "too_soon"
    play.does(TimeOut(1, 120))


def test_r33_a_table_may_post_a_longer_grace() -> None:
    play = table_at(Phase.POCKET, seats=(1,), grace_seconds=300)
    assert play.refuses(TimeOut(1, 299)) == "too_soon"
    play.does(TimeOut(1, 300))


def test_r33_the_dealer_may_give_more_time_for_one_decision() -> None:
    play = table_at(Phase.POCKET, "new-york", seats=(1, 2))
    assert play.does(ExtendTime(1, 60)) == (TimeExtended(1, 60),)
    play.does(ExtendTime(1, 30))
    assert play.refuses(TimeOut(1, 209)) == "too_soon"
    play.does(TimeOut(2, 120), TimeOut(1, 210))
    play.does(Proceed())
    play.does(TimeOut(1, 120))
    assert play.refuses(ExtendTime(1, 60)) == "already_acted"
    for seconds in (0, -5, 3_601):
        assert play.refuses(ExtendTime(2, seconds)) == "bad_amount"


def test_r33_only_the_dealer_gives_more_time() -> None:
    play = table_at(Phase.POCKET, seats=(1,))
    assert play.refuses(ExtendTime(1, 60), by=PlayerAt(1)) == "staff_only"


def test_r13_nobody_waits_for_a_player_who_said_they_are_leaving() -> None:
    play = table_at(Phase.POCKET, seats=(1,))
    assert play.does(TimeOut(1, None)) == (Checked(1, Street.POCKET, auto=True),)


@pytest.mark.parametrize("clockwise", [False, True])
def test_r33_time_outs_check_check_and_fold_marked_as_automatic(clockwise: bool) -> None:
    play = table_at(Phase.POCKET, seats=(1,), clockwise=clockwise)
    assert play.does(TimeOut(1, 120)) == (Checked(1, Street.POCKET, True, 120),)
    assert play.round.seats[1].auto
    play.does(Proceed())
    assert play.does(TimeOut(1, 120)) == (Checked(1, Street.FLOP, True, 120),)
    play.does(Proceed())
    assert play.does(TimeOut(1, 120)) == (Folded(1, True, 120),)
    assert play.round.seats[1].decision == HAS_FOLDED
    play.does(Proceed(), Proceed())
    assert play.lines(1)[ANTE].result is Result.LOSE
    assert play.lines(1)[ANTE].outcome == "fold"


def test_r33_a_players_own_decisions_are_not_marked_automatic() -> None:
    play = table_at(Phase.POCKET, seats=(1, 2))
    assert play.does(Check(1)) == (Checked(1, Street.POCKET, auto=False),)
    assert play.does(Raise(2, 3)) == (Raised(2, Street.POCKET, 3),)
    play.does(Proceed(), Check(1), Proceed())
    assert play.does(Fold(1)) == (Folded(1, auto=False),)
    assert not any(seat.auto for seat in play.round.seats.values())


# Values.


def test_decide_and_evolve_do_not_change_the_given_state() -> None:
    rules = table_rules("galaxy")
    before = Round(rules, 1)
    events = decide(before, PlaceBets(1, stakes()))
    assert events == (BetsPlaced(1, stakes()),)
    after = BetsPlaced(1, stakes()).apply_to(before)
    assert before.seats == {}
    assert after.seats[1].stakes == stakes()


def test_stakes_are_copied_from_the_command() -> None:
    play = opened(seats=(1,))
    mine: dict[Wager, int] = stakes()
    play.does(OpenRound(), PlaceBets(1, mine))
    mine[ANTE] = 1
    assert play.round.seats[1].stakes == stakes()


def test_a_refusal_is_a_value_with_code_and_sentence() -> None:
    answer = decide(Round(table_rules("galaxy"), 1), CloseBets())
    assert isinstance(answer, Refusal)
    assert (answer.code, bool(answer.message)) == ("no_wagers", True)


def test_the_dealer_closes_a_round_without_wagers() -> None:
    assert decide(Round(table_rules("galaxy"), 1), Proceed()) == (RoundClosed(),)


def every_command(seat: int) -> tuple[RoundCommand, ...]:
    own: tuple[RoundCommand, ...] = (
        PlaceBets(seat, stakes()),
        WithdrawBets(seat),
        Check(seat),
        *(Raise(seat, multiple) for multiple in (0, 1, 2, 3, 4)),
        Fold(seat),
        TimeOut(seat, 120),
    )
    return (*own, CloseBets(), DealCards(DECK), Proceed(), irregularity_report("foul_deck"))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("phase", PHASES)
def test_every_command_in_every_phase_is_accepted_or_refused_without_effect(
    book: str, phase: Phase
) -> None:
    """The seat's legal decisions are exactly those that are accepted."""
    play = table_at(phase, book, seats=(1, 2))
    for seat in range(8):
        accepted: list[Any] = []
        for command in every_command(seat):
            trial = Play(play.floor)
            answer = trial.ask(command)
            if isinstance(answer, Refusal):
                assert trial.floor is play.floor
            else:
                accepted.append(command)
                assert trial.floor != play.floor or command == PlaceBets(seat, stakes())
        decisions = [item for item in accepted if isinstance(item, Check | Raise | Fold)]
        assert sorted(map(str, decisions)) == sorted(map(str, legal_actions(play.round, seat)))
