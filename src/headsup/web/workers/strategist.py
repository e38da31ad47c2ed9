"""Decides for automatic players: by the solved strategy, or by a simple rule until there is one.

Strategies come from the cache if they are there. Otherwise a separate process solves them, and is
killed when the server stops. If it cannot write to the cache, the simple rule stays in use.
"""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.payoffs import Payoffs
from headsup.analysis.solver.solution import Solution
from headsup.analysis.solver.strategy import Strategy, load_or_solve
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import ACE
from headsup.game.values.str_enum import TextEnum
from headsup.house.log import short_traceback
from headsup.web.server.log import log

LegalAction = dict[str, Any]  # as in a view's `legal`
Decider = Callable[[Sequence[int], Sequence[int], list[LegalAction]], LegalAction]


class Skill(TextEnum):
    """How well the automatic players play."""

    NOT_ASKED = "not_asked"
    WARMING_UP = "warming_up"
    SOLVED = "solved"
    PLAIN = "plain"


class Strategist:
    """Serves all tables of a server. `warm_up` may be called repeatedly; it solves once."""

    def __init__(self, books: Sequence[str]) -> None:
        self._books = tuple(books)
        self._strategies: dict[str, Strategy] = {}
        self._task: asyncio.Task[None] | None = None
        self.skill = Skill.NOT_ASKED

    def warm_up(self) -> None:
        if self._task is None:
            self.skill = Skill.WARMING_UP
            self._task = asyncio.create_task(self._solve(), name="strategist")

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def decider_for(self, book: str) -> Decider:
        """A decider under this rule book; it plays better once the strategy has been solved."""

        def decide(
            hole: Sequence[int], board: Sequence[int], legal: list[LegalAction]
        ) -> LegalAction:
            strategy = self._strategies.get(book)
            if strategy is None:
                return decide_by_rule(hole, board, legal)
            return decide_by_strategy(strategy, hole, board, legal)

        return decide

    async def _solve(self) -> None:
        try:
            missing = await asyncio.to_thread(self._load_strategies)
            if missing:
                await _solve_in_process(missing)
                missing = await asyncio.to_thread(self._load_strategies)
        except Exception as error:
            log.error(
                "solving the strategies failed",
                kind=type(error).__name__,
                at=short_traceback(error),
            )
            self.skill = Skill.PLAIN
        else:
            self.skill = Skill.PLAIN if missing else Skill.SOLVED

    def _load_strategies(self) -> list[str]:
        """Load the strategies in the cache. Returns the books without one."""
        for book in self._books:
            if book not in self._strategies:
                with suppress(_NotSolved):
                    payoffs = compile_payoffs(table_rules(book))
                    self._strategies[book] = load_or_solve(payoffs, _refuse_to_solve)
        return [book for book in self._books if book not in self._strategies]


class _NotSolved(Exception):
    """This game has no strategy in the cache."""


def _refuse_to_solve(_payoffs: Payoffs) -> Solution:
    raise _NotSolved


async def _solve_in_process(books: Sequence[str]) -> None:
    """Run the solver. It is killed with this task, and Ctrl-C at the terminal does not reach it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "headsup.web.workers.solving",
        *books,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def decide_by_strategy(
    strategy: Strategy, hole: Sequence[int], board: Sequence[int], legal: list[LegalAction]
) -> LegalAction:
    """The best play, or the largest Raise the chips allow."""
    match len(board):
        case 0:
            multiple = strategy.pocket(hole).best
        case 3:
            multiple = strategy.on_flop(hole, board)
        case _:
            multiple = strategy.on_river(hole, board)
    raises = {choice["multiple"]: choice for choice in legal if choice["action"] == "raise"}
    others = [choice for choice in legal if choice["action"] != "raise"]
    if raises and (multiple or not others):
        return raises.get(multiple) or raises[max(raises)]
    return others[0]


def decide_by_rule(
    hole: Sequence[int], board: Sequence[int], legal: list[LegalAction]
) -> LegalAction:
    """Raise with a pair or an ace; otherwise check, or fold on the river."""
    ranks = {card >> 2 for card in hole}
    good = len(ranks) == 1 or ACE in ranks or bool(ranks & {card >> 2 for card in board})
    raises = [choice for choice in legal if choice["action"] == "raise"]
    others = [choice for choice in legal if choice["action"] != "raise"]
    return raises[-1] if raises and (good or not others) else others[0]
