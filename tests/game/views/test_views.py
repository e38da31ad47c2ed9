"""What each viewer is shown, and when: R22, R25, R26, R34, R83, R89; New York (e)(2), (9)–(10)."""

import json
from typing import Any

import pytest

from headsup.game.round.commands import Check, CloseBets, Fold, PlaceBets, Proceed, Raise, TimeOut
from headsup.game.round.state import Phase
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Leave, Sit
from tests.support.tables import BOOKS, HOLES, Play, irregularity_report, opened, stakes, table_at
from tests.support.wire import for_dealer, for_rail, for_seat, for_tablevision


def seat_view(play: Play, viewer: int | None, seat: int) -> dict[str, Any]:
    """What the viewer sees of the seat; without a viewer, what the rail sees."""
    view = for_rail(play.floor, "T1") if viewer is None else for_seat(play.floor, "T1", viewer)
    shown: dict[str, Any] = view["round"]["seats"][str(seat)]
    return shown


def holes(play: Play, viewer: int | None) -> dict[int, str]:
    return {seat: seat_view(play, viewer, seat)["hole"] for seat in play.round.seats}


NONE: dict[int, str] = {1: "", 2: "", 3: ""}
UNDECIDED = (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP, Phase.RIVER_DUE, Phase.RIVER)


@pytest.mark.clause(
    "G 4 information",
    "GW 3 information",
    "NY (e)(2) examine",
    "NY (e)(2) not exposed",
    "WA 1 pocket cards",
)
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("phase", [*UNDECIDED, Phase.REVEAL_DUE, Phase.SETTLEMENT_DUE])
def test_r26_before_settlement_players_see_only_their_own_cards(book: str, phase: Phase) -> None:
    play = table_at(phase, book)
    for viewer in (1, 2, 3):
        assert holes(play, viewer) == {**NONE, viewer: HOLES[viewer]}
    assert holes(play, None) == NONE
    assert holes(play, 6) == NONE
    dealer = for_dealer(play.floor, "T1")["round"]
    assert [seat["hole"] for seat in dealer["seats"].values()] == ["", "", ""]


@pytest.mark.clause("WA letter of 15 June 2020, face up", "WA letter of 15 June 2020, nothing else")
@pytest.mark.parametrize("phase", UNDECIDED)
def test_r25_face_up_shows_the_players_cards_and_nothing_else(phase: Phase) -> None:
    play = table_at(phase, "washington", face_up=True)
    shown = {seat: HOLES[seat] for seat in (1, 2, 3)}
    for viewer in (1, 2, 3, None):
        assert holes(play, viewer) == shown
    view = for_rail(play.floor, "T1")["round"]
    assert view["dealer"] == ""
    assert len(view["board"]) == 2 * play.round.board_shown


@pytest.mark.clause("NY (e)(9) turned up", "NY (e)(10) turned up")
def test_ny_e_9_and_10_at_settlement_a_hand_is_turned_up_if_a_wager_depends_on_it() -> None:
    play = opened("new-york", seats=(1, 2, 3))
    play.bets({1: stakes(), 2: stakes(pocket_bonus=500), 3: stakes()})
    play.deals()
    play.reaches(Phase.SETTLED, fold=(2, 3))
    assert holes(play, None) == {1: HOLES[1], 2: HOLES[2], 3: ""}
    assert holes(play, 3) == {1: HOLES[1], 2: HOLES[2], 3: HOLES[3]}


@pytest.mark.parametrize(("option", "shown"), [("stays", HOLES[1]), ("forfeits", "")])
def test_r54_a_folders_forfeited_trips_plus_turns_nothing_up(option: str, shown: str) -> None:
    play = opened("new-york", seats=(1, 2), trips_plus_after_fold=option)
    play.bets({1: stakes(trips_plus=500), 2: stakes()})
    play.deals()
    play.reaches(Phase.SETTLED, fold=(1,))
    assert holes(play, None)[1] == shown


