"""Counts as people write them."""

import pytest

from headsup.cli.options.amounts import read_bets
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_count, show_count
from tests.support.cli.run import headsup


@pytest.mark.parametrize("text", ["1000", "1,000", "1e3", "1E3", "1000.0"])
def test_a_number_of_rounds_may_be_written_in_several_ways(text: str) -> None:
    assert parse_count(text, "--rounds", 10_000) == 1_000


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "nan", "inf", "10001", "٣", "1_0"])
def test_a_bad_number_of_rounds_is_refused_with_the_bounds(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_count(text, "--rounds", 10_000)
    assert "10,000" in refused.value.message


@pytest.mark.parametrize("text", ["1,5", "1,,000", "10,00", "1,0000", ",5"])
def test_a_decimal_comma_in_a_count_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_count(text, "--rounds", 10_000)
    assert "has a comma that does not group thousands" in refused.value.message
    answer = headsup("simulate", "--rounds", text)
    assert answer.code == 2
    assert "has a comma that does not group thousands" in answer.err


def test_bets_may_have_thousands_separators() -> None:
    rules = table_rules("galaxy")
    assert read_bets(rules, "ante=1,000,all_6=5") == {Wager.ANTE: 100_000, Wager.ALL_6: 500}
    with pytest.raises(Refused, match="has a decimal comma"):
        read_bets(rules, "ante=1,5")


@pytest.mark.parametrize(
    "words",
    [("simulate", "--seats", "٣"), ("simulate", "--seats", "1_0"), ("serve", "--pace", "٣")],
)
def test_numbers_are_written_in_plain_digits(words: tuple[str, ...]) -> None:
    answer = headsup(*words)
    assert answer.code == 2
    assert answer.err.startswith(f"headsup: {words[1]}: must be ")


def test_a_count_is_written_with_its_noun() -> None:
    assert [show_count(number, "round") for number in (0, 1, 2000)] == [
        "0 rounds",
        "1 round",
        "2,000 rounds",
    ]
    assert show_count(2, "entry", "entries") == "2 entries"
