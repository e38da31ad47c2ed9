"""Every command and example in the README and docs/commands.md works as shown."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from headsup.cli.shell.registry import COMMANDS
from tests.support.cli.run import ROOT, headsup
from tests.support.logs import record_rounds

README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")
# These solve the game, which takes a while.
HEAVY = ("solve", "advise", "par", "--coach", "session", "strategy", "protect", "simulate")


def examples() -> list[str]:
    return re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def shorten(answer: dict[str, Any]) -> dict[str, Any]:
    del answer["rules"]
    for seat in answer["seats"]:
        for line in seat["wagers"].values():
            del line["outcome"], line["why"]
    return answer


def test_the_example_settles_as_shown() -> None:
    played, settled = examples()
    answer = headsup("settle", "-", "--json", stdin=played.encode())
    assert shorten(answer.json) == json.loads(settled)


def commands() -> list[Any]:
    lines = re.findall(r"^\$ headsup ([^#\n]*)", README + PAGE, re.MULTILINE)
    return [
        pytest.param(
            line,
            marks=[pytest.mark.slow] if any(word in line.split() for word in HEAVY) else [],
        )
        for line in dict.fromkeys(line.strip() for line in lines)
    ]


@pytest.mark.parametrize("line", commands())
def test_every_command_shown_works(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    shutil.copy(ROOT / "docs" / "examples" / "my-house.toml", tmp_path)
    seat = {"seat": 1, "hole": "KsKh", "ante": "10.00", "odds": "10.00", "fold": True}
    round = {"dealer": "AcQd", "board": "Kd9c5h5s2d", "seats": [seat]}
    (tmp_path / "rounds.jsonl").write_text(f"{json.dumps(round)}\n" * 2)
    (tmp_path / "evening.jsonl").write_text(
        "".join(record_rounds(1, seed=1, books=("galaxy",)).lines)
    )
    monkeypatch.chdir(tmp_path)
    answer = headsup(*shlex.split(line), stdin=b"q\n", XDG_DATA_HOME=str(tmp_path))
    progress = re.compile(r"headsup: .*, \d+ %(, [\d:]+ left)?")  # printed on a slow machine
    errors = [line for line in answer.err.splitlines() if not progress.fullmatch(line)]
    assert (answer.code, errors) == (0, [])
    assert answer.out


def test_every_command_is_shown() -> None:
    shown = {line.values[0].split()[0] for line in commands()}
    assert shown == {*COMMANDS} - SHOWN_ELSEWHERE


# These are for running a house and shown in docs/running.md, docs/records.md and docs/floor.md.
SHOWN_ELSEWHERE = {"serve", "export", "backup", "restore", "shifts", "takings"}


@pytest.mark.slow  # it solves the game
def test_the_library_is_used_as_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(example, {})
    assert capsys.readouterr().out.splitlines() == [
        "25.00",
        "<straight, ace high: As Kd Qs Jh Tc>",
        "840983767/35658730800",
        "raise 2",
    ]


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150
