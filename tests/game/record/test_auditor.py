"""A24: an audit finds every change to a log and accepts every unchanged log."""

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
from headsup.game.record.bad_entry import first_difference
from headsup.game.record.chain import (
    Fault,
    Head,
    Link,
    canonical_json,
    format_link,
    make_link,
    parse_link,
)
from headsup.game.record.journal import LOG_FORMAT, Journal, start_log
from headsup.game.refusal import Code, Refused
from tests.support.logs import Recorder, record_rounds

Entry = dict[str, Any]


@cache
def log() -> Recorder:
    """Twelve rounds, two of each book, including irregularities and corrections."""
    return record_rounds(12, seed=27)


def entries(links: list[Link]) -> list[Entry]:
    return [link.entry for link in links]


def chain_entries(written: list[Entry]) -> list[str]:
    """Lines with matching hashes, as a forger who knows the format would write them."""
    head, lines = Head(), []
    for entry in written:
        link = make_link(head, entry)
        lines.append(format_link(link))
        head = link.head
    return lines


def finding_of(report: AuditReport) -> Finding:
    assert report.finding is not None
    return report.finding


# One kind of forgery at a time, always with new matching hashes.


def index_of(name: str, nth: int = 0) -> int:
    written = entries(log().links)
    indexes = [i for i, entry in enumerate(written) if i and name in names(entry)]
    return indexes[nth]


def names(entry: Entry) -> list[str]:
    """The names of its events; a header or checkpoint has none."""
    return [event["event"] for event in entry.get("events", ())]


def find_forgery(index: int, change: Callable[[Entry], None]) -> Finding:
    """The audit's finding for one changed entry, with a new chain and new states if possible."""
    written = entries(log().links)
    change(written[index])
    difference = finding_of(audit(chain_entries(written)))
    assert difference.index == index
    return difference


def swap_cards(entry: Entry) -> None:
    deck = entry["events"][0]["deck"]
    entry["events"][0]["deck"] = deck[-2:] + deck[2:-2] + deck[:2]


def test_a_swapped_card_is_not_the_one_the_dealer_dealt() -> None:
    difference = find_forgery(index_of("CardsDealt"), swap_cards)
    assert difference.fault == "event"
    assert difference.expected.startswith("deck = ")


def test_a_card_swapped_in_command_and_event_is_found_where_it_is_shown() -> None:
    """The deck may have been any: now the flop is not the one in the deck."""
    written = entries(log().links)
    dealt = index_of("CardsDealt", nth=1)
    places = written[dealt]["events"][0]["places"]
    board, last = places.index("board"), 51
    deck = [written[dealt]["events"][0]["deck"][i : i + 2] for i in range(0, 104, 2)]
    deck[board], deck[last] = deck[last], deck[board]
    written[dealt]["events"][0]["deck"] = written[dealt]["command"]["deck"] = "".join(deck)
    difference = finding_of(audit(chain_entries(written)))
    assert names(written[difference.index]) == ["FlopRevealed"]
    assert difference.expected.startswith("cards = ")


def test_a_card_that_nobody_saw_is_found_at_the_next_checkpoint() -> None:
    written = entries(log().links)
    dealt = index_of("CardsDealt", nth=1)
    deck = written[dealt]["events"][0]["deck"]
    stub = deck[:-4] + deck[-2:] + deck[-4:-2]
    written[dealt]["events"][0]["deck"] = written[dealt]["command"]["deck"] = stub
    difference = finding_of(audit(chain_entries(written)))
    assert difference.fault == "state"
    assert difference.index == next(i for i in range(dealt, len(written)) if is_checkpoint(i))


def is_checkpoint(index: int) -> bool:
    return set(log().links[index].entry) == {"at", "state"}


@pytest.mark.parametrize(
    "change", [{"state": "0" * 64}, {"state": None}, {"at": "2026-01-01T12:00:00Z"}, {"at": None}]
)
def test_a_forged_checkpoint_is_named(change: Entry) -> None:
    at = next(i for i in range(1, len(log().links)) if is_checkpoint(i))
    find_forgery(at, lambda entry: entry.update(change))


def test_a_changed_payout_contradicts_the_cards() -> None:
    def richer(entry: Entry) -> None:
        entry["events"][0]["settlement"]["seats"][0]["lines"][0]["net"] += 100

    difference = find_forgery(index_of("RoundSettled"), richer)
    assert difference.expected.startswith("settlement.seats[0].lines[0].net = ")
    assert difference.fault == "event"


