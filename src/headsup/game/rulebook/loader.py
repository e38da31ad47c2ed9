"""Finding and loading rule books: the six shipped ones, and an operator's own TOML file."""

import json
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
from headsup.game.values.safe_parse import MAX_CHARACTERS, parse_toml

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
    """A shipped rule book by id, one from a file, or the TOML text of one itself.

    `galaxy`, `./my-house.toml`, or text of several lines, as a record keeps an operator's own book.
    """
    book, mistakes = draft_book(name)
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def draft_book(name: str) -> tuple[RuleBook, tuple[Mistake, ...]]:
    """As `load_book`, with the mistakes found so far instead of a refusal.

    So a table's choice of rules can be checked too, and everything wrong is told in one run.
    """
    if name in SHIPPED_BOOKS:
        return _load_shipped(name), ()
    if "\n" in name:
        return _read(name, "the rule book")
    if name.endswith(".toml"):
        return _read(_text(Path(name)), name)
    raise RulesRefused([Mistake("rules", _unknown(name))])


def _unknown(name: str) -> Refusal:
    near = closest_name(name, SHIPPED_BOOKS)
    return refusal(Code.UNKNOWN_RULES, name=name, books=SHIPPED_BOOKS, near=near)


def is_recordable(name: str) -> bool:
    """Whether these are rules as a record names them: an id or a whole text, and no file."""
    return name in SHIPPED_BOOKS or "\n" in name


def recordable_rules(name: str) -> str:
    """What a record keeps of these rules: a shipped book's id, or the whole text of one's own.

    So a log can be audited where the file is not, and after it has changed.
    """
    if is_recordable(name):
        return name
    book = load_book(name)
    return _with_id(_text(Path(name)), book.id)


def ensure_book_id(rules: str, file: str = "") -> str:
    """The text of an own book with its id in it: as given, or the file's name, or its title.

    A text that is no TOML stays as it is, for who reads it to say so.
    """
    if rules in SHIPPED_BOOKS or "\n" not in rules:
        return rules
    try:
        title = parse_toml(rules).get("title")
    except Refused:
        return rules
    named = Path(file).stem or "-".join(re.findall(r"\w+", str(title or "").lower()))
    id = named[:MAX_NAME_CHARACTERS] or "own-book"
    return _with_id(rules, f"{id}-house" if id in SHIPPED_BOOKS else id)


def _with_id(text: str, id: str) -> str:
    named = "id" in parse_toml(text)
    # JSON's escapes are TOML's too.
    return text if named else f"id = {json.dumps(id, ensure_ascii=False)}\n{text}"


@cache
def _load_shipped(name: str) -> RuleBook:
    book, mistakes = _read((_BOOKS / f"{name}.toml").read_text(encoding="utf-8"))
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def _find(name: object) -> RuleBook | None:
    return _load_shipped(name) if isinstance(name, str) and name in SHIPPED_BOOKS else None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            held = file.read(MAX_CHARACTERS + 1)
        if len(held) <= MAX_CHARACTERS:
            return held.decode("utf-8-sig")
        why = refusal(Code.UNREADABLE_FILE, "book_size", most=MAX_CHARACTERS)
    except UnicodeDecodeError:
        why = refusal(Code.UNREADABLE_FILE, "book_encoding")
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        why = refusal(Code.UNREADABLE_FILE, "book", reason=reason)
    raise RulesRefused([Mistake("rules", why, str(path))])


@lru_cache(maxsize=64)
def _read(text: str, file: str = "") -> tuple[RuleBook, tuple[Mistake, ...]]:
    """Read one book; without a file it is a shipped document."""
    try:
        raw = parse_toml(text)
    except Refused as refused:
        raise RulesRefused([Mistake("toml", refused.refusal, file)]) from None
    base = _find(raw.get("extends"))
    reader = BookReader(raw, file, base or EMPTY_BOOK, _find)
    if base is None and file:
        reader.wrong("extends", refusal(Code.BAD_RULES, "extends", books=SHIPPED_BOOKS))
        raise RulesRefused(reader.mistakes)
    return reader.book(), tuple(reader.mistakes)
