"""Par sheets: each side wager pays what settlement pays, and the sums are exact."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from headsup.analysis.par.comparison import compare_paytables
from headsup.analysis.par.main_rows import (
    endings,
    net_distribution,
    odds_rows,
    return_table,
    wager_edges,
)
from headsup.analysis.par.par_sheet import FOLDED, ParSheet, SideSheet, par_sheet, side_sheet
from headsup.analysis.solver.compile import compile_payoffs, is_trips_plus_forfeited
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.solver import solve_many
from headsup.game.refusal import RulesRefused
from headsup.game.round.decision import HasRaised
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import Basis, Pay, PayKind, Row
from headsup.game.rulebook.outcomes import Outcome
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.settlement import Deal, SeatPlay, settle
from headsup.game.values.cards import parse_cards
from headsup.game.values.money import MICROS_PER_DOLLAR
from headsup.report.sheets.hold import hold_section
from headsup.report.sheets.par_sheet import par_report, side_section

METER = 123_456 * MICROS_PER_DOLLAR
STRICT = {"trips_plus_after_fold": "forfeits"}

# Hole cards, board and All 6 packet that make each outcome.
DEALS = {
    "royal_flush": ("AhKh", "QhJh2c Th3d", ""),
    "straight_flush": ("9h8h", "7h6h2c 5h3d", "7h6h5h 2c"),
    "four_of_a_kind": ("9h9s", "9c9d2c 5h3d", "9c9d2c3d"),
    "full_house": ("9h9s", "9c2d2c 5h3d", "9c2d2c3d"),
    "flush": ("Ah9h", "7h6h2c 2h3d", "7h6h2h3d"),
    "straight": ("9h8h", "7s6c2c 5h3d", "7s6c5h2d"),
    "three_of_a_kind": ("9h9s", "9cKd2c 5h3d", "9cKd2c3d"),
    "two_pair": ("9h9s", "KcKd2c 5h3d", ""),
    "one_pair": ("9h9s", "KcQd2c 5h3d", ""),
    "high_card": ("9h7s", "2c3cKd4sJs", ""),
    "flopped_royal_flush_in_spades": ("AsKs", "QsJsTs 2c3d", ""),
    "flopped_royal_flush": ("AhKh", "QhJhTh 2c3d", ""),
    "flopped_straight_flush": ("9h8h", "7h6h5h 2c3d", ""),
    "community_royal_flush": ("2c3d", "AhKhQh JhTh", ""),
    "six_card_royal_diamonds": ("AdKd", "2c3c4h6s7s", "QdJdTd9d"),
    "six_card_royal": ("AhKh", "2c3c4d6s7s", "QhJhTh9h"),
    "five_card_royal": ("AhKh", "2c3c4d6s7s", "QhJhTh8c"),
    "pair_of_aces": ("AhAs", "2c3c4d6s7s", ""),
    "suited_ace_face": ("AhJh", "2c3c4d6s7s", ""),
    "unsuited_ace_face": ("AhJs", "2c3c4d6s7s", ""),
    "pair": ("KhKs", "2c3c4d6s7s", ""),
    "nothing": ("9h7s", "2c3cKd4sJs", "2c3cKd4s"),
}


def every_side_table() -> list[tuple[str, Wager, str]]:
    return [
        (name, wager, id)
        for name in SHIPPED_BOOKS
        for wager in SIDE_WAGERS
        for id in load_book(name).paytables.get(wager.value, ())
        if wager in load_book(name).offers
    ]


def settle_net(rules: TableRules, wager: Wager, outcome: str) -> Fraction:
    hole, board, packet = map(parse_cards, DEALS[outcome])
    stake = rules.progressive_stake if wager is Wager.PROGRESSIVE else 200
    stakes = {Wager.ANTE: 1000, Wager.ODDS: 1000, wager: stake}
    play = SeatPlay(1, hole, stakes, HasRaised(Street.RIVER, 1))
    dealer = parse_cards("8s8d")
    settlement = settle(rules, Deal(dealer, board, packet), [play], METER)
    line = next(line for line in settlement.seats[0].lines if line.wager is wager)
    return Fraction(line.net, stake)


@pytest.mark.parametrize(("book", "wager", "id"), every_side_table())
def test_every_row_pays_what_settlement_pays(book: str, wager: Wager, id: str) -> None:
    if load_book(book).paytables[wager.value][id].unfilled_cells():
        with pytest.raises(RulesRefused, match="leaves these cells to the operator"):
            table_rules(book, {wager.value: id})
        return
    rules = table_rules(book, {wager.value: id})
    sheet = side_sheet(rules, wager, METER)
    assert sum(row.ways for row in sheet.outcomes) == sheet.ways
    for row in sheet.outcomes:
        assert row.net == settle_net(rules, wager, row.outcome), row.outcome


@pytest.mark.parametrize(
    ("book", "wager", "id", "edge"),
    [
        ("galaxy", Wager.TRIPS_PLUS, "3", "0.033363"),  # Playtech: a return of 96.66 %
        ("sugarhouse", Wager.TRIPS_PLUS, "1", "0.033363"),
        ("washington", Wager.TRIPS_PLUS, "HH/TP-3", "0.034979"),  # Wizard of Odds: 3.50 %
        ("galaxy", Wager.POCKET_BONUS, "1", "0.045249"),  # Playtech: a return of 95.48 %
        ("galaxy", Wager.ALL_6, "1", "0.102248"),  # published: 10.23 %
    ],
)
def test_published_edges(book: str, wager: Wager, id: str, edge: str) -> None:
    sheet = side_sheet(table_rules(book, {wager.value: id}), wager)
    assert f"{float(sheet.house_edge):.6f}" == edge


# Progressives.


def progressive(book: str, id: str, meter: int = METER) -> SideSheet:
    return side_sheet(table_rules(book, {"progressive": id}), Wager.PROGRESSIVE, meter)


@pytest.mark.parametrize("id", [str(number) for number in range(1, 10)])
def test_a_progressive_returns_its_fixed_pays_and_a_share_of_the_meter(id: str) -> None:
    sheet = progressive("galaxy", id)
    pool = sheet.pool
    assert pool is not None
    assert 1 - sheet.house_edge == pool.fixed_return + pool.meter_coefficient * pool.meter
    assert pool.break_even_meter is not None
    assert pool.fixed_return + pool.meter_coefficient * pool.break_even_meter == 1
    assert progressive("galaxy", id, 0).pool == replace(pool, meter=Fraction(0))


def test_galaxys_first_progressive_matches_a_hand_calculation() -> None:
    """100 % of the pool for one deal in 2,598,960; 10 % for every other royal."""
    pool = progressive("galaxy", "1").pool
    assert pool is not None
    spades = Fraction(1, 2_598_960)
    royals = Fraction(4_324, 133_784_560)
    assert pool.meter_coefficient == spades + (royals - spades) / 10
    fixed = 200 * 37_260 + 50 * 224_848 + 10 * 3_473_184 + 5 * 4_047_644
    assert pool.fixed_return == Fraction(fixed, 133_784_560)


def test_a_larger_stake_shares_the_same_pool() -> None:
    """R76: fixed pays scale with the stake, percentages do not."""
    rules = table_rules("galaxy", options={"progressive_stake": "5.00"})
    five, single = side_sheet(rules, Wager.PROGRESSIVE).pool, progressive("galaxy", "1").pool
    assert five is not None
    assert single is not None
    assert five.fixed_return == single.fixed_return
    assert five.meter_coefficient == single.meter_coefficient / 5


def test_new_york_offers_both_bases(solution: Solution) -> None:
    """R15: to 1, every hit gives the stake back too."""
    sheet = par_sheet(table_rules("new-york"), solution, METER)
    other, own = sheet.other_basis, sheet.side(Wager.PROGRESSIVE)
    assert other is not None
    assert (own.basis, other.basis) == (Basis.TO, Basis.FOR)
    assert other.house_edge - own.house_edge == own.hit_frequency
    assert par_sheet(table_rules("galaxy"), solution).other_basis is None


def test_a_bonus_jackpot_is_counted_with_its_filled_cells() -> None:
    cells = {
        row.outcome: "10"
        for row in load_book("washington").paytables["progressive"]["HH/JP-7"].rows
    }
    cells[Outcome.FLOPPED_ROYAL_FLUSH_IN_SPADES] = "100%"
    rules = table_rules("washington", {"progressive": "HH/JP-7"}, {"bonus": {"progressive": cells}})
    sheet = side_sheet(rules, Wager.PROGRESSIVE, METER)
    assert rules.bonus_jackpot
    assert sheet.pool is not None
    assert sheet.pool.meter_coefficient == Fraction(1, 2_598_960)
    assert sheet.pool.fixed_return == 10 * (sheet.hit_frequency - Fraction(1, 2_598_960))


def test_a_pay_of_zero_is_not_a_hit() -> None:
    sheet = progressive("galaxy", "1")
    nothing = Pay(PayKind.PAYS, Fraction(0), "0")
    row = replace(sheet.outcomes[0], pay=nothing)
    assert not row.hits


def test_a_push_row_gives_the_stake_back() -> None:
    rules = table_rules("galaxy")
    table = rules.paytables["trips_plus"]
    push = Pay(PayKind.PUSH, Fraction(0), "Push")
    with_push = replace(table, rows=(*table.rows, Row(Outcome.TWO_PAIR, "Two Pair", push)))
    pushing = replace(rules, paytables={**rules.paytables, "trips_plus": with_push})
    saved = side_sheet(rules, Wager.TRIPS_PLUS).house_edge
    saved -= side_sheet(pushing, Wager.TRIPS_PLUS).house_edge
    assert saved == Fraction(31_433_400, 133_784_560)


# The main game, and both together.


@cache
def solutions(stake: Fraction) -> tuple[Solution, Solution]:
    """New York's game alone, and with Trips Plus that a fold forfeits."""
    rules = table_rules("new-york", options=STRICT)
    alone, together = solve_many([compile_payoffs(rules), compile_payoffs(rules, stake)])
    return alone, together


