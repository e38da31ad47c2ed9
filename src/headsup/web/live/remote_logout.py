"""Closes sockets whose log-in ended, here or on another server.

A socket ends with the log-in that opened it: logging out closes only that log-in's sockets,
locking an account closes them all. A display's socket ends with its link, and that with the
account that made it. Servers notify each other; a check every ten seconds catches missed
notifications and expired log-ins.
"""

import asyncio
from contextlib import suppress

from headsup.house.people.accounts import Accounts
from headsup.web.live.sockets import Sockets
from headsup.web.server.log import log

LOGIN_CHECK_SECONDS = 10.0


async def close_ended_logins(
    sockets: Sockets, accounts: Accounts, login_ended: asyncio.Event
) -> None:
    """Run until cancelled: check when `login_ended` is set, and every LOGIN_CHECK_SECONDS."""
    loop = asyncio.get_running_loop()
    accounts.on_session_end = lambda: loop.call_soon_threadsafe(login_ended.set)
    try:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOGIN_CHECK_SECONDS):
                    await login_ended.wait()
            login_ended.clear()
            try:
                await _close_ended_once(sockets, accounts)
            except Exception as error:  # the next check tries again
                log.warning("checking ended log-ins failed", kind=type(error).__name__)
    finally:
        accounts.on_session_end = lambda: None


async def _close_ended_once(sockets: Sockets, accounts: Accounts) -> None:
    if login_keys := sockets.login_keys():
        valid = await asyncio.to_thread(accounts.live_tokens, login_keys)
        sockets.close_logins(login_keys - valid)
