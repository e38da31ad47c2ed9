"""Group commit: which floors share a commit, and which wait for nobody."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from headsup.game.record.chain import Head
from headsup.house.floor import group_commit
from headsup.house.floor.group_commit import GroupCommit
from headsup.house.store.protocol import Append, AppendResult, Lease


def append_of(floor: str) -> Append:
    return Append(Lease(floor, "here", 1), Head(), ())


class Commits:
    def __init__(self) -> None:
        self.floors: list[list[str]] = []

    def keep(self, appends: Sequence[Append]) -> list[AppendResult]:
        self.floors.append([append.lease.floor for append in appends])
        return [AppendResult.STORED] * len(appends)


async def test_appends_handed_over_during_a_commit_share_the_next() -> None:
    commits = Commits()
    shared = GroupCommit(commits.keep)

    async def keep_three(floor: str) -> None:
        for _ in range(3):
            await shared.commit(append_of(floor))

    floors = [f"floor {number}" for number in range(10)]
    await asyncio.gather(*map(keep_three, floors))
    assert commits.floors == [floors] * 3
    await shared.close()


async def test_a_single_floor_commits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 3_600)
    commits = Commits()
    alone = GroupCommit(commits.keep)
    async with asyncio.timeout(60):
        for _ in range(3):
            await alone.wait_turn("one")
            await alone.commit(append_of("one"))
    assert commits.floors == [["one"]] * 3
    await alone.close()


async def test_floors_take_their_turns_together_and_share_a_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Including floors whose commands do not come at the same moment."""
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0.5)
    commits, decided = Commits(), list[str]()
    shared = GroupCommit(commits.keep)

    async def decide(floor: str) -> None:
        await shared.wait_turn(floor)
        decided.append(floor)
        await shared.commit(append_of(floor))

    floors = ["one", "two", "three"]
    await asyncio.gather(*(shared.commit(append_of(floor)) for floor in floors[:2]))
    deciding = []
    for floor in floors:
        deciding.append(asyncio.create_task(decide(floor)))
        await asyncio.sleep(0.001)
    await asyncio.gather(*deciding)
    assert commits.floors[1:] == [decided] == [floors]
    await shared.close()


async def test_a_turn_comes_once_earlier_decisions_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0)
    go_on, stored = threading.Event(), list[str]()

    def keep(appends: Sequence[Append]) -> list[AppendResult]:
        go_on.wait(60)
        stored.extend(append.lease.floor for append in appends)
        return [AppendResult.STORED] * len(appends)

    slow = GroupCommit(keep)
    first = asyncio.create_task(slow.commit(append_of("one")))
    await asyncio.sleep(0)
    turn = asyncio.create_task(slow.wait_turn("two"))
    done, _ = await asyncio.wait([turn], timeout=0.05)
    assert not done
    go_on.set()
    async with asyncio.timeout(60):
        await turn
    assert stored == ["one"]
    await first
    await slow.close()


async def test_a_floor_that_stops_while_waiting_for_its_turn_blocks_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_INTERVAL_SECONDS", 0.5)
    commits = Commits()
    shared = GroupCommit(commits.keep)
    await asyncio.gather(*(shared.commit(append_of(floor)) for floor in ("one", "two")))
    leaving, staying = (asyncio.create_task(shared.wait_turn(floor)) for floor in ("one", "two"))
    await asyncio.sleep(0)
    leaving.cancel()
    async with asyncio.timeout(60):
        await staying
    assert leaving.cancelled()
    await shared.close()
