"""A house's database from Python and from the command line."""

import json
from pathlib import Path

import pytest

import headsup
from headsup.analysis.par.wager_edges import wager_edges
from headsup.game.rulebook.wagers import Wager
from tests.support.cli.run import headsup as run
from tests.support.databases import sqlite_database
from tests.support.house.houses import FLOOR
from tests.support.house.longhouse import DAYS, keep, played


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("house") / "house.db"
    database = sqlite_database(file)
    keep(database, played())
    database.close()
    return f"sqlite:///{file}"


def test_an_audit_from_python_finds_what_the_command_finds(address: str, tmp_path: Path) -> None:
    audit = headsup.audit(address)
    assert audit.reports[FLOOR].is_valid
    assert audit.reports[FLOOR].journal == played().journal._replace(checked=0)
    anchors = tmp_path / "anchors"
    lie = {"at": "2026-01-31T12:00:00Z", "floor": FLOOR, "count": 3, "hash": "0" * 64, "house": ""}
    anchors.write_text(json.dumps(lie) + "\n", encoding="ascii")
    assert not headsup.audit(address, anchors).holds


def test_takings_stand_beside_the_exact_expectation(address: str) -> None:
    (table,) = headsup.takings(address)
    rules = headsup.rules("galaxy")
    edges = wager_edges(rules, headsup.par("galaxy").main)
    taken = table.taken
    assert taken.table == "T1"
    assert table.wagers.keys() == taken.wagers.keys() & edges.keys()
    ante = table.wagers[Wager.ANTE]
    assert ante.house_edge == headsup.solve("galaxy").house_edge
    assert ante.expected == ante.house_edge * taken.wagers[Wager.ANTE].handle
    low, high = table.band
    assert low < float(table.expected) < high
    first, second = headsup.takings(address, until=DAYS[1]), headsup.takings(address, since=DAYS[1])
    assert first[0].taken.rounds + second[0].taken.rounds == taken.rounds


def test_the_command_prints_the_same_figures(address: str) -> None:
    (table,) = headsup.takings(address)
    (values,) = json.loads(run("takings", "--database", address, "--json").out)
    assert (values["table"], values["rounds"]) == ("T1", table.taken.rounds)
    assert values["within"] is table.is_within
    text = run("takings", "--database", address).out
    assert values["expected"] in text
    assert run("takings", "--database", address, "--until", "2020-01-01").out.startswith("No ")
