"""A settlement for every outcome of every paytable of every rule book.

The rows come from the printed transcription, never from headsup's own tables: cards that make the
outcome are dealt, and the net must be what the printed cell says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from headsup.game.notation.reader import RulesCache, read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.settlement import settle
from tests.oracles.printed import PrintedTable, printed_tables
from tests.oracles.settlement import read_cell

memory = RulesCache()

METER = "123456.78"
SIDE_WAGERS = ("trips_plus", "pocket_bonus", "all_6", "progressive")


@dataclass(frozen=True)
class Cards:
    hole: str
    board: str = "Kd 9c 7h 5s 2d"
    dealer: str = "Kh Qc"
    packet: str = ""


# The player's hand wins; the dealer holds a pair or better.
WINS = {
    "royal_flush": Cards("Ac Tc", "Kc Qc Jc 5s 2d", "Kd Ks"),
    "straight_flush": Cards("7c 6c", "Tc 9c 8c 5s 2d", "Ac Kc"),
    "four_of_a_kind": Cards("3h 3s", "3d 3c 7h 5s 2d", "7c 7s"),
    "full_house": Cards("7c 7s", "Kd Kc 7h 5s 2d", "Ah Ks"),
    "flush": Cards("Ad 3d", "Kd 9d 7d 5s 2c"),
    "straight": Cards("8h 6s"),
    "three_of_a_kind": Cards("9h 9s"),
    "two_pair": Cards("Ks 9s"),
    "one_pair": Cards("As Ah"),
    "high_card": Cards("As Th", dealer="Qc Jh"),  # the dealer does not qualify
}
# The player's hand loses; a royal flush cannot.
LOSSES = {
    "straight_flush": Cards("7c 6c", "Tc 9c 8c 2s 2d", "Qc Jc"),
    "four_of_a_kind": Cards("3c 3d", "9c 9d 3h 3s 2d", "9h 9s"),
    "full_house": Cards("5h 5c", "Kd Kc 7h 5s 2d", "7c 7s"),
    "flush": Cards("6d 3d", "Kd 9d 7d 5s 2c", "Ad Td"),
    "straight": Cards("6h 5s", "9c 8d 7h 2s 2d", "Jh Ts"),
    "three_of_a_kind": Cards("9h 9s", dealer="Kh Ks"),
    "two_pair": Cards("9h 7s", dealer="Kh 9s"),
    "one_pair": Cards("9h Qs", dealer="As Ks"),
    "high_card": Cards("As Th", dealer="9h Qs"),
}
# More ways to the same Bad Beat: what beats the hand does not change what it pays.
MORE_LOSSES = {
    "straight flush to a royal flush": (
        "straight_flush",
        Cards("9c 8c", "Qc Jc Tc 2s 2d", "Ac Kc"),
    ),
    "straight flush, steel wheel": ("straight_flush", Cards("Ac 2c", "5c 4c 3c Kd Ks", "7c 6c")),
    "four of a kind to a straight flush": (
        "four_of_a_kind",
        Cards("9d 9h", "Tc 9c 8c 9s 2d", "Jc 7c"),
    ),
    "four of a kind on the board, outkicked": (
        "four_of_a_kind",
        Cards("Kh Qd", "9c 9d 9h 9s 2d", "As 3c"),
    ),
    "full house to four of a kind": ("full_house", Cards("Kh 3s", "Kd Kc 9c 9d 2d", "9h 9s")),
    "flush to a full house": ("flush", Cards("Ad 3d", "Kd 9d 7d Ks 2c", "9h 9s")),
    "straight to a flush": ("straight", Cards("8h 6s", "9d 7d 5d Ks 2c", "Ad 3d")),
    "wheel to a six-high straight": ("straight", Cards("Ac 9s", "2d 3h 4s 5c Kd", "6h 9d")),
}
TWO_CARDS = {
    "pair_of_aces": ("Ac Ad",),
    "suited_ace_face": ("Ah Kh", "Ah Qh", "Jh Ah"),
    "unsuited_ace_face": ("Ah Kc", "Qc Ah", "Ah Jc"),
    "pair": ("2c 2h", "Th Tc", "Kc Kh"),
    "nothing": ("Ah Th", "Ah 9c", "Kh Qh", "Kc Jh", "7h 3c"),
}
SIX_CARDS = {
    "six_card_royal_diamonds": Cards("Ad Kd", packet="Qd Jd Td 9d"),
    "six_card_royal": Cards("As 9s", packet="Qs Js Ts Ks"),
    "five_card_royal": Cards("Ah Kh", packet="Qh Jh Th 9c"),
    "straight_flush": Cards("Kh Qh", packet="Jh Th 9h 8h"),
    "four_of_a_kind": Cards("4c 4d", packet="4h 4s Jh 8h"),
    "full_house": Cards("4c 4d", packet="4h Js Jh 8h"),
    "flush": Cards("Ah 4h", packet="3h Js Jh 8h"),
    "straight": Cards("Ah Kc", packet="Qh Jh Ts 8h"),
    "three_of_a_kind": Cards("4c 4d", packet="4h Js 3h 8h"),
    "two_pair": Cards("4c 4d", packet="Jc Js 3h 8h"),
    "one_pair": Cards("4c 4d", packet="Qc Js 3h 8h"),
    "high_card": Cards("4c Ad", packet="Qc Js 3h 8h"),
}
# Six cards use this board and dealer, which share no card with any of the above.
SIX_BOARD, SIX_DEALER = "2c 2d 5c 6d 7c", "2h 2s"
PROGRESSIVE = {
    "flopped_royal_flush_in_spades": Cards("As Ks", "Qs Js Ts 4h 2d", "3c 3d"),
    "flopped_royal_flush": Cards("Ah Th", "Qh Jh Kh 4s 2d", "3c 3d"),
    "flopped_straight_flush": Cards("8h 9h", "Qh Jh Th 4s 2d", "3c 3d"),
    "royal_flush": Cards("Ah Th", "Qh Jh 4s Kh 2d", "3c 3d"),
    "community_royal_flush": Cards("4c 4d", "Ah Kh Qh Jh Th", "3c 3d"),
    "straight_flush": Cards("8h 9h", "Qh Jh 4s Th 2d", "3c 3d"),
    **{
        category: cards
        for category, cards in WINS.items()
        if category not in ("royal_flush", "straight_flush")
    },
}

BOOKS = {
    "galaxy": "000",
    "galaxy-wpt": "001",
    "new-york": "002",
    "sugarhouse": "003",
    "washington": "004",
    "washington-no-qualifier": "004",
}
# Washington's notes 7–9: what a table without, or with, a qualifier may not use.
UNLAWFUL = {
    ("washington", "HH/OW-1"),
    ("washington-no-qualifier", "HH/OW-2"),
    ("washington-no-qualifier", "HH/OW/BB-1"),
    ("washington-no-qualifier", "HH/OW/BB-2"),
}


@dataclass(frozen=True)
class Row:
    """One outcome under one paytable."""

    book: str
    printed: PrintedTable
    outcome: str
    cards: Cards

    def __str__(self) -> str:
        return f"{self.book} {self.printed.wager} {self.printed.id} {self.outcome}"


def tables(wager: str) -> list[tuple[str, PrintedTable]]:
    return list(_tables(wager))


def _tables(wager: str) -> Iterator[tuple[str, PrintedTable]]:
    for book, document in BOOKS.items():
        for table in printed_tables():
            if (table.document, table.wager) != (document, wager) or table.id == "layout":
                continue
            if (book, table.id) not in UNLAWFUL:
                yield book, table


def rows(wager: str, deals: Mapping[str, Cards]) -> list[Row]:
    return [
        Row(book, table, outcome, cards)
        for book, table in tables(wager)
        for outcome, cards in deals.items()
    ]


def fillings(table: PrintedTable) -> dict[str, str]:
    """Different pays that an operator might choose for the Bonus cells."""
    bonus = [outcome for outcome, cell in table.cells.items() if cell == "Bonus"]
    return {outcome: str(7 + number) for number, outcome in enumerate(bonus)}


def settle_row(row: Row, meter: str = METER) -> tuple[dict[str, str], dict[str, str]]:
    """The line of the row's wager, and the meter."""
    wager, table = row.printed.wager, row.printed
    raw: dict[str, Any] = {
        "rules": row.book,
        "paytables": {wager: table.id},
        "options": {"bonus": {wager: fillings(table)}} if fillings(table) else {},
        "meter": meter,
        "board": row.cards.board,
        "dealer": row.cards.dealer,
    }
    seat: dict[str, Any] = {"hole": row.cards.hole, "ante": 10, "odds": 10}
    seat["raise"] = {"street": "river", "multiple": 1}
    if wager in SIDE_WAGERS:
        seat[wager] = "1.00" if wager == "progressive" else "10.00"
    if wager == "all_6":
        raw |= {"all_6": row.cards.packet, "board": SIX_BOARD, "dealer": SIX_DEALER}
    round = read_round({**raw, "seats": [seat]}, memory)
    answer = write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))
    line = answer["seats"][0]["wagers"]["odds" if wager == "bad_beat" else wager]
    return line, answer["meter"]


