"""A23–A24: a log replays to the same floor, and whatever is not as it was written is named."""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from headsup.game.ledger import AccountKind
from headsup.game.record.chain import Fault, Head, Link, append, canonical, format_link, parse_link
from headsup.game.record.events import read_event
from headsup.game.record.journal import (
    Difference,
    Journal,
    Report,
    audit,
    first_difference,
    read_by,
    write_by,
)
from headsup.game.record.snapshot import digest, snapshot
from headsup.game.rulebook.load import SHIPPED
from headsup.game.table.commands import OpenTable, PlayerAt, Staff
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor
from tests.logs import DEALER, NOON, Recorder, recorded

Entry = dict[str, Any]


@cache
def log() -> Recorder:
    """Twelve rounds, two of each book, with irregularities and corrections among them."""
    return recorded(12, seed=26)


def entries(links: list[Link]) -> list[Entry]:
    return [json.loads(canonical(link.entry)) for link in links]


def chained(written: list[Entry]) -> list[str]:
    """Lines whose hashes all fit, as a forger with the format in hand would write them."""
    head, lines = Head(), []
    for entry in written:
        link = append(head, entry)
        lines.append(format_link(link))
        head = link.head
    return lines


def with_states(written: list[Entry]) -> list[Entry]:
    """The digests made anew as well, as far as the events can be folded at all."""
    floor = Floor()
    for entry in written:
        floor = evolve(floor, entry["table"], read_event(entry["event"]))
        entry["state"] = digest(floor)
    return written


def bad(report: Report) -> Difference:
    assert report.difference is not None
    return report.difference


# Replay.


def same_after_replay(rounds: int, seed: int, books: tuple[str, ...]) -> None:
    """Everything an audit re-derives is what was there when the log was written."""
    written = recorded(rounds, seed, books)
    report = audit(written.lines)
    assert report.difference is None
    assert report.rounds == rounds
    assert report.journal.head == written.journal.head
    assert canonical(snapshot(report.journal.floor)) == canonical(snapshot(written.journal.floor))


@pytest.mark.slow
def test_300_recorded_rounds_replay_identically() -> None:
    same_after_replay(300, 300, SHIPPED)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("book", SHIPPED)
def test_10000_recorded_rounds_replay_identically(book: str, part: int) -> None:
    same_after_replay(167, part, (book,))


def test_the_digest_is_of_the_canonical_snapshot() -> None:
    floor = log().journal.floor
    text = canonical(snapshot(floor))
    assert digest(floor) == sha256(text.encode("ascii")).hexdigest()
    assert digest(Floor()) == sha256(b'{"ledger":{},"meters":{},"tables":{}}').hexdigest()


def test_an_entry_names_time_table_person_event_and_state() -> None:
    first = entries(log().links)[0]
    assert set(first) == {"at", "table", "by", "event", "state"}
    assert (first["at"], first["table"], first["by"]) == (NOON, "T galaxy", "dealer")
    assert first["event"]["event"] == "TableOpened"
    assert len(first["state"]) == 64


def test_books_balance_at_the_end() -> None:
    floor = audit(log().lines).journal.floor
    assert floor.ledger.total() == 0
    on_felt = [account for account, _ in floor.ledger if account.kind is AccountKind.WAGER]
    assert not on_felt


@pytest.mark.parametrize("by", [PlayerAt(3), Staff("dealer"), Staff("Ann B.")])
def test_who_did_it_reads_back(by: PlayerAt | Staff) -> None:
    assert read_by(write_by(by)) == by


@pytest.mark.parametrize("name", ["seat 2", "", "  "])
def test_staff_do_not_sign_as_a_seat_or_as_nobody(name: str) -> None:
    with pytest.raises(ValueError, match="no name for staff"):
        write_by(Staff(name))


@pytest.mark.parametrize("at", ["", "noon", "2026-01-31 12:00:00", "2026-01-31T12:00:00+01:00"])
def test_only_utc_is_written(at: str) -> None:
    from headsup.game.record.journal import act

    with pytest.raises(ValueError, match="is not a time"):
        act(Journal(), at, "T1", DEALER, OpenTable("galaxy-wpt"))


# What an audit finds, one kind of forgery at a time. All hashes are made to fit again.


def index_of(name: str, nth: int = 0) -> int:
    found = [i for i, entry in enumerate(entries(log().links)) if entry["event"]["event"] == name]
    return found[nth]


def forged(index: int, change: Callable[[Entry], None]) -> Difference:
    """The audit's answer to one changed entry, with chain and states made to fit where possible."""
    written = entries(log().links)
    change(written[index])
    difference = bad(audit(chained(written)))
    assert difference.index == index
    return difference


def swap_cards(entry: Entry) -> None:
    deck = entry["event"]["deck"]
    entry["event"]["deck"] = deck[-2:] + deck[2:-2] + deck[:2]


def test_a_swapped_card_is_not_the_state_that_was_recorded() -> None:
    difference = forged(index_of("CardsDealt"), swap_cards)
    assert difference.fault == "state"


