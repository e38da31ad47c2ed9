"""A dealer at a table who only presses the key for the next step."""

from typing import Any

import httpx

from headsup.game.table.seating import BuyIn, Sit
from tests.support.web.office import TABLE, Office

URL = f"/api/tables/{TABLE}/due"


class Dealer:
    """A dealer who only presses the key for the next step."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http, self.pressed = http, 0

    async def due(self) -> dict[str, Any]:
        answer = await self.http.get(URL)
        assert answer.status_code == 200, answer.text
        shown: dict[str, Any] = answer.json()
        return shown

    async def press(self) -> str:
        """Do the step that is due, and return it."""
        due = await self.due()
        self.pressed += 1
        answer = await self.http.post(
            URL, json={"id": f"press-of-key-{self.pressed}", "key": due["key"]}
        )
        assert answer.status_code == 200, answer.text
        return str(due["step"])


async def seated(at: Office, *seats: int) -> None:
    for seat in seats:
        await at.does(f"P{seat}", Sit(seat, f"P{seat}"))
        await at.does(f"P{seat}", BuyIn(seat, 50_000))
