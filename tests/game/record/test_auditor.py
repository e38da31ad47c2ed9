"""A24: whatever in a log is not as it was written is named; what was written is accepted."""

import json
import os
from collections.abc import Callable
from copy import copy
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headsup.game.record.audit.auditor import Auditor, AuditReport, Finding, audit
from headsup.game.record.audit.difference import first_difference
from headsup.game.record.chain import (
    Fault,
    Head,
    Link,
    canonical_json,
    format_link,
    make_link,
    parse_link,
)
from headsup.game.record.digest import digest
from headsup.game.record.event_codec import read_event
from headsup.game.record.header import LOG_FORMAT, make_header
from headsup.game.record.journal import Journal
from headsup.game.refusal import Code, Refused
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor
from tests.logs import Recorder, recorded

Entry = dict[str, Any]


@cache
def log() -> Recorder:
    """Twelve rounds, two of each book, with irregularities and corrections among them."""
    return recorded(12, seed=27)


def entries(links: list[Link]) -> list[Entry]:
    return [link.entry for link in links]


def chained(written: list[Entry]) -> list[str]:
    """Lines whose hashes all fit, as a forger with the format in hand would write them."""
    head, lines = Head(), []
    for entry in written:
        link = make_link(head, entry)
        lines.append(format_link(link))
        head = link.head
    return lines


def with_states(written: list[Entry]) -> list[Entry]:
    """The digests made anew as well, as far as the events can be folded at all."""
    floor = Floor()
    for entry in written[1:]:
        for event in entry["events"]:
            floor = evolve(floor, entry["table"], read_event(event))
        entry["state"] = digest(floor)
    return written


def bad(report: AuditReport) -> Finding:
    assert report.finding is not None
    return report.finding


# What an audit finds, one kind of forgery at a time. All hashes are made to fit again.


def index_of(name: str, nth: int = 0) -> int:
    written = entries(log().links)
    found = [i for i, entry in enumerate(written) if i and name in names(entry)]
    return found[nth]


def names(entry: Entry) -> list[str]:
    return [event["event"] for event in entry["events"]]


def forged(index: int, change: Callable[[Entry], None]) -> Finding:
    """The audit's answer to one changed entry, with chain and states made to fit where possible."""
    written = entries(log().links)
    change(written[index])
    difference = bad(audit(chained(written)))
    assert difference.index == index
    return difference


def swap_cards(entry: Entry) -> None:
    deck = entry["events"][0]["deck"]
    entry["events"][0]["deck"] = deck[-2:] + deck[2:-2] + deck[:2]


def test_a_swapped_card_is_not_the_state_that_was_recorded() -> None:
    difference = forged(index_of("CardsDealt"), swap_cards)
    assert difference.fault == "state"


def test_a_swapped_card_with_new_states_is_found_where_it_is_shown() -> None:
    """All digests and hashes are made anew: now the flop is not the one in the deck."""
    written = entries(log().links)
    dealt = index_of("CardsDealt", nth=1)
    places = written[dealt]["events"][0]["places"]
    board, last = places.index("board"), 51
    deck = [written[dealt]["events"][0]["deck"][i : i + 2] for i in range(0, 104, 2)]
    deck[board], deck[last] = deck[last], deck[board]
    written[dealt]["events"][0]["deck"] = "".join(deck)
    difference = bad(audit(chained(with_states(written))))
    assert names(written[difference.index]) == ["FlopRevealed"]
    assert difference.expected.startswith("cards = ")


def test_a_changed_payout_is_not_what_the_cards_pay() -> None:
    def richer(entry: Entry) -> None:
        entry["events"][0]["settlement"]["seats"][0]["lines"][0]["net"] += 100

    difference = forged(index_of("RoundSettled"), richer)
    assert difference.expected.startswith("settlement.seats[0].lines[0].net = ")
    assert difference.fault == "event"


