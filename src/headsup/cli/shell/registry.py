"""All commands by name. Only the one that is asked for is loaded: a cached answer takes less time
than it would take to load the others."""

from importlib import import_module
from typing import Annotated, Any

import typer

from headsup.cli.shell.help_text import PlainCommand, PlainGroup
from headsup.version import __version__

# Where each is, in the order of the help.
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

STATUSES = (
    "Exit status: 0 answered; 1 a log does not hold, a round was not fair, or the program is not "
    "the approved one; 2 refused, or the answer cannot be written; 70 a mistake of the program's "
    "own; 130 interrupted; 141 the reader of the output has gone."
)


def build_app(asked: str = "") -> typer.Typer:
    """`headsup` with the command that is asked for, or with all if that is none of them."""
    app = typer.Typer(
        name="headsup",
        cls=PlainGroup,
        help="Heads Up Hold'em: every published rule, the exact mathematics, the table.",
        epilog=STATUSES,
        no_args_is_help=True,
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    known = asked in GROUPS or asked in COMMANDS
    for name, place in GROUPS.items():
        if name == asked or not known:
            app.add_typer(_load_command(place), name=name)
    for name, place in COMMANDS.items():
        if name == asked or not known:
            app.command(name, cls=PlainCommand)(_load_command(place))
    app.callback()(_root_options)
    return app


def _load_command(place: str) -> Any:
    module, name = place.split(".")
    return getattr(import_module(f"headsup.cli.commands.{module}"), name)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"headsup {__version__}")
        raise typer.Exit


def _root_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Heads Up Hold'em: every published rule, the exact mathematics, the table."""
