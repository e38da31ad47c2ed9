"""Numbers as people read them."""

from fractions import Fraction

from headsup.analysis.par.exact_numbers import decimal, percent


def words(key: str) -> str:
    return key.replace("_", " ")


def chance(value: Fraction) -> str:
    """A probability as a percentage: four decimals, more for what is rarer."""
    places = 4
    while value and value * 10**places < 10 and places < 12:
        places += 1
    return percent(value, places)


def one_in(value: Fraction) -> str:
    if not value:
        return "never"
    times = 1 / value
    places = 2 if times < 100 else 1 if times < 1000 else 0
    return f"{round(times):,}" if not places else decimal(times, places)


def money(value: Fraction, places: int = 2) -> str:
    """Dollars, from an exact amount of them."""
    text = decimal(abs(value), places)
    whole, _, cents = text.partition(".")
    return f"{'-' if value < 0 else ''}${int(whole):,}{'.' if cents else ''}{cents}"


def signed(value: Fraction, places: int = 4) -> str:
    return ("+" if value > 0 else "") + decimal(value, places)


def ratio(value: Fraction) -> str:
    """The fraction itself: `840983767/35658730800`."""
    return f"{value.numerator}/{value.denominator}"


def plain(value: Fraction) -> str:
    """A decimal where that is exact, else the fraction: `1.5`, `-2`, `2/3`."""
    text = decimal(value, 6).rstrip("0").rstrip(".")
    return text if Fraction(text) == value else ratio(value)