@pytest.mark.parametrize(
    ("name", "field", "value", "words"),
    [
        ("BetsPlaced", "stakes", {"ante": 1000, "odds": 500}, "must be equal"),
        ("BetsPlaced", "stakes", {"ante": 10**11, "odds": 10**11}, "above"),
        ("BetsPlaced", "seat", 3, "seat"),
        ("BoughtIn", "amount", -5, "positive amount"),
        ("BoughtIn", "amount", 10**12, "the largest amount accepted"),
        ("BoughtIn", "amount", 10**30, "does not fit into 64 bits"),
        ("BoughtIn", "amount", True, "is not a whole number"),
        ("PlayerSat", "player", "", "needs a name"),
        ("PlayerSat", "player", " ", "needs a name"),
        ("Raised", "multiple", 9, "not allowed"),
        ("TableOpened", "rules", "house-of-cards", "id of a shipped rule book"),
        ("TableOpened", "options", "{}", "is not a shallow object"),
        ("TableOpened", "options", {"cap": [[[[[[[[[1]]]]]]]]]}, "is not a shallow object"),
        ("TableOpened", "rules", "docs/examples/my-house.toml", "id of a shipped rule book"),
        ("CardsDealt", "deck", "AsAs", "a deck is 52"),
        ("CardsDealt", "deck", "As?", "cards"),
    ],
)
def test_an_impossible_command_is_named(name: str, field: str, value: object, words: str) -> None:
    """The game refuses it, or it cannot even be read: a finding either way."""

    def forge(entry: Entry) -> None:
        entry["command"][field] = entry["events"][0][field] = value

    difference = find_forgery(index_of(name), forge)
    assert difference.fault in ("command", "decision")
    assert words in difference.expected + difference.found


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("Raised", "street", "river"),
        ("RoundOpened", "number", 77),
        ("TableOpened", "fingerprint", "0" * 64),
        ("CardsDealt", "places", ["board"] * 5),
        ("BoughtIn", "amount", True),
        ("PlayerSat", "player", None),
    ],
)
def test_an_event_that_the_command_does_not_lead_to_is_named(
    name: str, field: str, value: object
) -> None:
    difference = find_forgery(
        index_of(name), lambda entry: entry["events"][0].update({field: value})
    )
    assert difference.fault == "event"
    assert difference.expected.startswith(f"{field} = ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("at", "yesterday"),
        ("at", "2026-13-01T12:00:00Z"),
        ("at", "2026-02-30T12:00:00Z"),
        ("at", 5),
        ("by", "Eve"),
        ("by", ""),
        ("by", " "),
        ("by", None),
        ("seat", 6),
        ("seat", True),
        ("seat", "1"),
        ("table", ""),
        ("table", "T nowhere"),
        ("state", "0" * 64),
        ("command", {"command": "Miracle"}),
        ("command", {"command": "Check", "seat": 1}),
        ("command", {"command": "Check"}),
        ("command", None),
        ("command", []),
        ("events", [{"event": "Miracle"}]),
        ("events", [{"event": "Checked", "seat": 1}]),
        ("events", [None]),
        ("events", []),
        ("events", {}),
        ("events", None),
        ("id", ""),
        ("id", 7),
        ("due", None),
        ("more", True),
    ],
)
def test_a_malformed_entry_is_named(key: str, value: object) -> None:
    find_forgery(index_of("BetsPlaced", nth=3), lambda entry: entry.update({key: value}))


@pytest.mark.parametrize("key", ["at", "by", "command", "events", "seat", "table"])
def test_an_entry_without_one_of_its_keys_is_named(key: str) -> None:
    find_forgery(index_of("BetsPlaced", nth=3), lambda entry: entry.pop(key))


@pytest.mark.parametrize("name", ["BetsPlaced", "Raised", "PlayerSat", "BoughtIn"])
def test_a_player_asks_for_their_own_seat_under_their_own_name(name: str) -> None:
    """Nobody else can be said to have asked, neither by name nor by seat."""
    difference = find_forgery(index_of(name), lambda entry: entry.update(by="Eve"))
    assert difference.expected.startswith("by = ")
    assert difference.found == "'Eve'"
    assert find_forgery(index_of(name), lambda entry: entry.update(seat=6)).fault == "decision"


REPORTED = "IrregularityReported"


def first_void(written: list[Entry]) -> int:
    """The first entry of an irregularity that voided something."""
    return next(
        i
        for i, entry in enumerate(written)
        if REPORTED in names(entry)[:1] and names(entry)[-1] != REPORTED
    )


def test_a_void_needs_its_report() -> None:
    written = entries(log().links)
    index = first_void(written)
    void = names(written[index])[1]
    del written[index]["events"][0]
    finding = finding_of(audit(chain_entries(written)))
    assert (finding.index, finding.fault) == (index, "event")
    assert (finding.expected, finding.found) == (REPORTED, void)


