"""Amounts of money: what is read, and what is refused with which code."""

from decimal import Decimal

import pytest

from headsup.game.refusal import Refused
from headsup.game.values.amounts import parse_cents, parse_micros
from headsup.game.values.money import format_cents, format_micros, show_dollars, show_micro_dollars


@pytest.mark.parametrize(
    ("value", "cents"),
    [
        ("10.00", 1000),
        ("10", 1000),
        ("7.5", 750),
        (".05", 5),
        ("3.", 300),
        ("+1.25", 125),
        (" 2.00 ", 200),
        ("0010.00", 1000),
        ("10.000", 1000),
        ("-10.00", -1000),
        ("-0", 0),
        ("-.5", -50),
        ("-0.05", -5),
        (10, 1000),
        (-1, -100),
        (Decimal("12.34"), 1234),
        (Decimal("1E+3"), 100_000),
        (Decimal("1.50"), 150),
        (2**63, 2**63 * 100),
        ("9" * 30, int("9" * 30) * 100),
    ],
)
def test_dollars_are_read_to_the_cent(value: object, cents: int) -> None:
    assert parse_cents(value, "ante") == cents


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        ("0.001", "fractional_cents", "ante: '0.001' has a fraction of a cent"),
        ("10.005", "fractional_cents", "'10.005'"),
        (Decimal("0.001"), "fractional_cents", "0.001"),
        (Decimal("1E-30"), "fractional_cents", "1E-30"),
        (Decimal("1E-400"), "bad_money", "1E-400 is not an amount"),
        (Decimal("NaN"), "bad_money", "ante: NaN is not an amount in dollars"),
        (Decimal("sNaN"), "bad_money", "sNaN"),
        (Decimal("Infinity"), "bad_money", "Infinity"),
        (Decimal("-Infinity"), "bad_money", "-Infinity"),
        ("NaN", "bad_money", "'NaN'"),
        ("inf", "bad_money", "'inf'"),
        ("1e3", "bad_money", "ante: '1e3' is not an amount in dollars such as 10.00"),
        ("$10", "bad_money", "'$10'"),
        ("1,000", "bad_money", "'1,000'"),
        ("1_000", "bad_money", "'1_000'"),
        ("ten", "bad_money", "'ten'"),
        ("٣", "bad_money", "'٣'"),
        ("", "bad_money", "''"),
        (".", "bad_money", "'.'"),
        ("-", "bad_money", "'-'"),
        ("1.2.3", "bad_money", "'1.2.3'"),
        ("--1", "bad_money", "'--1'"),
        (True, "bad_money", "ante: true is not an amount"),
        (None, "bad_money", "ante: null is not an amount"),
        ([10], "bad_money", "ante: a list is not an amount"),
        ({"dollars": 10}, "bad_money", "ante: an object is not an amount"),
        (1.5, "bad_money", "1.5"),  # floats never carry money here
        (Decimal("1E+30"), "amount_too_large", "ante: 1E+30 is far too large an amount"),
        (Decimal("1E+999999999"), "amount_too_large", "1E+999999999"),
        (10**30, "amount_too_large", "1000000000000000000000000000000"),
        (int("9" * 400), "amount_too_large", "a number of hundreds of digits"),
        (10**5000, "amount_too_large", "a number of hundreds of digits"),
        ("9" * 31, "amount_too_large", "'9999"),
        ("9" * 5000, "amount_too_large", "..."),
        ("-" + "9" * 5000, "amount_too_large", "..."),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else type(value).__name__,
)
def test_refused_amounts(value: object, code: str, words: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_cents(value, "ante")
    assert refusal.value.code == code
    assert words in refusal.value.message
    assert refusal.value.message.startswith("ante: ")
    assert len(refusal.value.message) < 120


def test_a_meter_goes_to_the_millionth() -> None:
    assert parse_micros("100000.123456", "meter") == 100_000_123_456
    with pytest.raises(
        Refused, match=r"meter: '0.0000001' has a fraction of a millionth"
    ) as refusal:
        parse_micros("0.0000001", "meter")
    assert refusal.value.code == "fractional_micros"


@pytest.mark.parametrize(
    ("cents", "plain", "shown"),
    [
        (0, "0.00", "$0.00"),
        (5, "0.05", "$0.05"),
        (-5, "-0.05", "-$0.05"),
        (123456, "1234.56", "$1,234.56"),
        (-1050, "-10.50", "-$10.50"),
    ],
)
def test_cents_are_written(cents: int, plain: str, shown: str) -> None:
    assert format_cents(cents) == plain
    assert show_dollars(cents) == shown
    assert parse_cents(plain, "net") == cents


@pytest.mark.parametrize(
    ("micros", "plain", "shown"),
    [
        (0, "0.00", "$0.00"),
        (1, "0.000001", "$0.00"),
        (100_000_000_000, "100000.00", "$100,000.00"),
        (1_234_500, "1.2345", "$1.23"),
    ],
)
def test_meters_are_written(micros: int, plain: str, shown: str) -> None:
    assert format_micros(micros) == plain
    assert show_micro_dollars(micros) == shown
    assert parse_micros(plain, "meter") == micros


def test_a_decimal_comma_is_refused() -> None:
    for text in ("10,50", "1,5", "1,,000", "1,0000"):
        with pytest.raises(Refused, match=r"has a decimal comma; write a point, as in 10\.50"):
            parse_cents(text, "ante")
