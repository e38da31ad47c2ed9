"""Suggested limits and meter options for a new table, and descriptions of its options."""

from typing import Any

from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.options import OPTIONS
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.hands import CATEGORIES
from headsup.game.values.money import show_dollars, show_micro_dollars

_ANTE = {"min": "5.00", "max": "100.00", "step": "1.00"}
_SIDE = {"min": "1.00", "max": "50.00", "step": "1.00"}
_ALLOWED = {
    "qualifier": f"none, {', '.join(CATEGORIES)}, or ranks such as 44 or AK",
    "cap": "none, or dollars for Ante, Odds and Raise per player; others need your own book",
}
# No document gives numbers for a meter (R77).
_METER = {"meter_seed": "25000.00", "meter_contribution": "0.25"}


def suggested_options(rules: TableRules) -> dict[str, Any]:
    """Options for `OpenTable`: limits for the wagers that need them, and a meter for a Progressive.

    Whatever a house's own book already says is left out.
    """
    book = rules.book
    sides = [wager for wager in SIDE_WAGERS if wager in book.offers]
    limited = {wager.value: dict(_SIDE) for wager in sides if wager is not Wager.PROGRESSIVE}
    limits = {Wager.ANTE.value: dict(_ANTE), **limited}
    meter = _METER if Wager.PROGRESSIVE in sides else {}
    return {
        "limits": {key: bounds for key, bounds in limits.items() if Wager(key) not in book.limits},
        **{key: amount for key, amount in meter.items() if not rules.options.get(key)},
    }


def describe_options(book: RuleBook) -> dict[str, str]:
    """A description of each option of the book, with the unit of amounts."""
    return {key: _describe_option(key) for key in book.options if key in OPTIONS}


def option_choices(book: RuleBook) -> dict[str, list[str] | list[bool]]:
    """The allowed values of each option that has a fixed list of them."""
    choices_by_key = {key: OPTIONS[key].choices for key in book.options if key in OPTIONS}
    return {key: [*choices] for key, choices in choices_by_key.items() if choices}


def _describe_option(key: str) -> str:
    kind = OPTIONS[key]
    unit = ", in dollars" if kind.format in (show_dollars, show_micro_dollars) else ""
    allowed = f": {_ALLOWED[key]}" if key in _ALLOWED else ""
    return f"{kind.about}{unit}{allowed}"