@pytest.mark.clause("NY (j)(2)(i)")
def test_ny_j_2_a_void_hand_is_turned_up_only_for_its_trips_plus() -> None:
    play = opened("new-york", seats=(1, 2))
    play.bets({1: stakes(trips_plus=500), 2: stakes(pocket_bonus=500)})
    play.deals()
    play.does(irregularity_report("dealer_card_exposed"))
    assert holes(play, None) == {1: "", 2: ""}
    assert for_rail(play.floor, "T1")["round"]["board"] == ""
    play.settles()
    assert holes(play, None) == {1: HOLES[1], 2: ""}
    view = for_rail(play.floor, "T1")["round"]
    assert view["board"] == "Kd9c7h5s2d"
    assert view["dealer"] == ""
    assert "dealer_category" not in view


@pytest.mark.clause("G All 6 Bonus face down")
def test_r22_all_6_is_shown_at_settlement_and_never_after_a_void() -> None:
    before = tuple(Phase)[: tuple(Phase).index(Phase.RESOLVING)]
    for phase in before:
        assert for_rail(table_at(phase).floor, "T1")["round"]["all_6"] == ""
    assert for_rail(table_at(Phase.RESOLVING).floor, "T1")["round"]["all_6"] == "3c3d4h6s"
    play = table_at(Phase.RIVER)
    play.does(irregularity_report("foul_deck"))
    play.settles()
    assert for_rail(play.floor, "T1")["round"]["all_6"] == ""


