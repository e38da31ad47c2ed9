"""The two parts of a table's house edges, side wagers and main game, and what each depends on."""

from typing import Any, assert_never

from headsup.game.values.str_enum import TextEnum

MAIN_PAYTABLES = ("odds", "bad_beat")  # the paytables that the main game depends on
# Options that do not affect the main game, and so do not change its edge.
SIDE_ONLY_OPTIONS = frozenset(
    {
        *("limits", "meter_seed", "meter_contribution", "meter_max", "reseed_floor"),
        *("progressive_stake", "progressive_basis", "progressive_after_fold"),
        *("percentage_awards", "jackpot_regime"),
    }
)


class EdgePart(TextEnum):
    SIDES = "sides"
    MAIN = "main"


def narrow_choice(choice: dict[str, Any], part: EdgePart) -> dict[str, Any]:
    """The part of the choice that these edges depend on: the cache key."""
    match part:
        case EdgePart.SIDES:
            return choice
        case EdgePart.MAIN:
            options = {k: v for k, v in choice["options"].items() if k not in SIDE_ONLY_OPTIONS}
            if isinstance(cells := options.get("bonus"), dict):
                options["bonus"] = {key: cells[key] for key in MAIN_PAYTABLES if key in cells}
            tables = {key: id for key, id in choice["paytables"].items() if key in MAIN_PAYTABLES}
            return {**choice, "paytables": tables, "options": options}
        case _:
            assert_never(part)
