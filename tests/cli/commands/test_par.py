"""`headsup par`: JSON as documented, complete files or none, refusals in a sentence."""

import csv
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.run import Answer, headsup, refusal_sentence

SIDES = ("trips_plus", "pocket_bonus", "all_6", "progressive")


@pytest.fixture(scope="module", name="galaxy")
def galaxy_sheet() -> dict[str, Any]:
    answer = headsup("par", "--rules", "galaxy", "--meter", "100000", "--json")
    assert answer.code == 0
    sheet: dict[str, Any] = answer.json
    return sheet


def fraction(number: dict[str, str]) -> Fraction:
    return Fraction(number["exact"])


def test_json_has_the_main_game_as_in_solve(galaxy: dict[str, Any]) -> None:
    assert galaxy["main"] == headsup("solve", "--json").json
    assert galaxy["main"]["house_edge"]["decimal"] == "0.0235842316"
    assert [key for key in galaxy if key in SIDES] == list(SIDES)


@pytest.mark.parametrize("key", SIDES)
def test_each_side_wager_adds_up(galaxy: dict[str, Any], key: str) -> None:
    side = galaxy[key]
    outcomes = side["outcomes"].values()
    assert side["paytable"] == "1"
    assert sum(fraction(row["probability"]) for row in outcomes) == 1
    assert sum(row["ways"] for row in outcomes) == side["ways"]
    edge = -sum(fraction(row["probability"]) * fraction(row["net"]) for row in outcomes)
    assert edge == fraction(side["house_edge"])
    assert "E" not in json.dumps([row["probability"]["decimal"] for row in outcomes])
    assert len(side["standard_deviation"].partition(".")[2]) == 6


def test_a_progressive_says_where_it_breaks_even(galaxy: dict[str, Any]) -> None:
    side = galaxy["progressive"]
    fixed, coefficient = fraction(side["fixed_return"]), fraction(side["meter_coefficient"])
    assert fixed + coefficient * fraction(side["break_even_meter"]) == 1
    assert side["break_even_meter"]["decimal"] == "125582.85"
    assert side["meter"] == "100000.00"


def test_new_york_prints_both_bases() -> None:
    answer = headsup("par", "--rules", "new-york", "--json").json
    assert answer["progressive"]["basis"] == "to"
    assert answer["progressive"]["other_basis"]["basis"] == "for"
    assert "all_6" not in answer
    assert "House edge if it paid for 1" in headsup("par", "--rules", "new-york").out


def test_new_yorks_literal_reading_multiplies_the_edge() -> None:
    """R53: from 0.74 % to 31.06 %."""
    literal = headsup(
        "par", "--rules", "new-york", "--set", "trips_plus_hand=both_hole_cards", "--json"
    ).json["trips_plus"]
    assert literal["ways"] == 1326 * 2_118_760
    assert literal["house_edge"]["decimal"] == "0.3105796791"
    assert literal["after_fold"] == {"rule": "stays"}


def test_new_yorks_literal_reading_with_a_forfeit_is_a_lower_bound(tmp_path: Path) -> None:
    """R53 with R54: the solver cannot do this, and the sheet says what it counted instead."""
    words = ["par", "--rules", "new-york", "--set", "trips_plus_hand=both_hole_cards"]
    words += ["--set", "trips_plus_after_fold=forfeits", "--csv", str(tmp_path / "par.csv")]
    words += ["--meter", "0"]
    answer = headsup(*words, "--json").json
    assert answer["trips_plus"]["after_fold"] == {"rule": "forfeits", "solved_together": False}
    assert answer["trips_plus"]["house_edge"]["decimal"] == "0.3105796791"
    assert answer["hold"]["bound"] == "lower"
    assert "as if never folded,royal_flush" in (tmp_path / "par.csv").read_text(encoding="utf-8")
    shown = " ".join(headsup(*words).out.split())
    assert "counted as if no hand were ever folded" in shown
    assert "Total $21.00 $47.70 ≥ $2.6256" in shown


