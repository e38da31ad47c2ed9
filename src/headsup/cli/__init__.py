"""The command line: one file per command; what a command needs is loaded when it is asked for."""

import gc
import json
import sys
import traceback

from headsup.cli.shell.registry import build_app
from headsup.cli.shell.streams import (
    EXIT_REFUSED,
    UnwritableOutput,
    discard_output,
    prepare_streams,
)
from headsup.game.refusal import MistakesRefused, Refused

EXIT_INTERNAL_ERROR = 70  # as sysexits.h has it; 1, which Python would say, is a verdict on a log
EXIT_BROKEN_PIPE = 141  # what a shell says of any command whose reader has gone: 128 + SIGPIPE

# What a command makes mostly lives until its end: to look for garbage after every 700 objects, as
# Python does unasked, takes a tenth of a short command's time and finds nothing.
OBJECTS_BEFORE_COLLECTING = 10_000


def main() -> None:
    """Run a command; a refusal is one sentence on standard error and exit status 2."""
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    try:
        prepare_streams()
        try:
            build_app(*sys.argv[1:2])(prog_name="headsup")
        finally:
            sys.stdout.flush()
    except Refused as refused:
        _print_refusal(refused)
        sys.exit(EXIT_REFUSED)
    except UnwritableOutput as lost:
        discard_output()
        if lost.reader_gone:
            sys.exit(EXIT_BROKEN_PIPE)
        print(f"headsup: the answer cannot be written: {lost.reason}", file=sys.stderr)
        sys.exit(EXIT_REFUSED)
    except Exception:
        traceback.print_exc()
        sys.exit(EXIT_INTERNAL_ERROR)


def _print_refusal(refused: Refused) -> None:
    """The sentence for people; with --json also an object for programs, on standard output."""
    lines = refused.lines if isinstance(refused, MistakesRefused) else (refused.message,)
    for line in lines:
        print(f"headsup: {line}", file=sys.stderr)
    if "--json" in sys.argv[1:]:
        error = {"code": refused.code, "message": refused.message}
        try:
            print(json.dumps({"error": error}), flush=True)
        except UnwritableOutput:
            discard_output()
