"""Seeds that are missing or were altered in the database: nothing is dealt from them."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from uuid import uuid4

import pytest
from sqlalchemy import delete, select, update

from headsup.game.round.commands import CloseBets, PlaceBets, Proceed
from headsup.game.round.state import Phase
from headsup.game.table.commands import Actor, Command, PlayerAt
from headsup.game.table.opening import CloseTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.sealed_shuffles import OpenShuffle, ReportLostSeal, SealShuffle
from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.table.state import DealingMode, Table
from headsup.house.audit.house import audit_house
from headsup.house.dealing.dealer import Dealers
from headsup.house.fairness.lost_seals import prepare_seal
from headsup.house.fairness.sealed_shuffles import LostSeal, SealFault, fresh_secret
from headsup.house.floor.decide import HOUSE
from headsup.house.floor.host import Acceptance, CommandRequest
from headsup.house.house import House
from headsup.house.store.database import Database
from headsup.house.store.projection_rows import IncidentKind
from headsup.house.store.schema import INCIDENTS, SECRETS
from headsup.web.server.operations import Metrics
from tests.support.house.houses import FLOOR, opened, started, with_wallets
from tests.support.tables import POOL_LEAVES, STAFF, irregularity_report, opening, stakes
from tests.support.web.live_server import QUICK

TWO = ("Dee", "Sue")
IS_SEAL = SECRETS.c.name.like("seal %")


def table(house: House) -> Table:
    found = house.table("T1")
    assert found is not None
    return found


async def does(house: House, *commands: Command, by: Actor = STAFF) -> None:
    for command in commands:
        reply = await house.submit(CommandRequest(uuid4().hex, "T1", by, command))
        assert isinstance(reply, Acceptance), (command, reply)


async def seal(house: House) -> None:
    made = await house.sealer_of("T1").seal_next(table(house))
    await does(house, SealShuffle(made.commitment))


async def closed_bets(database: Database) -> None:
    """A house that stopped after the bets and before the deal."""
    async with opened(database) as (house, host):
        opens = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
        request = CommandRequest(uuid4().hex, "T1", STAFF, opens)
        assert isinstance(await host.submit(request), Acceptance)
        with_wallets(database)
        await does(house, Sit(1, "P1"), BuyIn(1, 50_000), by=PlayerAt(1))
        await seal(house)
        await does(house, OpenRound())
        await does(house, PlaceBets(1, stakes()), by=PlayerAt(1))
        await does(house, CloseBets())


def alter(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(update(SECRETS).where(IS_SEAL), {"secret": fresh_secret()})


def shorten(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(update(SECRETS).where(IS_SEAL), {"secret": b""})


def remove(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(delete(SECRETS).where(IS_SEAL))


def incidents(database: Database, kind: IncidentKind) -> list[dict[str, object]]:
    row = INCIDENTS.c
    with database.read_connection() as connection:
        query = select(row.what).where(row.kind == kind.value, row.table == "T1")
        return [json.loads(text) for text in connection.execute(query).scalars()]


@asynccontextmanager
async def dealt(house: House) -> AsyncIterator[None]:
    """With the house's automatic dealers."""
    dealers = Dealers(house, QUICK)
    dealers.start()
    try:
        yield
    finally:
        await dealers.stop()


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("damage", "fault", "kind"),
    [
        (alter, SealFault.ALTERED, IncidentKind.DATA_CHANGED),
        (shorten, SealFault.ALTERED, IncidentKind.DATA_CHANGED),
        (remove, SealFault.MISSING, IncidentKind.DATA_LOSS),
    ],
)
async def test_a_seed_changed_while_the_server_is_down_deals_nothing(
    database: Database,
    damage: Callable[[Database], None],
    fault: SealFault,
    kind: IncidentKind,
) -> None:
    await closed_bets(database)
    assert audit_house(database, {}).holds
    damage(database)
    assert not audit_house(database, {}).holds
    async with started(database) as house, dealt(house):
        await until(lambda: bool(house.dealing_modes.pause_reason("T1")))
        sealed, mode = table(house).sealed, house.dealing_modes.get("T1")
        assert sealed is not None
        with pytest.raises(LostSeal) as caught:
            await house.sealer_of("T1").current_seal(table(house))
        assert caught.value.fault is fault
        assert mode == DealingMode(caught.value.sentence, by_hand=True)
        round = table(house).round
        assert round is not None
        assert (round.phase, round.deck) == (Phase.NO_MORE_BETS, ())
        (told,) = incidents(database, kind)
        assert (told["why"], told["commitment"]) == (caught.value.sentence, sealed.commitment)
        assert told["round"] == 1
        metrics = Metrics()
        metrics.update(house)
        assert metrics.registry.get_sample_value("headsup_seals_lost") == 1

        await does(house, irregularity_report("foul_deck"))
        while table(house).is_playing:
            await does(house, Proceed(), by=HOUSE)
        await does(house, ReportLostSeal("the database was altered", TWO))
        metrics.update(house)
        assert metrics.registry.get_sample_value("headsup_seals_lost") == 0
        assert len(incidents(database, IncidentKind.OVERRIDE)) == 2, "the void and the lost seal"
        await house.set_dealing_mode("T1", DealingMode())
        await until(lambda: table(house).sealed is not None)
    result = audit_house(database, {})
    assert result.holds
    (remark,) = result.reports[FLOOR].remarks
    assert "Dee and Sue" in remark


