"""Reading finished rounds: what is accepted, and every refusal with its code and place."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from headsup.game.notation.reader import RulesCache, read_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.refusal import Refused
from headsup.game.round.decision import HasRaised
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.settlement import settle
from headsup.game.values.safe_parse import parse_json, parse_toml

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "round.json"
ROUND: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
ABSENT = object()
memory = RulesCache()


def change_value(path: str, value: object) -> dict[str, Any]:
    """The sample round with the value at a path such as `seats.0.ante` changed."""
    raw = deepcopy(ROUND)
    at: Any = raw
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in way:
        at = at[step]
    if value is ABSENT:
        del at[last]
    else:
        at[last] = value
    return raw


def refusal(raw: object) -> Refused:
    with pytest.raises(Refused) as refused:
        read_round(raw, memory)
    assert refused.value.message.isprintable()
    assert len(refused.value.message) < 1000
    return refused.value


def check(path: str, value: object, code: str, words: str) -> None:
    refused = refusal(change_value(path, value))
    assert (refused.code, words in refused.message) == (code, True), refused.message


# What is accepted.


def test_the_sample_round() -> None:
    round = read_round(parse_json(EXAMPLE.read_text(encoding="utf-8")))
    assert round.rules.id == "galaxy"
    assert round.meter == 100_000_000_000
    first, second = round.plays
    assert (first.seat, first.decision) == (1, HasRaised(Street.POCKET, 3))
    assert first.stakes[Wager.PROGRESSIVE] == 100
    assert second.folded


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("board", "Kd 9c 5h 5s 2d"),
        ("board", ["Kd", "9c", "5h", "5s", "2d"]),
        ("meter", 100000),
        ("rules", ABSENT),
        ("paytables", ABSENT),
        ("paytables", None),
        ("options", None),
        ("seats.0.ante", 10),
        ("seats.0.seat", 6),
        ("seats.0.seat", ABSENT),  # then its place in the list counts
        ("seats.1.raise", None),
        ("seats.0.fold", False),
        ("seats.0.trips_plus", None),
        ("seats.0.player", "Ann"),
        ("seats.0.note", {"anything": ["at", "all"]}),
        ("id", "round 17"),
        ("id", 17),
        ("note", "the dealer was new"),
    ],
)
def test_equivalent_notations_read_the_same(path: str, value: object) -> None:
    assert len(read_round(change_value(path, value), memory).plays) == 2


def test_toml_reads_as_json_does() -> None:
    text = """
        rules = "galaxy"
        dealer = "AcQd"
        board = "Kd9c5h5s2d"
        [[seats]]
        seat = 1
        hole = "KsKh"
        ante = "10.00"
        odds = 10.00
        raise = { street = "pocket", multiple = 3 }
    """
    round = read_round(parse_toml(text))
    assert round.plays[0].stakes == {Wager.ANTE: 1000, Wager.ODDS: 1000}


def test_a_settlement_is_written_as_documented() -> None:
    round = read_round(change_value("id", "a"), memory)
    written = write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))
    assert list(written) == ["id", "dealer", "seats", "order", "rules", "meter"]
    assert written["dealer"] == {
        "category": "one_pair",
        "best": "5h5sAcKdQd",
        "hand": "pair of fives, ace kicker",
        "qualifies": True,
    }
    assert written["meter"] == {"before": "100000.00", "after": "100000.00"}
    first = written["seats"][0]
    assert list(first) == ["seat", "category", "best", "hand", "wagers", "net"]
    assert (first["category"], first["best"]) == ("full_house", "KdKhKs5h5s")
    nets = {wager: (line["result"], line["net"]) for wager, line in first["wagers"].items()}
    assert nets == {
        "ante": ("win", "10.00"),
        "odds": ("win", "30.00"),
        "raise": ("win", "30.00"),
        "trips_plus": ("win", "40.00"),
        "pocket_bonus": ("win", "25.00"),
        "all_6": ("lose", "-5.00"),
        "progressive": ("win", "9.00"),
    }
    assert first["net"] == "139.00"
    assert json.loads(json.dumps(written)) == written


# Refusals: text.


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "bad_json", "this is not JSON"),
        ("{", "bad_json", "at column 2"),
        ("seats", "bad_json", "this is not JSON"),
        ('{"a": 1} {"a": 2}', "bad_json", "Extra data"),
        ("{'a': 1}", "bad_json", "double quotes"),
        ('{"dealer": "AcQd", "dealer": "AsQd"}', "repeated_key", "'dealer' appears twice"),
        ('{"seats": [{"ante": 1, "ante": 2}]}', "repeated_key", "'ante' appears twice"),
        ("[" * 100_000, "bad_json", "nested too deeply"),
        ('{"a":' * 100_000, "bad_json", "nested too deeply"),
    ],
    ids=lambda value: value[:12],
)
def test_text_that_is_not_json(text: str, code: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        parse_json(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dealer = ", "this is not TOML"),
        ("dealer = 1\ndealer = 2", "this is not TOML"),
        ("ante = " + "9" * 5000, "5,000 characters"),
        ("a = " + "[" * 100_000, "nested too deeply"),
    ],
    ids=lambda value: value[:12],
)
def test_text_that_is_not_toml(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words) as refused:
        parse_toml(text)
    assert refused.value.code == "bad_toml"


@pytest.mark.parametrize("raw", [[], "round", 5, None, True, [ROUND]], ids=repr)
def test_a_round_is_an_object(raw: object) -> None:
    assert refusal(raw).code == "bad_round"


# Refusals: amounts, as JSON numbers of every shape.


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        ("NaN", "bad_money", "seat 1: ante: NaN is not an amount"),
        ("Infinity", "bad_money", "seat 1: ante: Infinity is not"),
        ("-Infinity", "bad_money", "seat 1: ante: -Infinity is not"),
        ("-10", "stake_not_positive", "seat 1: Ante is -$10.00; a stake must be above $0.00"),
        ("0", "stake_not_positive", "seat 1: Ante is $0.00"),
        ("-0.0", "stake_not_positive", "seat 1: Ante is $0.00"),
        ("10.001", "fractional_cents", "seat 1: ante: 10.001 has a fraction of a cent"),
        ("1e-3", "fractional_cents", "seat 1: ante: 0.001"),
        ("1e30", "amount_too_large", "seat 1: ante: 1E+30 is far too large"),
        (str(2**63), "amount_too_large", "seat 1: Ante is above $10,000,000.00"),
        ("9" * 400, "amount_too_large", "seat 1: ante: a number of hundreds of digits"),
        ("9" * 5000, "amount_too_large", "seat 1: ante: 9999"),
        ("1e400", "amount_too_large", "seat 1: ante: 1E+400"),
        ("1e" + "9" * 30, "bad_money", "seat 1: ante: '1e999"),
        ("true", "bad_money", "seat 1: ante: true is not an amount"),
        ("[10]", "bad_money", "seat 1: ante: a list is not"),
        ("[" * 20 + "]" * 20, "bad_money", "seat 1: ante: a list is not"),
        ('{"dollars": 10}', "bad_money", "seat 1: ante: an object is not"),
        ("null", "missing_wager", "seat 1: Ante is missing"),
        ('"ten"', "bad_money", "seat 1: ante: 'ten' is not"),
        ('"\\ud800\\n"', "bad_money", "seat 1: ante: '\\\\ud800\\\\n' is not"),
        ("20", "ante_not_equal_odds", "seat 1: Ante $20.00 and Odds $10.00 must be equal (G 2)"),
    ],
    ids=lambda value: value[:12],
)
def test_refused_amounts(number: str, code: str, words: str) -> None:
    text = json.dumps(ROUND).replace('"ante": "10.00"', f'"ante": {number}', 1)
    refused = refusal(parse_json(text))
    assert (refused.code, words.replace("\\\\", "\\") in refused.message) == (code, True), (
        refused.message
    )


# Refusals: the round.


@pytest.mark.parametrize(
    ("path", "value", "code", "words"),
    [
        # Cards.
        ("seats.0.hole", "KsXx", "unknown_card", "seat 1: hole: 'Xx' is not a card"),
        ("seats.0.hole", "1sKh", "unknown_card", "'1s'"),
        ("seats.0.hole", "KsK", "unknown_card", "seat 1: hole: 'K'"),
        ("seats.0.hole", 5, "unknown_card", "seat 1: hole: cards are written as text"),
        ("seats.0.hole", ["Ks", 5], "unknown_card", "seat 1: hole: cards are written as text"),
        ("seats.0.hole", "Ks Kh" + " " * 300 + "Qs", "unknown_card", "far too long for 2 cards"),
        ("dealer", "AcZz", "unknown_card", "dealer: 'Zz'"),
        ("all_6", "2c3c4cXX", "unknown_card", "all_6: 'XX'"),
        ("seats.0.hole", "Ks", "wrong_card_count", "seat 1: hole: 2 cards expected, 1 given"),
        ("seats.0.hole", "", "wrong_card_count", "2 cards expected, 0 given"),
        ("seats.0.hole", "KsKhQc", "wrong_card_count", "2 cards expected, 3 given"),
        ("dealer", "AcQdJs", "wrong_card_count", "dealer: 2 cards expected, 3 given"),
        ("board", "Kd9c5h5s", "wrong_card_count", "board: 5 cards expected, 4 given"),
        ("board", "Kd9c5h5s2d3d", "wrong_card_count", "board: 5 cards expected, 6 given"),
        ("all_6", "2c3c4c", "wrong_card_count", "all_6: 4 cards expected, 3 given"),
        ("seats.0.hole", ABSENT, "missing_cards", "seat 1: hole: 2 cards are missing"),
        ("dealer", None, "missing_cards", "dealer: 2 cards are missing"),
        ("board", ABSENT, "missing_cards", "board: 5 cards are missing"),
        ("seats.0.hole", "KsKs", "duplicate_card", "Ks is in seat 1 twice"),
        ("seats.0.hole", "KdKs", "duplicate_card", "Kd is in the board and again in seat 1"),
        ("seats.1.hole", "Ks7h", "duplicate_card", "Ks is in seat 1 and again in seat 2"),
        ("dealer", "Kd9h", "duplicate_card", "Kd is in the dealer's hand and again in the board"),
        ("board", "Kd9c5h5sKd", "duplicate_card", "Kd is in the board twice"),
        ("all_6", "2c3c4cAc", "duplicate_card", "Ac is in the dealer's hand and again in all_6"),
        ("all_6", ABSENT, "missing_all_6", "an All 6 wager needs the four All 6 cards"),
        # Stakes.
        ("seats.0.odds", "5.00", "ante_not_equal_odds", "seat 1: Ante $10.00 and Odds $5.00"),
        ("seats.1.odds", ABSENT, "missing_wager", "seat 2: Odds is missing"),
        ("seats.0.progressive", "0.99", "progressive_stake", "$0.99; this table takes exactly $1"),
        ("seats.0.trips_plus", "-5", "stake_not_positive", "seat 1: Trips Plus is -$5.00"),
        ("seats.0.trips_plus", 0, "stake_not_positive", "seat 1: Trips Plus is $0.00"),
        ("seats.0.all_6", "0.005", "fractional_cents", "seat 1: all_6: '0.005'"),
        ("options", {"limits": {"ante": {"min": "15"}}}, "below_minimum", "seat 1: Ante $10.00"),
        ("options", {"limits": {"ante": {"max": "5"}}}, "above_maximum", "maximum $5.00"),
        ("options", {"limits": {"ante": {"step": "3"}}}, "off_step", "not a multiple of $3.00"),
        ("options", {"limits": {"ante": {"max": "-5"}}}, "bad_limit", "limits.ante.max"),
        ("options", {"limits": {"ante": {"min": 9, "max": 5}}}, "bad_limit", "min is above max"),
        # The decision.
        (
            "seats.0.raise.multiple",
            2,
            "raise_not_allowed",
            "seat 1: a Raise of 2× on the pocket is not allowed; galaxy allows 3× (G 5)",
        ),
        ("seats.0.raise.multiple", 0, "raise_not_allowed", "a Raise of 0×"),
        ("seats.0.raise.multiple", -3, "raise_not_allowed", "a Raise of -3×"),
        ("seats.0.raise.multiple", 10**400, "raise_not_allowed", "hundreds of digits×"),
        (
            "seats.0.raise",
            {"street": "river", "multiple": 3},
            "raise_not_allowed",
            "a Raise of 3× on the river is not allowed; galaxy allows 1× (G 9)",
        ),
        ("seats.0.raise.multiple", "3", "bad_decision", "must be a whole number, not '3'"),
        ("seats.0.raise.multiple", True, "bad_decision", "must be a whole number, not true"),
        ("seats.0.raise.multiple", 3.0, "bad_decision", "must be a whole number, not 3.0"),
        ("seats.0.raise.multiple", None, "bad_decision", "must be a whole number, not null"),
        ("seats.0.raise.street", "turn", "bad_decision", "must be one of pocket, flop, river"),
        ("seats.0.raise.street", ["flop"], "bad_decision", "must be one of pocket, flop, river"),
        ("seats.0.raise", "pocket", "bad_decision", "an object of street and multiple"),
        ("seats.0.raise", {"street": "flop"}, "bad_decision", "an object of street and multiple"),
        ("seats.0.fold", True, "bad_decision", "seat 1: both a raise and a fold"),
        ("seats.0.raise", ABSENT, "bad_decision", "seat 1: neither a raise nor a fold"),
        ("seats.1.fold", False, "bad_decision", "seat 2: neither a raise nor a fold"),
        ("seats.1.fold", "yes", "bad_decision", "seat 2: fold must be true or false"),
        ("seats.1.fold", 1, "bad_decision", "seat 2: fold must be true or false"),
        # Seats.
        ("seats", [], "bad_seats", "seats: must be a list of at least one seat"),
        ("seats", {}, "bad_seats", "seats: must be a list of at least one seat"),
        ("seats", ABSENT, "bad_seats", "seats: must be a list of at least one seat"),
        ("seats.0", "Ann", "bad_seats", "seats[1]: must be an object, not 'Ann'"),
        ("seats.0.seat", 0, "bad_seats", "seat 0: seats are numbered 1 to 6"),
        ("seats.0.seat", 7, "bad_seats", "seat 7: seats are numbered 1 to 6"),
        ("seats.0.seat", -1, "bad_seats", "seat -1: seats are numbered 1 to 6"),
        ("seats.0.seat", 10**400, "bad_seats", "seats are numbered 1 to 6"),
        ("seats.0.seat", 2, "bad_seats", "seat 2 is named twice"),
        ("seats.0.seat", True, "bad_seats", "seats[1]: seat must be a whole number, not true"),
        ("seats.0.seat", "1", "bad_seats", "seats[1]: seat must be a whole number, not '1'"),
        ("seats.0.seat", None, "bad_seats", "seats[1]: seat must be a whole number, not null"),
        # The meter and remarks.
        ("meter", "-1", "bad_meter", "meter: '-1' is not between $0.00 and $10,000,000,000.00"),
        ("meter", 10**20, "bad_meter", "meter: 1000"),
        ("meter", "lots", "bad_money", "meter: 'lots' is not an amount"),
        ("meter", "0.0000001", "fractional_micros", "meter: '0.0000001'"),
        ("meter", 10**60, "amount_too_large", "meter: 1000"),
        ("id", ["a"], "bad_round", "id: must be text or a whole number"),
        ("id", "a\x1b[31m", "bad_round", "id: must be at most 100 characters"),
        ("id", "\ud800", "bad_round", "id: must be at most 100 characters"),
        ("id", "a" * 101, "bad_round", "id: must be at most 100 characters"),
        # Keys.
        ("seats.0.trip_plus", "5.00", "unknown_key", "seat 1: there is no key 'trip_plus'"),
        ("seats.0.Ante", "5.00", "unknown_key", "seat 1: there is no key 'Ante'"),
        ("boards", "5.00", "unknown_key", "the round: there is no key 'boards'"),
        ("a\nb", 1, "unknown_key", r"the round: there is no key 'a\nb'"),
        # The table's rules.
        ("rules", "nevada", "unknown_rules", "there is no rule book 'nevada'; there are galaxy"),
        ("rules", "Galaxy", "unknown_rules", "there is no rule book 'Galaxy'"),
        ("rules", 5, "unknown_rules", "rules: must be the id of a rule book"),
        ("rules", "a\0.toml", "unknown_rules", "rules: must be the id of a rule book"),
        ("rules", "/no/such.toml", "unreadable_file", "/no/such.toml"),
        ("rules", "sugarhouse", "bad_rules", "paytables.all_6: sugarhouse does not offer All 6"),
        ("paytables.all_6", "none", "wager_not_offered", "all_6: galaxy does not offer All 6"),
        ("paytables.trips_plus", "9", "unknown_paytable", "galaxy has no paytable '9'; there are"),
        ("paytables.trips_plus", True, "unknown_paytable", "paytables.trips_plus"),
        ("paytables.trips_plus", [], "unknown_paytable", "paytables.trips_plus"),
        ("paytables.odds", "none", "unknown_paytable", "galaxy always pays it"),
        ("paytables.tripsplus", "1", "unknown_key", "paytables.tripsplus: there is no such key"),
        ("paytables.trips_plus", "none", "wager_not_offered", "seat 1: galaxy does not offer"),
        ("paytables", [], "bad_round", "paytables: must be an object, not a list"),
        ("options", "none", "bad_round", "options: must be an object, not 'none'"),
        ("options", {"qualifer": "none"}, "unknown_option", "options.qualifer: there is no such"),
        ("options", {"qualifier": "none"}, "option_not_open", "galaxy allows only one_pair"),
        ("options", {"flop_raises": [1, 2]}, "option_not_open", "galaxy allows only 2 (G 7)"),
        ("options", {"face_up": True}, "option_not_open", "galaxy has no such option"),
        ("options", {"chip_unit": "0"}, "bad_option", "options.chip_unit: must be a positive"),
        ("options", {"pocket_raises": [3, 3]}, "bad_option", "names a multiple twice"),
        ("options", {"bonus": {"odds": {"flush": "2"}}}, "bad_rules", "is not a Bonus cell"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else "value",
)
def test_refused_rounds(path: str, value: object, code: str, words: str) -> None:
    check(path, value, code, words)


def nested(depth: int) -> object:
    value: object = "1"
    for _ in range(depth):
        value = {"a": value} if depth % 2 else [value]
    return value


@pytest.mark.parametrize("depth", [9, 10, 400, 900])
@pytest.mark.parametrize("key", ["options", "paytables"])
def test_deeply_nested_choices_are_refused(key: str, depth: int) -> None:
    check(f"{key}.cap", nested(depth), "bad_round", f"{key}: is nested too deeply")


@pytest.mark.parametrize(
    ("tables", "options", "code", "words"),
    [
        ({"trips_plus": "HH/TP-6"}, {}, "bonus_unfilled", "say what each pays: royal_flush"),
        ({"odds": "HH/OW-1"}, {}, "illegal_combination", "WA App. A note 7"),
        ({"odds": "HH/OW-2"}, {"qualifier": "none"}, "illegal_combination", "WA App. A note 8"),
        ({}, {"cap": {"scope": "table"}}, "bad_option", "options.cap: needs an amount"),
    ],
)
def test_washington_tables_that_may_not_open(
    tables: dict[str, str], options: dict[str, object], code: str, words: str
) -> None:
    raw = deepcopy(ROUND) | {"rules": "washington", "paytables": tables, "options": options}
    del raw["all_6"]
    refused = refusal(raw)
    assert refused.code == code
    assert words in refused.message


def test_a_fifth_washington_option() -> None:
    seat = {"hole": "KsKh", "ante": 10, "odds": 10, "fold": True, "trips_plus": 5}
    raw = {"rules": "washington", "dealer": "AcQd", "board": "Kd9c5h5s2d", "seats": [seat]}
    read_round(raw, memory)
    seat["pocket_bonus"] = 5
    assert refusal(raw).code == "too_many_wagers"
    read_round(raw | {"options": {"raise_counts_as_option": False}}, memory)


def test_a_share_of_the_pool_needs_the_meter() -> None:
    raw = change_value("meter", None) | {"board": "QsJsTs3h3d"}
    raw["seats"][0]["hole"] = "AsKs"
    round = read_round(raw, memory)
    with pytest.raises(Refused) as refused:
        settle(round.rules, round.deal, round.plays, round.meter)
    assert refused.value.code == "missing_meter"
    assert "meter: seat 1 wins 100% of the pool" in refused.value.message


def test_all_mistakes_in_the_rules_are_reported_together() -> None:
    raw = change_value("options", {"qualifier": "none", "flop_raises": [5], "nope": 1})
    raw["paytables"] = {"trips_plus": "9"}
    message = refusal(raw).message
    for key in ("options.qualifier", "options.flop_raises", "options.nope", "paytables.trips_plus"):
        assert key in message


# The same batch of rules is read once.


def test_rules_are_cached_by_their_content() -> None:
    memory = RulesCache()
    galaxy = memory("galaxy", {"trips_plus": "3"}, {})
    assert memory("galaxy", {"trips_plus": "3"}, {}) is galaxy
    assert memory("galaxy", {"trips_plus": "2"}, {}) is not galaxy


# No text whatever may crash the reader.

MUTATIONS: list[Callable[[str], str]] = [
    lambda text: text.replace('"', "'"),
    lambda text: text.replace(":", ""),
    lambda text: text.replace('"10.00"', "null"),
    lambda text: text.replace('"10.00"', "[[[]]]"),
    lambda text: text.replace("KsKh", "\\u0000\\ud800"),
    lambda text: text.replace("{", "[").replace("}", "]"),
    lambda text: text[: len(text) // 2],
    lambda text: text * 2,
    lambda text: text.replace("1", "1e99999"),
    lambda text: text.replace("true", "NaN"),
]


@pytest.mark.parametrize("number", range(len(MUTATIONS)))
def test_a_damaged_round_is_refused_without_a_crash(number: int) -> None:
    text = MUTATIONS[number](json.dumps(ROUND))
    with pytest.raises(Refused) as refused:
        read_round(parse_json(text), memory)
    assert refused.value.message.isprintable()
