"""`headsup verify`: whether the cards of a round are those that were sealed before the bets."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from headsup.cli.choice import JsonOption
from headsup.game.refusal import Code, Refused


def verify(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A published round, or JSON Lines of many; - is standard input."
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Check published rounds: that commitment, seeds and deck belong together.

    `headsup replay LOG --fair` prints them, and a table shows them after each round. Exit status
    1: one of them is not what was promised. The same check, in one file to be read and run alone,
    is house/verifier.py.
    """
    from headsup.cli.settle import read_text

    unfair = count = 0
    for number, text in _rounds(file, read_text(file)):
        count += 1
        checked = _checked(text) | ({"line": number} if number else {})
        unfair += not checked["fair"]
        typer.echo(json.dumps(checked) if as_json else _sentence(checked))
    if not count:
        raise Refused(Code.EMPTY_FILE, where=file)
    if unfair:
        raise typer.Exit(1)


def _rounds(file: str, text: str) -> Iterator[tuple[int, str]]:
    """Each round with its line; one that is a whole file has none."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if file.endswith(".jsonl") or (len(lines) > 1 and all(_begins(line) for _, line in lines)):
        yield from lines
    elif lines:
        yield 0, text


def _begins(line: str) -> bool:
    return line.lstrip().startswith("{")


def _checked(text: str) -> dict[str, Any]:
    from headsup.house.verifier import MOST_BYTES, Unfair, read, verify

    try:
        if len(text) > MOST_BYTES:
            raise Unfair("far too long for a published round")
        round = read(text)
        verify(round)
    except Unfair as reason:
        return {"fair": False, "reason": str(reason)}
    return {"fair": True, **{key: round[key] for key in ("table", "round", "commitment")}}


def _sentence(checked: dict[str, Any]) -> str:
    from headsup.cli.screen import printable

    line = f"line {checked['line']}: " if "line" in checked else ""
    if not checked["fair"]:
        return f"{line}NOT FAIR: {printable(checked['reason'])}"
    table = printable(checked["table"])
    sealed = checked["commitment"]
    return f"{line}fair: table {table} round {checked['round']}, sealed as {sealed}"
