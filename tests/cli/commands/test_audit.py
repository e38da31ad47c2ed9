"""`headsup audit` of intact and broken logs."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from headsup.cli.screens.audit import print_report
from headsup.game.bank.balances import Balances
from headsup.game.bank.ledger import Account, AccountKind, Ledger
from headsup.game.record.audit.auditor import AuditReport, Finding
from headsup.game.record.chain import Head, format_link, make_link, parse_link
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from tests.support.cli.run import headsup
from tests.support.logs import record_rounds

LOG = record_rounds(4, seed=11, books=("galaxy", "new-york"))
HEAD = LOG.journal.head
NOON = "2026-01-31T12:00:00Z"
ANCHOR = f"{HEAD.count}:{HEAD.hash}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(LOG.lines))
    return path


def test_an_intact_log(log: Path) -> None:
    done = headsup("audit", str(log))
    assert (done.code, done.err) == (0, "")
    assert "The log is intact." in done.out
    assert f"{HEAD.count} entries, 4 rounds, 2 tables" in done.out
    assert f"head {ANCHOR}" in done.out
    assert "Without an anchor, entries cut off" in done.out


def test_an_anchored_log_prints_no_reservation(log: Path) -> None:
    done = headsup("audit", str(log), "--anchor", ANCHOR)
    assert done.code == 0
    assert "Without an anchor" not in done.out


def test_the_report_as_json(log: Path) -> None:
    done = headsup("audit", str(log), "--json")
    answer = json.loads(done.out)
    assert answer["holds"] is True
    assert (answer["entries"], answer["rounds"], answer["tables"]) == (HEAD.count, 4, 2)
    assert answer["head"] == {"count": HEAD.count, "hash": HEAD.hash}
    assert answer["difference"] is None
    assert answer["anchored"] is False
    assert set(answer["meters"]) == {"T galaxy meter", "T new-york meter"}
    assert sum(round(float(amount) * 1_000_000) for amount in answer["balances"].values()) == 0


def test_an_edited_amount_is_named(log: Path) -> None:
    lines = list(LOG.lines)
    at = next(i for i, line in enumerate(lines) if "BoughtIn" in line)
    lines[at] = lines[at].replace("100000000", "200000000")
    log.write_text("".join(lines))
    done = headsup("audit", str(log))
    assert done.code == 1
    assert f"The log is broken at entry {at}." in done.out
    assert f"Entries 0 to {at - 1} are intact." in done.out
    answer = json.loads(headsup("audit", str(log), "--json").out)
    assert (answer["holds"], answer["difference"]["entry"]) == (False, at)
    assert answer["difference"]["fault"] == "hash"


def test_a_wrong_state_and_the_right_one_are_shown_in_full(log: Path) -> None:
    """If the chain was rebuilt, the two digests can be compared."""
    link = parse_link(LOG.lines[-1])
    right, wrong = link.entry["state"], link.entry["state"][::-1]
    before = Head(link.index, parse_link(LOG.lines[-2]).hash)
    forged = make_link(before, link.entry | {"state": wrong})
    log.write_text("".join([*LOG.lines[:-1], format_link(forged)]))
    difference = headsup("audit", str(log), "--json").json["difference"]
    assert (difference["expected"], difference["found"]) == (f"state {right}", f"state {wrong}")
    lines = headsup("audit", str(log)).out.splitlines()
    assert [f"  expected  state {right}", f"  found     state {wrong}"] == lines[1:3]


def test_the_number_of_matching_anchors_is_shown(log: Path, tmp_path: Path) -> None:
    heads = [parse_link(line).head for line in LOG.lines[4:40:10]]
    anchors = tmp_path / "anchors"
    rows = [{"at": NOON, "floor": "F", "count": head.count, "hash": head.hash} for head in heads]
    anchors.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert "\n4 of 4 anchors matched\n" in headsup("audit", str(log), "--anchors", str(anchors)).out
    rows[2]["hash"] = "0" * 64
    anchors.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = headsup("audit", str(log), "--anchors", str(anchors))
    assert done.code == 1
    assert "\n2 of 4 anchors matched\n" in done.out
    report = headsup("audit", str(log), "--anchors", str(anchors), "--json").json
    assert report["anchors"] == {"kept": 4, "met": 2}


def test_an_anchor_reveals_a_truncated_log(log: Path) -> None:
    last = max(i for i, line in enumerate(LOG.lines[:-1]) if "RoundClosed" in line)
    log.write_text("".join(LOG.lines[: last + 1]))
    assert headsup("audit", str(log)).code == 0
    done = headsup("audit", str(log), "--anchor", ANCHOR)
    assert done.code == 1
    assert f"{HEAD.count} entries as anchored" in done.out


@pytest.mark.parametrize("anchor", ["5", "x:y", f"-1:{HEAD.hash}", f"3:{HEAD.hash[:-1]}", "5:"])
def test_a_bad_anchor_is_refused(anchor: str, log: Path) -> None:
    done = headsup("audit", str(log), f"--anchor={anchor}")
    assert (done.code, done.out) == (2, "")
    assert "must be COUNT:HASH" in done.err


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), (b"", "is empty"), (b"\x89PNG\r\n", "is not an event log")],
)
def test_unreadable_input(content: bytes | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = headsup("audit", str(path))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_json_that_is_not_a_log_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"hello": "world"}\n')
    done = headsup("audit", str(path))
    assert done.code == 1
    assert "broken at entry 0" in done.out


def test_from_standard_input() -> None:
    done = headsup("audit", "-", stdin="".join(LOG.lines).encode())
    assert done.code == 0
    assert "The log is intact." in done.out


@pytest.mark.parametrize("depth", [900, 960, 1500, 3000])
@pytest.mark.parametrize("command", ["audit", "replay"])
def test_a_log_with_a_deeply_nested_line_is_broken(
    command: str, depth: int, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    nested = f'{{"index":2,"hash":"{"0" * 64}","entry":{"[" * depth}{"]" * depth}}}\n'
    path.write_text("".join([*LOG.lines[:2], nested]))
    done = headsup(command, str(path))
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "entry 2" in done.out + done.err


def test_an_anchor_before_the_first_entry_needs_the_right_hash(log: Path) -> None:
    done = headsup("audit", str(log), "--anchor", f"0:{'1' * 64}")
    assert done.code == 1
    assert "The log is broken at entry 0." in done.out
    assert headsup("audit", str(log), "--anchor", f"0:{'0' * 64}").code == 0


def test_control_characters_in_names_start_no_new_line() -> None:
    """The texts of account names and of a bad entry."""
    evil = "A\nThe log is intact.\x1b[2J"
    ledger = Ledger(Balances.of({Account(AccountKind.PLAYER, evil): 5}))
    journal = Journal(Floor(ledger=ledger), Head(1, "0" * 64))
    for difference in (None, Finding(1, "event", f"no {evil}", evil)):
        out = io.StringIO()
        with redirect_stdout(out):
            print_report(AuditReport(journal, 0, difference))
        lines = out.getvalue().splitlines()
        assert "\x1b" not in out.getvalue()
        assert sum(line.startswith("The log is intact.") for line in lines) == (difference is None)
        assert r"A\nThe log" in out.getvalue()
