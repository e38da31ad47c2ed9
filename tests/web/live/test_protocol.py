"""The protocol agrees with its reference page, its schemas and the bot in the docs."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.game.record.message_codec import read_command, write_command
from headsup.game.refusal import Refused
from headsup.game.round.commands import Check
from headsup.tools.protocol_reference import example, message_examples, reference_page
from headsup.web.demo.tables import DEMO_TABLES, is_automatic
from headsup.web.live.client import Client, Declined
from headsup.web.live.examples import EXAMPLES
from headsup.web.live.protocol import CLIENT_MESSAGE_ADAPTER, ClientMessage, Message, ServerMessage
from headsup.web.live.schemas import command_schema, commands_schema
from headsup.web.server.security import MESSAGE_BURST
from tests.support.web.live_server import QUICK, Live, demonstration, live

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "protocol-reference.md"
BOT = (DOCS / "examples" / "bot.py").read_text(encoding="utf-8")
SCHEMA = jsonschema.Draft202012Validator(commands_schema())


def test_the_reference_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(), "run `make protocol`"


@pytest.mark.parametrize("kind", [*get_args(ClientMessage), *get_args(ServerMessage)])
def test_there_is_an_example_of_every_message(kind: type[Message]) -> None:
    shown = example(kind)
    assert kind.model_validate_json(shown.model_dump_json(by_alias=True)) == shown
    assert len(message_examples()) == len(get_args(ClientMessage)) + len(get_args(ServerMessage))


@pytest.mark.parametrize("kind", get_args(ClientMessage))
def test_every_client_message_is_recognized_by_its_type(kind: type[Message]) -> None:
    assert CLIENT_MESSAGE_ADAPTER.validate_json(
        example(kind).model_dump_json(by_alias=True)
    ) == example(kind)


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda command: type(command).__name__)
def test_every_example_fits_its_schema_and_can_be_read(command: Any) -> None:
    written = write_command(command)
    SCHEMA.validate(written)
    assert read_command(written) == command
    jsonschema.Draft202012Validator(command_schema(type(command))).validate(written)


CHANGES: tuple[Any, ...] = (
    None,
    True,
    1.5,
    -1,
    2**63,
    "x",
    "\0",
    [],
    {},
    [1],
    {"a": 1},
    "AsAs",
    float("nan"),
)


@given(st.sampled_from(EXAMPLES), st.data())
def test_schema_and_reader_accept_the_same_commands(command: Any, data: st.DataObject) -> None:
    """Change, drop or add one thing: either both accept it or neither."""
    written = write_command(command)
    key = data.draw(st.sampled_from([*written, "more"]))
    if data.draw(st.booleans()):
        written.pop(key, None)
    else:
        written[key] = data.draw(st.sampled_from(CHANGES))
    try:
        read_command(written)
        readable = True
    except Refused:
        readable = False
    assert SCHEMA.is_valid(written) == readable, written


async def test_the_bot_of_the_docs_takes_a_free_seat_and_bets_once_a_round(
    tmp_path: Path,
) -> None:
    """Automatic players are there already and bet at the same time, so updates can be older than
    its own last command."""
    assert BOT in (DOCS / "protocol.md").read_text(encoding="utf-8")
    code: dict[str, Any] = {"__name__": "the docs"}
    exec(compile(BOT, "docs/examples/bot.py", "exec"), code)
    unhurried = replace(
        QUICK, close=0.8
    )  # so that four messages per round stay within the rate limit
    async with demonstration(tmp_path, unhurried) as server, Client.demo(server.address) as looks:
        await looks.watch("Galaxy", "rail")
        async with asyncio.timeout(60):
            while len(players := seated(server, "Galaxy")) < 2:
                await server.happens("Galaxy")
            playing = asyncio.create_task(code["bot"](server.address, "Galaxy"))
            while not (bots := seated(server, "Galaxy", guests=True)):
                await server.happens("Galaxy")
            (seat,) = bots
            assert seat not in players
            while sum(map(among_others, settled := rounds_of(server, "Galaxy", seat))) < 3:
                assert not playing.done(), playing.exception()
                await server.happens("Galaxy")
        playing.cancel()
        await asyncio.wait([playing])
    assert [seats.count(seat) for seats in settled] == [1] * len(settled)


def seated(server: Live, table: str, guests: bool = False) -> set[int]:
    at = server.house.table(table)
    assert at is not None
    return {seat for seat, name in at.players.items() if not guests or not is_automatic(name)}


def among_others(seats: list[int]) -> bool:
    return len({*seats}) > 1


def rounds_of(server: Live, table: str, seat: int) -> list[list[int]]:
    """The seats that bet in each settled round that the bot played."""
    rounds: list[list[int]] = []
    betting: list[int] = []
    for _, text in server.house.database.entry_texts(table):
        for event in json.loads(text).get("events", ()):
            match event["event"]:
                case "RoundOpened":
                    betting = []
                case "BetsPlaced":
                    betting.append(event["seat"])
                case "RoundSettled" if seat in betting:
                    rounds.append(betting)
    return rounds


async def test_the_client_reports_why_the_server_closed_its_socket(tmp_path: Path) -> None:
    async with live(tmp_path) as server, Client.demo(server.address) as client:
        many = (client.ask("none", Check(1)) for _ in range(2 * MESSAGE_BURST))
        async with asyncio.timeout(60):
            answers = await asyncio.gather(*many, return_exceptions=True)
        assert "the server closed the connection: too_many" in {str(one) for one in answers}
        assert client.closed == "too_many"
        for asking in (client.ask("none", Check(1)), client.watch("none", "rail")):
            with pytest.raises(Declined, match="too_many") as turned:
                await asking
            assert turned.value.code == "connection_lost"


def test_the_bot_of_the_docs_goes_to_a_table_that_exists() -> None:
    assert "Galaxy" in {table.id for table in DEMO_TABLES}
    lines = BOT.partition("async def bot")[2].partition("\n\n\n")[0].splitlines()
    assert len(lines) <= 20
