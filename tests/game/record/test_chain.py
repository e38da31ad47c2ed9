"""A24: every change to a log is found, at the first changed entry."""

import json
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from io import StringIO
from itertools import zip_longest
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.record.chain import (
    GENESIS,
    ChainBreak,
    Fault,
    Head,
    Json,
    Link,
    NonCanonicalJson,
    UnreadableLine,
    canonical_json,
    format_link,
    link_hash,
    make_link,
    parse_lines,
    parse_link,
    verify_chain,
)


def log_of(entries: Sequence[Json]) -> list[Link]:
    links: list[Link] = []
    head = Head()
    for entry in entries:
        links.append(make_link(head, entry))
        head = links[-1].head
    return links


def round_log(name: str, count: int) -> list[Link]:
    return log_of([{"log": name, "event": "raised", "seat": n % 6 + 1} for n in range(count)])


LOG = round_log("T1", 9)
HEAD = LOG[-1].head


def find_break(links: Sequence[Link], anchor: Head | None = None) -> tuple[int, Fault] | None:
    broken = verify_chain(links, anchor)
    return (broken.index, broken.fault) if broken else None


def broken_lines(lines: Iterable[str], anchor: Head | None = None) -> ChainBreak | None:
    """Like `verify_chain`; a line that cannot be read is a bad entry too."""
    try:
        return verify_chain(parse_lines(lines), anchor)
    except UnreadableLine as unreadable:
        return ChainBreak(unreadable.line - 1, Fault.UNREADABLE, str(unreadable))


def test_the_hash_of_the_first_entry_is_fixed_for_all_time() -> None:
    assert canonical_json({"b": [1, None, True], "a": "é"}) == '{"a":"\\u00e9","b":[1,null,true]}'
    assert link_hash(GENESIS, 0, '{"a":1}') == (
        "7efe10496b257164e0fcd0a9540a57a4294ea915ed7b674f067d43fa80dca1d9"
    )


def test_an_unchanged_log_is_valid() -> None:
    assert verify_chain([]) is None
    assert verify_chain([], Head()) is None
    assert verify_chain(LOG) is None
    assert verify_chain(LOG, HEAD) is None


def test_an_anchored_log_may_grow() -> None:
    assert verify_chain(LOG, LOG[4].head) is None


@pytest.mark.parametrize(
    ("changed", "anchor", "expected"),
    [
        pytest.param(
            [*LOG[:3], LOG[3]._replace(text='{"event":"folded"}'), *LOG[4:]],
            None,
            (3, Fault.HASH),
            id="edited",
        ),
        pytest.param(
            [*LOG[:3], make_link(LOG[2].head, "folded"), *LOG[4:]],
            None,
            (4, Fault.HASH),
            id="edited with a new hash: the next entry does not follow",
        ),
        pytest.param([*LOG[:3], *LOG[4:]], None, (3, Fault.INDEX), id="deleted"),
        pytest.param(LOG[1:], None, (0, Fault.INDEX), id="the first deleted"),
        pytest.param(
            [*LOG[:3], LOG[5], *LOG[3:]], None, (3, Fault.INDEX), id="inserted from elsewhere"
        ),
        pytest.param([*LOG, LOG[-1]], None, (9, Fault.INDEX), id="the last repeated"),
        pytest.param(
            [*LOG[:3], LOG[4], LOG[3], *LOG[5:]], None, (3, Fault.INDEX), id="two swapped"
        ),
        pytest.param(
            [*LOG[:5], *round_log("T2", 9)[5:]],
            None,
            (5, Fault.HASH),
            id="spliced from another log",
        ),
        pytest.param(LOG[:7], None, None, id="truncated: the chain alone cannot tell"),
        pytest.param(LOG[:7], HEAD, (7, Fault.TRUNCATED), id="truncated, anchored"),
        pytest.param([], HEAD, (0, Fault.TRUNCATED), id="emptied, anchored"),
        pytest.param(
            round_log("T2", 9),
            HEAD,
            (8, Fault.ANCHOR),
            id="completely rewritten, found by the anchor",
        ),
        pytest.param(
            round_log("T2", 12),
            HEAD,
            (8, Fault.ANCHOR),
            id="rewritten and longer, found by the anchor",
        ),
    ],
)
def test_each_change_to_the_log_is_named(
    changed: list[Link], anchor: Head | None, expected: tuple[int, Fault] | None
) -> None:
    assert find_break(changed, anchor) == expected


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(1.0, id="float"),
        pytest.param({"ev": [0.5]}, id="float inside"),
        pytest.param(float("nan"), id="not a number"),
        pytest.param({1: "a"}, id="key that is not text"),
        pytest.param({"cards": {1, 2}}, id="set"),
        pytest.param(b"bytes", id="bytes"),
    ],
)
def test_an_entry_without_a_canonical_text_is_refused(entry: Json) -> None:
    with pytest.raises(NonCanonicalJson):
        make_link(Head(), entry)


