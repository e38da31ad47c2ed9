"""Edge cases of settlement that no printed table reaches; some were bugs once."""

from fractions import Fraction

import pytest

from headsup.game.refusal import Refusal, RulesRefused
from headsup.game.round.decision import HAS_FOLDED, UNDECIDED, Decision, HasRaised
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.outcomes import progressive_outcome
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Result, Street, Wager
from headsup.game.settlement import Deal, Line, SeatPlay, settle, try_settle
from headsup.game.values.cards import parse_cards
from headsup.game.values.hands import Category

ROYAL_BOARD = Deal(parse_cards("2d3d"), parse_cards("TsJsQsKsAs"))
STAKES = {Wager.ANTE: 1_000, Wager.ODDS: 1_000, Wager.TRIPS_PLUS: 100}


def line(rules: TableRules, play: SeatPlay, wager: Wager, deal: Deal = ROYAL_BOARD) -> Line:
    lines = settle(rules, deal, [play]).seats[0].lines
    return next(line for line in lines if line.wager is wager)


def void_hand(rules: TableRules, decision: Decision) -> SeatPlay:
    void = rules.book.irregularities[Cause.DEALER_CARD_EXPOSED]
    return SeatPlay(1, parse_cards("4c5c"), STAKES, decision, void)


FORFEITS = {"trips_plus_after_fold": "forfeits"}


@pytest.mark.clause("NY (j)(2)(i)")
def test_ny_j2i_settles_the_trips_plus_of_a_hand_voided_before_it_decided() -> None:
    rules = table_rules("new-york", {}, FORFEITS)
    assert line(rules, void_hand(rules, UNDECIDED), Wager.TRIPS_PLUS).net == 10_000


def test_r92_a_void_undoes_the_fold_and_settles_the_folders_trips_plus() -> None:
    rules = table_rules("new-york", {}, FORFEITS)
    assert line(rules, void_hand(rules, HAS_FOLDED), Wager.TRIPS_PLUS).net == 10_000


def test_a_forfeited_trips_plus_cites_the_clauses_that_forfeit_it() -> None:
    rules = table_rules("new-york", {}, FORFEITS)
    folded = SeatPlay(1, parse_cards("4c5c"), STAKES, HAS_FOLDED)
    lost = line(rules, folded, Wager.TRIPS_PLUS)
    assert (lost.result, lost.clause) == (Result.LOSE, "NY (e)(7), (9)")


def test_a_payout_cap_holds_on_what_a_void_still_settles() -> None:
    cap = {"cap": {"amount": "10.00", "wagers": ["trips_plus"]}}
    rules = table_rules("washington", {}, cap)
    paid = line(rules, void_hand(rules, UNDECIDED), Wager.TRIPS_PLUS)
    assert (paid.net, paid.shortfall) == (1_000, 4_000)


def test_r66_a_royal_row_is_more_specific_than_a_flopped_straight_flush_row() -> None:
    rows = ("flopped_royal_flush_in_spades", "flopped_straight_flush", "royal_flush")
    board = parse_cards("TsJsQs2c3d")
    spades = progressive_outcome(parse_cards("AsKs"), board, Category.ROYAL_FLUSH, rows)
    assert spades == "flopped_royal_flush_in_spades"
    hearts = parse_cards("ThJhQh2c3d")
    other = progressive_outcome(parse_cards("AhKh"), hearts, Category.ROYAL_FLUSH, rows)
    assert other == "flopped_straight_flush"


@pytest.mark.parametrize("blank", ["", "n/a", " "])
def test_r38_a_blank_does_not_fill_a_bonus_cell(blank: str) -> None:
    printed = load_book("washington").paytables["trips_plus"]["HH/TP-6"]
    cells = dict.fromkeys(printed.pays, blank)
    with pytest.raises(RulesRefused) as refused:
        table_rules("washington", {"trips_plus": "HH/TP-6"}, {"bonus": {"trips_plus": cells}})
    assert refused.value.code == "bonus_unfilled"


def test_a_winning_odds_bonus_is_never_a_loss() -> None:
    cells = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"]
    bonus = {"odds": {**dict.fromkeys(cells, "2"), "flush": "Loss"}}
    with pytest.raises(RulesRefused, match="is paid or pushes"):
        table_rules("washington", {"odds": "HH/OW-3"}, {"bonus": bonus})


@pytest.mark.clause("WA App. A note 8", "WA App. A note 9")
def test_notes_7_to_9_see_that_high_card_is_no_qualifier() -> None:
    with pytest.raises(RulesRefused) as refused:
        table_rules("washington", {}, {"qualifier": "high_card"})
    assert {mistake.key for mistake in refused.value.mistakes} == {
        "paytables.odds",
        "paytables.bad_beat",
    }


@pytest.mark.clause("SH Raise cap minimum")
@pytest.mark.parametrize(
    "options", [{"minimum_wager": "200.00"}, {"limits": {"ante": {"min": "200.00"}}}]
)
def test_r100_the_second_limb_follows_the_table_minimum(options: dict[str, object]) -> None:
    cap = table_rules("sugarhouse", {}, options).cap
    assert cap is not None
    assert cap.amount == 504 * 20_000