def test_a_new_player_does_not_see_the_previous_players_hand() -> None:
    play = opened("galaxy", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    play.reaches(Phase.CLOSED, fold=(1,))
    assert holes(play, 1)[1] == HOLES[1]
    play.does(Leave(1))
    assert holes(play, 1)[1] == "", "nobody's seat"
    play.does(Sit(1, "New"))
    assert holes(play, 1)[1] == "", "another's hand"
    assert holes(play, 2)[2] == HOLES[2]
    play.does(OpenRound())
    assert "1" not in for_seat(play.floor, "T1", 1)["round"]["seats"]


def test_a_new_player_with_the_same_chips_does_not_see_that_hand_either() -> None:
    play = opened("galaxy", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    play.reaches(Phase.CLOSED, fold=(1,))
    assert holes(play, 1)[1] == HOLES[1]
    chips = play.floor.chips("T1", 1)
    play.does(Leave(1), Sit(1, "New"), BuyIn(1, chips))
    assert holes(play, 1)[1] == ""


def test_a_player_who_sits_down_in_an_open_round_sees_their_own_cards() -> None:
    play = opened("galaxy", seats=(1, 2))
    play.does(OpenRound(), Leave(2), Sit(2, "New"), BuyIn(2, 10_000))
    play.does(PlaceBets(2, stakes()), CloseBets())
    play.deals()
    assert holes(play, 2) == {2: HOLES[2]}


# Decisions.


def decisions(play: Play, viewer: int | None) -> dict[int, str]:
    return {seat: seat_view(play, viewer, seat)["decision"] for seat in play.round.seats}


def test_r34_where_all_act_at_once_a_decision_is_hidden_until_the_street_closes() -> None:
    play = table_at(Phase.POCKET, "new-york")
    play.does(Raise(1, 3), Check(2))
    assert decisions(play, 1) == {1: "raise 3 pocket", 2: "hidden", 3: "hidden"}
    assert decisions(play, 2) == {1: "hidden", 2: "check", 3: "hidden"}
    assert decisions(play, 3) == {1: "hidden", 2: "hidden", 3: "owes"}
    assert decisions(play, None) == {1: "hidden", 2: "hidden", 3: "hidden"}
    assert for_dealer(play.floor, "T1")["owing"] == [3]
    play.does(TimeOut(3, 120))
    for viewer in (1, 2, 3, None):
        assert decisions(play, viewer) == {1: "raise 3 pocket", 2: "check", 3: "check"}
    play.does(Proceed())
    assert decisions(play, 3) == {1: "raise 3 pocket", 2: "hidden", 3: "owes"}


def test_where_seats_act_in_turn_a_decision_is_shown_at_once() -> None:
    play = table_at(Phase.RIVER, "new-york", clockwise=True)
    play.does(Fold(1), Raise(2, 1))
    for viewer in (1, 2, 3, None):
        assert decisions(play, viewer) == {1: "fold", 2: "raise 1 river", 3: "owes"}


def test_a_seat_that_never_decided_is_not_shown_as_checked() -> None:
    play = table_at(Phase.POCKET, "new-york")
    play.does(Check(1), irregularity_report("foul_deck"))
    assert decisions(play, None) == {1: "check", 2: "", 3: ""}


def test_players_are_offered_only_what_they_can_pay_for() -> None:
    play = opened("new-york", seats=(1,), chips=3_000)
    play.bets({1: stakes(1_000)})
    play.deals()
    offered = for_seat(play.floor, "T1", 1)["legal"]
    assert offered == [
        {"action": "raise", "multiple": 1, "amount": "10.00"},
        {"action": "check"},
    ]
    assert play.refuses(Raise(1, 2)) == "not_enough_chips"
    play.does(Raise(1, 1))
    assert for_seat(play.floor, "T1", 1)["legal"] == []


def test_chips_bought_during_a_round_are_shown_at_once() -> None:
    """Although nothing else of the seat changes; its legal decisions depend on the chips."""
    play = opened(seats=(1, 2), chips=2_000)
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    before = for_seat(play.floor, "T1", 1)
    play.does(BuyIn(1, 50_000))
    after = for_seat(play.floor, "T1", 1)
    assert (before["chips"], after["chips"]) == ("0.00", "500.00")
    assert [decision["action"] for decision in before["legal"]] == ["check"]
    assert [decision["action"] for decision in after["legal"]] == ["raise", "check"]


def test_no_decisions_are_offered_to_a_seat_that_is_not_there() -> None:
    play = table_at(Phase.POCKET)
    assert for_seat(play.floor, "T1", 6)["legal"] == []
    assert "chips" not in for_seat(play.floor, "T1", 6)
    # Ante and Odds of $10, three side wagers of $5, and $1 on the Progressive.
    assert for_seat(play.floor, "T1", 1)["chips"] == "964.00"


# Results.


def test_results_say_which_clause_pays_or_takes() -> None:
    play = opened("new-york", seats=(1,))
    play.bets({1: stakes(pocket_bonus=500)})
    play.deals({1: "KsKh"}, board="Qd9c5h4s2d", dealer="AcQc")
    play.does(Raise(1, 3))
    for phase in (Phase.FLOP_DUE, Phase.SETTLEMENT_DUE):
        play.reaches(phase)
        assert "results" not in for_rail(play.floor, "T1")["round"]
    play.settles()
    for view in (for_rail(play.floor, "T1"), for_seat(play.floor, "T1", 1)):
        result = view["round"]["results"]["1"]
        assert result["net"] == "65.00"
        assert {key: line["net"] for key, line in result["wagers"].items()} == {
            "ante": "10.00",
            "odds": "0.00",
            "raise": "30.00",
            "pocket_bonus": "25.00",
        }
        assert result["wagers"]["pocket_bonus"]["clause"] == "NY (i)"
        assert view["round"]["dealer_category"] == "one_pair"
        assert view["round"]["dealer_qualifies"] is True


# TableVision.

NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive prize "
    "contest. Player wagers do not accrue to any guaranteed player fund. The displayed Bonus "
    "Jackpot prize may be modified or discontinued at any time without prior notice."
)


def test_r89_tablevision_shows_meter_and_paytable() -> None:
    play = opened("galaxy")
    view = for_tablevision(play.floor, "T1")
    assert view["meter"] == {
        "shows": "10000.00",
        "frozen": "",
        "prize": "progressive",
        "notices": [],
    }
    assert view["prize"] == "progressive"
    assert view["paytable"][0] == {"outcome": "Flopped Royal Flush in Spades", "pays": "100%"}
    assert view["notices"] == []
    play.does(FreezeMeter("sensor down"))
    assert for_tablevision(play.floor, "T1")["meter"]["frozen"] == "sensor down"


@pytest.mark.parametrize(("dealer", "qualifies"), [("8h7d", False), ("QcQh", True)])
def test_the_display_shows_who_won_even_if_the_ante_pushes(dealer: str, qualifies: bool) -> None:
    play = opened("galaxy", seats=(1,))
    play.bets({1: stakes()})
    play.deals({1: "KsKh"}, board="Ad9c5h4s2d", dealer=dealer)
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLEMENT_DUE)
    play.settles()
    last = for_tablevision(play.floor, "T1")["last"]
    assert last["qualifies"] is qualifies
    assert [(hand["seat"], hand["result"]) for hand in last["hands"]] == [(1, "win")]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("hole", "dealer", "result", "net_sign"),
    [
        ("KsKh", "QcQh", "win", -1),  # Trips Plus loses more than the hand wins
        ("9h9d", "AhAc", "lose", 1),  # three of a kind pays on Trips Plus
        ("KsKh", "8h7d", "win", -1),  # the dealer does not qualify
        ("8c7c", "KhQd", "lose", -1),  # nor here, and has the better hand
        ("8c7c", "8h7d", "push", -1),
    ],
)
def test_a_result_names_the_hands_result_beside_the_net_of_all_wagers(
    book: str, hole: str, dealer: str, result: str, net_sign: int
) -> None:
    play = opened(book, seats=(1,))
    play.bets({1: stakes(trips_plus=10_000)})
    play.deals({1: hole}, board="Ad9c5h4s2d", dealer=dealer)
    play.does(Raise(1, 3))
    play.reaches(Phase.SETTLEMENT_DUE)
    play.settles()
    shown = for_seat(play.floor, "T1", 1)["round"]["results"]["1"]
    assert shown["result"] == result
    assert float(shown["net"]) * net_sign > 0


