"""Numbers of rounds as people write them: `1000000`, `1,000,000`, `1e6`."""

from decimal import Decimal, InvalidOperation

from headsup.game.refusal import Code, Refused


def read_count(text: str, most: int, where: str = "--rounds") -> int:
    try:
        number = Decimal(text.replace(",", ""))
        whole = number.is_finite() and number == number.to_integral_value()
    except InvalidOperation:
        whole = False
    if not whole or not 1 <= number <= most:
        raise Refused(Code.BAD_ARGUMENTS, "number", where=where, least=1, most=most)
    return int(number)
