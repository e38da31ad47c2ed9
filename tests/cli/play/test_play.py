"""`headsup play` at a terminal and on a pipe."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.text import Text

from headsup.cli.play.adviser import Action
from headsup.cli.play.session import PlaySession
from headsup.game.record.audit.auditor import audit
from headsup.game.round.state import Round
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from headsup.game.table.opening import OpenTable
from headsup.game.values.frozen_json import FrozenJson
from headsup.game.values.money import format_cents, show_dollars
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.solo.bankroll import Bankroll
from headsup.house.solo.table import SoloTable
from headsup.house.store.log_file import read_lines
from tests.support.cli.run import piped
from tests.support.cli.terminal import PROGRAM, Terminal, environment
from tests.support.cli.typed import REST, PagingKeys, ScriptedKeys, fake_terminal, screen_text

pytestmark = pytest.mark.slow  # real processes, one for each game


def bankroll(home: Path) -> str:
    saved = json.loads((home / "headsup" / "bankroll.json").read_text(encoding="utf-8"))
    return str(saved["bankroll"])


def lines(*keys: str) -> str:
    return "".join(f"{key}\n" for key in keys)


# From a pipe.


@pytest.mark.parametrize(("book", "shown"), [("new-york", "Progressive $0.00"), ("galaxy", "")])
def test_a_meter_seed_of_zero_is_not_replaced(book: str, shown: str, tmp_path: Path) -> None:
    """New York allows any meter seed, even zero; a given seed is not replaced."""
    words = ("--set", "meter_seed=0", "--set", "meter_contribution=0.25")
    done = piped(tmp_path, "play", "--rules", book, *words, keys="q\n")
    assert (done.code, shown in done.out) == ((0, True) if shown else (2, True))
    assert "25,000" not in done.out


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_every_rule_book_can_be_played_and_audited(book: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    keys = lines("", "r", "3", "", "c", "c", "r", "", "c", "r2", "", "c", "c", "f", "q", "q", "q")
    done = piped(tmp_path, "play", "--rules", book, "--seed", book, "--log", str(log), keys=keys)
    assert (done.code, done.err) == (0, "")
    report = audit(read_lines(log))
    assert report.is_valid
    assert report.rounds >= 3
    held = re.search(r"You leave with \$([\d,.]+) ", done.out)
    assert held is not None
    assert held[1].replace(",", "") == bankroll(tmp_path)


def test_the_same_seed_deals_the_same_cards_for_any_bets(tmp_path: Path) -> None:
    first = piped(tmp_path, "play", "--seed", "s", "--no-save", keys=lines("", "c", "c", "f"))
    other = piped(
        tmp_path, "play", "--seed", "s", "--no-save", keys=lines("a 25", "", "c", "c", "f")
    )
    cards = [re.findall("│[^ ░].*│", done.out) for done in (first, other)]
    assert cards[0]
    assert [line[:80] for line in cards[0]][-1][:16] == cards[1][-1][:16]
    assert first.out != piped(tmp_path, "play", "--no-save", keys=lines("", "c", "c", "f")).out


def test_the_bankroll_and_the_bets_are_saved(tmp_path: Path) -> None:
    piped(tmp_path, "play", "--seed", "s", keys=lines("a 20", "t 5", "", "c", "c", "f", "q"))
    assert bankroll(tmp_path) == "955.00"
    again = piped(tmp_path, "play", keys="q\n")
    assert "Chips $955.00" in again.out
    assert "Ante + Odds $20.00 each" in again.out
    assert "Trips Plus $5.00" in again.out


def test_a_new_bankroll(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--bankroll", "50", keys="q\n")
    assert "You leave with $50.00" in done.out
    assert bankroll(tmp_path) == "50.00"


@pytest.mark.parametrize("amount", ["0", "-5", "much", "1e9", "99999999999999", "0.001"])
def test_a_bad_bankroll_is_refused(amount: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--bankroll", amount)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("headsup: --bankroll")
    assert done.err.count("\n") == 1


def test_a_damaged_bankroll_is_reported_and_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "headsup"
    folder.mkdir()
    (folder / "bankroll.json").write_text("{broken")
    done = piped(tmp_path, "play", keys="q\n")
    assert done.code == 0
    assert "could not be read" in done.out
    assert (folder / "bankroll.json.unreadable").read_text() == "{broken"
    assert bankroll(tmp_path) == "1000.00"


def test_no_save_leaves_no_file(tmp_path: Path) -> None:
    piped(tmp_path, "play", "--no-save", keys=lines("", "r", "q"))
    assert list(tmp_path.iterdir()) == []


def test_a_broke_player_gets_new_chips(tmp_path: Path) -> None:
    keys = lines("a 10", "", "", "c", "c", "r", "f")
    done = piped(tmp_path, "play", "--bankroll", "20", "--seed", "s", keys=keys)
    assert "These bets leave you $0.00, not enough for any raise: you could only fold." in done.out
    assert "You are out of chips: $0.00 is less than the minimum bet." in done.out
    assert "A raise here is at least $10.00; you have $0.00." in done.out
    assert bankroll(tmp_path) == "0.00"
    again = piped(tmp_path, "play", keys="q\n")
    assert "here is $1,000.00" in again.out


def test_a_number_is_not_a_raise_if_only_one_is_permitted(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--no-save", "--seed", "s", keys=lines("", "3", "q"))
    assert "'3' does nothing here" in done.out


def test_the_meter_of_a_house_book_is_used(tmp_path: Path) -> None:
    book = Path(__file__).parents[3] / "docs" / "examples" / "my-house.toml"
    done = piped(tmp_path, "play", "--no-save", "--rules", str(book), keys="q\n")
    assert "starts at $10,000.00; $1.25 of each $5.00 wager goes to it" in done.out


def test_a_player_can_buy_chips_when_few_are_left(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--bankroll", "30", keys=lines("n", "q"))
    assert "You leave with $1,030.00 ($0.00 this session)." in done.out


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (["a 5000", ""], "You have $1,000.00, not $10,000.00."),
        (["a x"], "'x' is not an amount in dollars"),
        (["a -5"], "a bet cannot be below zero"),
        (["a 0.001"], "fraction of a cent"),
        (["z"], "'z' does nothing here"),
        (["", "f"], "You can fold only once the whole board is out"),
        (["", "c", "c", "c"], "You cannot check on the river"),
        (["", "r9"], "A raise is 3× the Ante here."),
        (["", "x"], "'x' does nothing here"),
        (["", ""], "Enter does nothing here"),
        (["", "\t"], "does nothing here"),
        (["a 1,000", ""], "Ante + Odds $1,000.00 each"),
        (["a 1,00", ""], "'1,00' has a decimal comma"),
        (["?"], "Before the deal"),
        (["", "?"], "During the round"),
    ],
)
def test_an_impossible_key_is_explained(keys: list[str], sentence: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--seed", "s", "--no-save", keys=lines(*keys))
    assert done.code == 0
    assert sentence in done.out


def test_too_many_options_in_washington_are_refused(tmp_path: Path) -> None:
    keys = lines("t 5", "p 5", "", "p 0", "", "q")
    done = piped(tmp_path, "play", "--rules", "washington", "--no-save", keys=keys)
    words = " ".join(done.out.split())
    assert "This table allows one side bet per round (WA Rules of Play, second paragraph)." in words
    assert "one side bet per round, not Trips Plus, Pocket Bonus" in words
    assert "round 1" in done.out


def test_a_choice_of_raises(tmp_path: Path) -> None:
    keys = lines("", "r", "2", "", "r", "", "", "1", "", "r5", "q")
    done = piped(tmp_path, "play", "--rules", "new-york", "--seed", "s", "--no-save", keys=keys)
    assert [done.out.count(f"{n}× on the pocket") > 0 for n in (1, 2, 3)] == [True] * 3
    assert "A raise is 1× or 2× or 3× the Ante here." in done.out


def test_a_pipe_that_ends_mid_round_ends_the_game(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    done = piped(tmp_path, "play", "--seed", "s", "--log", str(log), keys=lines("", "c"))
    assert done.code == 0
    assert "as with a time-out" in done.out
    assert "the hand was folded" in done.out
    assert bankroll(tmp_path) == "980.00"
    assert audit(read_lines(log)).is_valid


def test_a_log_is_continued(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for _ in range(2):
        piped(tmp_path, "play", "--log", str(log), keys=lines("", "r", "q"))
    report = audit(read_lines(log))
    assert (report.is_valid, report.rounds) == (True, 2)


def test_a_broken_log_is_not_continued(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("{}\n")
    done = piped(tmp_path, "play", "--log", str(log), keys="q\n")
    assert (done.code, done.out) == (2, "")
    assert "cannot add to a broken log" in done.err
    assert log.read_text() == "{}\n"


def test_unknown_rules_are_refused(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--rules", "nowhere", keys="q\n")
    assert (done.code, done.out) == (2, "")


def test_a_meter_set_as_an_option_is_used(tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--no-save", "--set", "meter_seed=500", keys="q\n")
    assert "Progressive $500.00" in done.out
    assert "$0.25 of each $1.00 wager" in done.out


# At a terminal: single keys.


@contextmanager
def at_terminal(home: Path, *arguments: str) -> Iterator[Terminal]:
    terminal = Terminal(home, "play", *arguments)
    try:
        yield terminal
    finally:
        terminal.close()


def test_single_keys(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--seed", "s", "--rules", "new-york") as terminal:
        terminal.until("q quit")
        assert terminal.modes() != terminal.before
        terminal.press("a")
        terminal.until("in dollars")
        terminal.press("29\x7f5\r")
        terminal.until("$25.00")
        terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.press("r")
        terminal.until("times the Ante?")
        terminal.press("2")
        terminal.until("This round")
        terminal.until("q quit")
        terminal.press("q")
        terminal.until("You leave with")
        assert terminal.end() == 0
        assert terminal.modes() == terminal.before
    assert bankroll(tmp_path) != "1000.00"


def test_the_help_fills_its_own_screen(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--no-save") as terminal:
        terminal.until("q quit")
        terminal.press("?")
        terminal.until("any key to go back")
        terminal.press(" ")
        terminal.until("q quit")
        terminal.press("\x1b[A")  # an arrow is one key, and does nothing
        terminal.until("does nothing here")
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("end", ["\x03", "\x04"])
@pytest.mark.parametrize("dealt", [False, True])
def test_control_keys_leave_cleanly(end: str, dealt: bool, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with at_terminal(tmp_path, "--seed", "s", "--log", str(log)) as terminal:
        terminal.until("q quit")
        if dealt:
            terminal.press("\r")
            terminal.until("c check")
        terminal.press(end)
        terminal.until("You leave with")
        assert terminal.end() == 0
        assert terminal.modes() == terminal.before
    assert bankroll(tmp_path) == ("980.00" if dealt else "1000.00")
    assert audit(read_lines(log)).is_valid


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_game_cleanly(number: signal.Signals, tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--seed", "s") as terminal:
        terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.process.send_signal(number)
        terminal.until("You leave with")
        assert terminal.end() == 0
        assert terminal.modes() == terminal.before
    assert bankroll(tmp_path) == "980.00"


def test_everything_fits_80_by_24(tmp_path: Path) -> None:
    """All wagers, settled: the fullest screen."""
    with at_terminal(tmp_path, "--seed", "s", "--no-save") as terminal:
        terminal.until("q quit")
        for keys in ("t5\r", "p5\r", "65\r", "j"):
            terminal.press(keys)
            terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.press("r")
        screen = terminal.until("q quit").rpartition("\x1b[H")[2]
        terminal.press("q")
        terminal.end()
    rows = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen).split("\n")
    assert len(rows) <= 24
    assert max(len(row.rstrip()) for row in rows) <= 80


# When the disk, the bankroll or the keys fail.


def test_a_log_that_cannot_be_written_halts_the_table(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))"
    done = subprocess.run(
        [sys.executable, "-c", f"{limit}; {PROGRAM[-1]}", "play", "--log", str(log)],
        input=lines("", "c", "c", "f", "", "r", "c", "q"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(tmp_path),
        timeout=300,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"headsup: the table halts: {log}: the log cannot be written: ")
    assert done.stderr.count("\n") == 1
    chips = audit(read_lines(log)).journal.floor.chips("solo 1", 1)
    assert bankroll(tmp_path) == format_cents(chips)
    assert f"you leave with {show_dollars(chips)}" in done.stderr


@pytest.mark.parametrize("seed", [b"\xff", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_seed_that_is_not_text_is_refused_before_money_is_taken(
    seed: bytes, tmp_path: Path
) -> None:
    done = subprocess.run(
        [*map(os.fsencode, PROGRAM), b"play", b"--seed", seed],
        input=b"\n",
        capture_output=True,
        env=environment(tmp_path),
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"headsup: --seed: must be text\n"
    assert not (tmp_path / "headsup").exists()


@pytest.mark.parametrize(("arguments", "shuffle"), [((), "sealed"), (("--seed", "s"), "seed")])
def test_the_log_records_the_source_of_the_cards(
    arguments: tuple[str, ...], shuffle: str, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    piped(tmp_path, "play", "--no-save", "--log", str(log), *arguments, keys="q\n")
    assert f'"shuffle":"{shuffle}"' in log.read_text()
    output = piped(tmp_path, "replay", str(log)).out
    assert ("dealt from a seed" in output) == (shuffle == "seed")


def test_an_empty_seed_is_valid(tmp_path: Path) -> None:
    games = [
        piped(tmp_path, "play", "--no-save", "--seed", "", keys=lines("", "r", "q"))
        for _ in range(2)
    ]
    assert games[0].out == games[1].out


def test_a_log_that_cannot_be_written_restores_the_terminal(tmp_path: Path) -> None:
    limit = (4000, 4000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with at_terminal(tmp_path, "--seed", "1", "--log", str(tmp_path / "log.jsonl")) as terminal:
        terminal.until("q quit")
        resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, limit)
        terminal.press("\r")
        terminal.until("c check")
        terminal.press("c")
        terminal.press("c")
        terminal.press("f")
        terminal.until("headsup: the table halts")
        assert terminal.end() == 2
        assert terminal.modes() == terminal.before
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == before


@pytest.mark.parametrize("device", ["/dev/full", "/dev/null", "."])
def test_a_log_must_be_a_file(device: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "play", "--no-save", "--log", device, keys="q\n")
    assert (done.code, done.out) == (2, "")
    assert done.err == f"headsup: {device}: the log cannot be written: it is not a file\n"


def test_two_games_at_once_do_not_share_a_bankroll(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--seed", "s") as terminal:
        terminal.until("q quit")
        other = piped(tmp_path, "play", "--seed", "s", keys=lines("", "c", "c", "f", "q"))
        assert other.code == 0
        assert "Another game is using your bankroll" in other.out
        assert not (tmp_path / "headsup" / "bankroll.json").exists()
        terminal.press("q")
        assert terminal.end() == 0
    assert bankroll(tmp_path) == "1000.00"
    assert "Another game" not in piped(tmp_path, "play", keys="q\n").out


def test_a_stake_is_deducted_before_the_cards_appear(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--seed", "s") as terminal:
        terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.process.kill()
        terminal.end()
    assert bankroll(tmp_path) == "980.00"


def test_a_closed_keyboard_ends_the_input(tmp_path: Path) -> None:
    close = "import os, sys; os.execv(sys.executable, sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.close(0); {close}", *PROGRAM, "play", "--no-save"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(tmp_path),
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "You leave with $1,000.00" in done.stdout


def test_bytes_that_are_not_text_are_ignored(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "--no-save"],
        input=b"\xff\xfe\n\x1b[2J\nq\n",
        capture_output=True,
        env=environment(tmp_path),
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"does nothing here" in done.stdout
    assert b"\x1b" not in done.stdout


# What fits on a screen, and what a plain one can show.


def test_the_help_explains_the_keys(tmp_path: Path) -> None:
    for key in ("?", "h", "H"):
        done = piped(tmp_path, "play", "--no-save", keys=lines(key, "q"))
        assert "  t      Trips Plus, in dollars; 0 for none" in done.out
        assert "  6      All 6, in dollars; 0 for none" in done.out
        assert "  j      Progressive on or off" in done.out
        assert "  n      buy in for $1,000.00 more" in done.out


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp437"])
def test_a_screen_without_utf_8(encoding: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "--no-save", "--seed", "friend"],
        input=b"\nc\nr\nq\n",
        capture_output=True,
        env={**environment(tmp_path), "PYTHONIOENCODING": encoding},
        timeout=300,
        check=False,
    )
    shown = done.stdout.decode(encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert shown.count("?") == shown.count("? help")  # nothing is replaced by a question mark
    for pip in ("c ", "d ", "h ", "s "):
        assert re.search(f"[|│]  {pip}[|│]", shown)


def test_a_dumb_terminal_starts_each_screen_on_a_new_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.support.cli.terminal.environment", lambda home: {**environment(home), "TERM": "dumb"}
    )
    with at_terminal(tmp_path, "--no-save") as terminal:
        terminal.until("q quit")
        terminal.press("z")
        shown = terminal.until("q quit")
        assert re.search(r"› *\r?\n.*Heads Up Hold'em", shown)
        terminal.press("?")
        shown = terminal.until("any key to go back")
        assert re.search(r"› *\r?\n The keys", shown)
        terminal.press(" ")
        terminal.until("q quit")
        terminal.press("a")
        assert "\x1b" not in terminal.until("in dollars")
        terminal.press("\rq")
        assert terminal.end() == 0


class Talker:
    """An adviser whose sentences are longer than a line."""

    def __init__(self, words: int) -> None:
        self._said = " ".join(["advice"] * words)

    @property
    def active(self) -> bool:
        return True

    def switch(self) -> str:
        return ""

    def before(self, round: Round, seat: int, choices: Sequence[Action]) -> str:  # noqa: ARG002
        return self._said

    def after(
        self,
        round: Round,  # noqa: ARG002
        seat: int,  # noqa: ARG002
        choices: Sequence[Action],  # noqa: ARG002
        action: Action,  # noqa: ARG002
    ) -> str:
        return f"Coach: {self._said}\n{self._said}"

    def at_end(self, round: Round, seat: int) -> str:  # noqa: ARG002
        return ""

    def farewell(self) -> Sequence[Text]:
        return ()


@pytest.mark.parametrize("words", [3, 14, 30, 42])
def test_every_screen_fits_80_by_24(words: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = fake_terminal()
    options = FrozenJson({"meter_seed": "100", "meter_contribution": "0.25"})
    table = SoloTable(
        OpenTable("galaxy", options=options), lambda n: shuffle_deck(seeded_bits("friend", n))
    )
    typed = ("t 5", "p 5", "6 5", "j", "", "c", "r", "", "c", "c", "f", "", "r")
    keys = PagingKeys(screen, *typed)
    PlaySession(table, keys, screen, Bankroll(), advisers=[Talker(words)]).run()
    screens = re.split(r"\x1b\[2J", screen_text(screen))[1:]
    assert len(screens) > 8
    begun = False
    for shown in screens[:-1]:
        text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown)
        assert text.count("\n") < 24, text
        assert all(len(line.rstrip()) <= 78 for line in text.splitlines()), text
        assert begun or "galaxy" in text.splitlines()[0]
        begun = REST in text
    whole = re.sub(rf"{REST} ›.*?\x1b\[2J", "", screen_text(screen), flags=re.DOTALL)
    settled = [shown for shown in re.split(r"\x1b\[2J", whole) if "This round" in shown]
    assert settled
    assert all("All 6" in shown and "advice" in shown for shown in settled[:-1])


def test_reasons_are_shown_if_there_is_room(tmp_path: Path) -> None:
    with at_terminal(tmp_path, "--no-save", "--seed", "friend") as terminal:
        terminal.until("q quit")
        terminal.press("\r")
        terminal.until("c check")
        terminal.press("r")
        terminal.until("G 11(h)")
        terminal.until("q quit")
        terminal.press("q")
        assert terminal.end() == 0


def test_chips_do_not_give_the_result_away_before_the_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    options = FrozenJson({"meter_seed": "100", "meter_contribution": "0.25"})
    table = SoloTable(
        OpenTable("galaxy", options=options), lambda n: shuffle_deck(seeded_bits("chips", n))
    )
    screen = fake_terminal()
    PlaySession(table, ScriptedKeys("", "r"), screen, Bankroll(cents=100_000)).run()
    looks = re.split(r"\x1b\[2J", screen_text(screen))
    shown = [re.search(r"Chips \$([\d,.]+)", look) for look in looks]
    chips = [match[1] for match in shown if match]
    after_raise = "950.00"  # 10 on Ante and Odds, 30 on the Raise
    assert chips.count(after_raise) >= 2  # flop and river are looked at before the settlement
    assert chips[-1] != after_raise
