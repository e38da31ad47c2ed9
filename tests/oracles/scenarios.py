"""Rounds whose nets were worked out by hand from the documents, to hold any settlement to.

The first part is a grid: one row per situation of the main game, one column per rule
book, each cell the net of Ante/Odds/Raise on a $10 Ante with a 3x Raise before the flop
(Ante/Odds for a fold). The second part is the side wagers, the meter, caps and rounding.
"""

from dataclasses import dataclass
from typing import Any

Nets = dict[int, dict[str, str]]


@dataclass(frozen=True)
class Scenario:
    name: str
    played: dict[str, Any]
    nets: Nets
    """Seat → wager → net. Every wager of every seat is listed."""
    meter_after: str | None = None


def table(rules: str, dealer: str, board: str, *seats: dict[str, Any], **rest: Any) -> Any:
    return {"rules": rules, "dealer": dealer, "board": board, "seats": list(seats), **rest}


def seat(
    number: int, hole: str, ante: str = "10.00", raised: str = "pocket 3", **side: str
) -> dict[str, Any]:
    """`raised` is a street and a multiple, or empty for a fold."""
    street, _, multiple = raised.partition(" ")
    action = {"raise": {"street": street, "multiple": int(multiple)}} if raised else {"fold": True}
    return {"seat": number, "hole": hole, "ante": ante, "odds": ante, **action, **side}


def main_nets(ante: str, odds: str, raised: str = "", **side: str) -> dict[str, str]:
    nets = {"ante": ante, "odds": odds}
    return nets | ({"raise": raised} if raised else {}) | side


# The main game

DEALS = {
    # situation: (player, board, dealer)
    "win_pair": ("KdQs", "Kc9d6h4s2c", "9h3s"),
    "win_two_pair": ("Kd9s", "Kc9d6h4s2c", "KsQd"),
    "win_three_of_a_kind": ("9c9d", "9hKs5d2c7h", "KdQs"),
    "win_straight": ("8c9d", "5h6s7dKc2h", "KdQs"),
    "win_wheel": ("Ac4d", "2h3s5dKc9h", "KdQs"),
    "win_flush": ("AhTh", "2h6h9hKc4d", "KdQs"),
    "win_full_house": ("KhKs", "Kd7c7d2sJh", "AcJd"),
    "win_four_of_a_kind": ("7h7s", "7c7dKs2hJd", "KdQs"),
    "win_straight_flush": ("8c9c", "5c6c7cKd2h", "KsQh"),
    "win_royal_flush": ("AsKs", "QsJsTs4d2h", "4c4h"),
    "tie_pair": ("AhQd", "KcKd9h6s2c", "AdQs"),
    "tie_straight": ("2d2h", "5c6d7h8s9c", "3d3h"),
    "tie_royal_flush": ("2d2h", "ThJhQhKhAh", "3d3c"),
    "lose_pair": ("9h3s", "Kc9d6h4s2c", "KdQs"),
    "lose_three_of_a_kind": ("5c5d", "5hJs8d2cKh", "JcJd"),
    "bad_beat_straight": ("5h4d", "6c7d8hKs2c", "9cTd"),
    "bad_beat_wheel": ("AdQs", "2c3d4h5sKc", "6c7h"),
    "bad_beat_flush": ("ThJh", "2h6h9hKc4d", "AhQh"),
    "bad_beat_full_house": ("JcJs", "Kd7c7d2sJh", "KhKs"),
    "bad_beat_four_of_a_kind": ("7h7s", "7c7dKdKc2s", "KhKs"),
    "bad_beat_straight_flush": ("5c4c", "6c7c8cKd2h", "9cTc"),
    "unqualified_win": ("Ad4s", "2c5d9hJsKc", "3h7d"),
    "unqualified_win_straight": ("8cTd", "6c7d9hJsKc", "2h3d"),
    "unqualified_lose": ("4h6s", "2c5d9hJsKc", "3h7d"),
    "unqualified_tie": ("4h2s", "AcKdJh9s8c", "2h3d"),
    "fold": ("9h3s", "Kc9d6h4s2c", "KdQs"),
    "fold_the_better_hand": ("KdQs", "Kc9d6h4s2c", "9h3s"),
    "fold_unqualified": ("4h6s", "2c5d9hJsKc", "3h7d"),
    # Only for the jackpots below: which of the royal's cards are where.
    "flopped_royal_in_hearts": ("AhKh", "QhJhTh4d2s", "4c4s"),
    "royal_with_one_hole_card": ("Ts3c", "AsKsQsJs2d", "2h2c"),
    "flopped_straight_flush_under_royal": ("8s9s", "TsJsQsKsAs", "2d3c"),
}

