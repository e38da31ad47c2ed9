"""What a layout must say, as `headsup rules show` prints it."""

import pytest

from tests.cli.run import headsup
from tests.oracles.printed import printed_table


@pytest.mark.clause(
    "NY (a)(2)(i)", "NY (a)(2)(ii)", "NY (a)(2)(iii)", "NY (a)(2)(iv)", "NY (a)(2)(v)"
)
def test_ny_a2_i_to_v_the_areas_of_the_layout_and_where_they_lie() -> None:
    layout = headsup("rules", "show", "new-york", "--json").json["layout"]
    (areas,) = (one["text"] for one in layout if one["clause"] == "NY (a)(2)(i)–(v)")
    assert areas == (
        "Ante, Raise behind it, Odds to its right with = between, Trips Plus above the Ante, "
        "Pocket Bonus to the right of Trips Plus"
    )


@pytest.mark.clause("NY (a)(2)(vi)")
@pytest.mark.parametrize(
    ("key", "id"),
    [("odds", "1"), ("bad_beat", "1"), ("trips_plus", "A"), ("pocket_bonus", "A")],
)
def test_ny_a2_vi_the_pays_of_each_wager_are_told(key: str, id: str) -> None:
    shown = headsup("rules", "show", "new-york", "--json").json
    (in_use,) = (table for table in shown["paytables"][key] if table["in_use"])
    printed = printed_table("002", key, id)
    assert in_use["id"] == id
    assert {row["outcome"]: row["printed"] for row in in_use["rows"]} == printed.cells
    people = headsup("rules", "show", "new-york").out
    for row in in_use["rows"]:
        assert row["label"] in people


@pytest.mark.clause("NY (a)(2)(vii)")
def test_ny_a2_vii_the_permitted_raises_are_told() -> None:
    told = [" ".join(line.split()) for line in headsup("rules", "show", "new-york").out.split("\n")]
    assert "Raise on the pocket 1× or 2× or 3× NY (e)(3)" in told
    assert "Raise on the flop 1× or 2× NY (e)(5)" in told
    assert "Raise on the river 1× NY (e)(7)" in told
