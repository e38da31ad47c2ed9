"""`headsup simulate`: screen, JSON and files."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.game.rulebook.table_rules import table_rules
from headsup.report.plots.simulation import GAP_BARS, jackpots_plot
from headsup.report.sheets.simulation import meter_section
from tests.support.analysis.farm import farm
from tests.support.cli.run import headsup, refusal_sentence
from tests.support.cli.terminal import Terminal


def test_a_simulation_as_json() -> None:
    words = ("simulate", "--rounds", "2e4", "--seats", "2", "--seed", "9", "--json")
    answer = headsup(*words).json
    assert answer["rounds"] == 20_000
    assert abs(float(answer["ante"]["z"])) < 5
    assert answer["ante"]["exact"] == "-0.0235842316"
    assert 0 < float(answer["seat_correlation"]) < 0.5
    assert headsup(*words, "--threads", "1").json == answer


@pytest.mark.slow
def test_a_simulation_on_screen() -> None:
    words = ("--rounds", "2e4", "--seats", "2", "--strategy", "best", "--strategy", "never-fold")
    shown = headsup("simulate", *words, "--session", "100").out
    for text in (
        "95% interval", "All 6", "Progressive", "1 best", "2 never-fold", "Won by the house",
        "Correlation of two seats", "Sessions of 100 rounds, never-fold", "200 sessions",
        "on average", "Paid from it",
    ):  # fmt: skip
        assert text in shown


def test_stakes_meter_and_sessions_as_json() -> None:
    words = ("--bets", "ante=20,progressive=1", "--meter", "80000", "--session", "500")
    answer = headsup("simulate", "--rounds", "1e4", *words, "--json").json
    assert answer["stakes"] == {"ante": "20.00", "progressive": "1.00"}
    assert "trips_plus" not in answer
    assert answer["left_out"] == [
        f"{name}, on which nobody bets" for name in ("Trips Plus", "Pocket Bonus", "All 6")
    ]
    assert answer["meter"]["start"] == "80000.00"
    assert answer["meter"]["now"] == "82500.00"
    assert answer["sessions"]["best"]["sessions"] == 20
    assert answer["by_seat"][0]["strategy"] == "best"
    table = answer["table"]
    assert float(table["hold"]) == pytest.approx(float(table["won"]) / float(table["wagered"]))


def test_an_unreachable_scheduler_is_refused_in_one_sentence() -> None:
    answer = headsup("simulate", "--scheduler", "nowhere")
    assert refusal_sentence(answer).startswith("nowhere: no Dask scheduler answers there")


def test_kinds_of_workers_cannot_be_combined() -> None:
    words = ("--threads", "2", "--workers", "2")
    assert refusal_sentence(headsup("simulate", *words)).startswith(
        "--threads: cannot be combined with"
    )


def test_at_most_one_strategy_per_seat() -> None:
    words = ("--strategy", "best", "--strategy", "best")
    assert refusal_sentence(headsup("simulate", *words)) == (
        "--strategy: at most one for each seat, so 1 here"
    )


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (("--rounds", "0"), "--rounds"),
        (("--rounds", "-3"), "--rounds"),
        (("--rounds", "1.5"), "--rounds"),
        (("--rounds", "many"), "--rounds"),
        (("--rounds", "nan"), "--rounds"),
        (("--seats", "7"), "--seats"),
        (("--seed", "-1"), "--seed"),
        (("--workers", "0"), "--workers"),
        (("--threads", "0"), "--threads"),
        (("--rounds", "100", "--session", "101"), "--session"),
    ],
)
def test_bad_questions(words: tuple[str, ...], where: str) -> None:
    assert refusal_sentence(headsup("simulate", *words)).startswith(
        f"{where}: must be a whole number"
    )


@pytest.mark.slow
def test_an_interrupt_leaves_the_result_of_the_first_rounds(tmp_path: Path) -> None:
    """Interrupt once the bar shows the rate; the result says how many rounds were dealt."""
    terminal = Terminal(tmp_path, "simulate", "--rounds", "1e12", "--bets", "ante=10")
    try:
        terminal.until("rounds/s")
        terminal.until("left")
        terminal.press("\x03")
        terminal.until("Won by the house")
        shown = terminal.until(" of 1,000,000,000,000 rounds")
        assert re.search(r"stopped: these are the first [\d,]+ of", shown)
        assert terminal.end() == 130
    finally:
        terminal.close()


@pytest.mark.slow(seconds=4)
def test_a_lost_scheduler_leaves_the_result_of_the_first_rounds_as_one_object(
    tmp_path: Path,
) -> None:
    with farm() as lost:
        words = ("--rounds", "1e12", "--bets", "ante=10", "--scheduler", lost.address, "--json")
        terminal = Terminal(tmp_path, "simulate", *words)
        try:
            terminal.until("rounds/s")
            lost.lose()
            answer = terminal.until("stopped: these are the first ")
            assert '"error": {"code": "no_cluster"' in answer
            assert "Traceback" not in answer
            terminal.until("the scheduler is gone")
            assert terminal.end() == 2
        finally:
            terminal.close()


def test_a_contribution_is_shown_in_full() -> None:
    shown = headsup("simulate", "--rounds", 100, "--set", "meter_contribution=0.239761").out
    assert "Added by each wager $0.239761" in " ".join(shown.split())


def test_awards_from_the_meter_are_counted() -> None:
    won = MeterHistory(
        *(100, 1, 25_000_000_000, 25_000_000_000, 250_000, 25_000_000_000, 25_000_000_000),
        *(25_001_000_000, 2, (7,), (25_001_000_000,)),
    )
    facts = dict(meter_section(table_rules("galaxy"), won).facts)
    assert (facts["Paid from it"], facts["Jackpots"]) == ("$25,001.00", "1")
    assert facts["Smaller shares"] == "2"


def test_a_page_and_a_plot(tmp_path: Path) -> None:
    page, plot = tmp_path / "dealt.html", tmp_path / "dealt.svg"
    words = ("--rounds", 2000, "--session", 100, "--html", page, "--svg", plot)
    assert f"Wrote {page}".split()[0] in headsup("simulate", *words).out
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2  # wagers and sessions; jackpots are too few
    for phrase in ("Pocket Bonus", "exact -2.3584%", "20 sessions dealt", "Meter at the start"):
        assert phrase in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-color-scheme:dark" in text


def test_times_between_jackpots_are_plotted_beside_the_expected_ones() -> None:
    gaps = tuple(1000 * number for number in range(1, 41))
    meter = MeterHistory(1, 1, 1, 1, 1, 1, 1, 1, 0, gaps, (1,) * 40)
    plot = jackpots_plot(meter)
    assert ElementTree.fromstring(plot).get("aria-label") == (
        "Rounds between jackpots: 40, 20,500 on average"
    )
    assert plot.count("<rect") == 1 + GAP_BARS


def test_stakes_with_rounded_pays_are_marked() -> None:
    words = ("simulate", "--rounds", 100, "--bets")
    shown = [headsup(*words, f"ante={ante}").out for ante in ("7.13", "10")]
    assert ["rounded to chips" in " ".join(output.split()) for output in shown] == [True, False]


def test_one_round_is_written_in_the_singular() -> None:
    assert "1 round, 1 seat, seed 1" in headsup("simulate", "--rounds", 1).out
    assert "1 round, best play" in headsup("session", "--rounds", 1).out
