"""`headsup session`: screen, JSON and files."""

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headsup.game.refusal import Refused
from headsup.library.session import session
from tests.support.cli.run import headsup, refusal_sentence


def test_a_session_as_json() -> None:
    answer = headsup("session", "--rounds", 1000, "--json").json
    assert Fraction(answer["mean"]) == pytest.approx(-10_000 * Fraction(840983767, 35658730800))
    assert float(answer["standard_deviation"]) == pytest.approx(45.57824 * 1000**0.5, abs=1e-3)
    assert answer["ahead"].startswith("0.37788")
    assert answer["quantiles"]["0.5"] == "-360.00"
    chances = [float(answer[key]) for key in ("ahead", "even", "behind")]
    assert sum(chances) == pytest.approx(1)
    assert "ruin" not in answer
    assert answer["hold"]["theoretical"]["decimal"] == "0.0064264108"


def test_amounts_may_be_written_as_people_write_them() -> None:
    words = ("session", "--rounds", 5, "--ante", "$10.00", "--bankroll", "$1,000", "--json")
    plain = ("session", "--rounds", 5, "--ante", 10, "--bankroll", 1000, "--json")
    assert headsup(*words).json == headsup(*plain).json


def test_side_wagers_and_a_bankroll() -> None:
    words = ("--rounds", 50, "--trips-plus", 5, "--pocket-bonus", 5, "--bankroll", 300)
    answer = headsup("session", *words, "--target", 600, "--json").json
    assert answer["needed"] == "60.00"
    assert 0 < float(answer["ruin"]) < 1
    assert 0 < float(answer["target"]) < 1
    assert 0 < float(answer["expected_rounds"]) <= 50
    forever = answer["forever"]
    assert float(forever["ruin"]) + float(forever["target"]) == pytest.approx(1)
    assert float(forever["target"]) > float(answer["target"])


@pytest.mark.slow
def test_a_written_strategy_is_followed_through_a_session() -> None:
    """The mean equals the edge from `strategy evaluate`; the spread differs from best play."""
    answer = headsup("session", "--rounds", 100, "--strategy", "never-fold", "--json").json
    edge = headsup("strategy", "evaluate", "never-fold", "--json").json["house_edge"]["exact"]
    assert answer["strategy"] == "never-fold"
    assert Fraction(answer["per_round"]["mean"]["exact"]) == -10 * Fraction(edge)
    best = headsup("session", "--rounds", 100, "--json").json
    assert best["strategy"] == "best"
    assert float(answer["standard_deviation"]) > float(best["standard_deviation"])
    assert "played by never-fold" in headsup("session", "--strategy", "never-fold").out


def test_all_6_is_dealt_from_the_same_deck() -> None:
    """All 6 shares the deck with the board, so the chance to be ahead differs from two decks."""
    answer = headsup("session", "--rounds", 1, "--all-6", 5, "--json").json
    assert answer["exact"] is True
    assert float(answer["error_bound"]) < 1e-9
    assert answer["ahead"].startswith("0.49934639")
    assert "All 6's" not in headsup("session", "--rounds", 1, "--all-6", 5).out


def test_new_yorks_literal_trips_plus_is_played_through_a_session() -> None:
    letter = ("--rules", "new-york", "--set", "trips_plus_hand=both_hole_cards")
    answer = headsup("session", *letter, "--rounds", 10, "--trips-plus", 5, "--json").json
    assert answer["exact"] is True
    edge = headsup("par", *letter, "--json").json
    main, side = (Fraction(edge[key]["house_edge"]["exact"]) for key in ("main", "trips_plus"))
    assert Fraction(answer["per_round"]["mean"]["exact"]) == -10 * main - 5 * side


def test_a_game_that_favours_the_player_has_a_final_risk_of_ruin() -> None:
    words = ("session", "--rules", "washington-no-qualifier", "--rounds", 10, "--bankroll", 5000)
    forever = headsup(*words, "--json").json["forever"]
    assert forever["ruin"] == "0.4671275394"
    assert forever["expected_rounds"] is None
    assert "46.7128%" in headsup(*words).out


