"""What happens on other servers and concerns the sockets here.

Who logs out or is locked, there or here, holds no socket any more, and neither do the displays of
a link that has ended with the account; who watches the own seat from there does so here no longer.
Servers tell one another. What was not heard, or has expired, is found by looking.
"""

import asyncio
from contextlib import suppress

from headsup.house.accounts import Accounts
from headsup.house.house import House
from headsup.house.store.signals import Signal
from headsup.web.log import log
from headsup.web.sockets import Sockets

LOOK_SECONDS = 10.0


def join(house: House, sockets: Sockets, leaving: asyncio.Event) -> None:
    """Tell the other servers who watches from which seat, and hear what they tell; `leaving` is
    set when it is to be looked who has left."""

    def seated(person: str, table: str, seat: int) -> None:
        house.tell(Signal.SEATED, f"{house.server} {person} {seat} {table}")

    def heard(signal: Signal, about: str) -> None:
        if signal is Signal.GONE:
            sockets.close_person(about)
            leaving.set()
            return
        server, person, seat, table = about.split(" ", 3)
        if server != house.server:
            sockets.give_up_seat(person, table, int(seat))

    sockets.on_seat, house.on_signal = seated, heard
    house.watch_attended(sockets.show_again)


async def close_who_left(sockets: Sockets, accounts: Accounts, leaving: asyncio.Event) -> None:
    """Until cancelled: at once when somebody is `leaving`, and now and then."""
    loop = asyncio.get_running_loop()
    accounts.on_end = lambda: loop.call_soon_threadsafe(leaving.set)
    try:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await leaving.wait()
            leaving.clear()
            try:
                await _close_who_left(sockets, accounts)
            except Exception as error:  # the next look tells
                log.warning("who has left is not known", kind=type(error).__name__)
    finally:
        accounts.on_end = lambda: None


async def _close_who_left(sockets: Sockets, accounts: Accounts) -> None:
    if people := sockets.people():
        here = await asyncio.to_thread(accounts.still_in, people)
        for person in people - here:
            sockets.close_person(person)
    if makers := sockets.displays():
        shown = await asyncio.to_thread(accounts.still_in, makers, displays=True)
        for maker in makers - shown:
            sockets.close_displays(maker)
