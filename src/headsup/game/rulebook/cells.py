"""Reads one printed paytable cell: `3:2`, `1.5`, `1,000`, `10% of pool`, `Push`, `n/a`, ``."""

import re
from decimal import Decimal
from fractions import Fraction

from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.model import Pay, PayKind
from headsup.game.values.amounts import drop_grouping

# No printed table pays more than 200,000; the bound keeps exact arithmetic small.
MAX_PAY = 10_000_000

_WHOLE = r"(\d{1,3}(?:,\d{3}){1,5}|\d{1,18})"
_NUMBER = _WHOLE + r"(\.\d{1,18})?"
_RATIO = re.compile(_WHOLE + r"\s*:\s*(\d{1,18})", re.ASCII)
_TO_ONE = re.compile(_NUMBER + r"(?:\s+(to|for)\s+1)?", re.ASCII)
_POOL = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)\s*%(?:\s+of\s+pool)?", re.ASCII)
_WORDS = {
    "": PayKind.LOSS,
    "n/a": PayKind.LOSS,
    "loss": PayKind.LOSS,
    "player loses wager": PayKind.LOSS,
    "push": PayKind.PUSH,
    "bonus": PayKind.BONUS,
}


def parse_cell(value: object, basis: str) -> Pay:
    """The pay that a cell prints; anything else is refused as `bad_pay`."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise Refused(Code.BAD_PAY, "unreadable", value=value)
    if isinstance(value, int) and value.bit_length() > 64:
        raise Refused(Code.BAD_PAY, "above", value=value, most=MAX_PAY)
    printed = str(value).strip()
    if not printed.isprintable():
        raise Refused(Code.BAD_PAY, "unreadable", value=printed)
    word = _WORDS.get(printed.lower())
    if word is not None:
        return Pay(word, Fraction(0), printed)
    if match := _POOL.fullmatch(printed):
        return _share(Fraction(match[1]) / 100, printed)
    if match := _RATIO.fullmatch(printed):
        return _multiple(int(drop_grouping(match[1])), int(match[2]), printed)
    if match := _TO_ONE.fullmatch(printed):
        if match[3] and match[3] != basis:
            raise Refused(Code.BAD_PAY, "basis", value=printed, basis=basis)
        amount = Fraction(drop_grouping(match[1]) + (match[2] or ""))
        return _multiple(amount.numerator, amount.denominator, printed)
    case = "comma" if re.search(r"\d,", printed) else "unreadable"
    raise Refused(Code.BAD_PAY, case, value=printed)


def _share(share: Fraction, printed: str) -> Pay:
    if not 0 < share <= 1:
        raise Refused(Code.BAD_PAY, "share", value=printed)
    return Pay(PayKind.POOL, share, printed)


def _multiple(numerator: int, denominator: int, printed: str) -> Pay:
    if not denominator:
        raise Refused(Code.BAD_PAY, "zero", value=printed)
    amount = Fraction(numerator, denominator)
    if amount > MAX_PAY:
        raise Refused(Code.BAD_PAY, "above", value=printed, most=MAX_PAY)
    if amount.denominator > 1000:
        raise Refused(Code.BAD_PAY, "fine", value=printed)
    return Pay(PayKind.PAYS, amount, printed)