@pytest.mark.parametrize(
    ("name", "field", "value", "words"),
    [
        ("BetsPlaced", "stakes", {"ante": 1000, "odds": 500}, "must be equal"),
        ("BetsPlaced", "stakes", {"ante": 10**11, "odds": 10**11}, "above"),
        ("BetsPlaced", "seat", 3, "seat"),
        ("BoughtIn", "amount", -5, "positive amount"),
        ("BoughtIn", "amount", 10**12, "the most handled"),
        ("BoughtIn", "amount", 10**30, "is not a whole number"),
        ("PlayerSat", "player", "", "needs a name"),
        ("PlayerSat", "player", " ", "needs a name"),
        ("Raised", "multiple", 9, "not allowed"),
        ("Raised", "street", "river", "street = 'pocket'"),
        ("RoundOpened", "number", 77, "number = 1"),
        ("TableOpened", "fingerprint", "0" * 64, "fingerprint = "),
        ("TableOpened", "rules", "house-of-cards", "id of a shipped rule book"),
        ("TableOpened", "options", "{}", "is not a shallow object"),
        ("TableOpened", "options", {"cap": [[[[[[[[[1]]]]]]]]]}, "is not a shallow object"),
        ("TableOpened", "rules", "docs/examples/my-house.toml", "id of a shipped rule book"),
        ("CardsDealt", "places", ["board"] * 5, "places = "),
        ("CardsDealt", "deck", "AsAs", "a deck is 52"),
    ],
)
def test_an_impossible_event_is_named(name: str, field: str, value: object, words: str) -> None:
    difference = forged(index_of(name), lambda entry: entry["events"][0].update({field: value}))
    assert words in difference.expected + difference.found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("at", "yesterday"),
        ("at", "2026-13-01T12:00:00Z"),
        ("at", "2026-02-30T12:00:00Z"),
        ("at", 5),
        ("by", "seat 6"),
        ("by", ""),
        ("by", " "),
        ("table", ""),
        ("table", "T nowhere"),
        ("state", "0" * 64),
        ("events", [{"event": "Miracle"}]),
        ("events", [{"event": "Checked", "seat": 1}]),
        ("events", [None]),
        ("events", []),
        ("events", {}),
        ("events", None),
        ("more", True),
    ],
)
def test_an_entry_of_another_shape_is_named(key: str, value: object) -> None:
    forged(index_of("BetsPlaced", nth=3), lambda entry: entry.update({key: value}))


REPORTED = "IrregularityReported"


def voided(written: list[Entry]) -> int:
    """The first entry of an irregularity that voided something."""
    return next(
        i
        for i, entry in enumerate(written)
        if i and names(entry)[0] == REPORTED != names(entry)[-1]
    )


def test_a_void_needs_its_report() -> None:
    written = entries(log().links)
    index = voided(written)
    del written[index]["events"][0]
    found = bad(audit(chained(written)))
    assert (found.index, found.found) == (index, f"{names(written[index])[0]} on its own")


def test_all_events_of_a_decision_stand_in_one_entry() -> None:
    """Half of it is not the decision, and the other half not one by another person."""
    written = entries(log().links)
    index = voided(written)
    rest = {**written[index], "by": "Eve", "events": written[index]["events"][1:]}
    written[index]["events"] = written[index]["events"][:1]
    found = bad(audit(chained([*written[: index + 1], rest])))
    assert (found.index, found.fault, found.found) == (index, "event", "the end of the entry")
    assert found.expected.endswith(" to follow")


def test_no_event_is_added_to_a_decision() -> None:
    written = entries(log().links)
    index = index_of("BoughtIn")
    written[index]["events"] *= 2
    found = bad(audit(chained(written)))
    assert (found.index, found.expected, found.found) == (index, "no further event", "BoughtIn")


def test_times_do_not_run_backwards() -> None:
    found = forged(9, lambda entry: entry.update(at="2026-01-31T11:59:59.999999Z"))
    assert (found.fault, found.expected) == ("time", "a time from 2026-01-31T12:00:00Z on")


def test_true_is_not_one() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [True, 2]}) == ("a[0] = ", "1", "true")
    assert first_difference({"a": 1}, {}) == ("a = ", "1", "'nothing'")
    assert first_difference([1], [1, 2])[0] == ""


# The end of a log.


def test_an_anchor_shows_what_a_chain_cannot() -> None:
    whole = log()
    cut = index_of("RoundClosed") + 1
    assert audit(whole.lines[:cut]).holds  # a log that ends between decisions looks whole
    difference = bad(audit(whole.lines[:cut], whole.journal.head))
    assert (difference.index, difference.fault) == (cut, Fault.TRUNCATED)
    assert audit(whole.lines, whole.journal.head).holds
    assert audit(whole.lines, whole.links[cut].head).holds  # it has grown since it was anchored


