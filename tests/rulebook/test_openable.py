"""Checks before a table opens: long shots, caps and approvals."""

from typing import Any

import pytest

from headsup.game.record.audit.auditor import audit
from headsup.game.record.chain import format_link
from headsup.game.record.journal import Journal, record_command, record_decision
from headsup.game.refusal import Refusal, Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.opening_checks import refuse_opening
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.decide import decide
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import Floor
from tests.support.rounds import refused, refused_rules
from tests.support.tables import CARD_ROOM, STAFF, Play, opening

TABLE_5 = {"all_6": "5"}


def refusal_of(
    book: str, paytables: dict[str, str] | None = None, **options: Any
) -> Refusal | None:
    """The refusal of opening such a table, which must agree with `refuse_opening`."""
    asked = opening(book, paytables=paytables, **options)
    answer = refuse_opening(table_rules(book, dict(asked.paytables), asked.options))
    opened = Play().ask(asked)
    assert answer == (opened if isinstance(opened, Refusal) else None)
    return answer


# R63: All 6 table 5 pays 200,000 to 1.


@pytest.mark.clause("G All 6 Bonus PT5")
@pytest.mark.parametrize(
    "options",
    [
        {"limits": {"all_6": {"max": "5.00"}}},
        {"single_wager_max": "5.00"},
        {"cap": {"amount": "1000000.00", "wagers": ["all_6"]}},
        {"cap": {"amount": "50000.00", "scope": "table", "wagers": ["odds", "all_6"]}},
        {"limits": {"all_6": {"max": "50.00"}}, "exposure_max": "10000000.00"},
    ],
)
def test_r63_table_5_opens_where_a_stake_or_a_cap_bounds_it(options: dict[str, Any]) -> None:
    assert refusal_of("galaxy", TABLE_5, **options) is None


@pytest.mark.parametrize(
    ("options", "case"),
    [
        ({}, ""),
        ({"limits": {"trips_plus": {"max": "5.00"}}}, ""),
        ({"cap": {"amount": "50000.00"}}, ""),  # of Ante, Odds and Raise alone
        ({"limits": {"all_6": {"min": "1.00"}}}, ""),
        ({"limits": {"all_6": {"max": "5.01"}}}, "exposure"),
        ({"limits": {"all_6": {"max": "1000000.00"}}}, "exposure"),
        ({"cap": {"amount": "1000000.01", "wagers": ["all_6"]}}, "exposure"),
        ({"limits": {"all_6": {"max": "5.00"}}, "exposure_max": "999999.99"}, "exposure"),
    ],
)
def test_r63_an_ineffective_bound_does_not_open_it(options: dict[str, Any], case: str) -> None:
    answer = refusal_of("galaxy", TABLE_5, **options)
    assert answer is not None
    assert (answer.code, answer.case) == ("needs_limit", case)


def test_r63_the_refusal_says_what_could_be_won() -> None:
    answer = refusal_of("galaxy", TABLE_5, limits={"all_6": {"max": "25.00"}})
    assert answer is not None
    assert "could win $5,000,000.00 on one wager, above the exposure_max of $1,000,000.00" in (
        answer.message
    )


@pytest.mark.parametrize("id", ["1", "2", "3", "4"])
def test_r63_the_other_tables_need_no_bound(id: str) -> None:
    assert refusal_of("galaxy", {"all_6": id}) is None


def test_r63_applies_to_any_table_that_pays_as_much() -> None:
    cells = {"pair_of_aces": "200,000", "suited_ace_face": "20", "unsuited_ace_face": "10"}
    bonus = {"pocket_bonus": {**cells, "pair": "4"}}
    answer = refusal_of("washington", {"pocket_bonus": "HH/PB-2"}, bonus=bonus)
    assert answer is not None
    assert answer.code == "needs_limit"
    assert not refusal_of(
        "washington",
        {"pocket_bonus": "HH/PB-2"},
        bonus=bonus,
        limits={"pocket_bonus": {"max": "5.00"}},
    )


# R102: caps in Washington.

LAWFUL = {"amount": "25000.00", "spares_below": 50}
POSTED = {"ante": {"max": "500.00"}}


@pytest.mark.clause("WA App. A note 10")
def test_r102_a_table_with_a_lawful_cap_opens() -> None:
    assert refusal_of("washington", cap=LAWFUL, limits=POSTED) is None