# Bad Beat by default: 5, 8, 10, 50, 500 in galaxy and washington, 4, 5, 6, 25, 500 in the
# others, none in washington-no-qualifier, which also pays 1, 8 and 40 on winning flush,
# quads and straight flush (App. A, HH/OW 1). SugarHouse's cap is far off at $10.
GRID = """
situation                galaxy       galaxy-wpt   new-york     sugarhouse   washington   washington-no-qualifier
win_pair                 10/0/30      10/0/30      10/0/30      10/0/30      10/0/30      10/0/30
win_two_pair             10/0/30      10/0/30      10/0/30      10/0/30      10/0/30      10/0/30
win_three_of_a_kind      10/0/30      10/0/30      10/0/30      10/0/30      10/0/30      10/0/30
win_straight             10/10/30     10/10/30     10/10/30     10/10/30     10/10/30     10/10/30
win_wheel                10/10/30     10/10/30     10/10/30     10/10/30     10/10/30     10/10/30
win_flush                10/15/30     10/15/30     10/15/30     10/15/30     10/15/30     10/10/30
win_full_house           10/30/30     10/30/30     10/30/30     10/30/30     10/30/30     10/30/30
win_four_of_a_kind       10/100/30    10/100/30    10/100/30    10/100/30    10/100/30    10/80/30
win_straight_flush       10/500/30    10/500/30    10/500/30    10/500/30    10/500/30    10/400/30
win_royal_flush          10/5000/30   10/5000/30   10/5000/30   10/5000/30   10/5000/30   10/5000/30
tie_pair                 0/0/0        0/0/0        0/0/0        0/0/0        0/0/0        0/0/0
tie_straight             0/0/0        0/0/0        0/0/0        0/0/0        0/0/0        0/0/0
tie_royal_flush          0/0/0        0/0/0        0/0/0        0/0/0        0/0/0        0/0/0
lose_pair                -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30
lose_three_of_a_kind     -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30  -10/-10/-30
bad_beat_straight        -10/50/-30   -10/40/-30   -10/40/-30   -10/40/-30   -10/50/-30   -10/-10/-30
bad_beat_wheel           -10/50/-30   -10/40/-30   -10/40/-30   -10/40/-30   -10/50/-30   -10/-10/-30
bad_beat_flush           -10/80/-30   -10/50/-30   -10/50/-30   -10/50/-30   -10/80/-30   -10/-10/-30
bad_beat_full_house      -10/100/-30  -10/60/-30   -10/60/-30   -10/60/-30   -10/100/-30  -10/-10/-30
bad_beat_four_of_a_kind  -10/500/-30  -10/250/-30  -10/250/-30  -10/250/-30  -10/500/-30  -10/-10/-30
bad_beat_straight_flush  -10/5000/-30 -10/5000/-30 -10/5000/-30 -10/5000/-30 -10/5000/-30 -10/-10/-30
unqualified_win          0/0/30       0/0/30       0/0/30       0/0/30       0/0/30       10/0/30
unqualified_win_straight 0/10/30      0/10/30      0/10/30      0/10/30      0/10/30      10/10/30
unqualified_lose         0/-10/-30    0/-10/-30    0/-10/-30    0/-10/-30    0/-10/-30    -10/-10/-30
unqualified_tie          0/0/0        0/0/0        0/0/0        0/0/0        0/0/0        0/0/0
fold                     -10/-10      -10/-10      -10/-10      -10/-10      -10/-10      -10/-10
fold_the_better_hand     -10/-10      -10/-10      -10/-10      -10/-10      -10/-10      -10/-10
fold_unqualified         -10/-10      -10/-10      -10/-10      -10/-10      -10/-10      -10/-10
"""  # noqa: E501 - a grid reads across


