"""Lists all commands and builds the program from them.

Only the command being run is imported: importing the others would take longer than printing a
cached answer.
"""

from importlib import import_module
from typing import Annotated, Any

import typer

from headsup.cli.shell.typer_adapter import PlainCommand, PlainGroup
from headsup.version import __version__

# Module and attribute of each command, in the order of the help.
GROUPS = {"rules": "rules.app", "strategy": "strategy.app"}
COMMANDS = {
    "settle": "settle.settle",
    "solve": "solve.solve",
    "par": "par.par",
    "advise": "advise.advise",
    "session": "session.session",
    "simulate": "simulate.simulate",
    "protect": "protect.protect",
    "design": "design.design",
    "play": "play.play",
    "review": "review.review",
    "serve": "serve.serve",
    "replay": "replay.replay",
    "audit": "audit.audit",
    "verify": "verify.verify",
    "export": "export.export",
    "backup": "backup.backup",
    "restore": "backup.restore",
    "manifest": "manifest.manifest",
    "cache": "cache.cache",
}

EXIT_STATUS_HELP = (
    "Exit status: 0 success; 1 a log is broken, a round was not fair, or the program is not the "
    "approved one; 2 refused, or the output could not be written; 70 internal error; 130 "
    "interrupted; 141 the output pipe was closed."
)


def build_app(command_name: str = "") -> typer.Typer:
    """`headsup` with the named command only, or with all of them if there is no such command."""
    app = typer.Typer(
        name="headsup",
        cls=PlainGroup,
        help="Heads Up Hold'em: every published rule, the exact mathematics, the table.",
        epilog=EXIT_STATUS_HELP,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    known = command_name in GROUPS or command_name in COMMANDS
    for name, location in GROUPS.items():
        if name == command_name or not known:
            app.add_typer(_load_command(location), name=name)
    for name, location in COMMANDS.items():
        if name == command_name or not known:
            app.command(name, cls=PlainCommand)(_load_command(location))
    app.callback()(_root_options)
    return app


def _load_command(location: str) -> Any:
    module, name = location.split(".")
    return getattr(import_module(f"headsup.cli.commands.{module}"), name)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"headsup {__version__}")
        raise typer.Exit


def _root_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Heads Up Hold'em: every published rule, the exact mathematics, the table."""
