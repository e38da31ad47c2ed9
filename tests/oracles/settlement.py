"""A second settlement, written from the rule documents apart from the first.

Plain and slow on purpose: best five by trying every five, money as Fractions, pays
looked up in the transcribed tables. It trusts its input; refusing bad input is not
its job. Clause numbers: G 000, GW 001, NY 002, SH 003, WA 004; R = rules register.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import ceil, floor
from typing import Any

from tests.oracles.printed import printed_table

CATEGORIES = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
RANKS = {name: rank for rank, name in enumerate("23456789TJQKA", start=2)}
ROYAL = {10, 11, 12, 13, 14}
CENT = Fraction(1, 100)

Card = tuple[int, str]
Cards = tuple[Card, ...]
Strength = tuple[int, list[int]]


@dataclass(frozen=True)
class Book:
    document: str
    tables: dict[str, str]
    """The table in use when none is named: the layout's, else the first printed."""
    pocket_raises: tuple[int, ...]
    flop_raises: tuple[int, ...]
    qualifier: str


BOOKS = {
    "galaxy": Book(
        "000",
        {
            "odds": "1",
            "bad_beat": "1",
            "trips_plus": "1",
            "pocket_bonus": "1",
            "all_6": "1",
            "progressive": "1",
        },
        pocket_raises=(3,),  # G 5; 1x and 2x are the casino's option
        flop_raises=(2,),  # G 7
        qualifier="one_pair",  # G 11(a)
    ),
    "galaxy-wpt": Book(
        "001",
        {"odds": "1", "bad_beat": "1", "trips_plus": "4", "pocket_bonus": "1"},
        pocket_raises=(1, 2, 3),  # GW 4
        flop_raises=(1, 2),  # GW 6
        qualifier="one_pair",  # GW 10(a)
    ),
    "new-york": Book(
        "002",
        {
            "odds": "1",
            "bad_beat": "1",
            "trips_plus": "A",
            "pocket_bonus": "A",
            "progressive": "A",
        },
        pocket_raises=(1, 2, 3),  # NY (e)(3)
        flop_raises=(1, 2),  # NY (e)(5)
        qualifier="one_pair",  # NY (f)(1)
    ),
    "sugarhouse": Book(
        "003",
        {"odds": "1", "bad_beat": "1", "trips_plus": "1", "pocket_bonus": "1"},
        pocket_raises=(3,),
        flop_raises=(2,),
        qualifier="one_pair",
    ),
    "washington": Book(
        "004",
        {
            "odds": "HH/OW-2",  # App. A note 8
            "bad_beat": "HH/OW/BB-1",
            "trips_plus": "HH/TP-1",
            "pocket_bonus": "HH/PB-1",
            "progressive": "HH/JP-1",
        },
        pocket_raises=(3,),  # WA 2
        flop_raises=(2,),  # WA 3
        qualifier="one_pair",  # WA 6, the document's own example
    ),
    "washington-no-qualifier": Book(
        "004",
        {
            "odds": "HH/OW-1",  # App. A note 7
            "bad_beat": "none",  # App. A note 9
            "trips_plus": "HH/TP-1",
            "pocket_bonus": "HH/PB-1",
            "progressive": "HH/JP-1",
        },
        pocket_raises=(3,),
        flop_raises=(2,),
        qualifier="none",  # WA 5
    ),
}


# Cards and hands


def cards(text: str) -> Cards:
    text = text.replace(" ", "")
    return tuple((RANKS[text[i]], text[i + 1]) for i in range(0, len(text), 2))


def strength_of_five(five: Iterable[Card]) -> Strength:
    """The category, then the ranks that break a tie, those in most copies first."""
    ranks, suits = zip(*sorted(five), strict=True)
    return _strength(ranks, len(set(suits)) == 1)


@cache  # there are 7,462
def _strength(ranks: tuple[int, ...], one_suit: bool) -> Strength:
    copies = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [count for count, _ in copies]
    order = [rank for _, rank in copies]
    top = _straight_top(order)
    if top:
        if one_suit:
            return CATEGORIES.index("royal_flush" if top == 14 else "straight_flush"), [top]
        return CATEGORIES.index("straight"), [top]
    if one_suit:
        return CATEGORIES.index("flush"), order
    return CATEGORIES.index(_name_of_shape(shape)), order


