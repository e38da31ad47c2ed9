"""A14: no view, announcement or replay shows a card or another's hidden decision too early.

Who may know which card is worked out here from the events alone, without `views`: players their own
cards when they are dealt (everyone's if dealt face up), everybody the board and the dealer's cards
when they are turned over, and at settlement the hands that a wager depends on, and the All 6 cards
unless the round is void. Every view is searched as JSON text and must show exactly the cards that
its viewer may know. Announcements and printed replays may not name other cards either. Where
shuffles are sealed, nobody sees the server seed before it is opened; then everybody may know the
whole deck.
"""

import json
import re
from functools import lru_cache
from io import StringIO
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest
from rich.console import Console, Group, RenderableType

from headsup.cli.screens.replay import draw_tablevision, small_felt, step_sentence
from headsup.cli.screens.style import cards_text
from headsup.game.record.replay import ViewerStep
from headsup.game.refusal import Refusal
from headsup.game.round.commands import Check, DealCards, Fold, Proceed, Raise, TimeOut
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import Actor, Command
from headsup.game.table.decide import decide
from headsup.game.table.events import Event
from headsup.game.table.evolve import evolve
from headsup.game.table.state import Floor
from headsup.game.values.cards import format_cards, parse_cards
from headsup.game.views.announcements import announcement_for, announcement_text
from headsup.game.views.builder import view_for
from headsup.game.views.model import TableVisionView
from headsup.game.views.parts import TableMoment, viewer_parts
from headsup.game.views.viewers import parse_viewer
from headsup.game.views.wire import write_view
from headsup.game.words.english import ENGLISH
from headsup.house.people.capabilities import Standing, seat_commands, seat_forms
from tests.support.secrets import (
    DECISIONS,
    LISTED,
    RAISES,
    VIEWERS,
    Secrets,
    Table,
    cards_in,
    numbers_in,
    written_cards,
)
from tests.support.tables import BOOKS, opened, stakes
from tests.support.wire import announcement_json, check_shared_views, view_json

SEAT_KEYS = {
    *("stakes", "coupons", "hole", "decision", "void", "voided", "raises", "grace_seconds", "hand"),
    *("reads", "draws"),
}


WHO = {viewer: parse_viewer(viewer) for viewer in VIEWERS}


def view_of(floor: Floor, viewer: str) -> dict[str, Any]:
    return write_view(view_for(WHO[viewer], floor, "T1"))


class Found(NamedTuple):
    cards: set[str]
    numbers: set[str]  # where there are lists of them


class Searched:
    """Searches written views for cards and numbers.

    What views share (the posted rules, a hand that all see alike) is one object, searched once.
    """

    def __init__(self) -> None:
        self._found: dict[
            int, tuple[Any, Found]
        ] = {}  # holds the part, so that its id is not reused

    def view(self, view: dict[str, Any]) -> Found:
        """What is posted may list numbers: the multiples of a Raise."""
        round = view["round"]
        seats, results = round.get("seats", {}), round.get("results", {})
        rest = {
            **view,
            "posted": None,
            "round": {**round, "seats": [*seats], "results": [*results]},
        }
        parts = [self._part(rest), *map(self._shared, (*seats.values(), *results.values()))]
        cards = self._shared(view["posted"]).cards
        return Found(
            cards.union(*(part.cards for part in parts)),
            set().union(*(part.numbers for part in parts)),
        )

    def _shared(self, part: Any) -> Found:
        known = self._found.get(id(part))
        if known is None:
            known = self._found[id(part)] = part, self._part(part)
        return known[1]

    def _part(self, part: Any) -> Found:
        text = json.dumps(part, ensure_ascii=False)
        return Found(cards_in(text), {*numbers_in(part)} if LISTED.search(text) else set())


