"""A finished round as people and programs write it, in JSON or TOML."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from headsup.game.notation.cards import (
    check_duplicates,
    fill_in_cards,
    has_no_cards,
    read_all_6,
    read_cards,
    read_deck,
)
from headsup.game.notation.irregularities import check_keys, read_reports, read_text
from headsup.game.notation.model import FinishedRound, WrittenRound
from headsup.game.notation.seats import MAX_LABEL_CHARACTERS, read_seat
from headsup.game.notation.transcript import finish_round
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.amounts import parse_meter
from headsup.game.values.money import Micros

ROUND_KEYS = {
    *("rules", "paytables", "options", "meter", "dealer", "board", "all_6", "seats"),
    *("dealing", "deck", "irregularity"),
}
ROUND_REMARKS = {"id", "note", "table", "round"}
_ROUND_WORDS = ROUND_KEYS | ROUND_REMARKS
# Options go four deep (options, bonus, wager, outcome); what is deeper is no option.
_MAX_DEPTH = 8

RulesFor = Callable[[str, Mapping[str, Any], Mapping[str, Any]], TableRules]


class RulesCache:
    """Reads each rule book of a batch once; what a round chooses of it is looked at every time."""

    def __init__(self) -> None:
        self._books: dict[str, RuleBook] = {}

    def __call__(
        self, name: str, paytables: Mapping[str, Any], options: Mapping[str, Any]
    ) -> TableRules:
        if name in self._books:
            return table_rules(self._books[name], paytables, options)
        rules = table_rules(name, paytables, options)
        if name not in SHIPPED_BOOKS:
            self._books[name] = load_book(name)
        return rules


def read_round(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> FinishedRound:
    """Check one round completely; the first thing wrong is refused by name and place."""
    written = read_written_round(raw, rules_for, default_rules)
    return finish_round(written) if written.reports else written.finished


def read_written_round(
    raw: object, rules_for: RulesFor = table_rules, default_rules: str = "galaxy"
) -> WrittenRound:
    if not isinstance(raw, Mapping):
        raise Refused(Code.BAD_ROUND)
    check_keys(raw, _ROUND_WORDS, "the round")
    rules = _read_rules(raw, rules_for, default_rules)
    reports = read_reports(raw)
    deck = read_deck(raw)
    if deck:
        raw = fill_in_cards(deck, raw, rules)
    undealt = bool(reports) and has_no_cards(raw)
    deal = Deal((), ())
    if not undealt:
        deal = Deal(
            dealer=read_cards(raw, "dealer", 2, "dealer"),
            board=read_cards(raw, "board", 5, "board"),
            all_6=read_all_6(raw, rules),
        )
    seats = raw.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Refused(Code.BAD_SEATS, where="seats")
    plays = tuple(
        read_seat(seat, number, rules, undealt, bool(reports))
        for number, seat in enumerate(seats, 1)
    )
    _check_numbers(plays, rules)
    _check_positions(plays, rules)
    check_duplicates(deal, plays)
    if not undealt and not deal.all_6 and any(Wager.ALL_6 in play.stakes for play in plays):
        raise Refused(Code.MISSING_ALL_6, where="all_6")
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
        raise Refused(Code.UNKNOWN_RULES, "round", where="rules")
    options = _read_choices(raw, "options")
    dealing = raw.get("dealing")
    if dealing is not None:
        if options.get("dealing", dealing) != dealing:
            raise Refused(Code.BAD_ROUND, "dealing", where="dealing")
        options = {**options, "dealing": dealing}
    return rules_for(name, _read_choices(raw, "paytables"), options)


def _read_choices(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    choices = raw.get(key)
    if choices is None:
        return {}
    if not isinstance(choices, Mapping):
        raise Refused(Code.BAD_ROUND, "object", where=key, value=choices)
    if _is_deeper_than(choices, _MAX_DEPTH):
        raise Refused(Code.BAD_ROUND, "nested", where=key)
    return choices


def _is_deeper_than(value: object, levels: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list) and (
        levels == 0 or any(_is_deeper_than(inner, levels - 1) for inner in value)
    )


def _read_meter(raw: Mapping[str, Any]) -> Micros | None:
    meter = raw.get("meter")
    return None if meter is None else parse_meter(meter, "meter")


def _read_id(raw: Mapping[str, Any]) -> str | int | None:
    id = raw.get("id")
    if id is not None and (isinstance(id, bool) or not isinstance(id, str | int)):
        raise Refused(Code.BAD_ROUND, "id", where="id")
    if isinstance(id, int) and id.bit_length() > 300:
        raise Refused(Code.BAD_ROUND, "long_id", where="id", most=MAX_LABEL_CHARACTERS)
    if len(str(id)) > MAX_LABEL_CHARACTERS or not str(id).isprintable():
        raise Refused(Code.BAD_ROUND, "long_id", where="id", most=MAX_LABEL_CHARACTERS)
    return id


def _read_number(raw: Mapping[str, Any]) -> int:
    number = raw.get("round", 1)
    if type(number) is not int or number < 1 or number > 10**12:
        raise Refused(Code.BAD_ROUND, "number", where="round", value=number)
    return number


def _check_numbers(plays: tuple[SeatPlay, ...], rules: TableRules) -> None:
    seen: set[int] = set()
    for play in plays:
        if not 1 <= play.seat <= rules.book.seats:
            raise Refused(Code.BAD_SEATS, "numbered", seat=play.seat, seats=rules.book.seats)
        if play.seat in seen:
            raise Refused(Code.BAD_SEATS, "twice", seat=play.seat)
        seen.add(play.seat)


def _check_positions(plays: tuple[SeatPlay, ...], rules: TableRules) -> None:
    """Where the document itself forbids a player several positions (New York (c)(6)), or where it
    is said how many (R11): a round that says nothing may come from any table."""
    option = rules.book.options["positions_per_player"]
    allowed = rules.options["positions_per_player"]
    said = any(key == "options.positions_per_player" for key, _ in rules.chosen)
    if option.open and not said:
        return
    for player, held in Counter(play.player for play in plays if play.player).items():
        if held > allowed:
            raise Refused(
                Code.ONE_POSITION, "round", player=player, allowed=allowed, clause=option.clause
            )
