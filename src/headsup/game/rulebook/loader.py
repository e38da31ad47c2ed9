"""Finds and loads rule books: the six shipped ones, or an operator's own TOML file."""

import re
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from headsup.game.refusal import (
    Code,
    Mistake,
    Refusal,
    Refused,
    RulesRefused,
    closest_name,
    refusal,
)
from headsup.game.rulebook.fields import MAX_NAME_CHARACTERS
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.reader import EMPTY_BOOK, BookReader
from headsup.game.values.safe_parse import MAX_CHARACTERS, parse_toml, quote_toml

SHIPPED_BOOKS = (
    "galaxy",
    "galaxy-wpt",
    "new-york",
    "sugarhouse",
    "washington",
    "washington-no-qualifier",
)

_BOOKS = resources.files("headsup.game.rulebook") / "books"


def load_book(name: str) -> RuleBook:
    """A rule book by its shipped id (`galaxy`), its file (`./my-house.toml`) or its TOML text.

    Text is recognized by its line breaks. Logs store an operator's own book as text.
    """
    book, mistakes = draft_book(name)
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def draft_book(name: str) -> tuple[RuleBook, tuple[Mistake, ...]]:
    """Like `load_book`, but returns the mistakes instead of raising them.

    A table's choice of rules can then be checked too, and one run reports everything.
    """
    if name in SHIPPED_BOOKS:
        return _load_shipped(name), ()
    if "\n" in name:
        return _read_book(name, "the rule book")
    if name.endswith(".toml"):
        return _read_book(_read_text(Path(name)), name)
    raise RulesRefused([Mistake("rules", _unknown_rules(name))])


def _unknown_rules(name: str) -> Refusal:
    near = closest_name(name, SHIPPED_BOOKS)
    return refusal(Code.UNKNOWN_RULES, name=name, books=SHIPPED_BOOKS, near=near)


def is_recordable(name: str) -> bool:
    """Whether a log may name rules this way: by a shipped id or by a whole text, never a file."""
    return name in SHIPPED_BOOKS or "\n" in name


def recordable_rules(name: str) -> str:
    """How a log names these rules: a shipped book's id, or the whole text of an operator's book.

    A log can then be audited without the file, or after it has changed.
    """
    if is_recordable(name):
        return name
    book = load_book(name)
    return _with_id(_read_text(Path(name)), book.id)


def ensure_book_id(rules: str, file: str = "") -> str:
    """The text of an operator's book with an id in it: its own, the file's name, or its title.

    Text that is not TOML is returned unchanged; reading it reports the mistake.
    """
    if rules in SHIPPED_BOOKS or "\n" not in rules:
        return rules
    try:
        title = parse_toml(rules).get("title")
    except Refused:
        return rules
    name = Path(file).stem or "-".join(re.findall(r"\w+", str(title or "").lower()))
    id = name[:MAX_NAME_CHARACTERS] or "own-book"
    return _with_id(rules, f"{id}-house" if id in SHIPPED_BOOKS else id)


def _with_id(text: str, id: str) -> str:
    has_id = "id" in parse_toml(text)
    # JSON's escapes are valid TOML.
    return text if has_id else f"id = {quote_toml(id)}\n{text}"


@cache
def _load_shipped(name: str) -> RuleBook:
    book, mistakes = _read_book((_BOOKS / f"{name}.toml").read_text(encoding="utf-8"))
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def _find_shipped(name: object) -> RuleBook | None:
    return _load_shipped(name) if isinstance(name, str) and name in SHIPPED_BOOKS else None


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_CHARACTERS + 1)
        if len(content) <= MAX_CHARACTERS:
            return content.decode("utf-8-sig")
        why = refusal(Code.UNREADABLE_FILE, "book_size", most=MAX_CHARACTERS)
    except UnicodeDecodeError:
        why = refusal(Code.UNREADABLE_FILE, "book_encoding")
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        why = refusal(Code.UNREADABLE_FILE, "book", reason=reason)
    raise RulesRefused([Mistake("rules", why, str(path))])


@lru_cache(maxsize=64)
def _read_book(text: str, file: str = "") -> tuple[RuleBook, tuple[Mistake, ...]]:
    """Read one book. A book without a file is a shipped document."""
    try:
        raw = parse_toml(text)
    except Refused as refused:
        raise RulesRefused([Mistake("toml", refused.refusal, file)]) from None
    base = _find_shipped(raw.get("extends"))
    reader = BookReader(raw, file, base or EMPTY_BOOK, _find_shipped)
    if base is None and file:
        reader.report_mistake("extends", refusal(Code.BAD_RULES, "extends", books=SHIPPED_BOOKS))
        raise RulesRefused(reader.mistakes)
    return reader.read_book(), tuple(reader.mistakes)