def assert_view_is_permitted(
    floor: Floor, secrets: Secrets, viewer: str, searched: Searched
) -> None:
    view = view_of(floor, viewer)
    view["round"] = view["round"] or {"phase": "betting", "seats": {}}  # sealed before it is opened
    if secrets.seed:
        assert secrets.opened == (secrets.seed in json.dumps(view)), f"{viewer}: the server seed"
    assert_lights_are_of_wagers(view.pop("tabulator", None), view["round"])
    found, numbers = searched.view(view)
    may = secrets.known[viewer]
    assert found == may, f"{viewer} sees {sorted(found - may)} and misses {sorted(may - found)}"
    assert numbers <= {"owing"}
    if viewer == "tablevision":
        return
    own = int(viewer[5:]) if viewer.startswith("seat") else 0
    for seat, shown in view["round"]["seats"].items():
        assert shown.keys() == SEAT_KEYS
        if shown["reads"]:  # the viewer's own hand so far, of cards that they see anyhow
            assert int(seat) == own
            assert cards_in(shown["reads"]["best"]) <= cards_in(
                shown["hole"] + view["round"]["board"]
            )
        if shown["draws"]:
            assert int(seat) == own
        assert shown["decision"] == secrets.decision(own, int(seat)), f"{viewer} of seat {seat}"
    if own:
        chips = floor.chips("T1", own) if own in floor.tables["T1"].players else 0
        assert view.get("legal", []) == secrets.legal(own, chips)
    if viewer == "dealer":
        assert view.get("owing", []) == (secrets.owing() if secrets.street else [])


def assert_lights_are_of_wagers(tabulator: Any, round: Any) -> None:
    """The tabulator shows only which seats have staked, which everybody can see."""
    if tabulator is None:
        return
    assert tabulator.keys() == {"lights", "counts", "down"}
    for wager, seats in tabulator["lights"].items():
        if round["phase"] != "betting":
            assert all(wager in round["seats"][str(seat)]["stakes"] for seat in seats)


@lru_cache(64)
def parse_announcement(text: str) -> tuple[dict[str, Any], set[str]]:
    """Cached, because most viewers get the same announcement."""
    return json.loads(text), cards_in(text)


def assert_announcement_is_permitted(
    floor: Floor, secrets: Secrets, viewer: str, event: Event
) -> None:
    """Search the announcement of the last event."""
    news = announcement_for(WHO[viewer], floor, "T1", event)
    if news is None:
        return
    text, may = announcement_text(news), secrets.known[viewer]
    assert secrets.opened or not secrets.seed or secrets.seed not in text, viewer
    raw, found = parse_announcement(text)
    assert found <= may, f"{viewer} is told {sorted(found - may)} by {raw}"
    if raw["event"] == "WagersRegistered" and viewer != "tablevision":
        round = floor.tables["T1"].round
        assert round is not None
        for wager, seats in raw["flags"].items():
            assert all(Wager(wager) in round.seats[seat].stakes for seat in seats)
        raw = {**raw, "flags": None}
    assert not LISTED.search(text) or set(numbers_in(raw)) == set()
    assert raw.get("chosen", {}) == secrets.uncovered(raw["event"])
    if raw["event"] in DECISIONS:
        own = int(viewer[5:]) if viewer.startswith("seat") else 0
        assert viewer != "tablevision"
        assert secrets.clockwise or own == raw["seat"], f"{viewer}: {raw}"


def assert_replay_is_permitted(floor: Floor, secrets: Secrets, viewer: str, event: Event) -> None:
    """The output of a replay: the announcement, and the felt below it."""
    who, book = WHO[viewer], floor.tables["T1"].rules.book
    news = announcement_for(who, floor, "T1", event)
    if news is not None:
        view = view_for(who, floor, "T1")
        if isinstance(view, TableVisionView):
            below = draw_tablevision(view, full=True)
        else:
            below = small_felt(view, book)
        step = ViewerStep(1, "T1", who, news, view, floor, "")
        assert not written_cards(ENGLISH.say(step.words())) - secrets.known[viewer], viewer
        read = printed_cards(Group(step_sentence(step, ENGLISH), below))
        may = secrets.known[viewer]
        assert read <= may, f"{viewer} reads {sorted(read - may)}"


PRINTED = re.compile(r"(10|[2-9JQKA])([♣♦♥♠])")
SUITS = dict(zip("♣♦♥♠", "cdhs", strict=True))