def test_enums_and_tuples_are_logged_as_their_values() -> None:
    class Street(StrEnum):
        FLOP = "flop"

    assert canonical_json({Street.FLOP: (Street.FLOP, 1)}) == '{"flop":["flop",1]}'


LINE = format_link(LOG[0])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("\n", id="blank"),
        pytest.param(LINE[:-1], id="no newline: cut off"),
        pytest.param(LINE[:40], id="half a line"),
        pytest.param(LINE * 2, id="two lines in one"),
        pytest.param(LINE.replace(":", ": ", 1), id="a space"),
        pytest.param(LINE.replace("\n", "\r\n"), id="carriage return"),
        pytest.param(LINE.replace('"seat":1', '"seat":1.0'), id="float"),
        pytest.param(LINE.replace('"seat":1', '"seat":NaN'), id="NaN"),
        pytest.param(LINE.replace('"seat":1', '"seat":0,"seat":1'), id="a key twice"),
        pytest.param(LINE.replace("raised", "r\\u0061ised"), id="another spelling of a letter"),
        pytest.param(LINE.replace('"index":0', '"index":-0'), id="another spelling of zero"),
        pytest.param(LINE.replace('"index":0', '"index":false'), id="index of another type"),
        pytest.param(LINE.replace(LOG[0].hash, LOG[0].hash.upper()), id="hash in capitals"),
        pytest.param(LINE.replace(LOG[0].hash, LOG[0].hash[:-1]), id="hash too short"),
        pytest.param(LINE.replace('"hash"', '"hush"'), id="another field"),
        pytest.param(json.dumps([0, LOG[0].hash, 1]) + "\n", id="a list"),
        pytest.param("[" * 100_000, id="nested without end"),
        pytest.param('{"index":' + "9" * 5_000, id="a number without end"),
    ],
)
def test_a_line_in_any_other_spelling_is_unreadable_and_named(text: str) -> None:
    with pytest.raises(UnreadableLine) as unreadable:
        list(parse_lines([LINE, text]))
    assert unreadable.value.line == 2
    broken = broken_lines([LINE, text])
    assert broken == ChainBreak(1, Fault.UNREADABLE, str(unreadable.value))


def test_a_bad_entry_is_named_before_a_later_line_that_cannot_be_read() -> None:
    broken = broken_lines([LINE, LINE, "rubbish"])
    assert broken is not None
    assert (broken.index, broken.fault) == (1, Fault.INDEX)


json_values: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(json_values, max_size=6))
def test_print_and_parse_are_inverse_and_the_log_stays_intact(entries: list[Json]) -> None:
    links = log_of(entries)
    lines = [format_link(link) for link in links]
    assert list(parse_lines(lines)) == links
    assert [format_link(parse_link(line)) for line in lines] == lines
    assert broken_lines(lines, Head(len(links), links[-1].hash if links else GENESIS)) is None


Mutation = Callable[[Random, list[str], list[str]], list[str]]


