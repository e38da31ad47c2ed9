"""The list of commands, their help, and that only the command that runs is imported."""

import subprocess
import sys

import click
import pytest

from headsup.cli.shell.registry import COMMANDS
from headsup.cli.shell.stand_ins import STDOUT_ERRORS
from tests.support.cli.golden import check_golden
from tests.support.cli.run import ROOT, all_commands, headsup, run_process


def test_the_list_shows_the_first_paragraph_of_each_command() -> None:
    commands = all_commands()
    for name, summary in COMMANDS.items():
        assert " ".join((commands[name].help or "").split("\n\n")[0].split()) == summary


def test_help_of_every_command() -> None:
    names = ["", *all_commands()]
    texts = [f"$ headsup {name} --help\n{headsup(*name.split(), '--help').out}" for name in names]
    check_golden("help", "\n".join(texts))


@pytest.mark.parametrize("columns", [40, 60])
def test_help_fits_a_narrow_terminal(columns: int) -> None:
    for name in ("", "play", "strategy evaluate"):
        text = headsup(*name.split(), "--help", COLUMNS=str(columns)).out
        assert max(map(len, text.splitlines())) <= columns


def test_help_uses_stand_ins_on_an_ascii_terminal() -> None:
    shown = run_process("serve", "--help", PYTHONIOENCODING="ascii").out
    wanted = headsup("serve", "--help").out
    assert not wanted.isascii()
    assert shown == wanted.encode("ascii", STDOUT_ERRORS).decode()


def test_every_option_and_argument_is_explained() -> None:
    for name, command in all_commands().items():
        for param in command.get_params(click.Context(command)):
            assert getattr(param, "help", ""), (name, param.name)


@pytest.mark.parametrize("words", [[], ["strategy"]], ids=["headsup", "strategy"])
def test_a_group_without_a_command_prints_its_help(words: list[str]) -> None:
    answer = headsup(*words)
    assert (answer.code, answer.err) == (2, "")
    assert answer.out == headsup(*words, "--help").out


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("headsup ser", {"serve"}),
        ("headsup strategy ", {"list", "evaluate", "simplify"}),
        ("headsup solve --no", {"--no-cache"}),
        ("headsup export --format c", {"csv"}),
    ],
)
def test_shells_complete_commands_options_and_choices(words: str, completed: set[str]) -> None:
    position = str(len(words.split(" ")) - 1)
    answer = run_process(_HEADSUP_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=position)
    assert {line.partition(",")[2] for line in answer.out.splitlines()} == completed


PRINT_MODULES = """
import sys
from headsup.cli import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def _modules_after(*words: str) -> set[str]:
    command = [sys.executable, "-c", PRINT_MODULES, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    return {*done.stderr.split()}


def test_one_command_does_not_load_the_others() -> None:
    loaded = {name for name in _modules_after("cache") if name.startswith("headsup.cli.commands.")}
    assert loaded == {"headsup.cli.commands.cache"}


def test_the_list_of_commands_loads_no_command() -> None:
    """Nor what takes long to import, so that `headsup --help` answers at once."""
    loaded = _modules_after("--help")
    assert "headsup.cli.shell.registry" in loaded
    assert not [name for name in loaded if name.startswith("headsup.cli.commands.")]
    assert not {"rich", "numpy", "pydantic"} & loaded
