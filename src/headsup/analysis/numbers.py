"""Exact numbers as JSON states them: the fraction, and a decimal with ten places."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

PLACES = 10


def decimal(value: Fraction, places: int = PLACES) -> str:
    """Rounded half to even, from the exact fraction."""
    context = Context(prec=60)
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return str(quotient.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, context))


def exact(value: Fraction) -> dict[str, str]:
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": decimal(value)}


def root(value: Fraction, places: int = 6) -> str:
    """The square root of an exact variance."""
    context = Context(prec=60)
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return str(
        context.sqrt(quotient).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, context)
    )


def percent(value: Fraction, places: int = 4) -> str:
    """For people: `2.3584%`."""
    return f"{decimal(value * 100, places)}%"
