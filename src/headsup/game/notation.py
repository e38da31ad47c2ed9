"""A finished round as people and programs write it, in JSON or TOML, and its settlement back."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from headsup.game.cards import UnreadableCards, card_name, format_cards, parse_cards
from headsup.game.dealing import dealt, places
from headsup.game.hands import best_five, category_of
from headsup.game.money import (
    MAX_METER_MICROS,
    format_cents,
    format_micros,
    micro_dollars,
    parse_cents,
    parse_micros,
)
from headsup.game.refusal import Refused, shown
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.state import Phase
from headsup.game.rulebook.tablerules import TableRules, table_rules
from headsup.game.settlement import Deal, Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.stakes import check_stakes
from headsup.game.wagers import SIDE_WAGERS, Street, Wager

ROUND_KEYS = {
    *("rules", "paytables", "options", "meter", "dealer", "board", "all_6", "seats"),
    *("dealing", "deck", "irregularity"),
}
ROUND_REMARKS = {"id", "note", "table", "round"}
SEAT_STAKES = (Wager.ANTE, Wager.ODDS, *SIDE_WAGERS)
SEAT_KEYS = {"seat", "hole", "raise", "fold", "auto", *SEAT_STAKES}
SEAT_REMARKS = {"player", "note"}
_ROUND_WORDS, _SEAT_WORDS = ROUND_KEYS | ROUND_REMARKS, SEAT_KEYS | SEAT_REMARKS
# Options go four deep (options, bonus, wager, outcome); what is deeper is no option.
_MAX_DEPTH = 8
_MAX_CARD_TEXT, _MAX_DECK_TEXT = 200, 400
_STREETS = frozenset(Street)


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """Everything settlement needs, checked against the table's rules."""

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: int | None
    id: str | int | None = None


class Reported(NamedTuple):
    """An irregularity as a round's text tells it: where the round stood, and the report."""

    at: Phase
    report: ReportIrregularity


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as its text says, before what it says is played out.

    Cards may be missing and hands undecided where an irregularity voids them.
    """

    rules: TableRules
    rules_name: str
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: int | None
    id: str | int | None = None
    table: str = ""
    number: int = 1
    deck: tuple[int, ...] = ()
    folded: frozenset[int] = frozenset()  # seats that did fold, and are not only undecided
    auto: frozenset[int] = frozenset()  # seats for which the clock decided
    reports: tuple[Reported, ...] = ()

    @property
    def finished(self) -> FinishedRound:
        return FinishedRound(self.rules, self.deal, self.plays, self.meter, self.id)


RulesFor = Callable[[str, Mapping[str, Any], Mapping[str, Any]], TableRules]


class RulesMemory:
    """Remembers the rules of tables already read, for batches of rounds."""

    def __init__(self) -> None:
        self._seen: dict[str, TableRules] = {}

    def __call__(
        self, name: str, paytables: Mapping[str, Any], options: Mapping[str, Any]
    ) -> TableRules:
        key = json.dumps([name, paytables, options], sort_keys=True, default=str)
        if key not in self._seen:
            self._seen[key] = table_rules(name, paytables, options)
        return self._seen[key]


# Text to raw values.


def parse_json(text: str) -> object:
    """JSON with exact decimals; a repeated key is refused, NaN and Infinity where they stand."""
    try:
        return json.loads(
            text,
            parse_float=_number,
            parse_int=_whole_number,
            parse_constant=Decimal,
            object_pairs_hook=_no_repeats,
        )
    except RecursionError:
        raise Refused("bad_json", "the JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Refused("bad_json", f"this is not JSON: {error}") from None


def parse_toml(text: str) -> object:
    try:
        return tomllib.loads(text, parse_float=_number)
    except RecursionError:
        raise Refused("bad_toml", "the TOML is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise Refused("bad_toml", f"this is not TOML: {error}") from None
    except ValueError:  # Python converts at most 4,300 digits
        raise Refused("bad_toml", "a number in the TOML has thousands of digits") from None


def _number(text: str) -> Decimal | str:
    """A decimal; one with an exponent past all bounds stays text, refused where it stands."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def _whole_number(text: str) -> int | Decimal:
    return int(text) if len(text) <= 4000 else Decimal(text)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read:
            raise Refused("repeated_key", f"the key '{key}' stands twice in one object")
        read[key] = value
    return read


