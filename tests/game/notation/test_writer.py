"""A round written as TOML can be read, played and settled again with the same result."""

import json
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.game.notation.model import WrittenReport, WrittenRound
from headsup.game.notation.reader import RulesCache, read_round, read_written_round
from headsup.game.notation.settlement_json import write_settlement
from headsup.game.notation.transcript import play_at_table, play_written_round
from headsup.game.notation.writer import toml_value, write_round
from headsup.game.record.audit.auditor import Auditor
from headsup.game.record.floor_text import table_text
from headsup.game.refusal import Refused
from headsup.game.round.commands import CloseBets, PlaceBets, ReportIrregularity
from headsup.game.round.decision import HAS_CHECKED, HAS_FOLDED, UNDECIDED, HasRaised
from headsup.game.round.events import HandResolved, IrregularityReported
from headsup.game.round.state import Phase, Round
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.rulebook.wagers import Street
from headsup.game.settlement import settle
from headsup.game.table.rounds import OpenRound, RoundOpened
from headsup.game.table.seating import SitGuest
from headsup.game.table.state import Table
from headsup.game.values.cards import DECK, format_cards
from headsup.game.values.money import format_cents
from headsup.game.values.safe_parse import parse_toml
from tests.support import strategies
from tests.support.logs import Recorder, open_table, play_round
from tests.support.tables import irregularity_report, opened, stakes, table_at

MEMORY = RulesCache()
EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "round.json"

ROUND = """\
# A pair of kings against the dealer's fives.
rules   = "new-york"
table   = "T1"
round   = 12
dealing = "shoe"
meter   = "25003.75"

dealer = "AcQd"
board  = "Kd9c5h5s2d"

[paytables]
odds         = "1"
bad_beat     = "1"
trips_plus   = "A"
pocket_bonus = "A"
progressive  = "A"

[options]
meter_seed = "25000.00"

[[seats]]
seat       = 1
hole       = "KsKh"
ante       = "10.00"
odds       = "10.00"
trips_plus = "5.00"
raise      = { street = "pocket", multiple = 3 }

[[seats]]
seat = 4
hole = "7h2s"
ante = "10.00"
odds = "10.00"
fold = true
auto = true
"""

EXPOSED = """
[irregularity]
at         = "flop"
cause      = "dealer_card_exposed"
dealer     = "Ann"
supervisor = "Bob"
"""


def parse_and_play(text: str) -> WrittenRound:
    return read_written_round(parse_toml(text), MEMORY)


def print_and_read(round: WrittenRound) -> str:
    return write_round(
        play_written_round(round).round, round.reports, round.rules_name, round.table
    )


def canonical_round(round: Round) -> str:
    """The whole state. Which seats had checked when a round was voided is not in its text, and
    the same rules may be named in more words there."""
    rules = MEMORY(round.rules.id, {}, {})
    seats = {
        number: seat._replace(decision=UNDECIDED) if seat.decision == HAS_CHECKED else seat
        for number, seat in round.seats.items()
    }
    same = round._replace(rules=rules, seats=seats, phase=Phase.CLOSED)
    return table_text(Table("T", rules, round=same))


def test_a_round_as_people_write_it() -> None:
    round = parse_and_play(ROUND)
    assert (round.table, round.number, round.rules.dealing) == ("T1", 12, "shoe")
    assert round.auto == {4}
    seats = play_written_round(round).round.seats
    assert (seats[1].decision, seats[4].decision) == (HasRaised(Street.POCKET, 3), HAS_FOLDED)
    assert seats[4].auto


def test_a_printed_round_reads_back_and_prints_the_same() -> None:
    once = print_and_read(parse_and_play(ROUND))
    assert print_and_read(parse_and_play(once)) == once
    assert "[[seats]]  # full house, kings full of fives; +$" in once
    assert canonical_round(play_written_round(parse_and_play(once)).round) == canonical_round(
        play_written_round(parse_and_play(ROUND)).round
    )


def test_the_golden_text() -> None:
    raw = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    golden = Path(__file__).parent / "golden" / "round.toml"
    assert print_and_read(read_written_round(raw, MEMORY)) == golden.read_text(encoding="utf-8")


