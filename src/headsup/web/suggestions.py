"""What a table may well be opened with: limits and a meter, for who has no figures of their own."""

from typing import Any

from headsup.game.money import dollars, micro_dollars
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.options import OPTIONS
from headsup.game.wagers import SIDE_WAGERS, Wager

_ANTE = {"min": "5.00", "max": "100.00", "step": "1.00"}
_SIDE = {"min": "1.00", "max": "50.00", "step": "1.00"}
# No document gives numbers for a meter (R77).
_METER = {"meter_seed": "25000.00", "meter_contribution": "0.25"}


def suggested_options(book: RuleBook) -> dict[str, Any]:
    """As in `OpenTable`: limits for every wager that has some, a meter where one is played for."""
    sides = [wager for wager in SIDE_WAGERS if wager in book.offers]
    limited = {wager.value: dict(_SIDE) for wager in sides if wager is not Wager.PROGRESSIVE}
    meter = _METER if Wager.PROGRESSIVE in sides else {}
    return {"limits": {Wager.ANTE.value: dict(_ANTE), **limited}, **meter}


def about_options(book: RuleBook) -> dict[str, str]:
    """What each option of the book is about, and the unit of an amount."""
    return {key: _about(key) for key in book.options if key in OPTIONS}


def _about(key: str) -> str:
    kind = OPTIONS[key]
    unit = ", in dollars" if kind.words in (dollars, micro_dollars) else ""
    return f"{kind.about}{unit}"