def printed_cards(drawn: RenderableType) -> set[str]:
    screen = Console(file=StringIO(), width=200)
    with screen.capture() as capture:
        screen.print(drawn)
    cards = PRINTED.findall(capture.get())
    return {("T" if rank == "10" else rank) + SUITS[pip] for rank, pip in cards}


NOT_SEARCHED = {"posted", "wagers", "tabulator"}  # the same for everybody, whatever was dealt


@lru_cache(256)
def part_cards(text: str) -> tuple[set[str], set[str]]:
    """Cards in a part, as symbols and in words. Cached, because viewers share most parts."""
    return cards_in(text), written_cards(text)


def assert_parts_are_permitted(moment: TableMoment, secrets: Secrets, viewer: str) -> None:
    """The same for the parts of a live view, also where cards are named in words."""
    parts = viewer_parts(WHO[viewer], moment)
    texts = [part.wire for name, part in parts.items() if name not in NOT_SEARCHED]
    found = set().union(*(part_cards(text)[0] for text in texts))
    may = secrets.known[viewer]
    assert found == may, f"{viewer}: {sorted(found - may)} leak, {sorted(may - found)} are missing"
    assert all(part_cards(text)[1] <= may for text in texts)
    if secrets.seed:
        shown = any(secrets.seed in text for text in texts)
        assert secrets.opened == shown, f"{viewer}: the server seed in a part"
    own = int(viewer[5:]) if viewer.startswith("seat") else 0
    for name, part in parts.items():
        if name.startswith("seat."):
            decision = part.value.get("decision", {"action": ""})
            permitted = secrets.decision(0, int(name[5:]))
            assert decision["action"] == permitted.split(" ")[0], f"{viewer} of {name}"
            assert "reads" not in part.value
    assert ("you" in parts) <= (own > 0)


def assert_no_leak(book: str, rounds: int, printed: int = 5) -> int:
    """Search the parts and announcements of every step, and the replay of the first rounds.

    Returns how many views were searched. Whole views, which only replays use, are searched in every
    fourth round, and what viewers share is compared with what is written for one in every tenth.
    """
    searched = 0
    for number in range(rounds):
        table, views = Table(book, Random(f"{book} {number}")), Searched()
        try:
            for _ in table.play():
                moment = TableMoment(table.floor, "T1", ENGLISH)
                for viewer in VIEWERS:
                    assert_parts_are_permitted(moment, table.secrets, viewer)
                    if number % 4 == 0:
                        assert_view_is_permitted(table.floor, table.secrets, viewer, views)
                    assert_announcement_is_permitted(table.floor, table.secrets, viewer, table.last)
                    if number < printed:
                        view_json(table.floor, "T1", WHO[viewer])
                        assert_replay_is_permitted(table.floor, table.secrets, viewer, table.last)
                    searched += 1
                if number % 10 == 0:
                    check_shared_views(table.floor, "T1", WHO.values())
                    for who in WHO.values():
                        if news := announcement_for(who, table.floor, "T1", table.last):
                            announcement_json(news)
        except AssertionError as error:
            script = "\n".join(f"  {by} {command}" for by, command in table.script)
            raise AssertionError(f"round {number} of {table.choice}: {error}\n{script}") from error
    return searched


@pytest.mark.clause("G 4 information", "GW 3 information", "NY (e)(2) not exposed")
@pytest.mark.parametrize("book", BOOKS)
def test_a14_no_view_of_8_random_rounds_leaks(book: str) -> None:
    assert assert_no_leak(book, 8, printed=2) > 8 * 8 * 8


@pytest.mark.slow(seconds=35)
@pytest.mark.parametrize("book", BOOKS)
def test_a14_no_view_of_1670_random_rounds_leaks(book: str) -> None:
    """Six books: 10,020 rounds."""
    assert assert_no_leak(book, 1_670) > 1_670 * 8 * 8


# The same without naming cards: what a viewer may not know makes no difference to their view.


Script: TypeAlias = list[tuple[Actor, Command]]


