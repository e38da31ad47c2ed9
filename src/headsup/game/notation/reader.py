"""Reads finished rounds that people and programs write in JSON or TOML."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from headsup.game.notation.model import TURNED_OVER, FinishedRound, WrittenReport, WrittenRound
from headsup.game.notation.transcript import finish_round
from headsup.game.refusal import Code, Refused, closest_name, show_value
from headsup.game.round.commands import ReportIrregularity
from headsup.game.round.dealing import deal_cards, deal_order
from headsup.game.round.decision import HAS_FOLDED, UNDECIDED, Decision, HasRaised
from headsup.game.round.stakes import refuse_coupons, refuse_raise, refuse_stakes
from headsup.game.round.state import Phase
from headsup.game.rulebook.loader import SHIPPED_BOOKS, is_recordable, load_book
from headsup.game.rulebook.model import Cause, Resolution, RuleBook
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.settlement import Deal, SeatPlay
from headsup.game.values.amounts import parse_cents, parse_meter
from headsup.game.values.cards import UnreadableCards, card_name, format_cards, parse_cards
from headsup.game.values.money import Micros

# Cards.

_MAX_CARD_TEXT, _MAX_DECK_TEXT = 200, 400


def read_cards(raw: Mapping[str, Any], key: str, count: int, where: str) -> tuple[int, ...]:
    cards = _read_any_cards(raw, key, count, where)
    if len(cards) != count:
        raise Refused(Code.WRONG_CARD_COUNT, where=where, count=count, given=len(cards))
    return cards


def _read_any_cards(raw: Mapping[str, Any], key: str, count: int, where: str) -> tuple[int, ...]:
    """The cards, however many; `count` should be there."""
    text = raw.get(key)
    if text is None:
        raise Refused(Code.MISSING_CARDS, where=where, count=count)
    if isinstance(text, list) and all(isinstance(card, str) for card in text):
        text = " ".join(text)
    if not isinstance(text, str):
        raise Refused(Code.UNKNOWN_CARD, "not_text", where=where)
    if len(text) > (_MAX_DECK_TEXT if count == 52 else _MAX_CARD_TEXT):
        raise Refused(Code.UNKNOWN_CARD, "long", where=where, count=count)
    try:
        return parse_cards(text)
    except UnreadableCards as error:
        raise Refused(Code.UNKNOWN_CARD, "unreadable", where=where, reason=str(error)) from None


def read_deck(raw: Mapping[str, Any]) -> tuple[int, ...]:
    """All 52 cards in order, or none if no deck is given."""
    if raw.get("deck") is None:
        return ()
    deck = read_cards(raw, "deck", 52, "deck")
    for card in deck:
        if deck.count(card) > 1:
            raise Refused(Code.DUPLICATE_CARD, "deck", where="deck", card=card_name(card))
    return deck


def fill_in_cards(
    deck: tuple[int, ...],
    raw: Mapping[str, Any],
    rules: TableRules,
    reports: Sequence[WrittenReport],
) -> Mapping[str, Any]:
    """The round with all cards filled in from the deck. Cards that are given must match it."""
    seats = raw.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, Mapping) for seat in seats):
        return raw
    numbers = [seat.get("seat", number) for number, seat in enumerate(seats, 1)]
    known = range(1, rules.book.seats + 1)
    if not all(type(number) is int and number in known for number in numbers):
        return raw
    undealt = undealt_seats(reports)
    dealt = tuple(number for number in numbers if number not in undealt)
    deal, holes = deal_cards(deck, deal_order(rules.dealing, dealt, rules.offers(Wager.ALL_6)))
    deck_cards = {"dealer": deal.dealer, "board": deal.board, "all_6": deal.all_6}
    shared = {key: _match_deck(raw, key, cards, key) for key, cards in deck_cards.items() if cards}
    seats = [
        {**seat, "hole": _match_deck(seat, "hole", holes[number], f"seat {number}: hole")}
        if number in holes
        else seat
        for seat, number in zip(seats, numbers, strict=True)
    ]
    return {**raw, **shared, "seats": seats}


def _match_deck(raw: Mapping[str, Any], key: str, cards: tuple[int, ...], where: str) -> str:
    if raw.get(key) is not None:
        given = read_cards(raw, key, len(cards), where)
        if sorted(given) != sorted(cards):
            named, dealt = format_cards(given), format_cards(cards)
            raise Refused(Code.DECK_DIFFERS, where=where, there=named, deck=dealt)
    return format_cards(cards)


def has_no_cards(raw: Mapping[str, Any]) -> bool:
    """Whether no cards are given. A seat's `all_6` is a wager, not cards."""
    if any(raw.get(key) is not None for key in ("dealer", "board", "all_6")):
        return False
    seats = raw.get("seats")
    return not isinstance(seats, list) or not any(
        isinstance(seat, Mapping) and seat.get("hole") is not None for seat in seats
    )