@pytest.fixture(name="solution", scope="module")
def the_solution() -> Solution:
    return solutions(Fraction(1, 10))[0]


def strict_sheet(stake: Fraction) -> ParSheet:
    rules = table_rules("new-york", options=STRICT)
    alone, together = solutions(stake)
    return par_sheet(rules, alone, None, (stake, together))


def test_which_wagers_must_be_solved_together() -> None:
    assert is_trips_plus_forfeited(table_rules("new-york", options=STRICT))
    assert not is_trips_plus_forfeited(table_rules("new-york"))
    assert not is_trips_plus_forfeited(table_rules("new-york", {"trips_plus": "none"}, STRICT))
    literal = {**STRICT, "trips_plus_hand": "both_hole_cards"}
    assert not is_trips_plus_forfeited(table_rules("new-york", options=literal))
    assert is_trips_plus_forfeited(push_for_one())


def push_for_one() -> TableRules:
    """Trips Plus that pays 'for 1', pushes on two pair, and is forfeited by a fold."""
    rules = table_rules("new-york", options=STRICT)
    table = rules.paytables["trips_plus"]
    push = Pay(PayKind.PUSH, Fraction(0), "Push")
    rows = (*table.rows, Row(Outcome.TWO_PAIR, "Two Pair", push))
    own = replace(table, rows=rows, basis=Basis.FOR)
    return replace(rules, paytables={**rules.paytables, "trips_plus": own})


