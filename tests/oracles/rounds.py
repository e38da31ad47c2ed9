"""Rounds to settle: random ones with interesting deals, and scenarios worked out by hand.

A random round is always one the rule book allows. Its deal is built, not waited for:
royals, bad beats and split jackpots come up every few rounds. A scenario carries the
nets a careful reader gets from the document with pencil and paper.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracles.printed import printed_table
from tests.oracles.scenarios import SCENARIOS

__all__ = ["SCENARIOS", "random_round", "random_rounds"]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
STRAIGHTS = ["A2345", *(RANKS[low : low + 5] for low in range(9))]


# Deals


@dataclass
class Deal:
    """Cards already placed; what is still missing is filled from the rest of the deck."""

    dealer: list[str] = field(default_factory=list)
    board: list[str] = field(default_factory=list)
    holes: list[list[str]] = field(default_factory=list)
    all_6: list[str] = field(default_factory=list)


def split_cards(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def laid_out(dealer: str, board: str, *holes: str, all_6: str = "") -> Deal:
    return Deal(
        split_cards(dealer),
        split_cards(board),
        [split_cards(hole) for hole in holes],
        split_cards(all_6),
    )


def with_other_suits(deal: Deal, rng: random.Random) -> Deal:
    other = dict(zip(SUITS, rng.sample(SUITS, 4), strict=True))

    def recut(held: list[str]) -> list[str]:
        return [card[0] + other[card[1]] for card in held]

    return Deal(
        recut(deal.dealer), recut(deal.board), [recut(h) for h in deal.holes], recut(deal.all_6)
    )


def five_of(category: str, rng: random.Random) -> list[str]:
    """Five cards that make the category."""
    suit = rng.choice(SUITS)
    if category == "royal_flush":
        return [rank + suit for rank in "TJQKA"]
    if category == "straight_flush":
        return [rank + suit for rank in rng.choice(STRAIGHTS[:-1])]
    if category == "straight":
        mixed = rng.sample(rng.choice(["ccddh", "cdhsc", "ssshd", "ddddh"]), 5)
        return [r + s for r, s in zip(rng.choice(STRAIGHTS), mixed, strict=True)]
    if category == "flush":
        return [rank + suit for rank in rng.sample(RANKS, 5)]
    first, second, third = rng.sample(RANKS, 3)
    suits = rng.sample(SUITS, 4)
    shapes = {
        "four_of_a_kind": [first + s for s in suits] + [second + suits[0]],
        "full_house": [first + s for s in suits[:3]] + [second + s for s in suits[1:3]],
        "three_of_a_kind": [first + s for s in suits[:3]] + [second + suits[0], third + suits[3]],
        "two_pair": [first + s for s in suits[:2]]
        + [second + s for s in suits[2:]]
        + [third + suits[0]],
    }
    return shapes[category]


MADE = [
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
]


def plain(_rng: random.Random) -> Deal:
    return Deal()


def made_hand(rng: random.Random) -> Deal:
    """One seat's hand, with none, one or two of its cards in the hole."""
    five = five_of(rng.choice(MADE), rng)
    rng.shuffle(five)
    in_hole = rng.choice([0, 1, 1, 2, 2])
    return Deal(board=five[in_hole:], holes=[five[:in_hole]] if in_hole else [])


def made_by_dealer(rng: random.Random) -> Deal:
    deal = made_hand(rng)
    deal.dealer = deal.holes.pop() if deal.holes else []
    return deal


def made_on_river(rng: random.Random) -> Deal:
    """A royal or straight flush that the flop alone does not make."""
    five = five_of(rng.choice(["royal_flush", "straight_flush"]), rng)
    rng.shuffle(five)
    stranger = rng.choice([card for card in DECK if card not in five])
    return Deal(board=[five[2], stranger, five[3], five[4]], holes=[five[:2]])


def flopped(rng: random.Random) -> Deal:
    five = five_of(rng.choice(["royal_flush", "royal_flush", "straight_flush"]), rng)
    if rng.random() < 0.4:
        five = [card[0] + "s" for card in five]
    rng.shuffle(five)
    return Deal(board=five[2:], holes=[five[:2]])


def two_flopped(rng: random.Random) -> Deal:
    """Flop three in a row of one suit; one seat holds the two below, one the two above."""
    suit = rng.choice(SUITS)
    low = rng.randrange(7)
    seven = [rank + suit for rank in RANKS[low : low + 7]]
    return Deal(board=rng.sample(seven[2:5], 3), holes=[seven[:2], seven[5:]])


def flopped_under_royal(rng: random.Random) -> Deal:
    """A flopped straight flush that the turn and river turn into a community royal."""
    return with_other_suits(laid_out("", "TsJsQsKsAs", "8s9s"), rng)