def _straight_top(order: list[int]) -> int:
    """The rank a straight of these five different ranks ends on, 0 when it is none."""
    if order == [14, 5, 4, 3, 2]:
        return 5  # NY (b)(2): the ace may begin the lowest straight
    return order[0] if len(order) == 5 and order[0] - order[4] == 4 else 0


def _name_of_shape(shape: list[int]) -> str:
    return {
        (4, 1): "four_of_a_kind",
        (3, 2): "full_house",
        (3, 1, 1): "three_of_a_kind",
        (2, 2, 1): "two_pair",
        (2, 1, 1, 1): "one_pair",
        (1, 1, 1, 1, 1): "high_card",
    }[tuple(shape)]


@lru_cache(maxsize=64)  # one hand serves several wagers of a seat
def best(held: Cards) -> Strength:
    return max(strength_of_five(five) for five in combinations(sorted(held), 5))


def category(strength: Strength) -> str:
    return CATEGORIES[strength[0]]


# What a printed cell pays


@dataclass(frozen=True)
class Pay:
    kind: str
    """`pays` (times the stake), `percent` (of the meter), `push` or `lose`."""
    size: Fraction = Fraction(0)


@cache
def read_cell(cell: str) -> Pay:
    words = cell.lower()
    if words in ("-", "loss", "n/a", "player loses wager"):
        return Pay("lose")
    if words == "push":
        return Pay("push")
    if "%" in words:
        return Pay("percent", Fraction(words.split("%")[0]) / 100)
    number = words.replace(",", "").removesuffix(" to 1")
    top, _, bottom = number.partition(":")
    return Pay("pays", Fraction(top) / Fraction(bottom or 1))


@dataclass(frozen=True)
class House:
    """The terms of one round: the document, the tables in use, the options."""

    book: Book
    tables: dict[str, str]
    options: dict[str, Any]

    def pay(self, wager: str, outcome: str) -> Pay:
        """A hand without a row pushes on winning Odds (G 11(f)) and loses elsewhere."""
        unlisted = Pay("push" if wager == "odds" else "lose")
        if self.tables[wager] == "none":
            return unlisted
        rows = printed_table(self.book.document, wager, self.tables[wager]).cells
        row = outcome if outcome in rows else "other"
        cell = rows.get(row)
        if cell is None:
            return unlisted
        if cell == "Bonus":
            return self._operators_pay(wager, row, unlisted)
        return read_cell(cell)

    def _operators_pay(self, wager: str, row: str, unlisted: Pay) -> Pay:
        """WA App. A note 5: the operator fills the cell; only "All Other" may stay blank."""
        filled = self.options["bonus"][wager]
        if row == "other" and row not in filled:
            return unlisted
        return read_cell(filled[row])

    def for_one(self) -> bool:
        """G and WA print the jackpot "for 1"; NY prints x:1, read as to 1 (R15)."""
        table = printed_table(self.book.document, "progressive", self.tables["progressive"])
        printed = "for" if table.basis == "for 1" else "to"
        return bool(self.options.get("progressive_basis", printed) == "for")

    def in_chips(self, amount: Fraction) -> Fraction:
        """No document says what becomes of half a chip (R18). Never less than a whole cent."""
        unit = Fraction(self.options.get("chip_unit", CENT))
        rounding = self.options.get("rounding", "down")
        units = amount / unit
        if rounding == "up":
            return ceil(units) * unit
        if rounding == "nearest":
            return floor(units + Fraction(1, 2)) * unit
        return floor(units) * unit

    def qualifies(self, dealer: Strength) -> bool | None:
        needed = self.options.get("qualifier", self.book.qualifier)
        if needed in ("none", "high_card"):
            return None
        return dealer[0] >= CATEGORIES.index(needed)

    def cap(self) -> Fraction | None:
        if self.book.document == "003":
            # 504 = royal 500 on Odds + 1 Ante + 3 Raise: the most a minimum wager wins (R100).
            minimum = Fraction(self.options.get("minimum_wager", "0"))
            return max(Fraction(50_000), 504 * minimum)
        cap = self.options.get("cap")
        if isinstance(cap, dict):
            cap = cap["amount"]
        return None if cap is None else Fraction(cap)