@pytest.mark.clause("WA App. A note 10")
@pytest.mark.parametrize(
    ("cap", "limits", "case"),
    [
        ({**LAWFUL, "spares_below": 49}, POSTED, "cap_spares"),
        ("25000.00", POSTED, "cap_spares"),
        ({**LAWFUL, "wagers": ["odds", "trips_plus"]}, POSTED, "cap_mixed"),
        ({**LAWFUL, "wagers": ["pocket_bonus", "progressive"]}, POSTED, "cap_mixed"),
        (LAWFUL, None, "cap_unposted"),
        ({**LAWFUL, "amount": "24999.99"}, POSTED, "cap_low"),
        (LAWFUL, {"ante": {"max": "500.01"}}, "cap_low"),
    ],
)
def test_r102_caps_that_the_states_code_forbids_are_refused(
    cap: Any, limits: Any, case: str
) -> None:
    posted = {"limits": limits} if limits is not None else {"single_wager_max": "0"}
    answer = refusal_of("washington", cap=cap, **posted)
    assert answer is not None
    assert (answer.code, answer.case) == ("bad_option", case)
    assert answer.message.startswith("options.cap: ")


@pytest.mark.parametrize(
    ("wager", "most", "least"),
    [("trips_plus", "100.00", "5000.00"), ("pocket_bonus", "100.00", "3000.00")],
)
def test_r102_the_least_cap_depends_on_the_highest_pay_up_to_50(
    wager: str, most: str, least: str
) -> None:
    """Trips Plus table 1 pays 50 to 1, the Pocket Bonus 30 to 1."""
    cap = {"amount": least, "spares_below": 50, "wagers": [wager]}
    assert refusal_of("washington", cap=cap, limits={wager: {"max": most}}) is None
    below = {**cap, "amount": str(float(least) - 1)}
    assert refusal_of("washington", cap=below, limits={wager: {"max": most}}) is not None


@pytest.mark.clause("WA footnote 1")
def test_wa_footnote_1_the_states_code_does_not_bind_tribal_operations() -> None:
    assert refusal_of("washington", cap="100.00", tribal=True) is None
    assert refusal_of("galaxy", cap="100.00") is None
    for other in ("galaxy", "new-york"):
        assert refused_rules(other, options={"tribal": True}).code == "option_not_open"


# R25: approvals.

GIVEN = {"face_up_approval": "Letter 117", "face_up_from": "2020-07-01"}


@pytest.mark.clause("WA letter of 15 June 2020, approval")
@pytest.mark.parametrize("missing", GIVEN)
def test_r25_face_up_opens_with_an_approval_and_a_day(missing: str) -> None:
    rules = table_rules("washington", {}, {**CARD_ROOM, "face_up": True, **GIVEN, missing: ""})
    answer = refuse_opening(rules)
    assert answer is not None
    assert answer.code == "needs_approval"
    assert "WA letter of 15 June 2020, approval" in answer.message
    assert (
        refuse_opening(table_rules("washington", {}, {**CARD_ROOM, "face_up": True, **GIVEN}))
        is None
    )


@pytest.mark.clause(
    "WA letter of 6 September 2013, approval", "WA letter of 6 September 2013, tribal approval"
)
@pytest.mark.parametrize("book", ["washington", "washington-no-qualifier"])
@pytest.mark.parametrize("tribal", [False, True])
def test_wa_letter_2013_no_table_opens_without_the_reference_of_its_approval(
    book: str, tribal: bool
) -> None:
    answer = refusal_of(book, tribal=tribal, approval="")
    assert answer is not None
    assert answer.code == "needs_approval"
    assert "WA letter of 6 September 2013, approval" in answer.message
    assert refusal_of(book, tribal=tribal) is None


