"""Input that is nearly right is accepted, or refused with a suggestion."""

import json
import re
from pathlib import Path

import pytest

from tests.support.cli.run import EXAMPLE, headsup, refusal_sentence
from tests.support.logs import record_rounds


def test_a_mistyped_rule_book_suggests_the_nearest() -> None:
    message = refusal_sentence(headsup("settle", EXAMPLE, "--rules", "galaxzy"))
    assert message.startswith(
        "rules: there is no rule book 'galaxzy' (did you mean galaxy?); there"
    )
    assert "did you mean" not in refusal_sentence(
        headsup("settle", EXAMPLE, "--rules", "blackjack")
    )


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("qualifer=none", "qualifier"), ("tripsplus=3", "trips_plus"), ("chip-unit=5", "chip_unit")],
)
def test_a_mistyped_option_suggests_the_nearest_and_lists_all(typed: str, meant: str) -> None:
    message = refusal_sentence(headsup("rules", "show", "galaxy", "--set", typed))
    assert f"(did you mean {meant}?)" in message
    for option in ("pocket_raises", "grace_seconds", "limits", "bonus", "progressive"):
        assert option in message
    assert "..." not in message


def test_a_mistyped_key_of_a_round_suggests_the_nearest() -> None:
    seat = {"seat": 1, "hole": "KsKh", "ante": "10", "odds": "10", "fold": True, "trip_plus": "5"}
    round = {"dealer": "AcQd", "board": "Kd9c5h5s2d", "seats": [seat]}
    message = refusal_sentence(headsup("settle", "-", stdin=json.dumps(round).encode()))
    assert message == "seat 1: there is no key 'trip_plus' (did you mean trips_plus?)"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("setle", "there is no command 'setle' (did you mean settle?); headsup --help lists them"),
        ("strategy evalute", "there is no command 'evalute' (did you mean evaluate?); headsup s"),
        ("evaluate", "there is no command 'evaluate' (did you mean strategy evaluate?)"),
        ("rules galxy", "there is no command 'galxy' (did you mean show galaxy?); headsup rules "),
        ("blackjack", "there is no command 'blackjack'; headsup --help lists them"),
        ("solve --jsn", "there is no option --jsn (did you mean --json?); headsup solve --help"),
        ("solve -x", "there is no option -x; headsup solve --help lists them"),
        ("--rules galaxy solve", "--rules goes after a command, as in headsup "),
        ("solve galaxy", "'galaxy' is not expected here (did you mean --rules galaxy?); see hea"),
        ("solve odds=B", "'odds=B' is not expected here (did you mean --set odds=B?)"),
        ("play coach", "'coach' is not expected here (did you mean --coach?); see headsup play"),
        ("solve --rules", "--rules needs a value: --rules ID|FILE"),
        ("solve --json=1", "--json takes no value"),
        ("settle", "FILE is missing; see headsup settle --help"),
        ("advise", "--hole CARDS is missing; see headsup advise --help"),
        ("serve --port x", "--port: must be a whole number from 0 to 65,535"),
        ("serve --port 70000", "--port: must be a whole number from 0 to 65,535"),
        ("serve --pace nan", "--pace: must be a number from 0 to 10"),
        ("review --seat -1", "--seat: must be a whole number from 0"),
        ("simulate --seats two", "--seats: must be a whole number"),
        (
            "review --street rivr",
            "--street: 'rivr' is not one of pocket, flop, river (did you mean r",
        ),
        ("export --floor a --format cvs", "--format: 'cvs' is not one of log, csv, json, notation"),
        ("par --bets tripsplus=5", "--bets: 'tripsplus=5' is not WAGER=AMOUNT with ante, trips_p"),
        ("strategy evaluate best", "best: is the solved strategy itself, which costs nothing"),
        (
            "strategy evaluate fivelines",
            "fivelines: is neither a file nor a strategy that comes with",
        ),
        ("replay x --as deeler", "'deeler' is not seat N, dealer, rail or tablevision (did you me"),
    ],
)
def test_a_typo_is_answered_with_one_sentence_and_the_nearest_name(
    typed: str, message: str
) -> None:
    assert refusal_sentence(headsup(*typed.split())).startswith(message)


def test_a_mistyped_option_is_reported_as_json() -> None:
    answer = headsup("solve", "--json", "--ruels", "galaxy")
    assert answer.json["error"]["code"] == "bad_arguments"
    assert "did you mean --rules?" in answer.json["error"]["message"]


SPREAD = """{"dealer": "A♣Q♦", "board": "Kd9c5h5s2d", "seats": [
{"seat": 1, "hole": "ks10h", "ante": "10", "odds": "10", "fold": true},
{"seat": 2, "hole": "3H4h", "ante": "10", "odds": "10", "fold": true}]}
"""


def test_an_object_over_several_lines_is_one_round() -> None:
    answer = headsup("settle", "-", "--json", stdin=SPREAD.encode())
    assert answer.code == 0
    assert [seat["net"] for seat in answer.json["seats"]] == ["-20.00", "-20.00"]


def test_an_unfinished_object_is_one_mistake() -> None:
    message = refusal_sentence(headsup("settle", "-", stdin=SPREAD[:-3].encode()))
    assert message.startswith("-: ")


def test_a_missing_round_says_how_many_the_log_has(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(record_rounds(2, seed=1, books=("galaxy",)).lines))
    for more in ((), ("--fair",)):
        message = refusal_sentence(headsup("replay", log, "--round", "99", *more))
        assert re.search(r"there is no round 99; it has \d+ rounds at ", message)


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_settlements_show_amounts_in_full(columns: int) -> None:
    answer = headsup("settle", EXAMPLE, COLUMNS=str(columns))
    settlement = headsup("settle", EXAMPLE, "--json").json
    assert max(map(len, answer.out.splitlines())) <= columns
    for seat in settlement["seats"]:
        for line in seat["wagers"].values():
            sign = "+" if float(line["net"]) > 0 else ""
            assert f"{sign}{line['net']}".replace("-", "-$").replace("+", "+$") in answer.out
            assert f"${line['stake']}" in answer.out


def test_r102_settle_applies_the_cap_that_a_round_names() -> None:
    """A cap is checked when a table opens."""
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