# The wagers


@dataclass(frozen=True)
class Line:
    stake: Fraction
    result: str
    net: Fraction
    breakage: Fraction = Fraction(0)
    """What rounding to chips kept from the player, to the last part of a cent (R18)."""


@dataclass(frozen=True)
class Seat:
    number: int
    hole: Cards
    stakes: dict[str, Fraction]
    folded: bool
    multiple: int
    player: str


def won(house: House, stake: Fraction, size: Fraction = Fraction(1)) -> Line:
    paid = house.in_chips(stake * size)
    return Line(stake, "win", paid, stake * size - paid)


def lost(stake: Fraction) -> Line:
    return Line(stake, "lose", -stake)


def pushed(stake: Fraction) -> Line:
    return Line(stake, "push", Fraction(0))


def paid(house: House, stake: Fraction, pay: Pay) -> Line:
    """A wager settled "to 1" by its table."""
    if pay.kind == "pays":
        return won(house, stake, pay.size)
    return {"push": pushed, "lose": lost}[pay.kind](stake)


def main_wagers(house: House, seat: Seat, player: Strength, dealer: Strength) -> dict[str, Line]:
    ante, odds = seat.stakes["ante"], seat.stakes["odds"]
    if seat.folded:  # G 9: both forfeited, whatever the dealer turns over
        return {"ante": lost(ante), "odds": lost(odds)}
    return {
        "ante": settle_ante(house, ante, player, dealer),
        "odds": settle_odds(house, odds, player, dealer),
        "raise": settle_raise(house, ante * seat.multiple, player, dealer),
    }


def settle_ante(house: House, stake: Fraction, player: Strength, dealer: Strength) -> Line:
    if house.qualifies(dealer) is False:
        return pushed(stake)  # G 11(a) goes before 11(c): R36
    return settle_raise(house, stake, player, dealer)


def settle_raise(house: House, stake: Fraction, player: Strength, dealer: Strength) -> Line:
    """Even money, qualified or not (G 11(e)-(i))."""
    if player == dealer:
        return pushed(stake)
    return won(house, stake) if player > dealer else lost(stake)


def settle_odds(house: House, stake: Fraction, player: Strength, dealer: Strength) -> Line:
    if player == dealer:
        return pushed(stake)  # even with a straight or better: G 11(g), WA App. A note 2
    table = "odds" if player > dealer else "bad_beat"
    return paid(house, stake, house.pay(table, category(player)))


def cap_players(house: House, seats: list[Seat], main: dict[int, dict[str, Line]]) -> None:
    """SH: "per player per round": all positions of one player draw on one allowance, hand after
    hand as they are settled, and in each the Ante, the Raise, then the Odds (R100, R101)."""
    cap = house.cap()
    if cap is None:
        return
    purses = {seat.player or f"position {seat.number}": cap for seat in seats}
    for seat in seats:
        purse = seat.player or f"position {seat.number}"
        lines = main[seat.number]
        for wager in ("ante", "raise", "odds"):
            if wager in lines and lines[wager].result == "win":
                paid = min(lines[wager].net, purses[purse])
                purses[purse] -= paid
                lines[wager] = replace(lines[wager], net=paid)


def settle_trips_plus(house: House, seat: Seat, board: Cards) -> Line:
    stake = seat.stakes["trips_plus"]
    if seat.folded and house.options.get("trips_plus_after_fold") == "forfeits":
        return lost(stake)
    if house.options.get("trips_plus_hand") == "both_hole_cards":
        # NY (g) to the letter: both hole cards and three of the five.
        hand = max(strength_of_five(seat.hole + three) for three in combinations(board, 3))
    else:
        hand = best(seat.hole + board)
    return paid(house, stake, house.pay("trips_plus", category(hand)))


