"""A31: the memory of a house does not grow with the number of rounds."""

import gc
from pathlib import Path

import pytest

from headsup.game.table.rounds import OpenRound
from headsup.house.floor import replay_buffer, request
from headsup.house.floor.replay_buffer import ReplayBuffer
from tests.support.databases import sqlite_database
from tests.support.house.houses import all_done, opened, with_wallets
from tests.support.scripted import scripted_commands

ROUNDS = 8
HELD = 60  # cached answers and entries; the caches are full after two rounds
FEW = 1_000  # tolerance in objects; five rounds that stay would be eight thousand


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.slow(seconds=5)
async def test_a31_memory_does_not_grow_with_the_number_of_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "MAX_CACHED_ANSWERS", HELD)
    monkeypatch.setattr(replay_buffer, "REPLAY_BUFFER_ENTRIES", HELD)
    script = scripted_commands(rounds=ROUNDS)
    starts = [at for at, one in enumerate(script) if isinstance(one.command, OpenRound)]
    database = sqlite_database(tmp_path / "house.db")
    with_wallets(database)
    async with opened(database) as (_, host):
        buffer, held = ReplayBuffer(host), []
        for start, end in zip([0, *starts], [*starts, len(script)], strict=True):
            await all_done(host, script[start:end])
            held.append(objects())
        assert len(buffer._updates) == HELD
        assert len(host._answers._recent) == HELD
    database.close()
    after_a_few, after_many = held[3], held[ROUNDS]
    assert abs(after_many - after_a_few) < FEW, held
