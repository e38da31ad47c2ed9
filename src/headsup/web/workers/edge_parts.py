"""The two parts of what a table is worth to the house, and what each of them depends on."""

from typing import Any, assert_never

from headsup.game.values.str_enum import TextEnum

MAIN_PAYTABLES = ("odds", "bad_beat")  # whose paytables the main game is played by
# What the main game is not settled by: a change of these leaves its edge as it is.
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
    """What of the choice this part's edges depend on."""
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
