"""The server process: event loop and garbage collection."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from headsup.web.server import process as event_loop


class Ring:
    """An object that refers to itself, so that only the garbage collector frees it."""

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


async def test_cycles_are_collected_now_and_then_and_never_between(
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


async def test_cycles_are_collected_sooner_when_many_objects_were_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_loop, "GC_CHECK_SECONDS", 0.01)
    monkeypatch.setattr(event_loop, "MAX_UNFREED_OBJECTS", 20_000)
    event_loop.tune_gc()
    lost = weakref.ref(Ring())
    held: list[list[int]] = [[] for _ in range(30_000)]
    await found(lost)
    assert len(held) == 30_000