def test_all_events_of_a_decision_are_in_one_entry() -> None:
    """Half of a decision is not a decision, and cannot be split between two actors."""
    written = entries(log().links)
    index = first_void(written)
    rest = {**written[index], "by": "Eve", "events": written[index]["events"][1:]}
    written[index]["events"] = written[index]["events"][:1]
    finding = finding_of(audit(chain_entries([*written[: index + 1], rest])))
    assert (finding.index, finding.fault, finding.found) == (index, "event", "the end of the entry")
    assert finding.expected.endswith(" to follow")


def test_no_event_is_added_to_a_decision() -> None:
    written = entries(log().links)
    index = index_of("BoughtIn")
    written[index]["events"] *= 2
    finding = finding_of(audit(chain_entries(written)))
    assert (finding.index, finding.expected, finding.found) == (
        index,
        "no further event",
        "BoughtIn",
    )


def test_times_do_not_run_backwards() -> None:
    finding = find_forgery(9, lambda entry: entry.update(at="2026-01-31T11:59:59.999999Z"))
    assert (finding.fault, finding.expected) == ("time", "a time not before 2026-01-31T12:00:00Z")


def test_true_is_not_accepted_as_one() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [True, 2]}) == ("a[0] = ", "1", "true")
    assert first_difference({"a": 1}, {}) == ("a = ", "1", "'nothing'")
    assert first_difference([1], [1, 2])[0] == ""


# The end of a log.


def test_an_anchor_reveals_what_a_chain_cannot() -> None:
    whole = log()
    cut = index_of("RoundClosed") + 1
    assert audit(whole.lines[:cut]).is_valid  # a log that ends between decisions looks whole
    difference = finding_of(audit(whole.lines[:cut], whole.journal.head))
    assert (difference.index, difference.fault) == (cut, Fault.TRUNCATED)
    assert audit(whole.lines, whole.journal.head).is_valid
    assert audit(whole.lines, whole.links[cut].head).is_valid  # it has grown since it was anchored


def test_a_rewritten_log_does_not_match_its_anchor() -> None:
    other = record_rounds(12, seed=21)
    anchor = log().links[-1].head
    difference = finding_of(audit(other.lines[:1] + other.lines[1:], Head(5, anchor.hash)))
    assert (difference.index, difference.fault) == (4, Fault.ANCHOR)


def test_an_empty_log_is_valid() -> None:
    report = audit([])
    assert (report.is_valid, report.journal) == (True, Journal())


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
    first, second = sorted(random.sample(range(len(lines)), 2))
    lines[first], lines[second] = lines[second], lines[first]
    return first


def splice(lines: list[str], random: Random) -> int:
    """This log with the end of another one, for example from a backup."""
    other = spare_lines()
    parted = next(i for i, pair in enumerate(zip(lines, other, strict=False)) if len(set(pair)) > 1)
    at = random.randrange(parted + 1, min(len(lines), len(other)))
    lines[at:] = other[at:]
    return at


@cache
def spare_lines() -> tuple[str, ...]:
    return tuple(record_rounds(3, seed=8, books=("galaxy", "new-york", "washington")).lines)


def amount(lines: list[str], random: Random) -> int:
    """A changed number in an event, with new hashes from there on."""
    return with_changed_entry(lines, random, _other_number)


def card(lines: list[str], random: Random) -> int:
    """Two cards of an event swapped, with new hashes from there on."""
    return with_changed_entry(lines, random, _other_cards)


def person(lines: list[str], random: Random) -> int:
    """Another player or seat, with new hashes from there on."""

    def change(entry: Entry, random: Random) -> bool:
        if "seat" not in entry:
            return False
        entry.update(random.choice([{"seat": entry["seat"] + 1}, {"by": "Eve"}]))
        return True

    return with_changed_entry(lines, random, change)


def command(lines: list[str], random: Random) -> int:
    """A changed number in a command, with new hashes from there on."""

    def change(entry: Entry, random: Random) -> bool:
        return _change_number(entry.get("command"), random)

    return with_changed_entry(lines, random, change)


def _other_number(value: Any, random: Random) -> bool:
    return _change_number(value.get("events"), random)


def _change_number(value: Any, random: Random) -> bool:
    """Change one whole number somewhere inside; False if there is none."""
    spots = [(holder, key) for holder, key in _spots(value) if type(holder[key]) is int]
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
    first, second = random.sample(range(len(cards)), 2)
    cards[first], cards[second] = cards[second], cards[first]
    event[key] = "".join(cards)
    return True


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value that has a scalar."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value or [])
    spots: list[tuple[Any, Any]] = []
    for key, item in pairs:
        spots += _spots(item) if isinstance(item, dict | list) else [(value, key)]
    return spots


def with_changed_entry(
    lines: list[str], random: Random, change: Callable[[Entry, Random], bool]
) -> int:
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


MUTATIONS = (flip, drop, double, reorder, splice, amount, card, person, command)