def test_a_push_row_and_pays_for_one_match_the_solver() -> None:
    """The sheet's rows and the solver's payoffs agree: their difference is the main game alone."""
    rules, stake = push_for_one(), Fraction(1, 2)
    payoffs = compile_payoffs(rules)
    alone, together = solve_many([payoffs, compile_payoffs(rules, stake)])
    side = par_sheet(rules, alone, None, (stake, together)).side(Wager.TRIPS_PLUS)
    assert side.forfeit is not None
    assert side.forfeit.main_edge == replace(together, payoffs=payoffs).house_edge
    assert side.forfeit.main_edge > alone.house_edge


def test_ignoring_folds_understates_the_house_edge() -> None:
    stake = Fraction(1, 10)
    sheet = strict_sheet(stake)
    forfeit = sheet.side(Wager.TRIPS_PLUS).forfeit
    as_if = side_sheet(sheet.rules, Wager.TRIPS_PLUS)
    assert (as_if.as_if_never_folded, sheet.side(Wager.TRIPS_PLUS).as_if_never_folded) == (
        True,
        False,
    )
    assert forfeit is not None
    assert forfeit.combined_edge > sheet.solution.house_edge + stake * as_if.house_edge


@pytest.mark.parametrize("wager", [Wager.POCKET_BONUS, Wager.PROGRESSIVE])
def test_an_unsolved_forfeited_wager_makes_the_hold_a_bound(
    wager: Wager, solution: Solution
) -> None:
    rules = table_rules("new-york")
    forfeiting = replace(rules, after_fold={**rules.after_fold, wager: False})
    sheet = par_sheet(forfeiting, solution)
    bets = {Wager.ANTE: 1000, Wager.POCKET_BONUS: 500, Wager.PROGRESSIVE: 100}
    assert [hold.wager for hold in sheet.holds(bets) if hold.is_lower_bound] == [wager]
    assert side_section(sheet, sheet.side(wager)).json()["after_fold"] == {
        "rule": "forfeits",
        "solved_together": False,
    }
    hold = hold_section(sheet, bets).json()
    assert (hold["bound"], hold["of_all_wagered"]) == ("lower", None)
    assert hold["wagers"][wager.value]["bound"] == "lower"
    assert hold["wagers"]["ante"]["bound"] == "exact"
    report = par_report(sheet, bets)
    notes = next(section.notes for section in report.sections if section.key == wager.value)
    assert any("as if no hand were ever folded" in note for note in notes)
    held = report.sections[-1]
    assert "at least" in held.notes[0]
    assert held.grids[0].rows[-1][3].startswith("≥ ")
    stays = hold_section(par_sheet(rules, solution), bets).json()
    assert stays["bound"] == "exact"
    assert stays["of_all_wagered"] is not None