@pytest.mark.slow
def test_a_missing_ruin_chance_says_why() -> None:
    words = ("session", "--rounds", 10, "--bankroll", 500, "--target", 5000, "--ante", "10.01")
    answer = headsup(*words, "--json").json
    assert answer["forever"] is None
    assert "possible amounts" in answer["forever_unknown"]
    assert "unknown:" in headsup(*words).out


def test_best_play_of_another_game_is_named() -> None:
    words = ("session", "--rounds", 1, "--rules", "sugarhouse")
    capped = headsup(*words, "--ante", 200)
    assert "the best play of the game without its cap" in capped.out
    assert headsup(*words, "--ante", 200, "--json").json["play"].endswith("without its cap")
    letter = ("--set", "trips_plus_hand=both_hole_cards", "--set", "trips_plus_after_fold=forfeits")
    forfeits = headsup("session", "--rounds", 1, "--rules", "new-york", *letter, "--trips-plus", 5)
    assert "the best play of the main game alone" in forfeits.out
    free = headsup(*words, "--ante", 10)
    assert "1 round, best play;" in free.out


def test_a_cap_on_what_a_round_pays_is_applied() -> None:
    """SugarHouse pays at most $50,000 a round, which lowers the expectation of a large Ante."""
    words = ("session", "--rounds", 1, "--rules", "sugarhouse", "--json")
    small, large = (headsup(*words, "--ante", ante).json for ante in (10, 200))
    means = [Fraction(answer["per_round"]["mean"]["exact"]) for answer in (small, large)]
    assert 20 * means[0] > means[1] > 30 * means[0]


def test_pages_and_plots(tmp_path: Path) -> None:
    page, plot = tmp_path / "session.html", tmp_path / "session.svg"
    words = ("--rounds", 100, "--bankroll", 500, "--html", page, "--svg", plot)
    shown = headsup("session", *words)
    assert all(label in shown.out for label in ("Ahead", "Even", "Behind"))
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_figures_without_a_bankroll_have_a_separate_heading(tmp_path: Path) -> None:
    page = tmp_path / "session.html"
    words = ("--rounds", 100, "--bankroll", 300, "--target", 500, "--html", page)
    shown = headsup("session", *words).out
    headings = (
        "With a bankroll of $300.00 and a target of $500.00",
        "If all rounds are played, regardless of bankroll",
        "The house, if all rounds are played",
    )
    assert "Theoretical hold, of the average wager" in shown
    rows = "Ruined (below $50.00)", "Expected result", "Hold with 90%"
    order = [text for pair in zip(headings, rows, strict=True) for text in pair]
    text = page.read_text(encoding="utf-8")
    for output in (shown, text):
        assert sorted(order, key=output.index) == order
    ruin, results = text.split("</svg>")[:2]
    assert "If 100 rounds were played, whatever the bankroll: ahead" in results
    assert all(f">{words}<" in ruin for words in ("ruined by then", "target reached by then"))
    assert all(f">{words}<" in ruin for words in ("Rounds", "Share of sessions"))
    assert 'text-anchor="middle" class="fill-muted">100<' in ruin  # not against the edge


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rounds", "0"), "--rounds: must be a whole number from 1"),
        (("--rounds", "-5"), "--rounds: must be a whole number from 1"),
        (("--pace", "0"), "--pace: must be"),
        (("--target", "500"), "--target: a target needs a bankroll"),
        (("--bankroll", "20"), "--bankroll: does not cover one round, which may need $50.00"),
        (("--bankroll", "500", "--target", "500"), "--target: must be above the bankroll"),
        (("--ante", "-1"), "Ante"),
        (("--ante", "ten"), "--ante"),
        (("--progressive", "3"), "Progressive"),
        (("--strategy", "never-flod"), "never-fold"),
    ],
)
def test_bad_questions(words: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal_sentence(headsup("session", *words))


def test_a_meter_without_its_wager_is_refused() -> None:
    words = ("session", "--rounds", 10, "--meter", 5)
    assert "--meter: can be used only with --progressive" in refusal_sentence(headsup(*words))
    with pytest.raises(Refused, match="meter: can be used only with progressive"):
        session(10, meter=5)
