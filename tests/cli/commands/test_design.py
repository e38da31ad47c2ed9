"""`headsup design`: screen, JSON and files."""

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headsup.game.rulebook.table_rules import table_rules
from tests.support.cli.run import headsup, refusal_sentence

METERS = ("meter", "present_meter", "present_pays")


def test_a_side_wager_is_designed_and_its_book_confirms_it(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    words = ("design", "trips_plus", "--edge", "3.5%", "--out", book, "--set", "bad_beat=4")
    answer = headsup(*words, "--json").json
    best = answer["found"][0]
    assert abs(Fraction(best["house_edge"]["exact"]) - Fraction(35, 1000)) <= Fraction(5, 10_000)
    assert best["merit"] == "least_change"
    sheet = headsup("par", "--rules", book, "--json").json
    assert sheet["trips_plus"]["house_edge"] == best["house_edge"]
    assert sheet["main"]["paytables"]["bad_beat"] == "4"
    again = headsup("design", "trips_plus", "--edge", "4%", "--rules", book, "--out", book)
    assert again.code == 0
    text = book.read_text(encoding="utf-8")
    assert text.count("[[paytable]]") == 1


@pytest.mark.slow
def test_a_main_game_is_designed_and_solve_confirms_it(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    words = ("design", "odds", "--edge", "2.7%", "--most", "1", "--rules", "new-york")
    answer = headsup(*words, "--out", book, "--json").json
    assert 'kind = "study"' in book.read_text(encoding="utf-8")  # its list of tables is closed
    solved = headsup("solve", "--rules", book, "--json").json
    assert solved["house_edge"] == answer["found"][0]["house_edge"]
    assert solved["standard_deviation"] == answer["found"][0]["standard_deviation"]


def test_a_progressive_gets_its_contribution(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    answer = headsup("design", "progressive", "--edge", "20%", "--out", book, "--json").json
    assert answer["meter"]["seed"] == "25000.00"
    assert answer["meter"]["contribution"] == "0.239761"
    assert "meter_contribution" in book.read_text(encoding="utf-8")
    shown = headsup("design", "progressive", "--edge", "20%", "--seed", "50000").out
    assert "Break-even meter for players" in shown
    pays = ("--pay", "four_of_a_kind=40..80", "--contribution", "0.2", "--within", "0.5%")
    named = headsup("design", "progressive", "--edge", "20%", *pays, "--json").json
    assert Fraction(named["found"][0]["house_edge"]["exact"]) == pytest.approx(0.2, abs=0.005)


def test_a_fixed_meter_shows_the_first_table_beside_the_present_one() -> None:
    words = ("design", "progressive", "--edge", "20%", "--seed", 50000, "--contribution", "0.2")
    answer = headsup(*words, "--json").json
    best, now = answer["found"][0], answer["present"]
    edges = {name: answer[name]["house_edge"]["decimal"][:8] for name in METERS}
    assert edges["meter"] == best["house_edge"]["decimal"][:8]
    assert edges["present_meter"] == now["house_edge"]["decimal"][:8]
    assert edges["present_pays"] not in (edges["meter"], edges["present_meter"])
    shown = " ".join(headsup(*words).out.split())
    assert "Long-run house edge, table A 19.9887%" in shown
    assert "With the present pays and this meter 23.0141%" in shown
    assert "With the present pays and meter (now) 18.9761%" in shown
    assert "Now: seed, contribution $25,000.00, $0.250000" in shown


def test_a_contribution_of_zero_stays_zero() -> None:
    words = ("design", "progressive", "--edge", "30%", "--contribution", 0, "--seed", 50000)
    assert headsup(*words, "--json").json["meter"]["contribution"] == "0.000000"


def test_a_written_book_says_designed_once_and_spells_pays_alike(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    words = ("design", "trips_plus", "--rules", "new-york", "--out", book, "--most", 1)
    headsup(*words, "--edge", "4%")
    rules = table_rules(book.read_text(encoding="utf-8"))
    assert rules.book.title.endswith(", trips plus designed")
    pays = [row.pay.printed for row in rules.paytables["trips_plus"].rows]
    assert not [pay for pay in pays if pay.endswith((":1", "to 1"))]
    again = ("design", "trips_plus", "--rules", book, "--out", book, "--edge", "4.5%")
    assert headsup(*again).code == 0
    assert book.read_text(encoding="utf-8").count("designed") == 1


def test_a_table_lists_all_its_merits_and_an_only_table_says_so() -> None:
    words = ("design", "pocket_bonus", "--edge", "6%", "--within", "0.2%")
    assert "A: changes least, nearest to the target" in headsup(*words).out
    answer = headsup(*words, "--json").json
    merits = [merit for table in answer["found"] for merit in table["merits"]]
    assert {"least_change", "nearest", "calmest", "wildest"} <= {*merits}
    assert [table["merit"] for table in answer["found"]] == [
        table["merits"][0] for table in answer["found"]
    ]
    alone = headsup("design", "progressive", "--edge", "20%").out
    assert "A: the only one that meets the target" in alone
    assert "1 table considered, 1 meets the target." in alone


def test_an_edge_for_the_player_is_marked() -> None:
    shown = " ".join(headsup("design", "trips_plus", "--edge", "-1%", "--most", 1).out.split())
    assert "(favours the player)" in shown
    assert "A negative house edge favours the player." in shown
    assert "favours" not in headsup("design", "trips_plus", "--edge", "3%", "--most", 1).out


def test_unpaid_rows_are_not_suggested() -> None:
    words = ("design", "trips_plus", "--edge", "3%", "--pay", "flsh=5")
    message = refusal_sentence(headsup(*words))
    assert "(did you mean flush?)" in message
    assert "three_of_a_kind" in message
    assert "two_pair" not in message


def test_screens_pages_and_plots(tmp_path: Path) -> None:
    page, plot = tmp_path / "design.html", tmp_path / "design.svg"
    words = (
        "design",
        "pocket_bonus",
        "--edge",
        "6%",
        "--within",
        "0.5%",
        "--html",
        page,
        "--svg",
        plot,
    )
    shown = headsup(*words).out
    assert "Pair of Aces" in shown
    assert "A: changes least" in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if "Written" not in line)
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_forfeited_wager_is_marked_as_counted_without_folds() -> None:
    words = ("design", "trips_plus", "--edge", "4%", "--rules", "new-york", "--most", 1)
    forfeits = ("--set", "trips_plus_after_fold=forfeits")
    assert "A fold forfeits this wager" in " ".join(headsup(*words, *forfeits).out.split())
    assert headsup(*words, *forfeits, "--json").json["as_if_never_folded"]
    assert not headsup(*words, "--json").json["as_if_never_folded"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tripsplus", "--edge", "3%"), "'tripsplus' is not one of odds"),
        (("trip_plus", "--edge", "3%"), "(did you mean trips_plus?)"),
        (("trips_plus", "--edge", "3.5"), "such as 2.5% or 0.025 (did you mean 3.5%?)"),
        (("trips_plus", "--edge", "3"), "--edge: '3' is not a share such as 2.5% or 0.025"),
        (("trips_plus", "--edge", "ten"), "--edge: 'ten' is not a share"),
        (("trips_plus", "--edge", "3%", "--within", "0"), "--within"),
        (("trips_plus", "--edge", "3%", "--sd", "0"), "--sd: '0' is not a standard deviation"),
        (("trips_plus", "--edge", "3%", "--pay", "flush"), "--pay: 'flush' is not a row and"),
        (("trips_plus", "--edge", "3%", "--pay", "flush=8..4"), "begins with its lower pay"),
        (("trips_plus", "--edge", "3%", "--pay", "flush=1..1000000000"), "at most 10,000,000"),
        (("trips_plus", "--edge", "3%", "--pay", "flush=1000000000"), "at most 10,000,000"),
        (("trips_plus", "--edge", "3%", "--pay", "flush=1..9000"), "has 9,000 pays"),
        (("trips_plus", "--edge", "3%", "--pay", "flash=4"), "trips_plus has no row 'flash'"),
        (
            ("trips_plus", "--edge", "3%", "--pay", "flush=1", "--pay", "straight=5"),
            "a hand would pay less than a lower one",
        ),
        (("pocket_bonus", "--edge", "90%"), "the closest has"),
        (("trips_plus", "--edge", "3%", "--seed", "5"), "only a progressive has a meter"),
        (("progressive", "--edge", "90%"), "no contribution and seed give"),
        (("all_6", "--edge", "3%", "--rules", "sugarhouse"), "offers no All 6 here"),
        (("trips_plus", "--edge", "3%", "--most", "0"), "--most: must be"),
        (
            ("all_6", "--edge", "3%", "--any-order", "--pay", "flush=1..999",
             "--pay", "straight=1..999", "--pay", "full_house=1..999"),
            "more than 1,000,000",
        ),
    ],
)  # fmt: skip
def test_bad_questions(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal_sentence(headsup("design", *words))


def test_a_row_named_twice_is_refused() -> None:
    words = ("design", "trips_plus", "--edge", "3.5%", "--pay", "flush=5")
    for again in ("flush=6", "trips_plus.flush=6"):
        assert "--pay: flush is named twice" in refusal_sentence(headsup(*words, "--pay", again))


def test_a_contribution_above_the_stake_is_refused() -> None:
    words = ("design", "progressive", "--edge", "20%", "--seed", "1000", "--contribution", "2")
    sentence = "a contribution of $2.00 is more than the wager itself, which is $1.00"
    assert sentence in refusal_sentence(headsup(*words))


def test_a_narrow_screen_repeats_row_names_beside_every_column() -> None:
    words = ("design", "trips_plus", "--edge", "3.5%", "--pay", "flush=5..8")
    shown = headsup(*words, COLUMNS="40").out
    wide = headsup(*words, COLUMNS="100").out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 40
    for label in ("Straight Flush", "House edge", "Deviation"):
        rows = [line.strip() for line in shown.splitlines() if line.strip().startswith(label)]
        (row,) = (line.strip() for line in wide.splitlines() if line.strip().startswith(label))
        cells = [cell for line in rows for cell in line.removeprefix(label).split()]
        assert len(rows) > 1
        assert cells == row.removeprefix(label).split()