def read_grid() -> list[Scenario]:
    header, *rows = [line.split() for line in GRID.strip().splitlines()]
    return [
        grid_scenario(rules, row[0], cell)
        for row in rows
        for rules, cell in zip(header[1:], row[1:], strict=True)
    ]


def grid_scenario(rules: str, situation: str, cell: str) -> Scenario:
    player, board, dealer = DEALS[situation]
    nets = main_nets(*(f"{net}.00" for net in cell.split("/")))
    raised = "" if situation.startswith("fold") else "pocket 3"
    played = table(rules, dealer, board, seat(1, player, raised=raised))
    return Scenario(f"{rules}: {situation}", played, {1: nets})


def one_seat(
    name: str,
    rules: str,
    situation: str,
    nets: dict[str, str],
    meter_after: str | None = None,
    *,
    ante: str = "10.00",
    raised: str = "pocket 3",
    side: dict[str, str] | None = None,
    **rest: Any,
) -> Scenario:
    """One seat in one of the deals above, under other terms."""
    player, board, dealer = DEALS[situation]
    sitting = seat(1, player, ante, raised, **(side or {}))
    return Scenario(name, table(rules, dealer, board, sitting, **rest), {1: nets}, meter_after)


STREETS = [
    one_seat(
        "galaxy: 2x on the flop",
        "galaxy",
        "win_flush",
        main_nets("10.00", "15.00", "20.00"),
        raised="flop 2",
    ),
    one_seat(
        "galaxy: 1x on the river",
        "galaxy",
        "lose_pair",
        main_nets("-10.00", "-10.00", "-10.00"),
        raised="river 1",
    ),
    one_seat(
        "galaxy: 2x before the flop where the casino allows it",
        "galaxy",
        "win_pair",
        main_nets("10.00", "0.00", "20.00"),
        raised="pocket 2",
        options={"pocket_raises": [1, 2, 3]},
    ),
    one_seat(
        "galaxy-wpt: 1x before the flop",
        "galaxy-wpt",
        "win_straight",
        main_nets("10.00", "10.00", "10.00"),
        raised="pocket 1",
    ),
    one_seat(
        "new-york: 1x on the flop",
        "new-york",
        "win_pair",
        main_nets("10.00", "0.00", "10.00"),
        raised="flop 1",
    ),
]

# Galaxy's other Bad Beat tables (R40): 2 pays 6 on a flush, 3 pays 5 and 4, 4 pays 25 on quads.
BAD_BEATS = [
    one_seat(
        f"galaxy: {situation} under table {table_id}",
        "galaxy",
        situation,
        main_nets("-10.00", odds, "-30.00"),
        paytables={"bad_beat": table_id},
    )
    for table_id, situation, odds in [
        ("2", "bad_beat_flush", "60.00"),
        ("3", "bad_beat_flush", "50.00"),
        ("3", "bad_beat_straight", "40.00"),
        ("4", "bad_beat_full_house", "60.00"),
        ("4", "bad_beat_four_of_a_kind", "250.00"),
    ]
]

# Washington's operator-filled cells, other qualifiers and its posted cap.
WASHINGTON = [
    one_seat(
        "washington: no Bad Beat table, a losing straight loses",
        "washington",
        "bad_beat_straight",
        main_nets("-10.00", "-10.00", "-30.00"),
        paytables={"bad_beat": "none"},
    ),
    one_seat(
        "washington: the operator pays 7 on a beaten flush",
        "washington",
        "bad_beat_flush",
        main_nets("-10.00", "70.00", "-30.00"),
        paytables={"bad_beat": "HH/OW/BB-2"},
        options={
            "bonus": {
                "bad_beat": {
                    "royal_flush": "1",
                    "straight_flush": "100",
                    "four_of_a_kind": "20",
                    "full_house": "9",
                    "flush": "7",
                    "straight": "4",
                }
            }
        },
    ),
    *(
        one_seat(
            f"{rules}: the operator's Odds, {situation}",
            rules,
            situation,
            main_nets("10.00", odds, "30.00"),
            paytables={"odds": "HH/OW-3"},
            options={
                "bonus": {
                    "odds": {
                        "royal_flush": "200",
                        "straight_flush": "30",
                        "four_of_a_kind": "9",
                        "full_house": "4",
                        "flush": "2.5",
                        "straight": "2",
                    }
                }
            },
        )
        for rules in ("washington", "washington-no-qualifier")
        for situation, odds in [
            ("win_straight", "20.00"),
            ("win_flush", "25.00"),
            ("win_pair", "0.00"),
        ]
    ),
    one_seat(
        "washington: a pair does not qualify under two pair",
        "washington",
        "win_pair",
        main_nets("0.00", "0.00", "30.00"),
        options={"qualifier": "two_pair"},
    ),
    one_seat(
        "washington: a Bad Beat against a dealer who does not qualify",
        "washington",
        "bad_beat_straight",
        main_nets("0.00", "50.00", "-30.00"),
        options={"qualifier": "flush"},
    ),
    one_seat(
        "washington: Ante and Raise are paid in full, Odds up to the cap",
        "washington",
        "win_straight_flush",
        main_nets("10.00", "260.00", "30.00"),
        options={"cap": "300.00"},
    ),
]

