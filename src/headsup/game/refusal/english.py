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
    "no_early_fold": "seat {seat} may fold only on the river",
    "already_acted": "seat {seat} has no decision to make on this street",
    "not_your_turn": "seat {first} acts first",
    "no_such_seat/no_wager": "seat {seat} has no wager in this round",
    "no_such_seat/numbered": "seats are numbered 1 to {seats}",
    "wager_not_offered/not_a_wager": "what is staked on is not a wager of the game",
    "bad_money/whole_cents": "stakes are whole cents",
    "no_wagers": "nobody has placed a wager",
    "bad_deck": "a deck is 52 different cards",
    "wrong_phase/no_decision": "no decision is open (the round is at {phase})",
    "wrong_phase/no_more_bets": "no more bets (the round is at {phase})",
    "wrong_phase/wagers_stand": "wagers stand once bets are closed (the round is at {phase})",
    "wrong_phase/bets_closed": "bets are closed already (the round is at {phase})",
    "wrong_phase/before_the_deal": ("cards are dealt after no more bets (the round is at {phase})"),
    "nothing_due": "nothing is due from the dealer (the round is at {phase})",
    # Irregularities.
    "unknown_irregularity": "'{cause}' is not one of {known:list}",
    "unknown_irregularity/read": "{cause:shown} is not one of {known:list}",
    "bad_resolution/read": "{resolution:shown} is not one of {known:list}",
    "already_void": "the round is void already",
    "already_void/hand": "seat {seat}'s hand is void already",
    "wrong_phase/report": "{cause:words} cannot be reported at {phase}",
    "needs_two_people/irregularity": "an irregularity needs a dealer and another supervisor",
    "no_such_seat/of_the_table": "{cause:words} concerns the whole table, not one seat",
    "no_such_seat/of_a_seat": "{cause:words} needs a seat that has a wager in this round",
    "bad_resolution": "{cause:words} cannot be resolved by '{resolution}'",
    "bad_resolution/turned_face_up": (
        "cards that would follow in sequence are face up already (NY (j)(3))"
    ),
    "bad_resolution/street_open": ("an early board card stands only once its street is closed"),
    # Tables, seats and chips.
    "bad_options/not_an_object": "options must be a JSON object, not {value:shown}",
    "bad_options/nested": "options are nested too deeply",
    "bad_options/not_a_value": "options hold {value:shown}; amounts are text such as 10.00",
    # Meters.
    # The ledger.
    # The tabulator.
    # Rule books and choices of rules.
    "unknown_rules/not_recorded": "a table opens with the id of a shipped rule book or with the "
    "whole text of one, not with {name:shown}",
    # Rounds as text.
    "bad_money": "{value:shown} is not an amount in dollars",
    "bad_money/such_as": "{value:shown} is not an amount in dollars such as 10.00",
    "fractional_cents": "{value:shown} has a fraction of a {least}",
    "fractional_micros": "{value:shown} has a fraction of a {least}",
    "amount_too_large/far": "{value:shown} is far too large an amount",
    # Records and viewers.
    "unknown_viewer": "'{viewer}' is not seat N, dealer, rail or tablevision",
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
