"""The notes to Washington's appendices, its letters, and its display."""

from typing import Any

import pytest

from headsup.game.rulebook.loader import load_book
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.meter_control import FreezeMeter, SetBonusPrize
from tests.support.cli.run import headsup
from tests.support.rounds import WIN, Cards, pocket_hands, refused, settled
from tests.support.tables import Play, opened, opening
from tests.support.wire import for_tablevision

DOLLAR = 1_000_000
# Quads with a full house, a flush and a straight that the same seven cards also make.
FOUR_KINGS = Cards("Kh Ks", "Kd Kc 7h 7s 2d", "7c 9s")
FLUSH_AND_STRAIGHT = Cards("8d 6d", "Kd 9d 7d 5s 2c", "Kh Qc")
# All Bonus: the operator's own figures.
JACKPOT: dict[str, Any] = {
    "paytables": {"progressive": "HH/JP-7"},
    "bonus": {
        "progressive": {
            "flopped_royal_flush_in_spades": "100%",
            "flopped_royal_flush": "10%",
            "royal_flush": "10%",
            "community_royal_flush": "10%",
            "straight_flush": "222",
            "four_of_a_kind": "50",
            "full_house": "10",
            "flush": "5",
        }
    },
    "meter_seed": "5000.00",
    "meter_contribution": "0.00",
}


@pytest.mark.clause("WA App. A note 4")
def test_wa_app_a_note_4_the_odds_pay_the_highest_hand_once() -> None:
    assert settled("washington", FOUR_KINGS).nets["odds"] == 100
    assert settled("washington", FLUSH_AND_STRAIGHT).nets["odds"] == 15


@pytest.mark.clause("WA App. B note 2")
def test_wa_app_b_note_2_trips_plus_pays_the_highest_hand_once() -> None:
    assert settled("washington", FOUR_KINGS, trips_plus=5).nets["trips_plus"] == 150
    assert settled("washington", FLUSH_AND_STRAIGHT, trips_plus=5).nets["trips_plus"] == 35


@pytest.mark.clause("WA App. C note 2")
def test_wa_app_c_note_2_a_pair_of_aces_is_not_paid_as_a_pair_too() -> None:
    aces = settled("washington", pocket_hands()["pair_of_aces"], pocket_bonus=5)
    assert aces.nets["pocket_bonus"] == 150
    suited = settled("washington", pocket_hands()["suited_ace_face"], pocket_bonus=5)
    assert suited.nets["pocket_bonus"] == 100


def _labels(book: RuleBook, key: str) -> dict[str, str]:
    return {row.label: row.outcome for t in book.paytables[key].values() for row in t.rows}


@pytest.mark.clause("WA App. A note 6", "WA App. B note 4", "WA App. D note 7")
@pytest.mark.parametrize(
    ("key", "stake", "nets"),
    [
        ("odds", {}, 100),
        ("trips_plus", {"trips_plus": 1}, 30),
        ("progressive", {"progressive": 1}, 49),
    ],
)
def test_wa_quads_are_four_of_a_kind(key: str, stake: dict[str, Any], nets: int) -> None:
    assert _labels(load_book("washington"), key)["Quads"] == "four_of_a_kind"
    won = settled("washington", WIN["four_of_a_kind"], ("river", 1), **stake)
    assert won.nets[key] == nets


@pytest.mark.clause("WA App. B note 5")
def test_wa_app_b_note_5_trips_are_three_of_a_kind() -> None:
    assert _labels(load_book("washington"), "trips_plus")["Trips"] == "three_of_a_kind"
    assert settled("washington", WIN["three_of_a_kind"], trips_plus=5).nets["trips_plus"] == 15


