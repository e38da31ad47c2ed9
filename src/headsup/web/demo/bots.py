"""Automatic players: ordinary clients that sit down, bet, and decide after a pause.

What they decide is given to them. They never look ahead of what their own seat is shown.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from headsup.game.round.commands import Check, Fold, PlaceBets, Raise
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import BuyIn, Command, Leave, Sit
from headsup.game.values.cards import parse_cards
from headsup.web.client import Client, Declined
from headsup.web.workers.strategist import Decider, LegalAction

BUY_IN_CENTS = 50_000  # cents
RETRY_SECONDS = 0.5  # after something that was refused
MAX_RAISE_ANTES = 3  # Antes; who could not raise any more buys in before the next bets


@dataclass(slots=True)
class Bot:
    """One automatic player at one seat. `refill` puts play money into an empty wallet."""

    client: Client
    table: str
    seat: int
    decide: Decider
    stakes: Mapping[Wager, int]
    refill: Callable[[], Awaitable[None]]
    pause: tuple[float, float]  # seconds to think, from and to
    may_bet: Callable[[], bool] = lambda: True  # whether it is polite to bet now
    leaving: bool = False
    _view: dict[str, Any] = field(default_factory=dict)
    _fresh: asyncio.Event = field(default_factory=asyncio.Event)
    _gone: bool = False

    async def play(self) -> None:
        """From sitting down, or the seat still held, until told to leave or cut off."""
        await self.client.watch(self.table, "rail")
        listening = asyncio.create_task(self._listen())
        try:
            await self._fresh.wait()
            if self._gone:
                return
            if self._view["players"].get(str(self.seat)) != self.client.name:
                await self.client.ask(self.table, Sit(self.seat, self.client.name))
            await self.client.watch(self.table, f"seat {self.seat}")
            while not self._gone:
                await self._fresh.wait()
                self._fresh.clear()
                try:
                    await self._act()
                except Declined:  # the moment has passed, or the server is busy: look again
                    await asyncio.sleep(RETRY_SECONDS)
                    self._fresh.set()
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    def wake(self) -> None:
        """Look again at what is due, once anything has been seen."""
        if self._view:
            self._fresh.set()

    def leave(self) -> None:
        """Finish the hand, then stand up."""
        self.leaving = True
        self.wake()

    async def _listen(self) -> None:
        async for news in self.client.news():
            self._view = news.view
            self._fresh.set()
        self._gone = True
        self._fresh.set()

    async def _act(self) -> None:
        """Think for a while, and do it only if it is still to be done."""
        command = self._due()
        if command is None:
            return
        low, high = self.pause
        await asyncio.sleep(random.uniform(low, high) / (1 if self._view.get("legal") else 2))
        if self._due() != command:
            self._fresh.set()
            return
        try:
            await self.client.ask(self.table, command)
        except Declined as turned:
            if turned.code != "wallet_short":
                raise
            await self.refill()
            self._fresh.set()
        if isinstance(command, Leave):
            self._gone = True

    def _due(self) -> Command | None:
        view = self._view
        if "chips" not in view:
            return None  # the seat's own view is on its way
        if legal := view.get("legal"):
            return self._decision(legal)
        round = view["round"]
        bet = round is not None and str(self.seat) in round["seats"]
        if bet and round["phase"] != "closed":
            return None
        if self.leaving:
            return Leave(self.seat)
        if (
            _cents(view["chips"])
            < sum(self.stakes.values()) + MAX_RAISE_ANTES * self.stakes[Wager.ANTE]
        ):
            return BuyIn(self.seat, BUY_IN_CENTS)
        if round is not None and round["phase"] == "betting" and self.may_bet():
            return PlaceBets(self.seat, self.stakes)
        return None

    def _decision(self, legal: list[LegalAction]) -> Raise | Check | Fold:
        round = self._view["round"]
        hole = parse_cards(round["seats"][str(self.seat)]["hole"])
        choice = self.decide(hole, parse_cards(round["board"]), legal)
        match choice["action"]:
            case "raise":
                return Raise(self.seat, choice["multiple"])
            case "check":
                return Check(self.seat)
            case _:
                return Fold(self.seat)


def _cents(amount: str) -> int:
    return int(amount.replace(".", ""))