def test_json_and_toml_settle_the_same() -> None:
    raw = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    answers = []
    for source in (raw, parse_toml(print_and_read(read_written_round(raw, MEMORY)))):
        round = read_round(source, MEMORY)
        answers.append(
            write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))
        )
    assert answers[0] == answers[1]


@settings(max_examples=settings().max_examples * 3 // 2, deadline=None)
@given(strategies.rounds())
def test_any_finished_round_is_a_fixed_point(round: strategies.Round) -> None:
    """parse → print → parse, for every book, paytable, option, Bonus cell and decision."""
    seats = [
        {
            "seat": play.seat,
            "hole": format_cards(play.hole),
            **{wager.value: format_cents(cents) for wager, cents in play.stakes.items()},
            **(
                {
                    "raise": {
                        "street": play.decision.street.value,
                        "multiple": play.decision.multiple,
                    }
                }
                if isinstance(play.decision, HasRaised)
                else {"fold": True}
            ),
        }
        for play in round.plays
    ]
    choice = dict(round.rules.chosen)
    raw: dict[str, Any] = {
        "rules": round.rules.id,
        "paytables": {key: table.id for key, table in round.rules.paytables.items()},
        "options": _options(choice),
        "meter": str(round.meter // 1_000_000),
        "dealer": format_cards(round.deal.dealer),
        "board": format_cards(round.deal.board),
        "seats": seats,
    }
    if round.deal.all_6:
        raw["all_6"] = format_cards(round.deal.all_6)
    first = read_written_round(raw, MEMORY)
    text = print_and_read(first)
    again = parse_and_play(text)
    assert print_and_read(again) == text
    expected = settle(first.rules, first.deal, first.plays, first.meter)
    replayed = play_written_round(again).round.settlement
    assert replayed is not None
    by_seat = {seat.seat: seat.lines for seat in expected.seats}
    assert {seat.seat: seat.lines for seat in replayed.seats} == by_seat
    assert replayed.meter_after == expected.meter_after


def _options(choice: dict[str, str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for key, value in choice.items():
        name = key.removeprefix("options.")
        if key.startswith("options."):
            options[name] = literal_eval(value) if value.startswith("{") else value
    return options


# Rounds of a log, with everything that can go wrong at a table.


def logged_rounds(book: str, count: int, seed: int) -> Iterator[tuple[str, Round]]:
    """Text and final state of rounds with many irregularities."""
    log, random = Recorder(), Random(seed)
    open_table(log, book, "T1")
    for _ in range(count):
        play_round(log, "T1", random, trouble=0.15)
    reports: list[WrittenReport] = []
    decisions = Auditor().verify_entries(log.lines)
    for event, floor in (moment for decision in decisions for moment in decision.steps):
        round = floor.tables["T1"].round
        if round is None or isinstance(event, RoundOpened):
            reports = []
        elif isinstance(event, IrregularityReported):
            report = ReportIrregularity(
                *(event.cause, event.dealer, event.supervisor),
                *(event.seat, event.resolution, event.note),
            )
            reports.append(WrittenReport(round.phase, report))
        elif isinstance(event, HandResolved) and not round.unresolved_seats():
            yield write_round(round, reports, book, "T1"), round


def settles_the_same(text: str, round: Round) -> None:
    again = parse_and_play(text)
    assert print_and_read(again) == text
    assert canonical_round(play_written_round(again).round) == canonical_round(round)
    finished = read_round(parse_toml(text), MEMORY)
    settlement = settle(finished.rules, finished.deal, finished.plays, finished.meter)
    assert settlement == round.settlement
    json.dumps(write_settlement(finished, settlement))
    *_, last = play_at_table(again)
    at_table = last.floor.tables["T1"].round
    assert at_table is not None
    assert canonical_round(at_table) == canonical_round(round)


@pytest.mark.slow
@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_logged_rounds_with_irregularities_read_play_and_settle_the_same(book: str) -> None:
    seen = set()
    for text, round in logged_rounds(book, 30, seed=40):
        settles_the_same(text, round)
        seen.add(round.void.cause if round.void else "")
    assert len(seen) > 2


@pytest.mark.slow(seconds=5)
@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_many_more_logged_rounds(book: str) -> None:
    for text, round in logged_rounds(book, 500, seed=41):
        settles_the_same(text, round)


def test_a_round_of_a_houses_own_book_carries_the_book_and_settles_the_same() -> None:
    """The log names such a book by its whole text, and so does an export."""
    own = 'id = "club"\nextends = "galaxy"\ntitle = "Club \\"night\\""\n'
    rounds = 0
    for text, round in logged_rounds(own, 4, seed=42):
        finished = read_round(parse_toml(text), MEMORY)
        assert finished.rules.book.title == 'Club "night"'
        assert settle(finished.rules, finished.deal, finished.plays, finished.meter) == (
            round.settlement
        )
        rounds += 1
    assert rounds


@pytest.mark.parametrize("name", ["galaxy\x1b[31m", "galaxy\r", "\n", 'title = "\x1b"\n'])
def test_a_name_that_is_no_book_is_refused_without_printing_it(name: str) -> None:
    with pytest.raises(Refused) as refused:
        read_written_round({**json.loads(EXAMPLE.read_text(encoding="utf-8")), "rules": name})
    assert refused.value.message.isprintable()


# Void rounds as people write them.


def settled(text: str) -> dict[str, Any]:
    round = read_round(parse_toml(text), MEMORY)
    return write_settlement(round, settle(round.rules, round.deal, round.plays, round.meter))


def results(answer: dict[str, Any], seat: int) -> dict[str, str]:
    lines = next(item for item in answer["seats"] if item["seat"] == seat)["wagers"]
    return {wager: line["result"] for wager, line in lines.items()}


def test_an_exposed_dealer_card_voids_all_but_trips_plus() -> None:
    answer = settled(ROUND.replace("fold = true\n", "") + EXPOSED)
    assert results(answer, 1) == {
        "ante": "void",
        "odds": "void",
        "raise": "void",
        "trips_plus": "win",
    }
    assert results(answer, 4) == {"ante": "void", "odds": "void"}


def test_a_foul_deck_before_the_cards_needs_no_cards() -> None:
    text = """
rules = "galaxy"
[[seats]]
seat = 2
ante = "10.00"
odds = "10.00"
all_6 = "5.00"
[irregularity]
at = "no_more_bets"
cause = "foul_deck"
dealer = "Ann"
supervisor = "Bob"
"""
    answer = settled(text)
    assert answer["dealer"] == {
        "category": None,
        "best": None,
        "hand": None,
        "qualifies": None,
    }
    assert results(answer, 2) == {"ante": "void", "odds": "void", "all_6": "void"}


def test_a_voided_hand_leaves_the_others() -> None:
    hand = EXPOSED.replace("dealer_card_exposed", "player_card_count") + "seat = 4\n"
    answer = settled(ROUND.replace("fold = true\n", "") + hand)
    assert set(results(answer, 4).values()) == {"void"}
    assert results(answer, 1)["ante"] == "win"


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        (('at         = "flop"', 'at = "noon"'), "bad_irregularity", "at must be one of"),
        (('cause      = "dealer', 'cause = "x_dealer'), "unknown_irregularity", "is not one of"),
        (('"Bob"', '"Ann"'), "needs_two_people", "two different people"),
        (("fold = true", "fold = true"), "bad_decision", "void before the decision could be made"),
        (('at         = "flop"', 'at = "closed"'), "bad_decision", ""),
        (('"pocket", multiple = 3', '"river", multiple = 1'), "bad_decision", "seat 1"),
    ],
)
def test_impossible_voids_are_refused(change: tuple[str, str], code: str, words: str) -> None:
    text = (ROUND + EXPOSED).replace(*change)
    if change[0] != "fold = true":
        text = text.replace("fold = true\n", "")
    with pytest.raises(Refused) as refused:
        read_round(parse_toml(text), MEMORY)
    assert (refused.value.code, words in refused.value.message) == (code, True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (('table   = "T1"', "table = 5"), "bad_round"),
        (("round   = 12", "round = 0"), "bad_round"),
        (('dealing = "shoe"', 'dealing = "sleight"'), "bad_option"),
        (('meter_seed = "25000.00"', 'dealing = "hand"'), "bad_round"),
        (("auto = true", 'auto = "yes"'), "bad_decision"),
        (('board  = "Kd9c5h5s2d"', 'board = "Kd9c5h5s2d"\nirregularity = 5'), "bad_irregularity"),
    ],
)
def test_bad_keys_are_refused(change: tuple[str, str], code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_round(parse_toml(ROUND.replace(*change)), MEMORY)
    assert refused.value.code == code


# The deck.


def with_deck(deck: str, without: str = "") -> str:
    text = ROUND.replace('dealer = "AcQd"', f'dealer = "AcQd"\ndeck = "{deck}"')
    return "\n".join(line for line in text.split("\n") if not without or without not in line)


def test_a_deck_deals_the_cards_that_are_not_named() -> None:
    deck = format_cards(play_written_round(parse_and_play(ROUND)).round.deck)
    text = with_deck(deck).replace('hole       = "KsKh"\n', "").replace('board  = "Kd9c5h5s2d"', "")
    round = parse_and_play(text)
    assert format_cards(round.deal.board) == "Kd9c5h5s2d"
    assert format_cards(round.plays[0].hole) == "KsKh"


def test_a_deck_that_deals_other_cards_is_refused() -> None:
    deck = format_cards(DECK)
    with pytest.raises(Refused) as refused:
        parse_and_play(with_deck(deck))
    assert refused.value.code == "deck_differs"


@pytest.mark.parametrize(
    ("deck", "code"),
    [("AsKs", "wrong_card_count"), ("As" * 52, "duplicate_card"), ("Zz" * 52, "unknown_card")],
)
def test_a_deck_is_52_different_cards(deck: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_and_play(with_deck(deck))
    assert refused.value.code == code


def test_an_open_round_cannot_be_written() -> None:
    with pytest.raises(Refused, match="once it is settled"):
        write_round(Round(parse_and_play(ROUND).rules, 1))


# TOML values.


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_a_round_trip(text: str) -> None:
    assert parse_toml(f"text = {toml_value(text)}") == {"text": text}


@given(
    st.recursive(
        st.booleans() | st.integers(-(2**60), 2**60) | st.text("abc"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", min_size=1), inner),
    )
)
def test_any_value_survives_a_round_trip(value: object) -> None:
    assert parse_toml(f"value = {toml_value(value)}") == {"value": value}


@pytest.mark.parametrize("phase", [Phase.NO_MORE_BETS, Phase.POCKET, Phase.RESOLVING])
def test_a_round_with_a_wrong_card_count_is_read_back(phase: Phase) -> None:
    play = table_at(phase, "new-york", seats=(1, 2, 3))
    report = irregularity_report("player_card_count", 2)
    play.does(report)
    play.reaches(Phase.CLOSED)
    text = write_round(play.round, [WrittenReport(phase, report)])
    assert ("hole" in text.split("[[seats]]")[2]) == (phase is not Phase.NO_MORE_BETS)
    again = play_written_round(read_written_round(parse_toml(text))).round
    assert play.round.settlement is not None
    assert again.settlement is not None
    assert again.settlement.seats == play.round.settlement.seats


def test_r109_a_guests_round_is_played_again_from_its_text() -> None:
    """A record calls a guest "seat 3"; the text is played again with counted chips."""
    play = opened(seats=(), paytables={"progressive": "none"})
    play.does(SitGuest(3, "Tom"), OpenRound(), PlaceBets(3, stakes()), CloseBets())
    play.deals()
    play.reaches(Phase.CLOSED)
    text = write_round(play.round, (), "galaxy", "T1", play.table.players)
    *_, last = play_at_table(parse_and_play(text))
    assert last.floor.tables["T1"].players == {3: "player 3"}
