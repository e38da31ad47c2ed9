"""Formats exact fractions as decimals and percentages, and takes exact square roots."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DECIMAL_PLACES = 10
_CONTEXT = Context(prec=60)


def decimal_text(value: Fraction, places: int = DECIMAL_PLACES) -> str:
    """The decimal, rounded half to even from the exact fraction."""
    return _round_text(_quotient(value), places)


def exact_json(value: Fraction) -> dict[str, str]:
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": decimal_text(value)}


def square_root(value: Fraction) -> Decimal:
    return _CONTEXT.sqrt(_quotient(value))


def percent(value: Fraction, places: int = 4) -> str:
    """A percentage for display, such as `2.3584%`."""
    return f"{decimal_text(value * 100, places)}%"


def _quotient(value: Fraction) -> Decimal:
    return _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _round_text(value: Decimal, places: int) -> str:
    return format(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, _CONTEXT), "f")
