"""`headsup replay` of a round and a log, step by step, for each viewer."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from headsup.cli.screens.felt import void_words
from headsup.cli.screens.replay import step_sentence
from headsup.game.record.audit.auditor import Auditor
from headsup.game.record.replay import AppliedEvent, replay_steps
from headsup.game.round.commands import CloseBets, PlaceBets, Proceed, ReportIrregularity
from headsup.game.rulebook.model import Cause
from headsup.game.rulebook.wagers import Wager
from headsup.game.table.commands import PlayerAt
from headsup.game.table.equipment import FlagCorrected, WagersCountedByHand
from headsup.game.table.events import Event
from headsup.game.table.meter_control import FreezeMeter
from headsup.game.table.opening import OpenTable
from headsup.game.table.rounds import OpenRound
from headsup.game.table.seating import BuyIn, PlayerSat, Sit
from headsup.game.views.model import VoidView
from headsup.game.views.viewers import Watcher
from headsup.game.words.languages import CATALOGUES
from tests.support.cli.run import piped
from tests.support.cli.terminal import Terminal
from tests.support.logs import DEALER, METERED, Recorder, open_table, record_rounds
from tests.support.tables import opened

GOLDEN = Path(__file__).parents[1] / "golden"
ROUND = Path(__file__).parents[3] / "docs" / "examples" / "round.json"
LOG = record_rounds(6, seed=12, books=("galaxy", "new-york"))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(LOG.lines))
    return path


def steps(home: Path, *arguments: str) -> list[dict[str, Any]]:
    done = piped(home, "replay", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize("viewer", ["rail", "seat 1", "seat 2", "dealer", "tablevision"])
def test_a_round_as_each_viewer_sees_it(viewer: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(ROUND), "--as", viewer)
    assert (done.code, done.err) == (0, "")
    golden = GOLDEN / f"replay-{viewer.replace(' ', '-')}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        golden.write_text(done.out, encoding="utf-8")
    assert done.out == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words", [["--as", "seat", "2"], ["--as", "seat 2"], ["--as", "seat:2"], ["--as=seat2"]]
)
def test_ways_to_name_a_seat(words: list[str], tmp_path: Path) -> None:
    assert steps(tmp_path, str(ROUND), *words)[-1]["view"]["you"] == 2
    assert steps(tmp_path, *words, str(ROUND))[-1]["view"]["you"] == 2


def test_steps_hold_only_what_the_viewer_may_see(tmp_path: Path) -> None:
    """No card is named before it is face up, except the viewer's own."""
    for viewer, own in (("rail", ""), ("seat 2", "7h2s"), ("dealer", "")):
        shown = steps(tmp_path, str(ROUND), "--as", viewer)
        assert [step["step"] for step in shown] == list(range(1, len(shown) + 1))
        assert all(set(step) == {"step", "event", "say", "view"} for step in shown)
        before = [step for step in shown if step["view"]["round"]["phase"] == "pocket"]
        assert before
        for step in before:
            text = json.dumps(step, ensure_ascii=False)  # not \\u2019s for ’s
            named = set(re.findall(r"[2-9TJQKA][cdhs](?![a-z])", text))
            assert named == set(re.findall("..", own))
        assert not any("deck" in step["event"] or "settlement" in step["event"] for step in shown)


def test_decisions_of_others_are_shown_when_the_street_closes(tmp_path: Path) -> None:
    names = [step["event"]["event"] for step in steps(tmp_path, str(ROUND), "--as", "seat 2")]
    assert "Raised" not in names  # seat 1 raised while seat 2 was still to decide
    assert names.count("Checked") == 2


def test_a_log_shows_what_happened_to_all_tables(log: Path, tmp_path: Path) -> None:
    shown = steps(tmp_path, str(log), "--as", "dealer")
    assert {step["view"]["table"] for step in shown} == {"T galaxy", "T new-york"}
    opened = [step for step in shown if step["event"]["event"] == "RoundOpened"]
    assert len(opened) == 6


def test_one_round_of_one_table(log: Path, tmp_path: Path) -> None:
    shown = steps(tmp_path, str(log), "--table", "T new-york", "--round", "2")
    assert shown[0]["event"] == {"event": "RoundOpened", "number": 2}
    assert shown[-1]["event"]["event"] == "RoundClosed"
    assert {step["view"]["table"] for step in shown} == {"T new-york"}


