"""The command line: one file per command; heavy imports wait until a command needs them."""

import json
import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from headsup import __version__
from headsup.cli import advise, audit, par, play, replay, rules, settle, solve
from headsup.game.refusal import Refused, RulesRefused

app = typer.Typer(
    name="headsup",
    help="Heads Up Hold'em: every published rule, the exact mathematics, the table.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(rules.app, name="rules")
app.command("settle")(settle.settle)
app.command("solve")(solve.solve)
app.command("par")(par.par)
app.command("advise")(advise.advise)
app.command("play")(play.play)
app.command("replay")(replay.replay)
app.command("audit")(audit.audit)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"headsup {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Heads Up Hold'em: every published rule, the exact mathematics, the table."""


def main() -> None:
    """Run a command; a refusal is one sentence on standard error and exit status 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without × or – still gets the rest
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except Refused as refused:
        _tell(refused)
        sys.exit(2)
    except OSError as error:
        # The answer could not be written: a full disk, or the reader of a pipe has gone.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(1)
        print(f"headsup: the answer cannot be written: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def _tell(refused: Refused) -> None:
    """The sentence for people; with --json also an object for programs, on standard output."""
    mistakes = refused.mistakes if isinstance(refused, RulesRefused) else (refused.message,)
    for mistake in mistakes:
        print(f"headsup: {mistake}", file=sys.stderr)
    if "--json" in sys.argv[1:]:
        print(json.dumps({"error": {"code": refused.code, "message": refused.message}}))
