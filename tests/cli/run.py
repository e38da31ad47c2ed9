"""Running `headsup` as a person does: in this process, which is quick, or as a real one."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from headsup.cli import main

ROOT = Path(__file__).parents[2]
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
    """One command in this process."""
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


def piped(home: Path, *words: str, keys: str = "") -> Answer:
    """The same with keys from a pipe, the player's data being kept in `home`."""
    return headsup(*words, stdin=keys.encode(), XDG_DATA_HOME=str(home))


def process(*words: object, stdin: bytes = b"", **environment: str) -> Answer:
    """The same as a real process."""
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


def refused(answer: Answer) -> str:
    """The one sentence of a refusal: exit status 2, nothing but it on standard error."""
    assert answer.code == 2
    assert "Traceback" not in answer.err
    (line,) = answer.err.splitlines()
    assert line.startswith("headsup: ")
    return line.removeprefix("headsup: ")