def test_the_last_view_matches_the_end_of_the_log(log: Path, tmp_path: Path) -> None:
    from tests.support.wire import for_rail

    *_, last = Auditor().verify_entries(LOG.lines)
    assert steps(tmp_path, str(log))[-1]["view"] == json.loads(
        json.dumps(for_rail(last.journal.floor, last.table))
    )


def test_a_round_of_a_log_is_written_as_toml(log: Path, tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(log), "--table", "T galaxy", "--round", "1", "--toml")
    assert (done.code, done.err) == (0, "")
    path = tmp_path / "round.toml"
    path.write_text(done.out, encoding="utf-8")
    assert piped(tmp_path, "settle", str(path)).code == 0
    assert piped(tmp_path, "replay", str(path), "--toml").out == done.out
    assert steps(tmp_path, str(path))[-1]["event"]["event"] == "RoundClosed"


def test_a_round_written_as_toml_keeps_its_irregularity_reports(tmp_path: Path) -> None:
    log = Recorder()
    for table in ("T1", "T2"):
        open_table(log, "galaxy-wpt", table, seats=(1,))
    log.do("T1", DEALER, OpenRound())
    log.do("T1", PlayerAt(1), PlaceBets(1, {Wager.ANTE: 500, Wager.ODDS: 500}))
    log.do("T1", DEALER, CloseBets())
    log.do("T1", DEALER, ReportIrregularity(Cause.FOUL_DECK, "Ann", "Bob"))
    log.do("T2", DEALER, OpenRound())
    while log.journal.floor.tables["T1"].is_playing:
        log.do("T1", DEALER, Proceed())
    path = tmp_path / "two.jsonl"
    path.write_text("".join(log.lines))
    done = piped(tmp_path, "replay", str(path), "--toml")
    assert done.code == 0
    assert 'cause = "foul_deck"' in re.sub(" +", " ", done.out)


def test_toml_needs_a_single_round(log: Path, tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(log), "--toml")
    assert (done.code, done.out) == (2, "")
    assert "6 settled rounds; choose with --table and --round" in done.err


