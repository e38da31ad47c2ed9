"""What a layout or a guide must tell players, in `headsup rules show`."""

from pathlib import Path

import pytest

from tests.oracles.printed import printed_table
from tests.support.cli.run import headsup


@pytest.mark.clause(
    "NY (a)(2)(i)", "NY (a)(2)(ii)", "NY (a)(2)(iii)", "NY (a)(2)(iv)", "NY (a)(2)(v)"
)
def test_ny_a2_i_to_v_the_areas_of_the_layout_and_where_they_lie() -> None:
    layout = headsup("rules", "show", "new-york", "--json").json["layout"]
    (areas,) = (
        inscription["text"] for inscription in layout if inscription["clause"] == "NY (a)(2)(i)–(v)"
    )
    assert areas == (
        "Ante, Raise behind it, Odds to its right with = between, Trips Plus above the Ante, "
        "Pocket Bonus to the right of Trips Plus"
    )


@pytest.mark.clause("NY (a)(2)(vi)")
@pytest.mark.parametrize(
    ("key", "id"),
    [("odds", "1"), ("bad_beat", "1"), ("trips_plus", "A"), ("pocket_bonus", "A")],
)
def test_ny_a2_vi_the_pays_of_each_wager_are_listed(key: str, id: str) -> None:
    shown = headsup("rules", "show", "new-york", "--json").json
    (in_use,) = (table for table in shown["paytables"][key] if table["in_use"])
    printed = printed_table("002", key, id)
    assert in_use["id"] == id
    assert {row["outcome"]: row["printed"] for row in in_use["rows"]} == printed.cells
    people = headsup("rules", "show", "new-york").out
    for row in in_use["rows"]:
        assert row["label"] in people


@pytest.mark.clause("NY (a)(2)(vii)")
def test_ny_a2_vii_the_permitted_raises_are_listed() -> None:
    lines = [
        " ".join(line.split()) for line in headsup("rules", "show", "new-york").out.split("\n")
    ]
    assert "Raise on the pocket 1× or 2× or 3× NY (e)(3)" in lines
    assert "Raise on the flop 1× or 2× NY (e)(5)" in lines
    assert "Raise on the river 1× NY (e)(7)" in lines


@pytest.mark.clause("GW Layout must beat dealer", "GW Layout raise", "GW Layout to 1")
def test_gw_layout_the_inscriptions_of_the_felt_are_listed() -> None:
    layout = headsup("rules", "show", "galaxy-wpt", "--json").json["layout"]
    assert [inscription["text"] for inscription in layout] == [
        "RAISE: 3X on Pocket Cards, 2X on Flop, 1X on River",
        "*Must beat dealer",
        "All Layout Paytables Are to 1",
    ]


@pytest.mark.clause(
    "GW Layout Odds", "GW Layout Bad Beat", "GW Layout Trips Plus", "GW Layout Pocket Bonus"
)
def test_gw_layout_the_tables_of_the_felt_are_listed() -> None:
    shown = headsup("rules", "show", "galaxy-wpt", "--json").json["layout_paytables"]
    keys = ("trips_plus", "pocket_bonus", "odds", "bad_beat")
    assert len(shown) == len(keys)
    for key, table in zip(keys, shown, strict=True):
        cells = {row["outcome"]: row["printed"] or "-" for row in table["rows"]}
        assert cells == printed_table("001", key, "layout").cells


@pytest.mark.clause("SH cover")
def test_sh_cover_the_notice_is_shown_with_the_rules() -> None:
    assert "GAMBLING PROBLEM? CALL 1.800.GAMBLER." in headsup("rules", "show", "sugarhouse").out


@pytest.mark.clause("WA Rules of Play, second paragraph, posted")
def test_wa_the_four_option_rule_is_shown_with_the_rules() -> None:
    output = " ".join(headsup("rules", "show", "washington").out.split())
    assert "Players may wager on at most four of the wagering options" in output


@pytest.mark.clause("G 2 limits", "GW 2 limits", "WA Rules of Play, second paragraph, limits")
@pytest.mark.parametrize("book", ["galaxy", "galaxy-wpt", "washington"])
def test_the_limits_are_posted(book: str, tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text(f'extends = "{book}"\n[limits.ante]\nmin = "15.00"\nmax = "300.00"\n')
    output = " ".join(headsup("rules", "show", house).out.split())
    assert "Limits of the Ante from $15.00 up to $300.00" in output


def test_the_impossible_bad_beat_of_a_royal_flush_is_marked_as_never_paid() -> None:
    """R39: a royal flush cannot lose, whatever its cell says."""
    tables = headsup("rules", "show", "washington", "--json").json["paytables"]
    marked = {
        (key, row["outcome"])
        for key, ids in tables.items()
        for table in ids
        for row in table["rows"]
        if row["never_paid"]
    }
    assert marked == {("bad_beat", "royal_flush")}