def test_a_log_written_anew_is_not_the_one_anchored() -> None:
    other = recorded(12, seed=21)
    anchor = log().links[-1].head
    difference = bad(audit(other.lines[:1] + other.lines[1:], Head(5, anchor.hash)))
    assert (difference.index, difference.fault) == (4, Fault.ANCHOR)


def test_an_empty_log_holds_nothing() -> None:
    report = audit([])
    assert (report.holds, report.journal) == (True, Journal())


# Mutations of every kind, at random places.


def flip(lines: list[str], random: Random) -> int:
    """One byte of the file."""
    at = random.randrange(len(lines))
    place = random.randrange(len(lines[at]))
    byte = chr((ord(lines[at][place]) ^ (1 << random.randrange(7))) or 1)
    lines[at] = lines[at][:place] + byte + lines[at][place + 1 :]
    return at


def drop(lines: list[str], random: Random) -> int:
    at = random.randrange(len(lines) - 1)
    del lines[at]
    return at


def double(lines: list[str], random: Random) -> int:
    at = random.randrange(len(lines))
    lines.insert(at + 1, lines[at])
    return at + 1


def reorder(lines: list[str], random: Random) -> int:
    one, other = sorted(random.sample(range(len(lines)), 2))
    lines[one], lines[other] = lines[other], lines[one]
    return one


def splice(lines: list[str], random: Random) -> int:
    """The end of another log, from a backup say, on the beginning of this one."""
    other = spare_lines()
    parted = next(i for i, pair in enumerate(zip(lines, other, strict=False)) if len(set(pair)) > 1)
    at = random.randrange(parted + 1, min(len(lines), len(other)))
    lines[at:] = other[at:]
    return at


@cache
def spare_lines() -> tuple[str, ...]:
    return tuple(recorded(3, seed=8, books=("galaxy", "new-york", "washington")).lines)


def amount(lines: list[str], random: Random) -> int:
    """A number in an event, with hashes from there on made to fit."""
    return rechained(lines, random, _other_number)


def card(lines: list[str], random: Random) -> int:
    """Two cards of an event change places, with hashes from there on made to fit."""
    return rechained(lines, random, _other_cards)


def person(lines: list[str], random: Random) -> int:
    def change(entry: Entry, _: Random) -> bool:
        if not entry.get("by", "").startswith("seat"):
            return False
        entry["by"] = "seat 5"
        return True

    return rechained(lines, random, change)


def _other_number(value: Any, random: Random) -> bool:
    """Change one whole number somewhere inside; False if there is none.

    How long a decision was waited for is the clock's word alone: another time is a possible story.
    """
    spots = [
        (holder, key)
        for holder, key in _spots(value.get("events"))
        if type(holder[key]) is int and key != "waited"
    ]
    if not spots:
        return False
    holder, key = random.choice(spots)
    holder[key] += random.choice([-1, 1, 100])
    return True


def _other_cards(value: Any, random: Random) -> bool:
    event = value.get("events", [{}])[0]
    key = next((key for key in ("deck", "cards") if key in event), None)
    if key is None:
        return False
    cards = [event[key][i : i + 2] for i in range(0, len(event[key]), 2)]
    one, other = random.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]
    event[key] = "".join(cards)
    return True


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where a scalar stands."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value or [])
    spots: list[tuple[Any, Any]] = []
    for key, item in pairs:
        spots += _spots(item) if isinstance(item, dict | list) else [(value, key)]
    return spots


def rechained(lines: list[str], random: Random, change: Callable[[Entry, Random], bool]) -> int:
    links = [parse_link(line) for line in lines]
    while True:
        at = random.randrange(len(links))
        entry = json.loads(canonical_json(links[at].entry))
        if change(entry, random):
            break
    head = links[at - 1].head if at else Head()
    for i in range(at, len(links)):
        link = make_link(head, entry if i == at else links[i].entry)
        lines[i], head = format_link(link), link.head
    return at


MUTATIONS = (flip, drop, double, reorder, splice, amount, card, person)


@cache
def small_log() -> tuple[str, ...]:
    """Short, so that thousands of mutations of it can be audited."""
    return tuple(recorded(3, seed=7, books=("galaxy", "new-york", "washington")).lines)


