"""Solve a rule book's game in a process of its own, and keep the strategy where a server finds it.

`python -m headsup.web.workers.solving galaxy new-york`: compiling takes half a minute the first
time and every core's attention; the tables in the parent process go on undisturbed.
"""

import os
import sys
from contextlib import suppress

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.analysis.solver.strategy import load_or_solve
from headsup.game.rulebook.table_rules import table_rules


def main(books: list[str]) -> None:
    with suppress(AttributeError, OSError):  # only where there is such a thing
        os.nice(10)
    for book in books:
        load_or_solve(compile_payoffs(table_rules(book)), solve)
        print(book, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