@pytest.mark.clause("WA Rules of Play, second paragraph, limits")
@pytest.mark.parametrize(
    ("posted", "missing"),
    [
        ({}, "ante"),
        ({"limits": {"ante": {"max": "100"}}}, "trips_plus"),
        ({"limits": {wager: {"max": "100"} for wager in ("ante", "trips_plus")}}, "pocket_bonus"),
        ({"limits": {w: {"max": "100"} for w in ("ante", "trips_plus", "pocket_bonus")}}, ""),
        ({"single_wager_max": "300"}, ""),
    ],
)
def test_wac_230_15_140_a_card_room_posts_a_maximum_for_every_wager(
    posted: dict[str, Any], missing: str
) -> None:
    answer = refusal_of("washington", **{"single_wager_max": "0", **posted})
    if not missing:
        assert answer is None
        return
    assert answer is not None
    assert (answer.code, answer.data["key"]) == ("needs_limit", missing)
    assert "WAC 230-15-140" in answer.message
    assert refusal_of("washington", tribal=True, **{"single_wager_max": "0", **posted}) is None
    assert refusal_of("galaxy") is None, "the code binds Washington's card rooms"


@pytest.mark.clause(
    "WA letter of 6 September 2013, approval", "WA letter of 6 September 2013, tribal approval"
)
@pytest.mark.parametrize("tribal", [False, True])
def test_wa_letter_2013_the_approval_is_part_of_the_record(tribal: bool) -> None:
    terms: dict[str, Any] = {
        "approval": "IC 2013-44",
        "approved_from": "2013-10-01",
        "tribal": tribal,
    }
    play = Play()
    play.does(opening("washington", **terms))
    options = play.table.rules.options
    assert {key: options[key] for key in terms} == terms
    assert play.table.rules != table_rules("washington", {}, {"tribal": tribal})


@pytest.mark.parametrize(
    "day", ["2020-02-30", "2020-6-15", "15 June 2020", "٢٠٢٠-٠٦-١٥", 20200615, True, "2020-06-15T"]
)
def test_r25_a_day_must_exist_in_the_calendar(day: object) -> None:
    with pytest.raises(Refused, match="must be a day such as 2020-06-15"):
        table_rules("washington", {}, {"face_up_from": day})


FROM = {"face_up": True, **GIVEN, "face_up_from": "2026-02-01"}
APPROVED = {"approved_from": "2026-02-01"}


@pytest.mark.clause("WA letter of 15 June 2020, approval")
@pytest.mark.parametrize("options", [FROM, APPROVED], ids=["face up", "approval"])
def test_r25_no_table_opens_before_its_day(options: dict[str, Any]) -> None:
    opens = opening("washington", **options)
    journal, refused = record_command(Journal(), "2026-01-31T23:59:59.999999Z", "T1", STAFF, opens)
    assert isinstance(refused, Refusal)
    assert refused.code == "needs_approval"
    assert "from 2026-02-01 on" in refused.message
    assert journal == Journal()
    _, links = record_command(Journal(), "2026-02-01T00:00:00Z", "T1", STAFF, opens)
    assert not isinstance(links, Refusal)


@pytest.mark.parametrize("options", [FROM, APPROVED], ids=["face up", "approval"])
def test_r25_a_table_opened_too_early_by_an_older_log_deals_from_its_day_on(
    options: dict[str, Any],
) -> None:
    early, opens = "2026-01-31T12:00:00Z", opening("washington", **options)
    opened = decide(Floor(), "T1", STAFF, opens)
    assert not isinstance(opened, Refusal)
    journal, links = record_decision(Journal(), early, "T1", STAFF, opens, opened)
    assert audit(map(format_link, links)).finding is None
    _, refused = record_command(journal, early, "T1", STAFF, OpenRound())
    assert isinstance(refused, Refusal)
    assert "from 2026-02-01 on" in refused.message
    _, dealt = record_command(journal, "2026-02-01T00:00:00Z", "T1", STAFF, OpenRound())
    assert not isinstance(dealt, Refusal)


def test_r25_a_table_may_deal_face_down_before_its_face_up_day() -> None:
    opens = opening("washington", face_up_from="2099-01-01")
    _, links = record_command(Journal(), "2026-01-31T12:00:00Z", "T1", STAFF, opens)
    assert not isinstance(links, Refusal)


@pytest.mark.parametrize("reference", ["x" * 101, "line\nbreak", 7, None])
def test_r25_a_reference_is_short_printable_text(reference: object) -> None:
    with pytest.raises(Refused, match="reference of an approval"):
        table_rules("washington", {}, {"approval": reference})


