"""Counts as people write them: `1000000`, `1,000,000`, `1e6`; never a fraction of one."""

from decimal import Decimal, InvalidOperation

from headsup.game.refusal import Code, Refused


def parse_count(value: object, where: str, most: int, least: int = 1) -> int:
    """A whole number from `least` to `most`, from text or from a number that is whole."""
    number = _number(value)
    if number is None or not least <= number <= most:
        raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=least, most=most)
    return int(number)


def _number(value: object) -> int | Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and not is_ascii_number(value):
        return None
    try:
        number = Decimal(value.replace(",", "") if isinstance(value, str) else value)
        whole = number.is_finite() and number == number.to_integral_value()
    except InvalidOperation:
        return None
    return number if whole else None


def show_count(number: int, one: str, many: str = "") -> str:
    """`1 round`, `2,000 rounds`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def is_ascii_number(text: str) -> bool:
    """Python also reads digits of other scripts, and underscores between them."""
    return text.isascii() and "_" not in text
