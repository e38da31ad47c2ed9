"""The options of a table: their names, and how a value of each is read.

A value comes from TOML, from JSON or as text after `--set KEY=`; all three give the same
canonical value: tuples of ints, cents, micros, booleans or one of a closed set of words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from headsup.game.amounts import parse_cents, parse_micros
from headsup.game.hands import CATEGORIES, threshold
from headsup.game.money import (
    MAX_METER_MICROS,
    MAX_STAKE_CENTS,
    dollars,
    format_cents,
    format_micros,
    micro_dollars,
)
from headsup.game.refusal import Refused
from headsup.game.rulebook.model import Cap, RuleBook
from headsup.game.wagers import Wager

# The largest Raise any variant of the game is known to allow is 4× (Ultimate Texas Hold'em).
MAX_MULTIPLE = 10


class BadValue(ValueError):
    """The value cannot be this option's; the message says what can."""


def _raises(value: object) -> tuple[int, ...]:
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, int) and not isinstance(items, bool):
        items = [items]
    if not isinstance(items, list | tuple):
        raise BadValue("must be multiples of the Ante, such as [1, 2, 3]")
    try:
        multiples = [int(item) if isinstance(item, str) else item for item in items]
    except ValueError:
        raise BadValue("must be whole multiples of the Ante, such as 1,2,3") from None
    if not multiples:
        raise BadValue("is empty: a street needs at least one Raise")
    for multiple in multiples:
        if isinstance(multiple, bool) or not isinstance(multiple, int):
            raise BadValue("must be whole multiples of the Ante, such as [1, 2, 3]")
        if not 1 <= multiple <= MAX_MULTIPLE:
            raise BadValue(f"holds {multiple}; a Raise is 1 to {MAX_MULTIPLE} times the Ante")
    if len(set(multiples)) != len(multiples):
        raise BadValue("names a multiple twice")
    return tuple(sorted(multiples))


def _qualifier(value: object) -> str:
    if value == "none":
        return "none"
    if not isinstance(value, str):
        raise BadValue(f"must be none, a category ({', '.join(CATEGORIES)}) or ranks such as 44")
    try:
        threshold(value)
    except ValueError as error:
        raise BadValue(f"must be none, or a hand: {error}") from None
    return value