def community_royal(rng: random.Random) -> Deal:
    return Deal(board=rng.sample(five_of("royal_flush", rng), 5))


TWO_HAND_DEALS = {
    # name: (dealer, board, player)
    "straight under straight": ("9cTd", "6c7d8hKs2c", "5h4d"),
    "wheel under six high": ("6c7h", "2c3d4h5sKc", "AdQs"),
    "straight under flush": ("AhQh", "2h6h7h8c4d", "9cTs"),
    "flush under flush": ("AhQh", "2h6h9hKc4d", "ThJh"),
    "flush under full house": ("KsKc", "KhTh4hTc2s", "Ah9h"),
    "full house under full house": ("KhKs", "Kd7c7d2sJh", "JcJs"),
    "full house under quads": ("7h7s", "Kd7c7d2sJh", "KcKs"),
    "quads under quads": ("KhKs", "7c7dKdKc2s", "7h7s"),
    "quads under straight flush": ("5d6d", "7d8d9d9c2s", "9h9s"),
    "straight flush under straight flush": ("9cTc", "6c7c8cKd2h", "5c4c"),
    "straight flush under royal": ("AsKs", "TsJsQs2d3h", "9s8s"),
    "quads by kicker": ("AcJd", "9c9d9h9s2c", "KhQh"),
    "trips under trips": ("JcJd", "5hJs8d2cKh", "5c5d"),
    "copy of the board straight": ("3d3h", "5c6d7h8s9c", "2d2h"),
    "copy of the board flush": ("2d3c", "AhKh9h8h6h", "4s2h"),
    "copy of the board full house": ("2d3c", "KhKcKd8h8s", "4s2h"),
    "copy of the board quads": ("2d3c", "8h8cAd8d8s", "4s2h"),
    "copy of the board royal": ("2d3c", "ThJhQhKhAh", "9h8h"),
    "copied pair": ("AdQs", "KcKd9h6s2c", "AhQd"),
    "copied straight": ("9cTd", "6c7d8hKs2c", "9hTs"),
    "no pair, player ahead": ("3h7d", "2c5d9hJsKc", "Ad4s"),
    "no pair, player behind": ("3h7d", "2c5d9hJsKc", "4h6s"),
    "no pair, copy": ("2h3d", "AcKdJh9s8c", "4h2s"),
    "no pair, player pairs": ("3h7d", "2c5d9hJsKc", "Kd4s"),
    "no pair, player straight": ("2h3d", "6c7d9hJsKc", "8cTd"),
    "no pair, player flush": ("3d7s", "2c5d9cJcKh", "Ac4c"),
    "no pair, player trips": ("3h7d", "2c5d9hJsKc", "9c9d"),
}


def two_hands(rng: random.Random) -> Deal:
    dealer, board, player = rng.choice(list(TWO_HAND_DEALS.values()))
    return with_other_suits(laid_out(dealer, board, player), rng)


def six_cards(rng: random.Random) -> Deal:
    """An All 6 hand: a six-card royal half the time, in diamonds half of that."""
    if rng.random() < 0.5:
        suit = rng.choice("dddchs")
        six = [rank + suit for rank in "9TJQKA"]
    else:
        six = five_of(rng.choice(MADE), rng)
        six.append(rng.choice([card for card in DECK if card not in six]))
    rng.shuffle(six)
    return Deal(holes=[six[:2]], all_6=six[2:])


def pocket_hands(rng: random.Random) -> Deal:
    """Every paying Pocket Bonus hand, and the ace-ten that does not pay."""
    first, second = rng.sample(SUITS, 2)
    rank, face = rng.choice(RANKS), rng.choice("TJQK")
    holes = [
        ["A" + first, "A" + second],
        ["A" + first, face + first],
        ["A" + first, face + second],
        [rank + first, rank + second],
    ]
    return Deal(holes=[rng.sample(rng.choice(holes), 2)])


THEMES: list[tuple[Callable[[random.Random], Deal], int]] = [
    (plain, 3),
    (made_hand, 5),
    (made_by_dealer, 2),
    (made_on_river, 2),
    (flopped, 3),
    (two_flopped, 2),
    (flopped_under_royal, 1),
    (community_royal, 2),
    (two_hands, 8),
    (six_cards, 3),
    (pocket_hands, 3),
]


def random_deal(rng: random.Random, seats: int) -> Deal:
    """A themed deal, completed; the themed hands go to random seats."""
    themes, weights = zip(*THEMES, strict=True)
    deal: Deal = rng.choices(themes, weights)[0](rng)
    deal.holes = deal.holes[:seats]
    used = {*deal.dealer, *deal.board, *deal.all_6, *(c for hole in deal.holes for c in hole)}
    rest = [card for card in DECK if card not in used]
    rng.shuffle(rest)
    deal.holes += [[] for _ in range(seats - len(deal.holes))]
    rng.shuffle(deal.holes)
    for held, size in [(deal.dealer, 2), (deal.board, 5), (deal.all_6, 4)]:
        held += [rest.pop() for _ in range(size - len(held))]
    for hole in deal.holes:
        hole += [rest.pop() for _ in range(2 - len(hole))]
    return deal


