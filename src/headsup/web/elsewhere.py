"""What happens on other servers and concerns the sockets here.

Who logs out, there or here, holds no socket any more; who watches the own seat from there does so
here no longer. Servers tell one another. A log-out that was not heard, or a log-in that has
expired, is found by looking.
"""

import asyncio

from headsup.house.accounts import Accounts
from headsup.house.house import House
from headsup.house.store.signals import Signal
from headsup.web.log import log
from headsup.web.sockets import Sockets

LOOK_SECONDS = 10.0


def join(house: House, sockets: Sockets) -> None:
    """Tell the other servers who watches from which seat, and hear what they tell."""

    def seated(person: str, table: str, seat: int) -> None:
        house.tell(Signal.SEATED, f"{house.server} {person} {seat} {table}")

    def heard(signal: Signal, about: str) -> None:
        if signal is Signal.GONE:
            sockets.close_person(about)
            return
        server, person, seat, table = about.split(" ", 3)
        if server != house.server:
            sockets.give_up_seat(person, table, int(seat))

    sockets.on_seat, house.on_signal = seated, heard
    house.watch_attended(sockets.show_again)


async def close_who_left(sockets: Sockets, accounts: Accounts) -> None:
    """Until cancelled."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        people = sockets.people()
        if not people:
            continue
        try:
            here = await asyncio.to_thread(accounts.still_in, people)
        except Exception as error:  # the next look tells
            log.warning("who has left is not known", kind=type(error).__name__)
            continue
        for person in people - here:
            sockets.close_person(person)