@pytest.mark.slow
def test_a_forfeited_trips_plus_depends_on_the_stakes() -> None:
    answer = headsup(
        *("par", "--rules", "new-york", "--set", "trips_plus_after_fold=forfeits"),
        *("--bets", "ante=10,trips_plus=1", "--json"),
    ).json
    fold = answer["trips_plus"]["after_fold"]
    assert fold["solved_together"]
    assert fold["stake_per_ante"]["exact"] == "1/10"
    combined = fraction(fold["main_house_edge"]) + fraction(answer["trips_plus"]["house_edge"]) / 10
    assert combined == fraction(fold["combined_house_edge"])
    assert fraction(answer["hold"]["house_wins"]) == 10 * combined


CUSTOM = """
extends = "galaxy"
title = "The <b>House</b>"
[paytables]
trips_plus = "MH-1"
[[paytable]]
key = "trips_plus"
basis = "to"
ids = ["MH-1"]
custom = true
clause = "the house"
rows = [["flush", "Flush & better", "20"], ["two_pair", "Two pair", "Push"]]
"""


@pytest.mark.slow
def test_a_custom_table_works_the_same(tmp_path: Path) -> None:
    book, page = tmp_path / "house.toml", tmp_path / "par.html"
    book.write_text(CUSTOM, encoding="utf-8")
    answer = headsup("par", "--rules", book, "--html", page, "--json").json["trips_plus"]
    flush, two_pair = Fraction(4_047_644, 133_784_560), Fraction(31_433_400, 133_784_560)
    assert fraction(answer["house_edge"]) == 1 - 21 * flush - two_pair
    assert fraction(answer["hit_frequency"]) == flush
    assert "<b>House" not in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_forfeited_custom_table_is_solved_with_its_push_row(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    study = 'kind = "study"\n' + CUSTOM + '[options]\ntrips_plus_after_fold = "forfeits"\n'
    book.write_text(study, encoding="utf-8")
    bets = ("--bets", "ante=10,trips_plus=5")
    answer = headsup("par", "--rules", book, *bets, "--json").json["trips_plus"]
    assert answer["after_fold"]["solved_together"]
    assert answer["outcomes"]["two_pair"]["pays"] == "push"
    assert answer["outcomes"]["folded"]["ways"] > 0


def test_a_meter_that_favours_the_player_is_reported() -> None:
    answer = headsup("par", "--meter", "500000")
    assert "Progressive favours the player at this meter" in answer.out


@pytest.mark.parametrize("command", ["solve", "par"])
def test_rules_that_favour_the_player_are_reported_in_json(command: str) -> None:
    answer = headsup(command, "--rules", "washington-no-qualifier", "--json")
    sheet = answer.json["main"] if command == "par" else answer.json
    assert sheet["favours_player"] is True
    assert sheet["house_edge"]["exact"].startswith("-")
    sentence = (
        "headsup: these rules favour the player: with best play the house loses on every Ante"
    )
    assert answer.err.splitlines()[-1] == sentence


def test_rules_that_favour_the_house_need_no_warning(galaxy: dict[str, Any]) -> None:
    assert galaxy["main"]["favours_player"] is False
    assert "favour" not in headsup("solve", "--json").err


def test_the_hold_at_given_bets(galaxy: dict[str, Any]) -> None:
    answer = headsup("par", "--bets", "ante=25, pocket_bonus=5", "--json").json["hold"]
    edge = fraction(galaxy["main"]["house_edge"])
    assert fraction(answer["wagers"]["ante"]["house_wins"]) == 25 * edge
    assert fraction(answer["house_wins"]) == 25 * edge + 5 * Fraction(60, 1326)


def test_the_band_after_many_rounds_is_marked_as_approximate(galaxy: dict[str, Any]) -> None:
    assert galaxy["hold"]["together"]["bands_exact"] is False
    lines = headsup("par", "--bets", "ante=10").out.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("After many rounds: 90%"))
    assert [line.count("≈ ") for line in lines[start + 3 : start + 8]] == [2] * 5
    assert any("a normal distribution" in line for line in lines)


def test_washingtons_usual_round_has_one_side_wager() -> None:
    """R10: Ante, Odds and Play leave one of four options."""
    answer = headsup("par", "--rules", "washington", "--json").json
    assert list(answer["hold"]["wagers"]) == ["ante", "trips_plus"]


