"""Solves rule books in a process of its own and stores the strategies in the cache.

Run as `python -m headsup.web.workers.solving galaxy new-york`. Compiling takes half a minute the
first time and loads every core; in a separate process it does not disturb the server's tables.
"""

import os
import sys
from contextlib import suppress

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.analysis.solver.strategy import load_or_solve
from headsup.game.rulebook.table_rules import table_rules


def main(books: list[str]) -> None:
    with suppress(AttributeError, OSError):  # not available on every platform
        os.nice(10)
    for book in books:
        load_or_solve(compile_payoffs(table_rules(book)), solve)
        print(book, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