def read_all_6(raw: Mapping[str, Any], rules: TableRules) -> tuple[int, ...]:
    if raw.get("all_6") is None:
        return ()
    if not rules.offers(Wager.ALL_6):
        raise Refused(Code.WAGER_NOT_OFFERED, "all_6", where="all_6", rules=rules.id)
    return read_cards(raw, "all_6", 4, "all_6")


def check_duplicates(deal: Deal, plays: tuple[SeatPlay, ...]) -> None:
    dealt = {"the dealer's hand": deal.dealer, "the board": deal.board, "all_6": deal.all_6}
    dealt |= {f"seat {play.seat}": play.hole for play in plays}
    seen: dict[int, str] = {}
    for place, cards in dealt.items():
        for card in cards:
            if card in seen:
                raise _duplicate_error(card_name(card), seen[card], place)
            seen[card] = place


def _duplicate_error(card: str, first: str, second: str) -> Refused:
    if first == second:
        return Refused(Code.DUPLICATE_CARD, "in_one_place", card=card, place=first)
    return Refused(Code.DUPLICATE_CARD, "named_twice", card=card, first=first, second=second)


# Seats.

SEAT_STAKES = (Wager.ANTE, Wager.ODDS, *SIDE_WAGERS)
SEAT_KEYS = {"seat", "hole", "raise", "fold", "auto", "player", "coupons", *SEAT_STAKES}
SEAT_REMARKS = {"note"}
_SEAT_WORDS = SEAT_KEYS | SEAT_REMARKS
_STREETS = frozenset(Street)
MAX_LABEL_CHARACTERS = 100


def read_seat(
    raw: object,
    number: int,
    rules: TableRules,
    undealt: bool,
    reports: Sequence[WrittenReport],
    turned_over: bool = False,
) -> SeatPlay:
    """Read one seat. `number` is its place in the list, and its seat number by default."""
    if not isinstance(raw, Mapping):
        raise Refused(Code.BAD_SEATS, "object", where=f"seats[{number}]", value=raw)
    seat = raw.get("seat", number)
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise Refused(Code.BAD_SEATS, "number", where=f"seats[{number}]", value=seat)
    where = f"seat {show_value(seat)}"
    check_keys(raw, _SEAT_WORDS, where)
    if not isinstance(raw.get("auto", False), bool):
        raise Refused(Code.BAD_DECISION, "flag", where=where, key="auto")
    no_cards = undealt or seat in undealt_seats(reports)
    if turned_over and raw.get("hole") is None:
        no_cards = True  # no wager needed the hand, or the round ended before it was turned over
    hole = () if no_cards else read_cards(raw, "hole", 2, f"{where}: hole")
    stakes = {
        wager: parse_cents(raw[wager], f"{where}: {wager}")
        for wager in SEAT_STAKES
        if raw.get(wager) is not None
    }
    if refused := refuse_stakes(rules, stakes):
        raise Refused.of(refused.within(where))
    decision = _read_decision(raw, rules, where, may_be_undecided=bool(reports))
    return SeatPlay(
        *(seat, hole, stakes, decision),
        player=_read_player(raw, where),
        coupons=_read_coupons(raw, rules, stakes, where),
    )


def _read_coupons(
    raw: Mapping[str, Any], rules: TableRules, stakes: Mapping[Wager, int], where: str
) -> tuple[Wager, ...]:
    """Which stakes are promotional coupons (R12)."""
    named = raw.get("coupons", [])
    if not isinstance(named, list) or not all(name in tuple(Wager) for name in named):
        raise Refused(Code.NO_COUPONS, "list", where=where)
    coupons = tuple(Wager(name) for name in named)
    if refused := refuse_coupons(rules, stakes, coupons):
        raise Refused.of(refused.within(where))
    return tuple(wager for wager in Wager if wager in coupons)


