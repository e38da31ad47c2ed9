"""One finished round in a line, so that a test reads like the clause it is named after.

Stakes and nets are dollars. The Ante and the Odds are $10 and the Raise 1× on the river unless
a test says otherwise; a test names a side wager to place it.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

import pytest

from headsup.game.notation.reader import RulesCache, read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.settlement import settle

Dollars: TypeAlias = Decimal | float
Choices: TypeAlias = Mapping[str, object]
RIVER_1X = ("river", 1)
_TABLES = RulesCache()


class Cards(NamedTuple):
    hole: str
    board: str
    dealer: str


# The player wins with each hand; from a pair up the dealer holds a pair or better.
WIN = {
    "high_card": Cards("As Th", "Kd 9c 7h 5s 2d", "Qc Jh"),
    "one_pair": Cards("As Kh", "Kd 9c 7h 5s 2d", "9h Qc"),
    "two_pair": Cards("Kh 9s", "Kd 9c 7h 5s 2d", "9h Qc"),
    "three_of_a_kind": Cards("9h 9s", "Kd 9c 7h 5s 2d", "Kh Qc"),
    "straight": Cards("8h 6s", "Kd 9c 7h 5s 2d", "Kh Qc"),
    "flush": Cards("Ad Td", "Kd 9d 7d 5s 2c", "Kh Qc"),
    "full_house": Cards("7c 7s", "Kd Kc 7h 5s 2d", "Ah Kh"),
    "four_of_a_kind": Cards("Kh Ks", "Kd Kc 7h 5s 2d", "7c 7s"),
    "straight_flush": Cards("6d 5d", "9d 8d 7d 5s 2c", "Ad Kd"),
    "royal_flush": Cards("Ad Td", "Kd Qd Jd 5s 2c", "Kh Ks"),
}
# The player loses with each hand to a dealer with a pair or better.
LOSE = {
    "high_card": Cards("As Th", "Kd 9c 7h 5s 2d", "9h Qc"),
    "one_pair": Cards("9h Qc", "Kd 9c 7h 5s 2d", "As Kh"),
    "two_pair": Cards("9h 7s", "Kd 9c 7h 5s 2d", "Kh 9s"),
    "three_of_a_kind": Cards("9h 9s", "Kd 9c 7h 5s 2d", "Kh Ks"),
    "straight": Cards("6h 5s", "9c 8d 7h 2s 2d", "Jh Ts"),
    "flush": Cards("6d 3d", "Kd 9d 7d 5s 2c", "Ad Td"),
    "full_house": Cards("5h 5c", "Kd Kc 7h 5s 2d", "7c 7s"),
    "four_of_a_kind": Cards("7c 7d", "9c 9d 7h 7s 2d", "9h 9s"),
    "straight_flush": Cards("6d 5d", "9d 8d 7d 2s 2c", "Jd Td"),
}
# Copies: two pairs of kings with an ace, and hands that are all on the board.
TIE = {
    "one_pair": Cards("As Kh", "Kd 9c 7h 5s 2d", "Ac Ks"),
    "straight": Cards("2c 2h", "9c 8d 7h 6s 5d", "3c 3h"),
    "royal_flush": Cards("2c 2d", "Ah Kh Qh Jh Th", "3c 3d"),
}
# The dealer has no pair.
NOT_QUALIFIED = {
    "player wins": Cards("As Th", "Kd 9c 7h 5s 2d", "Qc Jh"),
    "player wins with a straight": Cards("6h 5s", "9c 8d 7h 3s 2d", "Ac Qh"),
    "player loses": Cards("Js Th", "Kd 9c 7h 5s 2d", "Ac Qh"),
    "copy": Cards("As Qd", "Kd 9c 7h 5s 2d", "Ac Qh"),
}
# Progressive hands; "royal_flush" is completed on the river, with both hole cards.
PROGRESSIVE = {
    "flopped_royal_flush_in_spades": Cards("As Ks", "Qs Js Ts 4d 2c", "9h 9c"),
    "flopped_royal_flush": Cards("Ah Kh", "Qh Jh Th 4d 2c", "9s 9c"),
    "royal_flush": Cards("As Ks", "Qs Js 2c 4d Ts", "9h 9c"),
    "community_royal_flush": TIE["royal_flush"],
    "straight_flush": Cards("6d 5d", "9d 8d 2c 5s 7d", "Ad Kd"),
    "four_of_a_kind": WIN["four_of_a_kind"],
    "full_house": WIN["full_house"],
    "flush": WIN["flush"],
    "straight": WIN["straight"],
}
POCKETS = {
    "pair_of_aces": "Ac Ad",
    "suited_ace_face": "Ac Jc",
    "unsuited_ace_face": "Ac Kd",
    "pair": "2c 2h",
}


class Settled(NamedTuple):
    """The net of each wager of one seat, and why."""

    nets: Mapping[str, Dollars]
    results: Mapping[str, str]
    outcomes: Mapping[str, str]
    clauses: Mapping[str, str]
    shortfalls: Mapping[str, Dollars]
    breakages: Mapping[str, Dollars]
    total: Dollars

    @property
    def main(self) -> object:
        """Ante, Odds and Raise, to compare with a tuple."""
        return self.nets["ante"], self.nets["odds"], self.nets["raise"]


class Table(NamedTuple):
    seats: Mapping[int, Settled]
    meter: Dollars | None
    dealer_qualifies: bool | None


def seat(
    number: int,
    hole: str,
    raise_: tuple[str, int] | None = RIVER_1X,
    ante: object = 10,
    odds: object = None,
    **sides: object,
) -> dict[str, Any]:
    """One seat of a round. Without a raise it folds; the Odds equal the Ante."""
    decision: dict[str, Any] = {"fold": True}
    if raise_ is not None:
        decision = {"raise": {"street": raise_[0], "multiple": raise_[1]}}
    stakes = {"ante": ante, "odds": ante if odds is None else odds, **sides}
    return {"seat": number, "hole": hole, **stakes, **decision}


def settled_table(
    rules: str,
    seats: Iterable[Mapping[str, Any]],
    *,
    board: str,
    dealer: str,
    paytables: Choices | None = None,
    options: Choices | None = None,
    meter: object = None,
    packet: str | None = None,
) -> Table:
    raw: dict[str, Any] = {"rules": rules, "paytables": paytables, "options": options}
    raw |= {"board": board, "dealer": dealer, "meter": meter, "all_6": packet}
    played = read_round({**raw, "seats": list(seats)}, _TABLES)
    written = write_settlement(
        played, settle(played.rules, played.deal, played.plays, played.meter)
    )
    meter_after = Decimal(written["meter"]["after"]) if written["meter"] else None
    by_number = {one["seat"]: _settled_seat(one) for one in written["seats"]}
    return Table(by_number, meter_after, written["dealer"]["qualifies"])


def settled(
    rules: str,
    cards: Cards,
    raise_: tuple[str, int] | None = RIVER_1X,
    *,
    paytables: Choices | None = None,
    options: Choices | None = None,
    meter: object = None,
    packet: str | None = None,
    **stakes: object,
) -> Settled:
    """Settle a round of one seat."""
    table = settled_table(
        rules,
        [seat(1, cards.hole, raise_, **stakes)],
        board=cards.board,
        dealer=cards.dealer,
        paytables=paytables,
        options=options,
        meter=meter,
        packet=packet,
    )
    return table.seats[1]


def _settled_seat(written: Mapping[str, Any]) -> Settled:
    lines: Mapping[str, Mapping[str, str]] = written["wagers"]
    return Settled(
        nets={wager: Decimal(line["net"]) for wager, line in lines.items()},
        results={wager: line["result"] for wager, line in lines.items()},
        outcomes={wager: line["outcome"] for wager, line in lines.items()},
        clauses={wager: line["clause"] for wager, line in lines.items()},
        shortfalls=_amounts(lines, "shortfall"),
        breakages=_amounts(lines, "breakage"),
        total=Decimal(written["net"]),
    )


def _amounts(lines: Mapping[str, Mapping[str, str]], key: str) -> dict[str, Dollars]:
    return {wager: Decimal(line[key]) for wager, line in lines.items() if key in line}


def refused(
    rules: str,
    cards: Cards = WIN["one_pair"],
    raise_: tuple[str, int] | None = RIVER_1X,
    **more: Any,
) -> Refused:
    """The refusal of a round that cannot be settled."""
    with pytest.raises(Refused) as refusal:
        settled(rules, cards, raise_, **more)
    return refusal.value


def refused_rules(
    rules: str, paytables: Choices | None = None, options: Choices | None = None
) -> Refused:
    """The refusal of a table that cannot open."""
    with pytest.raises(Refused) as refusal:
        table_rules(rules, paytables, options)
    return refusal.value


def paid(
    rules: str, wager: str, paytable: str, hands: Mapping[str, Cards], **more: Any
) -> dict[str, Dollars]:
    """What $1 on this wager nets with each hand, under one paytable."""
    stake: dict[str, Any] = {"ante": 1} if wager in ("odds", "bad_beat") else {wager: 1}
    line = "odds" if wager == "bad_beat" else wager
    return {
        outcome: settled(rules, cards, paytables={wager: paytable}, **stake, **more).nets[line]
        for outcome, cards in hands.items()
    }


def pocket_hands() -> dict[str, Cards]:
    return {outcome: Cards(hole, "Qs 9c 7h 5s 3d", "8h 8d") for outcome, hole in POCKETS.items()}


def column(printed: Mapping[str, tuple[Dollars, ...]], number: int) -> dict[str, Dollars]:
    """One paytable of a table that prints several side by side."""
    return {outcome: pays[number] for outcome, pays in printed.items()}
