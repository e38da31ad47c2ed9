"""Finding and loading rule books: the six shipped ones, and an operator's own TOML file."""

import hashlib
import tomllib
from collections.abc import Mapping
from copy import deepcopy
from decimal import Decimal
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from headsup.game.refusal import Mistake, RulesRefused
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.options import OPTIONS, BadValue
from headsup.game.rulebook.read import Reader

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
    """A shipped rule book by id, or one from a file: `galaxy`, `./my-house.toml`."""
    if name in SHIPPED:
        return _shipped(name)
    if name.endswith(".toml"):
        return read_file(Path(name))
    reason = f"there is no rule book '{name}'; there are {', '.join(SHIPPED)}, or name a .toml file"
    raise RulesRefused([Mistake("rules", reason, "unknown_rules")])


@cache
def _shipped(name: str) -> RuleBook:
    text = (_BOOKS / f"{name}.toml").read_text(encoding="utf-8")
    return read_text(text, f"{name}.toml", shipped=True)


@cache
def _raw(name: str) -> dict[str, Any]:
    """A shipped book's merged TOML."""
    text = (_BOOKS / f"{name}.toml").read_text(encoding="utf-8")
    raw = tomllib.loads(text, parse_float=Decimal)
    if "extends" in raw:
        raw, _ = _merged(_raw(raw["extends"]), raw, "")
    return raw


def read_file(path: Path) -> RuleBook:
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise RulesRefused([Mistake("rules", reason, "unreadable_file", str(path))]) from None
    except UnicodeDecodeError:
        raise RulesRefused(
            [Mistake("rules", "is not UTF-8 text", "unreadable_file", str(path))]
        ) from None
    return read_text(text, str(path))


def read_text(text: str, file: str, *, shipped: bool = False) -> RuleBook:
    """Parse and check one book; every mistake in it is reported at once."""
    try:
        raw = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesRefused([Mistake("toml", str(error), "bad_toml", file)]) from None
    mistakes: list[Mistake] = []
    if not shipped:
        mistakes += _house_mistakes(raw, file)
        if mistakes:
            raise RulesRefused(mistakes)
        raw = {"kind": "house", "id": Path(file).stem, **raw}
    base = raw.get("extends")
    digest = hashlib.sha256(text.encode())
    if base is not None:
        digest.update(_digest(base).encode())
        raw, mistakes = _merged(_raw(base), raw, file)
    reader = Reader(raw, file)
    book = reader.book(_irregularities(raw), digest.hexdigest())
    mistakes += reader.mistakes
    if mistakes:
        raise RulesRefused(mistakes)
    return book


def _digest(name: str) -> str:
    return _shipped(name).digest


def _house_mistakes(raw: Mapping[str, Any], file: str) -> list[Mistake]:
    """What must hold before an operator's book can be read at all."""
    mistakes = []
    if raw.get("extends") not in SHIPPED:
        reason = f"must name the shipped rule book to start from: {', '.join(SHIPPED)}"
        mistakes.append(Mistake("extends", reason, "bad_rules", file))
    if raw.get("kind", "house") not in ("house", "study"):
        mistakes.append(Mistake("kind", "must be house or study", "bad_rules", file))
    if "id" in raw and (not isinstance(raw["id"], str) or raw["id"] in SHIPPED):
        reason = "must be text other than a shipped rule book's id"
        mistakes.append(Mistake("id", reason, "bad_rules", file))
    return mistakes


def _irregularities(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A book's own irregularity rules, or another's taken over as house rules (R96)."""
    own = dict(raw.get("irregularities", {}))
    source = own.pop("inherit", None)
    if source is None:
        return own
    inherited = {
        cause: {**block, "house_rule": True}
        for cause, block in _raw(source)["irregularities"].items()
    }
    return inherited | own


def _merged(
    base: Mapping[str, Any], own: Mapping[str, Any], file: str
) -> tuple[dict[str, Any], list[Mistake]]:
    """The base book with the extending book's words laid over it."""
    merged: dict[str, Any] = deepcopy(dict(base))
    mistakes: list[Mistake] = []
    free = own.get("kind") in ("study", "document")
    for key, value in own.items():
        if key == "options" and isinstance(value, Mapping):
            merged["options"], wrong = _merged_options(base["options"], value, free, file)
            mistakes += wrong
        elif key == "paytable" and isinstance(value, list):
            mistakes += _closed_mistakes(base, value, free, file)
            merged["paytable"] = [*base["paytable"], *value]
        elif key in ("layout", "notice", "condition") and isinstance(value, list):
            merged[key] = [*base.get(key, []), *value]
        elif isinstance(value, Mapping) and isinstance(base.get(key), Mapping):
            merged[key] = {**base[key], **value}
        elif key != "extends":
            merged[key] = value
    if own.get("kind") == "study":
        merged.pop("condition", None)
    return merged, mistakes


def _merged_options(
    base: Mapping[str, Any], own: Mapping[str, Any], free: bool, file: str
) -> tuple[dict[str, Any], list[Mistake]]:
    merged: dict[str, Any] = deepcopy(dict(base))
    mistakes: list[Mistake] = []
    for key, value in own.items():
        full = isinstance(value, Mapping) and "value" in value
        if free:
            defaults = {} if full and "clause" in value else {"clause": file}
            merged[key] = {**(value if full else {"value": value}), **defaults}
            continue
        if key not in OPTIONS or key not in base:
            known = key in OPTIONS
            reason = "is not an option of the book it extends" if known else "unknown key"
            code = "option_not_open" if known else "unknown_key"
            mistakes.append(Mistake(f"options.{key}", reason, code, file))
            continue
        chosen = value["value"] if full else value
        if reason := _not_open(key, chosen, base[key]):
            mistakes.append(Mistake(f"options.{key}", reason, "option_not_open", file))
        merged[key] = {**base[key], "value": chosen}
    return merged, mistakes


def _not_open(key: str, chosen: object, base: Mapping[str, Any]) -> str:
    """Why the base book does not leave this value open; empty where it does."""
    read = OPTIONS[key].read
    try:
        value = read(chosen)
    except BadValue:
        return ""  # the Reader reports an unreadable value
    allowed = [read(base["value"]), *map(read, base.get("may_be", []))]
    if base.get("open") or value in allowed:
        return ""
    return f'{base["clause"]} does not leave this open; kind = "study" may depart from it'


def _closed_mistakes(
    base: Mapping[str, Any], blocks: list[Any], free: bool, file: str
) -> list[Mistake]:
    """R2: some lists are closed; to the others only a table labelled custom may be added."""
    if free:
        return []
    closed = {block["key"]: block["clause"] for block in base["paytable"] if block.get("closed")}
    mistakes = []
    for number, block in enumerate(blocks, 1):
        at = f"paytable[{number}]"
        key = block.get("key") if isinstance(block, Mapping) else None
        if key in closed:
            reason = f"{closed[key]} is a closed list of {key} paytables"
            reason += '; kind = "study" may add one'
            mistakes.append(Mistake(at, reason, "closed_list", file))
        elif isinstance(block, Mapping) and block.get("custom") is not True:
            mistakes.append(Mistake(at, "must say custom = true", "not_labelled_custom", file))
    return mistakes
