"""Washington's "Bonus" cells, changed by the operator while the table is open."""

from typing import Any

import pytest

from headsup.game.round.commands import CloseBets, PlaceBets
from headsup.game.round.state import Phase
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.evolve import evolve
from headsup.game.table.opening import BonusCellSet, SetBonusCell
from headsup.game.table.rounds import OpenRound
from headsup.game.table.state import BrokenRecord
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.views.builder import rail_view
from tests.support.tables import PROGRESSIVE, TRIPS, TRIPS_6, Play, opened, replay_events, stakes

TWO = ("Sue", "Tom")
JACKPOT_ROWS = (
    *("flopped_royal_flush_in_spades", "flopped_royal_flush", "royal_flush"),
    *("community_royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"),
)


def cell(pay: str, outcome: str = "flush", key: str = "trips_plus") -> SetBonusCell:
    return SetBonusCell(key, outcome, pay, "weekend", TWO)


def posted_pay(play: Play, outcome: str = "flush", key: str = "trips_plus") -> str:
    tables = {table.key: table for table in rail_view(play.floor, play.id).posted.paytables}
    return next(row.pays.short for row in tables[key].rows if row.outcome == outcome)


@pytest.mark.clause("WA App. B note 3", "WA App. D note 5 operator")
def test_a_bonus_cell_is_changed_between_rounds_and_the_next_round_pays_it() -> None:
    play = opened("washington", seats=(1,), **TRIPS_6)
    before = play.table.rules
    (event,) = play.does(cell("8"))
    assert isinstance(event, BonusCellSet)
    assert event.fingerprint == play.table.rules.fingerprint != before.fingerprint
    assert (posted_pay(play), posted_pay(play, "straight")) == ("8", "5")
    play.bets({1: stakes(trips_plus=500)})
    play.deals({1: "AdTd"}, board="Kd9d7d5s2c", dealer="KhQc")
    play.reaches(Phase.CLOSED)
    assert play.lines(1)[TRIPS].net == 4_000
    assert replay_events(play.log) == play.floor


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.CLOSED])
def test_no_cell_is_changed_while_a_round_is_open(phase: Phase) -> None:
    play = opened("washington", seats=(1,), **TRIPS_6)
    play.does(OpenRound(), PlaceBets(1, stakes(trips_plus=500)))
    if phase is not Phase.BETTING:
        play.does(CloseBets())
        play.reaches(phase)
    assert play.refuses(cell("8")) == "round_open"


REFUSED: dict[str, tuple[SetBonusCell, str]] = {
    "a cell that is printed": (cell("8", "flush", "odds"), "bad_rules"),
    "a wager that is not offered": (cell("8", "flush", "all_6"), "bad_rules"),
    "no such row": (cell("8", "pair_of_aces"), "unknown_key"),
    "no such paytable": (cell("8", "flush", "insurance"), "unknown_key"),
    "nothing": (cell(""), "bonus_unfilled"),
    "Bonus again": (cell("Bonus"), "bonus_unfilled"),
    "no pay": (cell("a lot"), "bad_pay"),
    "a share of a pool": (cell("10%"), "bad_pay"),
    "no reason": (SetBonusCell("trips_plus", "flush", "8", " ", TWO), "meter_record"),
    "one person": (
        SetBonusCell("trips_plus", "flush", "8", "weekend", ("Sue", "sue ")),
        "meter_approvals",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_only_the_operators_cells_are_changed(case: str) -> None:
    command, code = REFUSED[case]
    assert opened("washington", seats=(1,), **TRIPS_6).refuses(command) == code


def test_documents_without_bonus_cells_have_none_to_change() -> None:
    assert opened("new-york", seats=(1,)).refuses(cell("8")) == "bad_rules"


def test_a_jackpot_of_fixed_prizes_gets_no_share_of_a_figure_without_a_meter() -> None:
    fixed: dict[str, Any] = {"bonus": {"progressive": dict.fromkeys(JACKPOT_ROWS, "100")}}
    play = opened("washington", seats=(1,), paytables={"progressive": "HH/JP-7"}, **fixed)
    assert play.table.meter == ""
    play.does(cell("250", key=Wager.PROGRESSIVE.value))
    assert posted_pay(play, key=PROGRESSIVE.value) == "250"
    assert play.refuses(cell("10%", key=Wager.PROGRESSIVE.value)) == "no_such_meter"


def test_a_record_whose_cell_leads_to_other_rules_is_broken() -> None:
    play = opened("washington", seats=(1,), **TRIPS_6)
    event = BonusCellSet("trips_plus", "flush", "8", "weekend", TWO, "0" * 64)
    with pytest.raises(BrokenRecord, match="does not lead to the recorded rules"):
        evolve(play.floor, "T1", event)
    with pytest.raises(BrokenRecord):
        evolve(play.floor, "T1", BonusCellSet("odds", "flush", "8", "weekend", TWO, ""))


def test_the_record_names_the_rules_of_each_round() -> None:
    """The same choice gives the same fingerprint, however the table came to it."""
    play = opened("washington", seats=(1,), **TRIPS_6)
    play.does(cell("8"))
    cells = {**TRIPS_6["bonus"]["trips_plus"], "flush": "8"}
    at_once = opened(
        "washington",
        seats=(1,),
        paytables={"trips_plus": "HH/TP-6"},
        bonus=FrozenJson({"trips_plus": cells}),
    )
    assert play.table.rules == at_once.table.rules