# SugarHouse: $50,000, or 504 minimum wagers where that is more (R100, R101).
CAPS = [
    one_seat(
        "sugarhouse: a $99 royal wins $49,896, under the cap",
        "sugarhouse",
        "win_royal_flush",
        main_nets("99.00", "49500.00", "297.00"),
        ante="99.00",
    ),
    one_seat(
        "sugarhouse: a $200 royal is cut to $50,000, its Trips Plus is not",
        "sugarhouse",
        "win_royal_flush",
        main_nets("200.00", "49200.00", "600.00", trips_plus="20000.00"),
        ante="200.00",
        side={"trips_plus": "200.00"},
    ),
    one_seat(
        "sugarhouse: at a $100 minimum the cap is $50,400",
        "sugarhouse",
        "win_royal_flush",
        main_nets("200.00", "49600.00", "600.00"),
        ante="200.00",
        options={"minimum_wager": "100.00"},
    ),
    one_seat(
        "sugarhouse: at a $99 minimum the cap is $50,000",
        "sugarhouse",
        "win_royal_flush",
        main_nets("200.00", "49200.00", "600.00"),
        ante="200.00",
        options={"minimum_wager": "99.00"},
    ),
    one_seat(
        "sugarhouse: a $200 Bad Beat is cut too",
        "sugarhouse",
        "bad_beat_straight_flush",
        main_nets("-200.00", "50000.00", "-600.00"),
        ante="200.00",
    ),
]

# A flush pays 3:2, the only pay that splits a chip (R18).
ROUNDING = [
    one_seat(
        f"galaxy: 3:2 on {ante}, {options or 'to the cent'}",
        "galaxy",
        "win_flush",
        main_nets(*nets),
        ante=ante,
        options=options,
    )
    for ante, options, nets in [
        ("5.00", {}, ("5.00", "7.50", "15.00")),
        ("5.00", {"chip_unit": "1.00", "rounding": "down"}, ("5.00", "7.00", "15.00")),
        ("5.00", {"chip_unit": "1.00", "rounding": "up"}, ("5.00", "8.00", "15.00")),
        ("5.00", {"chip_unit": "1.00", "rounding": "nearest"}, ("5.00", "8.00", "15.00")),
        ("7.50", {"chip_unit": "1.00", "rounding": "down"}, ("7.00", "11.00", "22.00")),
        ("7.50", {"chip_unit": "1.00", "rounding": "nearest"}, ("8.00", "11.00", "23.00")),
        ("7.50", {"chip_unit": "5.00", "rounding": "up"}, ("10.00", "15.00", "25.00")),
    ]
]

