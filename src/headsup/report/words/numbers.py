"""Formats exact numbers for people."""

from fractions import Fraction

from headsup.analysis.exact_numbers import decimal_text, percent


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
