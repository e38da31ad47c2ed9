"""Amounts as people write them: dollars with at most two decimals, six on a meter, never floats."""

import re
from decimal import Decimal
from functools import lru_cache

from headsup.game.refusal import Code, Refused
from headsup.game.values.money import MAX_METER_MICROS, Cents, Micros

# Longer amounts are refused before they are turned into numbers.
_MAX_DIGITS = 30
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def parse_cents(value: object, where: str) -> Cents:
    """Dollars to cents: `"10.00"`, `"7.5"` or the whole number 10. The sign is kept."""
    if type(value) is str and (cents := _plain_cents(value)) is not None:
        return cents
    return _parse(value, where, 2, Code.FRACTIONAL_CENTS, "cent")


def parse_micros(value: object, where: str) -> Micros:
    """Dollars to millionths, for meters."""
    return _parse(value, where, 6, Code.FRACTIONAL_MICROS, "millionth of a dollar")


def parse_meter(value: object, where: str) -> Micros:
    """An amount that a meter can show."""
    micros = parse_micros(value, where)
    if not 0 <= micros <= MAX_METER_MICROS:
        raise Refused(Code.BAD_METER, where=where, value=value, most=MAX_METER_MICROS)
    return micros


@lru_cache(maxsize=4096)  # a batch names the same few amounts again and again
def _plain_cents(text: str) -> Cents | None:
    """Dollars as they are mostly written, `10` or `10.00`; None for all else, and what is wrong."""
    whole, _, fraction = text.partition(".")
    if len(whole) > _MAX_DIGITS or len(fraction) not in (0, 2) or not _PLAIN.fullmatch(text):
        return None
    return int(whole + (fraction or "00")) if whole.strip("+-") else None


def _parse(value: object, where: str, places: int, code: Code, least: str) -> int:
    whole, _, fraction = _number_text(value, where).partition(".")
    if len(whole.lstrip("+-")) > _MAX_DIGITS:
        raise _far_too_much(value, where)
    if len(fraction) > places and fraction[places:].strip("0"):
        raise Refused(code, where=where, value=value, least=least)
    return int(whole + fraction[:places].ljust(places, "0"))


def _number_text(value: object, where: str) -> str:
    """The amount in plain digits; a number with an exponent is written out."""
    if isinstance(value, str):
        text = value.strip()
        if not _PLAIN.fullmatch(text):
            raise Refused(Code.BAD_MONEY, "such_as", where=where, value=value)
        return text
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Refused(Code.BAD_MONEY, where=where, value=value)
    exact = Decimal(value)
    if not exact.is_finite() or exact.adjusted() < -_MAX_DIGITS:
        raise Refused(Code.BAD_MONEY, where=where, value=value)
    if exact.adjusted() >= _MAX_DIGITS:
        raise _far_too_much(value, where)
    return format(exact, "f")


def _far_too_much(value: object, where: str) -> Refused:
    return Refused(Code.AMOUNT_TOO_LARGE, "far", where=where, value=value)
