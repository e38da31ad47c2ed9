"""Which stakes a seat may place: each refusal with its code, its sentence and its clause."""

import pytest

from headsup.game.refusal import Refusal, Refused
from headsup.game.round.stakes import refuse_raise, refuse_stakes
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Street, Wager

MAIN = {Wager.ANTE: 1000, Wager.ODDS: 1000}
SIDES = {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500, Wager.ALL_6: 500, Wager.PROGRESSIVE: 100}
NAMES = {Wager.ALL_6: "All 6", Wager.PROGRESSIVE: "Progressive"}
LIMITS = {
    "ante": {"min": "5.00", "max": "500.00", "step": "5.00"},
    "trips_plus": {"min": "1.00", "max": "25.00", "step": "1.00"},
}


def refusal(book: str, stakes: dict[Wager, int], **options: object) -> Refusal:
    refused = refuse_stakes(table_rules(book, {}, options), stakes)
    assert refused is not None
    assert refused.within("seat 3").message == f"seat 3: {refused.message}"
    assert not any(key in refused.message for key in ("trips_plus", "pocket_bonus", "all_6"))
    return refused.within("seat 3")


@pytest.mark.parametrize(
    ("book", "sides"),
    [
        ("galaxy", SIDES),
        ("galaxy-wpt", {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 1}),
        ("new-york", {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500, Wager.PROGRESSIVE: 100}),
        ("sugarhouse", {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500}),
        ("washington", {Wager.PROGRESSIVE: 100}),
        ("washington-no-qualifier", {Wager.TRIPS_PLUS: 500}),
    ],
)
def test_everything_a_book_offers_is_accepted(book: str, sides: dict[Wager, int]) -> None:
    assert refuse_stakes(table_rules(book), MAIN | sides) is None
    assert refuse_stakes(table_rules(book), {Wager.ANTE: 1, Wager.ODDS: 1}) is None


@pytest.mark.parametrize(
    ("stakes", "code", "words"),
    [
        ({Wager.ODDS: 1000}, "missing_wager", "Ante is missing"),
        ({Wager.ANTE: 1000}, "missing_wager", "Odds is missing"),
        ({Wager.TRIPS_PLUS: 500}, "missing_wager", "Ante is missing"),  # R8
        (
            {Wager.ANTE: 1000, Wager.ODDS: 500},
            "ante_not_equal_odds",
            "Ante $10.00 and Odds $5.00 must be equal (G 2)",
        ),
        ({Wager.ANTE: 0, Wager.ODDS: 0}, "stake_not_positive", "Ante is $0.00"),
        ({Wager.ANTE: -500, Wager.ODDS: -500}, "stake_not_positive", "Ante is -$5.00"),
        (MAIN | {Wager.TRIPS_PLUS: 0}, "stake_not_positive", "Trips Plus is $0.00"),
        (MAIN | {Wager.ALL_6: -1}, "stake_not_positive", "All 6 is -$0.01"),
        (
            {Wager.ANTE: 10**9 + 1, Wager.ODDS: 10**9 + 1},
            "amount_too_large",
            "Ante is above $10,000,000.00",
        ),
        (MAIN | {Wager.POCKET_BONUS: 10**40}, "amount_too_large", "Pocket Bonus is above"),
        (MAIN | {Wager.RAISE: 1000}, "wager_not_offered", "does not offer Raise"),
        (
            MAIN | {Wager.PROGRESSIVE: 99},
            "progressive_stake",
            "Progressive is $0.99; this table takes exactly $1.00 (R76)",
        ),
        (MAIN | {Wager.PROGRESSIVE: 101}, "progressive_stake", "$1.01"),
    ],
)
def test_refused_stakes(stakes: dict[Wager, int], code: str, words: str) -> None:
    refused = refusal("galaxy", stakes)
    assert refused.code == code
    assert words in refused.message


@pytest.mark.parametrize(
    ("book", "wager"),
    [
        ("galaxy-wpt", Wager.ALL_6),
        ("galaxy-wpt", Wager.PROGRESSIVE),
        ("new-york", Wager.ALL_6),
        ("sugarhouse", Wager.ALL_6),
        ("sugarhouse", Wager.PROGRESSIVE),
        ("washington", Wager.ALL_6),
        ("washington-no-qualifier", Wager.ALL_6),
    ],
)
def test_a_wager_the_book_does_not_offer(book: str, wager: Wager) -> None:
    """R7."""
    refused = refusal(book, MAIN | {wager: 100})
    assert refused.code == "wager_not_offered"
    assert refused.message == f"seat 3: {book} does not offer {NAMES[wager]}"


