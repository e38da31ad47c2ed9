"""`import headsup` loads quickly, reads cards and rules as text, and gives exact values."""

import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import headsup
from headsup.library.settlement import SettlementResult
from tests.support.cli.run import EXAMPLE
from tests.support.cli.run import headsup as command


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, headsup; dir(headsup); "
        "print([name for name in ('numpy', 'numba', 'rich', 'click') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_settling_loads_no_mathematics() -> None:
    code = "import sys, headsup; headsup.settle, headsup.hand; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_names_are_complete() -> None:
    for name in headsup.__all__:
        assert getattr(headsup, name) is not None
    assert dir(headsup) == sorted(headsup.__all__)
    with pytest.raises(AttributeError, match="no attribute 'setle'"):
        headsup.setle  # type: ignore[attr-defined]  # noqa: B018


def test_a_round_settles_as_with_the_command() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    answer = command("settle", EXAMPLE, "--json").json
    assert headsup.settle(text).to_json() == answer
    paid = headsup.settle(json.loads(text))
    assert paid.to_json() == answer
    for seat in answer["seats"]:
        assert paid.seats[seat["seat"]].net == Decimal(seat["net"])
        for name, line in seat["wagers"].items():
            wager = paid.seats[seat["seat"]].wagers[name]
            assert (wager.stake, wager.net) == (Decimal(line["stake"]), Decimal(line["net"]))
    assert paid.net == sum((Decimal(seat["net"]) for seat in answer["seats"]), Decimal())


def a_round(**parts: Any) -> SettlementResult:
    seat = {"hole": "KsKh", "ante": 10, "odds": 10, "raise": {"street": "pocket", "multiple": 3}}
    return headsup.settle(dealer="AcQd", board="Kd9c5h5s2d", seats=[seat], **parts)


def test_a_round_uses_given_table_rules() -> None:
    chosen = headsup.rules("galaxy", bad_beat="4")
    assert a_round(rules=chosen).rules is chosen
    assert a_round(rules=chosen).to_json() == a_round(paytables={"bad_beat": "4"}).to_json()
    with pytest.raises(TypeError, match="paytables"):
        a_round(rules=chosen, paytables={"bad_beat": "4"})


def test_cards_print_as_cards() -> None:
    ten, ace = headsup.cards("10h as")
    assert (str(ten), ten.rank, ten.suit, repr(ace)) == ("Th", "T", "h", "As")
    assert ten < ace
    assert headsup.cards([ten, ace]) == (ten, ace)


def test_hands_compare_by_strength_only() -> None:
    wheel, flush = headsup.hand("As2d3c4h5s"), headsup.hand("AsKs", "2s3s9s", "2c2d")
    assert wheel < flush
    assert wheel == headsup.hand("Ac2d3c4h5s")
    assert (flush.category, str(flush.cards[0])) == ("flush", "As")


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: headsup.cards("Xx"), "unknown_card"),
        (lambda: headsup.cards([52]), "unknown_card"),
        (lambda: headsup.hand("AsAs", "2c3c4c"), "duplicate_card"),
        (lambda: headsup.hand("AsKs"), "wrong_card_count"),
        (lambda: headsup.rules("galaxzy"), "unknown_rules"),
        (lambda: headsup.rules("galaxy", trips_plus="99"), "unknown_paytable"),
        (lambda: headsup.settle("{"), "bad_json"),
        (lambda: headsup.settle(dealer="AcQd"), "missing_cards"),
        (lambda: headsup.advise("As"), "wrong_card_count"),
        (lambda: headsup.advise("AsKd", "As2c3c"), "duplicate_card"),
        (lambda: headsup.par(bets={"poker": 5}), "bad_bets"),
    ],
)
def test_refusals_have_a_code(ask: Any, code: str) -> None:
    with pytest.raises(headsup.Refused) as refused:
        ask()
    assert refused.value.code == code
    assert str(refused.value) == refused.value.message


@pytest.mark.slow  # these solve the game
def test_solved_values_match_the_commands() -> None:
    game = headsup.solve("galaxy")
    answer = command("solve", "--json").json
    assert game.to_json() == answer
    assert game.house_edge == Fraction(answer["house_edge"]["exact"])
    assert game.best("AsKd") == "raise 3"
    advice = headsup.advise("QhJh", "Th9c2d")
    assert advice.to_json() == command("advise", "--hole=QhJh", "--board=Th9c2d", "--json").json
    assert headsup.par("galaxy").to_json() == command("par", "--json").json
