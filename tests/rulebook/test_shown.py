"""What the documents want shown or announced at the table, for every viewer."""

import json
from pathlib import Path
from typing import Any

import pytest

from headsup.game.round.commands import Proceed, Raise
from headsup.game.round.state import Phase
from headsup.game.rulebook.loader import load_book
from tests.oracles.printed import printed_table
from tests.support.cli.run import headsup
from tests.support.rounds import refused_rules
from tests.support.tables import Play, opened, stakes
from tests.support.wire import for_dealer, for_rail, for_seat, for_tablevision


def every_view(play: Play) -> list[dict[str, Any]]:
    floor = play.floor
    tables = [for_rail(floor, "T1"), for_dealer(floor, "T1"), for_seat(floor, "T1", 1)]
    return [*tables, for_tablevision(floor, "T1")]


# The layout.


@pytest.mark.clause(
    "NY (a)(2)(i)", "NY (a)(2)(ii)", "NY (a)(2)(iii)", "NY (a)(2)(iv)", "NY (a)(2)(v)"
)
def test_ny_a2_every_view_shows_where_the_wagers_lie() -> None:
    for view in every_view(opened("new-york")):
        assert view["posted"]["layout"][0]["text"] == (
            "Ante, Raise behind it, Odds to its right with = between, Trips Plus above the Ante, "
            "Pocket Bonus to the right of Trips Plus"
        )


@pytest.mark.clause("NY (a)(2)(vi)")
def test_ny_a2_vi_every_view_shows_the_pays() -> None:
    pays = {"1:1": "1", "3:2": "1.5"}
    for view in every_view(opened("new-york")):
        posted = {table["key"]: table for table in view["posted"]["paytables"]}
        for key, id in (
            ("odds", "1"),
            ("bad_beat", "1"),
            ("trips_plus", "A"),
            ("pocket_bonus", "A"),
        ):
            printed = printed_table("002", key, id).cells
            cells = {row["outcome"]: row["pays"] for row in posted[key]["rows"]}
            assert cells == {
                outcome: pays.get(cell, cell.removesuffix(":1"))
                for outcome, cell in printed.items()
            }
            assert posted[key]["basis"] == "to"


@pytest.mark.clause("SH Introduction posted tables")
@pytest.mark.parametrize("key", ["trips_plus", "pocket_bonus"])
def test_sh_introduction_the_tables_of_the_side_wagers_are_posted(key: str) -> None:
    printed = printed_table("003", key, "1").cells
    for view in every_view(opened("sugarhouse")):
        posted = {table["key"]: table for table in view["posted"]["paytables"]}
        cells = {row["outcome"]: f"{row['pays']} to 1" for row in posted[key]["rows"]}
        assert cells == printed
        assert posted[key]["basis"] == "to"


@pytest.mark.clause("NY (a)(2)(vii)")
def test_ny_a2_vii_every_view_shows_the_permitted_raises() -> None:
    for view in every_view(opened("new-york")):
        raises = {street["street"]: street["multiples"] for street in view["posted"]["raises"]}
        assert raises == {"pocket": [1, 2, 3], "flop": [1, 2], "river": [1]}


@pytest.mark.clause("GW Layout must beat dealer", "GW Layout raise", "GW Layout to 1")
def test_gw_layout_is_in_every_view() -> None:
    for view in every_view(opened("galaxy-wpt")):
        assert [inscription["text"] for inscription in view["posted"]["layout"]] == [
            "RAISE: 3X on Pocket Cards, 2X on Flop, 1X on River",
            "*Must beat dealer",
            "All Layout Paytables Are to 1",
        ]
        assert {table["basis"] for table in view["posted"]["paytables"]} == {"to"}


@pytest.mark.clause("SH cover")
def test_sh_cover_the_notice_is_in_every_view() -> None:
    for view in every_view(opened("sugarhouse")):
        notices = [notice["text"] for notice in view["posted"]["notices"]]
        assert notices == ["GAMBLING PROBLEM? CALL 1.800.GAMBLER."]


@pytest.mark.clause("WA Rules of Play, second paragraph, posted")
def test_wa_the_four_option_rule_is_in_every_view() -> None:
    four = "Players may wager on at most four of the wagering options"
    for view in every_view(opened("washington")):
        assert four in [inscription["text"] for inscription in view["posted"]["layout"]]
        assert four in [notice["text"] for notice in view["posted"]["notices"]]


