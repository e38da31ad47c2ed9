"""A2: a repeated command is carried out once, however often and from wherever it is sent."""

import asyncio
from pathlib import Path
from random import Random

from headsup.game.table.commands import Command
from headsup.game.table.seating import BuyIn, CashOut, Sit
from headsup.web.live.protocol import RefusalMessage, ReplyMessage
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.web.office import RICH, Office, office
from tests.support.web.wires import memory, settled

COMMANDS = 200


async def first_time(at: Office) -> dict[str, tuple[Command, int]]:
    """Each command with its id and the entry it led to."""
    await at.does("Ann", Sit(1, "Ann"))
    done: dict[str, tuple[Command, int]] = {}
    for number in range(COMMANDS):
        command = CashOut(1, number) if number % 3 == 2 else BuyIn(1, 1_000 + number)
        answer = await at.ask("Ann", command, id=f"command-{number}")
        assert isinstance(answer, ReplyMessage), answer
        done[answer.id] = command, answer.index
    return done


async def again(at: Office, id: str, command: Command, index: int, wallet: int) -> None:
    """The answer is the first one again, with what the wallet holds now."""
    answer = await at.ask("Ann", command, id=id)
    assert answer == ReplyMessage(type="reply", id=id, index=index, wallet=wallet)


async def test_a2_ten_thousand_duplicates_add_no_entry(tmp_path: Path) -> None:
    random = Random(2)
    async with office(tmp_path) as at:
        done = await first_time(at)
        head, wallet = at.host.journal.head, at.house.database.wallet("Ann")
        assert wallet < RICH
        ids = random.choices(list(done), k=10_000)
        for start in range(0, len(ids), 500):  # in batches
            await asyncio.gather(
                *(again(at, id, *done[id], wallet) for id in ids[start : start + 500])
            )
        assert (at.host.journal.head, at.house.database.wallet("Ann")) == (head, wallet)
        assert at.house.database.head("T1") == head
    async with office(tmp_path) as at:  # restarted, with nothing in memory
        for id in random.sample(list(done), 50):
            await again(at, id, *done[id], wallet)
            await again(at, id, *done[id], wallet)
        assert at.house.database.head("T1") == head
        assert at.house.database.wallet("Ann") == wallet


async def test_a2_the_same_id_with_other_content_is_always_refused(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        done = await first_time(at)
        head = at.host.journal.head

        async def other(id: str) -> None:
            for who, command in (("Ann", BuyIn(1, 7)), ("Bob", Sit(2, "Bob"))):
                answer = await at.ask(who, command, id=id)
                assert isinstance(answer, RefusalMessage)
                assert answer.code == "id_used"

        for id in done:
            await other(id)
        assert at.host.journal.head == head
    async with office(tmp_path) as at:
        for id in list(done)[:20]:
            answer = await at.ask("Ann", BuyIn(1, 7), id=id)
            assert isinstance(answer, RefusalMessage)
            assert answer.code == "id_used"
        assert at.host.journal.head == head


async def test_a2_the_same_command_from_two_sockets_at_once_is_done_once(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        sockets = Sockets(Metrics())
        async with memory(at, sockets, "Ann") as one, memory(at, sockets, "Ann") as two:
            command = {"command": "Sit", "seat": 1, "player": "Ann"}
            for wire in (one, two, one, two):
                wire.say(type="ask", id="the-same-id", table="T1", command=command)
            await settled(lambda: len(one.sent) == len(two.sent) == 3)
            answers = [*one.messages[1:], *two.messages[1:]]
            assert answers == [{"type": "reply", "id": "the-same-id", "index": 2}] * 4
            assert at.host.journal.head.count == 3
