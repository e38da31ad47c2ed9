"""Money as integers: cents on the felt, millionths of a dollar (micros) on a meter.

Dollars are written as text with at most two decimals (six on a meter), never as floats.
"""

import re
from decimal import Decimal
from functools import lru_cache

from headsup.game.refusal import Refused, shown

MICROS_PER_CENT = 10_000
# Above any stake a casino takes; a larger number is a slip of the keyboard or an attack.
MAX_STAKE_CENTS = 1_000_000_000
MAX_METER_MICROS = 10**16

# Longer amounts are refused before they are turned into numbers.
_MAX_DIGITS = 30
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def parse_cents(value: object, where: str) -> int:
    """Dollars to cents: `"10.00"`, `"7.5"` or the whole number 10. The sign is kept."""
    return _parse(value, where, 2, "fractional_cents", "cent")


def parse_micros(value: object, where: str) -> int:
    """Dollars to millionths, for meters."""
    return _parse(value, where, 6, "fractional_micros", "millionth of a dollar")


def _parse(value: object, where: str, places: int, code: str, least: str) -> int:
    whole, _, fraction = _number_text(value, where).partition(".")
    if len(whole.lstrip("+-")) > _MAX_DIGITS:
        raise _far_too_much(value, where)
    if len(fraction) > places and fraction[places:].strip("0"):
        raise Refused(code, f"{where}: {shown(value)} has a fraction of a {least}")
    return int(whole + fraction[:places].ljust(places, "0"))


def _number_text(value: object, where: str) -> str:
    """The amount in plain digits; a number with an exponent is written out."""
    if isinstance(value, str):
        text = value.strip()
        if not _PLAIN.fullmatch(text):
            raise Refused(
                "bad_money", f"{where}: {shown(value)} is not an amount in dollars such as 10.00"
            )
        return text
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Refused("bad_money", f"{where}: {shown(value)} is not an amount in dollars")
    exact = Decimal(value)
    if not exact.is_finite() or exact.adjusted() < -_MAX_DIGITS:
        raise Refused("bad_money", f"{where}: {shown(value)} is not an amount in dollars")
    if exact.adjusted() >= _MAX_DIGITS:
        raise _far_too_much(value, where)
    return format(exact, "f")


def _far_too_much(value: object, where: str) -> Refused:
    return Refused("amount_too_large", f"{where}: {shown(value)} is far too large an amount")


@lru_cache(maxsize=4096)  # a batch writes the same few amounts again and again
def format_cents(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def format_micros(micros: int) -> str:
    """At least two decimals, more only where the amount has them."""
    sign = "-" if micros < 0 else ""
    whole, fraction = divmod(abs(micros), 1_000_000)
    digits = f"{fraction:06d}"
    return f"{sign}{whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def dollars(cents: int) -> str:
    """For people: `$1,250.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def micro_dollars(micros: int) -> str:
    """A meter for people: whole cents, the fraction of a cent left off."""
    return dollars(micros // MICROS_PER_CENT)