def settle_pocket_bonus(house: House, seat: Seat) -> Line:
    pay = house.pay("pocket_bonus", pocket_outcome(seat.hole))
    return paid(house, seat.stakes["pocket_bonus"], pay)


def pocket_outcome(hole: Cards) -> str:
    (high, high_suit), (low, low_suit) = sorted(hole, reverse=True)
    if high == low:
        return "pair_of_aces" if high == 14 else "pair"
    if high == 14 and low in (11, 12, 13):  # a face is a jack, queen or king
        return "suited_ace_face" if high_suit == low_suit else "unsuited_ace_face"
    return "nothing"


def settle_all_6(house: House, seat: Seat, packet: Cards) -> Line:
    """To 1 (R16)."""
    pay = house.pay("all_6", all_6_outcome(seat.hole + packet))
    return paid(house, seat.stakes["all_6"], pay)


def all_6_outcome(six: Cards) -> str:
    if len({suit for _, suit in six}) == 1 and {rank for rank, _ in six} == ROYAL | {9}:
        return "six_card_royal_diamonds" if six[0][1] == "d" else "six_card_royal"
    name = category(best(six))
    return "five_card_royal" if name == "royal_flush" else name


# The progressive


def progressive_outcome(house: House, hole: Cards, board: Cards) -> str:
    """The most specific row (R66): flopped, then any royal, then the hand of seven cards."""
    flopped = category(strength_of_five(hole + board[:3]))
    if _pays_flopped_straight_flush(house):
        if flopped in ("straight_flush", "royal_flush"):
            return "flopped_straight_flush"  # a royal is one too (R68)
        return category(best(hole + board))
    if flopped == "royal_flush":
        spades = hole[0][1] == "s"
        return "flopped_royal_flush_in_spades" if spades else "flopped_royal_flush"
    if category(strength_of_five(board)) == "royal_flush":
        return "community_royal_flush"
    return category(best(hole + board))


def _pays_flopped_straight_flush(house: House) -> bool:
    table = printed_table(house.book.document, "progressive", house.tables["progressive"])
    return "flopped_straight_flush" in table.cells


def meter_awards(
    house: House, shares: dict[int, Fraction], meter: Fraction
) -> tuple[dict[int, Fraction], Fraction]:
    """Awards by seat, and the meter after them. `shares` is in settlement order."""
    if 1 in shares.values():
        if set(shares.values()) != {1}:
            raise ValueError("one deck cannot make a 100% and a smaller award at once (R71)")
        # NY (k)(4): equal shares of the whole; G: then back to the seed. Odd cents stay.
        award = _whole_cents(meter / len(shares))
        seed = Fraction(house.options.get("meter_seed", "0.00"))
        return dict.fromkeys(shares, award), seed + meter - award * len(shares)
    awards: dict[int, Fraction] = {}
    left = meter
    for number, share in shares.items():
        sequential = house.options.get("percentage_awards") == "sequential"
        awards[number] = _whole_cents(share * (left if sequential else meter))
        left -= awards[number]
    return awards, left


def _whole_cents(amount: Fraction) -> Fraction:
    return floor(amount / CENT) * CENT


def settle_progressives(
    house: House, seats: list[Seat], board: Cards, meter: Fraction
) -> tuple[dict[int, Line], Fraction]:
    pays = {
        seat.number: house.pay("progressive", progressive_outcome(house, seat.hole, board))
        for seat in seats
        if "progressive" in seat.stakes
    }
    shares = {number: pay.size for number, pay in pays.items() if pay.kind == "percent"}
    awards, after = meter_awards(house, shares, meter)
    stakes = {seat.number: seat.stakes.get("progressive", Fraction(0)) for seat in seats}
    lines = {
        number: settle_progressive(house, stakes[number], pay, awards.get(number))
        for number, pay in pays.items()
    }
    return lines, after


def settle_progressive(house: House, stake: Fraction, pay: Pay, award: Fraction | None) -> Line:
    if pay.kind == "lose":
        return lost(stake)
    prize = house.in_chips(stake * pay.size) if award is None else award
    rounded = stake * pay.size - prize if award is None else Fraction(0)
    return Line(stake, "win", prize - stake if house.for_one() else prize, rounded)