# Trips Plus, $5, by the hand of seven cards, won or lost. GW 3 is not G 3 (R51).
TRIPS_PLUS = [
    one_seat(
        f"{rules}: Trips Plus {table_id or 'by default'}, {situation}",
        rules,
        situation,
        main_nets(*main, trips_plus=net),
        side={"trips_plus": "5.00"},
        paytables={"trips_plus": table_id} if table_id else {},
    )
    for rules, table_id, situation, main, net in [
        ("galaxy", "", "win_two_pair", ("10.00", "0.00", "30.00"), "-5.00"),
        ("galaxy", "", "win_three_of_a_kind", ("10.00", "0.00", "30.00"), "15.00"),
        ("galaxy", "", "lose_three_of_a_kind", ("-10.00", "-10.00", "-30.00"), "15.00"),
        ("galaxy", "", "bad_beat_straight", ("-10.00", "50.00", "-30.00"), "20.00"),
        ("galaxy", "2", "win_straight", ("10.00", "10.00", "30.00"), "25.00"),
        ("galaxy", "", "win_flush", ("10.00", "15.00", "30.00"), "35.00"),
        ("galaxy", "", "win_full_house", ("10.00", "30.00", "30.00"), "45.00"),
        ("galaxy", "3", "win_full_house", ("10.00", "30.00", "30.00"), "40.00"),
        ("galaxy", "4", "win_full_house", ("10.00", "30.00", "30.00"), "35.00"),
        ("galaxy", "", "win_four_of_a_kind", ("10.00", "100.00", "30.00"), "150.00"),
        ("galaxy", "", "win_straight_flush", ("10.00", "500.00", "30.00"), "200.00"),
        ("galaxy", "", "tie_royal_flush", ("0.00", "0.00", "0.00"), "500.00"),
        ("galaxy-wpt", "", "win_full_house", ("10.00", "30.00", "30.00"), "40.00"),
        ("galaxy-wpt", "3", "win_full_house", ("10.00", "30.00", "30.00"), "35.00"),
        ("galaxy-wpt", "", "win_two_pair", ("10.00", "0.00", "30.00"), "-5.00"),
        ("new-york", "", "win_full_house", ("10.00", "30.00", "30.00"), "45.00"),
        ("new-york", "D", "win_flush", ("10.00", "15.00", "30.00"), "30.00"),
        ("sugarhouse", "", "win_full_house", ("10.00", "30.00", "30.00"), "40.00"),
        ("washington", "", "win_royal_flush", ("10.00", "5000.00", "30.00"), "250.00"),
        ("washington", "HH/TP-4", "win_four_of_a_kind", ("10.00", "100.00", "30.00"), "100.00"),
        ("washington", "HH/TP-5", "win_royal_flush", ("10.00", "5000.00", "30.00"), "500.00"),
    ]
]


def folded_trips(rules: str, net: str, options: dict[str, str]) -> Scenario:
    """Trips on the board, low kickers: the hand a good player folds (R54)."""
    sitting = seat(1, "3d5h", raised="", trips_plus="5.00")
    played = table(rules, "KsQh", "9c9d9h4s2c", sitting, options=options)
    nets = main_nets("-10.00", "-10.00", trips_plus=net)
    return Scenario(f"{rules}: trips folded, {options or 'by default'}", played, {1: nets})


def literal_trips(hand: str, net: str) -> Scenario:
    """One hole card makes the straight; NY (g) to the letter wants both (R53)."""
    sitting = seat(1, "9d2h", trips_plus="5.00")
    options = {"trips_plus_hand": hand}
    played = table("new-york", "KdQs", "5c6d7h8sKc", sitting, options=options)
    nets = main_nets("10.00", "10.00", "30.00", trips_plus=net)
    return Scenario(f"new-york: Trips Plus of {hand}", played, {1: nets})


FOLDS = [
    *(
        folded_trips(rules, "15.00", {})
        for rules in ("galaxy", "galaxy-wpt", "new-york", "sugarhouse", "washington")
    ),
    folded_trips("new-york", "-5.00", {"trips_plus_after_fold": "forfeits"}),
    literal_trips("seven_cards", "20.00"),
    literal_trips("both_hole_cards", "-5.00"),
    Scenario(
        "galaxy: a folder still wins all four side wagers",
        # Quads of nines on the board; hole and packet make a flush.
        table(
            "galaxy",
            "KsQh",
            "9c9d9h9s2c",
            seat(
                3,
                "AhJh",
                raised="",
                trips_plus="5.00",
                pocket_bonus="5.00",
                all_6="5.00",
                progressive="1.00",
            ),
            all_6="2h4h6h8s",
            meter="100000.00",
        ),
        {
            3: main_nets(
                "-10.00",
                "-10.00",
                trips_plus="150.00",
                pocket_bonus="100.00",
                all_6="100.00",
                progressive="49.00",
            )
        },
        "100000.00",
    ),
]


