"""The options of a table: their names, and how the value of each is read and shown.

Values come from TOML, from JSON or as text after `--set KEY=`. All three give the same canonical
value: a tuple of ints, cents, micros, a Boolean or one of a fixed set of words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from headsup.game.refusal import Code, Refusal, Refused, refusal
from headsup.game.rulebook.model import Cap, Dealing, RuleBook, TableOption
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.amounts import parse_cents, parse_micros
from headsup.game.values.dates import is_iso_date
from headsup.game.values.hands import CATEGORIES, parse_qualifier
from headsup.game.values.money import (
    MAX_METER_MICROS,
    MAX_STAKE_CENTS,
    format_cents,
    format_micros,
    show_dollars,
    show_micro_dollars,
)

# The largest Raise in any known variant of the game is 4× (Ultimate Texas Hold'em).
MAX_MULTIPLE = 10
MAX_REFERENCE_CHARACTERS = 100


def _raises(value: object) -> tuple[int, ...]:
    items = _split_list(value) if isinstance(value, str) else value
    if type(items) is int:
        items = [items]
    if not isinstance(items, list | tuple):
        raise Refused(Code.BAD_OPTION, "raises")
    if not items:
        raise Refused(Code.BAD_OPTION, "no_raise")
    multiples = [_multiple(item) for item in items[: MAX_MULTIPLE + 1]]
    if len(set(multiples)) != len(multiples):
        raise Refused(Code.BAD_OPTION, "twice")
    return tuple(sorted(multiples))


def _split_list(text: str) -> list[str]:
    """The items of `1,2,3` or, as a rule book writes it, `[1, 2, 3]`."""
    text = text.strip()
    is_bracketed = text.startswith("[") and text.endswith("]")
    return (text[1:-1] if is_bracketed else text).split(",")


def _multiple(value: object) -> int:
    multiple = _whole_number(value)
    if multiple is None:
        raise Refused(Code.BAD_OPTION, "raises")
    if not 1 <= multiple <= MAX_MULTIPLE:
        raise Refused(Code.BAD_OPTION, "multiple", multiple=multiple, most=MAX_MULTIPLE)
    return multiple


def _whole_number(value: object) -> int | None:
    """An int, or text in ASCII digits; Python alone would also accept `٣`."""
    if isinstance(value, str):
        text = value.strip()
        sign = text.removeprefix("-")
        return int(text) if sign.isascii() and sign.isdigit() and len(sign) < 10 else None
    return value if type(value) is int else None


def _qualifier(value: object) -> str:
    if isinstance(value, str) and len(value) <= 20:
        try:
            return value if value == "none" or parse_qualifier(value) >= 0 else "none"
        except ValueError:
            pass
    raise Refused(Code.BAD_OPTION, "qualifier", categories=tuple(CATEGORIES))


@dataclass(frozen=True, slots=True)
class _OneOf:
    words: tuple[str, ...]

    def __call__(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise Refused(Code.BAD_OPTION, "one_of", choices=self.words)
        return value


def _one_of(*words: str) -> _OneOf:
    return _OneOf(words)


def _cents_reader(minimum: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        cents = _amount(parse_cents, value)
        if minimum <= cents <= MAX_STAKE_CENTS:
            return cents
        if minimum:
            raise Refused(Code.BAD_OPTION, "positive")
        raise Refused(Code.BAD_OPTION, "amount")

    return read


def _micros(value: object) -> int:
    micros = _amount(parse_micros, value)
    if not 0 <= micros <= MAX_METER_MICROS:
        raise Refused(Code.BAD_OPTION, "not_negative")
    return micros


def _amount(parse: Callable[[object, str], int], value: object) -> int:
    try:
        return parse(value, "")
    except Refused as refused:
        raise Refused(Code.BAD_OPTION, "because", because=refused.refusal) from None


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise Refused(Code.BAD_OPTION, "flag")


def _int_reader(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        number = _whole_number(value)
        if number is None or not low <= number <= high:
            raise Refused(Code.BAD_OPTION, "whole", low=low, high=high)
        return number

    return read


def _reference(value: object) -> str:
    """The reference of an approval; empty if there is none."""
    if (
        not isinstance(value, str)
        or not value.isprintable()
        or len(value) > MAX_REFERENCE_CHARACTERS
    ):
        raise Refused(Code.BAD_OPTION, "reference", most=MAX_REFERENCE_CHARACTERS)
    return value.strip()


def _day(value: object) -> str:
    """A day such as `2020-06-15`; empty if none is set."""
    text = str(value) if type(value).__name__ == "date" else value  # TOML has a date type
    if isinstance(text, str) and (text == "" or is_iso_date(text)):
        return text
    raise Refused(Code.BAD_OPTION, "day")


def _cap(value: object) -> Cap | None:
    """`none`, an amount in dollars, or {amount, scope, wagers, spares_below}."""
    if value in ("none", None):
        return None
    if not isinstance(value, Mapping):
        return Cap(_cents_reader(1)(value))
    unknown = set(value) - {"amount", "scope", "wagers", "spares_below"}
    if unknown:
        raise Refused(Code.BAD_OPTION, "cap_key", key=sorted(unknown)[0])
    if "amount" not in value:
        raise Refused(Code.BAD_OPTION, "cap_amount")
    wagers = value.get("wagers", list(Cap(0).wagers))
    are_wagers = isinstance(wagers, list | tuple) and all(wager in tuple(Wager) for wager in wagers)
    if not are_wagers or not wagers:
        raise Refused(Code.BAD_OPTION, "cap_wagers", wagers=tuple(Wager))
    return Cap(
        amount=_cents_reader(1)(value["amount"]),
        scope=_one_of("player", "table")(value.get("scope", "player")),
        wagers=tuple(wager for wager in Wager if wager in wagers),
        spares_below=_int_reader(0, 1000)(value.get("spares_below", 0)),
    )


def _format_multiples(multiples: tuple[int, ...]) -> str:
    return ", ".join(f"{multiple}×" for multiple in multiples)


def _cap_words(cap: Cap | None) -> str:
    return (
        "none"
        if cap is None
        else f"{show_dollars(cap.amount)} per {cap.scope} on {_join_wagers(cap)}"
    )


def _join_wagers(cap: Cap) -> str:
    *first, last = (felt_name(wager) for wager in cap.wagers)
    return f"{', '.join(first)} and {last}" if first else last


def _seconds(value: int) -> str:
    return f"{value} seconds"


def _or_none(value: str) -> str:
    return value or "none"


def _flag_words(value: bool) -> str:
    return str(value).lower()


@dataclass(frozen=True, slots=True)
class OptionKind:
    """How one option is read, what it means, and how its value is shown to people."""

    read: Callable[[object], object]
    about: str
    format: Callable[[Any], str] = str
    zero: str = ""  # shown for 0 if that does not mean an amount

    def describe(self, value: Any) -> str:
        return self.zero if self.zero and not value else self.format(value)

    @property
    def choices(self) -> tuple[str, ...] | tuple[bool, ...]:
        """All possible values if they are a closed list, else nothing."""
        if isinstance(self.read, _OneOf):
            return self.read.words
        return (False, True) if self.read is _flag else ()


AFTER_FOLD = _one_of("stays", "forfeits")
OPTIONS: Mapping[str, OptionKind] = {
    "pocket_raises": OptionKind(
        _raises, "multiples of the Ante allowed on the pocket cards", _format_multiples
    ),
    "flop_raises": OptionKind(_raises, "multiples allowed on the flop", _format_multiples),
    "river_raises": OptionKind(_raises, "multiples allowed on the river", _format_multiples),
    "qualifier": OptionKind(_qualifier, "the dealer's lowest qualifying hand"),
    "trips_plus_hand": OptionKind(
        _one_of("seven_cards", "both_hole_cards"), "which cards Trips Plus uses"
    ),
    "trips_plus_after_fold": OptionKind(AFTER_FOLD, "Trips Plus of a player who folds"),
    "pocket_bonus_after_fold": OptionKind(AFTER_FOLD, "Pocket Bonus of a player who folds"),
    "all_6_after_fold": OptionKind(AFTER_FOLD, "All 6 of a player who folds"),
    "progressive_after_fold": OptionKind(AFTER_FOLD, "the Progressive of a player who folds"),
    "progressive_basis": OptionKind(
        _one_of("to", "for"), "whether the Progressive's stake comes back"
    ),
    "progressive_stake": OptionKind(
        _cents_reader(1), "the one Progressive stake accepted", show_dollars
    ),
    "percentage_awards": OptionKind(
        _one_of("snapshot", "sequential"), "what several awards of one round are shares of"
    ),
    "meter_seed": OptionKind(_micros, "what the meter is reset to", show_micro_dollars),
    "meter_contribution": OptionKind(
        _micros, "what each Progressive wager adds to the meter", show_micro_dollars
    ),
    "meter_max": OptionKind(
        _micros, "the posted maximum of the meter, 0 for none", show_micro_dollars, zero="none"
    ),
    "reseed_floor": OptionKind(
        _flag, "whether the house tops the meter up to its seed after a share is won", _flag_words
    ),
    "jackpot_regime": OptionKind(
        _one_of("progressive", "bonus"), "players' escrow, or house prize"
    ),
    "chip_unit": OptionKind(_cents_reader(1), "the smallest chip paid", show_dollars),
    "rounding": OptionKind(_one_of("down", "up", "nearest"), "how winnings are rounded to chips"),
    "cap": OptionKind(_cap, "the most that is paid in one round", _cap_words),
    "minimum_wager": OptionKind(
        _cents_reader(0),
        "the table minimum, from which SugarHouse's cap may follow",
        show_dollars,
        zero="none",
    ),
    "single_wager_max": OptionKind(
        _cents_reader(0),
        "the most on any one wager, 0 for no such limit",
        show_dollars,
        zero="none",
    ),
    "exposure_max": OptionKind(
        _cents_reader(1),
        "the most that a long-shot wager may win, else the table does not open",
        show_dollars,
    ),
    "coupons": OptionKind(_flag, "promotional coupons accepted as stakes", _flag_words),
    "raise_counts_as_option": OptionKind(
        _flag, "whether the Raise is one of Washington's four", _flag_words
    ),
    "dealing": OptionKind(
        _one_of(*Dealing), "by hand, from New York's automated shoe, or by a machine"
    ),
    "board": OptionKind(_one_of("as_needed", "at_once"), "when the board is dealt, by hand"),
    "face_up": OptionKind(_flag, "players' cards dealt face up", _flag_words),
    "trips_plus_settled": OptionKind(
        _one_of("before", "after"), "Trips Plus settled before or after the main wagers"
    ),
    "positions_per_player": OptionKind(_int_reader(1, 6), "positions one player may hold"),
    "grace_seconds": OptionKind(
        _int_reader(120, 3600), "how long the table waits for an absent player", _seconds
    ),
    "tribal": OptionKind(
        _flag, "a tribal operation, to which the state's code does not apply", _flag_words
    ),
    "approval": OptionKind(_reference, "the approval of the house's internal controls", _or_none),
    "approved_from": OptionKind(_day, "the first day of that approval", _or_none),
    "face_up_approval": OptionKind(_reference, "the approval of dealing face up", _or_none),
    "face_up_from": OptionKind(_day, "the day on which dealing face up begins", _or_none),
}


def refuse_option(book: RuleBook, key: str, value: object) -> Refusal | None:
    """The refusal if a table under this book may not have this value."""
    option = book.options.get(key)
    if option is None:
        return refusal(Code.OPTION_NOT_OPEN, "none", book=book.id)
    if option.allows(value) or book.kind == "study":
        return None
    allowed = _allowed_values(OPTIONS[key], option)
    return refusal(Code.OPTION_NOT_OPEN, book=book.id, allowed=allowed, clause=option.clause)


def _allowed_values(kind: OptionKind, option: TableOption) -> tuple[str, ...]:
    if kind.format is not _format_multiples:
        return tuple(kind.describe(value) for value in (option.value, *option.may_be))
    # A single list of raises needs no brackets.
    values: tuple[Any, ...] = (option.value, *option.may_be)
    schedules = [list(value) for value in values]
    return tuple(map(str, schedules)) if option.may_be else (", ".join(map(str, schedules[0])),)


def write_option(key: str, value: Any) -> Any:
    """A value for JSON and TOML. Reading it back gives the same value."""
    words = OPTIONS[key].format
    if words is show_dollars:
        return format_cents(value)
    if words is show_micro_dollars:
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