def _read_player(raw: Mapping[str, Any], where: str) -> str:
    player = raw.get("player")
    if player is None:
        return ""
    if not isinstance(player, str) or not player.isprintable() or not player:
        raise Refused(Code.BAD_SEATS, "player", where=where, value=player)
    # Two spellings of one name would be two players with a cap each.
    if player != player.strip():
        raise Refused(Code.BAD_SEATS, "player", where=where, value=player)
    if len(player) > MAX_LABEL_CHARACTERS:
        raise Refused(Code.BAD_SEATS, "long_player", where=where, most=MAX_LABEL_CHARACTERS)
    return player


def _read_decision(
    raw: Mapping[str, Any], rules: TableRules, where: str, may_be_undecided: bool
) -> Decision:
    fold, raised = raw.get("fold", False), raw.get("raise")
    if not isinstance(fold, bool):
        raise Refused(Code.BAD_DECISION, "flag", where=where, key="fold")
    if may_be_undecided and not fold and raised is None:
        return UNDECIDED
    if fold and raised is not None:
        raise Refused(Code.BAD_DECISION, "both", where=where)
    if fold:
        return HAS_FOLDED
    if raised is None:
        raise Refused(Code.BAD_DECISION, "neither", where=where)
    return _read_raise(raised, rules, where)


def _read_raise(raised: object, rules: TableRules, where: str) -> HasRaised:
    if not isinstance(raised, Mapping) or set(raised) != {"street", "multiple"}:
        raise Refused(Code.BAD_DECISION, "raise", where=where)
    street, multiple = raised["street"], raised["multiple"]
    if not isinstance(street, str) or street not in _STREETS:
        raise Refused(Code.BAD_DECISION, "street", where=f"{where}: raise", streets=tuple(Street))
    if isinstance(multiple, bool) or not isinstance(multiple, int):
        raise Refused(Code.BAD_DECISION, "multiple", where=f"{where}: raise", value=multiple)
    if refused := refuse_raise(rules, Street(street), multiple):
        raise Refused.of(refused.within(where))
    return HasRaised(Street(street), multiple)


# Irregularities.

W = TypeVar("W", Cause, Resolution)


