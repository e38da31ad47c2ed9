"""Only the command that runs is imported."""

import subprocess
import sys

import typer

from headsup.cli.shell.registry import COMMANDS, GROUPS, build_app
from tests.cli.run import ROOT


def _names(name: str) -> set[str]:
    return {*typer.main.get_command(build_app(name)).commands}  # type: ignore[attr-defined]


def test_every_command_can_be_loaded_alone() -> None:
    for name in [*COMMANDS, *GROUPS]:
        assert _names(name) == {name}


def test_help_and_typo_suggestions_know_all_commands() -> None:
    assert _names("") == _names("--help") == _names("slove") == {*COMMANDS, *GROUPS}


def test_one_command_does_not_load_the_others() -> None:
    code = "import sys; from headsup.cli import main; sys.argv[1:] = ['cache', '--help']\n"
    code += "try: main()\nfinally: "
    code += "print('headsup.cli.commands.simulate' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert done.stderr == b"False\n"
