"""A14 on the wire: every byte sent to six seats, the rail, the dealer and the display is searched
for cards its reader must not know, and for decisions that are still hidden.

`tests/game/views/test_leaks.py` works out from the events alone who may know what. Players send
commands through their own sockets, try to watch other seats, and lose and regain their connection.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest

from headsup.game.record.message_codec import write_command
from headsup.game.round.commands import Check, Raise
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.seating import BuyIn, Sit
from headsup.house.floor.host import FloorUpdate
from headsup.house.floor.request import Acceptance, CommandRequest
from headsup.web.live.sockets import Sockets
from headsup.web.server.operations import Metrics
from tests.support.secrets import (
    DECISIONS,
    LISTED,
    Secrets,
    Table,
    cards_in,
    choices,
    numbers_in,
    written_cards,
)
from tests.support.tables import BOOKS, opening
from tests.support.web.office import TABLE, Office, office
from tests.support.web.wires import Json, Memory, memory, settled

SEATS = (1, 2, 3, 4, 5, 6)
READERS = {
    **{f"seat {seat}": f"P{seat}" for seat in SEATS},
    "rail": "Ann",
    "dealer": "Dee",
    "tablevision": "Bob",
}
CHIPS = 100_000


class SixSeats(Table):
    """Random rounds of six players, who play on with the chips they have."""

    seats = SEATS
    viewers = tuple(READERS)


class Room:
    """A table in a house, with everybody who receives its messages."""

    def __init__(self, at: Office, wires: dict[str, Memory], book: str, choice: Json) -> None:
        self.at, self.wires, self.book, self.choice = at, wires, book, choice
        self.searched = 0
        self.happened: list[FloorUpdate] = []
        self.then: dict[int, Secrets] = {}  # what was known after each entry of the round
        at.host.subscribe(self.happened.append)

    async def round(self, random: Random) -> None:
        await self.fill_up()
        at = SixSeats(self.book, random, (self.at.host.journal.floor, self.choice))
        for _ in at.play():
            pass  # the commands of the round are in its script
        secrets, first = at.no_secrets(), self.index + 1
        self.happened.clear()
        self.then.clear()
        for by, command in at.script:
            await self.ask(by, command)
            for news in self.happened:
                for event in news.events:
                    secrets.see(event)
            self.happened.clear()
            self.then[self.index] = as_now(secrets)
            if random.random() < 0.05:
                await self.pry(random, first)
            await self.search(secrets)
        assert self.at.host.journal.floor == at.floor

    @property
    def index(self) -> int:
        return self.at.host.journal.head.count - 1

    async def fill_up(self) -> None:
        for seat in SEATS:
            if self.at.host.journal.floor.chips(TABLE, seat) < CHIPS:
                await self.ask(PlayerAt(seat), BuyIn(seat, CHIPS))
        await self.all_told()
        for wire in self.wires.values():
            wire.sent.clear()

    async def ask(self, by: Actor, command: Command) -> None:
        """Send a command: a player through their socket, the house directly."""
        if isinstance(by, PlayerAt):
            wire, id = self.wires[f"seat {by.seat}"], uuid4().hex
            before = len(wire.sent)
            wire.say(type="ask", id=id, table=TABLE, command=write_command(command))
            await settled(lambda: any(id in text for text in wire.sent[before:]))
            assert any(f'"reply","id":"{id}"' in text for text in wire.sent[before:])
        else:
            reply = await self.at.host.submit(CommandRequest(uuid4().hex, TABLE, by, command))
            assert isinstance(reply, Acceptance), reply

    async def pry(self, random: Random, first: int) -> None:
        """Send a command for another seat, watch a forbidden view, and reconnect."""
        viewer = random.choice(list(self.wires))
        wire = self.wires[viewer]
        before, seat = len(wire.sent), random.choice([s for s in SEATS if viewer != f"seat {s}"])
        for command in (Check(seat), Raise(seat, 3)):
            wire.say(type="ask", id=uuid4().hex, table=TABLE, command=write_command(command))
        wire.say(type="watch", table=TABLE, viewer=f"seat {seat}")
        after = random.choice([None, random.randint(first, self.index)])
        more = {} if after is None else {"after": after}
        wire.say(type="watch", table=TABLE, viewer=viewer, **more)

        def answered() -> bool:
            kinds = [json.loads(text)["type"] for text in wire.sent[before:]]
            return kinds.count("refusal") == 3 and "view" in kinds

        await settled(answered)

    async def all_told(self) -> None:
        """Wait until everybody has been sent everything: some are sent nothing of an entry."""
        for wire in self.wires.values():
            wire.say(type="ping")
        await settled(
            lambda: all(wire.sent and '"pong"' in wire.sent[-1] for wire in self.wires.values())
        )

    async def search(self, secrets: Secrets) -> None:
        await self.all_told()
        for viewer, wire in self.wires.items():
            for text in wire.sent:
                told = json.loads(text)
                search(told, viewer, self.then.get(told.get("index"), secrets))
                self.searched += 1
            wire.sent.clear()


def as_now(secrets: Secrets) -> Secrets:
    """A copy of what may be known now, which later events do not change."""
    return replace(
        secrets,
        known={viewer: {*cards} for viewer, cards in secrets.known.items()},
        stakes={**secrets.stakes},
        raised={**secrets.raised},
        folded={*secrets.folded},
        void={**secrets.void},
        acted={*secrets.acted},
    )


# The same for everybody, whatever is dealt; it may name cards and numbers.
NOT_SEARCHED = ("posted", "wagers", "tabulator", "table")
# Lists of seat numbers, or of places in a row of circles.
OF_SEATS = {"owing", "seats", "resolved", "places", "options", *Wager}


def search(message: Json, viewer: str, secrets: Secrets) -> None:
    """What was sent, without the parts that are the same for everybody."""
    held = {**message.get("parts", {}), **message.get("set", {})}
    parts = {name: part for name, part in held.items() if name not in NOT_SEARCHED}
    events = [*message.get("events", ()), *message.get("missed", ())]
    written = json.dumps([parts, events], ensure_ascii=False)
    if secrets.before:  # the deck of the previous round is public
        written = written.replace(secrets.before, "")
    assert secrets.opened or not secrets.seed or secrets.seed not in written, f"{viewer}: {written}"
    found = (cards_in(written) | written_cards(written)) - secrets.known[viewer]
    assert not found, f"{viewer} is sent {sorted(found)}: {written}"
    assert not LISTED.search(written) or set(numbers_in(parts)) <= OF_SEATS, written
    own = int(viewer[5:]) if viewer.startswith("seat") else 0
    for event in message.get("events", ()):
        if event["event"] in DECISIONS:
            assert secrets.decision(own, event["seat"]) != "hidden", written
    for seat, decided in hidden(parts) if secrets.begun else ():
        assert decided == secrets.decision(0, seat).split(" ")[0], f"{viewer}: {written}"
    if "you" in parts:
        assert parts["you"]["seat"] == own
    if '"reads":' in written:
        assert own, f"{viewer}: the hand that cards make so far"


def hidden(parts: Json) -> Iterator[tuple[int, str]]:
    """What everybody sees of each seat's decision."""
    for name, part in parts.items():
        if name.startswith("seat.") and part is not None and "decision" in part:
            yield int(name[5:]), part["decision"]["action"]


