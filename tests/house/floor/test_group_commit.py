"""Group commit: who shares one, and who waits for nobody."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from headsup.game.record.chain import Head
from headsup.house.floor import group_commit
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.store.protocol import Append, AppendResult, Lease


def append_of(floor: str) -> Append:
    return Append(Lease(floor, "here", 1), Head(), (), "2026-01-31T12:00:00Z")


class Commits:
    def __init__(self) -> None:
        self.floors: list[list[str]] = []

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        self.floors.append([append.lease.floor for append in appends])
        return [AppendResult.KEPT] * len(appends)


async def test_what_floors_hand_over_while_others_are_kept_shares_a_commit() -> None:
    commits = Commits()
    shared = GroupCommit(commits.keep)

    async def keep_three(floor: str) -> None:
        for _ in range(3):
            await shared.keep(append_of(floor))

    floors = [f"floor {number}" for number in range(10)]
    await asyncio.gather(*map(keep_three, floors))
    assert commits.floors == [floors] * 3
    await shared.close()


async def test_a_floor_by_itself_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 3_600)
    commits = Commits()
    alone = GroupCommit(commits.keep)
    async with asyncio.timeout(60):
        for _ in range(3):
            await alone.turn("one")
            await alone.keep(append_of("one"))
    assert commits.floors == [["one"]] * 3
    await alone.close()


async def test_floors_take_their_turns_together_and_share_a_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also those who do not ask at the same moment."""
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0.5)
    commits, decided = Commits(), list[str]()
    shared = GroupCommit(commits.keep)

    async def decide(floor: str) -> None:
        await shared.turn(floor)
        decided.append(floor)
        await shared.keep(append_of(floor))

    floors = ["one", "two", "three"]
    await asyncio.gather(*(shared.keep(append_of(floor)) for floor in floors[:2]))
    deciding = []
    for floor in floors:
        deciding.append(asyncio.create_task(decide(floor)))
        await asyncio.sleep(0.001)
    await asyncio.gather(*deciding)
    assert commits.floors[1:] == [decided] == [floors]
    await shared.close()


async def test_a_turn_comes_when_what_others_decided_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0)
    go_on, kept = threading.Event(), list[str]()

    def keep(appends: Sequence[Append]) -> list[AppendResult]:
        go_on.wait(60)
        kept.extend(append.lease.floor for append in appends)
        return [AppendResult.KEPT] * len(appends)

    slow = GroupCommit(keep)
    first = asyncio.create_task(slow.keep(append_of("one")))
    await asyncio.sleep(0)
    turn = asyncio.create_task(slow.turn("two"))
    done, _ = await asyncio.wait([turn], timeout=0.05)
    assert not done
    go_on.set()
    async with asyncio.timeout(60):
        await turn
    assert kept == ["one"]
    await first
    await slow.close()


async def test_a_floor_that_ends_while_it_waits_for_its_turn_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0.5)
    commits = Commits()
    shared = GroupCommit(commits.keep)
    await asyncio.gather(*(shared.keep(append_of(floor)) for floor in ("one", "two")))
    leaving, staying = (asyncio.create_task(shared.turn(floor)) for floor in ("one", "two"))
    await asyncio.sleep(0)
    leaving.cancel()
    async with asyncio.timeout(60):
        await staying
    assert leaving.cancelled()
    await shared.close()
