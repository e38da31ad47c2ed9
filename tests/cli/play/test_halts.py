"""When a game loses its log or screen, the log and the bankroll still agree."""

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
from headsup.game.table.opening import OpenTable
from headsup.game.values.money import MICROS_PER_CENT, show_dollars
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.solo.bankroll import Bankroll, BankrollFile
from headsup.house.solo.table import SEAT, SoloTable
from headsup.house.store.log_file import Logbook, read_lines
from tests.support.cli.typed import ScriptedKeys, fake_pipe

# A fold, a raise before the flop, a hand that is left open.
KEYS = ("t 5", "p 5", "", "c", "c", "f", "", "r", "", "c")


def play(folder: Path, console: Console, *keys: str) -> None:
    with Logbook(folder / "log.jsonl") as logbook:
        opening = OpenTable("sugarhouse")
        table = SoloTable(
            opening, lambda number: shuffle_deck(seeded_bits("roll", number)), logbook
        )
        purse_file = BankrollFile(folder / "bankroll.json")
        PlaySession(table, ScriptedKeys(*keys), console, purse_file.load()[0], purse_file).run()


def audit_log(folder: Path) -> AuditReport:
    report = audit(read_lines(folder / "log.jsonl"))
    assert report.is_valid
    return report


def bankroll(folder: Path) -> int:
    return BankrollFile(folder / "bankroll.json").load()[0].cents


@contextmanager
def limit_file_size(size: int) -> Iterator[None]:
    """Limit file sizes, as on a disk that becomes full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
def test_no_failed_write_gives_a_free_roll(tmp_path: Path) -> None:
    """Whichever log write fails, the bankroll equals the chips in the log, and stakes on cards
    already seen are not returned."""
    whole = tmp_path / "whole"
    whole.mkdir()
    play(whole, fake_pipe(), *KEYS)
    assert bankroll(whole) != Bankroll().cents
    ends = [len(line) for line in read_lines(whole / "log.jsonl")]
    sizes = sorted({sum(ends[:count]) - 1 for count in range(1, len(ends) + 1)})
    on_felt = 0
    for size in sizes:
        folder = tmp_path / str(size)
        folder.mkdir()
        with limit_file_size(size), pytest.raises(Refused) as refused:
            play(folder, fake_pipe(), *KEYS)
        assert refused.value.code == Code.UNWRITABLE_LOG
        floor = audit_log(folder).journal.floor
        table = floor.tables.get("solo 1")
        if table is None or SEAT not in table.players:
            assert not (folder / "bankroll.json").exists()
            continue
        rack = floor.chips("solo 1", SEAT)
        assert bankroll(folder) == rack
        assert f"you leave with {show_dollars(rack)}" in refused.value.message
        dealt = table.round is not None and table.is_playing and bool(table.round.deck)
        on_felt += dealt
        assert dealt == ("stay there" in refused.value.message)
    assert on_felt > 5


def test_a_halted_log_continues_at_a_new_table(tmp_path: Path) -> None:
    with limit_file_size(6000), suppress(Refused):
        play(tmp_path, fake_pipe(), *KEYS)
    before = bankroll(tmp_path)
    play(tmp_path, fake_pipe())
    assert bankroll(tmp_path) == before
    assert {"solo 1", "solo 2"} <= set(audit_log(tmp_path).journal.floor.tables)


class Screen:
    """A screen that fails after a number of writes."""

    def __init__(self, most: int = 1000) -> None:
        self._most, self.writes = most, 0

    def write(self, text: str) -> int:
        if self.writes == self._most:
            raise UnwritableOutput("Input/output error")
        self.writes += 1
        return len(text)

    def flush(self) -> None:
        """Nothing is buffered."""


@pytest.mark.slow
def test_a_lost_screen_counts_as_a_player_who_left(tmp_path: Path) -> None:
    """Whenever the screen fails, the hand times out and is logged, and the bankroll is saved."""
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
        report = audit_log(folder)
        assert SEAT not in report.journal.floor.tables["solo 1"].players
        open_hands += any('"auto":true' in line for line in read_lines(folder / "log.jsonl"))
        ledger = report.journal.floor.ledger
        won = ledger.balance(cage_account()) // MICROS_PER_CENT
        assert bankroll(folder) == Bankroll().cents + won
    assert open_hands > 3


def test_the_log_is_complete_after_every_key(tmp_path: Path) -> None:
    """One write per key: the events of a key are in the log completely or not at all."""
    sizes = []

    class Watched(ScriptedKeys):
        def key(self) -> str:
            sizes.append(os.path.getsize(tmp_path / "log.jsonl"))
            return super().key()

    with Logbook(tmp_path / "log.jsonl") as logbook:
        table = SoloTable(
            OpenTable("sugarhouse"), lambda n: shuffle_deck(seeded_bits("roll", n)), logbook
        )
        PlaySession(table, Watched("", "c", "c", "f"), fake_pipe(), Bankroll()).run()
    assert sizes[0] < sizes[1] < sizes[2] < sizes[3] < sizes[4]