def test_a_broken_log_is_shown_up_to_its_first_fault(log: Path, tmp_path: Path) -> None:
    lines = list(LOG.lines)
    lines[20] = lines[20].replace("2026", "2027")
    log.write_text("".join(lines))
    done = piped(tmp_path, "replay", str(log), "--as", "dealer")
    assert done.code == 1
    assert "is broken from here on: entry 20" in done.err
    assert "The table opens: galaxy." in done.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.toml"], "cannot be read"),
        (["nowhere.jsonl"], "cannot be read"),
        (["nowhere"], "cannot be read"),
        ([str(ROUND), "--as", "cat"], "is not seat N, dealer, rail or tablevision"),
        ([str(ROUND), "--as", "seat"], "is not seat N"),
        ([str(ROUND), str(ROUND)], "takes one file"),
        ([str(ROUND), "--round", "9"], "there is no round 9; it has 1 round at"),
    ],
)
def test_impossible_requests_are_refused(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_stepping_waits_for_enter(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "replay", str(ROUND), "--step")
    try:
        terminal.until("REPLAY")
        terminal.until("Round 1: place your bets")
        terminal.until("Enter for more")
        terminal.press("\n")
        terminal.until("Seat 1 bets")
        terminal.until("Enter for more")
        terminal.press("q\n")
        assert terminal.end() == 0
    finally:
        terminal.close()


def test_without_a_terminal_stepping_does_not_wait(tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(ROUND), "--step")
    assert done.code == 0
    assert "The round is closed." in done.out


# Names and texts of a log are somebody's words, not ours.

EVIL = "A\nThe log is intact.\x1b[2J"


def short_log(path: Path, reason: str = "") -> Path:
    recorder = Recorder()
    recorder.ask("T", DEALER, OpenTable("galaxy", options=METERED))
    recorder.ask("T", PlayerAt(1), Sit(1, "Ann"))
    recorder.ask("T", PlayerAt(1), BuyIn(1, 10_000))
    assert not reason or recorder.ask("T", DEALER, FreezeMeter(reason))
    recorder.ask("T", DEALER, OpenRound())
    path.write_text("".join(recorder.lines))
    return path


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    path = short_log(tmp_path / "log.jsonl", reason=EVIL)
    for viewer in ("rail", "seat 1", "dealer", "tablevision"):
        done = piped(tmp_path, "replay", str(path), "--as", viewer)
        assert (done.code, done.err) == (0, "")
        assert "\x1b" not in done.out
        assert not any(line.startswith("The log is intact") for line in done.out.splitlines())
    assert r"(frozen: A\nThe log is intact.\x1b[2J)" in done.out


def said(event: Event, language: str = "en") -> str:
    """What the dealer reads of the event in a replay."""
    applied = AppliedEvent("T1", event, opened("washington").floor)
    (step,) = replay_steps(iter([applied]), Watcher.DEALER)
    return step_sentence(step, CATALOGUES[language]).plain


def test_every_name_and_text_is_made_printable() -> None:
    assert said(PlayerSat(1, EVIL)) == (r"A\nThe log is intact.\x1b[2J sits down at seat 1.")


def test_control_characters_of_a_broken_entry_are_escaped(tmp_path: Path) -> None:
    path = short_log(tmp_path / "log.jsonl")
    path.write_text(path.read_text() + '{"a\x1b[2J')
    done = piped(tmp_path, "replay", str(path))
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    assert done.err.count("\n") == 1


# Viewers.


def test_tablevision_without_a_progressive(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    piped(
        tmp_path, "play", "--rules", "galaxy-wpt", "--no-save", "--log", str(log), keys="\nr\n\nq\n"
    )
    done = piped(tmp_path, "replay", str(log), "--as", "tablevision")
    assert (done.code, done.err) == (0, "")
    assert "No progressive at this table." in done.out


@pytest.mark.parametrize("viewer", ["seat 99", "seat 6", "seat 3"])
def test_an_empty_seat_is_refused_as_a_viewer(viewer: str, tmp_path: Path) -> None:
    log = short_log(tmp_path / "log.jsonl")
    for file in (log, ROUND):
        done = piped(tmp_path, "replay", str(file), "--as", viewer)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"headsup: {file}: nobody sits in {viewer}\n"


def test_a_broken_log_is_shown_to_a_seat_too(log: Path, tmp_path: Path) -> None:
    log.write_text("".join(LOG.lines[:2]) + "{\n")
    done = piped(tmp_path, "replay", str(log), "--as", "seat 1")
    assert done.code == 1
    assert "The table opens" in done.out
    assert "is broken from here on: entry 2" in done.err


@pytest.mark.parametrize(
    ("name", "text"), [("bad.toml", "a = = 1"), ("none.toml", "x = 1"), ("none.json", "{}")]
)
def test_errors_in_a_written_round_name_its_file(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    done = piped(tmp_path, "replay", str(path))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"headsup: {path}: ")
    assert done.err.count(str(path)) == 1


def test_equipment_events_use_the_books_names_of_wagers() -> None:
    corrected = FlagCorrected(2, Wager.PROGRESSIVE, True, "why", "Dee", "Sue")
    assert said(corrected) == "Seat 2’s Progressive Jackpot counts as a wager."
    assert said(WagersCountedByHand({Wager.TRIPS_PLUS: 2})) == "Counted by hand: 2 Trips Plus."


@pytest.mark.clause("NY (j)(2)(i)")
def test_a_void_says_what_happens_to_the_stakes() -> None:
    exposed = VoidView(Cause.DEALER_CARD_EXPOSED, "NY (j)(1)", False, (Wager.TRIPS_PLUS,))
    assert void_words(exposed) == (
        "VOID: dealer card exposed; stakes are returned, Trips Plus is settled"
    )
    foul = VoidView(Cause.FOUL_DECK, "R95", True, ())
    assert void_words(foul) == "VOID: foul deck (house rule); stakes are returned"


def test_a_replay_speaks_german(tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(ROUND), "--as", "seat 1", "--lang", "de")
    assert done.code == 0
    assert "Sie haben " in done.out
    assert "Nichts geht mehr." in done.out
    lines = steps(tmp_path, str(ROUND), "--as", "rail", "--lang", "de")
    assert "Die Karten sind gegeben." in [line["say"] for line in lines]


def test_a_language_that_there_is_not_is_refused(tmp_path: Path) -> None:
    done = piped(tmp_path, "replay", str(ROUND), "--lang", "fr")
    assert done.code == 2
    assert "--lang knows en or de, not 'fr'" in done.err
