"""R100–R103: what a cap leaves for a player or a table, and which clause it cites."""

from typing import Any

import pytest

from headsup.game.notation.reader import read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.notation.writer import write_round
from headsup.game.refusal import Refused
from headsup.game.round.commands import Raise
from headsup.game.round.state import Phase
from headsup.game.rulebook.loader import load_book
from headsup.game.settlement import settle
from headsup.game.table.seating import BuyIn, Sit
from headsup.game.values.safe_parse import parse_toml
from tests.support.tables import ODDS, RAISE, opened, stakes

RAISED = {"street": "pocket", "multiple": 3}
# Seat 1 has a royal flush, seat 2 a straight flush; the dealer's king high does not qualify.
CARDS = {"dealer": "Kd3h", "board": "QsJsTs5h2d"}
HOLES = {1: "AsKs", 2: "9s8s", 3: "QcQh"}


def settle_players(
    *players: str | None, rules: str = "sugarhouse", **options: Any
) -> dict[str, Any]:
    """The answer of `settle` for $100 on each seat, held by these players."""
    seats: list[dict[str, Any]] = []
    for seat, player in enumerate(players, 1):
        held = {"seat": seat, "hole": HOLES[seat], "ante": "100.00", "odds": "100.00"}
        seats.append({**held, "raise": RAISED, **({} if player is None else {"player": player})})
    round = read_round({"rules": rules, "options": options, **CARDS, "seats": seats})
    return write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))


def nets(answer: dict[str, Any]) -> list[str]:
    return [seat["net"] for seat in answer["seats"]]


@pytest.mark.clause("SH Raise cap", "SH Raise cap per player")
def test_one_players_positions_share_the_cap_in_the_order_they_are_settled() -> None:
    """Seat 2 is settled first: 50:1 and the Raise are $5,300, so $44,700 are left."""
    answer = settle_players("Ann", "Ann")
    assert nets(answer) == ["44700.00", "5300.00"]
    first = answer["seats"][0]["wagers"]
    assert (first["raise"]["net"], first["odds"]["net"]) == ("300.00", "44400.00")
    assert first["odds"]["shortfall"] == "5600.00"


@pytest.mark.parametrize("players", [("Ann", "Bob"), ("Ann", None), (None, None)])
def test_each_player_has_a_separate_cap(players: tuple[str | None, str | None]) -> None:
    assert nets(settle_players(*players)) == ["50000.00", "5300.00"]


def test_exactly_the_lines_that_a_cap_cuts_cite_it() -> None:
    cap = load_book("sugarhouse").options["cap"].clause
    clauses = load_book("sugarhouse").clauses
    lines = settle_players("Ann", "Ann")["seats"]
    assert lines[0]["wagers"]["odds"]["clause"] == cap
    assert lines[1]["wagers"]["odds"]["clause"] == clauses["odds_win"]
    own = settle_players(None, rules="galaxy", cap="1000.00")["seats"][0]["wagers"]["odds"]
    assert (own["net"], own["clause"]) == ("700.00", load_book("galaxy").options["cap"].clause)


@pytest.mark.clause("SH Raise cap per player")
def test_a_table_knows_which_seats_share_a_player() -> None:
    play = opened("sugarhouse", seats=(), positions_per_player=2)
    play.does(Sit(1, "Ann"), Sit(2, "Ann"), BuyIn(1, 1_000_000))
    play.bets({1: stakes(10_000), 2: stakes(10_000)})
    play.deals({1: "AsKs", 2: "9s8s"}, **CARDS)
    play.does(Raise(1, 3), Raise(2, 3))
    play.reaches(Phase.CLOSED)
    assert play.lines(2)[ODDS].net + play.lines(2)[RAISE].net == 530_000
    assert play.lines(1)[ODDS].shortfall == 560_000
    assert play.chips(1) == 1_000_000 + 5_000_000, "$50,000 and not a cent more"
    text = write_round(play.round, players=play.table.players)
    again = read_round(parse_toml(text))
    assert settle(again.rules, again.deal, again.plays) == play.round.settlement
    assert "\nplayer" not in write_round(play.round, players={1: "Ann", 2: "Bob"})


@pytest.mark.parametrize("player", [7, True, "", "  ", "Ann ", "a\nb", [], "x" * 101])
def test_a_player_must_be_a_name(player: object) -> None:
    with pytest.raises(Refused) as refused:
        settle_players(player)  # type: ignore[arg-type]
    assert refused.value.code == "bad_seats"
    assert refused.value.message.startswith("seat 1: player must be")


@pytest.mark.clause("NY (c)(6)")
def test_new_york_lets_no_player_hold_two_positions() -> None:
    assert nets(settle_players("Ann", "Bob", rules="new-york"))
    with pytest.raises(Refused) as refused:
        settle_players("Ann", "Ann", rules="new-york")
    assert refused.value.code == "one_position"
    assert "NY (c)(6)" in refused.value.message


@pytest.mark.clause("SH Raise cap minimum")
def test_the_minimum_that_raises_the_cap_is_a_minimum() -> None:
    """504 × $100 is $50,400; bets below the minimum are refused."""
    assert nets(settle_players(None, minimum_wager="100.00")) == ["50300.00"]
    with pytest.raises(Refused) as refused:
        settle_players(None, minimum_wager="100.01")
    assert refused.value.code == "below_minimum"


# R102, WAC 230-15-490.

WASHINGTON = {"limits": {"ante": {"max": "100.00"}}}


def test_washingtons_caps_spare_prizes_below_50_to_1() -> None:
    cap = {"amount": "5000.00", "wagers": ["odds"], "spares_below": 50}
    answer = settle_players(None, None, None, rules="washington", cap=cap, **WASHINGTON)
    royal, straight_flush, trips = (seat["wagers"]["odds"] for seat in answer["seats"])
    assert (royal["net"], royal["shortfall"]) == ("5000.00", "45000.00")
    assert straight_flush["net"] == "5000.00"
    assert "shortfall" not in straight_flush
    assert "shortfall" not in trips
