"""The server's client for the training worker, which values hands in a separate process.

The worker starts with the first request and is killed when the server stops. Answers are cached,
so asking again costs nothing.
"""

import asyncio
import json
import sys
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headsup.analysis.advice.advice import Advice
from headsup.analysis.training.kinds import Kind
from headsup.game.rulebook.table_rules import RulesChoice
from headsup.game.rulebook.wagers import Street, Wager
from headsup.game.values.cards import Cards, format_cards, parse_cards
from headsup.game.values.frozen_json import NO_OPTIONS
from headsup.web.server.log import log
from headsup.web.workers.training_worker import read_advice

MAX_CACHED_ANSWERS = 2_000
MAX_LINE_BYTES = 4 << 20  # of one answer; a chart has some 60,000


class ValuesUnavailable(RuntimeError):
    """No values: the rules cannot be solved, or the worker has died."""


@dataclass(frozen=True, slots=True)
class ChartCell:
    name: str
    hands: int
    advice: Advice


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """Advice, with the key of the game it is for."""

    advice: Advice
    game: str


@dataclass(frozen=True, slots=True)
class PracticeHand:
    hole: Cards
    board: Cards
    game_advice: GameAdvice


class ValueClient:
    """Asks the worker. Cancelling a call does not stop the work; a later call gets its answer."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, asyncio.Task[dict[str, Any]]] = OrderedDict()
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._start_lock = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None
        self._number = 0

    async def advice(
        self,
        rules: RulesChoice,
        hole: Cards,
        board: Cards,
        seen: Cards = (),
        riding: Fraction = Fraction(0),
    ) -> GameAdvice:
        cards = {"hole": hole, "board": board, "seen": seen}
        texts = {name: format_cards(dealt) for name, dealt in cards.items()}
        answer = await self._cached_answer(
            {"ask": "advice", **texts, **_write_rules(rules, riding)}
        )
        return GameAdvice(read_advice(answer["advice"]), answer["game"])

    async def chart(self, rules: RulesChoice) -> list[ChartCell]:
        answer = await self._cached_answer({"ask": "chart", **_write_rules(rules)})
        return [
            ChartCell(cell["name"], cell["hands"], read_advice(cell)) for cell in answer["chart"]
        ]

    async def edges(self, rules: RulesChoice) -> dict[Wager, tuple[Fraction, Fraction]]:
        """House edge and variance per dollar, by wager; the Ante's are for the whole main game."""
        answer = await self._cached_answer({"ask": "edges", **_write_rules(rules)})
        return {
            Wager(name): (Fraction(edge), Fraction(variance))
            for name, (edge, variance) in answer["edges"].items()
        }

    async def question(
        self, rules: RulesChoice, seed: int, street: Street | None, kind: Kind | None
    ) -> PracticeHand:
        """A close decision, the same for the same seed."""
        filters = {"seed": seed, "street": street or "", "kind": kind or ""}
        answer = await self._cached_answer({"ask": "question", **filters, **_write_rules(rules)})
        question = answer["question"]
        if question is None:
            raise ValuesUnavailable("no such decision was found")
        cards = parse_cards(question["hole"]), parse_cards(question["board"])
        return PracticeHand(*cards, GameAdvice(read_advice(answer["advice"]), answer["game"]))

    async def _cached_answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, cached or new. A failed request is tried again."""
        key = json.dumps(request, sort_keys=True)
        task = self._answers.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._answers[key] = asyncio.create_task(self._request(request), name="training")
            task.add_done_callback(_consume_exception)
            if len(self._answers) > MAX_CACHED_ANSWERS:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        return await asyncio.shield(task)

    async def _request(self, request: Mapping[str, Any]) -> dict[str, Any]:
        process = await self._ensure_process()
        self._number += 1
        answer = asyncio.get_running_loop().create_future()
        self._pending[self._number] = answer
        if process.stdin is None:
            raise ValuesUnavailable("the worker process did not start")
        process.stdin.write(json.dumps({"id": self._number, **request}).encode() + b"\n")
        try:
            await process.stdin.drain()
            result: dict[str, Any] = await answer
        except ConnectionError as error:
            raise ValuesUnavailable("the worker process has died") from error
        if "refused" in result:
            raise ValuesUnavailable(result["refused"] or "the values could not be computed")
        return result

    async def _ensure_process(self) -> asyncio.subprocess.Process:
        async with self._start_lock:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "headsup.web.workers.training_worker",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=MAX_LINE_BYTES,
                    start_new_session=True,  # Ctrl-C at the terminal must not reach it
                )
                self._reader = asyncio.create_task(self._read(self._process), name="values")
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        try:
            while process.stdout is not None and (line := await process.stdout.readline()):
                answer = json.loads(line)
                future = self._pending.pop(answer["id"], None)
                if future is not None and not future.done():
                    future.set_result(answer)
        except ValueError as error:
            log.error("unreadable answer from the training worker", kind=type(error).__name__)
        if process.returncode is None:
            process.kill()
        pending, self._pending = self._pending, {}
        for future in pending.values():
            if not future.done():
                future.set_exception(ValuesUnavailable("the worker process has died"))

    async def stop(self) -> None:
        """Kill the worker; open requests fail."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._reader is not None:
            await asyncio.wait([self._reader])
        tasks = [task for task in self._answers.values() if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def _consume_exception(task: "asyncio.Task[dict[str, Any]]") -> None:
    """Callers get the exception; without one, asyncio would log it as never retrieved."""
    if not task.cancelled():
        task.exception()


def _write_rules(rules: RulesChoice, riding: Fraction = Fraction(0)) -> dict[str, Any]:
    choice = {
        "rules": rules.rules,
        "paytables": [list(pair) for pair in rules.paytables],
        "options": rules.options.to_dict(),
        "cells": [list(cell) for cell in rules.cells],
    }
    return {"rules": choice, "riding": str(riding)}


def shipped_rules(book: str) -> RulesChoice:
    """The choice of a shipped rule book as printed."""
    return RulesChoice(book, (), NO_OPTIONS)