def test_a_swapped_card_with_new_states_is_found_where_it_is_shown() -> None:
    """All digests and hashes are made anew: now the flop is not the one in the deck."""
    written = entries(log().links)
    dealt = index_of("CardsDealt", nth=1)
    places = written[dealt]["event"]["places"]
    board, last = places.index("board"), 51
    deck = [written[dealt]["event"]["deck"][i : i + 2] for i in range(0, 104, 2)]
    deck[board], deck[last] = deck[last], deck[board]
    written[dealt]["event"]["deck"] = "".join(deck)
    difference = bad(audit(chained(with_states(written))))
    assert written[difference.index]["event"]["event"] == "FlopRevealed"
    assert difference.expected.startswith("cards = ")


def test_a_changed_payout_is_not_what_the_cards_pay() -> None:
    def richer(entry: Entry) -> None:
        entry["event"]["settlement"]["seats"][0]["lines"][0]["net"] += 100

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
    difference = forged(index_of(name), lambda entry: entry["event"].update({field: value}))
    assert words in difference.expected + difference.found


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("at", "yesterday"),
        ("at", 5),
        ("by", "seat 6"),
        ("table", "T nowhere"),
        ("state", "0" * 64),
        ("event", {"event": "Miracle"}),
        ("event", {"event": "Checked", "seat": 1}),
        ("event", None),
        ("more", True),
    ],
)
def test_an_entry_of_another_shape_is_named(key: str, value: object) -> None:
    forged(index_of("BetsPlaced", nth=3), lambda entry: entry.update({key: value}))


def test_a_void_needs_its_report() -> None:
    written = entries(log().links)
    reported = index_of("IrregularityReported")
    follows = written[reported + 1]["event"]["event"]
    if follows not in ("HandVoided", "RoundVoided"):
        pytest.skip("the first irregularity of this log was put right")
    del written[reported]
    difference = bad(audit(chained(written)))
    assert (difference.index, difference.found) == (reported, f"{follows} on its own")


def test_true_is_not_one() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [True, 2]}) == ("a[0] = ", "1", "true")
    assert first_difference({"a": 1}, {}) == ("a = ", "1", "'nothing'")
    assert first_difference([1], [1, 2])[0] == ""


# The end of a log.


def test_a_log_cut_inside_a_decision_is_cut() -> None:
    settled = [
        i
        for i, entry in enumerate(entries(log().links))
        if entry["event"]["event"] == "BoardCompleted"
    ] or [index_of("IrregularityReported")]
    difference = bad(audit(log().lines[: settled[0] + 1]))
    assert (difference.index, difference.fault) == (settled[0] + 1, Fault.TRUNCATED)
    assert difference.found == "the end of the log"


def test_an_anchor_shows_what_a_chain_cannot() -> None:
    whole = log()
    cut = index_of("RoundClosed") + 1
    assert audit(whole.lines[:cut]).holds  # a log that ends between decisions looks whole
    difference = bad(audit(whole.lines[:cut], whole.journal.head))
    assert (difference.index, difference.fault) == (cut, Fault.TRUNCATED)
    assert audit(whole.lines, whole.journal.head).holds
    assert audit(whole.lines, whole.links[cut].head).holds  # it has grown since it was anchored


def test_a_log_written_anew_is_not_the_one_anchored() -> None:
    other = recorded(12, seed=27)
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
        if not entry["by"].startswith("seat"):
            return False
        entry["by"] = "seat 5"
        return True

    return rechained(lines, random, change)


def _other_number(value: Any, random: Random) -> bool:
    """Change one whole number somewhere inside; False if there is none."""
    spots = [spot for spot in _spots(value.get("event")) if type(spot[0][spot[1]]) is int]
    if not spots:
        return False
    holder, key = random.choice(spots)
    holder[key] += random.choice([-1, 1, 100])
    return True


def _other_cards(value: Any, random: Random) -> bool:
    event = value["event"]
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
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    spots: list[tuple[Any, Any]] = []
    for key, item in pairs:
        spots += _spots(item) if isinstance(item, dict | list) else [(value, key)]
    return spots


def rechained(lines: list[str], random: Random, change: Callable[[Entry, Random], bool]) -> int:
    links = [parse_link(line) for line in lines]
    while True:
        at = random.randrange(len(links))
        entry = json.loads(canonical(links[at].entry))
        if change(entry, random):
            break
    head = links[at - 1].head if at else Head()
    for i in range(at, len(links)):
        link = append(head, entry if i == at else links[i].entry)
        lines[i], head = format_link(link), link.head
    return at


MUTATIONS = (flip, drop, double, reorder, splice, amount, card, person)


@cache
def small_log() -> tuple[str, ...]:
    """Short, so that thousands of mutations of it can be audited."""
    return tuple(recorded(3, seed=7, books=("galaxy", "new-york", "washington")).lines)


def found_where_it_is(count: int, seed: int) -> None:
    random = Random(seed)
    for number in range(count):
        lines = list(small_log())
        mutation = MUTATIONS[number % len(MUTATIONS)]
        at = mutation(lines, random)
        if lines == list(small_log()):
            continue
        report = audit(lines)
        assert report.difference is not None, mutation.__name__
        assert report.difference.index == at, (mutation.__name__, at, report.difference)


@pytest.mark.slow
def test_500_mutations_are_all_found() -> None:
    found_where_it_is(500, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_10000_mutations_are_all_found(part: int) -> None:
    found_where_it_is(500, seed=1 + part)


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