# Terms: the book, its tables, its options

SIDE_WAGERS = {
    "galaxy": ["trips_plus", "pocket_bonus", "all_6", "progressive"],
    "galaxy-wpt": ["trips_plus", "pocket_bonus"],
    "new-york": ["trips_plus", "pocket_bonus", "progressive"],
    "sugarhouse": ["trips_plus", "pocket_bonus"],
    "washington": ["trips_plus", "pocket_bonus", "progressive"],
    "washington-no-qualifier": ["trips_plus", "pocket_bonus", "progressive"],
}
_WASHINGTON = {
    "trips_plus": [f"HH/TP-{n}" for n in range(1, 7)],
    "pocket_bonus": ["HH/PB-1", "HH/PB-2"],
    "progressive": [f"HH/JP-{n}" for n in range(1, 8)],
}
LEGAL_TABLES: dict[str, dict[str, list[str]]] = {
    "galaxy": {
        "odds": ["1"],
        "bad_beat": list("1234"),
        "trips_plus": list("1234"),
        "pocket_bonus": list("123"),
        "all_6": list("12345"),
        "progressive": [*"123456789", "9", "9", "1", "3"],
    },
    "galaxy-wpt": {
        "odds": ["1"],
        "bad_beat": ["1"],
        "trips_plus": list("1234"),
        "pocket_bonus": list("123"),
    },
    "new-york": {
        "odds": ["1"],
        "bad_beat": ["1"],
        "trips_plus": list("ABCD"),
        "pocket_bonus": list("ABC"),
        "progressive": list("ABCDEFGH"),
    },
    "sugarhouse": {wager: ["1"] for wager in ["odds", "bad_beat", "trips_plus", "pocket_bonus"]},
    # App. A notes 7-9: OW-1 without a qualifier, OW-2 and any Bad Beat with one (R37).
    "washington": _WASHINGTON
    | {
        "odds": ["HH/OW-2", "HH/OW-3"],
        "bad_beat": ["HH/OW/BB-1", "HH/OW/BB-2", "none"],
    },
    "washington-no-qualifier": _WASHINGTON | {"odds": ["HH/OW-1", "HH/OW-3"]},
}
BOOKS = [*SIDE_WAGERS, "galaxy"]  # galaxy twice: it has the most tables and wagers


def random_tables(rng: random.Random, rules: str) -> dict[str, str]:
    """A table for most wagers; those left out fall to the book's default."""
    legal = LEGAL_TABLES[rules]
    return {wager: rng.choice(ids) for wager, ids in legal.items() if rng.random() < 0.8}