def test_a_folded_and_a_void_hand_have_results_of_their_own() -> None:
    play = opened("galaxy", seats=(1, 2))
    play.bets({1: stakes(), 2: stakes()})
    play.deals()
    play.does(irregularity_report("player_card_count", 2))
    play.reaches(Phase.SETTLEMENT_DUE, fold=[1])
    play.settles()
    results = for_rail(play.floor, "T1")["round"]["results"]
    assert {seat: shown["result"] for seat, shown in results.items()} == {"1": "fold", "2": "void"}


def test_r83_the_notice_stands_verbatim_beside_a_bonus_prize() -> None:
    play = opened("washington", jackpot_regime="bonus", meter_contribution="0")
    view = for_tablevision(play.floor, "T1")
    assert view["prize"] == "bonus_jackpot"
    assert view["notices"][-1] == NOTICE
    assert NOTICE not in for_tablevision(opened("washington").floor, "T1")["notices"]


@pytest.mark.clause("WA Rules of Play, second paragraph, posted")
def test_r10_the_four_option_rule_stands_on_tablevision() -> None:
    notices = for_tablevision(opened("washington").floor, "T1")["notices"]
    assert notices == ["Players may wager on at most four of the wagering options"]


@pytest.mark.clause(
    "GW Layout Odds", "GW Layout Bad Beat", "GW Layout Trips Plus", "GW Layout Pocket Bonus"
)
def test_gw_layout_the_tables_of_the_felt_are_posted_in_every_view() -> None:
    floor = opened("galaxy-wpt").floor
    views = (for_dealer, for_rail, for_tablevision)
    shown = [view(floor, "T1")["posted"] for view in views]
    assert shown == [for_seat(floor, "T1", 1)["posted"]] * 3
    felts = {table["key"]: table for table in shown[0]["layout_paytables"]}
    assert list(felts) == ["trips_plus", "pocket_bonus", "odds", "bad_beat"]
    assert {row["label"]: row["pays"] for row in felts["bad_beat"]["rows"]} == {
        "Straight Flush": "500",
        "Quads": "25",
        "Full House": "6",
        "Flush": "5",
        "Straight": "4",
        "Other Hands": "loss",
    }, "R39: a royal flush cannot lose, so its row is not shown"


def test_a_felt_that_prints_other_pays_than_are_in_use_is_not_posted() -> None:
    posted = for_rail(opened("galaxy-wpt", paytables={"trips_plus": "1"}).floor, "T1")["posted"]
    felts = [table["key"] for table in posted["layout_paytables"]]
    assert felts == ["pocket_bonus", "odds", "bad_beat"]


