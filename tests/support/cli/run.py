"""Runs `headsup` commands: in this process, which is fast, or as a separate process."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import click

from headsup.cli import main
from headsup.cli.shell.registry import app

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "round.json"
PLAIN = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}


class Answer(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def headsup(*words: object, stdin: bytes = b"", **environment: str) -> Answer:
    """Run a command in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    argv = ["headsup", *map(str, words)]
    with (
        patch.object(sys, "argv", argv),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        patch.dict(os.environ, {**PLAIN, **environment}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return Answer(code, out.getvalue(), err.getvalue())


def all_commands() -> dict[str, click.Command]:
    """Every command by its name; those of groups too, such as `strategy list`."""
    context, found = click.Context(app), {}
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
    return found


def piped(home: Path, *words: str, keys: str = "") -> Answer:
    """Run a command in this process with piped keys and the player's data in `home`."""
    return headsup(*words, stdin=keys.encode(), XDG_DATA_HOME=str(home))


def run_process(*words: object, stdin: bytes = b"", **environment: str) -> Answer:
    """Run a command as a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", "from headsup.cli import main; main()", *map(str, words)],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **PLAIN, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
        timeout=300,
    )
    return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode())


def refusal_sentence(answer: Answer) -> str:
    """Check for exit status 2 and a single line on standard error. Returns the sentence."""
    assert answer.code == 2
    assert "Traceback" not in answer.err
    (line,) = answer.err.splitlines()
    assert line.startswith("headsup: ")
    return line.removeprefix("headsup: ")