def pocket_round(rules: str, table_id: str, pays: list[str]) -> Scenario:
    """Six seats against an unqualified dealer, all ahead of him, $5 on each Pocket Bonus."""
    holes = ["AcAd", "AhQh", "AsJd", "KdKh", "ThTd", "8c8h"]
    seats = [seat(n, hole, pocket_bonus="5.00") for n, hole in enumerate(holes, start=1)]
    nets = {
        number: main_nets("0.00", "0.00", "30.00", pocket_bonus=net)
        for number, net in enumerate(pays, start=1)
    }
    played = table(rules, "3h7d", "2c5d9hJsKc", *seats, paytables={"pocket_bonus": table_id})
    return Scenario(f"{rules}: Pocket Bonus {table_id}", played, nets)


POCKET_BONUS = [
    pocket_round("galaxy", "1", ["150.00", "100.00", "50.00", "25.00", "25.00", "25.00"]),
    pocket_round("galaxy", "3", ["150.00", "100.00", "50.00", "20.00", "20.00", "20.00"]),
    pocket_round("galaxy-wpt", "2", ["125.00", "100.00", "50.00", "25.00", "25.00", "25.00"]),
    # Pairs pay, whatever the second sentence of NY (i) says (R57).
    pocket_round("new-york", "A", ["150.00", "100.00", "50.00", "25.00", "25.00", "25.00"]),
    pocket_round("new-york", "B", ["125.00", "100.00", "50.00", "25.00", "25.00", "25.00"]),
    pocket_round("sugarhouse", "1", ["150.00", "100.00", "50.00", "20.00", "20.00", "20.00"]),
    pocket_round("washington", "HH/PB-1", ["150.00", "100.00", "50.00", "25.00", "25.00", "25.00"]),
    Scenario(
        "sugarhouse: a ten is not a face",
        table("sugarhouse", "3h7d", "2c5d9hJsKc", seat(1, "AsTs", pocket_bonus="5.00")),
        {1: main_nets("0.00", "0.00", "30.00", pocket_bonus="-5.00")},
    ),
]


def all_6_round(
    name: str, table_id: str, board: str, packet: str, seats: dict[str, dict[str, str]]
) -> Scenario:
    sitting = [seat(n, hole, all_6="5.00") for n, hole in enumerate(seats, start=1)]
    dealer = "3h7s" if board.startswith("2c5c") else "4h5h"
    played = table("galaxy", dealer, board, *sitting, all_6=packet, paytables={"all_6": table_id})
    return Scenario(
        f"galaxy: All 6 table {table_id}, {name}", played, dict(enumerate(seats.values(), start=1))
    )


def all_6_nets(ante: str, raised: str, all_6: str) -> dict[str, str]:
    return main_nets(ante, "0.00", raised, all_6=all_6)


# The first board leaves the dealer unqualified; the second is queens and deuces for everyone.
ALL_6 = [
    all_6_round(
        "six-card royal in diamonds",
        table_id,
        "2c5c9hJsKc",
        "9dTdJdQd",
        {"AdKd": all_6_nets("0.00", "30.00", net)},
    )
    for table_id, net in [("1", "5000.00"), ("5", "1000000.00")]
] + [
    all_6_round(
        "six-card royal in hearts",
        "5",
        "2c5c9sJsKc",
        "9hThQhKh",
        {"AhJh": all_6_nets("0.00", "30.00", "100000.00")},
    ),
    all_6_round(
        "five-card royal",
        "5",
        "2c5c9sJsKc",
        "ThQhKh2d",
        {
            "AhJh": all_6_nets("0.00", "30.00", "5000.00"),
            "8c8d": all_6_nets("0.00", "30.00", "-5.00"),
        },
    ),
    all_6_round(
        "straight flush, trips, flush, straight and nothing",
        "1",
        "2sQcJhQs2d",
        "4d5d6d7d",
        {
            "8dAs": all_6_nets("10.00", "30.00", "1000.00"),
            "7c7h": all_6_nets("10.00", "30.00", "25.00"),
            "Ad9d": all_6_nets("10.00", "30.00", "100.00"),
            "3c8h": all_6_nets("0.00", "0.00", "50.00"),
            "KhKs": all_6_nets("10.00", "30.00", "-5.00"),
        },
    ),
    all_6_round(
        "quads and full house",
        "1",
        "2sQcJhQs2d",
        "8c8d8h3s",
        {
            "8sKd": all_6_nets("10.00", "30.00", "250.00"),
            "3d3c": all_6_nets("10.00", "30.00", "125.00"),
        },
    ),
    all_6_round(
        "quads and full house",
        "3",
        "2sQcJhQs2d",
        "8c8d8h3s",
        {
            "8sKd": all_6_nets("10.00", "30.00", "500.00"),
            "3d3c": all_6_nets("10.00", "30.00", "100.00"),
        },
    ),
]


