"""A Raise takes the way through the program that ARCHITECTURE.md describes."""

import asyncio
import re
import sys
import threading
from pathlib import Path
from types import FrameType

import headsup
from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import CloseBets, DealCards, PlaceBets, Raise
from headsup.game.table.commands import Staff
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.floor.host import CommandRequest
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.tables import stakes
from tests.support.web.office import TABLE, office
from tests.support.web.wires import memory, settled

SOURCE = Path(headsup.__file__).parent
PAGE = Path(__file__).parents[3] / "ARCHITECTURE.md"
MAX_FILES = 30  # with those of the page, and without the rules


def is_maintenance() -> bool:
    """Whether the house looks after itself, which has nothing to do with the command."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # in another thread
        return False
    return task is not None and task.get_name() in ("house", "broken floors")


class Footprints:
    """The files of the house and the web whose functions are called while it is on."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.is_on = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_on and event == "call" and not is_maintenance():
            file = Path(frame.f_code.co_filename)
            if file.is_relative_to(SOURCE / "house") or file.is_relative_to(SOURCE / "web"):
                self.files.add(file.relative_to(SOURCE).as_posix())


async def walk(tmp_path: Path) -> set[str]:
    """Play to the first decision, and follow a Raise until its seat has the news."""
    seen = Footprints()
    threading.setprofile(seen)  # commits are made in a thread, which has to start afterwards
    try:
        async with office(tmp_path) as at:
            await at.does("Ann", Sit(1, "Ann"))
            await at.does("Ann", BuyIn(1, 100_000))
            sockets = Sockets(Metrics())
            async with memory(at, sockets, "Ann") as wire:
                wire.say(type="watch", table=TABLE, viewer="seat 1")
                await settled(lambda: '"type":"view"' in wire.sent[-1])
                await at.does("Dee", OpenRound())
                await at.does("Ann", PlaceBets(1, stakes()))
                await at.does("Dee", CloseBets())
                deal = DealCards(tuple(range(52)))
                await at.host.submit(CommandRequest("the deal", TABLE, Staff("dealer"), deal))
                sys.setprofile(seen)
                seen.is_on = True
                start, command = len(wire.sent), write_command(Raise(1, 3))
                wire.say(type="ask", id="the-raise", table=TABLE, command=command)
                await settled(lambda: any('"id":"the-raise"' in text for text in wire.sent))
                await settled(lambda: any('"type":"change"' in text for text in wire.sent[start:]))
                seen.is_on = False
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return seen.files


async def test_a_raise_passes_the_files_that_the_walk_names(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    section = text[text.index("## Walk 1") : text.index("## Walk 2")]
    named = set(re.findall(r"`((?:house|web)/[\w/]+\.py)`", section))
    page = set(re.findall(r"`[\w/]+\.js`", section))
    assert await walk(tmp_path) == named
    assert len(named | page) <= MAX_FILES
