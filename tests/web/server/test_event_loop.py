"""How the process of a server runs."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from headsup.web.server import event_loop


class Ring:
    """Holds itself, so that only a search finds that nobody else does."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    switch = sys.getswitchinterval()
    yield
    sys.setswitchinterval(switch)
    gc.unfreeze()
    gc.enable()


async def found(lost: "weakref.ref[Ring]") -> None:
    async with asyncio.timeout(60):
        while lost() is not None:
            await asyncio.sleep(0.005)


async def test_what_goes_round_in_circles_is_looked_for_now_and_then_and_never_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_loop, "GC_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(event_loop, "GC_COLLECT_SECONDS", 0.02)
    event_loop.tune_gc()
    assert not gc.isenabled()
    for _ in range(2):
        lost = weakref.ref(Ring())
        assert lost() is not None
        await found(lost)


async def test_it_is_looked_for_sooner_where_much_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_loop, "GC_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(event_loop, "MAX_UNFREED_OBJECTS", 20_000)
    event_loop.tune_gc()
    lost = weakref.ref(Ring())
    held: list[list[int]] = [[] for _ in range(30_000)]
    await found(lost)
    assert len(held) == 30_000