@pytest.mark.clause("WA App. B note 6", "WA App. C note 4")
@pytest.mark.parametrize(
    ("wager", "cards", "uncut"),
    [
        ("trips_plus", WIN["four_of_a_kind"], 3_000),
        ("pocket_bonus", pocket_hands()["pair_of_aces"], 3_000),
    ],
)
def test_wa_a_posted_maximum_may_cover_trips_plus_and_pocket_bonus(
    wager: str, cards: Cards, uncut: int
) -> None:
    most = {"cap": {"amount": "1000.00", "wagers": [wager]}}
    stake: dict[str, Any] = {wager: 100}
    assert settled("washington", cards, ("river", 1), **stake).nets[wager] == uncut
    cut = settled("washington", cards, ("river", 1), options=most, **stake)
    assert cut.nets[wager] == 1_000
    assert cut.shortfalls[wager] == uncut - 1_000


@pytest.mark.clause("WA footnote 1", "WA Rules of Play, second paragraph, limits")
def test_wa_footnote_1_the_states_wager_limit_binds_only_where_the_operator_is_under_it() -> None:
    beyond = settled("washington", WIN["one_pair"], ("pocket", 3), ante=5_000)
    assert beyond.main == (5_000, 0, 15_000)
    under_it = {"single_wager_max": "500.00"}
    assert refused("washington", ante=5_000, options=under_it).code == "above_maximum"


# The letters.


@pytest.mark.clause(
    "WA letter of 6 September 2013, rules", "WA letter of 6 September 2013, tribal rules"
)
def test_wa_letter_2013_the_book_names_the_enclosed_rules_as_its_source() -> None:
    """One book for card rooms and tribal casinos alike, known by its source's date and hash."""
    shown = headsup("rules", "show", "washington", "--json").json
    assert shown["document"] == "004"
    assert shown["effective_from"] == "2013-09-06"
    assert shown["source_sha256"] == (
        "21f217ad85c394b7c27a14ec9b8538a17190f000d82db7d3e769fc74b5945f81"
    )


# Appendix E.


@pytest.mark.clause("WA App. E dealing procedures")
@pytest.mark.parametrize("dealing", ["hand", "shoe"])
def test_wa_app_e_the_operators_dealing_is_part_of_the_posted_rules(dealing: str) -> None:
    shown = headsup("rules", "show", "washington", "--set", f"dealing={dealing}", "--json").json
    assert shown["options"]["dealing"]["value"] == dealing
    play = opened("washington", dealing=dealing)
    assert play.table.rules.dealing == dealing


@pytest.mark.clause("WA App. E promotions")
def test_wa_app_e_the_system_serves_a_bonus_or_a_progressive_jackpot() -> None:
    bonus, progressive = Play(), Play()
    bonus.does(opening("washington", **JACKPOT))
    progressive.does(opening("washington"))
    prizes = [for_tablevision(play.floor, "T1")["prize"] for play in (bonus, progressive)]
    assert prizes == ["bonus_jackpot", "progressive"]
    for play in (bonus, progressive):
        assert play.table.rules.offers(Wager.PROGRESSIVE)


@pytest.mark.clause("WA App. D note 5 displayed", "WA App. D note 5 operator")
def test_wa_app_d_note_5_the_operators_prizes_are_displayed_at_the_table() -> None:
    view = for_tablevision(opened("washington", **JACKPOT).floor, "T1")
    assert view["meter"]["shows"] == "5000.00"
    posted = {row["outcome"]: row["pays"] for row in view["paytable"]}
    assert posted["Royal Flush in Spades on Flop"] == "100%"
    assert posted["Straight Flush"] == "222"


@pytest.mark.clause("WA App. E controlled")
def test_wa_app_e_the_operator_controls_what_is_displayed() -> None:
    play = opened("washington", **JACKPOT)
    play.does(SetBonusPrize(7_500 * DOLLAR, "weekend", "Sue"))
    assert for_tablevision(play.floor, "T1")["meter"]["shows"] == "7500.00"
    play.does(FreezeMeter("display is being mended"))
    assert for_tablevision(play.floor, "T1")["meter"]["frozen"] == "display is being mended"
