"""The recent rounds on a console or display that was just switched on, also after a restart."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from headsup.game.round.events import HandResolved, RoundSettled
from headsup.game.table.events import Event
from headsup.game.table.state import Floor
from headsup.game.values.cards import card_name
from headsup.game.views.announcements import announcement_for, write_announcement
from headsup.game.views.builder import view_for
from headsup.game.views.viewers import Watcher
from headsup.game.views.wire import write_view
from headsup.game.views.wording import words_for
from headsup.game.words.english import ENGLISH
from headsup.house.floor.host import FloorUpdate
from headsup.house.history import recent_history as record
from tests.support.house.houses import all_done
from tests.support.scripted import scripted_commands
from tests.support.web.office import TABLE, Office, office
from tests.support.web.requests import asked_by

URL = f"/api/tables/{TABLE}/lately"
ROUNDS = 5  # plus one that is void


class Heard:
    """What a console and a display received that were on all the time."""

    def __init__(self, at: Office) -> None:
        self.told: list[dict[str, Any]] = []
        self.rounds: list[dict[str, Any]] = []
        at.host.subscribe(self._happened, TABLE)

    def _happened(self, news: FloorUpdate) -> None:
        floor = news.journal.floor
        for event in news.events:
            if (one := announcement_for(Watcher.DEALER, floor, TABLE, event)) is not None:
                index, at = news.journal.head.count - 1, news.journal.time
                say = ENGLISH.say(words_for(one, Watcher.DEALER, floor, TABLE))
                event_told = {
                    "index": index,
                    "at": at,
                    "event": write_announcement(one),
                    "say": say,
                }
                self.told.append({**event_told, **self._beside(floor, event)})
        last = write_view(view_for(Watcher.TABLEVISION, floor, TABLE)).get("last")
        if last and last not in self.rounds:
            self.rounds.insert(0, last)

    @staticmethod
    def _beside(floor: Floor, event: Event) -> dict[str, Any]:
        """The players at the time, and for a result the round as the console showed it."""
        players = {str(seat): name for seat, name in floor.tables[TABLE].players.items()}
        result = isinstance(event, RoundSettled | HandResolved)
        view = write_view(view_for(Watcher.DEALER, floor, TABLE))
        return {"players": players, "round": view["round"] if result else None}


async def play_and_listen(at: Office) -> Heard:
    heard = Heard(at)
    await all_done(at.host, scripted_commands(rounds=ROUNDS)[1:])
    return heard


async def lately(at: Office, who: str = "Dee", viewer: str = "dealer") -> httpx.Response:
    async with asked_by(at, who) as http:
        return await http.get(URL, params={"viewer": viewer})


async def test_after_a_restart_a_console_and_a_display_show_the_same_history(
    tmp_path: Path,
) -> None:
    async with office(tmp_path) as at:
        heard = await play_and_listen(at)
    assert len(heard.rounds) == ROUNDS
    async with office(tmp_path) as again:
        found = (await lately(again)).json()
        assert found["told"] == heard.told[-record.MAX_ANNOUNCEMENTS :]
        hands = [one for one in found["told"] if one["event"]["event"] == "HandResolved"]
        assert hands
        for one in hands:
            assert one["round"]["results"][str(one["event"]["seat"])]["net"]
        assert [one["number"] for one in found["rounds"]] == [5, 4, 3]
        assert found["rounds"] == heard.rounds[:3]
        async with asked_by(again, "Sue") as http:
            key = (await http.post("/api/displays", json={"table": TABLE})).json()["key"]
            asked = {"table": TABLE, "key": key}
            shown = (await http.post("/api/displays/lately", json=asked)).json()
            assert shown["rounds"] == found["rounds"]
            assert shown["told"] == (await lately(again, "Ann", "tablevision")).json()["told"]
            wrong = await http.post("/api/displays/lately", json={**asked, "key": "no such key"})
            assert wrong.status_code == 401


async def test_history_shows_each_viewer_only_what_they_may_know(tmp_path: Path) -> None:
    async with office(tmp_path) as at:
        assert (await lately(at)).json() == {"rounds": [], "told": []}
        script = scripted_commands()
        flop = next(n for n, one in enumerate(script) if type(one.command).__name__ == "Proceed")
        await all_done(at.host, script[1:flop])
        assert (await lately(at, "Ann", "dealer")).status_code == 403
        assert (await lately(at, "Ann", "seat 1")).status_code == 400
        rail = (await lately(at, "Ann", "rail")).json()
        dealt = at.host.journal.floor.tables[TABLE].round
        assert dealt is not None
        assert rail["told"]
        assert rail["rounds"] == []
        said = str([one["event"] for one in rail["told"]])
        hidden = [card_name(card) for seat in dealt.seats.values() for card in seat.hole]
        assert hidden
        assert not any(card in said for card in hidden)


async def test_a_hidden_decision_is_shown_once_its_street_is_over(
    tmp_path: Path,
) -> None:
    """A later reader sees everything the felt has shown since."""
    async with office(tmp_path) as at:
        script = scripted_commands()
        flop = next(n for n, one in enumerate(script) if type(one.command).__name__ == "Proceed")
        await all_done(at.host, script[1 : flop - 1])
        before = (await lately(at, "Ann", "rail")).json()["told"]
        assert not {"Raised", "Checked"} & {one["event"]["event"] for one in before}
        await all_done(at.host, script[flop - 1 : flop + 1])
        after = [one["event"] for one in (await lately(at, "Ann", "rail")).json()["told"]]
        assert not {"Raised", "Checked"} & {one["event"] for one in after}, "told once"
        told_now = after[-1]
        assert told_now["event"] == "FlopRevealed"
        round = at.host.journal.floor.tables[TABLE].round
        assert round is not None
        assert told_now["chosen"] == {str(seat): "check" for seat in round.seats}


async def test_history_of_a_busy_floor_is_limited_by_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as at:
        heard = await play_and_listen(at)
        last = heard.told[-1]["index"]
        begun = [one["index"] for one in heard.told if one["event"]["event"] == "RoundOpened"]
        monkeypatch.setattr(record, "MAX_REPLAYED_ENTRIES", last - begun[-2] + 1)
        found = (await lately(at)).json()
        assert found["told"][0]["index"] == begun[-2]
        monkeypatch.setattr(record, "MAX_REPLAYED_ENTRIES", 1)
        assert (await lately(at)).json() == {"rounds": [], "told": []}