def test_tablevision_shows_no_prize_without_a_progressive() -> None:
    view = for_tablevision(opened("sugarhouse").floor, "T1")
    assert (view["meter"], view["prize"], view["paytable"]) == (None, None, None)


def test_r79_the_display_shows_whole_cents() -> None:
    play = opened("galaxy", seats=(1,), meter_contribution="0.257")
    play.bets({1: stakes(progressive=100)})
    assert for_tablevision(play.floor, "T1")["meter"]["shows"] == "10000.25"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("phase", list(Phase))
def test_every_view_is_plain_json(book: str, phase: Phase) -> None:
    play = table_at(phase, book)
    floor = play.floor
    views = [for_dealer(floor, "T1"), for_rail(floor, "T1"), for_tablevision(floor, "T1")]
    views += [for_seat(floor, "T1", seat) for seat in range(1, 7)]
    for view in views:
        assert json.loads(json.dumps(view)) == view


@pytest.mark.clause(
    "SH How to play board",
    "G 4 board as needed",
    "G 4 board at once",
    "NY (d)(2) board",
)
@pytest.mark.parametrize(
    ("book", "options", "down"),
    [
        ("sugarhouse", {}, [5, 5, 2]),  # spread face down before the first decision
        ("galaxy", {}, [0, 0, 0]),  # by hand, as needed (G 4)
        ("galaxy", {"board": "at_once"}, [5, 5, 2]),
        ("new-york", {"dealing": "shoe"}, [5, 5, 2]),  # the first packet (NY (d)(2))
    ],
)
def test_r20_the_board_lies_face_down_where_it_is_dealt_at_once(
    book: str, options: dict[str, Any], down: list[int]
) -> None:
    seen = []
    for phase in (Phase.POCKET, Phase.FLOP_DUE, Phase.FLOP):
        play = table_at(phase, book, **options)
        seen.append(for_rail(play.floor, "T1")["round"]["board_down"])
    assert seen == down


def test_before_the_first_round_there_is_no_round_to_see() -> None:
    play = opened()
    for view in (for_rail(play.floor, "T1"), for_seat(play.floor, "T1", 1)):
        assert view["round"] is None
    assert "legal" not in for_seat(play.floor, "T1", 1)
    assert "owing" not in for_dealer(play.floor, "T1")
    assert for_tablevision(play.floor, "T1")["round"] is None


def test_players_see_the_hand_their_cards_make_with_the_open_board() -> None:
    for phase, reads in ((Phase.POCKET, False), (Phase.FLOP, True), (Phase.RIVER, True)):
        play = table_at(phase, "galaxy")
        held = for_seat(play.floor, "T1", 1)["round"]["seats"]
        assert bool(held["1"]["reads"]) is reads
        assert all(view["reads"] is None for seat, view in held.items() if seat != "1")
        assert all(
            view["reads"] is None for view in for_rail(play.floor, "T1")["round"]["seats"].values()
        )


@pytest.mark.parametrize("book", BOOKS)
def test_the_dealers_qualifier_is_posted_if_the_rules_have_one(book: str) -> None:
    play = table_at(Phase.POCKET, book)
    posted = for_rail(play.floor, "T1")["posted"]["qualifier"]
    has_qualifier = bool(play.floor.tables["T1"].rules.qualifier_strength)
    assert (posted is not None) is has_qualifier
    if has_qualifier:
        assert posted["text"] == "The dealer qualifies with a pair or better"


def test_each_line_names_the_posted_row_that_decides_it() -> None:
    play = table_at(Phase.CLOSED, "galaxy")
    view = for_rail(play.floor, "T1")
    keys = {table["key"] for table in view["posted"]["paytables"]}
    for result in view["round"]["results"].values():
        for wager, line in result["wagers"].items():
            assert (line["table"] is None) is (wager in ("ante", "raise"))
            assert line["table"] in {None, *keys}
            beaten = result["wagers"].get("raise", {}).get("result") == "lose"
            if wager == "odds":
                assert line["table"] == ("bad_beat" if beaten else "odds")
