"""Automatic players: ordinary clients that sit down, bet, and decide after a pause.

A decider function chooses their play, from what their own seat's view shows and nothing else.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from headsup.game.round.commands import Check, Fold, PlaceBets, Raise
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Command
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.values.cards import parse_cards
from headsup.web.live.client import Client, Declined, Moment, Table
from headsup.web.workers.strategist import Decider, LegalAction

BUY_IN_CENTS = 50_000
RETRY_SECONDS = 0.5  # after a refusal
MAX_RAISE_ANTES = 3  # a player with too few chips left to raise this buys in again first


@dataclass(slots=True)
class Bot:
    """One automatic player at one seat. `refill` adds play money to an empty wallet."""

    client: Client
    table: str
    seat: int
    decide: Decider
    stakes: Mapping[Wager, int]
    refill: Callable[[], Awaitable[None]]
    think_seconds: tuple[float, float]  # shortest and longest
    may_bet: Callable[[], bool] = lambda: True  # false while people at the table should bet first
    leaving: bool = False
    _moment: Moment | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _ended: bool = False

    async def play(self) -> None:
        """Take the seat, unless it is still ours, and play until `leave` or the connection ends."""
        table = await self.client.watch(self.table, "rail")
        listening = asyncio.create_task(self._listen(table))
        try:
            await self._changed.wait()
            if self._ended:
                return
            players = self._moment.part("players") if self._moment else {}
            if players.get(str(self.seat)) != self.client.name:
                await self.client.ask(self.table, Sit(self.seat, self.client.name))
            await self.client.watch(self.table, f"seat {self.seat}")
            while not self._ended:
                await self._changed.wait()
                self._changed.clear()
                try:
                    await self._do_next()
                except Declined:  # too late, or the server is busy: try again
                    await asyncio.sleep(RETRY_SECONDS)
                    self._changed.set()
        finally:
            listening.cancel()
            await asyncio.wait([listening])

    def wake(self) -> None:
        """Check again what to do, once there is a view."""
        if self._moment is not None:
            self._changed.set()

    def leave(self) -> None:
        """Finish the hand, then stand up."""
        self.leaving = True
        self.wake()

    async def _listen(self, table: Table) -> None:
        async for moment in table.moments():
            self._moment = moment
            self._changed.set()
        self._ended = True
        self._changed.set()

    async def _do_next(self) -> None:
        """Think for a while, then submit the command if it is still the right one."""
        command = self._next_command()
        if command is None:
            return
        low, high = self.think_seconds
        await asyncio.sleep(random.uniform(low, high) / (1 if self._decisions() else 2))
        if self._next_command() != command:
            self._changed.set()
            return
        try:
            await self.client.ask(self.table, command)
        except Declined as declined:
            if declined.code != "wallet_short":
                raise
            await self.refill()
            self._changed.set()
        if isinstance(command, Leave):
            self._ended = True

    def _decisions(self) -> list[LegalAction]:
        """The decisions that the seat may make now."""
        items = self._moment.part("may") or [] if self._moment is not None else []
        names = {"Raise": "raise", "Check": "check", "Fold": "fold"}
        return [
            {"action": names[command["command"]], "multiple": command.get("multiple")}
            for command in (item["command"] for item in items)
            if command["command"] in names
        ]

    def _next_command(self) -> Command | None:
        moment = self._moment
        you = None if moment is None else moment.part("you")
        if moment is None or you is None:
            return None  # the view as a seat has not arrived yet
        if legal := self._decisions():
            return self._decision(moment, legal)
        round = moment.part("round")
        bet = moment.part(f"seat.{self.seat}") is not None
        if bet and round is not None and not round.get("over"):
            return None
        if self.leaving:
            return Leave(self.seat)
        if you["chips"] < sum(self.stakes.values()) + MAX_RAISE_ANTES * self.stakes[Wager.ANTE]:
            return BuyIn(self.seat, BUY_IN_CENTS)
        if moment.form("PlaceBets") and self.may_bet():
            return PlaceBets(self.seat, self.stakes)
        return None

    def _decision(self, moment: Moment, legal: list[LegalAction]) -> Raise | Check | Fold:
        hole, board = moment.part("you")["hole"], moment.part("round").get("board", "")
        choice = self.decide(parse_cards(hole), parse_cards(board), legal)
        match choice["action"]:
            case "raise":
                return Raise(self.seat, choice["multiple"])
            case "check":
                return Check(self.seat)
            case _:
                return Fold(self.seat)
