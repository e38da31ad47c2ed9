"""The dealer's next step: shown to dealers, and done exactly once on one key."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from headsup.game.round.commands import PlaceBets, Raise
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Staff
from headsup.game.table.equipment import CountByHand, ReportEquipmentDown
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import DECK, format_cards
from headsup.house.dealing.real_cards import places_to_enter
from headsup.house.fairness import verifier
from headsup.house.floor.host import Acceptance, CommandRequest
from tests.support.tables import opening, stakes
from tests.support.web.dealer import URL, Dealer, seated
from tests.support.web.office import TABLE, office
from tests.support.web.requests import asked_by


async def test_one_key_deals_a_whole_sealed_round(tmp_path: Path) -> None:
    table = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
    async with office(tmp_path, table) as at, asked_by(at, "Dee") as http:
        dealer = Dealer(http)
        assert (await dealer.due())["step"] == "players"
        await seated(at, 1, 2)
        steps = [await dealer.press()]
        assert (await dealer.due())["step"] == "bets"
        for seat in (1, 2):
            await at.does(f"P{seat}", PlaceBets(seat, stakes(progressive=100)))
        steps += [await dealer.press(), await dealer.press()]
        assert (await dealer.due())["seats"] == [1, 2]
        for seat in (1, 2):
            await at.does(f"P{seat}", Raise(seat, 3))
        steps += [await dealer.press() for _ in range(9)]
        assert steps == [
            *("open_round", "close_bets", "deal", "flop", "turn_and_river", "reveal", "settle"),
            *("resolve", "resolve", "close", "open_round"),
            "bets",  # a round without bets is closed
        ]
        opened = at.host.journal.floor.tables[TABLE].opened
        assert opened is not None
        assert opened.round == 1


async def test_a_step_that_has_passed_is_not_done(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        dealer = Dealer(http)
        key = (await dealer.due())["key"]
        await dealer.press()
        late = await http.post(URL, json={"id": "too-late", "key": key})
        assert (late.status_code, late.json()["error"]["code"]) == (409, "not_due_any_more")
        await at.does("P1", PlaceBets(1, stakes(progressive=100)))
        await dealer.press()
        await dealer.press()
        waits = await dealer.due()
        assert (waits["step"], waits["seats"]) == ("decisions", [1])
        nothing = await http.post(URL, json={"id": "too-soon", "key": waits["key"]})
        assert (nothing.status_code, nothing.json()["error"]["code"]) == (409, "nothing_due")


async def test_one_key_pressed_by_several_at_once_does_one_step(tmp_path: Path) -> None:
    """The key is compared when the floor's owner decides, not when the request arrives."""
    table = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
    async with (
        office(tmp_path, table) as at,
        asked_by(at, "Dee") as dee,
        asked_by(at, "Sue") as sue,
        asked_by(at, "Sam") as sam,
    ):
        await seated(at, 1, 2)
        dealer = Dealer(dee)
        steps: list[str] = []
        while not (steps and steps[-1] == "close"):
            due = await dealer.due()
            if due["step"] == "bets":
                for seat in (1, 2):
                    await at.does(f"P{seat}", PlaceBets(seat, stakes()))
            elif due["step"] == "decisions":
                for seat in due["seats"]:
                    await at.does(f"P{seat}", Raise(seat, 3))
            else:
                steps.append(due["step"])
                answers = await asyncio.gather(
                    *(
                        http.post(URL, json={"id": f"{who}-press-{len(steps)}", "key": due["key"]})
                        for who, http in {"dee": dee, "sue": sue, "sam": sam}.items()
                    )
                )
                assert sorted(one.status_code for one in answers) == [200, 409, 409], due
                late = {one.json()["error"]["code"] for one in answers if one.status_code == 409}
                assert late == {"not_due_any_more"}
        assert steps == [
            *("open_round", "close_bets", "deal", "flop", "turn_and_river", "reveal", "settle"),
            *("resolve", "resolve", "close"),
        ]


