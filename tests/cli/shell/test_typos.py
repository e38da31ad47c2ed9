"""Input that is nearly right: read as meant, or answered with the nearest right thing."""

import json
import re
from pathlib import Path

import pytest
import typer

from headsup.cli.shell.registry import build_app
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


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("setle", "there is no command 'setle' (did you mean settle?); headsup --help lists them"),
        ("strategy evalute", "there is no command 'evalute' (did you mean evaluate?); headsup s"),
        ("evaluate", "there is no command 'evaluate' (did you mean strategy evaluate?)"),
        ("rules galxy", "there is no command 'galxy' (did you mean show galaxy?); headsup rules "),
        ("blackjack", "there is no command 'blackjack'; headsup --help lists them"),
        ("solve --jsn", "there is no option --jsn (did you mean --json?); headsup solve --help"),
        ("solve -x", "there is no option -x; headsup solve --help lists them"),
        ("--rules galaxy solve", "--rules stands behind a command, as in headsup "),
        ("solve galaxy", "'galaxy' has no place here (did you mean --rules galaxy?); headsup sol"),
        ("solve odds=B", "'odds=B' has no place here (did you mean --set odds=B?)"),
        ("play coach", "'coach' has no place here (did you mean --coach?); headsup play --help"),
        ("solve --rules", "--rules needs a value: --rules ID|FILE"),
        ("solve --json=1", "--json takes no value"),
        ("settle", "FILE is missing; headsup settle --help says what it is"),
        ("advise", "--hole CARDS is missing; headsup advise --help"),
        ("serve --port x", "--port: must be a whole number from 0 to 65,535"),
        ("serve --port 70000", "--port: must be a whole number from 0 to 65,535"),
        ("serve --pace nan", "--pace: must be a number from 0 to 10"),
        ("review --seat -1", "--seat: must be a whole number from 0"),
        ("simulate --seats two", "--seats: must be a whole number"),
        ("review --street rivr", "--street: 'rivr' is none of pocket, flop, river (did you mean r"),
        ("export --floor a --format cvs", "--format: 'cvs' is none of log, csv, json, notation"),
        ("par --bets tripsplus=5", "--bets: 'tripsplus=5' is not WAGER=AMOUNT with ante, trips_p"),
        ("strategy evaluate best", "best: is the solved strategy itself, which costs nothing"),
        ("strategy evaluate fivelines", "fivelines: is no file, and no strategy that comes with"),
        ("replay x --as deeler", "'deeler' is not seat N, dealer, rail or tablevision (did you me"),
    ],
)
def test_what_is_mistyped_gets_one_sentence_and_the_nearest_right_name(
    typed: str, said: str
) -> None:
    assert refused(headsup(*typed.split())).startswith(said)


def test_a_mistyped_option_is_told_to_programs_too() -> None:
    answer = headsup("solve", "--json", "--ruels", "galaxy")
    assert answer.json["error"]["code"] == "bad_arguments"
    assert "did you mean --rules?" in answer.json["error"]["message"]


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
    group = typer.main.get_command(build_app())
    names = [[name] for name in group.commands]  # type: ignore[attr-defined]
    inner = (["rules", "show"], ["strategy", "evaluate"], ["strategy", "simplify"])
    for words in ([], *inner, *names):
        text = headsup(*words, "--help").out
        assert not re.search(r"<\w+|<=|FILE +FILE", text), words
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
