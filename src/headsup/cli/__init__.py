"""The command line. Each command has its own file and imports heavy modules only when it runs."""

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

EXIT_INTERNAL_ERROR = 70  # EX_SOFTWARE; Python's default of 1 means a broken log here
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE, as shells report it

# Most objects live until the command ends. Collecting after every 700, Python's default, takes a
# tenth of a short command's time and finds nothing.
OBJECTS_BEFORE_COLLECTING = 10_000


def main() -> None:
    """Run a command. A refusal prints one sentence on standard error and exits with status 2."""
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
