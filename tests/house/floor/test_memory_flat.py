"""A31: what a house holds in memory does not grow with what was played: the log is in the store."""

import gc
from pathlib import Path

import pytest

from headsup.game.table.commands import OpenRound
from headsup.house.floor import replay_buffer, request
from headsup.house.floor.replay_buffer import ReplayBuffer
from tests.databases import in_a_file
from tests.house.houses import all_done, opened, with_wallets
from tests.scripted import evening

ROUNDS = 8
HELD = 60  # answers and entries, instead of thousands: all are there after two rounds
FEW = 1_000  # objects that come and go beside it; five rounds that stay are eight thousand


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


async def test_a31_a_house_holds_as_much_after_many_rounds_as_after_a_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "MAX_CACHED_ANSWERS", HELD)
    monkeypatch.setattr(replay_buffer, "REPLAY_BUFFER_ENTRIES", HELD)
    script = evening(rounds=ROUNDS)
    starts = [at for at, one in enumerate(script) if isinstance(one.command, OpenRound)]
    database = in_a_file(tmp_path / "house.db")
    with_wallets(database)
    async with opened(database) as (_, host):
        kept, held = ReplayBuffer(host), []
        for start, end in zip([0, *starts], [*starts, len(script)], strict=True):
            await all_done(host, script[start:end])
            held.append(objects())
        assert len(kept._kept) == HELD
        assert len(host._answers._recent) == HELD
    database.close()
    after_a_few, after_many = held[3], held[ROUNDS]
    assert abs(after_many - after_a_few) < FEW, held
