"""The house edges beside the choices of the set-up form, from a worker process."""

from itertools import islice
from pathlib import Path

from headsup.analysis.exact_numbers import percent
from headsup.analysis.par.par_sheet import side_sheet
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from headsup.web.workers.edge_parts import EdgePart, narrow_choice
from headsup.web.workers.edge_worker import side_edges
from tests.web.live.test_protocol_http import asked_by
from tests.web.office import office


def test_every_paytable_of_a_side_wager_has_its_own_edge() -> None:
    choice = {"rules": "galaxy", "paytables": {"trips_plus": "2"}, "options": {}}
    ids = list(table_rules("galaxy").book.paytables["trips_plus"])
    lines = list(islice(side_edges(choice), len(ids)))
    assert [line[:2] for line in lines] == [("trips_plus", id) for id in ids]
    for _, id, edge in lines:
        sheet = side_sheet(table_rules("galaxy", {"trips_plus": id}), Wager.TRIPS_PLUS)
        assert edge == percent(sheet.house_edge)


def test_a_paytable_with_open_cells_has_no_edge() -> None:
    choice = {"rules": "washington", "paytables": {}, "options": {}}
    ids = list(table_rules("washington").book.paytables["trips_plus"])
    found = {id: edge for _, id, edge in islice(side_edges(choice), len(ids))}
    assert found["HH/TP-1"] is not None
    assert found["HH/TP-6"] is None  # the operator must fill in all of its cells


def test_a_progressive_has_an_edge_only_with_a_seed() -> None:
    def progressive(options: dict[str, object]) -> set[str | None]:
        lines = side_edges({"rules": "new-york", "paytables": {}, "options": options})
        return {edge for key, _, edge in lines if key == "progressive"}

    assert progressive({}) == {None}
    assert None not in progressive({"meter_seed": "25000.00"})


def test_options_without_effect_on_the_main_game_do_not_recompute_it() -> None:
    plain = {"rules": "galaxy", "paytables": {}, "options": {}}
    limits = {"ante": {"min": "5.00"}}
    changed = {
        "rules": "galaxy",
        "paytables": {"trips_plus": "2"},
        "options": {"meter_seed": "1.00", "limits": limits},
    }
    assert narrow_choice(changed, EdgePart.MAIN) == narrow_choice(plain, EdgePart.MAIN)
    for other in ({"paytables": {"odds": "2"}}, {"options": {"qualifier": "none"}}):
        assert narrow_choice({**plain, **other}, EdgePart.MAIN) != narrow_choice(
            plain, EdgePart.MAIN
        )
    assert narrow_choice(changed, EdgePart.SIDES) == changed


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
            assert first == {"computing": True, "edges": []}
            await http._transport.app.state.edges.stop()  # type: ignore[attr-defined]


def test_the_meter_seed_of_an_own_book_counts() -> None:
    own = 'extends = "galaxy"\n[options]\nmeter_seed = "10000.00"\nmeter_contribution = "0.25"\n'
    found = side_edges({"rules": own, "paytables": {}, "options": {}})
    assert all(edge for key, _, edge in found if key == "progressive")