@cache
def small_log() -> tuple[str, ...]:
    """Short, so that thousands of mutations of it can be audited."""
    return tuple(record_rounds(3, seed=7, books=("galaxy", "new-york", "washington")).lines)


@cache
def auditors_by_line() -> tuple[Auditor, ...]:
    """Auditors of the small log, one before each of its lines and one at its end."""
    auditors = [Auditor()]
    for line in small_log():
        auditors.append(copy(auditors[-1]))
        assert len([*auditors[-1].verify_entries([line])]) <= 1
        assert auditors[-1].report.is_valid
    return tuple(auditors)


def audit_from_first_change(lines: list[str]) -> AuditReport:
    """Audit from the first line that differs from the small log, to save time."""
    pairs = enumerate(zip_longest(lines, small_log()))
    same = next(i for i, (line, honest) in pairs if line != honest)
    auditor = copy(auditors_by_line()[same])
    assert len([*auditor.verify_entries(lines[same:])]) <= len(lines) - same
    return auditor.report


def assert_mutations_are_found(count: int, seed: int) -> None:
    """One mutation in 25 is audited from the beginning."""
    random = Random(seed)
    for number in range(count):
        lines = list(small_log())
        mutation = MUTATIONS[number % len(MUTATIONS)]
        at = mutation(lines, random)
        if lines == list(small_log()):
            continue
        report = audit_from_first_change(lines) if number % 25 else audit(lines)
        assert report.finding is not None, mutation.__name__
        assert report.finding.index == at, (mutation.__name__, at, report.finding)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_10000_mutations_are_all_found(part: int) -> None:
    assert_mutations_are_found(500, seed=part)


@pytest.mark.parametrize("at", range(1, 40, 6))
def test_every_truncation_is_found_with_an_anchor(at: int) -> None:
    """At the end of an entry; inside one, the line itself is unreadable."""
    lines = list(small_log())
    anchor = parse_link(lines[-1]).head
    assert finding_of(audit(lines[:-at], anchor)).index == len(lines) - at
    torn = [*lines[:-at], lines[-at][:-1]]
    assert finding_of(audit(torn)).fault == Fault.UNREADABLE


def test_a_wrong_anchor_before_the_first_entry_is_found() -> None:
    wrong = finding_of(audit(small_log(), Head(0, "1" * 64)))
    assert (wrong.index, wrong.fault) == (0, Fault.ANCHOR)
    assert audit(small_log(), Head()).is_valid


@pytest.mark.parametrize("depth", [900, 960, 2000, 3000])
def test_a_deeply_nested_line_is_a_bad_entry(depth: int) -> None:
    lines = list(small_log())
    nested = f'{{"index":3,"hash":"{"0" * 64}","entry":{"[" * depth}{"]" * depth}}}\n'
    wrong = finding_of(audit([*lines[:3], nested, *lines[4:]]))
    assert (wrong.index, wrong.fault) == (3, Fault.UNREADABLE)


# Logs of other versions.


def test_a_log_of_an_earlier_build_is_still_valid() -> None:
    """A change of states, digests, events or a shipped rule book would make honest logs invalid.

    After a release such a change must raise LOG_FORMAT; before, WRITE_GOLDEN=1 rewrites this log.
    """
    golden = Path(__file__).with_name("data").joinpath(f"format-{LOG_FORMAT}.jsonl")
    if os.environ.get("WRITE_GOLDEN"):
        golden.write_text("".join(small_log()), encoding="utf-8")
    report = audit(golden.read_text(encoding="utf-8").splitlines(True))
    assert report.finding is None, str(report.finding)
    assert report.rounds == 3


@pytest.mark.parametrize("first", [{"format": 2}, {"format": 3, "more": []}])
def test_a_log_of_another_format_is_refused_with_the_version_that_wrote_it(first: Entry) -> None:
    """Formats of the future, and of what was never released."""
    with pytest.raises(Refused) as refused:
        audit(chain_entries([{**first, "program": "9.9"}]))
    assert refused.value.code is Code.OTHER_FORMAT
    assert refused.value.message == (
        f"a log in format {first['format']}, written by headsup 9.9; this version reads format 1"
    )


@pytest.mark.parametrize(
    "first",
    [
        *(None, {}, {"format": 1}, {"format": 1, "program": "1"}),
        {"floor": "", "format": True, "house": "", "program": "1"},
        {"floor": "", "format": 1, "house": 2, "program": "1"},
        {"floor": "", "format": 1, "house": "", "program": "1", "more": 1},
    ],
)
def test_a_log_begins_with_its_header(first: Any) -> None:
    assert finding_of(audit(chain_entries([first]))).index == 0


def test_a_log_with_only_a_header_is_valid() -> None:
    assert audit([format_link(start_log()[1])]).is_valid