async def test_a_lost_seal_is_found_before_bets_are_taken_on_it(database: Database) -> None:
    async with opened(database) as (house, host):
        opens = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
        request = CommandRequest(uuid4().hex, "T1", STAFF, opens)
        assert isinstance(await host.submit(request), Acceptance)
        await seal(house)
        await does(house, Sit(1, "P1"), by=PlayerAt(1))
        alter(database)
        async with dealt(house):
            await until(lambda: bool(house.dealing_modes.pause_reason("T1")))
            assert table(house).rounds == 0
            assert house.dealing_modes.get("T1").by_hand is False
            await does(house, ReportLostSeal("altered", TWO))
            await house.set_dealing_mode("T1", DealingMode())
            await until(lambda: table(house).is_playing)


async def test_a_table_released_with_a_lost_seal_is_paused_again(database: Database) -> None:
    await closed_bets(database)
    alter(database)
    async with started(database) as house, dealt(house):
        for _ in range(2):
            await until(lambda: bool(house.dealing_modes.pause_reason("T1")))
            await house.set_dealing_mode("T1", DealingMode())
        await until(lambda: bool(house.dealing_modes.pause_reason("T1")))
        assert len(incidents(database, IncidentKind.DATA_CHANGED)) == 1, "recorded once"


@pytest.mark.parametrize("mode", [DealingMode(by_hand=True), DealingMode("lunch")])
async def test_a_seal_is_opened_while_the_table_is_taken_over_or_paused(
    database: Database, mode: DealingMode
) -> None:
    await closed_bets(database)
    async with started(database) as house:
        await house.set_dealing_mode("T1", mode)
        async with dealt(house):
            await does(house, irregularity_report("foul_deck"))
            while table(house).is_playing:
                await does(house, Proceed(), by=HOUSE)
            await until(lambda: table(house).sealed is None)
            assert table(house).opened is not None
            await does(house, Leave(1), *POOL_LEAVES, CloseTable("sold", "Sue / Tom"))
    result = audit_house(database, {})
    assert (result.holds, result.reports[FLOOR].remarks) == (True, ())


async def test_the_house_opens_an_unused_seal_before_a_table_closes(database: Database) -> None:
    async with opened(database) as (house, host):
        opens = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
        request = CommandRequest(uuid4().hex, "T1", STAFF, opens)
        assert isinstance(await host.submit(request), Acceptance)
        await seal(house)
        await does(house, *POOL_LEAVES)
        closing = CloseTable("sold", "Sue / Tom")
        assert await prepare(house, closing) == ""
        await does(house, closing)
        assert table(house).opened is not None


async def test_a_seal_that_can_be_opened_is_not_given_up(database: Database) -> None:
    report = ReportLostSeal("we do not like the cards", TWO)
    await closed_bets(database)
    async with started(database) as house:
        await does(house, irregularity_report("foul_deck"))
        while table(house).is_playing:
            await does(house, Proceed(), by=HOUSE)
        assert await prepare(house, report) == "seal_not_lost"
        alter(database)
        assert await prepare(house, report) == ""
        await does(house, Leave(1))
        assert await prepare(house, CloseTable("sold", "Sue")) == "seal_lost"


async def prepare(house: House, command: Command) -> str:
    sealer = house.sealer_of("T1")
    refused = await prepare_seal(table(house), command, sealer, house.lost_seals, house.submit)
    return "" if refused is None else refused.code.value


async def test_a_seed_deleted_after_its_seal_was_opened_is_not_lost(database: Database) -> None:
    """Somebody may still look for it who has not heard that it is open."""
    await closed_bets(database)
    async with started(database) as house:
        await does(house, irregularity_report("foul_deck"))
        while table(house).is_playing:
            await does(house, Proceed(), by=HOUSE)
        before, sealer = table(house), house.sealer_of("T1")
        seed = (await sealer.current_seal(before)).server_seed
        await does(house, OpenShuffle(seed.hex()))
        await seal(house)
        with pytest.raises(LostSeal):
            await house.sealer_of("T1").current_seal(before)
        assert house.lost_seals.of(table(house)) is None
        report = ReportLostSeal("gone", TWO), house.sealer_of("T1"), house.lost_seals, house.submit
        refused = await prepare_seal(before, *report)
        assert refused is not None
        assert refused.code.value == "not_due_any_more", "the next seal is not given up for it"
        assert incidents(database, IncidentKind.DATA_LOSS) == []
        assert house.dealing_modes.get("T1") == DealingMode()


async def test_cards_that_were_not_sealed_lose_the_seal(database: Database) -> None:
    """What another program dealt cannot be opened, and the table waits for staff."""
    await closed_bets(database)
    async with started(database) as house:
        at = table(house)
        assert at.round is not None
        dealt = at.round._replace(deck=tuple(range(52)), places=("board",))
        other = at.with_round(dealt, None)
        with pytest.raises(LostSeal) as caught:
            await house.sealer_of("T1").current_seal(other)
        assert caught.value.fault is SealFault.DECK