def test_a_forfeited_trips_plus_costs_more_and_changes_the_main_game() -> None:
    """R54: some folds forfeit three of a kind, and the player folds less to avoid that."""
    stake = Fraction(1, 10)
    sheet = strict_sheet(stake)
    side = sheet.side(Wager.TRIPS_PLUS)
    assert side.forfeit is not None
    staying = side_sheet(table_rules("new-york"), Wager.TRIPS_PLUS)
    assert side.house_edge > staying.house_edge
    assert side.forfeit.main_edge > sheet.solution.house_edge
    assert side.forfeit.fold_frequency < sheet.solution.frequencies["fold"]
    assert side.forfeit.combined_edge == side.forfeit.main_edge + stake * side.house_edge


def test_playing_for_both_wagers_beats_playing_for_the_main_game() -> None:
    """With Trips Plus at stake, the main game's own best decisions can only lose more."""
    stake = Fraction(1, 10)
    side = strict_sheet(stake).side(Wager.TRIPS_PLUS)
    alone, _ = solutions(stake)
    apart = par_sheet(table_rules("new-york", options=STRICT), alone, None, (Fraction(0), alone))
    naive = alone.house_edge + stake * apart.side(Wager.TRIPS_PLUS).house_edge
    assert side.forfeit is not None
    assert side.forfeit.combined_edge < naive


