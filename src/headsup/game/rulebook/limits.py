"""Reads the limits that a house posts: minimum, maximum and step of each wager."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType

from headsup.game.refusal import Code, Refused, refusal
from headsup.game.rulebook.fields import ReportMistake
from headsup.game.rulebook.model import Limit
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import parse_cents
from headsup.game.values.money import MAX_STAKE_CENTS

# Odds equal the Ante; a Progressive has a single stake, the option progressive_stake.
LIMITED_WAGERS = (Wager.ANTE, Wager.TRIPS_PLUS, Wager.POCKET_BONUS, Wager.ALL_6)


def read_limits(
    raw: object,
    offered: Collection[Wager],
    report: ReportMistake,
    posted: Mapping[Wager, Limit] = MappingProxyType({}),
) -> dict[Wager, Limit]:
    """`{ante: {min, max, step}}` in dollars. Bounds that are not named stay as `posted`."""
    limits: dict[Wager, Limit] = {}
    if not isinstance(raw, Mapping):
        report("limits", refusal(Code.BAD_RULES, "limits"))
        return limits
    for key, bounds in raw.items():
        path = f"limits.{key}"
        if key not in LIMITED_WAGERS or not isinstance(bounds, Mapping):
            report(path, refusal(Code.BAD_RULES, "limit", wagers=LIMITED_WAGERS))
        elif key != Wager.ANTE and key not in offered:
            report(path, refusal(Code.WAGER_NOT_OFFERED, "limits", key=key))
        else:
            limits[Wager(key)] = _read_limit(path, bounds, report, posted.get(Wager(key), Limit()))
    return limits


def _read_limit(
    path: str, bounds: Mapping[str, object], report: ReportMistake, posted: Limit
) -> Limit:
    cents: dict[str, int] = {}
    for name, value in bounds.items():
        bound_path = f"{path}.{name}"
        if name not in ("min", "max", "step"):
            report(bound_path, refusal(Code.UNKNOWN_KEY, "rules"))
            continue
        try:
            cents[name] = parse_cents(value, "")
        except Refused as refused:
            report(bound_path, refusal(Code.BAD_LIMIT, "because", because=refused.refusal))
            continue
        if cents[name] <= 0:
            report(bound_path, refusal(Code.BAD_LIMIT, "positive"))
        elif cents[name] > MAX_STAKE_CENTS:
            report(bound_path, refusal(Code.BAD_LIMIT, "most", most=MAX_STAKE_CENTS))
    limit = replace(posted, **cents)
    if 0 < limit.max < limit.min:
        report(path, refusal(Code.BAD_LIMIT, "min_above_max"))
    return limit