def test_r100_a_larger_raise_on_a_later_street_counts_too() -> None:
    study = 'id = "later"\nkind = "study"\nextends = "sugarhouse"\n[options]\nriver_raises = [5]\n'
    cap = table_rules(study, {}, {"minimum_wager": "200.00"}).cap
    assert cap is not None
    assert cap.amount == (500 + 1 + 5) * 20_000


@pytest.mark.clause("G Trips Plus before or after")
def test_r55_trips_plus_may_be_settled_before_the_main_wagers() -> None:
    before = table_rules("galaxy", {}, {"trips_plus_settled": "before"})
    play = SeatPlay(1, parse_cards("4c5c"), STAKES, HasRaised(Street.POCKET, 3))
    lines = settle(before, ROYAL_BOARD, [play]).seats[0].lines
    assert lines[0].wager is Wager.TRIPS_PLUS
    after = settle(table_rules("galaxy"), ROYAL_BOARD, [play]).seats[0].lines
    assert sorted(lines, key=str) == sorted(after, key=str)


@pytest.mark.clause("WA App. D note 5 property")
def test_r82_a_bonus_jackpot_pays_each_winner_and_stays_posted() -> None:
    printed = load_book("washington").paytables["progressive"]["HH/JP-7"]
    cells = {**dict.fromkeys(printed.pays, "5"), "community_royal_flush": "100%"}
    bonus = {"progressive": cells}
    rules = table_rules("washington", {"progressive": "HH/JP-7"}, {"bonus": bonus})
    plays = [
        SeatPlay(
            seat, parse_cards(hole), {Wager.ANTE: 100, Wager.ODDS: 100, Wager.PROGRESSIVE: 100},
            HasRaised(Street.RIVER, 1),
        )
        for seat, hole in ((1, "4c5c"), (2, "6c7c"))
    ]  # fmt: skip
    settlement = settle(rules, ROYAL_BOARD, plays, 1_000_000_000)
    awards = [line.award for seat in settlement.seats for line in seat.lines if line.award]
    assert awards == [100_000, 100_000]
    assert settlement.meter_after == 1_000_000_000


def test_even_money_is_exactly_one() -> None:
    won = SeatPlay(1, parse_cards("AhKh"), STAKES, HasRaised(Street.RIVER, 1))
    deal = Deal(parse_cards("2d3c"), parse_cards("AcKd9s9h4s"))
    ante = line(table_rules("galaxy"), won, Wager.ANTE, deal)
    assert ante.pay is not None
    assert ante.pay.amount == Fraction(1)


# Citations.


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_wagers_that_survive_a_fold_cite_the_clause_that_keeps_them(book: str) -> None:
    rules = table_rules(book)
    offered = [wager for wager in SIDE_WAGERS if rules.offers(wager)]
    for wager in offered:
        stake = rules.progressive_stake if wager is Wager.PROGRESSIVE else 500
        held = {Wager.ANTE: 1_000, Wager.ODDS: 1_000, wager: stake}
        play = SeatPlay(1, parse_cards("KsKh"), held, HAS_FOLDED)
        packet = parse_cards("2c3c4c6c") if wager is Wager.ALL_6 else ()
        deal = Deal(parse_cards("AcQd"), parse_cards("Kd9c5h5s2d"), packet)
        line = settle(rules, deal, [play], 10**10).seat(1).lines[-1]
        assert line.wager is wager
        assert line.clause == rules.book.options[f"{wager.value}_after_fold"].clause


def test_an_ante_that_pushes_on_a_losing_hand_says_so() -> None:
    """R36: the dealer's ace high beats the player's king high but does not qualify."""
    rules = table_rules("galaxy")
    deal = Deal(parse_cards("Ac3h"), parse_cards("KdTc7h5s2d"))
    stakes = {Wager.ANTE: 1_000, Wager.ODDS: 1_000}
    raised = HasRaised(Street.RIVER, 1)
    loses, wins = (
        settle(rules, deal, [SeatPlay(1, parse_cards(hole), stakes, raised)]).seat(1).lines[0]
        for hole in ("QsJh", "AhAd")
    )
    assert loses.why == "the dealer does not qualify: a push, though the hand loses"
    assert wins.why == "the dealer does not qualify"
    assert loses.clause == wins.clause == "G 11(a)"


def test_a_share_of_an_unknown_pool_is_refused() -> None:
    rules = table_rules("galaxy")
    deal = Deal(parse_cards("9h9c"), parse_cards("QsJs2c4dTs"))
    stakes = {Wager.ANTE: 1_000, Wager.ODDS: 1_000, Wager.PROGRESSIVE: 100}
    play = SeatPlay(4, parse_cards("AsKs"), stakes, HasRaised(Street.POCKET, 3))
    answer = try_settle(rules, deal, [play])
    assert isinstance(answer, Refusal)
    assert answer.message == "meter: seat 4 wins 10% of the pool, so the meter's amount is needed"