def cell(row: Row, unlisted: str) -> str:
    """The printed cell for the row's outcome, or the operator's filling of a Bonus cell."""
    cells = row.printed.cells | fillings(row.printed)
    return cells.get(row.outcome, cells.get("other", unlisted))


def printed_result(row: Row, unlisted: str = "Loss") -> tuple[str, str]:
    """Result and net in dollars, by the printed cell and the printed basis alone."""
    pay = read_cell(cell(row, unlisted))
    stake = 1 if row.printed.wager == "progressive" else 10
    returned = stake if row.printed.basis == "for 1" else 0
    if pay.kind == "lose":
        return "lose", f"-{stake}.00"
    if pay.kind == "push":
        return "push", "0.00"
    if pay.kind == "percent":
        award = Fraction(METER) * pay.size * 100 // 1 / Fraction(100)  # whole cents
        return "win", f"{float(award - returned):.2f}"
    return "win", f"{float(pay.size * stake - returned):.2f}"


def check(row: Row, unlisted: str = "Loss") -> None:
    line, _ = settle_row(row)
    assert (line["result"], line["net"]) == printed_result(row, unlisted)


# The rows.


@pytest.mark.parametrize("row", rows("odds", WINS), ids=str)
def test_winning_odds(row: Row) -> None:
    check(row, unlisted="Push")


