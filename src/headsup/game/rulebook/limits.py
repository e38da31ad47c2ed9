"""The limits a house posts: least, most and step of each wager that has them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.rulebook.fields import ReportMistake
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_cents
from headsup.game.values.money import MAX_STAKE_CENTS

# The Odds follow the Ante; a Progressive has one stake, the option progressive_stake.
LIMITED_WAGERS = (Wager.ANTE, Wager.TRIPS_PLUS, Wager.POCKET_BONUS, Wager.ALL_6)


def read_limits(
    raw: object,
    offered: Collection[Wager],
    wrong: ReportMistake,
    posted: Mapping[Wager, Limit] = MappingProxyType({}),
) -> dict[Wager, Limit]:
    """`{ante: {min, max, step}}` in dollars; what is not named stays as `posted`."""
    limits: dict[Wager, Limit] = {}
    if not isinstance(raw, Mapping):
        wrong("limits", refusal(Code.BAD_RULES, "limits"))
        return limits
    for key, bounds in raw.items():
        at = f"limits.{key}"
        if key not in LIMITED_WAGERS or not isinstance(bounds, Mapping):
            wrong(at, refusal(Code.BAD_RULES, "limit", wagers=LIMITED_WAGERS))
        elif key != Wager.ANTE and key not in offered:
            wrong(at, refusal(Code.WAGER_NOT_OFFERED, "limits", key=key))
        else:
            limits[Wager(key)] = _limit(at, bounds, wrong, posted.get(Wager(key), Limit()))
    return limits


def _limit(at: str, bounds: Mapping[str, object], wrong: ReportMistake, posted: Limit) -> Limit:
    cents: dict[str, int] = {}
    for name, value in bounds.items():
        here = f"{at}.{name}"
        if name not in ("min", "max", "step"):
            wrong(here, refusal(Code.UNKNOWN_KEY, "rules"))
            continue
        try:
            cents[name] = parse_cents(value, "")
        except Refused as refused:
            wrong(here, refusal(Code.BAD_LIMIT, "because", because=refused.refusal))
            continue
        if cents[name] <= 0:
            wrong(here, refusal(Code.BAD_LIMIT, "positive"))
        elif cents[name] > MAX_STAKE_CENTS:
            wrong(here, refusal(Code.BAD_LIMIT, "most", most=MAX_STAKE_CENTS))
    limit = replace(posted, **cents)
    if 0 < limit.max < limit.min:
        wrong(at, refusal(Code.BAD_LIMIT, "min_above_max"))
    return limit
