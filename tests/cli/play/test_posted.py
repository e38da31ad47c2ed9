"""Posted rules can be read during a game, and required notices are shown."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from headsup.cli.play.session import PlaySession
from headsup.game.rulebook.loader import SHIPPED_BOOKS, load_book
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.opening import OpenTable
from headsup.game.values.frozen_json import FrozenJson
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.solo.bankroll import Bankroll
from headsup.house.solo.table import SoloTable
from tests.support.cli.run import ROOT, headsup, piped
from tests.support.cli.typed import ScriptedKeys, fake_pipe, fake_terminal, screen_text
from tests.support.tables import CARD_ROOM

METER = {"meter_seed": "2500.00", "meter_contribution": "0.25"}
# Washington's HH/JP-7: every prize is the operator's, and the figure shown is no fund.
BONUS = {
    "flopped_royal_flush_in_spades": "100%",
    "flopped_royal_flush": "10%",
    "royal_flush": "10%",
    "community_royal_flush": "10%",
    "straight_flush": "200",
    "four_of_a_kind": "50",
    "full_house": "10",
    "flush": "5",
}


NOTICE = (
    "Bonus Jackpot prizes are paid by the casino and are not components of any progressive "
    "prize contest."
)


def open_table(book: str, **choices: object) -> SoloTable:
    room = CARD_ROOM if book.startswith("washington") else {}
    return at(OpenTable(book, options=FrozenJson({**room, **choices})))


def at(opening: OpenTable) -> SoloTable:
    return SoloTable(opening, lambda number: shuffle_deck(seeded_bits("posted", number)))


def play_keys(table: SoloTable, *keys: str) -> str:
    console = fake_pipe()
    PlaySession(table, ScriptedKeys(*keys), console, Bankroll()).run()
    return screen_text(console)


def pays(rules: TableRules) -> list[tuple[str, str]]:
    return [
        (row.label, row.pay.short)
        for table in rules.paytables.values()
        for row in table.rows
        if not table.is_unreachable(row.outcome)
    ]


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_raises_paytables_notices_and_inscriptions_are_posted(book: str) -> None:
    has_meter = Wager.PROGRESSIVE in load_book(book).offers
    table = open_table(book, **METER if has_meter else {})
    shown = play_keys(table, "a 20", "l", "q")
    rules = table.table.rules
    for street, multiples in rules.raises.items():
        times = "/".join(f"{multiple}×" for multiple in multiples)
        values = "/".join(f"${20 * multiple}.00" for multiple in multiples)
        assert f"{times} the Ante: {values}" in " ".join(shown.split()), street
    for label, pay in pays(rules):
        assert re.search(rf"{re.escape(label[:43])}.* {re.escape(pay)}\n", shown), label
    words = " ".join(shown.split())
    texts = [notice.text for notice in rules.book.layout]
    texts += [notice.text for notice in rules.book.notices if notice.when == "always"]
    assert [text for text in texts if " ".join(text.split()) not in words] == []


def test_limits_are_posted() -> None:
    limits = {"ante": {"min": "5.00", "max": "100.00", "step": "5.00"}}
    shown = play_keys(open_table("galaxy", limits=limits, **METER), "l", "q")
    assert re.search(r"Ante +from \$5\.00 up to \$100\.00 in steps of \$5\.00", shown)
    assert re.search(r"Progressive +always \$1\.00", shown)


@pytest.mark.clause("SH Raise cap", "SH Raise cap exclusions")
def test_a_cap_is_posted_with_what_it_leaves_out() -> None:
    words = " ".join(play_keys(open_table("sugarhouse"), "l", "q").split())
    assert "at most $50,000.00 in winnings on Ante, Odds and Raise per player" in words
    assert "Trips Plus and Pocket Bonus are not limited." in words


def test_without_limits_none_are_posted() -> None:
    assert "None posted" in play_keys(open_table("galaxy-wpt"), "l", "q")


@pytest.mark.clause("WA 2 play")
def test_washingtons_raise_is_called_play() -> None:
    shown = play_keys(
        open_table("washington", **METER), "?", "l", "", "r", "", "c", "c", "c", "x", "f", "q"
    )
    assert "r play 3× ($30.00)" in shown
    assert "cannot check on the river: play or fold" in shown
    assert not re.search(r"\b[Rr]aise", shown)


@pytest.mark.clause("WA App. D note 5 language")
@pytest.mark.parametrize("screen", [fake_terminal, fake_pipe])
def test_a_bonus_figure_is_never_shown_without_its_notice(
    screen: Callable[[], Console], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    options = FrozenJson({**CARD_ROOM, "bonus": {"progressive": BONUS}, "meter_seed": "5000.00"})
    table = at(OpenTable("washington", (("progressive", "HH/JP-7"),), options))
    console = screen()
    keys = ScriptedKeys("j", "l", "escape", "", "c", "r", "", "c", "c", "f", "q")
    PlaySession(table, keys, console, Bankroll()).run()
    screens = re.split(r"\x1b\[2J|\n(?= Heads Up| washington)", screen_text(console))
    figures = [shown for shown in screens if "$5,000.00" in shown or "100%" in shown]
    assert len(figures) > 5
    for shown in figures:
        assert NOTICE in " ".join(shown.split())
        assert shown.count("\n") < 24 or screen is fake_pipe


@pytest.mark.clause("WA App. D note 5 language")
def test_an_audit_prints_the_notice_with_the_figure(tmp_path: Path) -> None:
    cells = (f"bonus.progressive.{outcome}={pays}" for outcome, pays in BONUS.items())
    choices = ("progressive=HH/JP-7", "meter_seed=5000", *cells)
    words = [word for choice in choices for word in ("--set", choice)]
    log = str(tmp_path / "log.jsonl")
    assert piped(tmp_path, "play", "--rules", "washington", *words, "--log", log).code == 0
    output = headsup("audit", log).out
    assert "$5,000.00" in output
    assert NOTICE in " ".join(output.split())


# A figure that a page takes from the lobby's list or from a view.
FIGURE = re.compile(r"formatMoney\((?:\w+\.)?(?:table|one|meter|shown)\.(?:meter|shows)\)")
# In the felt the words stand in a place of their own, for all notices (`draw.js`); a pool that
# another may go to is a progressive's, not a Bonus.
ELSEWHERE = {"table/felt.js", "console/command-forms.js"}


@pytest.mark.clause("WA App. D note 5 language")
def test_every_page_shows_the_notice_beside_the_figure() -> None:
    pages = ROOT / "src" / "headsup" / "web" / "static"
    sources = {
        path.relative_to(pages).as_posix(): path.read_text(encoding="utf-8")
        for path in pages.rglob("*.js")
    }
    shown = {name: source for name, source in sources.items() if FIGURE.search(source)}
    assert {
        "console/main.js",
        "lib/dealer-view.js",
        "office/tables.js",
        "table/lobby.js",
    } <= shown.keys()
    for name in shown.keys() - ELSEWHERE:
        for figure in FIGURE.finditer(shown[name]):
            around = shown[name][max(0, figure.start() - 600) : figure.end() + 600]
            assert "notices" in around, f"{name}: {figure[0]}"


def test_pages_are_turned_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    console = fake_terminal()
    table = open_table("washington", **METER)
    PlaySession(table, ScriptedKeys("l", "", "", "", "l", "q", "q"), console, Bankroll()).run()
    screens = re.split(r"\x1b\[2J", screen_text(console))
    pages = [screen for screen in screens if "Posted at this table" in screen]
    assert len(pages) == 4  # three pages, then the first again
    assert all(screen.count("\n") < 24 for screen in pages)
    assert ["any key for more" in screen for screen in pages] == [True, True, False, True]


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_pages_wrap_on_a_narrow_screen_and_cut_no_amount(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    wide, narrow = (fake_terminal(columns, 200) for columns in (120, 40))
    meter = METER if Wager.PROGRESSIVE in load_book(book).offers else {}
    for screen in (wide, narrow):
        PlaySession(
            open_table(book, **meter), ScriptedKeys("l", " ", "?", " "), screen, Bankroll()
        ).run()
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen_text(narrow))
    for amount in re.findall(r"\$[\d,.]+\d|\(?Ctrl-D do not\)?", screen_text(wide)):
        assert amount in " ".join(shown.split())


def test_refusing_an_extra_wager_uses_the_tables_words() -> None:
    text = play_keys(open_table("washington", **METER), "t 5", "p 5", "")
    assert "one side bet per round, not Trips Plus, Pocket Bonus" in " ".join(text.split())
    assert "pocket_bonus" not in text
