"""`headsup settle`: works out what each wager of a finished round pays, and by which clause."""

import codecs
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from headsup.cli.options.common import json_option, parse_sets, rules_option, sets_option
from headsup.cli.shell.command import Command
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.game.notation.model import FinishedRound
    from headsup.game.settlement import Settlement


# About a quarter of a million rounds in one batch.
MAX_BYTES = 512_000_000


@click.command(cls=Command)
@click.argument("file", metavar="FILE", help="JSON, JSON Lines or TOML; - reads standard input.")
@rules_option
@sets_option
@json_option
def settle(file: str, rules: str, sets: tuple[str, ...], as_json: bool) -> None:
    """Settle finished rounds: one JSON object, or JSON Lines for many.

    --rules and --set apply to rounds that do not set their own. If a line of JSON Lines is refused,
    its error is printed in its place, the other lines still settle, and the exit status is 2.
    """
    settler = Settler(rules, *parse_sets(sets))
    text = read_input(file)
    if file.endswith(".toml"):
        from headsup.game.values.safe_parse import parse_toml

        _settle_one(settler, file, parse_toml, text, as_json)
    elif is_json_lines(file, text):
        _settle_lines(settler, text, as_json)
    else:
        from headsup.game.values.safe_parse import parse_json

        _settle_one(settler, file, parse_json, text, as_json)


class Settler:
    """Reads and settles rounds. Rules that rounds share are built once."""

    def __init__(self, rules: str, paytables: dict[str, Any], options: dict[str, Any]) -> None:
        from headsup.game.notation.reader import RulesCache
        from headsup.game.rulebook.loader import load_book

        self.rules, self.paytables, self.options = rules, paytables, options
        self.rules_cache = RulesCache()
        load_book(rules)  # refuse a wrong --rules even if every round names its own

    def settle(self, raw: object) -> "tuple[FinishedRound, Settlement]":
        from headsup.game.notation.reader import read_round
        from headsup.game.settlement import settle

        if isinstance(raw, dict):
            for key, defaults in (("paytables", self.paytables), ("options", self.options)):
                value = raw.get(key)
                if defaults and (value is None or isinstance(value, dict)):
                    raw = {**raw, key: _merge_options(defaults, value or {})}
        round = read_round(raw, self.rules_cache, self.rules)
        return round, settle(round.rules, round.deal, round.plays, round.meter)


def _merge_options(defaults: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """The defaults overridden by the values, key by key, also inside `limits`."""
    merged = {**defaults, **values}
    for key in defaults.keys() & values.keys():
        if isinstance(defaults[key], dict) and isinstance(values[key], dict):
            merged[key] = _merge_options(defaults[key], values[key])
    return merged


def read_input(file: str) -> str:
    """The input as text. Invalid UTF-8 becomes surrogates, so that only its line is refused."""
    try:
        data = _read_bytes(file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=file, reason=reason) from None
    if len(data) > MAX_BYTES:
        raise Refused(Code.UNREADABLE_FILE, "size", where=file, most=MAX_BYTES)
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def _read_bytes(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(file, "rb") as opened:
        return opened.read(MAX_BYTES + 1)


def _parse_text(parse: Callable[[str], object], text: str) -> object:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(Code.UNREADABLE_FILE, "encoding") from None
    return parse(text)


def is_json_lines(file: str, text: str) -> bool:
    """Whether this is JSON Lines: by its name, or because each line starts a separate object."""
    if file.endswith(".jsonl"):
        return True
    lines = [line.lstrip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or lines[0].startswith("["):
        return False
    if _is_json(text):  # one object over several lines
        return False
    all_objects = all(line.startswith("{") for line in lines) and not _is_unfinished(lines[0])
    return all_objects or any(
        line.startswith("{") and '"seats"' in line and _is_json(line) for line in lines
    )


def _is_unfinished(line: str) -> bool:
    """Whether the JSON that starts on this line continues on the next."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(line.rstrip())
    except (ValueError, RecursionError):
        return False
    return False


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _settle_one(
    settler: Settler, file: str, parse: Callable[[str], object], text: str, as_json: bool
) -> None:
    if not text.strip():
        raise Refused(Code.EMPTY_FILE, "settle", where=file)
    try:
        raw = _parse_text(parse, text)
    except Refused as refused:
        raise Refused.of(refused.refusal.within(file)) from None
    round, settlement = settler.settle(raw)
    _print(round, settlement, as_json)


def _settle_lines(settler: Settler, text: str, as_json: bool) -> None:
    from headsup.game.values.safe_parse import parse_json

    refusals = rounds = 0
    for number, line in _numbered_lines(text):
        rounds += 1
        try:
            round, settlement = settler.settle(_parse_text(parse_json, line))
        except Refused as refused:
            refusals += 1
            _print_refusal(refused, number, as_json)
        else:
            _print(round, settlement, as_json)
    if refusals:
        print(f"headsup: {refusals} of {rounds} rounds refused", file=sys.stderr)
        raise SystemExit(2)


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    # Only \n ends a line: JSON text may contain other characters that splitlines() breaks at.
    lines = text.split("\n")
    show_progress = _progress(len(lines))
    for number, line in enumerate(lines, 1):
        show_progress(number)
        if line.strip():
            yield number, line


def _progress(total: int) -> Any:
    """A line counter on standard error, for long batches at a terminal."""
    if total < 2000 or not sys.stderr.isatty():
        return lambda _: None

    def show(number: int) -> None:
        if number % 500 == 0 or number == total:
            end = "\n" if number == total else ""
            print(f"\r{number:,} of {total:,} lines", end=end, file=sys.stderr, flush=True)

    return show


def _print_refusal(refused: Refused, number: int, as_json: bool) -> None:
    if as_json:
        error = {"code": refused.code, "message": refused.message, "line": number}
        print(json.dumps({"error": error}))
        return
    from rich.text import Text

    from headsup.cli.screens.style import console

    console().print(Text.assemble((f"line {number} refused", "red"), f": {refused.message}"))


def _print(round: "FinishedRound", settlement: "Settlement", as_json: bool) -> None:
    if as_json:
        from headsup.game.notation.settlement_json import write_settlement

        print(json.dumps(write_settlement(round, settlement)))
    else:
        from headsup.cli.screens.payouts import print_settlement

        print_settlement(round, settlement)
