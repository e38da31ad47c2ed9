"""Finding and loading rule books: the six shipped ones, and an operator's own TOML file."""

import json
import tomllib
from decimal import Decimal
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from headsup.game.refusal import Mistake, RulesRefused
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.read import BLANK, Reader

SHIPPED = (
    "galaxy",
    "galaxy-wpt",
    "new-york",
    "sugarhouse",
    "washington",
    "washington-no-qualifier",
)

_BOOKS = resources.files("headsup.game.rulebook") / "books"


def load(name: str) -> RuleBook:
    """A shipped rule book by id, one from a file, or the TOML text of one itself.

    `galaxy`, `./my-house.toml`, or text of several lines, as a record keeps an operator's own book.
    """
    book, mistakes = draft(name)
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def draft(name: str) -> tuple[RuleBook, tuple[Mistake, ...]]:
    """As `load`, with the mistakes found so far instead of a refusal.

    So a table's choice of rules can be checked too, and everything wrong is told in one run.
    """
    if name in SHIPPED:
        return _shipped(name), ()
    if "\n" in name:
        return _read(name, "the rule book")
    if name.endswith(".toml"):
        return _read(_text(Path(name)), name)
    reason = f"there is no rule book '{name}'; there are {', '.join(SHIPPED)}, or name a .toml file"
    raise RulesRefused([Mistake("rules", reason, "unknown_rules")])


def is_recorded(name: str) -> bool:
    """Whether these are rules as a record names them: an id or a whole text, and no file."""
    return name in SHIPPED or "\n" in name


def recorded(name: str) -> str:
    """What a record keeps of these rules: a shipped book's id, or the whole text of one's own.

    So a log can be audited where the file is not, and after it has changed.
    """
    if is_recorded(name):
        return name
    book = load(name)
    text = _text(Path(name))
    named = "id" in tomllib.loads(text)
    # JSON's escapes are TOML's too.
    return text if named else f"id = {json.dumps(book.id, ensure_ascii=False)}\n{text}"


@cache
def _shipped(name: str) -> RuleBook:
    book, mistakes = _read((_BOOKS / f"{name}.toml").read_text(encoding="utf-8"))
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def _find(name: object) -> RuleBook | None:
    return _shipped(name) if isinstance(name, str) and name in SHIPPED else None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    raise RulesRefused([Mistake("rules", reason, "unreadable_file", str(path))])


@lru_cache(maxsize=64)
def _read(text: str, file: str = "") -> tuple[RuleBook, tuple[Mistake, ...]]:
    """Read one book; without a file it is a shipped document."""
    try:
        raw = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise RulesRefused([Mistake("toml", str(error), "bad_toml", file)]) from None
    base = _find(raw.get("extends"))
    reader = Reader(raw, file, base or BLANK, _find)
    if base is None and file:
        reason = f"must name the shipped rule book to start from: {', '.join(SHIPPED)}"
        reader.wrong("extends", reason)
        raise RulesRefused(reader.mistakes)
    return reader.book(), tuple(reader.mistakes)