def in_settlement_order(house: House, seats: list[Seat], dealer: Strength) -> list[Seat]:
    """Folders, then raisers, each from the dealer's right: NY (e)(9), (10). In New York raisers
    come first when the dealer is below a pair: (e)(8)."""
    raisers_first = house.book.document == "002" and house.qualifies(dealer) is False
    return sorted(seats, key=lambda seat: (seat.folded is raisers_first, -seat.number))


# The round


def settle(played: dict[str, Any]) -> dict[str, Any]:
    """Settle one round, given and answered in the form of `headsup settle`."""
    book = BOOKS[played["rules"]]
    house = House(book, book.tables | played.get("paytables", {}), played.get("options", {}))
    board, dealer_hole = cards(played["board"]), cards(played["dealer"])
    seats = [read_seat(house, seat) for seat in played["seats"]]
    meter = played.get("meter")
    before = Fraction(meter or 0)
    dealer = best(dealer_hole + board)
    packet = cards(played.get("all_6", ""))
    in_order = in_settlement_order(house, seats, dealer)
    progressives, after = settle_progressives(house, in_order, board, before)
    main = {
        seat.number: main_wagers(house, seat, best(seat.hole + board), dealer) for seat in seats
    }
    cap_players(house, in_order, main)
    answer: dict[str, Any] = {
        "dealer": {"category": category(dealer), "qualifies": house.qualifies(dealer)},
        "seats": [
            settle_seat(
                house, seat, board, main[seat.number], packet, progressives.get(seat.number)
            )
            for seat in seats
        ],
        "order": [seat.number for seat in in_order],
    }
    if meter is not None:
        answer["meter"] = {"before": money(before), "after": money(after)}
    return answer


def read_seat(house: House, given: dict[str, Any]) -> Seat:
    wagers = ("ante", "odds", "trips_plus", "pocket_bonus", "all_6", "progressive")
    stakes = {wager: Fraction(given[wager]) for wager in wagers if wager in given}
    folded = bool(given.get("fold", False))
    multiple = 0 if folded else read_raise(house, given["raise"])
    player = given.get("player", "")
    return Seat(given["seat"], cards(given["hole"]), stakes, folded, multiple, player)


def read_raise(house: House, given: dict[str, Any]) -> int:
    allowed = {
        "pocket": house.options.get("pocket_raises", house.book.pocket_raises),
        "flop": house.options.get("flop_raises", house.book.flop_raises),
        "river": (1,),
    }
    multiple = int(given["multiple"])
    if multiple not in allowed[given["street"]]:
        raise ValueError(f"a raise of {multiple} is not allowed on the {given['street']}")
    return multiple


def settle_seat(
    house: House,
    seat: Seat,
    board: Cards,
    lines: dict[str, Line],
    packet: Cards,
    progressive: Line | None,
) -> dict[str, Any]:
    player = best(seat.hole + board)
    if "trips_plus" in seat.stakes:
        lines["trips_plus"] = settle_trips_plus(house, seat, board)
    if "pocket_bonus" in seat.stakes:
        lines["pocket_bonus"] = settle_pocket_bonus(house, seat)
    if "all_6" in seat.stakes:
        lines["all_6"] = settle_all_6(house, seat, packet)
    if progressive:
        lines["progressive"] = progressive
    return {
        "seat": seat.number,
        "category": category(player),
        "wagers": {wager: shown(line) for wager, line in lines.items()},
        "net": money(sum((line.net for line in lines.values()), Fraction(0))),
    }


def shown(line: Line) -> dict[str, str]:
    written = {"stake": money(line.stake), "result": line.result, "net": money(line.net)}
    return written | ({"breakage": str(line.breakage)} if line.breakage else {})


def money(amount: Fraction) -> str:
    cents, rest = divmod(amount.numerator * 100, amount.denominator)
    if rest:
        raise ValueError(f"{amount} is not a whole number of cents")
    sign = "-" if amount < 0 else ""
    dollars, cents = divmod(abs(cents), 100)
    return f"{sign}{dollars}.{cents:02d}"
