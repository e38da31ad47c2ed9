"""A bot that bets the minimum and never raises, against `headsup serve --demo`."""

import asyncio

from headsup.web.live.client import Client, Declined


async def bot(address: str, table_name: str) -> None:
    async with Client.demo(address) as client:
        table = await client.sit(table_name, buy_in=50_000)
        async for moment in table.moments():
            try:
                if bets := moment.form("PlaceBets"):
                    await table.do(bets, stakes={"ante": 500, "odds": 500})
                elif choice := moment.may("Check") or moment.may("Fold"):
                    await table.do(choice)
            except Declined as declined:  # too late, or out of chips
                print(declined)
    print("closed:", client.closed)


if __name__ == "__main__":
    asyncio.run(bot("http://127.0.0.1:8433", "Galaxy"))