@pytest.mark.clause("G 2 limits", "GW 2 limits", "WA Rules of Play, second paragraph, limits")
@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt", "washington"])
def test_the_limits_are_in_every_view(book: str) -> None:
    limits = {"ante": {"min": "15.00", "max": "300.00"}}
    for view in every_view(opened(book, limits=limits)):
        (ante,) = view["posted"]["limits"]
        assert (ante["wager"], ante["min"], ante["max"]) == ("ante", "15.00", "300.00")


@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt"])
@pytest.mark.clause("G 2 limits", "GW 2 limits")
def test_a_table_without_limits_posts_that_there_are_none(book: str) -> None:
    for view in every_view(opened(book)):
        assert (view["posted"]["limits"], view["posted"]["single_wager_max"]) == ([], None)
    rules = " ".join(headsup("rules", "show", book).out.split())
    assert "Limits of the wagers none posted" in rules


CAPS: dict[str, tuple[str, dict[str, Any], str]] = {
    "sugarhouse": (
        "sugarhouse",
        {},
        "A round pays at most $50,000.00 in winnings on Ante, Odds and Raise per player. "
        "Trips Plus and Pocket Bonus are not limited.",
    ),
    "washington": (
        "washington",
        {
            "cap": {
                "amount": "200000",
                "scope": "table",
                "wagers": ["ante", "odds", "raise"],
                "spares_below": 50,
            }
        },
        "A round pays at most $200,000.00 in winnings on Ante, Odds and Play per table, shared in "
        "proportion. Trips Plus, Pocket Bonus and Progressive Jackpot are not limited. Prizes "
        "below 50 to 1 are never cut.",
    ),
}


@pytest.mark.clause(
    "SH Raise cap",
    "SH Raise cap per player",
    "SH Raise cap exclusions",
    "WA App. A note 10",
)
@pytest.mark.parametrize("name", CAPS)
def test_a_cap_is_posted_with_whom_it_binds_and_what_it_leaves_out(
    name: str, tmp_path: Path
) -> None:
    book, options, text = CAPS[name]
    for view in every_view(opened(book, **options)):
        assert view["posted"]["cap"]["text"] == text
    shown = headsup("rules", "show", text_of_book(tmp_path, book, options)).out
    clause = load_book(book).options["cap"].clause  # in a column of its own
    assert text in " ".join(shown.replace(clause, "").split())


def text_of_book(folder: Path, book: str, options: dict[str, Any]) -> str:
    """The book, or a file that extends it with a cap."""
    if not options:
        return book
    pairs = ", ".join(f"{key} = {json.dumps(value)}" for key, value in options["cap"].items())
    path = folder / "house.toml"
    path.write_text(f'extends = "{book}"\n[options]\ncap = {{ {pairs} }}\n', encoding="utf-8")
    return str(path)


@pytest.mark.clause("NY (k)(2) display")
def test_r85_a_display_names_the_reserve_and_new_york_has_none() -> None:
    play = opened("galaxy", seats=(1,), meter_max="10000.00")
    for _ in range(3):
        play.bets({1: stakes(progressive=100)})
        play.reaches(Phase.CLOSED)
    for view in every_view(play):
        assert view["meter"]["notices"] == [
            "The meter stops at $10,000.00; contributions above it are kept in a reserve, now "
            "$0.75."
        ]
    assert for_rail(opened("galaxy").floor, "T1")["meter"]["notices"] == []
    refused = refused_rules("new-york", options={"meter_max": "10000.00"})
    assert refused.code == "option_not_open"


@pytest.mark.clause("WA App. E TableVision")
def test_wa_app_e_tablevision_shows_the_jackpot_and_every_paytable_in_use() -> None:
    play = opened("washington", meter_seed="12345.67")
    view = for_tablevision(play.floor, "T1")
    assert view["meter"]["shows"] == "12345.67"
    assert view["prize"] == "progressive"
    in_use = {table["key"]: table["id"] for table in view["posted"]["paytables"]}
    assert in_use == {
        "odds": "HH/OW-2",
        "bad_beat": "HH/OW/BB-1",
        "trips_plus": "HH/TP-1",
        "pocket_bonus": "HH/PB-1",
        "progressive": "HH/JP-1",
    }
    jackpot = {row["outcome"]: row["pays"] for row in view["paytable"]}
    assert jackpot["Royal Flush in Spades on Flop"] == "100%"
    assert jackpot["Full House"] == "10"


