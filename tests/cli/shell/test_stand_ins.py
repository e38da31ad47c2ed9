"""Terminals that can print only ASCII."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from headsup.cli.shell.stand_ins import STDERR_ERRORS, STDOUT_ERRORS
from tests.support.cli.run import ROOT, run_process

SHOWN = (
    "cli",
    "report/advice.py",
    "report/sheets",
    "game/refusal",
    "game/rulebook/books",
    "analysis/strategies/shipped",
)


def literals(file: Path) -> Iterator[str]:
    if file.suffix == ".toml":
        yield file.read_text(encoding="utf-8")
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_symbol_of_the_screens_has_a_stand_in() -> None:
    source = ROOT / "src" / "headsup"
    files = [
        file
        for room in SHOWN
        for file in (source / room, *(source / room).rglob("*"))
        if file.suffix in (".py", ".toml")
    ]
    symbols = {char for file in files for text in literals(file) for char in text}
    known = "".join(sorted(char for char in symbols if not char.isascii()))
    assert {"●", "♥", "≈"} <= set(known)
    missing = [char for char in known if char.encode("ascii", STDOUT_ERRORS) == b"?"]
    assert missing == []


def test_an_unknown_character_of_an_error_is_escaped() -> None:
    assert "2× é".encode("ascii", STDERR_ERRORS) == rb"2x \xe9"
    assert "2× é".encode("ascii", STDOUT_ERRORS) == b"2x ?"


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "show", "galaxy"),
        ("strategy", "list"),
        ("settle", "docs/examples/round.json"),
        pytest.param(("par",), marks=pytest.mark.slow),
        pytest.param(("advise", "--hole", "AsKd"), marks=pytest.mark.slow),
    ],
)
def test_an_ascii_terminal_shows_no_question_marks(words: tuple[str, ...]) -> None:
    answer = run_process(*words, PYTHONIOENCODING="ascii")
    assert answer.code == 0, answer.err
    assert answer.out.isascii()
    assert "?" not in answer.out


def test_the_paytable_in_use_is_marked_on_an_ascii_terminal() -> None:
    shown = run_process("rules", "show", "galaxy", PYTHONIOENCODING="ascii").out
    assert "* in use: 1" in shown
    assert "| 1 * |" in shown


def test_a_refusal_is_readable_on_an_ascii_terminal() -> None:
    answer = run_process("protect", "--see", "turn–=1", PYTHONIOENCODING="ascii")
    assert "--see: 'turn-' is not one of dealer, flop, river" in answer.err
