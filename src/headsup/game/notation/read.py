"""A finished round as people and programs write it, in JSON or TOML."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from headsup.game.amounts import parse_cents, parse_micros
from headsup.game.decision import HAS_FOLDED, UNDECIDED, Decision, HasRaised
from headsup.game.money import MAX_METER_MICROS, micro_dollars
from headsup.game.notation.cards import (
    check_cards,
    has_no_cards,
    read_cards,
    read_deck,
    read_packet,
    with_cards_of,
)
from headsup.game.notation.irregularity import Reported, check_keys, read_reports, read_text
from headsup.game.refusal import Refused, shown
from headsup.game.rulebook.tablerules import TableRules, table_rules
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.stakes import check_raise, check_stakes
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
_STREETS = frozenset(Street)


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """Everything settlement needs, checked against the table's rules."""

    rules: TableRules
    deal: Deal
    plays: tuple[SeatPlay, ...]
    meter: int | None
    id: str | int | None = None


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
        key = json.dumps([name, paytables, options], sort_keys=True, default=repr)
        if key not in self._seen:
            self._seen[key] = table_rules(name, paytables, options)
        return self._seen[key]


def read_round(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> FinishedRound:
    """Check one round completely; the first thing wrong is refused by name and place."""
    written = read_written(raw, rules_for, default_rules)
    if not written.reports:
        return written.finished
    from headsup.game.notation.transcript import (
        resolved,  # it plays rounds, and so stands above this file
    )

    return resolved(written)


def read_written(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> WrittenRound:
    if not isinstance(raw, Mapping):
        raise Refused("bad_round", "a round is an object with dealer, board and seats")
    check_keys(raw, _ROUND_WORDS, "the round")
    rules = _read_rules(raw, rules_for, default_rules)
    reports = read_reports(raw)
    deck = read_deck(raw)
    if deck:
        raw = with_cards_of(deck, raw, rules)
    undealt = bool(reports) and has_no_cards(raw)
    deal = Deal((), ())
    if not undealt:
        deal = Deal(
            dealer=read_cards(raw, "dealer", 2, "dealer"),
            board=read_cards(raw, "board", 5, "board"),
            all_6=read_packet(raw, rules),
        )
    seats = raw.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Refused("bad_seats", "seats: must be a list of at least one seat")
    plays = tuple(
        _read_seat(seat, number, rules, undealt, bool(reports))
        for number, seat in enumerate(seats, 1)
    )
    _check_numbers(plays, rules)
    check_cards(deal, plays)
    if not undealt and not deal.all_6 and any(Wager.ALL_6 in play.stakes for play in plays):
        raise Refused("missing_all_6", "all_6: an All 6 wager needs the four All 6 cards")
    return WrittenRound(
        rules=rules,
        rules_name=raw.get("rules", default_rules),
        deal=deal,
        plays=plays,
        meter=_read_meter(raw),
        id=_read_id(raw),
        table=read_text(raw, "table", "the round"),
        number=_read_number(raw),
        deck=deck,
        auto=frozenset(
            play.seat for seat, play in zip(seats, plays, strict=True) if seat.get("auto", False)
        ),
        reports=reports,
    )


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


def _read_number(raw: Mapping[str, Any]) -> int:
    number = raw.get("round", 1)
    if type(number) is not int or number < 1 or number > 10**12:
        raise Refused("bad_round", f"round: must be a whole number from 1, not {shown(number)}")
    return number


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
    check_keys(raw, _SEAT_WORDS, where)
    if not isinstance(raw.get("auto", False), bool):
        raise Refused("bad_decision", f"{where}: auto must be true or false")
    hole = () if undealt else read_cards(raw, "hole", 2, f"{where}: hole")
    stakes = {
        wager: parse_cents(raw[wager], f"{where}: {wager}")
        for wager in SEAT_STAKES
        if raw.get(wager) is not None
    }
    check_stakes(rules, stakes, where)
    return SeatPlay(seat, hole, stakes, _read_decision(raw, rules, where, may_be_open))


def _read_decision(
    raw: Mapping[str, Any], rules: TableRules, where: str, may_be_open: bool
) -> Decision:
    fold, raised = raw.get("fold", False), raw.get("raise")
    if not isinstance(fold, bool):
        raise Refused("bad_decision", f"{where}: fold must be true or false")
    if may_be_open and not fold and raised is None:
        return UNDECIDED
    if fold == (raised is not None):
        both = "both a raise and a fold" if fold else "neither a raise nor a fold"
        raise Refused("bad_decision", f"{where}: {both}; every hand ends in one of them")
    if fold:
        return HAS_FOLDED
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
    return HasRaised(Street(street), multiple)


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
