"""A game whose log or screen is lost: what the log says and what the bankroll says agree."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from rich.console import Console

from headsup.cli.play.session import PlaySession
from headsup.cli.shell.streams import UnwritableOutput
from headsup.game.bank.ledger import cage_account
from headsup.game.record.audit.auditor import AuditReport, audit
from headsup.game.refusal import Code, Refused
from headsup.game.table.commands import OpenTable
from headsup.game.values.money import MICROS_PER_CENT, show_dollars
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.solo.bankroll import Bankroll, BankrollFile
from headsup.house.solo.logbook import Logbook, read_lines
from headsup.house.solo.table import SEAT, SoloTable
from tests.cli.typed import Typed, pipe

# A fold, a raise before the flop, a hand that is left open.
KEYS = ("t 5", "p 5", "", "c", "c", "f", "", "r", "", "c")


def play(folder: Path, console: Console, *keys: str) -> None:
    with Logbook(folder / "log.jsonl") as logbook:
        opening = OpenTable("sugarhouse")
        table = SoloTable(
            opening, lambda number: shuffle_deck(seeded_bits("roll", number)), logbook
        )
        purse_file = BankrollFile(folder / "bankroll.json")
        PlaySession(table, Typed(*keys), console, purse_file.load()[0], purse_file).run()


def audited(folder: Path) -> AuditReport:
    report = audit(read_lines(folder / "log.jsonl"))
    assert report.holds
    return report


def bankroll(folder: Path) -> int:
    return BankrollFile(folder / "bankroll.json").load()[0].cents


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """As on a disk that is full after so many bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
def test_no_free_roll_whichever_write_fails(tmp_path: Path) -> None:
    """At every entry of a whole game: what the log has in the rack is what the purse has, and
    stakes on cards that were seen are not handed back."""
    whole = tmp_path / "whole"
    whole.mkdir()
    play(whole, pipe(), *KEYS)
    assert bankroll(whole) != Bankroll().cents
    ends = [len(line) for line in read_lines(whole / "log.jsonl")]
    sizes = sorted({sum(ends[:count]) - 1 for count in range(1, len(ends) + 1)})
    on_felt = 0
    for size in sizes:
        folder = tmp_path / str(size)
        folder.mkdir()
        with files_up_to(size), pytest.raises(Refused) as refused:
            play(folder, pipe(), *KEYS)
        assert refused.value.code == Code.UNWRITABLE_LOG
        floor = audited(folder).journal.floor
        table = floor.tables.get("solo 1")
        if table is None or SEAT not in table.players:
            assert not (folder / "bankroll.json").exists()
            continue
        rack = floor.chips("solo 1", SEAT)
        assert bankroll(folder) == rack
        assert f"you leave with {show_dollars(rack)}" in refused.value.message
        dealt = table.round is not None and table.playing and bool(table.round.deck)
        on_felt += dealt
        assert dealt == ("stay there" in refused.value.message)
    assert on_felt > 5


def test_a_halted_log_is_continued_at_a_table_of_its_own(tmp_path: Path) -> None:
    with files_up_to(6000), suppress(Refused):
        play(tmp_path, pipe(), *KEYS)
    before = bankroll(tmp_path)
    play(tmp_path, pipe())
    assert bankroll(tmp_path) == before
    assert {"solo 1", "solo 2"} <= set(audited(tmp_path).journal.floor.tables)


class Screen:
    """A screen that takes so many writes and no more."""

    def __init__(self, most: int = 1000) -> None:
        self._most, self.writes = most, 0

    def write(self, text: str) -> int:
        if self.writes == self._most:
            raise UnwritableOutput("Input/output error")
        self.writes += 1
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


@pytest.mark.slow
def test_a_screen_that_is_lost_is_a_player_who_has_gone(tmp_path: Path) -> None:
    """Whenever it goes, the hand is played out by the clock, recorded, and the purse kept."""
    whole = tmp_path / "whole"
    whole.mkdir()
    screen = Screen()
    play(whole, Console(file=screen, width=80), *KEYS)  # type: ignore[arg-type]
    open_hands = 0
    for writes in range(0, screen.writes, 3):
        folder = tmp_path / str(writes)
        folder.mkdir()
        console = Console(file=Screen(writes), width=80)  # type: ignore[arg-type]
        with pytest.raises(UnwritableOutput):
            play(folder, console, *KEYS)
        report = audited(folder)
        assert SEAT not in report.journal.floor.tables["solo 1"].players
        open_hands += any('"auto":true' in line for line in read_lines(folder / "log.jsonl"))
        ledger = report.journal.floor.ledger
        won = ledger.balance(cage_account()) // MICROS_PER_CENT
        assert bankroll(folder) == Bankroll().cents + won
    assert open_hands > 3


def test_the_log_is_whole_after_every_key(tmp_path: Path) -> None:
    """One write for each key: what a key sets off is in the log as a whole, or not at all."""
    sizes = []

    class Watched(Typed):
        def key(self) -> str:
            sizes.append(os.path.getsize(tmp_path / "log.jsonl"))
            return super().key()

    with Logbook(tmp_path / "log.jsonl") as logbook:
        table = SoloTable(
            OpenTable("sugarhouse"), lambda n: shuffle_deck(seeded_bits("roll", n)), logbook
        )
        PlaySession(table, Watched("", "c", "c", "f"), pipe(), Bankroll()).run()
    assert sizes[0] < sizes[1] < sizes[2] < sizes[3] < sizes[4]