def check_keys(raw: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in raw:
        if key not in known:
            near = closest_name(key, known)
            raise Refused(Code.UNKNOWN_KEY, "round", where=where, key=key, near=near)


def read_text(raw: Mapping[str, Any], key: str, where: str, default: str = "") -> str:
    text = raw.get(key, default)
    if not isinstance(text, str) or len(text) > 1000:
        raise Refused(Code.BAD_ROUND, "text", where=where, key=key, value=text)
    return text


_REPORT_KEYS = {"cause", "seat", "resolution", "dealer", "supervisor", "note", "at"}


def read_reports(raw: Mapping[str, Any]) -> tuple[WrittenReport, ...]:
    """The reports under `irregularity`: one, or a list in the order they were made."""
    reports = raw.get("irregularity")
    if reports is None:
        return ()
    items = reports if isinstance(reports, list) else [reports]
    return tuple(_read_report(item) for item in items)


def _read_report(raw: object) -> WrittenReport:
    where = "irregularity"
    if not isinstance(raw, Mapping):
        raise Refused(Code.BAD_IRREGULARITY, where=where, value=raw)
    check_keys(raw, _REPORT_KEYS, where)
    phase, seat = raw.get("at"), raw.get("seat")
    if not isinstance(phase, str) or phase not in set(Phase):
        raise Refused(Code.BAD_IRREGULARITY, "at", where=where, known=tuple(Phase), value=phase)
    if seat is not None and type(seat) is not int:
        raise Refused(Code.BAD_IRREGULARITY, "seat", where=where, value=seat)
    texts = {key: read_text(raw, key, where) for key in ("dealer", "supervisor", "note")}
    raw_cause, raw_resolution = raw.get("cause"), raw.get("resolution", "void")
    cause, resolution = _find_member(Cause, raw_cause), _find_member(Resolution, raw_resolution)
    if cause is None:
        known = tuple(Cause)
        raise Refused(Code.UNKNOWN_IRREGULARITY, "read", where=where, known=known, cause=raw_cause)
    if resolution is None:
        raise Refused(
            Code.BAD_RESOLUTION,
            "read",
            where=where,
            known=tuple(Resolution),
            resolution=raw_resolution,
        )
    return WrittenReport(
        Phase(phase), ReportIrregularity(cause, seat=seat, resolution=resolution, **texts)
    )


def undealt_seats(reports: Sequence[WrittenReport]) -> frozenset[int | None]:
    """The seats whose hands were void before the deal, which therefore got no cards."""
    return frozenset(written.report.seat for written in reports if written.at is Phase.NO_MORE_BETS)


def _find_member(enum: type[W], text: object) -> W | None:
    return next((member for member in enum if type(text) is str and text == member), None)


ROUND_KEYS = {
    *("rules", "paytables", "options", "meter", "dealer", "board", "all_6", "seats"),
    *("dealing", "deck", "cards", "irregularity"),
}
ROUND_REMARKS = {"id", "note", "table", "round"}
_ROUND_WORDS = ROUND_KEYS | ROUND_REMARKS
# Options are only four deep (options, bonus, wager, outcome).
_MAX_DEPTH = 8

RulesFor = Callable[[str, Mapping[str, Any], Mapping[str, Any]], TableRules]


class RulesCache:
    """Loads each rule book of a batch only once. The choices of each round are still checked."""

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
    """Read and check one round completely. The first mistake is refused."""
    written = read_written_round(raw, rules_for, default_rules)
    must_play = written.reports or written.turned_over
    return finish_round(written) if must_play else written.finished


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
        raw = fill_in_cards(deck, raw, rules, reports)
    turned_over = _read_turned_over(raw, deck)
    undealt = bool(reports) and has_no_cards(raw)
    deal = Deal((), ())
    if turned_over:
        deal = _read_open_cards(raw, rules)
    elif not undealt:
        deal = Deal(
            dealer=read_cards(raw, "dealer", 2, "dealer"),
            board=read_cards(raw, "board", 5, "board"),
            all_6=read_all_6(raw, rules),
        )
    seats = raw.get("seats")
    if not isinstance(seats, list) or not seats:
        raise Refused(Code.BAD_SEATS, where="seats")
    plays = tuple(
        read_seat(seat, number, rules, undealt, reports, turned_over)
        for number, seat in enumerate(seats, 1)
    )
    _check_numbers(plays, rules)
    _check_positions(plays, rules)
    check_duplicates(deal, plays)
    needs_all_6 = not undealt and not turned_over
    if needs_all_6 and not deal.all_6 and any(Wager.ALL_6 in play.stakes for play in plays):
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
        turned_over=turned_over,
    )


def _read_turned_over(raw: Mapping[str, Any], deck: tuple[int, ...]) -> bool:
    cards = raw.get("cards")
    if cards is None:
        return False
    if cards != TURNED_OVER or deck:
        raise Refused(Code.BAD_ROUND, "cards", where="cards", known=TURNED_OVER, value=cards)
    return True


def _read_open_cards(raw: Mapping[str, Any], rules: TableRules) -> Deal:
    """The cards that were turned over. Those that are missing never were."""
    dealer, board = raw.get("dealer"), raw.get("board")
    only_flop = board is not None and len(_read_any_cards(raw, "board", 5, "board")) == 3
    return Deal(
        dealer=() if dealer is None else read_cards(raw, "dealer", 2, "dealer"),
        board=() if board is None else read_cards(raw, "board", 3 if only_flop else 5, "board"),
        all_6=read_all_6(raw, rules),
    )


def _read_rules(raw: Mapping[str, Any], rules_for: RulesFor, default_rules: str) -> TableRules:
    name = raw.get("rules", default_rules)
    # A house's own book is exported as its whole text.
    if not isinstance(name, str) or not (name.isprintable() or is_recordable(name)):
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
    """Refuse a player with too many positions, if the document limits them (New York (c)(6)) or the
    round chooses how many (R11). Otherwise the round may come from a table that allows several."""
    option = rules.book.options["positions_per_player"]
    allowed = rules.options["positions_per_player"]
    is_chosen = any(key == "options.positions_per_player" for key, _ in rules.chosen)
    if option.open and not is_chosen:
        return
    for player, count in Counter(play.player for play in plays if play.player).items():
        if count > allowed:
            raise Refused(
                Code.ONE_POSITION, "round", player=player, allowed=allowed, clause=option.clause
            )