def flip(random: Random, lines: list[str], _: list[str]) -> list[str]:
    text = "".join(lines)
    at = random.randrange(len(text))
    changed = text[:at] + chr(ord(text[at]) ^ 1 << random.randrange(7)) + text[at + 1 :]
    return list(StringIO(changed, newline="\n"))


def delete(random: Random, lines: list[str], _: list[str]) -> list[str]:
    at = random.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def insert(random: Random, lines: list[str], other: list[str]) -> list[str]:
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], random.choice(lines + other), *lines[at:]]


def swap(random: Random, lines: list[str], _: list[str]) -> list[str]:
    first, second = random.sample(range(len(lines)), 2)
    changed = list(lines)
    changed[first], changed[second] = lines[second], lines[first]
    return changed


def truncate(random: Random, lines: list[str], _: list[str]) -> list[str]:
    return lines[: random.randrange(len(lines))]


def cut_in_a_line(random: Random, lines: list[str], _: list[str]) -> list[str]:
    at = random.randrange(len(lines))
    return [*lines[:at], lines[at][: random.randrange(1, len(lines[at]))]]


def splice(random: Random, lines: list[str], other: list[str]) -> list[str]:
    at = random.randrange(len(lines))
    return lines[:at] + other[at + random.randrange(-1, 2) :] if at else list(other)


MUTATIONS: list[Mutation] = [flip, delete, insert, swap, truncate, cut_in_a_line, splice]


def first_difference(lines: list[str], changed: list[str]) -> int:
    pairs = zip_longest(lines, changed)
    return next(index for index, (first, second) in enumerate(pairs) if first != second)


def assert_all_found(mutate: Mutation, times: int) -> None:
    lines, other = ([format_link(link) for link in round_log(name, 30)] for name in ("T1", "T2"))
    head = round_log("T1", 30)[-1].head
    random = Random(mutate.__name__)
    for _ in range(times):
        changed = mutate(random, lines, other)
        broken = broken_lines(changed, head)
        assert broken is not None
        if broken.fault is not Fault.ANCHOR:
            assert broken.index == first_difference(lines, changed), changed


@pytest.mark.parametrize("mutate", MUTATIONS)
def test_mutations_are_found_at_the_first_changed_entry(mutate: Mutation) -> None:
    assert_all_found(mutate, 100)


@pytest.mark.slow
@pytest.mark.parametrize("mutate", MUTATIONS)
def test_ten_thousand_mutations_together_are_all_found(mutate: Mutation) -> None:
    assert_all_found(mutate, 10_000 // len(MUTATIONS) + 1)


# JSON that is nested too deeply.


@pytest.mark.parametrize("depth", [65, 900, 950, 990, 1500, 3000])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"a":', "}")])
def test_a_deeply_nested_line_is_a_bad_entry(depth: int, start: str, end: str) -> None:
    core = "1" if start != "[" else ""
    line = f'{{"index":0,"hash":"{GENESIS}","entry":{start * depth}{core}{end * depth}}}\n'
    broken = broken_lines([line])
    assert broken is not None
    assert (broken.index, broken.fault) == (0, Fault.UNREADABLE)
    assert "nested too deeply" in broken.detail


def test_many_brackets_side_by_side_are_not_deep() -> None:
    links = log_of([[[[], {}]] * 200])
    assert list(parse_lines(map(format_link, links))) == links


def test_a_deeply_nested_entry_is_not_written() -> None:
    entry: Json = []
    for _ in range(64):
        entry = [entry]
    with pytest.raises(NonCanonicalJson, match="nested too deeply"):
        make_link(Head(), entry)


def test_a_wrong_anchor_before_the_first_entry_is_found() -> None:
    assert find_break(LOG, Head(0, "1" * 64)) == (0, Fault.ANCHOR)
    assert find_break([], Head(0, "1" * 64)) == (0, Fault.ANCHOR)
    assert find_break(LOG, Head()) is None
