"""How numbers read, and how programs get them."""

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from headsup.analysis.exact_numbers import decimal_text, exact_json, percent
from headsup.game.values.money import show_dollars


class Format(NamedTuple):
    """A value as text for people, and as JSON for programs."""

    text: Callable[[Any], str]
    json: Callable[[Any], Any]
    is_exact: bool = False  # people can also see the fraction


def key_to_words(key: str) -> str:
    return key.replace("_", " ")


def format_chance(value: Fraction) -> str:
    """A probability as a percentage with four decimals, or more if it is small."""
    places = 4
    while value and value * 10**places < 10 and places < 12:
        places += 1
    return percent(value, places)


def format_one_in(value: Fraction) -> str:
    if not value:
        return "never"
    times = 1 / value
    places = 2 if times < 100 else 1 if times < 1000 else 0
    return f"{round(times):,}" if not places else decimal_text(times, places)


def format_dollars(value: Fraction, places: int = 2) -> str:
    """An exact amount of dollars."""
    text = decimal_text(abs(value), places)
    whole, _, cents = text.partition(".")
    return f"{'-' if value < 0 else ''}${int(whole):,}{'.' if cents else ''}{cents}"


def format_signed(value: Fraction, places: int = 4) -> str:
    return ("+" if value > 0 else "") + decimal_text(value, places)


def format_fraction(value: Fraction) -> str:
    """A fraction: `840983767/35658730800`."""
    return f"{value.numerator}/{value.denominator}"


def format_plain(value: Fraction) -> str:
    """An exact decimal if possible, else a fraction: `1.5`, `-2`, `2/3`."""
    text = decimal_text(value, 6).rstrip("0").rstrip(".")
    return text if Fraction(text) == value else format_fraction(value)


def _six_places(value: Decimal) -> str:
    return format(value.quantize(Decimal("1e-6"), ROUND_HALF_EVEN), "f")


PLAIN = Format(str, lambda value: value)
WORDS = Format(str, str)  # aligned left
COUNT = Format(lambda count: f"{count:,}", lambda count: count)
ROOT = Format(_six_places, _six_places)  # a standard deviation
SHARE = Format(percent, exact_json, is_exact=True)
CHANCE = Format(format_chance, exact_json, is_exact=True)
ONE_IN = Format(format_one_in, exact_json)
NUMBER = Format(lambda value: decimal_text(value, 4), exact_json, is_exact=True)
SIGNED = Format(lambda value: format_signed(value, 6), exact_json, is_exact=True)
DOLLARS = Format(format_dollars, exact_json, is_exact=True)
PAID_DOLLARS = Format(format_dollars, lambda value: decimal_text(value, 2))
PAID_CENTS = Format(show_dollars, lambda cents: decimal_text(Fraction(cents, 100), 2))
