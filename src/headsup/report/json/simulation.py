"""A simulation for programs: whole numbers and exact values as texts, errors and shares too."""

from collections.abc import Mapping, Sequence
from typing import Any

from headsup.analysis.par.exact_numbers import decimal_text
from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import SimulatedSessions, Simulation, WagerEstimate
from headsup.game.rulebook.model import PayKind
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import SIDE_WAGERS, Wager
from headsup.game.values.money import Cents, Micros, format_cents, format_micros
from headsup.report.json.main_game import rules_json

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def simulation_json(
    rules: TableRules, bets: Mapping[Wager, Cents], found: Simulation, asked: int
) -> dict[str, Any]:
    correlation = found.seat_correlation
    return {
        **rules_json(rules),
        "rounds": found.rounds,
        "asked": asked,
        "seats": len(found.seats),
        "seed": found.seed,
        "stakes": {wager.value: format_cents(stake) for wager, stake in bets.items()},
        **{one.wager.value: _mean(one) for one in found.wagers if one.wager is not None},
        "everything": _mean(found.everything),
        "by_seat": [
            {
                "seat": seat.seat,
                "strategy": seat.style,
                "wagered": format_cents(seat.wagered),
                **{one.wager.value: _mean(one) for one in seat.wagers if one.wager is not None},
                "everything": _mean(seat.everything),
            }
            for seat in found.seats
        ],
        "table": {
            "wagered": format_cents(found.wagered),
            "won": format_cents(found.won),
            "on_meter": None if found.meter is None else format_micros(meter_growth(found.meter)),
            "hold": f"{-found.everything.mean:.10f}",
            "exact": None
            if found.everything.exact is None
            else decimal_text(-found.everything.exact),
        },
        "seat_correlation": None if correlation is None else f"{correlation:.6f}",
        "seat_correlations": [[f"{one:.6f}" for one in row] for row in found.seat_correlations],
        "sessions": {name: _sessions(one) for name, one in found.sessions},
        "table_sessions": None if found.table_sessions is None else _sessions(found.table_sessions),
        "meter": None if found.meter is None else _meter(found.meter),
        "left_out": omitted_wagers(rules, bets),
    }  # fmt: skip


def _mean(one: WagerEstimate) -> dict[str, str | None]:
    low, high = one.interval
    return {
        "mean": f"{one.mean:.10f}",
        "standard_error": f"{one.standard_error:.10f}",
        "low": f"{low:.10f}",
        "high": f"{high:.10f}",
        "exact": None if one.exact is None else decimal_text(one.exact),
        "z": None if one.z is None else f"{one.z:.4f}",
    }


def _sessions(one: SimulatedSessions) -> dict[str, Any]:
    exact = None if one.is_near else one.known
    return {
        "rounds": one.rounds,
        "sessions": one.count,
        "mean": f"{one.mean / 100:.6f}",
        "ahead": f"{one.ahead:.6f}",
        "quantiles": {
            f"{chance:.2f}": format_cents(net)
            for chance, net in zip(QUANTILES, one.quantiles(QUANTILES), strict=True)
        },
        "exact": None
        if exact is None
        else {
            "ahead": f"{exact.ahead:.6f}",
            "quantiles": {f"{c:.2f}": format_cents(exact.quantile(c)) for c in QUANTILES},
        },
    }


def _meter(history: MeterHistory) -> dict[str, Any]:
    return {
        "start": format_micros(history.start),
        "seed": format_micros(history.meter_seed),
        "contribution": format_micros(history.contribution),
        "average": format_micros(history.average),
        "now": format_micros(history.now),
        "awarded": format_micros(history.awarded),
        "jackpots": len(history.gaps),
        "shares": history.shares,
        "rounds_between": {key: str(n) for key, n in summarize(history.gaps).items()},
        "at_hit": {key: format_micros(m) for key, m in summarize(history.at_hit).items()},
    }


def meter_growth(history: MeterHistory) -> Micros:
    """By how much more stands on the meter: of what the house won, this is the players'."""
    return history.now - history.start


def summarize(values: Sequence[int]) -> dict[str, int]:
    """How numbers are spread: the least, quartiles, the greatest and the mean, in whole numbers."""
    if not values:
        return {}
    ordered, last = sorted(values), len(values) - 1
    places = {"least": 0, "0.25": last // 4, "0.50": last // 2, "0.75": 3 * last // 4}
    return {
        **{key: ordered[place] for key, place in places.items()},
        "most": ordered[last],
        "mean": sum(ordered) // len(ordered),
    }


def has_rounded_pays(rules: TableRules, bets: Mapping[Wager, Cents]) -> bool:
    """Whether a pay on these stakes does not come to whole chips, and is rounded (R18)."""
    for key, table in rules.paytables.items():
        stake = bets.get(Wager.ANTE if key in ("odds", "bad_beat") else Wager(key), 0)
        pays = (row.pay for row in table.rows if row.pay.kind is PayKind.PAYS)
        if any(stake * pay.amount % rules.chip_unit for pay in pays):
            return True
    return False


def omitted_wagers(rules: TableRules, bets: Mapping[Wager, Cents]) -> list[str]:
    """What the table has and neither this run nor its exact values take in."""
    idle = [w for w in SIDE_WAGERS if rules.offers(w) and w not in bets]
    return [f"{rules.book.label(wager)}, on which nobody bets" for wager in idle]
