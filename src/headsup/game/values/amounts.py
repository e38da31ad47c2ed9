"""Reads amounts and counts as people write them.

Dollars have at most two decimals, six on a meter. Floats are never involved.
"""

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from headsup.game.refusal import Code, Refused
from headsup.game.values.money import MAX_METER_MICROS, Cents, Micros

# Longer amounts are refused before they are converted.
_MAX_DIGITS = 30
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?", re.ASCII)
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def parse_cents(value: object, label: str) -> Cents:
    """Dollars to cents: `"10.00"`, `"7.5"` or the whole number 10, positive or negative."""
    if type(value) is str and (cents := _plain_cents(value)) is not None:
        return cents
    return _parse(value, label, 2, Code.FRACTIONAL_CENTS, "cent")


def parse_micros(value: object, label: str) -> Micros:
    """Dollars to millionths, for meters."""
    return _parse(value, label, 6, Code.FRACTIONAL_MICROS, "millionth of a dollar")


def parse_meter(value: object, label: str) -> Micros:
    """An amount that a meter can hold, in millionths of a dollar."""
    micros = parse_micros(value, label)
    if not 0 <= micros <= MAX_METER_MICROS:
        raise Refused(Code.BAD_METER, where=label, value=value, most=MAX_METER_MICROS)
    return micros


@lru_cache(maxsize=4096)  # a batch repeats the same few amounts
def _plain_cents(text: str) -> Cents | None:
    """Fast path for the usual spellings, `10` and `10.00`; None for everything else."""
    whole, _, fraction = text.partition(".")
    if len(whole) > _MAX_DIGITS or len(fraction) not in (0, 2) or not _PLAIN.fullmatch(text):
        return None
    return int(whole + (fraction or "00")) if whole.strip("+-") else None


def _parse(value: object, where: str, decimals: int, code: Code, unit: str) -> int:
    whole, _, fraction = _number_text(value, where).partition(".")
    if len(whole.lstrip("+-")) > _MAX_DIGITS:
        raise _amount_too_large(value, where)
    if len(fraction) > decimals and fraction[decimals:].strip("0"):
        raise Refused(code, where=where, value=value, least=unit)
    return int(whole + fraction[:decimals].ljust(decimals, "0"))


def _number_text(value: object, where: str) -> str:
    """The amount in plain digits, without an exponent."""
    if isinstance(value, str):
        text = value.strip()
        if not _PLAIN.fullmatch(text):
            case = "comma" if "," in drop_grouping(text) else "such_as"
            raise Refused(Code.BAD_MONEY, case, where=where, value=value)
        return text
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Refused(Code.BAD_MONEY, where=where, value=value)
    exact = Decimal(value)
    if not exact.is_finite() or exact.adjusted() < -_MAX_DIGITS:
        raise Refused(Code.BAD_MONEY, where=where, value=value)
    if exact.adjusted() >= _MAX_DIGITS:
        raise _amount_too_large(value, where)
    return format(exact, "f")


def _amount_too_large(value: object, where: str) -> Refused:
    return Refused(Code.AMOUNT_TOO_LARGE, "far", where=where, value=value)


# Counts, such as `1000000`, `1,000,000` or `1e6`.


def parse_count(value: object, label: str, maximum: int, minimum: int = 1) -> int:
    """A whole number from `least` to `most`, given as text or as a number."""
    if isinstance(value, str):
        value = drop_grouping(value.strip())
        if "," in value:
            raise Refused(Code.BAD_ARGUMENTS, "comma", where=label, value=value)
    number = _number(value)
    if number is None or not minimum <= number <= maximum:
        raise Refused(Code.BAD_ARGUMENTS, "number", where=label, least=minimum, most=maximum)
    return int(number)


def _number(value: object) -> int | Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and not is_ascii_number(value):
        return None
    try:
        number = Decimal(value)
        whole = number.is_finite() and number == number.to_integral_value()
    except InvalidOperation:
        return None
    return number if whole else None


def drop_grouping(text: str) -> str:
    """`1,000` as `1000`. A comma that groups no thousands stays: `1,5` is not fifteen."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def show_count(number: int, singular: str, plural: str = "") -> str:
    """`1 round`, `2,000 rounds`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def is_ascii_number(text: str) -> bool:
    """False for text that only Python reads as a number: digits of other scripts, underscores."""
    return text.isascii() and "_" not in text
