"""`headsup verify`: checks that the cards of a round are those sealed before the bets."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from headsup.cli.options.common import json_option
from headsup.cli.shell.command import Command
from headsup.game.refusal import Code, Refused

_MAX_ROUND_CHARACTERS = 100_000  # a published round is far shorter


@click.command(cls=Command)
@click.argument(
    "file",
    metavar="FILE",
    help="A published round, or several as JSON Lines or a list; - reads standard input.",
)
@json_option
def verify(file: str, as_json: bool) -> None:
    """Check published rounds: commitment, seeds and deck must match.

    `headsup replay LOG --fair` prints published rounds, and tables show them after each round. Exit
    status: 1 if a round is not fair; 2 if all are fair, but some input is not a published round.
    house/fairness/verifier.py is the same check in one file, to read and run on its own.
    """
    from headsup.cli.commands.settle import read_input

    unfair = refusals = count = 0
    for unit, number, text in _rounds(file, read_input(file)):
        count += 1
        try:
            result = _check_round(text)
        except Refused as refused:
            if not number:
                raise Refused.of(refused.refusal.within(file)) from None
            refusals += 1
            result = {"error": {"code": refused.code, "message": refused.message}}
        else:
            unfair += not result["fair"]
        result |= {unit: number} if number else {}
        print(json.dumps(result) if as_json else _sentence(result))
    if not count:
        raise Refused(Code.EMPTY_FILE, where=file)
    if refusals:
        print(f"headsup: {refusals} of {count} are not published rounds", file=sys.stderr)
    if unfair or refusals:
        raise SystemExit(1 if unfair else 2)


def _rounds(file: str, text: str) -> Iterator[tuple[str, int, str]]:
    """Each round with its line or list number; a file with a single round has none (0)."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if file.endswith(".jsonl") or (len(lines) > 1 and _is_one_object(lines[0][1].strip())):
        yield from (("line", *line) for line in lines)
    elif rounds := _read_list(text):
        yield from (("number", number, json.dumps(round)) for number, round in enumerate(rounds, 1))
    elif lines:
        yield "", 0, text


def _is_one_object(line: str) -> bool:
    return line.startswith("{") and line.endswith("}")


def _read_list(text: str) -> list[Any]:
    from headsup.house.fairness.verifier import Unreadable, read

    try:
        return list(read(text)) if text.lstrip().startswith("[") else []
    except Unreadable:
        return []  # the file is then refused as a whole


def _check_round(text: str) -> dict[str, Any]:
    from headsup.house.fairness.verifier import Unfair, Unreadable, read, verify

    if len(text) > _MAX_ROUND_CHARACTERS:
        raise Refused(Code.NOT_A_PUBLISHED_ROUND, "size")
    try:
        round = read(text)
        verify(round)
    except Unfair as reason:
        return {"fair": False, **_table_and_round(round), "reason": str(reason)}
    except Unreadable as reason:
        raise Refused(Code.NOT_A_PUBLISHED_ROUND, reason=str(reason)) from None
    return {"fair": True, **_table_and_round(round), "commitment": round["commitment"]}


def _table_and_round(round: dict[str, Any]) -> dict[str, Any]:
    return {key: round[key] for key in ("table", "round")}


def _sentence(result: dict[str, Any]) -> str:
    from headsup.cli.screens.style import printable

    line = next((f"{name} {result[name]}: " for name in ("line", "number") if name in result), "")
    if "error" in result:
        return f"{line}refused: {printable(result['error']['message'])}"
    place = f"table {printable(result['table'])} round {result['round']}"
    if not result["fair"]:
        return f"{line}NOT FAIR: {place}: {printable(result['reason'])}"
    return f"{line}fair: {place}, sealed as {result['commitment']}"
