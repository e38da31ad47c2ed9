"""Every kind of showdown on screens of several widths: nothing that a player needs is cut off.

The screens are kept in `golden/` for people to look at; write them anew as `test_golden` says.
"""

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from headsup.analysis.workbench import Workbench
from headsup.cli.play.adviser import Adviser, CoachSwitch
from headsup.cli.play.coach import Coach
from headsup.cli.play.session import PlaySession
from headsup.cli.screens.payouts import result_rows
from headsup.cli.screens.style import signed_dollars
from headsup.game.round.dealing import deal_order, seat_place
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Result
from headsup.game.table.opening import OpenTable
from headsup.game.values.cards import DECK, Cards, parse_cards
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import show_dollars
from headsup.house.solo.bankroll import Bankroll
from headsup.house.solo.table import SEAT, SoloTable
from headsup.house.training.seat_decision import CoachMode
from tests.support.cli.golden import GOLDEN
from tests.support.cli.typed import REST, PagingKeys, fake_terminal, screen_text

WIDTHS = (40, 60, 80, 120)
OPTIONS = FrozenJson({"meter_seed": "25000", "meter_contribution": "0.25"})
EVERY_WAGER = ("t 5", "p 5", "6 5", "j")


class Showdown(NamedTuple):
    dealer: str
    board: str
    hole: str
    packet: str = "2c 3c 4c 6c"
    keys: tuple[str, ...] = ("", "c", "r")


SHOWDOWNS = {
    "wins, the Odds pays": Showdown("Ac Qd", "Kd 9c 5h 5s 2d", "Ks Kh"),
    "wins, the Odds pushes": Showdown("9s 8d", "Kd 9c 5h 4s 2d", "Ks Qh"),
    "loses to a pair": Showdown("As Ad", "Kd 9c 5h 4s 2d", "Ks Qh"),
    "copies the dealer": Showdown("As 3d", "Ah Kd Qc Js 2d", "Ad 3h", "2c 5c 4c 6c"),
    "wins unqualified": Showdown("8s 7d", "Ah Kd Jc 4s 2d", "Ad 3h", "2c 5c 4c 6c"),
    "loses unqualified": Showdown("Qc Jc", "3h 6s 5c Ah Kh", "9c 2d", "8s 6c 3s 8d"),
    "a Bad Beat": Showdown("Qc Jc", "Tc 9c 8c 2s 2d", "7c 6c", "2h 3c 4c 5d"),
    "a royal flush on the flop": Showdown("2s 2h", "As Ks Qs 9c 5d", "Js Ts"),
    "folded": Showdown("Ac Qd", "Kd 9c 5h 5s 2h", "7d 3h", keys=("", "c", "c", "f")),
}  # fmt: skip


def stack_deck(showdown: Showdown) -> Cards:
    """A deck that deals this round to one seat."""
    rules = table_rules("galaxy", options=OPTIONS)
    cards = {
        "dealer": iter(parse_cards(showdown.dealer)),
        "board": iter(parse_cards(showdown.board)),
        "all_6": iter(parse_cards(showdown.packet)),
        seat_place(SEAT): iter(parse_cards(showdown.hole)),
    }
    first = [next(cards[place]) for place in deal_order(rules.dealing, (SEAT,), True)]
    return (*first, *(card for card in DECK if card not in first))


def play_round(
    showdown: Showdown, width: int, height: int = 60, advisers: Sequence[Adviser] = ()
) -> tuple[str, SoloTable]:
    """The last screen of the round, and its table."""
    pages, table = play_pages(showdown, width, height, advisers)
    return pages[-1], table


def play_pages(
    showdown: Showdown, width: int, height: int, advisers: Sequence[Adviser] = ()
) -> tuple[list[str], SoloTable]:
    """Every screen of the round, one after the other."""
    deck = stack_deck(showdown)
    table = SoloTable(OpenTable("galaxy", options=OPTIONS), lambda _: deck)
    screen = fake_terminal(width, height)
    keys = PagingKeys(screen, *EVERY_WAGER, *showdown.keys)
    PlaySession(table, keys, screen, Bankroll(), advisers=advisers).run()
    texts = re.sub(r"\x1b\[2J", "\f", screen_text(screen))
    texts = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", texts)
    return [
        "".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in texts.split("\f")
    ], table


