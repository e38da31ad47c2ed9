"""`headsup audit`: what it says of a log that holds, and of one that does not."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from headsup.cli.commands.audit import print_report
from headsup.game.bank.balances import Balances
from headsup.game.bank.ledger import Account, AccountKind, Ledger
from headsup.game.record.audit.auditor import AuditReport, Finding
from headsup.game.record.chain import Head, format_link, make_link, parse_link
from headsup.game.record.journal import Journal
from headsup.game.table.state import Floor
from tests.cli.run import headsup
from tests.logs import recorded

LOG = recorded(4, seed=11, books=("galaxy", "new-york"))
HEAD = LOG.journal.head
NOON = "2026-01-31T12:00:00Z"
ANCHOR = f"{HEAD.count}:{HEAD.hash}"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(LOG.lines))
    return path


def test_a_log_that_holds(log: Path) -> None:
    done = headsup("audit", str(log))
    assert (done.code, done.err) == (0, "")
    assert "The log holds." in done.out
    assert f"{HEAD.count} entries, 4 rounds, 2 tables" in done.out
    assert f"head {ANCHOR}" in done.out
    assert "Without an anchor nobody can see whether entries were cut off" in done.out


def test_with_its_anchor_nothing_is_left_open(log: Path) -> None:
    done = headsup("audit", str(log), "--anchor", ANCHOR)
    assert done.code == 0
    assert "Without an anchor" not in done.out


def test_for_programs(log: Path) -> None:
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
    assert f"The log does not hold at entry {at}." in done.out
    assert f"Entries 0 to {at - 1} hold." in done.out
    answer = json.loads(headsup("audit", str(log), "--json").out)
    assert (answer["holds"], answer["difference"]["entry"]) == (False, at)
    assert answer["difference"]["fault"] == "hash"


def test_a_state_that_is_not_what_follows_is_shown_as_whole_as_the_one_that_is(log: Path) -> None:
    """Where somebody made the chain anew: the two digests can be laid side by side."""
    link = parse_link(LOG.lines[-1])
    right, wrong = link.entry["state"], link.entry["state"][::-1]
    before = Head(link.index, parse_link(LOG.lines[-2]).hash)
    forged = make_link(before, link.entry | {"state": wrong})
    log.write_text("".join([*LOG.lines[:-1], format_link(forged)]))
    said = headsup("audit", str(log), "--json").json["difference"]
    assert (said["expected"], said["found"]) == (f"state {right}", f"state {wrong}")
    lines = headsup("audit", str(log)).out.splitlines()
    assert [f"  expected  state {right}", f"  found     state {wrong}"] == lines[1:3]


def test_an_audit_says_how_many_anchors_were_met(log: Path, tmp_path: Path) -> None:
    heads = [parse_link(line).head for line in LOG.lines[4:40:10]]
    anchors = tmp_path / "anchors"
    said = [{"at": NOON, "floor": "F", "count": head.count, "hash": head.hash} for head in heads]
    anchors.write_text("".join(f"{json.dumps(one)}\n" for one in said))
    assert "\n4 of 4 anchors met\n" in headsup("audit", str(log), "--anchors", str(anchors)).out
    said[2]["hash"] = "0" * 64
    anchors.write_text("".join(f"{json.dumps(one)}\n" for one in said))
    done = headsup("audit", str(log), "--anchors", str(anchors))
    assert done.code == 1
    assert "\n2 of 4 anchors met\n" in done.out
    told = headsup("audit", str(log), "--anchors", str(anchors), "--json").json
    assert told["anchors"] == {"kept": 4, "met": 2}


def test_an_anchor_catches_a_log_cut_off(log: Path) -> None:
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
    [(None, "cannot be read"), (b"", "nothing in it"), (b"\x89PNG\r\n", "is not an event log")],
)
def test_unreadable_input(content: bytes | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = headsup("audit", str(path))
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.count("\n") == 1


def test_json_that_is_no_log_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"hello": "world"}\n')
    done = headsup("audit", str(path))
    assert done.code == 1
    assert "does not hold at entry 0" in done.out


def test_from_standard_input() -> None:
    done = headsup("audit", "-", stdin="".join(LOG.lines).encode())
    assert done.code == 0
    assert "The log holds." in done.out


@pytest.mark.parametrize("depth", [900, 960, 1500, 3000])
@pytest.mark.parametrize("command", ["audit", "replay"])
def test_a_deeply_nested_line_does_not_hold(command: str, depth: int, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    nested = f'{{"index":2,"hash":"{"0" * 64}","entry":{"[" * depth}{"]" * depth}}}\n'
    path.write_text("".join([*LOG.lines[:2], nested]))
    done = headsup(command, str(path))
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "entry 2" in done.out + done.err


def test_a_wrong_hash_for_no_entry_at_all_is_not_the_anchor(log: Path) -> None:
    done = headsup("audit", str(log), "--anchor", f"0:{'1' * 64}")
    assert done.code == 1
    assert "The log does not hold at entry 0." in done.out
    assert headsup("audit", str(log), "--anchor", f"0:{'0' * 64}").code == 0


def test_names_with_control_characters_print_no_line_of_their_own() -> None:
    """Whatever the books may hold, and what a bad entry says of itself."""
    evil = "A\nThe log holds.\x1b[2J"
    ledger = Ledger(Balances().with_shelves({(evil, evil): {Account(AccountKind.PLAYER, evil): 5}}))
    journal = Journal(Floor(ledger=ledger), Head(1, "0" * 64))
    for difference in (None, Finding(1, "event", f"no {evil}", evil)):
        out = io.StringIO()
        with redirect_stdout(out):
            print_report(AuditReport(journal, 0, difference))
        lines = out.getvalue().splitlines()
        assert "\x1b" not in out.getvalue()
        assert sum(line.startswith("The log holds.") for line in lines) == (difference is None)
        assert r"A\nThe log" in out.getvalue()
