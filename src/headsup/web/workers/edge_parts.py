"""The two parts of what a table is worth to the house, and what each of them depends on."""

from typing import Any, assert_never

from headsup.game.values.str_enum import Word

MAIN = ("odds", "bad_beat")  # whose paytables the main game is played by
# What the main game is not settled by: a change of these leaves its edge as it is.
NOT_OF_MAIN = frozenset(
    {
        *("limits", "meter_seed", "meter_contribution", "meter_max", "reseed_floor"),
        *("progressive_stake", "progressive_basis", "progressive_after_fold"),
        *("percentage_awards", "jackpot_regime"),
    }
)


class EdgePart(Word):
    SIDES = "sides"
    MAIN = "main"


def part_of(choice: dict[str, Any], part: EdgePart) -> dict[str, Any]:
    """What of the choice this part's edges depend on."""
    match part:
        case EdgePart.SIDES:
            return choice
        case EdgePart.MAIN:
            options = {k: v for k, v in choice["options"].items() if k not in NOT_OF_MAIN}
            if isinstance(cells := options.get("bonus"), dict):
                options["bonus"] = {key: cells[key] for key in MAIN if key in cells}
            tables = {key: id for key, id in choice["paytables"].items() if key in MAIN}
            return {**choice, "paytables": tables, "options": options}
        case _:
            assert_never(part)
