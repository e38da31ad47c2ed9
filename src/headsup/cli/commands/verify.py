"""`headsup verify`: whether the cards of a round are those that were sealed before the bets."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from headsup.cli.options.rules_option import JsonOption
from headsup.game.refusal import Code, Refused

_MAX_ROUND_CHARACTERS = 100_000  # characters; a published round is far shorter


def verify(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A published round, or many as JSON Lines or a list; - is standard input.",
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Check published rounds: that commitment, seeds and deck belong together.

    `headsup replay LOG --fair` prints them, and a table shows them after each round. Exit status
    1: one of them is not what was promised; 2: none is that, but not all are published rounds. The
    same check, in one file to be read and run alone, is house/fairness/verifier.py.
    """
    from headsup.cli.commands.settle import read_input

    unfair = refusals = count = 0
    for name, number, text in _rounds(file, read_input(file)):
        count += 1
        try:
            checked = _check_round(text)
        except Refused as refused:
            if not number:
                raise Refused.of(refused.refusal.within(file)) from None
            refusals += 1
            checked = {"error": {"code": refused.code, "message": refused.message}}
        else:
            unfair += not checked["fair"]
        checked |= {name: number} if number else {}
        typer.echo(json.dumps(checked) if as_json else _sentence(checked))
    if not count:
        raise Refused(Code.EMPTY_FILE, where=file)
    if refusals:
        print(f"headsup: {refusals} of {count} are not published rounds", file=sys.stderr)
    if unfair or refusals:
        raise typer.Exit(1 if unfair else 2)


def _rounds(file: str, text: str) -> Iterator[tuple[str, int, str]]:
    """Each round with its line, or its place in a list; one that is a whole file has none."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if file.endswith(".jsonl") or (len(lines) > 1 and _is_one_object(lines[0][1].strip())):
        yield from (("line", *line) for line in lines)
    elif listed := _read_list(text):
        yield from (("number", number, json.dumps(one)) for number, one in enumerate(listed, 1))
    elif lines:
        yield "", 0, text


def _is_one_object(line: str) -> bool:
    return line.startswith("{") and line.endswith("}")


def _read_list(text: str) -> list[Any]:
    from headsup.house.fairness.verifier import Unreadable, read

    try:
        return list(read(text)) if text.lstrip().startswith("[") else []
    except Unreadable:
        return []  # and so refused as a whole


def _check_round(text: str) -> dict[str, Any]:
    from headsup.house.fairness.verifier import Unfair, Unreadable, read, verify

    if len(text) > _MAX_ROUND_CHARACTERS:
        raise Refused(Code.NOT_A_PUBLISHED_ROUND, "size")
    try:
        round = read(text)
        verify(round)
    except Unfair as reason:
        return {"fair": False, **_place(round), "reason": str(reason)}
    except Unreadable as reason:
        raise Refused(Code.NOT_A_PUBLISHED_ROUND, reason=str(reason)) from None
    return {"fair": True, **_place(round), "commitment": round["commitment"]}


def _place(round: dict[str, Any]) -> dict[str, Any]:
    return {key: round[key] for key in ("table", "round")}


def _sentence(checked: dict[str, Any]) -> str:
    from headsup.cli.screens.style import printable

    line = next((f"{name} {checked[name]}: " for name in ("line", "number") if name in checked), "")
    if "error" in checked:
        return f"{line}refused: {printable(checked['error']['message'])}"
    place = f"table {printable(checked['table'])} round {checked['round']}"
    if not checked["fair"]:
        return f"{line}NOT FAIR: {place}: {printable(checked['reason'])}"
    return f"{line}fair: {place}, sealed as {checked['commitment']}"