def jackpot(
    name: str,
    rules: str,
    table_id: str,
    situation: str,
    nets: tuple[str, str, str, str],
    meter_after: str,
    *,
    meter: str = "100000.00",
    stake: str = "1.00",
    **options: Any,
) -> Scenario:
    ante, odds, raised, progressive = nets
    return one_seat(
        f"{rules}: {name}",
        rules,
        situation,
        main_nets(ante, odds, raised, progressive=progressive),
        meter_after,
        side={"progressive": stake},
        paytables={"progressive": table_id},
        options=options,
        meter=meter,
    )


ROYAL_NETS = ("10.00", "5000.00", "30.00")
FLUSH_NETS = ("10.00", "15.00", "30.00")

PROGRESSIVE = [
    # "For 1" in G and WA: the dollar is not returned. NY's 5:1 read as to 1 (R15).
    jackpot(
        "a flopped royal in spades takes the meter, the seed returns",
        "galaxy",
        "1",
        "win_royal_flush",
        (*ROYAL_NETS, "99999.00"),
        "10000.00",
        meter_seed="10000.00",
    ),
    jackpot(
        "a flopped royal in hearts, 10%",
        "galaxy",
        "1",
        "flopped_royal_in_hearts",
        (*ROYAL_NETS, "9999.00"),
        "90000.00",
        meter_seed="10000.00",
    ),
    jackpot(
        "10% is floored to the cent",
        "galaxy",
        "1",
        "flopped_royal_in_hearts",
        (*ROYAL_NETS, "1233.56"),
        "11111.11",
        meter="12345.67",
    ),
    jackpot(
        "percentages are never rounded to chips",
        "galaxy",
        "1",
        "flopped_royal_in_hearts",
        (*ROYAL_NETS, "1233.56"),
        "11111.11",
        meter="12345.67",
        chip_unit="5.00",
        rounding="up",
    ),
    jackpot(
        "a flopped royal in hearts, table 4",
        "galaxy",
        "4",
        "flopped_royal_in_hearts",
        (*ROYAL_NETS, "99999.00"),
        "0.00",
    ),
    jackpot(
        "a flopped royal in hearts pays 1,000 where table 4 differs from Galaxy's",
        "washington",
        "HH/JP-4",
        "flopped_royal_in_hearts",
        (*ROYAL_NETS, "999.00"),
        "100000.00",
    ),
    jackpot(
        "a royal with one hole card, 5%",
        "galaxy",
        "6",
        "royal_with_one_hole_card",
        (*ROYAL_NETS, "4999.00"),
        "95000.00",
    ),
    jackpot(
        "a royal with one hole card, 3,000",
        "galaxy",
        "5",
        "royal_with_one_hole_card",
        (*ROYAL_NETS, "2999.00"),
        "100000.00",
    ),
    jackpot(
        "a royal with one hole card, all of it",
        "galaxy",
        "8",
        "royal_with_one_hole_card",
        (*ROYAL_NETS, "99999.00"),
        "0.00",
    ),
    jackpot(
        "a community royal is not the 100% royal",
        "galaxy",
        "7",
        "tie_royal_flush",
        ("0.00", "0.00", "0.00", "999.00"),
        "100000.00",
    ),
    jackpot(
        "a community royal has no row in table 9",
        "galaxy",
        "9",
        "tie_royal_flush",
        ("0.00", "0.00", "0.00", "1999.00"),
        "100000.00",
    ),
    jackpot(
        "a flopped straight flush stays flopped under a community royal",
        "galaxy",
        "9",
        "flopped_straight_flush_under_royal",
        ("0.00", "0.00", "0.00", "99999.00"),
        "0.00",
    ),
    jackpot(
        "fixed pays scale with the table's stake",
        "galaxy",
        "1",
        "win_four_of_a_kind",
        ("10.00", "100.00", "30.00", "245.00"),
        "100000.00",
        stake="5.00",
        progressive_stake="5.00",
    ),
    jackpot(
        "a straight flush, table 3",
        "galaxy",
        "3",
        "win_straight_flush",
        ("10.00", "500.00", "30.00", "499.00"),
        "100000.00",
    ),
    jackpot(
        "a full house, table 7",
        "galaxy",
        "7",
        "win_full_house",
        ("10.00", "30.00", "30.00", "10.00"),
        "100000.00",
    ),
    jackpot(
        "a straight loses",
        "galaxy",
        "1",
        "win_straight",
        ("10.00", "10.00", "30.00", "-1.00"),
        "100000.00",
    ),
    jackpot(
        "a flush at 5:1",
        "new-york",
        "A",
        "win_flush",
        (*FLUSH_NETS, "5.00"),
        "100000.00",
    ),
    jackpot(
        "a flush at 5 for 1",
        "new-york",
        "A",
        "win_flush",
        (*FLUSH_NETS, "4.00"),
        "100000.00",
        progressive_basis="for",
    ),
    jackpot(
        "a flush loses the wager",
        "new-york",
        "C",
        "win_flush",
        (*FLUSH_NETS, "-1.00"),
        "100000.00",
    ),
    jackpot(
        "the whole pool, and the dollar back",
        "new-york",
        "A",
        "win_royal_flush",
        (*ROYAL_NETS, "100000.00"),
        "0.00",
    ),
    jackpot(
        "a blank flush cell loses",
        "washington",
        "HH/JP-3",
        "win_flush",
        (*FLUSH_NETS, "-1.00"),
        "100000.00",
    ),
    jackpot(
        "the operator's Bonus Jackpot, 20 for 1 on a full house",
        "washington",
        "HH/JP-7",
        "win_full_house",
        ("10.00", "30.00", "30.00", "19.00"),
        "100000.00",
        bonus={
            "progressive": {
                "flopped_royal_flush_in_spades": "5000",
                "flopped_royal_flush": "3000",
                "royal_flush": "1000",
                "community_royal_flush": "500",
                "straight_flush": "200",
                "four_of_a_kind": "60",
                "full_house": "20",
                "flush": "3",
            }
        },
    ),
]