@cache
def on_the_way() -> tuple[Auditor, ...]:
    """Auditors of the small log, one before each of its lines and one at its end."""
    auditors = [Auditor()]
    for line in small_log():
        auditors.append(copy(auditors[-1]))
        assert len([*auditors[-1].accepted([line])]) <= 1
        assert auditors[-1].report.holds
    return tuple(auditors)


def audited_from_there(lines: list[str]) -> AuditReport:
    """From the first line on that the small log does not have: an auditor reads line by line, and
    what comes before is the same for thousands."""
    pairs = enumerate(zip_longest(lines, small_log()))
    same = next(i for i, (line, honest) in pairs if line != honest)
    auditor = copy(on_the_way()[same])
    assert len([*auditor.accepted(lines[same:])]) <= len(lines) - same
    return auditor.report


def found_where_it_is(count: int, seed: int) -> None:
    """One in 25 is audited from the beginning."""
    random = Random(seed)
    for number in range(count):
        lines = list(small_log())
        mutation = MUTATIONS[number % len(MUTATIONS)]
        at = mutation(lines, random)
        if lines == list(small_log()):
            continue
        report = audited_from_there(lines) if number % 25 else audit(lines)
        assert report.finding is not None, mutation.__name__
        assert report.finding.index == at, (mutation.__name__, at, report.finding)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_10000_mutations_are_all_found(part: int) -> None:
    found_where_it_is(500, seed=part)


@pytest.mark.parametrize("at", range(1, 40, 6))
def test_every_truncation_is_found_with_an_anchor(at: int) -> None:
    """At a whole entry; within one the line itself is unreadable."""
    lines = list(small_log())
    anchor = parse_link(lines[-1]).head
    assert bad(audit(lines[:-at], anchor)).index == len(lines) - at
    torn = [*lines[:-at], lines[-at][:-1]]
    assert bad(audit(torn)).fault == Fault.UNREADABLE


def test_a_wrong_anchor_before_the_first_entry_is_found() -> None:
    wrong = bad(audit(small_log(), Head(0, "1" * 64)))
    assert (wrong.index, wrong.fault) == (0, Fault.ANCHOR)
    assert audit(small_log(), Head()).holds


@pytest.mark.parametrize("depth", [900, 960, 2000, 3000])
def test_a_deeply_nested_line_is_a_bad_entry(depth: int) -> None:
    lines = list(small_log())
    nested = f'{{"index":3,"hash":"{"0" * 64}","entry":{"[" * depth}{"]" * depth}}}\n'
    wrong = bad(audit([*lines[:3], nested, *lines[4:]]))
    assert (wrong.index, wrong.fault) == (3, Fault.UNREADABLE)


# Logs of other versions.


def test_a_log_that_was_written_before_holds() -> None:
    """What changes states, digests, events or a shipped rule book calls honest logs broken. Once a
    version is out such a change raises FORMAT; until then WRITE_GOLDEN=1 writes this log anew."""
    kept = Path(__file__).with_name("data").joinpath(f"format-{LOG_FORMAT}.jsonl")
    if os.environ.get("WRITE_GOLDEN"):
        kept.write_text("".join(small_log()), encoding="utf-8")
    report = audit(kept.read_text(encoding="utf-8").splitlines(True))
    assert report.finding is None, str(report.finding)
    assert report.rounds == 3


def test_a_log_of_format_1_is_refused_with_the_version_that_wrote_it() -> None:
    lines = Path(__file__).with_name("data").joinpath("format-1.jsonl").read_text().splitlines(True)
    with pytest.raises(Refused) as refused:
        audit(lines)
    assert refused.value.code is Code.OTHER_FORMAT
    assert refused.value.message == (
        "a log in format 1, written by headsup 0.1.0; this version reads format 2"
    )


def test_so_is_one_of_a_format_to_come() -> None:
    with pytest.raises(Refused, match=r"format 3, written by headsup 9\.9;"):
        audit(chained([{"format": 3, "program": "9.9", "more": []}]))


@pytest.mark.parametrize(
    "first",
    [None, {}, {"format": True, "program": "1"}, {"format": 2}, {"format": 2, "program": 2}],
)
def test_a_log_begins_with_its_header(first: Any) -> None:
    assert bad(audit(chained([first]))).index == 0


def test_a_log_with_nothing_but_a_header_holds() -> None:
    assert audit([format_link(make_header())]).holds