@pytest.fixture(autouse=True)
def set_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize("width", WIDTHS)
def test_golden_showdowns(width: int) -> None:
    screens = []
    for name, showdown in SHOWDOWNS.items():
        text, _ = play_round(showdown, width)
        screens.append(f"== {name}\n{text}")
    seen = "\n".join(screens)
    path = GOLDEN / f"showdowns-{width}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(seen, encoding="utf-8")
    assert seen == path.read_text(encoding="utf-8")


def assert_every_wager_is_shown(text: str, table: SoloTable, width: int) -> None:
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text.replace("… (v)", "")
    flowing = " ".join(text.split())
    view = table.view()
    assert view.round is not None
    assert view.round.results is not None
    for row in result_rows(view.round.results[SEAT], view.round.seats[SEAT].decision):
        assert show_dollars(row.stake) in flowing
        assert ("push" if row.result is Result.PUSH else signed_dollars(row.net)) in flowing
        assert f"{row.why} ({row.clause})" in flowing
    hand = view.round.seats[SEAT].hand
    for announced in (view.round.dealer_hand, hand):
        assert announced is None or announced.name in flowing


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHOWDOWNS)
def test_every_wager_shows_stake_result_pay_and_reason(name: str, width: int) -> None:
    text, table = play_round(SHOWDOWNS[name], width)
    assert_every_wager_is_shown(text, table, width)


@pytest.mark.parametrize("name", SHOWDOWNS)
def test_showdowns_fit_on_80_by_24(name: str) -> None:
    text, table = play_round(SHOWDOWNS[name], 80, 24)
    screen = text.partition("You leave")[0]
    assert len(screen.splitlines()) <= 24
    assert_every_wager_is_shown(screen, table, 80)


@pytest.mark.parametrize("size", [(40, 24), (40, 20), (60, 20), (80, 16)])
@pytest.mark.parametrize("name", SHOWDOWNS)
def test_a_showdown_too_long_for_one_screen_has_pages(name: str, size: tuple[int, int]) -> None:
    pages, table = play_pages(SHOWDOWNS[name], *size)
    turned = [number for number, page in enumerate(pages) if REST in page]
    if not turned:  # it fits
        assert_every_wager_is_shown(pages[-1].partition("You leave")[0], table, size[0])
        return
    shown = [page.partition("You leave")[0] for page in pages[turned[0] : turned[-1] + 2]]
    assert len(shown) == len(turned) + 1
    assert "Enter deal" in shown[-1]
    assert "a Ante" in shown[-1], "the bets are not torn"
    for page in shown:
        assert len(page.splitlines()) <= size[1]
    for page in shown[1:]:
        assert not page.startswith("    "), "a reason is torn from its wager"
    assert_every_wager_is_shown(
        "".join(page.partition(f"  {REST}")[0] for page in shown), table, size[0]
    )


@pytest.mark.slow  # it solves the game
@pytest.mark.parametrize("width", WIDTHS)
def test_showdowns_are_readable_with_the_coach(width: int) -> None:
    rules = table_rules("galaxy", options=OPTIONS)
    for showdown in SHOWDOWNS.values():
        coaching = CoachSwitch(lambda: Coach(rules, Workbench().strategy), CoachMode.AFTER)
        text, table = play_round(showdown, width, 24 if width >= 80 else 60, [coaching])
        assert_every_wager_is_shown(text, table, width)
        assert "Coach:" in text
        screen = text.partition("You leave")[0]
        assert width < 80 or len(screen.splitlines()) <= 24


def test_the_best_five_cards_of_both_hands_are_marked() -> None:
    text, table = play_round(SHOWDOWNS["wins, the Odds pays"], 120)
    view = table.view()
    assert view.round is not None
    marks = re.findall(r"╰([D─])──([Y─])╯", text)
    assert sum(mark == "D" for mark, _ in marks) == 5
    assert sum(mark == "Y" for _, mark in marks) == 5
    assert "Dealer [D]: pair of fives, ace kicker" in text
    assert "You [Y]: full house, kings full of fives" in text
