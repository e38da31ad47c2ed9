"""Closed, full and disconnected standard streams: each ends with a documented exit status."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from headsup.cli.shell.registry import app
from tests.support.cli.run import EXAMPLE, ROOT, headsup, piped
from tests.support.cli.terminal import PROGRAM, environment
from tests.support.logs import record_rounds

LOG = record_rounds(1, seed=3, books=("galaxy",))
READER_GONE = 141
KEYS = b"\nc\nc\nf\nq\n"  # a hand that is folded

# A real process each: the quick check tries one command, the full run all.
OTHERS = [
    *("help", "version", "rules", "show", "settle", "lines", "replay", "replay --json"),
    *("advise", "solve", "par", "play"),
]
COMMANDS = ["audit", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


def arguments_for(command: str, folder: Path) -> list[str]:
    """Arguments for each command that make it print something."""
    log = folder / "log.jsonl"
    log.write_text("".join(LOG.lines))
    batch = folder / "rounds.jsonl"
    batch.write_text(2 * (json.dumps(json.loads(EXAMPLE.read_text())) + "\n"))
    return {
        "help": ["--help"],
        "version": ["--version"],
        "rules": ["rules"],
        "show": ["rules", "show", "washington"],
        "settle": ["settle", str(EXAMPLE)],
        "lines": ["settle", str(batch), "--json"],
        "audit": ["audit", str(log)],
        "replay": ["replay", str(log)],
        "replay --json": ["replay", str(log), "--json"],
        "advise": ["advise", "--hole", "AsKd", "--board", "2c7d9hJsQc"],
        "solve": ["solve"],
        "par": ["par", "--json"],
        "play": ["play", "--seed", "s"],
    }[command]


def without_progress(output: bytes) -> bytes:
    """Standard error without the progress lines that a slow machine prints."""
    return re.sub(rb"headsup: [^\n]*, \d+ %\n", b"", output)


def run_redirected(
    redirection: str, folder: Path, *arguments: str
) -> subprocess.CompletedProcess[bytes]:
    """Run with one stream redirected as in a shell; a game is dealt one hand."""
    return subprocess.run(
        [
            "sh",
            "-c",
            f'exec "$@" {redirection}',
            "sh",
            *PROGRAM,
            *arguments,
        ],
        input=KEYS,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder),
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_broken_pipe_does_not_report_a_broken_log(command: str, tmp_path: Path) -> None:
    """`headsup audit log.jsonl | true` does not say that the log is broken."""
    arguments = arguments_for(command, tmp_path)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            input=KEYS,
            stdout=writer,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=environment(tmp_path),
            timeout=300,
            check=False,
        )
    finally:
        os.close(writer)
    assert (done.returncode, without_progress(done.stderr)) == (READER_GONE, b"")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">&-", b"standard output is closed"), (">/dev/full", b"No space left on device")],
)
def test_output_that_cannot_be_written_is_an_error(
    command: str, redirection: str, reason: bytes, tmp_path: Path
) -> None:
    done = run_redirected(redirection, tmp_path, *arguments_for(command, tmp_path))
    assert done.returncode == 2
    assert without_progress(done.stderr) == b"headsup: cannot write the output: " + reason + b"\n"
    assert (
        not (tmp_path / "headsup" / "bankroll.json").exists()
        or '"1000.00"' in (tmp_path / "headsup" / "bankroll.json").read_text()
    ), "no stake is lost on a hand that nobody saw"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_output_is_complete_without_standard_error(
    command: str, redirection: str, tmp_path: Path
) -> None:
    arguments = arguments_for(command, tmp_path)
    expected = piped(tmp_path / "other", *arguments, keys=KEYS.decode())
    done = run_redirected(redirection, tmp_path, *arguments)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, expected.out, b"")


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("arguments", [["rules", "show", "nowhere"], ["audit"], ["nothing"]])
def test_a_refusal_without_standard_error_keeps_its_status(
    redirection: str, arguments: list[str], tmp_path: Path
) -> None:
    done = run_redirected(redirection, tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.slow
@pytest.mark.parametrize("redirection", [">/dev/full", ">/dev/full 2>&1", ">&- 2>&-"])
def test_a_json_refusal_that_cannot_be_written_keeps_its_status(
    redirection: str, tmp_path: Path
) -> None:
    done = run_redirected(redirection, tmp_path, "rules", "show", "nowhere", "--json")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null"])
@pytest.mark.parametrize(
    "arguments", [["settle", "-"], ["audit", "-"], ["replay", "-"], ["settle", "-", "--json"]]
)
def test_closed_input_is_refused(redirection: str, arguments: list[str], tmp_path: Path) -> None:
    done = run_redirected(redirection, tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"headsup: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null"])
def test_play_without_input_is_refused(redirection: str, tmp_path: Path) -> None:
    done = run_redirected(redirection, tmp_path, "play")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You leave with $1,000.00" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules", "audit"])
def test_commands_without_input_run_with_input_closed(command: str, tmp_path: Path) -> None:
    assert run_redirected("<&-", tmp_path, *arguments_for(command, tmp_path)).returncode == 0


@pytest.mark.slow
def test_commands_run_with_all_streams_closed(tmp_path: Path) -> None:
    """A newly opened file never becomes standard output."""
    log = tmp_path / "evening.jsonl"
    assert run_redirected("<&- >&- 2>&-", tmp_path, "play", "--log", str(log)).returncode == 2
    assert not log.exists()


def test_the_statuses_are_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for status in ("`0`", "`1`", "`2`", "`70`", "`130`", f"`{READER_GONE}`"):
        assert f"| {status} |" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["audit", "-"], ["replay", "-"], ["settle", "-"], ["strategy", "evaluate", "/dev/zero"]],
)
def test_endless_input_is_refused(arguments: list[str], tmp_path: Path) -> None:
    """With two gigabytes of address space, most of which Python and its libraries take."""
    limited = [
        "sh",
        "-c",
        'ulimit -v 2500000; exec "$@" </dev/zero',
        "sh",
        *PROGRAM,
        *arguments,
    ]
    done = subprocess.run(
        limited, capture_output=True, cwd=ROOT, env=environment(tmp_path), timeout=300, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_a_crash_does_not_report_a_broken_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's exit status for this is 1, which here means that a log is broken."""

    def crash(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by whoever wrote this")

    monkeypatch.setattr(app, "main", crash)
    answer = headsup(*arguments_for("audit", tmp_path))
    assert answer.code == 70
    assert "ZeroDivisionError: by whoever wrote this" in answer.err