def community_royal(awards: str, nets: dict[int, str], after: str) -> Scenario:
    """Three seats at 10% of $1,000; seat 2 has folded and is settled first (R70, R97)."""
    seats = [
        seat(2, "2h3h", raised="", progressive="1.00"),
        seat(4, "4c4d", progressive="1.00"),
        seat(6, "5c5d", progressive="1.00"),
    ]
    played = table(
        "galaxy",
        "2d3c",
        "ThJhQhKhAh",
        *seats,
        options={"percentage_awards": awards},
        meter="1000.00",
    )
    main = {2: main_nets("-10.00", "-10.00")} | {
        number: main_nets("0.00", "0.00", "0.00") for number in (4, 6)
    }
    expected = {number: main[number] | {"progressive": net} for number, net in nets.items()}
    return Scenario(f"galaxy: three community royals, {awards}", played, expected, after)


SHARED_JACKPOTS = [
    community_royal("snapshot", {2: "99.00", 4: "99.00", 6: "99.00"}, "700.00"),
    community_royal("sequential", {2: "99.00", 4: "80.00", 6: "89.00"}, "729.00"),
    Scenario(
        "galaxy: two flopped straight flushes split the meter, the odd cent stays",
        table(
            "galaxy",
            "KsQh",
            "7c8c9cKd2h",
            seat(1, "5c6c", progressive="1.00"),
            seat(2, "TcJc", progressive="1.00"),
            paytables={"progressive": "9"},
            options={"meter_seed": "500.00"},
            meter="1000.01",
        ),
        {number: main_nets("10.00", "500.00", "30.00", progressive="499.00") for number in (1, 2)},
        "500.01",
    ),
]

SCENARIOS = [
    *read_grid(),
    *STREETS,
    *BAD_BEATS,
    *WASHINGTON,
    *CAPS,
    *ROUNDING,
    *TRIPS_PLUS,
    *FOLDS,
    *POCKET_BONUS,
    *ALL_6,
    *PROGRESSIVE,
    *SHARED_JACKPOTS,
]
