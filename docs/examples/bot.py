"""A bot that bets the minimum and never raises, against `headsup serve --demo`."""

import asyncio

from headsup.game.round.commands import Check, Fold, PlaceBets
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import BuyIn
from headsup.web.live.client import Client, Declined


async def bot(address: str, table: str) -> None:
    async with Client.demo(address) as client:
        seat = await client.sit(table)
        await client.ask(table, BuyIn(seat, 50_000))
        await client.watch(table, f"seat {seat}")
        done = None  # acts once per moment: its own commands come back as news, too
        async for news in client.news():
            round = news.view["round"] or {"number": 0, "phase": ""}
            moment = round["number"], round["phase"]
            actions = [choice["action"] for choice in news.view.get("legal", ())]
            if moment == done or not (actions or round["phase"] == "betting"):
                continue
            done = moment
            bets = PlaceBets(seat, {Wager.ANTE: 500, Wager.ODDS: 500})
            decision = Check(seat) if "check" in actions else Fold(seat)
            try:
                await client.ask(table, decision if actions else bets)
            except Declined as declined:  # too late, or out of chips
                print(declined)
    print("closed:", client.closed)


if __name__ == "__main__":
    asyncio.run(bot("http://127.0.0.1:8433", "Galaxy"))