def replayed(table: Table, script: Script) -> Floor:
    floor = table.start
    for by, command in script:
        answer = decide(floor, "T1", by, command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
        for event in answer:
            floor = evolve(floor, "T1", event)
    return floor


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_a14_other_hidden_cards_give_the_same_view(book: str) -> None:
    """Before settlement, swapping all cards that a viewer may not know changes nothing."""
    compared = 0
    for number in range(30):
        random = Random(f"swap {book} {number}")
        table = Table(book, random)
        moments = []
        for _ in table.play():
            if table.secrets.at and not table.is_settled(table.floor):
                known = {viewer: set(cards) for viewer, cards in table.secrets.known.items()}
                moments.append((len(table.script), known))
        for count, known in random.sample(moments, min(2, len(moments))):
            script = table.script[:count]
            floor = replayed(table, script)
            if table.is_settled(floor):
                continue  # the moment was between a board dealt out and its settlement
            check_shared_views(floor, "T1", WHO.values())
            for viewer in VIEWERS:
                other = replayed(table, swap_unknown_cards(random, script, known[viewer]))
                assert view_of(other, viewer) == view_of(floor, viewer)
                assert parts_text(other, viewer) == parts_text(floor, viewer)
                compared += 1
    assert compared > 300


def parts_text(floor: Floor, viewer: str) -> str:
    """All that this viewer's stream holds, byte for byte, with what they may do."""
    moment = TableMoment(floor, "T1", ENGLISH)
    texts = [part.wire for part in viewer_parts(WHO[viewer], moment).values()]
    if viewer.startswith("seat") and (seat := int(viewer[5:])) in moment.table.players:
        at = Standing(floor, moment.table, ENGLISH)
        texts.append(json.dumps([seat_commands(at, seat), seat_forms(at, seat)]))
    return ",".join(texts)


def swap_unknown_cards(random: Random, script: Script, known: set[str]) -> Script:
    """The same round with all unknown cards elsewhere in the deck."""
    return [
        (by, DealCards(_swapped(random, command.deck, known)))
        if isinstance(command, DealCards)
        else (by, command)
        for by, command in script
    ]


def _swapped(random: Random, deck: tuple[int, ...], known: set[str]) -> tuple[int, ...]:
    hidden = [i for i, card in enumerate(deck) if format_cards([card]) not in known]
    cards = random.sample([deck[i] for i in hidden], len(hidden))
    other = list(deck)
    for i, card in zip(hidden, cards, strict=True):
        other[i] = card
    return tuple(other)


@pytest.mark.clause("G 4 information", "GW 3 information")
@pytest.mark.parametrize("book", BOOKS)
def test_r34_other_hidden_decisions_give_the_same_view(book: str) -> None:
    """While a street is open and all act at once, seat 2's decision makes no difference."""
    for street in ("pocket", "flop", "river"):
        views = []
        passing: Command = Fold(2) if street == "river" else Check(2)
        for decision in (passing, *(Raise(2, m) for m in RAISES[book][street]), TimeOut(2, 120)):
            play = opened(book, seats=(1, 2, 3))
            play.bets({seat: stakes() for seat in (1, 2, 3)})
            play.deals()
            while play.phase.value != street:
                play.decide_all()
                play.does(Proceed())
            play.does(decision)
            views.append([view_of(play.floor, viewer) for viewer in VIEWERS if viewer != "seat 2"])
        assert len(views) >= 3
        assert all(view == views[0] for view in views[1:]), street


def test_the_search_finds_a_card_hidden_anywhere() -> None:
    assert cards_in('{"a": "AsKd", "b": ["2c"], "why": "Three of a kind"}') == {"As", "Kd", "2c"}
    assert list(numbers_in({"a": {"deck": [1, 2]}, "b": [{"c": ["x"]}]})) == ["deck"]
    seat, posted = {"hole": "2d"}, {"raises": [3], "layout": "3h"}
    round = {"board": "4s", "seats": {"1": seat}, "results": {"1": {"deck": [7], "why": "5c"}}}
    found = Searched().view({"round": round, "posted": posted, "you": ["6c", 1]})
    assert found == ({"2d", "3h", "4s", "5c", "6c"}, {"deck", "you"})
    assert printed_cards(cards_text(parse_cards("TsAd"))) == {"Ts", "Ad"}