# The settlement.


def settled_play(book: str, hole: str, board: str, dealer: str) -> Play:
    play = opened(book, seats=(1,))
    play.bets({1: stakes()})
    play.deals({1: hole}, board=board, dealer=dealer)
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLED)
    return play


@pytest.mark.clause("G 11(a) shown", "GW 10(a) shown")
@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt"])
def test_a_push_is_shown_by_pushing_the_ante_back_or_tapping_the_felt(book: str) -> None:
    unqualified = settled_play(book, "AsTh", "Kd9c7h5s2d", "QcJh")
    won = settled_play(book, "AsKh", "Kd9c7h5s2d", "9hQc")
    for play, shown in ((unqualified, True), (won, False)):
        ante = for_rail(play.floor, "T1")["round"]["results"]["1"]["wagers"]["ante"]
        assert (ante["result"] == "push") == shown
        assert (ante["gesture"] in ("pushed back", "tapped")) == shown


@pytest.mark.clause("SH How to play announced")
def test_sh_how_to_play_the_dealers_best_hand_is_announced() -> None:
    play = settled_play("sugarhouse", "AsKh", "Kd9c7h9s2d", "9hQc")
    for view in every_view(play)[:3]:
        hand = view["round"]["dealer_hand"]
        assert hand["category"] == "three_of_a_kind"
        assert hand["name"].startswith("three of a kind, nines")
        assert sorted(hand["best"][i : i + 2] for i in range(0, 10, 2)) == sorted(
            ["9c", "9h", "9s", "Kd", "Qc"]
        )


@pytest.mark.clause(
    "NY (e)(8) order",
    "NY (e)(8) antes",
    "NY (e)(8) other wagers",
    "NY (f)(1) ante",
)
def test_ny_e8_below_a_pair_the_antes_come_back_one_by_one_from_the_dealers_right() -> None:
    play = opened("new-york", seats=(2, 5))
    play.bets({2: stakes(), 5: stakes()})
    play.deals({2: "AsTh", 5: "8d3h"}, board="Kd9c7h5s2d", dealer="QcJh")
    play.does(Raise(2, 1), Raise(5, 1))
    play.reaches(Phase.RESOLVING)
    before = {seat: play.chips(seat) for seat in (2, 5)}
    play.does(Proceed())
    # The Ante comes back; Odds and Raise are lost to the dealer's queen.
    assert {seat: play.chips(seat) - before[seat] for seat in (2, 5)} == {2: 0, 5: 1_000}
    play.does(Proceed())
    # The Ante comes back, the Odds push, the Raise comes back with as much again.
    assert {seat: play.chips(seat) - before[seat] for seat in (2, 5)} == {2: 4_000, 5: 1_000}


@pytest.mark.clause("SH How to play compared")
def test_sh_how_to_play_hands_are_compared_and_paid_or_taken_one_by_one() -> None:
    play = opened("sugarhouse", seats=(1, 3))
    play.bets({1: stakes(), 3: stakes()})
    play.deals({1: "AsKh", 3: "8d3h"}, board="Kd9c7h5s2d", dealer="9hQc")
    play.does(Raise(1, 3), Raise(3, 3))
    play.reaches(Phase.SETTLEMENT_DUE)
    assert for_rail(play.floor, "T1")["round"].get("results") is None
    play.reaches(Phase.RESOLVING)
    before = {seat: play.chips(seat) for seat in (1, 3)}
    seen = []
    for _ in (1, 3):
        play.does(Proceed())
        results = for_rail(play.floor, "T1")["round"]["results"]
        seen.append({seat: result["net"] for seat, result in results.items()})
    assert seen == [{"3": "-50.00"}, {"3": "-50.00", "1": "40.00"}]
    # What the loser staked is gone; the winner has Ante, Odds and Raise back, and the winnings.
    assert {seat: play.chips(seat) - before[seat] for seat in (1, 3)} == {1: 9_000, 3: 0}
