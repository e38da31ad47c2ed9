"""Numbers of rounds as people write them."""

import pytest

from headsup.game.refusal import Refused
from headsup.game.values.counts import parse_count, show_count
from tests.cli.run import headsup


@pytest.mark.parametrize("text", ["1000", "1,000", "1e3", "1E3", "1000.0"])
def test_a_number_of_rounds_is_read_as_it_is_written(text: str) -> None:
    assert parse_count(text, "--rounds", 10_000) == 1_000


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "nan", "inf", "10001", "٣", "1_0"])
def test_what_is_no_number_of_rounds_is_refused_with_the_bounds(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_count(text, "--rounds", 10_000)
    assert "10,000" in refused.value.message


@pytest.mark.parametrize(
    "words",
    [("simulate", "--seats", "٣"), ("simulate", "--seats", "1_0"), ("serve", "--pace", "٣")],
)
def test_numbers_are_written_in_plain_digits(words: tuple[str, ...]) -> None:
    answer = headsup(*words)
    assert answer.code == 2
    assert answer.err.startswith(f"headsup: {words[1]}: must be ")


def test_a_count_is_told_with_its_word() -> None:
    assert [show_count(number, "round") for number in (0, 1, 2000)] == [
        "0 rounds",
        "1 round",
        "2,000 rounds",
    ]
    assert show_count(2, "entry", "entries") == "2 entries"