@pytest.mark.parametrize("row", rows("bad_beat", LOSSES), ids=str)
def test_bad_beat(row: Row) -> None:
    check(row)


@pytest.mark.parametrize(
    "row",
    [
        Row(book, table, category, cards)
        for book, table in tables("bad_beat")
        for category, cards in MORE_LOSSES.values()
    ],
    ids=str,
)
def test_a_bad_beat_pays_the_same_whatever_wins(row: Row) -> None:
    check(row)


@pytest.mark.parametrize(
    ("book", "table"), tables("bad_beat"), ids=lambda value: getattr(value, "id", value)
)
def test_a_royal_flush_is_never_a_bad_beat(book: str, table: PrintedTable) -> None:
    """R39: the dealer can at best copy it, on the board; whatever its cell says, it pushes."""
    line, _ = settle_row(Row(book, table, "royal_flush", PROGRESSIVE["community_royal_flush"]))
    assert (line["result"], line["net"], line["outcome"]) == ("push", "0.00", "tie")


@pytest.mark.parametrize("category", LOSSES)
def test_without_a_bad_beat_table_every_losing_hand_loses(category: str) -> None:
    (table,) = (t for b, t in tables("odds") if (b, t.id) == ("washington-no-qualifier", "HH/OW-1"))
    line, _ = settle_row(Row("washington-no-qualifier", table, category, LOSSES[category]))
    assert (line["result"], line["net"]) == ("lose", "-10.00")


@pytest.mark.parametrize("row", rows("trips_plus", WINS), ids=str)
def test_trips_plus(row: Row) -> None:
    check(row)
    assert settle_row(row)[0]["outcome"] == row.outcome


@pytest.mark.parametrize("row", rows("trips_plus", LOSSES), ids=str)
def test_trips_plus_does_not_ask_who_wins(row: Row) -> None:
    check(row)


