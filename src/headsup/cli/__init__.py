"""The command line: one file per command; heavy imports wait until a command needs them."""

import gc
import json
import sys
from typing import Annotated

import typer

from headsup.cli import (
    advise,
    audit,
    backup,
    cached,
    design,
    export,
    par,
    play,
    protect,
    replay,
    review,
    rules,
    serve,
    session,
    settle,
    simulate,
    solve,
    strategies,
    verify,
)
from headsup.cli.helptext import PlainCommand, PlainGroup
from headsup.cli.streams import REFUSED, AnswerLost, drop_answer, prepare
from headsup.game.refusal import Refused, RulesRefused
from headsup.version import __version__

READER_GONE = 141  # what a shell says of any command whose reader has gone: 128 + SIGPIPE

# What a command makes mostly lives until its end: to look for garbage after every 700 objects, as
# Python does unasked, takes a tenth of a short command's time and finds nothing.
OBJECTS_BEFORE_COLLECTING = 10_000

STATUSES = (
    "Exit status: 0 answered; 1 a log does not hold, or a round was not fair; 2 refused, or the "
    "answer cannot be written; 130 interrupted; 141 the reader of the output has gone."
)

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
app.add_typer(rules.app, name="rules")
app.add_typer(strategies.app, name="strategy")
app.command("settle", cls=PlainCommand)(settle.settle)
app.command("solve", cls=PlainCommand)(solve.solve)
app.command("par", cls=PlainCommand)(par.par)
app.command("advise", cls=PlainCommand)(advise.advise)
app.command("simulate", cls=PlainCommand)(simulate.simulate)
app.command("cache", cls=PlainCommand)(cached.cache)
app.command("session", cls=PlainCommand)(session.session)
app.command("protect", cls=PlainCommand)(protect.protect)
app.command("design", cls=PlainCommand)(design.design)
app.command("play", cls=PlainCommand)(play.play)
app.command("review", cls=PlainCommand)(review.review)
app.command("serve", cls=PlainCommand)(serve.serve)
app.command("replay", cls=PlainCommand)(replay.replay)
app.command("audit", cls=PlainCommand)(audit.audit)
app.command("export", cls=PlainCommand)(export.export)
app.command("backup", cls=PlainCommand)(backup.backup)
app.command("restore", cls=PlainCommand)(backup.restore)
app.command("verify", cls=PlainCommand)(verify.verify)


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
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    try:
        prepare()
        try:
            app(prog_name="headsup")
        finally:
            sys.stdout.flush()
    except Refused as refused:
        _tell(refused)
        sys.exit(REFUSED)
    except AnswerLost as lost:
        drop_answer()
        if lost.reader_gone:
            sys.exit(READER_GONE)
        print(f"headsup: the answer cannot be written: {lost.reason}", file=sys.stderr)
        sys.exit(REFUSED)


def _tell(refused: Refused) -> None:
    """The sentence for people; with --json also an object for programs, on standard output."""
    lines = refused.lines if isinstance(refused, RulesRefused) else (refused.message,)
    for line in lines:
        print(f"headsup: {line}", file=sys.stderr)
    if "--json" in sys.argv[1:]:
        error = {"code": refused.code, "message": refused.message}
        try:
            print(json.dumps({"error": error}), flush=True)
        except AnswerLost:
            drop_answer()
