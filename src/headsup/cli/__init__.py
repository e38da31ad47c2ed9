"""The command line. Each command has its own file and imports heavy modules only when it runs."""

import gc
import json
import sys
import traceback
from shutil import get_terminal_size

import click

from headsup.cli.shell.registry import app
from headsup.cli.shell.streams import (
    EXIT_REFUSED,
    UnwritableOutput,
    discard_output,
    prepare_streams,
)
from headsup.cli.shell.usage import refusal_for_usage
from headsup.game.refusal import MistakesRefused, Refused

EXIT_INTERNAL_ERROR = 70  # EX_SOFTWARE; Python's default of 1 means a broken log here
EXIT_INTERRUPTED = 130  # 128 + SIGINT
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells report it

MAX_HELP_COLUMNS = 100  # longer lines are hard to read

# Most objects live until the command ends. Collecting after every 700, Python's default, takes a
# tenth of a short command's time and finds nothing.
OBJECTS_BEFORE_COLLECTING = 10_000


def main() -> None:
    """Run a command. A refusal prints one sentence on standard error and exits with status 2."""
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    try:
        prepare_streams()
        try:
            columns = min(get_terminal_size().columns, MAX_HELP_COLUMNS)
            status = app.main(prog_name="headsup", standalone_mode=False, terminal_width=columns)
        finally:
            sys.stdout.flush()
        sys.exit(status)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.ctx.get_help(), flush=True)
        sys.exit(EXIT_REFUSED)
    except click.UsageError as error:
        _print_refusal(refusal_for_usage(error))
        sys.exit(EXIT_REFUSED)
    except Refused as refused:
        _print_refusal(refused)
        sys.exit(EXIT_REFUSED)
    except click.Abort:
        sys.exit(EXIT_INTERRUPTED)
    except UnwritableOutput as error:
        discard_output()
        if error.reader_gone:
            sys.exit(EXIT_BROKEN_PIPE)
        print(f"headsup: cannot write the output: {error.reason}", file=sys.stderr)
        sys.exit(EXIT_REFUSED)
    except Exception:
        traceback.print_exc()
        sys.exit(EXIT_INTERNAL_ERROR)


def _print_refusal(refused: Refused) -> None:
    """Print the sentence for people and, with --json, an object on standard output."""
    lines = refused.lines if isinstance(refused, MistakesRefused) else (refused.message,)
    for line in lines:
        print(f"headsup: {line}", file=sys.stderr)
    if "--json" in sys.argv[1:]:
        error = {"code": refused.code, "message": refused.message}
        try:
            print(json.dumps({"error": error}), flush=True)
        except UnwritableOutput:
            discard_output()