@pytest.mark.clause("G 2 limits")
@pytest.mark.parametrize(
    ("stakes", "code", "words"),
    [
        ({Wager.ANTE: 400, Wager.ODDS: 400}, "below_minimum", "Ante $4.00 is below the minimum $5"),
        ({Wager.ANTE: 50500, Wager.ODDS: 50500}, "above_maximum", "Ante $505.00 is above the max"),
        ({Wager.ANTE: 700, Wager.ODDS: 700}, "off_step", "Ante $7.00 is not a multiple of $5.00"),
        (MAIN | {Wager.TRIPS_PLUS: 50}, "below_minimum", "Trips Plus $0.50 is below"),
        (MAIN | {Wager.TRIPS_PLUS: 2600}, "above_maximum", "Trips Plus $26.00 is above"),
        (MAIN | {Wager.TRIPS_PLUS: 150}, "off_step", "Trips Plus $1.50 is not a multiple"),
    ],
)
def test_posted_limits(stakes: dict[Wager, int], code: str, words: str) -> None:
    """R5: the table sets limits; the Ante's apply to the equal Odds too."""
    refused = refusal("galaxy", stakes, limits=LIMITS)
    assert refused.code == code
    assert words in refused.message


@pytest.mark.parametrize("cents", [500, 1000, 50000])
def test_the_limits_themselves_are_allowed(cents: int) -> None:
    rules = table_rules("galaxy", {}, {"limits": LIMITS})
    assert refuse_stakes(rules, {Wager.ANTE: cents, Wager.ODDS: cents}) is None


def test_a_limit_on_single_wagers_binds_the_largest_raise() -> None:
    """R6: with at most $300 on any wager and a Raise of 3×, the Ante is at most $100."""
    rules = table_rules("washington", {}, {"single_wager_max": "300.00"})
    assert refuse_stakes(rules, {Wager.ANTE: 10_000, Wager.ODDS: 10_000}) is None
    refused = refusal(
        "washington", {Wager.ANTE: 10_001, Wager.ODDS: 10_001}, single_wager_max="300.00"
    )
    assert refused.code == "above_maximum"
    assert "above $100.00" in refused.message
    assert "$300.00" in refused.message
    sides = refusal("washington", MAIN | {Wager.TRIPS_PLUS: 30_001}, single_wager_max="300.00")
    assert sides.code == "above_maximum"


@pytest.mark.clause("WA Rules of Play, second paragraph, four options")
def test_a_fifth_washington_option_is_refused() -> None:
    """R10: Ante, Odds, Play and one more make four."""
    refused = refusal("washington", MAIN | {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500})
    assert refused.code == "too_many_wagers"
    assert refused.message == (
        "seat 3: this table allows one side bet per round, not Trips Plus, Pocket Bonus (WA Rules "
        "of Play, second paragraph)"
    )


def test_two_side_wagers_are_allowed_where_the_raise_is_not_an_option() -> None:
    rules = table_rules("washington", {}, {"raise_counts_as_option": False})
    two = MAIN | {Wager.TRIPS_PLUS: 500, Wager.POCKET_BONUS: 500}
    assert refuse_stakes(rules, two) is None
    three = two | {Wager.PROGRESSIVE: 100}
    refused = refusal("washington", three, raise_counts_as_option=False)
    assert refused.code == "too_many_wagers"
    assert "this table allows 2 side bets per round" in refused.message


def test_refusals_use_the_books_names_of_wagers() -> None:
    refused = refusal("washington", MAIN | {Wager.PROGRESSIVE: 99})
    assert refused.message.startswith("seat 3: Progressive Jackpot is $0.99; this table takes")
    play = refuse_raise(table_rules("washington"), Street.POCKET, 2)
    assert play is not None
    assert play.message.startswith("a Play of 2× on the pocket")


def test_the_table_sets_the_progressive_stake() -> None:
    """R76: one amount only; the operator chooses it if the document leaves it open."""
    rules = table_rules("galaxy", {}, {"progressive_stake": "5.00"})
    assert refuse_stakes(rules, MAIN | {Wager.PROGRESSIVE: 500}) is None
    refused = refusal("galaxy", MAIN | {Wager.PROGRESSIVE: 100}, progressive_stake="5.00")
    assert refused.code == "progressive_stake"
    assert "takes exactly $5.00" in refused.message
    with pytest.raises(Refused) as closed:
        table_rules("new-york", {}, {"progressive_stake": "5.00"})
    assert closed.value.code == "option_not_open"


def test_refusals_come_in_a_fixed_order() -> None:
    """Mistakes in a single wager are reported before mistakes between wagers."""
    everything = {Wager.ANTE: 1000, Wager.ODDS: 500, Wager.PROGRESSIVE: 99, Wager.ALL_6: 5}
    order = []
    for book, fixed in (
        ("washington", {}),
        ("washington", {Wager.ALL_6: None}),
        ("washington", {Wager.ALL_6: None, Wager.ODDS: 1000}),
        ("washington", {Wager.ALL_6: None, Wager.ODDS: 1000, Wager.TRIPS_PLUS: 5}),
    ):
        stakes = {w: c for w, c in (everything | fixed).items() if c is not None}
        order.append(refusal(book, stakes).code)
    assert order == [
        "wager_not_offered",
        "ante_not_equal_odds",
        "progressive_stake",
        "progressive_stake",
    ]