@asynccontextmanager
async def room(folder: Path, book: str, choice: Json) -> AsyncIterator[Room]:
    folder.mkdir()
    async with office(folder, opening(book, **choice)) as at, AsyncExitStack() as held:
        sockets = Sockets(Metrics())
        for seat in SEATS:
            await at.does(f"P{seat}", Sit(seat, f"P{seat}"))
        wires = {}
        for viewer, who in READERS.items():
            wires[viewer] = wire = await held.enter_async_context(memory(at, sockets, who))
            wire.say(type="watch", table=TABLE, viewer=viewer)
            await settled(lambda wire=wire: '"type":"view"' in wire.sent[-1])  # type: ignore[misc]
        yield Room(at, wires, book, choice)


async def no_leak(folder: Path, book: str, rounds: int) -> int:
    searched, played = 0, list(choices(book))
    for number, choice in enumerate(played):
        share = rounds // len(played) + (number < rounds % len(played))
        if share:
            async with room(folder / str(number), book, choice) as at:
                for i in range(share):
                    await at.round(Random(f"wire {book} {number} {i}"))
                searched += at.searched
    return searched


@pytest.mark.parametrize("book", BOOKS)
async def test_a14_no_byte_of_5_rounds_leaks(book: str, tmp_path: Path) -> None:
    """Six books: 30 rounds."""
    assert await no_leak(tmp_path, book, 5) > 5 * 9 * 8


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("book", BOOKS)
async def test_a14_no_byte_of_167_rounds_leaks(book: str, tmp_path: Path) -> None:
    """Six books: 1,002 rounds."""
    assert await no_leak(tmp_path, book, 167) > 167 * 9 * 8


def test_the_search_finds_a_card_and_a_decision() -> None:
    secrets = SixSeats("galaxy", Random(1)).no_secrets()
    secrets.stakes, secrets.street = {1: {}}, "pocket"
    for parts in (
        {"round": {"board": "As"}},
        {"deck": [1, 2]},
        {"seat.1": {"decision": {"action": "raise", "multiple": 3}}},
        {"seat.1": {"reads": {"name": "pair of aces"}}},
    ):
        with pytest.raises(AssertionError):
            search({"type": "change", "set": parts}, "rail", secrets)
    told = {"type": "change", "events": [{"event": "CardsDealt", "say": "the ace of spades"}]}
    with pytest.raises(AssertionError):
        search(told, "seat 2", secrets)
    search({"type": "change", "set": {"round": {"board": ""}}}, "seat 2", secrets)