def test_the_sheet_on_screen() -> None:
    answer = headsup("par")
    assert answer.code == 0
    for text in ("2.3584%", "0.7402%", "AKs", "Element of risk", "Breaks even", "██"):
        assert text in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.slow
def test_the_sheet_as_files(tmp_path: Path) -> None:
    page, paper, table = tmp_path / "par.html", tmp_path / "par.pdf", tmp_path / "par.csv"
    answer = headsup("par", "--html", page, "--pdf", paper, "--csv", table)
    assert answer.code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert paper.read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["par.csv", "par.html", "par.pdf"]
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    for wager in ("main", *SIDES):
        of_wager = [row for row in rows if row["wager"] == wager]
        assert sum(Fraction(row["probability_exact"]) for row in of_wager) == 1


def test_a_file_is_replaced_completely(tmp_path: Path) -> None:
    table = tmp_path / "par.csv"
    table.write_text("old")
    assert headsup("par", "--csv", table).code == 0
    assert table.read_text(encoding="utf-8").startswith("wager,")


def test_a_missing_extra_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)  # as if not installed
    answer = headsup("par", "--pdf", tmp_path / "par.pdf", "--csv", tmp_path / "par.csv")
    assert "pip install 'headsup[reports]'" in refusal_sentence(answer)
    assert not list(tmp_path.iterdir())  # nothing half-done


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bets", "ante"], "is not WAGER=AMOUNT"),
        (["--bets", "odds=5"], "is not WAGER=AMOUNT"),
        (["--bets", "ante=10,ante=5"], "ante is named twice"),
        (["--bets", "trips_plus=5"], "Ante is missing"),
        (["--bets", "ante=ten"], "is not an amount in dollars"),
        (["--bets", "ante=0"], "a stake must be above $0.00"),
        (["--bets", "ante=10,progressive=2"], "takes exactly $1.00"),
        (["--rules", "new-york", "--bets", "ante=10,all_6=5"], "does not offer All 6"),
        (["--meter", "-1"], "is not between $0.00 and"),
        (["--meter", "much"], "is not an amount in dollars"),
        (["--all", "--rules", "new-york"], "--rules cannot be used with it"),
        (["--all", "--rules", "galaxy"], "--rules cannot be used with it"),
        (["--all", "--set", "odds=1"], "--set cannot be used with it"),
        (["--all", "--bets", "ante=10"], "--bets cannot be used with it"),
        (["--rules", "sugarhouse", "--meter", "100"], "sugarhouse offers no Progressive here"),
        (["--set", "progressive=none", "--meter", "100"], "so --meter cannot be used"),
        (["--set", "trips_plus=77"], "has no paytable"),
    ],
)
def test_refusals(words: list[str], sentence: str) -> None:
    assert sentence in refusal_sentence(headsup("par", *words))


def test_unwritable_paths_are_refused_before_any_work(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "par.html", Path("/dev/null")):
        assert f"{path}: cannot be written" in refusal_sentence(headsup("par", "--html", path))
    same = tmp_path / "par"
    assert "named twice" in refusal_sentence(headsup("par", "--html", same, "--pdf", same))


@pytest.fixture(scope="module", name="everything")
def all_paytables() -> Answer:
    return headsup("par", "--all", "--json")


@pytest.mark.slow
def test_all_paytables(everything: Answer, tmp_path: Path) -> None:
    rows = everything.json["paytables"]
    main = {(row["rules"], row["paytable"]): row for row in rows if row["wager"] == "main"}
    assert main["galaxy", "1 + 1"]["house_edge"]["decimal"] == "0.0235842316"
    assert main["washington", "HH/OW-3"]["operators"]
    paths = [tmp_path / name for name in ("all.html", "all.pdf", "all.csv")]
    answer = headsup("par", "--all", "--html", paths[0], "--pdf", paths[1], "--csv", paths[2])
    assert "operator's" in answer.out
    assert "washington-no-qualifier" in answer.out
    assert all(path.stat().st_size for path in paths)
    assert len(paths[2].read_text(encoding="utf-8").splitlines()) == len(rows) + 1