# R12, R33, R74, R100: what tables carry.


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_r33_two_minutes_of_grace_and_never_less(book: str) -> None:
    assert table_rules(book).grace_seconds == 120
    assert table_rules(book, {}, {"grace_seconds": "300"}).grace_seconds == 300
    assert refused_rules(book, options={"grace_seconds": 119}).code == "bad_option"


def test_r74_the_meter_keeps_the_rest_unless_the_house_tops_it_up() -> None:
    for book in SHIPPED_BOOKS:
        assert ("reseed_floor" in load_book(book).options) == (
            Wager.PROGRESSIVE in load_book(book).offers
        )
    assert not table_rules("galaxy").reseed_floor
    play = Play()
    play.does(opening("galaxy", reseed_floor=True))
    assert play.meter.rules.reseed_floor


@pytest.mark.clause("NY (c)(1) chips")
def test_r12_coupons_are_off_and_only_new_york_may_take_them() -> None:
    assert not table_rules("new-york").coupons
    assert table_rules("new-york", {}, {"coupons": True}).coupons
    for other in set(SHIPPED_BOOKS) - {"new-york"}:
        assert refused_rules(other, options={"coupons": True}).code == "option_not_open"


@pytest.mark.clause("SH Raise cap minimum")
def test_r100_the_minimum_that_raises_the_cap_is_a_minimum() -> None:
    rules = table_rules("sugarhouse", {}, {"minimum_wager": "200.00"})
    assert rules.limits[Wager.ANTE].min == 20_000
    assert rules.cap is not None
    assert rules.cap.amount == 504 * 20_000
    assert refused("sugarhouse", ante=199, options={"minimum_wager": "200.00"}).code == (
        "below_minimum"
    )


def test_r100_a_minimum_above_the_maximum_is_refused() -> None:
    options = {"minimum_wager": "200.00", "limits": {"ante": {"max": "100.00"}}}
    assert refused_rules("sugarhouse", options=options).code == "bad_limit"


def test_r100_the_higher_of_two_minimums_counts() -> None:
    options = {"minimum_wager": "200.00", "limits": {"ante": {"min": "300.00"}}}
    rules = table_rules("sugarhouse", {}, options)
    assert rules.limits[Wager.ANTE].min == 30_000
    assert rules.cap is not None
    assert rules.cap.amount == 504 * 30_000


@pytest.mark.parametrize(
    ("changes", "antes"),
    [
        ("[options]\nflop_raises = [2, 4]", 505),  # a Raise of 4 on the flop
        ("[options]\npocket_raises = [1]\nflop_raises = [1]\nriver_raises = [6]", 507),
        ('paytables.bad_beat = "Ours"', 600),  # a Bad Beat that pays more than a won hand
    ],
)
def test_r100_the_most_that_the_minimum_can_win_is_sought_everywhere(
    changes: str, antes: int
) -> None:
    """In a study book, a later Raise may be the largest, and a Bad Beat may pay most."""
    book = f"""extends = "sugarhouse"
kind = "study"
{changes}
[[paytable]]
key = "bad_beat"
custom = true
title = "Bad Beat"
clause = "Study"
ids = ["Ours"]
rows = [["straight_flush", "Straight Flush", "600"], ["four_of_a_kind", "Quads", "25"]]
"""
    rules = table_rules(book, {}, {"minimum_wager": "200.00"})
    assert rules.cap is not None
    assert rules.cap.amount == antes * 20_000


# Citations.


@pytest.mark.parametrize("book", sorted(set(SHIPPED_BOOKS) - {"new-york"}))
def test_r96_rules_taken_from_new_york_are_marked_as_house_rules(book: str) -> None:
    new_york = load_book("new-york").irregularities
    for cause, rule in load_book(book).irregularities.items():
        assert rule.house_rule
        cited = new_york[cause].clause
        assert rule.clause == (cited if new_york[cause].house_rule else f"R96, {cited}")


def test_a_jackpot_uses_washingtons_words() -> None:
    progressive = table_rules("washington").book
    assert progressive.label(Wager.PROGRESSIVE) == "Progressive Jackpot"
    assert progressive.label(Wager.RAISE) == "Play"
    bonus = table_rules("washington", {}, {"jackpot_regime": "bonus"}).book
    assert bonus.label(Wager.PROGRESSIVE) == "Bonus Jackpot"
    assert table_rules("galaxy").book.label(Wager.PROGRESSIVE) == "Progressive"
