"""A SHA-256 hash chain over an append-only log: a changed entry no longer matches its hash.

An entry is any JSON value without floats. Its hash covers the previous hash, its index and its
canonical text (keys sorted, no spaces, ASCII). On disk a log is JSON Lines,
`{"index":0,"hash":"…","entry":{…}}`. Only this exact spelling is read, so that no changed byte can
hide behind a second way to write the same value.

A chain alone cannot show that its end was cut off or that all of it was rewritten. For that, its
head (count and hash) is stored elsewhere as an anchor.
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
# More than any entry needs; Python's own limit depends on the caller's stack.
MAX_ENTRY_DEPTH = 64


# Named tuples, which are cheap to build: each command needs one of both.


class Head(NamedTuple):
    """The end of a log: how many entries, and the hash of the last."""

    count: int = 0  # type: ignore[assignment]  # hides `tuple.count`
    hash: str = GENESIS


class Link(NamedTuple):
    """One entry of a log, with its index and its hash in the chain."""

    index: int  # type: ignore[assignment]  # hides `tuple.index`
    hash: str
    text: str  # the entry's canonical JSON

    @property
    def entry(self) -> Any:
        return _DECODER.decode(self.text)

    @property
    def head(self) -> Head:
        """The head of the log that ends with this entry."""
        return Head(self.index + 1, self.hash)


class Fault(TextEnum):
    UNREADABLE = "unreadable"  # the line is not a link in canonical spelling
    INDEX = "index"  # an entry is missing, added or out of order
    HASH = "hash"  # the entry does not match its hash
    TRUNCATED = "truncated"  # the log ends before its anchor
    ANCHOR = "anchor"  # the chain is intact, but it is not the anchored one


@dataclass(frozen=True, slots=True)
class ChainBreak:
    """The first entry at which the chain is broken."""

    index: int
    fault: Fault
    detail: str


class NonCanonicalJson(ValueError):
    """The value has no canonical text.

    It contains a float, a key that is not a string or a value that is not JSON, or is nested too
    deeply.
    """


class UnreadableLine(Refused):
    """A line, counted from 1, is not a link as `format_link` writes it."""

    def __init__(self, line: int, case: str, **data: object) -> None:
        super().__init__(Code.UNREADABLE_LINE, case, where=f"line {line}", **data)
        self.line = line

    @property
    def detail(self) -> str:
        """What is wrong, without the line number."""
        return replace(self.refusal, where="").message


def canonical_json(entry: Json) -> str:
    """The canonical text of a JSON value."""
    _require_exact(entry)
    return _ENCODER.encode(entry)


def make_link(head: Head, entry: Json) -> Link:
    return make_link_from_text(head, canonical_json(entry))


def make_link_from_text(head: Head, text: str) -> Link:
    """Like `make_link`, from the entry's canonical text."""
    return Link(head.count, link_hash(head.hash, head.count, text), text)


def link_hash(previous_hash: str, index: int, text: str) -> str:
    """The hash of an entry at its place in the chain."""
    return sha256(f"{previous_hash}\n{index}\n{text}".encode("ascii")).hexdigest()


def verify_chain(links: Iterable[Link], anchor: Head | None = None) -> ChainBreak | None:
    """The first bad entry, or None. The log may be longer than its anchor."""
    count, previous = 0, GENESIS
    if anchor and anchor.count == 0 and anchor.hash != GENESIS:
        return ChainBreak(0, Fault.ANCHOR, "the anchor does not match the empty log")
    for link in links:
        if link.index != count:
            detail = f"expected entry {count}, found entry {link.index}"
            return ChainBreak(count, Fault.INDEX, detail)
        if link.hash != link_hash(previous, count, link.text):
            return ChainBreak(count, Fault.HASH, f"entry {count} does not match its hash")
        count, previous = count + 1, link.hash
        if anchor and anchor.count == count and anchor.hash != previous:
            return ChainBreak(
                link.index, Fault.ANCHOR, f"entry {link.index} does not match its anchor"
            )
    if anchor and anchor.count > count:
        detail = f"the log ends after {count} entries, but {anchor.count} were anchored"
        return ChainBreak(count, Fault.TRUNCATED, detail)
    return None


def format_link(link: Link) -> str:
    """A line of a log file; it ends in a newline, so that a cut-off line shows."""
    return f'{{"index":{link.index},"hash":"{link.hash}","entry":{link.text}}}\n'


def parse_link(text: str, line: int = 1) -> Link:
    match = _LINE.fullmatch(text)
    if match is None:
        raise _unreadable_line(text, line)
    entry = match[3]
    try:
        value = _DECODER.decode(entry)
        if entry.count("[") + entry.count("{") > MAX_ENTRY_DEPTH:  # cannot be too deep otherwise
            _require_exact(value)
        canonical = _ENCODER.encode(value)
    except (ValueError, RecursionError):
        raise _unreadable_line(text, line) from None
    if canonical != entry:
        raise UnreadableLine(line, "spelling")
    return Link(int(match[1]), match[2], entry)


def _unreadable_line(text: str, line: int) -> UnreadableLine:
    """The most precise error for a line that is not a link."""
    try:
        record = _DECODER.decode(text)
        if text.count("[") + text.count("{") > MAX_ENTRY_DEPTH:  # cannot be too deep otherwise
            _require_exact(record, MAX_ENTRY_DEPTH + 1)
    except RecursionError:
        return UnreadableLine(line, "nested")
    except ValueError as error:
        return UnreadableLine(line, "not_json", reason=str(error))
    return UnreadableLine(line, "spelling" if _is_link(record) else "no_link")


def parse_lines(lines: Iterable[str]) -> Iterator[Link]:
    """Read a log line by line. Open its file with `newline="\\n"`, which translates nothing."""
    for number, text in enumerate(lines, 1):
        yield parse_link(text, number)


def _require_exact(value: object, max_depth: int = MAX_ENTRY_DEPTH) -> None:
    if type(value) in _SCALARS:
        return
    if not max_depth:
        raise NonCanonicalJson("nested too deeply")
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NonCanonicalJson(f"the key {key!r} is not a string")
            _require_exact(item, max_depth - 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _require_exact(item, max_depth - 1)
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
