"""R5: a house posts limits, and a table may change some of them."""

from pathlib import Path

import pytest

from headsup.game.refusal import RulesRefused
from headsup.game.rulebook.loader import recordable_rules
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.table_rules import table_rules
from headsup.game.rulebook.wagers import Wager
from tests.support.cli.run import headsup


@pytest.fixture
def house(tmp_path: Path) -> str:
    path = tmp_path / "house.toml"
    path.write_text('extends = "galaxy"\n[limits.ante]\nmin = "10.00"\nmax = "500.00"\n')
    return str(path)


def test_a_table_lowers_the_maximum_and_keeps_the_posted_minimum(house: str) -> None:
    rules = table_rules(house, {}, {"limits": {"ante": {"max": "200.00"}}})
    assert rules.limits[Wager.ANTE] == Limit(min=1_000, max=20_000)


def test_a_maximum_below_the_posted_minimum_is_refused(house: str) -> None:
    with pytest.raises(RulesRefused, match="min is above max"):
        table_rules(house, {}, {"limits": {"ante": {"max": "5.00"}}})


@pytest.mark.parametrize("bound", ["min", "max", "step"])
def test_no_limit_may_exceed_the_largest_wager_supported(bound: str) -> None:
    with pytest.raises(RulesRefused, match=r"above \$10,000,000\.00, the largest stake"):
        table_rules("galaxy", {}, {"limits": {"ante": {bound: "10000000.01"}}})


def test_a_wager_taken_off_the_layout_is_not_listed_as_offered() -> None:
    shown = headsup("rules", "show", "galaxy", "--set", "all_6=none", "--json").json
    assert shown["offers"] == ["trips_plus", "pocket_bonus", "progressive"]


def test_r4_equivalent_rules_have_one_fingerprint() -> None:
    plain = table_rules("new-york").fingerprint
    rules = table_rules(
        "new-york", {"trips_plus": "A"}, {"progressive_stake": "1", "board": "as_needed"}
    )
    assert rules.fingerprint == plain
    assert table_rules("new-york", {"trips_plus": "B"}).fingerprint != plain
    assert table_rules("new-york", {}, {"chip_unit": "1.00"}).fingerprint != plain
    assert table_rules("new-york", {}, {"limits": {"ante": {"max": "9"}}}).fingerprint != plain


def test_r4_comments_do_not_change_the_fingerprint(tmp_path: Path) -> None:
    text = 'extends = "galaxy"\n[paytables]\ntrips_plus = "3"\n'
    plain, remarked = tmp_path / "house.toml", tmp_path / "remarked" / "house.toml"
    remarked.parent.mkdir()
    plain.write_text(text)
    remarked.write_text("# from the pit\n" + text)
    assert table_rules(str(plain)).fingerprint == table_rules(str(remarked)).fingerprint


def test_r4_a_record_contains_the_whole_text_of_an_operators_book(house: str) -> None:
    text = recordable_rules(house)
    recorded = table_rules(text)
    Path(house).unlink()
    assert recorded.id == "house"
    assert recorded.limits[Wager.ANTE] == Limit(min=1_000, max=50_000)
    assert recordable_rules("galaxy") == "galaxy"
    assert recordable_rules(text) == text
