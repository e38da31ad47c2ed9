"""The house edges beside the choices of the set-up form, from a worker process."""

import asyncio
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.analysis.solver.compile import compile_payoffs
from headsup.analysis.solver.solver import solve
from headsup.game.rulebook.table_rules import RulesChoice, table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.frozen_json import FrozenJson
from headsup.web.workers.paytable_edges import (
    PaytableEdge,
    main_edges,
    main_game_choice,
    side_edges,
)
from tests.support.web.office import office
from tests.support.web.requests import asked_by


def test_every_paytable_of_a_side_wager_has_its_own_edge() -> None:
    choice = choose("galaxy", trips_plus="2")
    ids = list(table_rules("galaxy").book.paytables["trips_plus"])
    lines = list(islice(side_edges(choice), len(ids)))
    assert [line[:2] for line in lines] == [("trips_plus", id) for id in ids]
    for _, id, edge in lines:
        sheet = side_sheet(table_rules("galaxy", {"trips_plus": id}), Wager.TRIPS_PLUS)
        assert edge == percent(sheet.house_edge)


def test_a_paytable_with_open_cells_has_no_edge() -> None:
    choice = choose("washington")
    ids = list(table_rules("washington").book.paytables["trips_plus"])
    found = {id: edge for _, id, edge in islice(side_edges(choice), len(ids))}
    assert found["HH/TP-1"] is not None
    assert found["HH/TP-6"] is None  # the operator must fill in all of its cells


def test_a_progressive_has_an_edge_only_with_a_seed() -> None:
    def progressive(options: dict[str, object]) -> set[str | None]:
        lines = side_edges(choose("new-york", options))
        return {edge for key, _, edge in lines if key == "progressive"}

    assert progressive({}) == {None}
    assert None not in progressive({"meter_seed": "25000.00"})


def test_options_without_effect_on_the_main_game_do_not_recompute_it() -> None:
    plain = choose("galaxy")
    options: dict[str, Any] = {"meter_seed": "1.00", "limits": {"ante": {"min": "5.00"}}}
    assert main_game_choice(choose("galaxy", options, trips_plus="2")) == plain
    for other in (choose("galaxy", odds="2"), choose("galaxy", {"qualifier": "none"})):
        assert main_game_choice(other) == other != plain


@pytest.mark.slow
def test_the_main_game_has_the_edge_of_every_paytable() -> None:
    found = {(edge.key, edge.id): edge.edge for edge in main_edges(choose("galaxy"))}
    book = table_rules("galaxy").book
    tables = {(key, id) for key in ("odds", "bad_beat") for id in book.paytables[key]}
    assert found.keys() == {*tables, ("main", "")}
    for (key, id), edge in found.items():
        rules = table_rules("galaxy", {} if key == "main" else {key: id})
        assert edge == percent(solve(compile_payoffs(rules)).house_edge)


def choose(rules: str, options: dict[str, Any] | None = None, **paytables: str) -> RulesChoice:
    return RulesChoice(rules, tuple(paytables.items()), FrozenJson(options))


async def test_a_choice_is_computed_once_and_only_for_staff(tmp_path: Path) -> None:
    asked = {"rules": "sugarhouse", "paytables": {}, "options": {}}
    async with office(tmp_path) as at:
        async with asked_by(at, "Ann") as http:
            assert (await http.post("/api/edges", json=asked)).status_code == 403
        async with asked_by(at, "Sue") as http:
            wrong = await http.post("/api/edges", json={**asked, "rules": "no-such-book"})
            assert wrong.status_code == 409
            assert wrong.json()["error"]["code"] == "unknown_rules"
            first = (await http.post("/api/edges", json=asked)).json()
            assert first == {"computing": True, "failed": False, "edges": []}
            await http._transport.app.state.solver.stop()  # type: ignore[attr-defined]


async def test_a_failed_computation_is_reported_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"rules": "sugarhouse", "paytables": {}, "options": {}}
    async with office(tmp_path) as at, asked_by(at, "Sue") as http, asyncio.timeout(60):

        async def answer() -> dict[str, Any]:
            while (found := (await http.post("/api/edges", json=asked)).json())["computing"]:
                await asyncio.sleep(0.01)
            return dict(found)

        with monkeypatch.context() as patch:
            patch.setattr("sys.executable", str(tmp_path / "no-python"))
            assert await answer() == {"computing": False, "failed": True, "edges": []}
        solver = http._transport.app.state.solver  # type: ignore[attr-defined]
        monkeypatch.setattr(solver, "_compute", computed_at_once)
        found = await answer()
        assert not found["failed"]
        assert [edge["id"] for edge in found["edges"]] == ["1", "1"]


async def computed_at_once(*_: object) -> list[PaytableEdge]:
    return [PaytableEdge("odds", "1", "1.0000%")]


def test_the_meter_seed_of_an_own_book_counts() -> None:
    own = 'extends = "galaxy"\n[options]\nmeter_seed = "10000.00"\nmeter_contribution = "0.25"\n'
    found = side_edges(choose(own))
    assert all(edge for key, _, edge in found if key == "progressive")
