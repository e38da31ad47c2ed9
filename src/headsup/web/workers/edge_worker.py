"""Computes house edges for the set-up form, in a process of its own.

Run as `python -m headsup.web.workers.edge_worker sides` or `main`. Standard input is one choice, a
JSON object with `rules`, `paytables` and `options`. Each line of output is the edge of that table
with one paytable changed. Side wagers come at once, the main game when it is solved.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve_many
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import TableRules, table_rules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.web.workers.edge_parts import MAIN_PAYTABLES, EdgePart

MAIN_GAME_KEY = "main"

EdgeLine = tuple[str, str, str | None]  # key, paytable id, edge; None if cells are open


def side_edges(choice: dict[str, Any]) -> Iterator[EdgeLine]:
    """The edge of every side paytable; a progressive has one only with a meter seed."""
    printed = table_rules(choice["rules"])
    seeded = "meter_seed" in choice["options"] or printed.meter_seed
    for wager in SIDE_WAGERS:
        for id in printed.book.paytables.get(wager.value, ()):
            unseeded = wager is Wager.PROGRESSIVE and not seeded
            rules = None if unseeded else _rules_with(choice, wager.value, id)
            yield wager.value, id, None if rules is None else percent(_side_edge(rules, wager))


def main_edges(choice: dict[str, Any]) -> Iterator[EdgeLine]:
    """The edge of the main game with every paytable; None for choices that are incomplete."""
    book = table_rules(choice["rules"]).book
    variants = [
        (key, id, _rules_with(choice, key, id))
        for key in MAIN_PAYTABLES
        for id in book.paytables.get(key, ())
    ]
    variants.append((MAIN_GAME_KEY, "", _rules_with(choice, "", "")))
    payoffs = {
        (key, id): compile_payoffs(rules) for key, id, rules in variants if rules is not None
    }
    distinct = list(dict.fromkeys(payoffs.values()))
    solved = dict(zip(distinct, solve_many(distinct), strict=True))
    for key, id, _ in variants:
        game = payoffs.get((key, id))
        yield key, id, None if game is None else percent(solved[game].house_edge)


def _rules_with(choice: dict[str, Any], key: str, id: str) -> TableRules | None:
    paytables = {**choice["paytables"], **({key: id} if key else {})}
    try:
        return table_rules(choice["rules"], paytables, choice["options"])
    except Refused:
        return None


def _side_edge(rules: TableRules, wager: Wager) -> Fraction:
    return side_sheet(rules, wager, rules.meter_seed).house_edge


def main() -> None:
    with suppress(AttributeError, OSError):  # not available on every platform
        os.nice(10)
    edges = side_edges if sys.argv[1] == EdgePart.SIDES else main_edges
    for key, id, edge in edges(json.load(sys.stdin)):
        print(json.dumps({"key": key, "id": id, "edge": edge}), flush=True)


if __name__ == "__main__":
    main()
