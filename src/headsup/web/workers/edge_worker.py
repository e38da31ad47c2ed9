"""The house edge of every choice of a table: `python -m headsup.web.workers.edge_worker`, a process
of its own.

On standard input is one choice, a JSON object with `rules`, `paytables` and `options`; the argument
is the part that is wanted, `sides` or `main`. Each line on standard output is the edge of the table
with one paytable changed. Side wagers come at once, the main game when it is solved.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from headsup.analysis.par.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.web.workers.edge_parts import MAIN_PAYTABLES, EdgePart

MAIN_GAME_KEY = "main"

EdgeLine = tuple[str, str, str | None]  # key, paytable and edge; no edge where the cells are open


def side_edges(choice: dict[str, Any]) -> Iterator[EdgeLine]:
    """A progressive has an edge only at a seed."""
    own = table_rules(choice["rules"])
    seeded = "meter_seed" in choice["options"] or own.meter_seed
    for wager in SIDE_WAGERS:
        for id in own.book.paytables.get(wager.value, ()):
            unseeded = wager is Wager.PROGRESSIVE and not seeded
            rules = None if unseeded else _rules_with(choice, wager.value, id)
            yield wager.value, id, None if rules is None else percent(_side(rules, wager))


def main_edges(choice: dict[str, Any]) -> Iterator[EdgeLine]:
    """Every choice of the table; a choice that cannot be made as it is has no edge yet."""
    book = table_rules(choice["rules"]).book
    chosen = [
        (key, id, _rules_with(choice, key, id))
        for key in MAIN_PAYTABLES
        for id in book.paytables.get(key, ())
    ]
    chosen.append((MAIN_GAME_KEY, "", _rules_with(choice, "", "")))
    payoffs = {(key, id): compile_payoffs(rules) for key, id, rules in chosen if rules is not None}
    different = list(dict.fromkeys(payoffs.values()))
    solved = dict(zip(different, solve_many(different), strict=True))
    for key, id, _ in chosen:
        found = payoffs.get((key, id))
        yield key, id, None if found is None else percent(solved[found].house_edge)


def _rules_with(choice: dict[str, Any], key: str, id: str) -> TableRules | None:
    paytables = {**choice["paytables"], **({key: id} if key else {})}
    try:
        return table_rules(choice["rules"], paytables, choice["options"])
    except Refused:
        return None


def _side(rules: TableRules, wager: Wager) -> Fraction:
    return side_sheet(rules, wager, rules.meter_seed).house_edge


def main() -> None:
    with suppress(AttributeError, OSError):  # only where there is such a thing
        os.nice(10)
    edges = side_edges if sys.argv[1] == EdgePart.SIDES else main_edges
    for key, id, edge in edges(json.load(sys.stdin)):
        print(json.dumps({"key": key, "id": id, "edge": edge}), flush=True)


if __name__ == "__main__":
    main()
