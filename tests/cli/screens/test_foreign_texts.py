"""The terminal shows any text of an operator's rule book, and does nothing else."""

import ast
import json
import re
from pathlib import Path

import pytest

from headsup.cli.play.session import PlaySession
from headsup.game.rulebook.loader import recordable_rules
from headsup.game.table.opening import OpenTable
from headsup.game.values.frozen_json import FrozenJson
from headsup.house.dealing.shoe import seeded_bits, shuffle_deck
from headsup.house.solo.bankroll import Bankroll
from headsup.house.solo.table import SoloTable
from tests.support.cli.run import ROOT, headsup
from tests.support.cli.typed import ScriptedKeys, fake_pipe, fake_terminal, screen_text

MARKUP = r"[bold red]It's \ [/bold] [link=http://x]y[/]"
LABELS = ("ante", "odds", "raise", "trips_plus", "pocket_bonus", "all_6", "progressive")


def book(folder: Path, text: str) -> Path:
    """Galaxy's rules with this text wherever an operator may write text."""
    path = folder / "house.toml"
    quoted = json.dumps(text)
    labels = "\n".join(f"{key} = {quoted}" for key in LABELS)
    long = json.dumps(3 * text)
    path.write_text(
        f'extends = "galaxy"\ntitle = {long}\npaytables.trips_plus = "Ours"\n[labels]\n{labels}\n'
        f'[[paytable]]\nkey = "trips_plus"\ncustom = true\ntitle = {long}\nclause = {long}\n'
        f'ids = ["Ours"]\nrows = [["royal_flush", {quoted}, "100"], ["one_pair", {quoted}, "1"]]\n'
    )
    return path


def round_of(path: Path, folder: Path) -> Path:
    written = folder / "round.json"
    seat = {
        "seat": 1,
        "hole": "KsKh",
        "ante": "10.00",
        "odds": "10.00",
        "trips_plus": "5.00",
        "raise": {"street": "pocket", "multiple": 3},
    }
    cards = {"dealer": "AcQd", "board": "Kd9c5h5s2d", "all_6": "2c3c4c6c"}
    written.write_text(json.dumps({"rules": str(path), **cards, "seats": [seat]}))
    return written


def test_texts_of_a_rule_book_are_shown_literally(tmp_path: Path) -> None:
    path = book(tmp_path, MARKUP)
    shown = headsup("rules", "show", path)
    assert MARKUP in shown.out
    for command in (["settle", round_of(path, tmp_path)], ["replay", round_of(path, tmp_path)]):
        answer = headsup(*command)
        assert (answer.code, answer.err) == (0, "")
        assert "[bold red]It's" in answer.out.replace("\n", " ")


@pytest.mark.parametrize("screen", [fake_terminal, fake_pipe])
@pytest.mark.parametrize("text", [MARKUP, "L" * 100, "字" * 100, "\\" * 40, '"' * 40])
def test_no_label_hides_an_amount(
    text: str, screen: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    options = FrozenJson({"meter_seed": "100", "meter_contribution": "0.25"})
    opening = OpenTable(recordable_rules(str(book(tmp_path, text))), options=options)
    table = SoloTable(opening, lambda number: shuffle_deck(seeded_bits("friend", number)))
    console = screen()  # type: ignore[operator]
    keys = ScriptedKeys(
        "t 5", "p 5", "6 5", "j", "?", "escape", "l", "escape", "", "r", "", "c", "r", "q"
    )
    PlaySession(table, keys, console, Bankroll()).run()
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screen_text(console))
    lines = plain.splitlines()
    beginning = text[:3]
    bets = [line for line in lines if f"t {beginning}" in line]
    assert any("$5.00" in line for line in bets)
    chips = [line for line in lines if line.startswith("  │") and beginning in line]
    assert any("$10.00" in line for line in chips)
    results = [line for line in lines if line.startswith(f"  {beginning}") and "$" in line]
    assert any("$30.00" in line for line in results)
    assert any("This round" in line for line in lines)
    if screen is fake_terminal:
        for shown in re.split(r"\x1b\[2J", screen_text(console))[1:-1]:
            assert shown.count("\n") < 24


@pytest.mark.parametrize("text", [MARKUP, "L" * 100, "字" * 100])
def test_no_label_hides_an_amount_of_a_settled_round(text: str, tmp_path: Path) -> None:
    answer = headsup("settle", round_of(book(tmp_path, text), tmp_path))
    rows = [line for line in answer.out.splitlines() if line.startswith(f"  {text[:3]}")]
    assert [re.findall(r"\$[\d.]+", row) for row in rows] == [
        ["$10.00", "$10.00"],
        ["$10.00", "$30.00"],
        ["$30.00", "$30.00"],
        ["$5.00", "$5.00"],
    ]


def test_no_command_prints_rich_markup() -> None:
    for path in sorted((ROOT / "src" / "headsup" / "cli").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not re.search(r"\[/?[a-z ]*\].*\[/", node.value), (
                    f"{path.name}: {node.value}"
                )
            if isinstance(node, ast.ImportFrom):
                assert node.module != "rich.markup", path.name
