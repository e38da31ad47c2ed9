"""Closed and full standard streams, and readers who have gone: each ends in a documented status."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.run import EXAMPLE, ROOT, headsup, piped
from tests.cli.terminal import PROGRAM, environment
from tests.logs import recorded

LOG = recorded(1, seed=3, books=("galaxy",))
READER_GONE = 141
KEYS = b"\nc\nc\nf\nq\n"  # a hand that is folded

# A real process each: the quick check tries one command, the full run all.
OTHERS = [
    *("help", "version", "rules", "show", "settle", "lines", "replay", "replay --json"),
    *("advise", "solve", "par", "play"),
]
COMMANDS = ["audit", *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]


def words(command: str, folder: Path) -> list[str]:
    """The arguments of each command, with an answer to write."""
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


def verdict(said: bytes) -> bytes:
    """Without the lines that say how far a long answer is, which a busy machine is told."""
    return re.sub(rb"headsup: [^\n]*, \d+ %\n", b"", said)


def sh(redirection: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run with one stream redirected as a shell does it; a game is dealt one hand."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *PROGRAM, *arguments],
        input=KEYS,
        capture_output=True,
        cwd=ROOT,
        env=environment(folder),
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_who_has_gone_is_no_verdict(command: str, tmp_path: Path) -> None:
    """`headsup audit log.jsonl | true` does not say that the log does not hold."""
    arguments = words(command, tmp_path)
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
    assert (done.returncode, verdict(done.stderr)) == (READER_GONE, b"")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">&-", b"standard output is closed"), (">/dev/full", b"No space left on device")],
)
def test_an_answer_that_cannot_be_written(
    command: str, redirection: str, reason: bytes, tmp_path: Path
) -> None:
    done = sh(redirection, tmp_path, *words(command, tmp_path))
    assert done.returncode == 2
    assert verdict(done.stderr) == b"headsup: the answer cannot be written: " + reason + b"\n"
    assert (
        not (tmp_path / "headsup" / "bankroll.json").exists()
        or '"1000.00"' in (tmp_path / "headsup" / "bankroll.json").read_text()
    ), "no stake is lost on a hand that nobody saw"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_nobody_to_speak_to_on_the_side(command: str, redirection: str, tmp_path: Path) -> None:
    arguments = words(command, tmp_path)
    spoken = piped(tmp_path / "other", *arguments, keys=KEYS.decode())
    done = sh(redirection, tmp_path, *arguments)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, spoken.out, b"")


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("arguments", [["rules", "show", "nowhere"], ["audit"], ["nothing"]])
def test_a_refusal_that_nobody_hears(
    redirection: str, arguments: list[str], tmp_path: Path
) -> None:
    done = sh(redirection, tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.slow
@pytest.mark.parametrize("redirection", [">/dev/full", ">/dev/full 2>&1", ">&- 2>&-"])
def test_a_refusal_for_programs_that_cannot_be_written(redirection: str, tmp_path: Path) -> None:
    done = sh(redirection, tmp_path, "rules", "show", "nowhere", "--json")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null"])
@pytest.mark.parametrize(
    "arguments", [["settle", "-"], ["audit", "-"], ["replay", "-"], ["settle", "-", "--json"]]
)
def test_no_input_to_read(redirection: str, arguments: list[str], tmp_path: Path) -> None:
    done = sh(redirection, tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(b"headsup: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null"])
def test_no_keys_to_play_with(redirection: str, tmp_path: Path) -> None:
    done = sh(redirection, tmp_path, "play")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You leave with $1,000.00" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules", "audit"])
def test_commands_that_read_no_input_do_not_miss_it(command: str, tmp_path: Path) -> None:
    assert sh("<&-", tmp_path, *words(command, tmp_path)).returncode == 0


@pytest.mark.slow
def test_nothing_open_at_all(tmp_path: Path) -> None:
    """A file that is opened never becomes standard output."""
    log = tmp_path / "evening.jsonl"
    assert sh("<&- >&- 2>&-", tmp_path, "play", "--log", str(log)).returncode == 2
    assert not log.exists()


def test_the_statuses_are_documented() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for status in ("`0`", "`1`", "`2`", "`70`", "`130`", f"`{READER_GONE}`"):
        assert f"| {status} |" in readme


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [["audit", "-"], ["replay", "-"], ["settle", "-"], ["strategy", "evaluate", "/dev/zero"]],
)
def test_an_input_without_an_end_is_refused(arguments: list[str], tmp_path: Path) -> None:
    """Within two gigabytes of addresses, of which Python and its libraries take most."""
    limited = ["sh", "-c", 'ulimit -v 2500000; exec "$@" </dev/zero', "sh", *PROGRAM, *arguments]
    done = subprocess.run(
        limited, capture_output=True, cwd=ROOT, env=environment(tmp_path), timeout=300, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_a_mistake_of_the_program_is_no_verdict_on_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own status for it is 1, which here says that a log does not hold."""

    def mistaken(*_: object) -> None:
        raise ZeroDivisionError("by whoever wrote this")

    monkeypatch.setattr("headsup.cli.build_app", mistaken)
    answer = headsup(*words("audit", tmp_path))
    assert answer.code == 70
    assert "ZeroDivisionError: by whoever wrote this" in answer.err
