"""The process that computes for a server; `solver` has its client.

Run as `python -m headsup.web.workers.solver_process`. Compiling loads every core for half a minute
the first time, and solving for seconds. Here that disturbs no table. The process knows only what it
is asked: rules, and the cards of a question. It ends when its input ends.
"""

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Any

from headsup.game.refusal import Refused
from headsup.web.workers.hand_values import NoAnswer

LENGTH_BYTES = 8  # before each answer


def main() -> None:
    with suppress(AttributeError, OSError):  # not available on every platform
        os.nice(10)
    output, writing = os.fdopen(os.dup(sys.stdout.fileno()), "wb"), Lock()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # for whatever libraries print

    def answer(number: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        content = _answer(number, function, arguments)
        with writing:
            output.write(len(content).to_bytes(LENGTH_BYTES) + content)
            output.flush()

    with suppress(EOFError):
        while True:
            Thread(target=answer, args=pickle.load(sys.stdin.buffer), daemon=True).start()


def _answer(number: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The result, or why there is none."""
    try:
        return pickle.dumps((number, function(*arguments), ""))
    except (Refused, NoAnswer) as refused:
        return pickle.dumps((number, None, str(refused)))
    except Exception as error:  # the client learns only that it failed
        print(f"solver: {type(error).__name__}: {error}", file=sys.stderr)
        return pickle.dumps((number, None, "the values could not be computed"))


if __name__ == "__main__":
    main()
