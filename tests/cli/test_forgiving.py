"""Input that is nearly right: read as meant, or answered with the nearest right thing."""

import json
import re
from pathlib import Path

import pytest
import typer

from headsup.cli import app
from tests.cli.run import EXAMPLE, headsup, refused
from tests.logs import recorded


def test_a_mistyped_rule_book_gets_the_nearest_one() -> None:
    said = refused(headsup("settle", EXAMPLE, "--rules", "galaxzy"))
    assert said.startswith("rules: there is no rule book 'galaxzy' (did you mean galaxy?); there")
    assert "did you mean" not in refused(headsup("settle", EXAMPLE, "--rules", "blackjack"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("qualifer=none", "qualifier"), ("tripsplus=3", "trips_plus"), ("chip-unit=5", "chip_unit")],
)
def test_a_mistyped_option_gets_the_nearest_one_and_all_there_are(typed: str, meant: str) -> None:
    said = refused(headsup("rules", "show", "galaxy", "--set", typed))
    assert f"(did you mean {meant}?)" in said
    for option in ("pocket_raises", "grace_seconds", "limits", "bonus", "progressive"):
        assert option in said
    assert "..." not in said


def test_a_mistyped_key_of_a_round_gets_the_nearest_one() -> None:
    seat = {"seat": 1, "hole": "KsKh", "ante": "10", "odds": "10", "fold": True, "trip_plus": "5"}
    round = {"dealer": "AcQd", "board": "Kd9c5h5s2d", "seats": [seat]}
    said = refused(headsup("settle", "-", stdin=json.dumps(round).encode()))
    assert said == "seat 1: there is no key 'trip_plus' (did you mean trips_plus?)"


def test_a_mistyped_command_gets_the_nearest_one() -> None:
    answer = headsup("setle")
    assert answer.code == 2
    assert "Did you mean 'settle'" in answer.err


SPREAD = """{"dealer": "A♣Q♦", "board": "Kd9c5h5s2d", "seats": [
{"seat": 1, "hole": "ks10h", "ante": "10", "odds": "10", "fold": true},
{"seat": 2, "hole": "3H4h", "ante": "10", "odds": "10", "fold": true}]}
"""


def test_one_object_over_several_lines_is_one_round_however_they_begin() -> None:
    answer = headsup("settle", "-", "--json", stdin=SPREAD.encode())
    assert answer.code == 0
    assert [seat["net"] for seat in answer.json["seats"]] == ["-20.00", "-20.00"]


def test_one_object_that_is_not_finished_is_one_mistake() -> None:
    said = refused(headsup("settle", "-", stdin=SPREAD[:-3].encode()))
    assert said.startswith("-: ")


def test_a_round_that_a_log_does_not_have_is_answered_with_how_many_there_are(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(recorded(2, seed=1, books=("galaxy",)).lines))
    for more in ((), ("--fair",)):
        said = refused(headsup("replay", log, "--round", "99", *more))
        assert re.search(r"there is no round 99; it has \d+ rounds at ", said)


def test_help_names_no_types() -> None:
    group = typer.main.get_command(app)
    names = [[name] for name in group.commands]  # type: ignore[attr-defined]
    for words in ([], ["rules", "show"], *names):
        text = headsup(*words, "--help").out
        assert not re.search(r"<\w+", text), words
        assert "--help" in text


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_amount_of_a_settlement_is_cut(columns: int) -> None:
    answer = headsup("settle", EXAMPLE, COLUMNS=str(columns))
    told = headsup("settle", EXAMPLE, "--json").json
    assert max(map(len, answer.out.splitlines())) <= columns
    for seat in told["seats"]:
        for line in seat["wagers"].values():
            sign = "+" if float(line["net"]) > 0 else ""
            assert f"{sign}{line['net']}".replace("-", "-$").replace("+", "+$") in answer.out
            assert f"${line['stake']}" in answer.out


def test_r102_settle_takes_the_cap_that_a_round_names() -> None:
    """Whether a cap could be posted is asked when a table opens."""
    seat = {"seat": 1, "hole": "AsKs", "ante": "10", "odds": "10"}
    seat |= {"raise": {"street": "pocket", "multiple": 3}}
    round = {
        "rules": "washington",
        "options": {"cap": {"amount": "1000.00"}},
        "dealer": "2c2d",
        "board": "QsJsTs3d4h",
        "seats": [seat],
    }
    answer = headsup("settle", "-", "--json", stdin=json.dumps(round).encode())
    assert answer.code == 0
    assert answer.json["seats"][0]["wagers"]["odds"]["shortfall"] == "4040.00"
