"""Group commit: who shares one, and who waits for nobody."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from headsup.game.record.chain import Head
from headsup.house import keeper
from headsup.house.keeper import Keeper
from headsup.house.store.protocol import Append, Kept, Lease, StoreLost


def append_of(floor: str) -> Append:
    return Append(Lease(floor, "here", 1), Head(), (), "2026-01-31T12:00:00Z")


class Commits:
    def __init__(self) -> None:
        self.floors: list[list[str]] = []

    def keep(self, appends: Sequence[Append]) -> list[Kept]:
        self.floors.append([append.lease.floor for append in appends])
        return [Kept.KEPT] * len(appends)


async def test_what_floors_hand_over_while_others_are_kept_shares_a_commit() -> None:
    commits = Commits()
    shared = Keeper(commits.keep)

    async def keep_three(floor: str) -> None:
        for _ in range(3):
            await shared.keep(append_of(floor))

    floors = [f"floor {number}" for number in range(10)]
    await asyncio.gather(*map(keep_three, floors))
    assert commits.floors == [floors] * 3
    await shared.close()


async def test_a_floor_by_itself_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "GATHER_SECONDS", 3_600)
    commits = Commits()
    alone = Keeper(commits.keep)
    async with asyncio.timeout(60):
        for _ in range(3):
            await alone.keep(append_of("one"))
    assert commits.floors == [["one"]] * 3
    await alone.close()


async def test_a_store_that_does_not_answer_is_lost_and_nobody_waits_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeper, "ANSWER_SECONDS", 0.05)
    answers, commits = threading.Event(), Commits()

    def keep(appends: Sequence[Append]) -> list[Kept]:
        if appends[0].lease.floor == "silent":
            answers.wait(60)
        return commits.keep(appends)

    one = Keeper(keep)
    with pytest.raises(StoreLost, match="does not answer"):
        await one.keep(append_of("silent"))
    assert await one.keep(append_of("next")) is Kept.KEPT
    assert commits.floors == [["next"]]
    answers.set()
    await one.close()
