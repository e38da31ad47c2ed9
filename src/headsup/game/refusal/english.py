"""The sentence of every refusal, in English: another language is another file like this one.

A sentence is known by its code, and by a case where one code has several: `wrong_phase/closed`.
Its fields are the refusal's data. After a colon stands how a value is told: `$` cents as dollars,
`u$` micro-dollars as dollars, `words` a name without its underscores, `shown` a value as it was
given, `list` and `or` several values, `times` multiples of the Ante.
"""

from collections.abc import Mapping
from string import Formatter
from typing import Any

from headsup.game.money import dollars, micro_dollars
from headsup.game.refusal.shown import shown

SENTENCES: Mapping[str, str] = {
    # Stakes and decisions.
    "must_raise_or_fold": "seat {seat} must raise or fold on the river",
    # Irregularities.
    # Tables, seats and chips.
    # Meters.
    # The ledger.
    # The tabulator.
    # Rule books and choices of rules.
    # Rounds as text.
    "bad_money": "{value:shown} is not an amount in dollars",
    "bad_money/such_as": "{value:shown} is not an amount in dollars such as 10.00",
    "fractional_cents": "{value:shown} has a fraction of a {least}",
    "fractional_micros": "{value:shown} has a fraction of a {least}",
    "amount_too_large/far": "{value:shown} is far too large an amount",
    # Records and viewers.
    # Files and arguments.
}


class _Teller(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "$":
                return dollars(value)
            case "u$":
                return micro_dollars(value)
            case "words":
                return str(value).replace("_", " ")
            case "shown":
                return shown(value)
            case "list":
                return ", ".join(map(str, value))
            case "or":
                return " or ".join(map(str, value))
            case "times":
                return " or ".join(f"{multiple}×" for multiple in value)
            case _:
                return str(super().format_field(value, format_spec))


_TELLER = _Teller()


def sentence(key: str, data: Mapping[str, object]) -> str:
    """The sentence of this code, or code/case, about these data."""
    return _TELLER.vformat(SENTENCES[key], (), data)
