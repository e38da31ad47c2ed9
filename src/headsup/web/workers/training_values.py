"""Asking for values without waiting on the event loop: one worker process for all of a server.

It is started by the first question and ended with the server. What was worked out is held for a
while, so that asking again costs nothing.
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

MAX_CACHED_ANSWERS = 2_000  # answers
MAX_LINE_BYTES = 4 << 20  # bytes of an answer; a chart has some 60,000


class ValuesUnavailable(RuntimeError):
    """They cannot be had: the rules cannot be solved, or the worker is gone."""


@dataclass(frozen=True, slots=True)
class ChartCell:
    name: str
    hands: int
    advice: Advice


@dataclass(frozen=True, slots=True)
class GameAdvice:
    """Advice, and what names the game that it is for."""

    advice: Advice
    game: str


@dataclass(frozen=True, slots=True)
class PracticeHand:
    hole: Cards
    board: Cards
    asked: GameAdvice


class ValueClient:
    """Answers are tasks: who does not want to wait looks again later."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, asyncio.Task[dict[str, Any]]] = OrderedDict()
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._reading: asyncio.Task[None] | None = None
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
        texts = {name: format_cards(held) for name, held in cards.items()}
        answer = await self._asked({"ask": "advice", **texts, **_write_rules(rules, riding)})
        return GameAdvice(read_advice(answer["advice"]), answer["game"])

    async def chart(self, rules: RulesChoice) -> list[ChartCell]:
        answer = await self._asked({"ask": "chart", **_write_rules(rules)})
        return [
            ChartCell(cell["name"], cell["hands"], read_advice(cell)) for cell in answer["chart"]
        ]

    async def edges(self, rules: RulesChoice) -> dict[Wager, tuple[Fraction, Fraction]]:
        """By wager: the house's edge, and the variance, of one dollar; the Ante's are of the
        whole main game."""
        answer = await self._asked({"ask": "edges", **_write_rules(rules)})
        return {
            Wager(name): (Fraction(edge), Fraction(variance))
            for name, (edge, variance) in answer["edges"].items()
        }

    async def question(
        self, rules: RulesChoice, seed: int, street: Street | None, kind: Kind | None
    ) -> PracticeHand:
        """A close decision, the same for the same seed."""
        wanted = {"seed": seed, "street": street or "", "kind": kind or ""}
        answer = await self._asked({"ask": "question", **wanted, **_write_rules(rules)})
        found = answer["question"]
        if found is None:
            raise ValuesUnavailable("no such decision comes up")
        cards = parse_cards(found["hole"]), parse_cards(found["board"])
        return PracticeHand(*cards, GameAdvice(read_advice(answer["advice"]), answer["game"]))

    async def _asked(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The answer, held or new; who stops waiting does not stop the work."""
        key = json.dumps(asked, sort_keys=True)
        task = self._held.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._held[key] = asyncio.create_task(self._ask(asked), name="training")
            task.add_done_callback(_consume_exception)
            if len(self._held) > MAX_CACHED_ANSWERS:
                self._held.popitem(last=False)
        self._held.move_to_end(key)
        return await asyncio.shield(task)

    async def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        process = await self._running()
        self._number += 1
        answer = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = answer
        if process.stdin is None:
            raise ValuesUnavailable("no worker")
        process.stdin.write(json.dumps({"id": self._number, **asked}).encode() + b"\n")
        try:
            await process.stdin.drain()
            answered: dict[str, Any] = await answer
        except ConnectionError as error:
            raise ValuesUnavailable("the worker is gone") from error
        if "refused" in answered:
            raise ValuesUnavailable(answered["refused"] or "there is no answer")
        return answered

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "headsup.web.workers.training_worker",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    limit=MAX_LINE_BYTES,
                    start_new_session=True,  # the keyboard's Ctrl-C is the server's to hear
                )
                self._reading = asyncio.create_task(self._read(self._process), name="values")
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        try:
            while process.stdout is not None and (line := await process.stdout.readline()):
                answer = json.loads(line)
                waiting = self._waiting.pop(answer["id"], None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
        except ValueError as error:
            log.error("an answer cannot be read", kind=type(error).__name__)
        if process.returncode is None:
            process.kill()
        waiting_for, self._waiting = self._waiting, {}
        for one in waiting_for.values():
            if not one.done():
                one.set_exception(ValuesUnavailable("the worker is gone"))

    async def stop(self) -> None:
        """End the worker, whatever it is at; who waits is told that nothing comes."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._reading is not None:
            await asyncio.wait([self._reading])
        tasks = [task for task in self._held.values() if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def _consume_exception(task: "asyncio.Task[dict[str, Any]]") -> None:
    """That it failed is told to who asks; nobody may be left to."""
    if not task.cancelled():
        task.exception()


def _write_rules(rules: RulesChoice, riding: Fraction = Fraction(0)) -> dict[str, Any]:
    written = {
        "rules": rules.rules,
        "paytables": [list(pair) for pair in rules.paytables],
        "options": rules.options.plain(),
        "cells": [list(cell) for cell in rules.cells],
    }
    return {"rules": written, "riding": str(riding)}


def shipped_rules(book: str) -> RulesChoice:
    """A rule book as it is printed."""
    return RulesChoice(book, (), NO_OPTIONS)
