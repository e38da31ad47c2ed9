"""One seat of a round's text: its cards, stakes, decision and player."""

from collections.abc import Mapping
from typing import Any

from headsup.game.notation.cards import read_cards
from headsup.game.notation.irregularities import check_keys
from headsup.game.refusal import Code, Refused, show_value
from headsup.game.round.coupons import refuse_coupons, sort_coupons
from headsup.game.round.decision import HAS_FOLDED, UNDECIDED, Decision, HasRaised
from headsup.game.round.stakes import refuse_raise, refuse_stakes
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.settlement import SeatPlay
from headsup.game.values.amounts import parse_cents

SEAT_STAKES = (Wager.ANTE, Wager.ODDS, *SIDE_WAGERS)
SEAT_KEYS = {"seat", "hole", "raise", "fold", "auto", "player", "coupons", *SEAT_STAKES}
SEAT_REMARKS = {"note"}
_SEAT_WORDS = SEAT_KEYS | SEAT_REMARKS
_STREETS = frozenset(Street)
MAX_LABEL_CHARACTERS = 100


def read_seat(
    raw: object, number: int, rules: TableRules, undealt: bool, may_be_open: bool
) -> SeatPlay:
    """`number` is its place in the list, and the seat's own where none is said."""
    if not isinstance(raw, Mapping):
        raise Refused(Code.BAD_SEATS, "object", where=f"seats[{number}]", value=raw)
    seat = raw.get("seat", number)
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise Refused(Code.BAD_SEATS, "number", where=f"seats[{number}]", value=seat)
    where = f"seat {show_value(seat)}"
    check_keys(raw, _SEAT_WORDS, where)
    if not isinstance(raw.get("auto", False), bool):
        raise Refused(Code.BAD_DECISION, "flag", where=where, key="auto")
    hole = () if undealt else read_cards(raw, "hole", 2, f"{where}: hole")
    stakes = {
        wager: parse_cents(raw[wager], f"{where}: {wager}")
        for wager in SEAT_STAKES
        if raw.get(wager) is not None
    }
    if unfit := refuse_stakes(rules, stakes):
        raise Refused.of(unfit.within(where))
    decision = _read_decision(raw, rules, where, may_be_open)
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
    if unfit := refuse_coupons(rules, stakes, coupons):
        raise Refused.of(unfit.within(where))
    return sort_coupons(coupons)


def _read_player(raw: Mapping[str, Any], where: str) -> str:
    player = raw.get("player")
    if player is None:
        return ""
    if not isinstance(player, str) or not player.isprintable() or not player:
        raise Refused(Code.BAD_SEATS, "player", where=where, value=player)
    # As at a table: two spellings of one name would be two players, with a cap each.
    if player != player.strip():
        raise Refused(Code.BAD_SEATS, "player", where=where, value=player)
    if len(player) > MAX_LABEL_CHARACTERS:
        raise Refused(Code.BAD_SEATS, "long_player", where=where, most=MAX_LABEL_CHARACTERS)
    return player


def _read_decision(
    raw: Mapping[str, Any], rules: TableRules, where: str, may_be_open: bool
) -> Decision:
    fold, raised = raw.get("fold", False), raw.get("raise")
    if not isinstance(fold, bool):
        raise Refused(Code.BAD_DECISION, "flag", where=where, key="fold")
    if may_be_open and not fold and raised is None:
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
    if unfit := refuse_raise(rules, Street(street), multiple):
        raise Refused.of(unfit.within(where))
    return HasRaised(Street(street), multiple)
