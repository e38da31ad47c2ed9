"""Decides for automatic players: by the solved strategy, or by a simple rule until there is one.

Those of the printed games come with the program. Others come from the cache, or the solver's
process stores them there. If it cannot write to the cache, the simple rule stays in use.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.strategy import Strategy
from headsup.analysis.workbench import Workbench
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.values.cards import ACE
from headsup.game.values.str_enum import TextEnum
from headsup.house.log import short_traceback
from headsup.web.server.log import log
from headsup.web.workers.hand_values import NoAnswer, store_strategy
from headsup.web.workers.solver import Solver

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

    def __init__(self, books: Sequence[str], solver: Solver) -> None:
        self._books, self._solver = tuple(books), solver
        self._strategies: dict[str, Strategy] = {}
        self._task: asyncio.Task[None] | None = None
        self._coach: asyncio.Task[None] | None = None
        self.skill = Skill.NOT_ASKED

    def warm_up(self) -> None:
        if self._task is None:
            self.skill = Skill.WARMING_UP
            self._task = asyncio.create_task(self._solve(), name="strategist")

    def start_coach(self) -> None:
        """Start the solver's process, so that the coach's first answer does not wait for it."""
        if self._coach is None:
            self._coach = asyncio.create_task(self._ask_once(), name="coach")

    async def _ask_once(self) -> None:
        with suppress(NoAnswer):  # the coach says so himself
            await self._solver.ask(store_strategy, self._books[0])

    async def stop(self) -> None:
        tasks = [task for task in (self._task, self._coach) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

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
            for book in self._books:
                if not await asyncio.to_thread(self._load, book):
                    await self._solver.ask(store_strategy, book)
                    await asyncio.to_thread(self._load, book)
        except Exception as error:
            log.error(
                "solving the strategies failed",
                kind=type(error).__name__,
                at=short_traceback(error),
            )
        is_solved = len(self._strategies) == len(self._books)
        self.skill = Skill.SOLVED if is_solved else Skill.PLAIN

    def _load(self, book: str) -> bool:
        """Load the book's strategy if it need not be computed."""
        strategy = Workbench().stored_strategy(compile_payoffs(table_rules(book)))
        if strategy is not None:
            self._strategies[book] = strategy
        return strategy is not None


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
