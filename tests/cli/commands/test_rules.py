"""`headsup rules` and the command line itself, end to end."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from headsup import __version__
from headsup.game.rulebook.loader import SHIPPED_BOOKS
from tests.oracles.printed import printed_tables
from tests.support.cli.run import ROOT, headsup, refusal_sentence, run_process

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
    assert [book["id"] for book in books] == list(SHIPPED_BOOKS)
    galaxy, _, new_york, *_, no_qualifier = books
    assert galaxy["raises"] == {"pocket": [3], "flop": [2], "river": [1]}
    assert new_york["raises"] == {"pocket": [1, 2, 3], "flop": [1, 2], "river": [1]}
    assert galaxy["offers"] == ["trips_plus", "pocket_bonus", "all_6", "progressive"]
    assert no_qualifier["qualifier"] == "none"
    assert new_york["paytables"]["progressive"] == list("ABCDEFGH")


def test_the_list_for_people() -> None:
    answer = headsup("rules")
    assert answer.code == 0
    for book in SHIPPED_BOOKS:
        assert f" {book} " in answer.out


def test_a_missing_limit_is_shown_as_none() -> None:
    shown = " ".join(headsup("rules", "show", "sugarhouse").out.split())
    assert "minimum_wager (none), single_wager_max (none)" in shown
    limits = headsup("rules", "show", "galaxy", "--set", "meter_max=50000").out
    assert "meter_max ($50,000.00)" in " ".join(limits.split())
    assert "meter_max (none)" in " ".join(headsup("rules", "show", "galaxy").out.split())
    amounts = headsup("rules", "show", "galaxy", "--json").json["options"]
    assert amounts["meter_max"]["value"] == "0.00"


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_the_json_of_a_book_has_every_printed_cell(book: str) -> None:
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


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_a_book_on_screen_fits_eighty_columns_uncut(book: str) -> None:
    answer = headsup("rules", "show", book)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "…" not in answer.out


def test_set_shows_the_table_in_use() -> None:
    answer = headsup("rules", "show", "galaxy", "--set", "trips_plus=3", "--json")
    assert answer.json["in_use"]["trips_plus"] == "3"
    assert "● in use: 3" in headsup("rules", "show", "galaxy", "--set", "trips_plus=3").out
    other = headsup("rules", "show", "galaxy", "--json").json
    assert other["fingerprint"] != answer.json["fingerprint"]


def test_a_rule_book_file_is_shown(tmp_path: Path) -> None:
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
def test_bad_requests_are_refused(name: str, code: str, words: str) -> None:
    answer = headsup("rules", "show", name, "--json")
    assert words in refusal_sentence(answer)
    assert answer.json["error"]["code"] == code


# The command line itself.


def test_help_lists_the_commands() -> None:
    answer = run_process("--help")
    assert answer.code == 0
    for command in ("rules", "settle"):
        assert f" {command} " in answer.out


def test_no_arguments_show_the_help() -> None:
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


def test_help_loads_no_heavy_modules() -> None:
    """Start-up takes under 0.3 s only without importing numpy, numba and the web server."""
    code = (
        "import sys\nsys.argv = ['headsup', '--help']\nfrom headsup.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'numba', 'fastapi', 'typst'} & sys.modules.keys()\n"
        "sys.exit(f'imported {sorted(heavy)}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_broken_pipe_ends_quietly() -> None:
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


# A clause beside every value.


def leaves(value: object, path: tuple[str, ...] = (), cited: bool = False) -> Iterator[str]:
    """The path of each value without a clause."""
    if isinstance(value, dict):
        cited = cited or bool(value.get("clause"))
        for key, inner in value.items():
            if (*path, key) not in (("clauses",), ("clause_of",)):
                yield from leaves(inner, (*path, key), cited)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from leaves(inner, path, cited)
    elif not cited:
        yield ".".join(path)


def uncited(shown: dict[str, Any]) -> list[str]:
    known = shown["clause_of"]
    return [
        path
        for path in leaves(shown)
        if value_at(shown, path) not in ([], {})
        and not any(known.get(path[:end]) for end in ends(path))
    ]


def ends(path: str) -> list[int]:
    return [*(at for at, char in enumerate(path) if char == "."), len(path)]


def value_at(shown: Any, path: str) -> object:
    for key in path.split("."):
        shown = shown[key]
    return shown


@pytest.mark.parametrize("book", SHIPPED_BOOKS)
def test_the_json_of_a_book_cites_a_clause_for_every_value(book: str) -> None:
    shown = headsup("rules", "show", book, "--set", "limits.ante.min=5", "--json").json
    assert uncited(shown) == []


def test_the_json_of_a_house_cites_a_clause_for_every_value(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        """extends = "washington"
        [options]
        jackpot_regime = "bonus"
        [limits.trips_plus]
        max = 100
        [[notice]]
        text = "No smoking"
        [[layout]]
        text = "Our table"
        """,
        encoding="utf-8",
    )
    shown = headsup("rules", "show", house, "--json").json
    assert uncited(shown) == []
    assert shown["notices"][-1]["clause"] == "house"
    assert shown["labels"]["progressive"] == "Bonus Jackpot"


def test_a_value_without_a_clause_is_found() -> None:
    shown = headsup("rules", "show", "galaxy", "--json").json
    shown["new_value"] = 5
    shown["options"]["cap"]["clause"] = ""
    assert uncited(shown) == [
        "options.cap.value",
        "options.cap.clause",
        "options.cap.open",
        "new_value",
    ]


@pytest.mark.parametrize(
    ("book", "key", "clause"),
    [
        ("galaxy", "trips_plus", "G Trips Plus, R54"),
        ("galaxy", "all_6", "R64"),
        ("galaxy-wpt", "pocket_bonus", "GW 8"),
        ("new-york", "trips_plus", "NY (c)(3), (g)"),
        ("sugarhouse", "trips_plus", "SH How to play"),
        ("washington", "progressive", "R80"),
    ],
)
def test_wagers_that_survive_a_fold_cite_their_clause(book: str, key: str, clause: str) -> None:
    rule = headsup("rules", "show", book, "--json").json["after_fold"][key]
    assert rule == {"stays": True, "clause": clause}
    lines = [" ".join(line.split()) for line in headsup("rules", "show", book).out.splitlines()]
    assert any(line.endswith(f"stays after a fold {clause}") for line in lines)


# For people: what is posted.


@pytest.mark.clause("GW Layout Bad Beat")
def test_the_tables_of_the_printed_felt_are_shown_as_printed() -> None:
    output = headsup("rules", "show", "galaxy-wpt").out
    felt = output[output.index("On the layout") :]
    assert "Odds, Bad Beat, as printed on the felt" in felt
    rows = [line.split() for line in felt.splitlines()]
    assert ["│", "Straight", "Flush", "│", "500", "│"] in rows


def test_r39_no_screen_shows_what_a_losing_royal_flush_would_be_paid() -> None:
    """The felt prints 500 for it. The rule book keeps the row, marked as never paid."""
    told = headsup("rules", "show", "galaxy-wpt")
    felt = told.out[told.out.index("Odds, Bad Beat, as printed on the felt") :]
    assert "Royal Flush" not in felt
    tables = headsup("rules", "show", "galaxy-wpt", "--json").json["layout_paytables"]
    (bad_beat,) = (table for table in tables if table["key"] == "bad_beat")
    royal = bad_beat["rows"][0]
    assert (royal["printed"], royal["never_paid"]) == ("500", True)


def test_raises_are_shown_with_their_amounts() -> None:
    limits = ("--set", "limits.ante.min=10", "--set", "limits.ante.max=500")
    output = " ".join(headsup("rules", "show", "new-york", *limits).out.split())
    assert "The permissible Raise wagers: 1× or 2× or 3×, from $10.00 up to $1,500.00" in output


def test_long_clauses_and_labels_hide_no_amounts(tmp_path: Path) -> None:
    clause = "House rules, " + "as posted at the cage, " * 20
    house = tmp_path / "house.toml"
    house.write_text(
        f"""extends = "galaxy"
        [labels]
        progressive = "{"The Riverside's own " * 4}"
        [options]
        single_wager_max = {{ value = "500.00", clause = "{clause}" }}
        progressive_stake = {{ value = "5.00", clause = "{"x" * 400}" }}
        [[paytable]]
        key = "trips_plus"
        custom = true
        clause = "{clause}"
        ids = ["{"Sundays and holidays " * 4}"]
        rows = [["flush", "{"A flush in any suit " * 4}", "123"]]
        """,
        encoding="utf-8",
    )
    output = headsup("rules", "show", house).out
    assert all(len(line) <= 80 for line in output.splitlines())
    assert "Maximum per wager" in output
    assert "$500.00" in output
    assert "$5.00" in output
    assert " 123 " in output


def test_texts_of_a_book_are_not_parsed_as_markup(tmp_path: Path) -> None:
    house = tmp_path / "[red]house.toml"
    house.write_text(
        """extends = "galaxy"
        title = "[bold]The Riverside[/bold]"
        [labels]
        raise = "[/]Raise"
        trips_plus = "[blink]Trips"
        [options]
        cap = { value = "50000.00", clause = "[link=https://example.org]House[/link]" }
        [[notice]]
        text = "[reverse]No smoking[/]"
        clause = "[5]"
        """,
        encoding="utf-8",
    )
    output = headsup("rules", "show", house).out
    for text in ("[bold]The Riverside[/bold]", "[/]Raise", "[blink]Trips", "[reverse]No smoking"):
        assert text in output
    assert "[red]house" in output
