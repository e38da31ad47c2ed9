"""Staff cannot withhold a sealed round, and a seed that was swapped in the database deals nothing.

Both attacks as a person with access to the console or to the database would try them.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx

from headsup.game.round.commands import PlaceBets, Raise, ReportIrregularity
from headsup.game.rulebook.model import Cause
from headsup.game.table.opening import CloseTable
from headsup.game.table.sealed_shuffles import ReportLostSeal
from headsup.game.table.seating import Leave
from headsup.house.dealing.dealer import Dealers
from tests.support.cli.run import headsup
from tests.support.tables import POOL_LEAVES, stakes
from tests.support.web.dealer import URL, Dealer, seated
from tests.support.web.live_server import QUICK
from tests.support.web.office import PASSWORD, TABLE, Office, office
from tests.support.web.requests import asked_by
from tests.support.web.restored import SEALED, STAND, going_on, stands, table_of

SOLD, SUE, SAM = CloseTable("sold", ""), ("Sue", PASSWORD), ("Sam", PASSWORD)
LOST = ReportLostSeal("the database was altered", ("", ""))


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.01)


async def audited(folder: Path) -> tuple[list[str], list[str]]:
    """The differences and the remarks of an audit, but for the wallets, which tests fill freely."""
    address = f"sqlite:///{folder / 'house.db'}"
    done = await asyncio.to_thread(headsup, "audit", "--database", address, "--json")
    result = json.loads(done.out)
    assert result["floors"][TABLE]["holds"], "the log itself"
    return result["notes"]["differences"], result["floors"][TABLE]["remarks"]


async def play_to_the_close(at: Office, dealer: Dealer) -> None:
    """Play a round by hand from the deal to its end."""
    await at.does("P1", Raise(1, 3))
    while table_of(at).is_playing:
        await dealer.press()


async def test_taking_over_closing_and_pausing_does_not_withhold_a_shuffle(tmp_path: Path) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Dee") as http:
        dealer, dealers = Dealer(http), Dealers(at.house, QUICK)
        await stands(http, by_hand=True)
        dealers.start()
        try:
            await seated(at, 1)
            await dealer.press()
            await at.does("P1", PlaceBets(1, stakes()))
            assert [await dealer.press() for _ in range(2)] == ["close_bets", "deal"]
            await play_to_the_close(at, dealer)
            await stands(http, paused="we do not like these cards", by_hand=True)
            await until(lambda: table_of(at).sealed is None)
            assert table_of(at).opened is not None
            await at.does("Dee", Leave(1))
            await closed(at)
        finally:
            await dealers.stop()
        assert await audited(tmp_path) == ([], [])


async def test_a_table_that_closes_opens_its_seal_even_without_a_dealer(tmp_path: Path) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Dee") as http:
        dealer = Dealer(http)
        await seated(at, 1)
        assert [await dealer.press() for _ in range(2)] == ["open_round", "bets"]
        assert await audited(tmp_path) == (
            [],
            [f"table {TABLE}: round 1 is closed, but its sealed shuffle is not opened"],
        )
        assert await at.code("Dee", LOST, SUE) == "seal_not_lost"
        await at.does("Dee", Leave(1))
        await closed(at)
        assert table_of(at).opened is not None
        assert await audited(tmp_path) == ([], [])


async def closed(at: Office) -> None:
    for command in (*POOL_LEAVES, SOLD):
        await at.does("Sam", command, SUE)


def swap_seed(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "house.db")) as connection:
        connection.execute("UPDATE secrets SET secret = ? WHERE name LIKE 'seal %'", (b"x" * 32,))
        connection.commit()


async def test_a_swapped_seed_deals_nothing_and_staff_can_end_the_round(tmp_path: Path) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        await Dealer(http).press()
        await at.does("P1", PlaceBets(1, stakes()))
        chips = at.host.journal.floor.chips(TABLE, 1)
    swap_seed(tmp_path)
    ((difference,), _) = await audited(tmp_path)
    assert "its server seed was altered" in difference
    address = f"sqlite:///{tmp_path / 'house.db'}"
    async with going_on(tmp_path, address) as (at, there), asked_by(at, "Dee") as http:
        await until(lambda: bool(there.house.dealing_modes.pause_reason(TABLE)))
        round = table_of(at).round
        assert round is not None
        assert round.deck == ()
        async with httpx.AsyncClient(timeout=30) as outside:
            metrics = await outside.get(f"{there.address}/metrics")
        assert "headsup_seals_lost 1.0" in metrics.text
        due = (await http.get(URL)).json()
        assert "its server seed was altered" in due["paused"]
        assert "report a foul deck" in due["known"]

        dealer = Dealer(http)
        dealer.pressed = 100
        await stands(http, by_hand=True)
        key = (await dealer.due())["key"]
        refused = await http.post(URL, json={"id": "deal-anyway", "key": key})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "seal_lost")
        await at.does("Dee", ReportIrregularity(Cause.FOUL_DECK, "", ""), SUE)
        await stands(http, by_hand=True)
        while table_of(at).is_playing:
            await dealer.press()
        assert at.host.journal.floor.chips(TABLE, 1) > chips, "the stakes went back"
        await at.does("Dee", Leave(1))
        assert await at.code("Sam", SOLD, SUE) == "seal_lost"
        assert await at.code("Dee", LOST) == "needs_two_people"
        await at.does("Dee", LOST, SUE)
        await closed(at)
        late = await http.post(STAND, json={"paused": "", "by_hand": False})
        assert (late.status_code, late.json()["error"]["code"]) == (409, "table_closed")
    differences, (remark,) = await audited(tmp_path)
    assert differences == []
    assert "Dee and Sue" in remark
    shown = await asyncio.to_thread(headsup, "audit", "--database", address)
    assert "the seal of round 1 was given up" in shown.out


async def test_a_seed_swapped_before_the_round_opens_stops_the_dealer_at_the_console(
    tmp_path: Path,
) -> None:
    async with office(tmp_path, SEALED) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        dealer = Dealer(http)
        assert [await dealer.press() for _ in range(2)] == ["open_round", "bets"]
        swap_seed(tmp_path)
        key = (await dealer.due())["key"]
        refused = await http.post(URL, json={"id": "next-round", "key": key})
        assert refused.json()["error"]["code"] == "seal_lost"
        assert (await dealer.due())["paused"]
        await at.does("Dee", LOST, SUE)
        await stands(http)
        assert await dealer.press() == "open_round"