def _word(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise BadValue(f"must be one of {', '.join(words)}")
        return value

    return read


def _cents(minimum: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        cents = _amount(parse_cents, value)
        if not minimum <= cents <= MAX_STAKE_CENTS:
            raise BadValue("must be " + ("a positive" if minimum else "an") + " amount in dollars")
        return cents

    return read


def _micros(value: object) -> int:
    micros = _amount(parse_micros, value)
    if not 0 <= micros <= MAX_METER_MICROS:
        raise BadValue("must be an amount in dollars, not below zero")
    return micros


def _amount(parse: Callable[[object, str], int], value: object) -> int:
    try:
        return parse(value, "")
    except Refused as refused:
        raise BadValue(refused.message.removeprefix(": ")) from None


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise BadValue("must be true or false")


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadValue(f"must be a whole number from {low} to {high}")
        return value

    return read


def _cap(value: object) -> Cap | None:
    """`none`, an amount in dollars, or {amount, scope, wagers, spares_below}."""
    if value in ("none", None):
        return None
    if not isinstance(value, Mapping):
        return Cap(_cents(1)(value))
    unknown = set(value) - {"amount", "scope", "wagers", "spares_below"}
    if unknown:
        raise BadValue(f"has an unknown key {sorted(unknown)[0]}")
    if "amount" not in value:
        raise BadValue("needs an amount")
    wagers = value.get("wagers", list(Cap(0).wagers))
    known = isinstance(wagers, list | tuple) and all(wager in tuple(Wager) for wager in wagers)
    if not known or not wagers:
        raise BadValue(f"wagers must be some of {', '.join(Wager)}")
    return Cap(
        amount=_cents(1)(value["amount"]),
        scope=_word("player", "table")(value.get("scope", "player")),
        wagers=tuple(wager for wager in Wager if wager in wagers),
        spares_below=_whole(0, 1000)(value.get("spares_below", 0)),
    )


def _times(multiples: tuple[int, ...]) -> str:
    return ", ".join(f"{multiple}×" for multiple in multiples)


def _cap_words(cap: Cap | None) -> str:
    return "none" if cap is None else f"{dollars(cap.amount)} per {cap.scope} on {_listed(cap)}"


def _listed(cap: Cap) -> str:
    *first, last = (wager.value for wager in cap.wagers)
    return f"{', '.join(first)} and {last}" if first else last


def _flag_words(value: bool) -> str:
    return str(value).lower()


@dataclass(frozen=True, slots=True)
class Kind:
    """How one option is read, what it is about, and how a value of it is told to people."""

    read: Callable[[object], object]
    about: str
    words: Callable[[Any], str] = str


STAYS = _word("stays", "forfeits")
OPTIONS: Mapping[str, Kind] = {
    "pocket_raises": Kind(_raises, "multiples of the Ante allowed on the pocket cards", _times),
    "flop_raises": Kind(_raises, "multiples allowed on the flop", _times),
    "river_raises": Kind(_raises, "multiples allowed on the river", _times),
    "qualifier": Kind(_qualifier, "the dealer's lowest qualifying hand"),
    "trips_plus_hand": Kind(_word("seven_cards", "both_hole_cards"), "which cards Trips Plus uses"),
    "trips_plus_after_fold": Kind(STAYS, "Trips Plus of a player who folds"),
    "pocket_bonus_after_fold": Kind(STAYS, "Pocket Bonus of a player who folds"),
    "all_6_after_fold": Kind(STAYS, "All 6 of a player who folds"),
    "progressive_after_fold": Kind(STAYS, "the Progressive of a player who folds"),
    "progressive_basis": Kind(_word("to", "for"), "whether the Progressive's stake comes back"),
    "progressive_stake": Kind(_cents(1), "the one Progressive stake accepted", dollars),
    "percentage_awards": Kind(_word("snapshot", "sequential"), "the base of several awards"),
    "meter_seed": Kind(_micros, "what the meter is reset to", micro_dollars),
    "meter_contribution": Kind(
        _micros, "what each Progressive wager adds to the meter", micro_dollars
    ),
    "meter_max": Kind(_micros, "the posted maximum of the meter, 0 for none", micro_dollars),
    "jackpot_regime": Kind(_word("progressive", "bonus"), "players' escrow, or house prize"),
    "chip_unit": Kind(_cents(1), "the smallest chip paid", dollars),
    "rounding": Kind(_word("down", "up", "nearest"), "how winnings are rounded to chips"),
    "cap": Kind(_cap, "the most paid in one round", _cap_words),
    "minimum_wager": Kind(_cents(0), "the table minimum, for SugarHouse's second limb", dollars),
    "single_wager_max": Kind(_cents(0), "the most on any one wager, 0 for no such limit", dollars),
    "raise_counts_as_option": Kind(
        _flag, "whether the Raise is one of Washington's four", _flag_words
    ),
    "dealing": Kind(_word("hand", "shoe"), "dealt by hand, or from an automated shoe"),
    "board": Kind(_word("as_needed", "at_once"), "when the board is dealt, by hand"),
    "face_up": Kind(_flag, "players' cards dealt face up", _flag_words),
    "trips_plus_settled": Kind(_word("before", "after"), "Trips Plus before or after the main"),
    "positions_per_player": Kind(_whole(1, 6), "positions one player may hold"),
}


def not_open(book: RuleBook, key: str, value: object) -> str:
    """Why a table under this book may not have this value; empty where it may."""
    option = book.options.get(key)
    if option is None:
        return f"{book.id} has no such choice: its document leaves no such option"
    if option.allows(value) or book.kind == "study":
        return ""
    words = str if OPTIONS[key].words is _times else OPTIONS[key].words
    values = [list(item) if isinstance(item, tuple) else item for item in option.may_be]
    first = list(option.value) if isinstance(option.value, tuple) else option.value
    allowed = " or ".join(words(item) for item in (first, *values))
    if not values and isinstance(first, list):  # one schedule of raises needs no brackets
        allowed = ", ".join(map(str, first))
    return f"{book.id} allows only {allowed} ({option.clause})"


def write_option(key: str, value: Any) -> Any:
    """A value as JSON and TOML write it; reading it again gives the same value."""
    words = OPTIONS[key].words
    if words is dollars:
        return format_cents(value)
    if words is micro_dollars:
        return format_micros(value)
    if key == "cap":
        return "none" if value is None else _write_cap(value)
    return list(value) if isinstance(value, tuple) else value


def _write_cap(cap: Cap) -> dict[str, object]:
    return {
        "amount": format_cents(cap.amount),
        "scope": cap.scope,
        "wagers": [wager.value for wager in cap.wagers],
        "spares_below": cap.spares_below,
    }