# Raw values to a finished round.


def read_round(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> FinishedRound:
    """Check one round completely; the first thing wrong is refused by name and place."""
    written = read_written(raw, rules_for, default_rules)
    if not written.reports:
        return written.finished
    from headsup.game.transcript import resolved  # it plays rounds, and so stands above this file

    return resolved(written)


def read_written(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> WrittenRound:
    if not isinstance(raw, Mapping):
        raise Refused("bad_round", "a round is an object with dealer, board and seats")
    _check_keys(raw, _ROUND_WORDS, "the round")
    rules = _read_rules(raw, rules_for, default_rules)
    reports = _read_reports(raw)
    deck = _read_deck(raw)
    if deck:
        raw = _with_cards_of(deck, raw, rules)
    undealt = bool(reports) and _has_no_cards(raw)
    deal = Deal((), ())
    if not undealt:
        deal = Deal(
            dealer=_read_cards(raw, "dealer", 2, "dealer"),
            board=_read_cards(raw, "board", 5, "board"),
            all_6=_read_packet(raw, rules),
        )
    seats = raw.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Refused("bad_seats", "seats: must be a list of at least one seat")
    plays = tuple(
        _read_seat(seat, number, rules, undealt, bool(reports))
        for number, seat in enumerate(seats, 1)
    )
    _check_numbers(plays, rules)
    _check_cards(deal, plays)
    if not undealt and not deal.all_6 and any(Wager.ALL_6 in play.stakes for play in plays):
        raise Refused("missing_all_6", "all_6: an All 6 wager needs the four All 6 cards")
    return WrittenRound(
        rules=rules,
        rules_name=raw.get("rules", default_rules),
        deal=deal,
        plays=plays,
        meter=_read_meter(raw),
        id=_read_id(raw),
        table=_read_text(raw, "table", "the round"),
        number=_read_number(raw),
        deck=deck,
        folded=_marked(seats, plays, "fold"),
        auto=_marked(seats, plays, "auto"),
        reports=reports,
    )


def _marked(
    seats: list[Mapping[str, Any]], plays: tuple[SeatPlay, ...], key: str
) -> frozenset[int]:
    return frozenset(
        play.seat for raw, play in zip(seats, plays, strict=True) if raw.get(key, False)
    )


def _check_keys(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in raw:
        if key not in known:
            raise Refused("unknown_key", f"{where}: there is no key {shown(key)}")


def _read_rules(raw: Mapping[str, Any], rules_for: RulesFor, default_rules: str) -> TableRules:
    name = raw.get("rules", default_rules)
    if not isinstance(name, str) or not name.isprintable():
        raise Refused("unknown_rules", "rules: must be the id of a rule book or a .toml file")
    options = _read_choices(raw, "options")
    dealing = raw.get("dealing")
    if dealing is not None:
        if options.get("dealing", dealing) != dealing:
            raise Refused("bad_round", "dealing: differs from the option of the same name")
        options = {**options, "dealing": dealing}
    return rules_for(name, _read_choices(raw, "paytables"), options)


def _read_choices(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    choices = raw.get(key)
    if choices is None:
        return {}
    if not isinstance(choices, Mapping):
        raise Refused("bad_round", f"{key}: must be an object, not {shown(choices)}")
    if _deeper(choices, _MAX_DEPTH):
        raise Refused("bad_round", f"{key}: is nested too deeply")
    return choices


def _deeper(value: object, levels: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list) and (
        levels == 0 or any(_deeper(inner, levels - 1) for inner in value)
    )


def _read_cards(raw: Mapping[str, Any], key: str, count: int, where: str) -> tuple[int, ...]:
    text = raw.get(key)
    if text is None:
        raise Refused("missing_cards", f"{where}: {count} cards are missing")
    if isinstance(text, list) and all(isinstance(card, str) for card in text):
        text = " ".join(text)
    if not isinstance(text, str):
        raise Refused("unknown_card", f"{where}: cards are written as text, like AsKd")
    if len(text) > (_MAX_DECK_TEXT if count == 52 else _MAX_CARD_TEXT):
        raise Refused("unknown_card", f"{where}: the text is far too long for {count} cards")
    try:
        cards = parse_cards(text)
    except UnreadableCards as error:
        raise Refused("unknown_card", f"{where}: {error}") from None
    if len(cards) != count:
        raise Refused("wrong_card_count", f"{where}: {count} cards expected, {len(cards)} given")
    return cards


def _read_deck(raw: Mapping[str, Any]) -> tuple[int, ...]:
    """All 52 cards in the order they lay in, or none."""
    if raw.get("deck") is None:
        return ()
    deck = _read_cards(raw, "deck", 52, "deck")
    for card in deck:
        if deck.count(card) > 1:
            raise Refused("duplicate_card", f"deck: {card_name(card)} is in it twice")
    return deck


def _with_cards_of(
    deck: tuple[int, ...], raw: Mapping[str, Any], rules: TableRules
) -> Mapping[str, Any]:
    """The round with every card named where the deck puts it; what is named must be the same."""
    seats = raw.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, Mapping) for seat in seats):
        return raw
    numbers = [seat.get("seat", number) for number, seat in enumerate(seats, 1)]
    known = range(1, rules.book.seats + 1)
    if not all(type(number) is int and number in known for number in numbers):
        return raw
    deal, holes = dealt(deck, places(rules.dealing, tuple(numbers), rules.offers(Wager.ALL_6)))
    named = {"dealer": deal.dealer, "board": deal.board, "all_6": deal.all_6}
    told = {key: _as_dealt(raw, key, cards, key) for key, cards in named.items() if cards}
    seats = [
        {**seat, "hole": _as_dealt(seat, "hole", holes[number], f"seat {number}: hole")}
        for seat, number in zip(seats, numbers, strict=True)
    ]
    return {**raw, **told, "seats": seats}


def _as_dealt(raw: Mapping[str, Any], key: str, cards: tuple[int, ...], where: str) -> str:
    if raw.get(key) is not None:
        given = _read_cards(raw, key, len(cards), where)
        if sorted(given) != sorted(cards):
            there, deck = format_cards(given), format_cards(cards)
            raise Refused("deck_differs", f"{where}: is {there}, but the deck deals {deck} there")
    return format_cards(cards)


def _has_no_cards(raw: Mapping[str, Any]) -> bool:
    seats = raw.get("seats")
    holders = [raw, *(seats if isinstance(seats, list) else [])]
    return not any(
        holder.get(key) is not None
        for holder in holders
        if isinstance(holder, Mapping)
        for key in ("dealer", "board", "all_6", "hole")
    )


def _read_packet(raw: Mapping[str, Any], rules: TableRules) -> tuple[int, ...]:
    if raw.get("all_6") is None:
        return ()
    if not rules.offers(Wager.ALL_6):
        raise Refused("wager_not_offered", f"all_6: {rules.id} does not offer All 6")
    return _read_cards(raw, "all_6", 4, "all_6")


def _read_meter(raw: Mapping[str, Any]) -> int | None:
    if raw.get("meter") is None:
        return None
    meter = parse_micros(raw["meter"], "meter")
    if not 0 <= meter <= MAX_METER_MICROS:
        most = micro_dollars(MAX_METER_MICROS)
        raise Refused("bad_meter", f"meter: {shown(raw['meter'])} is not from $0.00 to {most}")
    return meter


def _read_id(raw: Mapping[str, Any]) -> str | int | None:
    id = raw.get("id")
    if id is not None and (isinstance(id, bool) or not isinstance(id, str | int)):
        raise Refused("bad_round", "id: must be text or a whole number")
    if len(str(id)) > 100 or not str(id).isprintable():
        raise Refused("bad_round", "id: must be at most 100 characters that can be printed")
    return id


def _read_text(raw: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    text = raw.get(key, default)
    if not isinstance(text, str) or len(text) > 1000:
        raise Refused("bad_round", f"{where}: {key} must be text, not {shown(text)}")
    return text


def _read_number(raw: Mapping[str, Any]) -> int:
    number = raw.get("round", 1)
    if type(number) is not int or number < 1 or number > 10**12:
        raise Refused("bad_round", f"round: must be a whole number from 1, not {shown(number)}")
    return number


_REPORT_KEYS = {"cause", "seat", "resolution", "dealer", "supervisor", "note", "at"}


def _read_reports(raw: Mapping[str, Any]) -> tuple[Reported, ...]:
    """One irregularity, or a list of them in the order they were reported."""
    given = raw.get("irregularity")
    if given is None:
        return ()
    several = given if isinstance(given, list) else [given]
    return tuple(_read_report(item) for item in several)


def _read_report(raw: object) -> Reported:
    where = "irregularity"
    if not isinstance(raw, Mapping):
        raise Refused("bad_irregularity", f"{where}: must be an object, not {shown(raw)}")
    _check_keys(raw, _REPORT_KEYS, where)
    at, seat = raw.get("at"), raw.get("seat")
    if not isinstance(at, str) or at not in set(Phase):
        known = ", ".join(Phase)
        raise Refused("bad_irregularity", f"{where}: at must be one of {known}, not {shown(at)}")
    if seat is not None and type(seat) is not int:
        raise Refused("bad_irregularity", f"{where}: seat must be a number, not {shown(seat)}")
    texts = {
        key: _read_text(raw, key, where, "void" if key == "resolution" else "")
        for key in ("cause", "dealer", "supervisor", "resolution", "note")
    }
    return Reported(Phase(at), ReportIrregularity(seat=seat, **texts))


def _read_seat(
    raw: object, number: int, rules: TableRules, undealt: bool, may_be_open: bool
) -> SeatPlay:
    if not isinstance(raw, Mapping):
        raise Refused("bad_seats", f"seats[{number}]: must be an object, not {shown(raw)}")
    seat = raw.get("seat", number)
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise Refused(
            "bad_seats", f"seats[{number}]: seat must be a whole number, not {shown(seat)}"
        )
    where = f"seat {shown(seat)}"
    _check_keys(raw, _SEAT_WORDS, where)
    if not isinstance(raw.get("auto", False), bool):
        raise Refused("bad_decision", f"{where}: auto must be true or false")
    hole = () if undealt else _read_cards(raw, "hole", 2, f"{where}: hole")
    stakes = {
        wager: parse_cents(raw[wager], f"{where}: {wager}")
        for wager in SEAT_STAKES
        if raw.get(wager) is not None
    }
    check_stakes(rules, stakes, where)
    street, multiple = _read_decision(raw, rules, where, may_be_open)
    return SeatPlay(seat, hole, stakes, street, multiple)


def _read_decision(
    raw: Mapping[str, Any], rules: TableRules, where: str, may_be_open: bool
) -> tuple[Street | None, int]:
    fold, raised = raw.get("fold", False), raw.get("raise")
    if not isinstance(fold, bool):
        raise Refused("bad_decision", f"{where}: fold must be true or false")
    if may_be_open and not fold and raised is None:
        return None, 0
    if fold == (raised is not None):
        both = "both a raise and a fold" if fold else "neither a raise nor a fold"
        raise Refused("bad_decision", f"{where}: {both}; every hand ends in one of them")
    if fold:
        return None, 0
    if not isinstance(raised, Mapping) or set(raised) != {"street", "multiple"}:
        raise Refused("bad_decision", f"{where}: raise must be an object of street and multiple")
    street, multiple = raised["street"], raised["multiple"]
    if not isinstance(street, str) or street not in _STREETS:
        raise Refused("bad_decision", f"{where}: raise: street must be one of {', '.join(Street)}")
    if isinstance(multiple, bool) or not isinstance(multiple, int):
        raise Refused(
            "bad_decision",
            f"{where}: raise: multiple must be a whole number, not {shown(multiple)}",
        )
    check_raise(rules, Street(street), multiple, where)
    return Street(street), multiple


def check_raise(rules: TableRules, street: Street, multiple: int, where: str) -> None:
    """Refuse a multiple of the Ante that the rules do not allow on this street."""
    allowed = rules.raises[street]
    if multiple not in allowed:
        times = " or ".join(f"{item}×" for item in allowed)
        clause = rules.book.options[f"{street.value}_raises"].clause
        raise Refused(
            "raise_not_allowed",
            f"{where}: a raise of {shown(multiple)}× on the {street.value} is not allowed; "
            f"{rules.id} allows {times} ({clause})",
        )


def _check_numbers(plays: tuple[SeatPlay, ...], rules: TableRules) -> None:
    seen: set[int] = set()
    for play in plays:
        if not 1 <= play.seat <= rules.book.seats:
            raise Refused(
                "bad_seats",
                f"seat {shown(play.seat)}: seats are numbered 1 to {rules.book.seats}",
            )
        if play.seat in seen:
            raise Refused("bad_seats", f"seat {play.seat} is named twice")
        seen.add(play.seat)


def _check_cards(deal: Deal, plays: tuple[SeatPlay, ...]) -> None:
    dealt = {"the dealer's hand": deal.dealer, "the board": deal.board, "all_6": deal.all_6}
    dealt |= {f"seat {play.seat}": play.hole for play in plays}
    seen: dict[int, str] = {}
    for place, cards in dealt.items():
        for card in cards:
            if card in seen:
                places = f"in {seen[card]} and again in {place}"
                if seen[card] == place:
                    places = f"twice in {place}"
                raise Refused("duplicate_card", f"{card_name(card)} is {places}")
            seen[card] = place


# A settlement to raw values.


def write_settlement(round: FinishedRound, settlement: Settlement) -> dict[str, Any]:
    """The settlement as JSON-ready values, in the order people read them."""
    deal = round.deal
    written: dict[str, Any] = {} if round.id is None else {"id": round.id}
    written["dealer"] = {
        **_write_hand((*deal.dealer, *deal.board), settlement.dealer_strength),
        "qualifies": settlement.dealer_qualifies,
    }
    written["seats"] = [
        _write_seat(seat, (*play.hole, *deal.board))
        for play, seat in zip(round.plays, settlement.seats, strict=True)
    ]
    written["meter"] = None
    if settlement.meter_before is not None and settlement.meter_after is not None:
        written["meter"] = {
            "before": format_micros(settlement.meter_before),
            "after": format_micros(settlement.meter_after),
        }
    return written


def _write_seat(seat: SeatSettlement, cards: tuple[int, ...]) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        **_write_hand(cards, seat.strength),
        "wagers": {line.wager.value: _write_line(line) for line in seat.lines},
        "net": format_cents(seat.net),
    }


def _write_hand(cards: tuple[int, ...], strength: int) -> dict[str, str | None]:
    """Nothing where a void round never came to all its cards."""
    if len(cards) < 7:
        return {"category": None, "best": None}
    return {"category": category_of(strength).key, "best": format_cards(best_five(cards))}


def _write_line(line: Line) -> dict[str, str]:
    written = {
        "stake": format_cents(line.stake),
        "result": line.result.value,
        "net": format_cents(line.net),
        "outcome": line.outcome,
        "why": line.why,
        "clause": line.clause,
    }
    if line.award or line.breakage or line.shortfall:
        amounts = {"award": line.award, "breakage": line.breakage, "shortfall": line.shortfall}
        written |= {key: format_cents(amount) for key, amount in amounts.items() if amount}
    return written
