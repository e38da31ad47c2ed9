"""One printed pay: how it is read, and what is refused."""

from fractions import Fraction

import pytest

from headsup.game.refusal import Refused
from headsup.game.rulebook.cells import parse_cell


@pytest.mark.parametrize(
    ("printed", "amount"),
    [
        ("3:2", Fraction(3, 2)),
        ("1.5", Fraction(3, 2)),
        ("1,000", Fraction(1000)),
        ("1,000:1", Fraction(1000)),
        ("1,000.5 to 1", Fraction(2001, 2)),
        ("1234:1", Fraction(1234)),
    ],
)
def test_pays_are_read_as_printed(printed: str, amount: Fraction) -> None:
    assert parse_cell(printed, "to").amount == amount


@pytest.mark.parametrize(
    "printed",
    ["1,5:1", "1,,2:1", "1,5", "1,5 to 1", "10,00", "1,0000", "12,34:1", "1234,567", "2,5%"],
)
def test_a_decimal_comma_is_refused(printed: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_cell(printed, "to")
    assert "has a comma that does not group thousands; write 1.5 or 1,000" in refused.value.message
