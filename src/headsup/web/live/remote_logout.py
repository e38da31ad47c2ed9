"""What happens on other servers and concerns the sockets here.

A socket ends with the log-in under which it was opened, and that of a display with its link, which
ends with the account: who logs out keeps what another log-in opened, who is locked keeps nothing.
Who watches the own seat from another server does so here no longer.
Servers tell one another. What was not heard, or has expired, is found by looking.
"""

import asyncio
from contextlib import suppress

from headsup.house.house import House
from headsup.house.people.accounts import Accounts
from headsup.house.store.signals import Signal
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log

LOGIN_CHECK_SECONDS = 10.0


def connect_signals(house: House, sockets: Sockets, leaving: asyncio.Event) -> None:
    """Tell the other servers who watches from which seat, and hear what they tell; `leaving` is
    set when it is to be looked who has left."""

    def seated(person: str, table: str, seat: int) -> None:
        house.tell(Signal.SEATED, f"{house.server} {person} {seat} {table}")

    def heard(signal: Signal, about: str) -> None:
        if signal is Signal.GONE:
            leaving.set()
            return
        server, person, seat, table = about.split(" ", 3)
        if server != house.server:
            sockets.give_up_seat(person, table, int(seat))

    sockets.on_seat, house.on_signal = seated, heard
    house.watch_attended(sockets.show_again)


async def close_ended_logins(sockets: Sockets, accounts: Accounts, leaving: asyncio.Event) -> None:
    """Until cancelled: at once when somebody is `leaving`, and now and then."""
    loop = asyncio.get_running_loop()
    accounts.on_end = lambda: loop.call_soon_threadsafe(leaving.set)
    try:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOGIN_CHECK_SECONDS):
                    await leaving.wait()
            leaving.clear()
            try:
                await _close_ended_once(sockets, accounts)
            except Exception as error:  # the next look tells
                log.warning("who has left is not known", kind=type(error).__name__)
    finally:
        accounts.on_end = lambda: None


async def _close_ended_once(sockets: Sockets, accounts: Accounts) -> None:
    if under := sockets.under():
        good = await asyncio.to_thread(accounts.still_good, under)
        sockets.close_under(under - good)
