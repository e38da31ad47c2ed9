"""`headsup rules` and the command line itself, end to end."""

import subprocess
import sys
from pathlib import Path

import pytest

from headsup import __version__
from headsup.game.rulebook.load import SHIPPED
from tests.cli.run import ROOT, headsup, process, refused
from tests.oracles.printed import printed_tables

DOCUMENTS = {
    "galaxy": "000",
    "galaxy-wpt": "001",
    "new-york": "002",
    "sugarhouse": "003",
    "washington": "004",
    "washington-no-qualifier": "004",
}


def test_the_list_for_programs() -> None:
    answer = headsup("rules", "--json")
    books = answer.json["rules"]
    assert [book["id"] for book in books] == list(SHIPPED)
    galaxy, _, new_york, *_, no_qualifier = books
    assert galaxy["raises"] == {"pocket": [3], "flop": [2], "river": [1]}
    assert new_york["raises"] == {"pocket": [1, 2, 3], "flop": [1, 2], "river": [1]}
    assert galaxy["offers"] == ["trips_plus", "pocket_bonus", "all_6", "progressive"]
    assert no_qualifier["qualifier"] == "none"
    assert new_york["paytables"]["progressive"] == list("ABCDEFGH")


def test_the_list_for_people() -> None:
    answer = headsup("rules")
    assert answer.code == 0
    for book in SHIPPED:
        assert f" {book} " in answer.out


@pytest.mark.parametrize("book", SHIPPED)
def test_a_book_for_programs_has_every_printed_cell(book: str) -> None:
    answer = headsup("rules", "show", book, "--json").json
    shown = {
        (key, table["id"]): {row["outcome"]: row["printed"] or "-" for row in table["rows"]}
        for key, tables in answer["paytables"].items()
        for table in tables
    }
    printed = {
        (table.wager, table.id): table.cells
        for table in printed_tables()
        if table.document == DOCUMENTS[book] and table.id != "layout"
    }
    assert shown == printed
    assert len(answer["source_sha256"]) == len(answer["fingerprint"]) == 64


@pytest.mark.parametrize("book", SHIPPED)
def test_a_book_for_people_fits_eighty_columns_uncut(book: str) -> None:
    answer = headsup("rules", "show", book)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "…" not in answer.out


def test_set_shows_the_table_in_use() -> None:
    answer = headsup("rules", "show", "galaxy", "--set", "trips_plus=3", "--json")
    assert answer.json["in_use"]["trips_plus"] == "3"
    assert "● is in use: 3" in headsup("rules", "show", "galaxy", "--set", "trips_plus=3").out
    other = headsup("rules", "show", "galaxy", "--json").json
    assert other["fingerprint"] != answer.json["fingerprint"]


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "my-house.toml"
    path.write_text('extends = "galaxy"\n[labels]\ntrips_plus = "Trips [/] Plus"\n')
    answer = headsup("rules", "show", path)
    assert answer.code == 0
    assert "Trips [/] Plus" in answer.out


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("nevada", "unknown_rules", "rules: there is no rule book 'nevada'"),
        ("/no/such.toml", "unreadable_file", "/no/such.toml: rules: cannot be read"),
        ("", "unknown_rules", "there is no rule book ''"),
    ],
)
def test_refused(name: str, code: str, words: str) -> None:
    answer = headsup("rules", "show", name, "--json")
    assert words in refused(answer)
    assert answer.json["error"]["code"] == code


# The command line itself.


def test_help_lists_the_commands() -> None:
    answer = process("--help")
    assert answer.code == 0
    for command in ("rules", "settle"):
        assert f" {command} " in answer.out


def test_without_words_help_is_shown() -> None:
    answer = headsup()
    assert "Commands" in answer.out + answer.err
    assert "Traceback" not in answer.err


def test_version() -> None:
    assert headsup("--version").out == f"headsup {__version__}\n"


@pytest.mark.parametrize(
    "words", [("nope",), ("settle",), ("settle", "-", "--nope"), ("rules", "show"), ("rules", "x")]
)
def test_misused_commands(words: tuple[str, ...]) -> None:
    answer = headsup(*words)
    assert answer.code == 2
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_help_needs_no_heavy_imports() -> None:
    """Under 0.3 s is only possible while numpy, numba and the web wait for their command."""
    code = (
        "import sys\nsys.argv = ['headsup', '--help']\nfrom headsup.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'numba', 'fastapi', 'altair', 'typst'} & sys.modules.keys()\n"
        "sys.exit(f'imported {sorted(heavy)}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_goes_away_is_no_crash() -> None:
    """`headsup rules show galaxy | head -1`."""
    with subprocess.Popen(
        [sys.executable, "-c", "from headsup.cli import main; main()", "rules", "show", "galaxy"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert b"Traceback" not in running.stderr.read()
