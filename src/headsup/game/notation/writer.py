"""Writes a finished round as TOML for people; `notation.reader` reads it back.

It has the keys that `settle` accepts, and the whole deck, so that the round can be played again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, assert_never

from headsup.game.notation.model import TURNED_OVER, WrittenReport
from headsup.game.refusal import Code, Refused
from headsup.game.round.decision import HAS_FOLDED, HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.state import Phase, Round, Seat
from headsup.game.rulebook.model import PAYTABLE_KEYS, Limit, PayKind
from headsup.game.rulebook.options import write_option
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.settlement import SeatSettlement
from headsup.game.values.cards import card_name, format_cards
from headsup.game.values.hands import hand_name
from headsup.game.values.money import format_cents, format_micros, show_dollars
from headsup.game.values.safe_parse import quote_toml


def write_round(
    round: Round,
    reports: Sequence[WrittenReport] = (),
    rules_name: str = "",
    table: str = "",
    players: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """The text of a settled round.

    Pass `rules_name` if the book came from a file, and `players` if one holds several seats, which
    share a cap.
    """
    if round.phase not in (Phase.SETTLED, Phase.CLOSED) or round.settlement is None:
        raise Refused(Code.ROUND_OPEN, "unsettled")
    rules = round.rules
    blocks = [
        _align_pairs(_opening_pairs(round, rules_name or rules.id, table)),
        _align_pairs(_card_pairs(round)),
        _deck_block(round.deck),
        _table_block("paytables", _paytable_pairs(rules)),
        _table_block("options", _option_pairs(rules)),
    ]
    results = {result.seat: result for result in round.settlement.seats}
    for number, seat in sorted(round.seats.items()):
        blocks.append(
            _seat_block(number, seat, results[number], _multi_seat_players(players).get(number, ""))
        )
    heading = "[irregularity]" if len(reports) == 1 else "[[irregularity]]"
    blocks += [f"{heading}\n{_align_pairs(_report_pairs(report))}" for report in reports]
    return "\n\n".join(block for block in blocks if block) + "\n"


Pairs = Iterator[tuple[str, Any]]


def _opening_pairs(round: Round, rules_name: str, table: str) -> Pairs:
    yield "rules", rules_name
    if table:
        yield "table", table
    yield "round", round.number
    yield "dealing", round.rules.dealing
    if round.felt is not None:
        yield "cards", TURNED_OVER
    settlement = round.settlement
    if settlement is not None and settlement.meter_before is not None:
        yield "meter", format_micros(settlement.meter_before)


def _card_pairs(round: Round) -> Pairs:
    deal = round.deal
    for place, cards in (("dealer", deal.dealer), ("board", deal.board), ("all_6", deal.all_6)):
        if cards:
            yield place, format_cards(cards)


def _deck_block(deck: tuple[int, ...]) -> str:
    """Four rows of thirteen, the top of the deck first."""
    rows = [" ".join(card_name(card) for card in deck[i : i + 13]) for i in range(0, len(deck), 13)]
    return 'deck = """\n' + "\n".join(rows) + '"""' if rows else ""


def _multi_seat_players(players: Mapping[int, str]) -> dict[int, str]:
    """Only the players who hold several seats; other names stay private."""
    counts = Counter(players.values())
    return {number: name for number, name in players.items() if counts[name] > 1}


def _seat_block(number: int, seat: Seat, result: SeatSettlement, player: str) -> str:
    pairs = _align_pairs(_seat_pairs(number, seat, player))
    return f"[[seats]]  # {_outcome(seat, result)}\n{pairs}"


def _outcome(seat: Seat, result: SeatSettlement) -> str:
    """The result, as a comment for people."""
    hand = hand_name(result.strength) if result.strength else "no hand"
    if seat.void is not None:
        hand = f"void, {seat.void.cause.words}"
    elif seat.decision == HAS_FOLDED:
        hand += ", folded"
    sign = "+" if result.net > 0 else ""
    return f"{hand}; {sign}{show_dollars(result.net)}"


def _seat_pairs(number: int, seat: Seat, player: str) -> Pairs:
    yield "seat", number
    if player:
        yield "player", player
    if seat.hole:
        yield "hole", format_cards(seat.hole)
    for wager, cents in seat.stakes.items():
        yield wager.value, format_cents(cents)
    if seat.coupons:
        yield "coupons", [wager.value for wager in seat.coupons]
    match seat.decision:
        case HasRaised(street, multiple):
            yield "raise", {"street": street.value, "multiple": multiple}
        case HasFolded():
            yield "fold", True
        case HasChecked() | Undecided():
            pass
        case _:
            assert_never(seat.decision)
    if seat.auto:
        yield "auto", True


def _report_pairs(written: WrittenReport) -> Pairs:
    phase, report = written
    yield "at", phase.value
    yield "cause", report.cause.value
    if report.seat is not None:
        yield "seat", report.seat
    yield "resolution", report.resolution.value
    yield "dealer", report.dealer
    yield "supervisor", report.supervisor
    if report.note:
        yield "note", report.note


# Rules: the choices, in the form in which they can be made again.


def _paytable_pairs(rules: TableRules) -> Pairs:
    for key in PAYTABLE_KEYS:
        if key in rules.paytables:
            yield key, rules.paytables[key].id
        elif rules.book.choices.get(key, "none") != "none":
            yield key, "none"


def _option_pairs(rules: TableRules) -> Pairs:
    for key, option in rules.book.options.items():
        value = rules.options[key]
        if value != option.value and key != "dealing":
            yield key, write_option(key, value)
    limits = {
        wager.value: _limit(limit)
        for wager, limit in rules.limits.items()
        if rules.book.limits.get(wager) != limit
    }
    if limits:
        yield "limits", limits
    bonus = {key: cells for key in rules.paytables if (cells := _filled_bonus_cells(rules, key))}
    if bonus:
        yield "bonus", bonus


def _limit(limit: Limit) -> dict[str, str]:
    bounds = {"min": limit.min, "max": limit.max, "step": limit.step}
    return {name: format_cents(cents) for name, cents in bounds.items() if cents}


def _filled_bonus_cells(rules: TableRules, key: str) -> dict[str, str]:
    """The operator's pays for Bonus cells."""
    table = rules.paytables[key]
    printed = rules.book.tables_of(key)[table.id].pays
    return {
        row.outcome: row.pay.printed
        for row in table.rows
        if printed[row.outcome].kind is PayKind.BONUS
        and row.pay.kind is not PayKind.BONUS
        and row.pay.printed
    }


# TOML.


def _table_block(name: str, pairs: Pairs) -> str:
    lines = _align_pairs(pairs)
    return f"[{name}]\n{lines}" if lines else ""


def _align_pairs(pairs: Pairs) -> str:
    rows = list(pairs)
    width = max((len(key) for key, _ in rows), default=0)
    return "\n".join(f"{key.ljust(width)} = {toml_value(value)}" for key, value in rows)


def toml_value(value: Any) -> str:
    """One value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return quote_toml(value)
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    raise TypeError(f"cannot write {type(value).__name__} as TOML")