async def test_a_step_sent_again_gets_the_same_answer(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http, asked_by(at, "Sue") as other:
        await seated(at, 1)
        dealer, sent = Dealer(http), []
        for step in ("open_round", "close_bets", "deal"):
            due = await dealer.due()
            assert due["step"] == step
            body = {"id": f"press-to-{step}", "key": due["key"]}
            sent.append((body, (await http.post(URL, json=body)).json()))
            if step == "open_round":
                await at.does("P1", PlaceBets(1, stakes()))
        count = at.host.journal.head.count
        at.host._answers._recent.clear()  # as after a restart
        for _ in range(2):
            for body, first in sent:
                again = await http.post(URL, json=body)
                assert (again.status_code, again.json()) == (200, first)
        body, first = sent[0]
        for client, said in ((other, body), (http, {**body, "key": sent[1][0]["key"]})):
            used = await client.post(URL, json=said)
            assert (used.status_code, used.json()["code"]) == (409, "id_used")
        for key in ("", "x", "1 nothing 0", "9 flop 0", "1 decisions 0 0", "9 decisions 0"):
            late = await http.post(URL, json={"id": "another-press", "key": key})
            assert (late.status_code, late.json()["error"]["code"]) == (409, "not_due_any_more")
        assert at.host.journal.head.count == count


async def test_cards_sent_again_in_the_next_round_get_the_same_answer(tmp_path: Path) -> None:
    table = replace(opening("galaxy"), shuffle=ShuffleSource.ENTERED)
    async with office(tmp_path, table) as at, asked_by(at, "Dee") as http:
        await seated(at, 1, 2)
        dealer, cards = Dealer(http), f"/api/tables/{TABLE}/cards"
        await dealer.press()
        for seat in (1, 2):
            await at.does(f"P{seat}", PlaceBets(seat, stakes()))
        await dealer.press()
        text = format_cards(DECK[: len((await dealer.due())["places"])])
        body = {"id": "cards-of-round-1", "text": text}
        first = await http.post(cards, json=body)
        assert first.status_code == 200
        for seat in (1, 2):
            await at.does(f"P{seat}", Raise(seat, 3))
        while await dealer.press() != "close":
            pass
        await dealer.press()
        await at.does("P1", PlaceBets(1, stakes()))  # fewer cards than before
        again = await http.post(cards, json=body)
        assert (again.status_code, again.json()) == (200, first.json())
        other = await http.post(cards, json={**body, "text": text[2:]})
        assert (other.status_code, other.json()["code"]) == (409, "wrong_card_count")


async def test_real_cards_are_entered_as_they_are_typed(tmp_path: Path) -> None:
    table = replace(opening("galaxy"), shuffle=ShuffleSource.ENTERED)
    async with office(tmp_path, table) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        dealer = Dealer(http)
        await dealer.press()
        await at.does("P1", PlaceBets(1, stakes()))
        cards, preview = f"/api/tables/{TABLE}/cards", f"/api/tables/{TABLE}/cards/preview"
        early = await http.post(preview, json={"text": "As"})
        assert early.status_code == 409
        await dealer.press()
        due = await dealer.due()
        round = at.host.journal.floor.tables[TABLE].round
        assert round is not None
        assert (due["step"], due["places"]) == ("enter_cards", list(places_to_enter(round)))
        typed = (await http.post(preview, json={"text": "AsKdA"})).json()
        assert [one["card"] for one in typed["places"]][:3] == ["As", "Kd", None]
        assert (typed["wrong"], typed["complete"]) == (None, False)
        twice = (await http.post(preview, json={"text": "AsKdAs"})).json()
        assert "As" in twice["wrong"]
        few = await http.post(cards, json={"id": "too-few-1", "text": "AsKd"})
        assert (few.status_code, few.json()["code"]) == (409, "wrong_card_count")
        text = format_cards(DECK[: len(due["places"])])
        dealt = await http.post(cards, json={"id": "all-cards", "text": text})
        assert dealt.status_code == 200
        assert (await dealer.due())["step"] == "decisions"
        found = (await http.get(f"/api/tables/{TABLE}/irregularities")).json()
        exposed = next(one for one in found if one["cause"] == "dealer_card_exposed")
        assert exposed["stakes"] == [
            {"seat": 1, "returned": {"ante": "10.00", "odds": "10.00"}, "settled": {}}
        ]


async def test_wagers_are_counted_by_hand_before_the_cards_if_equipment_is_down(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        await at.does("Dee", ReportEquipmentDown("no light"))
        dealer = Dealer(http)
        await dealer.press()
        await at.does("P1", PlaceBets(1, stakes(progressive=100)))
        assert await dealer.press() == "close_bets"
        assert (await dealer.due())["step"] == "count_by_hand"
        awaited = "the equipment is down, and a dealer must count the wagers by hand"
        assert at.house.dealing_modes.pause_reason(TABLE) == awaited  # for everybody to read
        await at.does("Dee", CountByHand({Wager.PROGRESSIVE: 1}))
        assert at.house.dealing_modes.pause_reason(TABLE) == ""


async def test_only_dealers_see_the_next_step(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        for name, status in (("Ann", 403), ("Art", 403), ("Ada", 403), ("Sue", 200)):
            async with asked_by(at, name) as http:
                assert (await http.get(URL)).status_code == status
                what = await http.get(f"/api/tables/{TABLE}/irregularities")
                assert what.status_code == status


async def test_a_person_sees_which_commands_they_may_give(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        found = {one["command"]: one for one in (await http.get("/api/orders")).json()}
        assert found["CorrectMeter"]["two_persons"]
        assert found["FreezeMeter"]["two_persons"]
        assert found["DealCards"]["by_hand"]
        assert "SetBonusPrize" not in found
        assert found["PlaceBets"]["for_guests"], "a dealer bets for those without an account"
        assert not found["DealCards"]["for_guests"]


async def test_a_paused_table_is_not_dealt_and_says_so_to_everyone(tmp_path: Path) -> None:
    async with office(tmp_path) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        dealer, standing = Dealer(http), f"/api/tables/{TABLE}/attendance"
        due = await dealer.due()
        assert (due["paused"], due["automatic"]) == ("", True)
        paused = await http.post(standing, json={"paused": "fire drill", "by_hand": False})
        assert paused.json()["paused"] == "fire drill"
        refused = await http.post(URL, json={"id": "while-paused", "key": due["key"]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "paused")
        by_command = {"id": "open-while-paused", "command": {"command": "OpenRound"}}
        told = await http.post(f"/api/tables/{TABLE}/commands", json=by_command)
        assert told.json()["code"] == "paused", told.text
        assert "fire drill" in told.json()["say"]
        on = (await http.post(standing, json={"paused": "", "by_hand": True})).json()
        assert (on["paused"], on["automatic"], on["by_hand"]) == ("", False, True)
        assert await dealer.press() == "open_round"
        async with asked_by(at, "Ann") as player:
            no = await player.post(standing, json={"paused": "mine", "by_hand": False})
            assert no.status_code == 403


async def test_a_player_downloads_and_verifies_all_their_sealed_rounds(
    tmp_path: Path,
) -> None:
    table = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
    async with office(tmp_path, table) as at, asked_by(at, "Dee") as http:
        await seated(at, 1, 2)
        dealer = Dealer(http)
        for bettors in ((1, 2), (2,)):
            assert await dealer.press() == "open_round"
            for seat in bettors:
                await at.does(f"P{seat}", PlaceBets(seat, stakes()))
            assert [await dealer.press() for _ in range(2)] == ["close_bets", "deal"]
            for seat in bettors:
                await at.does(f"P{seat}", Raise(seat, 3))
            while await dealer.press() != "close":
                pass
        file = tmp_path / "fair-rounds.jsonl"
        async with asked_by(at, "P2") as player:  # open seals only
            assert len((await player.get("/api/rounds/mine/fair")).text.splitlines()) == 1
        assert await dealer.press() == "open_round"
        for who, rounds in (("P1", [1]), ("P2", [2, 1])):
            async with asked_by(at, who) as player:
                answer = await player.get("/api/rounds/mine/fair")
            assert answer.headers["content-type"] == "application/x-ndjson"
            assert [json.loads(line)["round"] for line in answer.text.splitlines()] == rounds
            file.write_text(answer.text)
            assert verifier.main(str(file)) == 0
        file.write_text(answer.text.replace('"round": 2', '"round": 5'))
        assert verifier.main(str(file)) == 1
        async with asked_by(at, "Ann") as nobody:
            assert (await nobody.get("/api/rounds/mine/fair")).text == ""


async def test_a_seal_opened_late_is_shown_with_its_round(tmp_path: Path) -> None:
    """The dealer leaves after the round, while the floor's other table plays on."""
    table = replace(opening("galaxy"), shuffle=ShuffleSource.SEALED)
    async with office(tmp_path, table) as at, asked_by(at, "Dee") as http:
        await seated(at, 1)
        dealer = Dealer(http)
        await dealer.press()
        await at.does("P1", PlaceBets(1, stakes()))
        assert [await dealer.press() for _ in range(2)] == ["close_bets", "deal"]
        await at.does("P1", Raise(1, 3))
        while await dealer.press() != "close":
            pass
        for number in range(100):
            asked = CommandRequest(f"meanwhile-{number}", TABLE, Staff("Dee"), FreezeMeter("dark"))
            if number % 2:
                asked = replace(asked, command=FreezeMeter(""))
            assert isinstance(await at.host.submit(asked), Acceptance)
        assert await dealer.press() == "open_round"
        async with asked_by(at, "Sue") as staff:
            shown = (await staff.get(f"/api/tables/{TABLE}/rounds/1")).json()
        assert shown["fair"] is not None
        assert shown["fair"]["round"] == 1
