"""`headsup strategy`: screen, JSON and files."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from headsup.analysis.strategies.examples import shipped_text
from tests.support.cli.run import headsup, refusal_sentence


def test_evaluating_a_shipped_strategy() -> None:
    answer = headsup("strategy", "evaluate", "published", "--json").json
    edge, cost = (Fraction(answer[key]["exact"]) for key in ("house_edge", "cost"))
    assert edge - cost == Fraction(answer["best"]["exact"])
    assert answer["cost"]["decimal"].startswith("0.00515")
    assert sum(Fraction(street["exact"]) for street in answer["streets"].values()) == cost


def test_evaluating_a_file_prints_a_card(tmp_path: Path) -> None:
    file, page, paper = (tmp_path / name for name in ("mine.toml", "card.html", "card.pdf"))
    file.write_text(
        'name = "Mine [/1]"\n[pocket]\notherwise = "raise"\n[flop]\notherwise = "check"\n'
        '[river]\notherwise = "fold"\n'
    )
    shown = headsup("strategy", "evaluate", file, "--html", page, "--pdf", paper)
    assert "Raise 3×" in shown.out
    assert "Before the flop" in shown.out
    assert shown.out.startswith("Mine [/1]\n")
    assert "<h1>Mine [/1]</h1>" in page.read_text(encoding="utf-8")
    assert paper.read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_finding_a_short_strategy(tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    answer = headsup("strategy", "simplify", "--lines", "4", "--toml", file, "--json").json
    assert answer["lines"] <= 4
    again = headsup("strategy", "evaluate", file, "--json").json
    assert again["cost"] == answer["cost"]


def test_the_list() -> None:
    assert "published" in headsup("strategy", "list").out
    assert {"published", "ultimate"} <= {*headsup("strategy", "list", "--json").json}


def test_a_narrow_screen_shows_costs_in_full() -> None:
    shown = headsup("strategy", "evaluate", "five-lines", COLUMNS="40").out
    assert "…" not in shown
    assert "0.0000%" in shown
    assert max(map(len, shown.splitlines())) <= 40
    assert f"\n{' ' * 11}QTo+, JTs" in shown  # the rest of a long line stands below its beginning


def test_bad_files(tmp_path: Path) -> None:
    missing = refusal_sentence(headsup("strategy", "evaluate", tmp_path / "none.toml"))
    assert "is neither a file nor" in missing
    assert "published" in missing
    file = tmp_path / "bad.toml"
    file.write_text("[pocket]\nraise = 'ZZ'\n[flop]\n[river]\n")
    assert "'ZZ' is not a range" in refusal_sentence(headsup("strategy", "evaluate", file))
    assert "--lines: must be" in refusal_sentence(headsup("strategy", "simplify", "--lines", "0"))


@pytest.mark.parametrize(
    "words", [("strategy", "evaluate"), ("session", "--strategy"), ("simulate", "--strategy")]
)
def test_a_file_nested_too_deeply_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(f"a={'[' * 5000}{']' * 5000}")
    assert "deep.toml: the TOML is nested too deeply" in refusal_sentence(headsup(*words, file))


def test_the_page_quotes_a_shipped_strategy_exactly() -> None:
    page = Path(__file__).parents[3] / "docs" / "strategies.md"
    quoted = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    assert tomllib.loads(quoted) == tomllib.loads(shipped_text("published"))
