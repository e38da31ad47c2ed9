"""A command's id belongs to its sender: guessing another's reveals nothing and breaks nothing."""

from pathlib import Path

from headsup.game.table.seating import BuyIn, Leave, Sit
from headsup.web.live.protocol import RefusalMessage, ReplyMessage
from tests.support.web.office import Office, office


async def code(at: Office, who: str, command: Sit | BuyIn | Leave, id: str) -> str:
    answer = await at.ask(who, command, id=id)
    return answer.code if isinstance(answer, RefusalMessage) else ""


async def test_an_id_refused_to_another_person_still_works_for_its_owner(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.does("Ann", Sit(1, "Ann"))
        guessed = await at.ask("Bob", BuyIn(1, 50_000), id="anns-buy-in")
        assert isinstance(guessed, RefusalMessage)
        assert guessed.code == "not_allowed"
        assert await code(at, "Ann", BuyIn(1, 50_000), "anns-buy-in") == ""


async def test_an_answer_is_given_only_to_its_sender(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.does("Ann", Sit(1, "Ann"))
        first = await at.ask("Ann", BuyIn(1, 50_000), id="anns-buy-in")
        assert isinstance(first, ReplyMessage)
        assert await code(at, "Bob", BuyIn(1, 50_000), "anns-buy-in") == "id_used"
        assert await at.ask("Ann", BuyIn(1, 50_000), id="anns-buy-in") == first
    async with office(tmp_path) as at:  # the same from the database
        assert await code(at, "Bob", BuyIn(1, 50_000), "anns-buy-in") == "id_used"
        assert await at.ask("Ann", BuyIn(1, 50_000), id="anns-buy-in") == first


async def test_a_new_player_in_a_seat_does_not_inherit_its_ids(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        await at.does("Ann", Sit(1, "Ann"))
        assert await code(at, "Ann", BuyIn(1, 50_000), "buy-in-1") == ""
        await at.does("Ann", Leave(1))
        await at.does("Bob", Sit(1, "Bob"))
        before = at.house.database.wallet("Bob")
        assert await code(at, "Bob", BuyIn(1, 50_000), "buy-in-1") == "id_used"
        assert at.house.database.wallet("Bob") == before
