"""A SHA-256 chain over an append-only log: a changed entry no longer fits the hash written for it.

An entry is any JSON value without floats. Its hash covers the hash before it, its index and its
canonical text (keys sorted, no spaces, ASCII). On disk a log is JSON Lines,
`{"index":0,"hash":"…","entry":{…}}`, and only that exact spelling is read: no changed byte can
hide behind a second way to write the same value.

A chain alone cannot show that its end was cut off, or that all of it was written anew. For that
its head (count and hash) is kept elsewhere as an anchor.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from json import JSONDecoder, JSONEncoder
from typing import Any, NamedTuple, NoReturn, TypeAlias

from headsup.game.refusal import Code, Refused
from headsup.game.values.str_enum import TextEnum

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json] | None"

GENESIS = "0" * 64
_HEX = frozenset("0123456789abcdef")
_SCALARS = frozenset({str, int, bool, type(None)})
# Deeper than any entry is; a bound of our own, since Python's depends on who is asking.
MAX_ENTRY_DEPTH = 64


# Named tuples: with each command one of both is made.


class Head(NamedTuple):
    """The end of a log: how many entries, and the hash of the last."""

    count: int = 0  # type: ignore[assignment]  # in place of what counts items of a tuple
    hash: str = GENESIS


class Link(NamedTuple):
    """One entry of a log, with its place and the hash that ties it to all before."""

    index: int  # type: ignore[assignment]  # in place of what finds items of a tuple
    hash: str
    text: str  # of the entry, canonical

    @property
    def entry(self) -> Any:
        return _DECODER.decode(self.text)

    @property
    def head(self) -> Head:
        """The head of the log that ends with this entry."""
        return Head(self.index + 1, self.hash)


class Fault(TextEnum):
    UNREADABLE = "unreadable"  # the line is not a link in its one spelling
    INDEX = "index"  # an entry is missing, added or out of place
    HASH = "hash"  # not the entry that was hashed here, or not after this one
    TRUNCATED = "truncated"  # the log ends before its anchor
    ANCHOR = "anchor"  # the chain is whole, but it is not the one that was anchored


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first entry at which a log stops being the log that was written."""

    index: int
    fault: Fault
    detail: str


class NonCanonicalJson(ValueError):
    """The value has no one text: it holds a float, a key that is not text, no JSON at all, or is
    nested more deeply than any entry of a log."""


class UnreadableLine(Refused):
    """The line, counted from 1, is not a link as `format_link` writes it."""

    def __init__(self, line: int, case: str, **data: object) -> None:
        super().__init__(Code.UNREADABLE_LINE, case, where=f"line {line}", **data)
        self.line = line

    @property
    def detail(self) -> str:
        """What is wrong, without the line."""
        return replace(self.refusal, where="").message


def canonical_json(entry: Json) -> str:
    """The one text of a JSON value."""
    _require_exact(entry)
    return _ENCODER.encode(entry)


def make_link(head: Head, entry: Json) -> Link:
    return make_link_from_text(head, canonical_json(entry))


def make_link_from_text(head: Head, text: str) -> Link:
    """As `make_link`, of an entry whose canonical text is at hand."""
    return Link(head.count, link_hash(head.hash, head.count, text), text)


def link_hash(previous_hash: str, index: int, text: str) -> str:
    """The hash of an entry at its place in the chain."""
    return sha256(f"{previous_hash}\n{index}\n{text}".encode("ascii")).hexdigest()


def verify_chain(links: Iterable[Link], anchor: Head | None = None) -> ChainBreak | None:
    """The first bad entry, or None. A log may have grown since it was anchored."""
    count, previous = 0, GENESIS
    if anchor and anchor.count == 0 and anchor.hash != GENESIS:
        return ChainBreak(0, Fault.ANCHOR, "the log was anchored otherwise before its first entry")
    for found in links:
        if found.index != count:
            detail = f"entry {found.index} stands where entry {count} belongs"
            return ChainBreak(count, Fault.INDEX, detail)
        if found.hash != link_hash(previous, count, found.text):
            return ChainBreak(count, Fault.HASH, f"entry {count} does not fit its hash")
        count, previous = count + 1, found.hash
        if anchor and anchor.count == count and anchor.hash != previous:
            return ChainBreak(
                found.index, Fault.ANCHOR, f"entry {found.index} was anchored otherwise"
            )
    if anchor and anchor.count > count:
        detail = f"the log ends after {count} entries; {anchor.count} were anchored"
        return ChainBreak(count, Fault.TRUNCATED, detail)
    return None


def format_link(found: Link) -> str:
    """A line of a log file, with its newline: without it, the line was cut off."""
    return f'{{"index":{found.index},"hash":"{found.hash}","entry":{found.text}}}\n'


def parse_link(text: str, line: int = 1) -> Link:
    found = _LINE.fullmatch(text)
    if found is None:
        raise _unreadable(text, line)
    entry = found[3]
    try:
        value = _DECODER.decode(entry)
        if entry.count("[") + entry.count("{") > MAX_ENTRY_DEPTH:  # otherwise it cannot be so deep
            _require_exact(value)
        spelled = _ENCODER.encode(value)
    except (ValueError, RecursionError):
        raise _unreadable(text, line) from None
    if spelled != entry:
        raise UnreadableLine(line, "spelling")
    return Link(int(found[1]), found[2], entry)


def _unreadable(text: str, line: int) -> UnreadableLine:
    """Why a line is none of a log, as far as it can be read at all."""
    try:
        record = _DECODER.decode(text)
        if text.count("[") + text.count("{") > MAX_ENTRY_DEPTH:  # otherwise it cannot be so deep
            _require_exact(record, MAX_ENTRY_DEPTH + 1)
    except RecursionError:
        return UnreadableLine(line, "nested")
    except ValueError as error:
        return UnreadableLine(line, "not_json", reason=str(error))
    return UnreadableLine(line, "spelling" if _is_link(record) else "no_link")


def parse_lines(lines: Iterable[str]) -> Iterator[Link]:
    """Read a log as it comes. Open its file with `newline="\\n"`, so that no byte is translated."""
    for number, text in enumerate(lines, 1):
        yield parse_link(text, number)


def _require_exact(value: object, deepest: int = MAX_ENTRY_DEPTH) -> None:
    if type(value) in _SCALARS:
        return
    if not deepest:
        raise NonCanonicalJson("nested too deeply")
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NonCanonicalJson(f"the key {key!r} is not text")
            _require_exact(item, deepest - 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _require_exact(item, deepest - 1)
    elif not isinstance(value, str | int):
        raise NonCanonicalJson(f"{value!r} is a {type(value).__name__}, not exact JSON")


def _is_link(record: object) -> bool:
    return (
        isinstance(record, dict)
        and record.keys() == {"index", "hash", "entry"}
        and type(record["index"]) is int
        and isinstance(record["hash"], str)
        and len(record["hash"]) == len(GENESIS)
        and _HEX.issuperset(record["hash"])
    )


def _reject_float(text: str) -> NoReturn:
    raise NonCanonicalJson(f"{text} is a float, not exact JSON")


_LINE = re.compile(
    r'\{"index":(0|[1-9][0-9]{0,18}),"hash":"([0-9a-f]{64})","entry":(.*)\}\n', re.DOTALL
)
_ENCODER = JSONEncoder(sort_keys=True, separators=(",", ":"))
_DECODER = JSONDecoder(parse_float=_reject_float, parse_constant=_reject_float)