def random_options(rng: random.Random, rules: str, tables: dict[str, str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["chip_unit"] = rng.choice(["0.05", "0.25", "0.50", "1.00", "2.50", "5.00"])
        options["rounding"] = rng.choice(["down", "up", "nearest"])
    if "progressive" in SIDE_WAGERS[rules]:
        options |= _progressive_options(rng, rules)
    options |= {
        "galaxy": _galaxy_options,
        "galaxy-wpt": _no_options,
        "new-york": _new_york_options,
        "sugarhouse": _sugarhouse_options,
        "washington": _washington_options,
        "washington-no-qualifier": _washington_options,
    }[rules](rng)
    if rules == "washington" and rng.random() < 0.4:
        options["qualifier"] = rng.choice(["one_pair", "two_pair", "three_of_a_kind", "flush"])
    if bonus := random_bonus(rng, tables):
        options["bonus"] = bonus
    return options


def _no_options(_rng: random.Random) -> dict[str, Any]:
    return {}


def _progressive_options(rng: random.Random, rules: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.4:
        options["percentage_awards"] = rng.choice(["snapshot", "sequential"])
    if rng.random() < 0.5:
        options["meter_seed"] = rng.choice(["0.00", "10000.00", "2500.55"])
    if rules != "new-york" and rng.random() < 0.4:  # NY (k)(1): only $1
        options["progressive_stake"] = rng.choice(["1.00", "2.00", "5.00", "0.25"])
    return options


def _galaxy_options(rng: random.Random) -> dict[str, Any]:
    return {"pocket_raises": [1, 2, 3]} if rng.random() < 0.5 else {}


def _new_york_options(rng: random.Random) -> dict[str, Any]:
    choices = {
        "trips_plus_hand": ["seven_cards", "both_hole_cards"],
        "trips_plus_after_fold": ["stays", "forfeits"],
        "progressive_basis": ["to", "for"],
    }
    return {key: rng.choice(values) for key, values in choices.items() if rng.random() < 0.5}


def _sugarhouse_options(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {}
    return {"minimum_wager": rng.choice(["10.00", "100.00", "99.20", "250.00"])}


def _washington_options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["cap"] = rng.choice(["25000.00", "5000.00", "500.00"])
    if rng.random() < 0.5:
        options["raise_counts_as_option"] = rng.random() < 0.5
    return options


def random_bonus(rng: random.Random, tables: dict[str, str]) -> dict[str, dict[str, str]]:
    """Fill every "Bonus" cell but "All Other", whose blank means push or loss (R38)."""
    bonus: dict[str, dict[str, str]] = {}
    for wager, table_id in tables.items():
        if table_id not in ("HH/OW-3", "HH/OW/BB-2", "HH/TP-6", "HH/PB-2", "HH/JP-7"):
            continue
        rows = [row for row in printed_table("004", wager, table_id).cells if row != "other"]
        bonus[wager] = {row: rng.choice(["1", "1.5", "2", "7", "25", "300"]) for row in rows}
    return bonus


# Seats


def random_round(rng: random.Random) -> dict[str, Any]:
    """A round `headsup settle` must accept, as its input."""
    return next(random_rounds(rng, 1))


def random_rounds(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """So many of them under one choice of rules."""
    rules = rng.choice(BOOKS)
    tables = random_tables(rng, rules)
    options = random_options(rng, rules, tables)
    for _ in range(count):
        yield _round_under(rng, rules, tables, options)


def _round_under(
    rng: random.Random, rules: str, tables: dict[str, str], options: dict[str, Any]
) -> dict[str, Any]:
    numbers = sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
    deal = random_deal(rng, len(numbers))
    played: dict[str, Any] = {
        "rules": rules,
        "paytables": tables,
        "options": options,
        "dealer": "".join(deal.dealer),
        "board": "".join(deal.board),
        "seats": [
            random_seat(rng, rules, options, number, hole)
            for number, hole in zip(numbers, deal.holes, strict=True)
        ],
    }
    if rules != "new-york" and rng.random() < 0.5:  # NY (c)(6): one position to a player
        for seat in played["seats"]:
            if player := rng.choice(["Ann", "Ann", "Bob", ""]):
                seat["player"] = player
    if "progressive" in SIDE_WAGERS[rules]:
        played["meter"] = rng.choice(["100000.00", "12345.67", "0.13", cents(rng, 10**8)])
    if rules == "galaxy":
        played["all_6"] = "".join(deal.all_6)
    return played


def random_seat(
    rng: random.Random, rules: str, options: dict[str, Any], number: int, hole: list[str]
) -> dict[str, Any]:
    ante = random_stake(rng)
    if Fraction(ante) < Fraction(options.get("minimum_wager", "0")):
        ante = options["minimum_wager"]
    seat: dict[str, Any] = {"seat": number, "hole": "".join(hole), "ante": ante, "odds": ante}
    if rng.random() < 0.2:
        seat["fold"] = True
    else:
        seat["raise"] = random_raise(rng, rules, options)
    for wager in random_side_wagers(rng, rules, options):
        seat[wager] = random_stake(rng)
    if "progressive" in seat:
        seat["progressive"] = options.get("progressive_stake", "1.00")
    return seat


def random_stake(rng: random.Random) -> str:
    ordinary = ["5.00", "10.00", "15.00", "25.00", "100.00", "300.00"]
    return rng.choice([*ordinary, "0.01", "7.37", cents(rng, 2_000), cents(rng, 200_000)])


def cents(rng: random.Random, most: int) -> str:
    amount = rng.randint(1, most)
    return f"{amount // 100}.{amount % 100:02d}"


def random_raise(rng: random.Random, rules: str, options: dict[str, Any]) -> dict[str, Any]:
    reduced = rules in ("galaxy-wpt", "new-york")  # GW 4, 6; NY (e)(3), (5)
    multiples = {
        "pocket": options.get("pocket_raises", [1, 2, 3] if reduced else [3]),
        "flop": [1, 2] if reduced else [2],
        "river": [1],
    }
    street = rng.choice(list(multiples))
    return {"street": street, "multiple": rng.choice(multiples[street])}


def random_side_wagers(rng: random.Random, rules: str, options: dict[str, Any]) -> list[str]:
    offered = SIDE_WAGERS[rules]
    if not rules.startswith("washington"):
        return [wager for wager in offered if rng.random() < 0.7]
    # Four options in all; Ante, Odds and, unless the house says otherwise, Play are three.
    most = 1 if options.get("raise_counts_as_option", True) else 2
    return rng.sample(offered, rng.randint(0, most))
