"""Automatic players: ordinary clients that sit down, bet, and decide after a pause.

What they decide is given to them: the solved strategy once it is there, a plain rule until then.
"""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from headsup.game.cards import parse_cards
from headsup.game.round.commands import Check, Fold, PlaceBets, Raise
from headsup.game.table.commands import BuyIn, Sit
from headsup.game.wagers import Wager
from headsup.web.client import Client, News, Turned

NAMES = ("Robin", "Sasha", "Kim", "Noor", "Alex")
Decide = Callable[[tuple[int, ...], tuple[int, ...], list[dict[str, Any]]], dict[str, Any]]


def by_rule(
    hole: tuple[int, ...], board: tuple[int, ...], legal: list[dict[str, Any]]
) -> dict[str, Any]:
    """Raise with a pair or an ace; else check, and call it a day on the river with nothing."""
    ranks = [card >> 2 for card in hole]
    shown = {card >> 2 for card in board}
    good = ranks[0] == ranks[1] or 12 in ranks or bool(shown & set(ranks))
    raises = [choice for choice in legal if choice["action"] == "raise"]
    others = [choice for choice in legal if choice["action"] != "raise"]
    return raises[-1] if raises and (good or not others) else others[0]


@dataclass(slots=True)
class Bot:
    """One automatic player at one seat."""

    client: Client
    table: str
    seat: int
    decide: Decide
    stakes: dict[Wager, int]
    pause: tuple[float, float] = (0.7, 2.4)

    async def play(self) -> None:
        await self.client.ask(self.table, Sit(self.seat, self.client.name))
        await self.client.ask(self.table, BuyIn(self.seat, 50_000))
        await self.client.watch(self.table, f"seat {self.seat}")
        async for news in self.client.news():
            with suppress(Turned):  # the moment has passed; the next news says what is now
                await self._answer(news)

    async def _answer(self, news: News) -> None:
        round = news.view.get("round")
        if round is None:
            return
        own = round["seats"].get(str(self.seat))
        if round["phase"] == "betting" and own is None:
            await asyncio.sleep(random.uniform(*self.pause) / 2)
            await self.client.ask(self.table, PlaceBets(self.seat, self.stakes))
        elif legal := news.view.get("legal"):
            await asyncio.sleep(random.uniform(*self.pause))
            choice = self.decide(parse_cards(own["hole"]), parse_cards(round["board"]), legal)
            await self.client.ask(self.table, self._command(choice))

    def _command(self, choice: dict[str, Any]) -> Raise | Check | Fold:
        match choice["action"]:
            case "raise":
                return Raise(self.seat, choice["multiple"])
            case "check":
                return Check(self.seat)
            case _:
                return Fold(self.seat)


async def run_bot(
    address: str, table: str, seat: int, stakes: dict[Wager, int], decide: Decide
) -> None:
    """A guest at this seat, again and again: out of chips it comes back with new ones."""
    while True:
        with suppress(Turned, OSError):
            async with Client.demo(address) as client:
                await Bot(client, table, seat, decide, stakes).play()
        await asyncio.sleep(2)
