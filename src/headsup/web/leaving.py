"""Sockets of people who have logged out, on whichever server they did, or whose log-in has expired.

Where they log out, their sockets are closed at once; other servers are told so. Who was not heard
is found by looking.
"""

import asyncio

from headsup.house.accounts import Accounts
from headsup.web.log import log
from headsup.web.sockets import Sockets

LOOK_SECONDS = 10.0


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