@pytest.mark.parametrize(
    "row",
    [
        Row(book, table, outcome, Cards(hole, "8c 9d 5c 4d 6h", "8d 8h"))
        for book, table in tables("pocket_bonus")
        for outcome, holes in TWO_CARDS.items()
        for hole in holes
    ],
    ids=lambda row: f"{row} {row.cards.hole}",
)
def test_pocket_bonus(row: Row) -> None:
    check(row)
    assert settle_row(row)[0]["outcome"] == row.outcome


@pytest.mark.parametrize("row", rows("all_6", SIX_CARDS), ids=str)
def test_all_6(row: Row) -> None:
    check(row)
    assert settle_row(row)[0]["outcome"] == row.outcome


def listed_outcome(row: Row) -> Row:
    """A table without a row for the special case pays the plainer row the hand also makes."""
    plainer = {
        "flopped_royal_flush_in_spades": ("flopped_royal_flush", "flopped_straight_flush"),
        "flopped_royal_flush": ("flopped_straight_flush", "royal_flush"),
        "flopped_straight_flush": ("straight_flush",),
        "community_royal_flush": ("royal_flush",),
    }
    for outcome in (row.outcome, *plainer.get(row.outcome, ())):
        if outcome in row.printed.cells:
            return Row(row.book, row.printed, outcome, row.cards)
    return row


@pytest.mark.parametrize(
    "row", [listed_outcome(row) for row in rows("progressive", PROGRESSIVE)], ids=str
)
def test_progressive(row: Row) -> None:
    check(row)
    line, meter = settle_row(row)
    assert line["outcome"] == row.outcome
    pay = read_cell(cell(row, "Loss"))
    taken = Fraction(line.get("award", 0))
    if pay.kind == "percent":
        assert taken == Fraction(METER) * pay.size * 100 // 1 / Fraction(100)
    else:
        assert taken == 0  # R75: fixed prizes are the house's
    assert Fraction(meter["after"]) == Fraction(METER) - taken


def test_every_printed_row_is_settled_at_least_once() -> None:
    """The rows above leave no printed cell out but the royal Bad Beat, which cannot happen."""
    deals: dict[str, set[str]] = {
        "odds": {*WINS, "other"},
        "bad_beat": {*LOSSES, "other", "royal_flush"},
        "trips_plus": set(WINS),
        "pocket_bonus": set(TWO_CARDS),
        "all_6": set(SIX_CARDS),
        "progressive": set(PROGRESSIVE),
    }
    settled_tables = {(t.document, t.wager, t.id) for wager in deals for _, t in tables(wager)}
    printed = [table for table in printed_tables() if table.id != "layout"]
    assert settled_tables == {(t.document, t.wager, t.id) for t in printed}
    assert [t for t in printed if not t.cells.keys() <= deals[t.wager]] == []


# Bonus cells.


@pytest.mark.parametrize(
    ("wager", "table_id", "filled", "cards", "net"),
    [
        # R38: "All Other" may stay blank; it then pushes on a win and loses on a Bad Beat.
        ("odds", "HH/OW-3", "other", WINS["two_pair"], "0.00"),
        ("bad_beat", "HH/OW/BB-2", "other", LOSSES["two_pair"], "-10.00"),
        ("bad_beat", "HH/OW/BB-2", "royal_flush", LOSSES["two_pair"], "-10.00"),
    ],
)
def test_a_bonus_cell_that_may_stay_blank(
    wager: str, table_id: str, filled: str, cards: Cards, net: str
) -> None:
    cells = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
    options = {"bonus": {wager: {outcome: "3" for outcome in cells if outcome != filled}}}
    seat = {"hole": cards.hole, "ante": 10, "odds": 10, "raise": {"street": "river", "multiple": 1}}
    raw = {
        "rules": "washington",
        "paytables": {wager: table_id},
        "options": options,
        "board": cards.board,
        "dealer": cards.dealer,
        "seats": [seat],
    }
    round = read_round(raw, memory)
    lines = settle(round.rules, round.deal, round.plays).seats[0].lines
    assert [f"{line.net / 100:.2f}" for line in lines if line.wager == "odds"] == [net]
