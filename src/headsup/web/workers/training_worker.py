"""Values hands in a process of its own: one line of JSON per request, one per answer.

Run as `python -m headsup.web.workers.training_worker`. The solver compiles for half a minute the
first time and loads every core for seconds; in a separate process it does not disturb the server's
tables. The worker knows only rules and the cards of a question. It ends when its input closes.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from threading import Lock
from typing import Any

from headsup.analysis.advice.advice import ActionValue, Advice, pocket_advice
from headsup.analysis.kernels.base.numbering import RANKS, pocket_class
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.solution import chart_names
from headsup.analysis.solver.solver import solve
from headsup.analysis.solver.strategy import load_or_solve
from headsup.analysis.training.kinds import Kind
from headsup.analysis.training.questions import new_question
from headsup.analysis.training.valuer import Valuer
from headsup.game.refusal import Refused
from headsup.game.rulebook.table_rules import RulesChoice, TableRules, rules_from_choice
from headsup.game.rulebook.wagers import SIDE_WAGERS, Street, Wager
from headsup.game.values.cards import RANKS as RANK_NAMES
from headsup.game.values.cards import format_cards, parse_cards
from headsup.game.values.frozen_json import FrozenJson

THREADS = 2  # so that a hand under known rules need not wait while another game is solved
_Line = dict[str, Any]


class _Worker:
    def __init__(self) -> None:
        self._valuer = Valuer(lambda payoffs: load_or_solve(payoffs, solve))
        self._write_lock = Lock()

    def run(self) -> None:
        with ThreadPoolExecutor(THREADS) as threads:
            for line in sys.stdin:
                threads.submit(self._answer, json.loads(line))

    def _answer(self, request: _Line) -> None:
        try:
            answer = self._compute(request)
        except Refused as refused:
            answer = {"refused": refused.message}
        except Exception as error:  # the client learns only that it failed
            print(f"training: {type(error).__name__}: {error}", file=sys.stderr)
            answer = {"refused": ""}
        with self._write_lock:
            print(json.dumps({"id": request["id"], **answer}), flush=True)

    def _compute(self, request: _Line) -> _Line:
        rules, riding = _read_rules(request["rules"]), Fraction(request["riding"])
        match request["ask"]:
            case "advice":
                cards = (parse_cards(request[name]) for name in ("hole", "board", "seen"))
                hole, board, seen = cards
                advice = self._valuer.advice(rules, hole, board, seen, riding)
                key = self._valuer.game(rules, riding).key
                return {"advice": write_advice(advice), "game": key}
            case "chart":
                return {"chart": self._chart(rules)}
            case "question":
                return self._question(rules, request)
            case "edges":
                return {"edges": self._edges(rules)}
            case other:
                raise ValueError(other)

    def _question(self, rules: TableRules, request: _Line) -> _Line:
        game = self._valuer.game(rules)
        street = Street(request["street"]) if request["street"] else None
        kind = Kind(request["kind"]) if request["kind"] else None
        question = new_question(game, request["seed"], street, kind)
        if question is None:
            return {"question": None, "game": game.key}
        cards = {"hole": format_cards(question.hole), "board": format_cards(question.board)}
        return {"question": cards, "advice": write_advice(question.advice), "game": game.key}

    def _edges(self, rules: TableRules) -> _Line:
        """House edge and variance per dollar, by wager.

        A pool's money is not the house's, so its meter counts as empty.
        """
        solution = self._valuer.game(rules).strategy.solution
        sides = {wager: side_sheet(rules, wager, 0) for wager in SIDE_WAGERS if rules.offers(wager)}
        edges = {Wager.ANTE.value: (solution.house_edge, solution.variance)}
        edges |= {wager.value: (sheet.house_edge, sheet.variance) for wager, sheet in sides.items()}
        return {name: [str(edge), str(variance)] for name, (edge, variance) in edges.items()}

    def _chart(self, rules: TableRules) -> list[_Line]:
        """The 169 pocket hands, row by row, aces first and suited hands above the diagonal."""
        strategy = self._valuer.game(rules).strategy
        return [
            {
                "name": name,
                "hands": strategy.pocket(_cards_of(name)).hands,
                **write_advice(pocket_advice(strategy, _cards_of(name))),
            }
            for row in chart_names()
            for name in row
        ]


def _cards_of(name: str) -> tuple[int, int]:
    """Two cards of a pocket hand such as AKs."""
    high, low = (RANK_NAMES.index(rank) for rank in name[:2])
    hole = (high << 2, (low << 2) + (not name.endswith("s")))
    if pocket_class(*hole) >= RANKS * RANKS:
        raise ValueError(name)
    return hole


def _read_rules(raw: _Line) -> TableRules:
    return rules_from_choice(
        RulesChoice(
            raw["rules"],
            tuple((key, id) for key, id in raw["paytables"]),
            FrozenJson(raw["options"]),
            tuple((key, outcome, pay) for key, outcome, pay in raw["cells"]),
        )
    )


def write_advice(advice: Advice) -> _Line:
    chances = (advice.win, advice.tie, advice.lose)
    return {
        "street": advice.street,
        "values": [[item.action, item.multiple, str(item.ev)] for item in advice.values],
        "chances": [None if chance is None else str(chance) for chance in chances],
    }


def read_advice(raw: _Line) -> Advice:
    values = (ActionValue(action, multiple, Fraction(ev)) for action, multiple, ev in raw["values"])
    chances = (None if chance is None else Fraction(chance) for chance in raw["chances"])
    return Advice(raw["street"], tuple(values), *chances)


def main() -> None:
    with suppress(AttributeError, OSError):  # not available on every platform
        os.nice(10)
    _Worker().run()


if __name__ == "__main__":
    main()