def test_the_sheet_with_a_forfeited_trips_plus_covers_all_rounds() -> None:
    side = strict_sheet(Fraction(1, 10)).side(Wager.TRIPS_PLUS)
    assert side.ways == 27_813_810_024_000
    assert sum(row.ways for row in side.outcomes) == side.ways
    folded = next(row for row in side.outcomes if row.outcome == FOLDED)
    assert folded.net == -1


def test_hold_adds_up(solution: Solution) -> None:
    sheet = par_sheet(table_rules("new-york"), solution)
    bets = {Wager.ANTE: 1000, Wager.POCKET_BONUS: 500}
    main, pocket = sheet.holds(bets)
    assert main.win == 1000 * solution.house_edge
    assert main.wagered == 1000 * solution.average_wager
    assert pocket.win == Fraction(500 * 60, 1326)


def test_hold_uses_the_decisions_made_for_both() -> None:
    sheet = strict_sheet(Fraction(1, 10))
    forfeit = sheet.side(Wager.TRIPS_PLUS).forfeit
    assert forfeit is not None
    holds = sheet.holds({Wager.ANTE: 1000, Wager.TRIPS_PLUS: 100})
    assert sum(hold.win for hold in holds) == 1000 * forfeit.combined_edge


def test_every_way_to_end_a_round_is_listed_once(solution: Solution) -> None:
    *decisions, together = endings(solution, "Raise")
    assert together.probability == 1
    assert sum(ending.probability for ending in decisions) == 1
    assert sum(together.results) == 1
    assert together.net == -solution.house_edge
    assert sum(net_distribution(solution).values()) == 1


def test_odds_rows_match_published_showdowns(solution: Solution) -> None:
    """A royal flush always wins or ties, and is never folded."""
    rows = {row.label: row for row in odds_rows(table_rules("new-york"), solution)}
    # 85,615,200 of 2,781,381,002,400 showdowns; we tell the flop from turn and river: ten times.
    assert rows["Royal flush wins"].deals == 10 * 85_615_200
    assert rows["Straight flush wins"].deals == 10 * 734_237_144
    assert rows["Straight flush loses"].deals == 10 * 10_300_592 // 2


# All documents.


@pytest.mark.slow
def test_every_paytable_of_every_document_is_covered() -> None:
    entries = compare_paytables()
    mains = [entry for entry in entries if entry.wager == "main"]
    washington = [entry for entry in mains if entry.book.startswith("washington")]
    assert len(washington) == 8  # R37
    assert sum(entry.rules is None for entry in washington) == 5  # OW3 and BB2 are the operator's
    listed = {(entry.book, entry.wager, entry.paytable) for entry in entries}
    assert {(book, wager.value, id) for book, wager, id in every_side_table()} <= listed
    favoured = [entry.book for entry in mains if entry.house_edge and entry.house_edge < 0]
    assert favoured == ["washington-no-qualifier"]


def test_the_return_table_of_the_main_game_sums_to_one_exactly(solution: Solution) -> None:
    rows = return_table(solution)
    assert sum(row.probability for row in rows) == 1
    assert sum(row.deals for row in rows) == solution.deals
    assert sum(row.contribution for row in rows) == -solution.house_edge
    assert [row.net for row in rows] == sorted({row.net for row in rows})


def test_the_edge_is_split_by_wager_without_a_remainder(solution: Solution) -> None:
    edges = wager_edges(table_rules("new-york"), solution)
    assert list(edges) == [Wager.ANTE, Wager.ODDS, Wager.RAISE]
    assert sum(edges.values()) == solution.house_edge
    assert edges[Wager.RAISE] < 0 < edges[Wager.ANTE]


def test_the_odds_rows_are_complete(solution: Solution) -> None:
    rules = table_rules("new-york")
    rows = odds_rows(rules, solution)
    assert sum(row.probability for row in rows) == 1
    assert -sum(row.contribution for row in rows) == wager_edges(rules, solution)[Wager.ODDS]
    labels = [row.label for row in rows]
    assert labels[0] == "Royal flush wins"
    assert labels[-2:] == ["Any other hand loses", "Folded"]
    assert "Copies the dealer's hand" in labels
