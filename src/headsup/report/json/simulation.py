"""Simulations as JSON; numbers with decimals are strings."""

from collections.abc import Iterable, Mapping
from typing import Any

from headsup.analysis.exact_numbers import decimal_text
from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    SimulatedSessions,
    Simulation,
    WagerEstimate,
    meter_growth,
    omitted_wagers,
    summarize,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.money import Cents, format_cents, format_micros
from headsup.report.sheets.main_game import rules_json

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def simulation_json(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation, requested_rounds: int
) -> dict[str, Any]:
    correlation, meter = simulation.seat_correlation, simulation.meter
    table_sessions = simulation.table_sessions
    return {
        **rules_json(rules),
        "rounds": simulation.rounds,
        "asked": requested_rounds,
        "seats": len(simulation.seats),
        "seed": simulation.seed,
        "stakes": {wager.value: format_cents(stake) for wager, stake in bets.items()},
        **_wagers(simulation.wagers),
        "everything": _estimate(simulation.everything),
        "by_seat": [
            {
                "seat": seat.seat,
                "strategy": seat.style,
                "wagered": format_cents(seat.wagered),
                **_wagers(seat.wagers),
                "everything": _estimate(seat.everything),
            }
            for seat in simulation.seats
        ],
        "table": {
            "wagered": format_cents(simulation.wagered),
            "won": format_cents(simulation.won),
            "on_meter": None if meter is None else format_micros(meter_growth(meter)),
            "hold": f"{-simulation.everything.mean:.10f}",
            "exact": None
            if simulation.everything.exact is None
            else decimal_text(-simulation.everything.exact),
        },
        "seat_correlation": None if correlation is None else f"{correlation:.6f}",
        "seat_correlations": [
            [f"{value:.6f}" for value in row] for row in simulation.seat_correlations
        ],
        "sessions": {name: _sessions(sessions) for name, sessions in simulation.sessions},
        "table_sessions": None if table_sessions is None else _sessions(table_sessions),
        "meter": None if meter is None else _meter(meter),
        "left_out": omitted_wagers(rules, bets),
    }  # fmt: skip


def _wagers(estimates: Iterable[WagerEstimate]) -> dict[str, Any]:
    return {
        estimate.wager.value: _estimate(estimate)
        for estimate in estimates
        if estimate.wager is not None
    }


def _estimate(estimate: WagerEstimate) -> dict[str, str | None]:
    low, high = estimate.interval
    return {
        "mean": f"{estimate.mean:.10f}",
        "standard_error": f"{estimate.standard_error:.10f}",
        "low": f"{low:.10f}",
        "high": f"{high:.10f}",
        "exact": None if estimate.exact is None else decimal_text(estimate.exact),
        "z": None if estimate.z is None else f"{estimate.z:.4f}",
    }


def _sessions(sessions: SimulatedSessions) -> dict[str, Any]:
    exact = None if sessions.is_approximate else sessions.exact
    return {
        "rounds": sessions.rounds,
        "sessions": sessions.count,
        "mean": f"{sessions.mean / 100:.6f}",
        "ahead": f"{sessions.ahead:.6f}",
        "quantiles": {
            f"{chance:.2f}": format_cents(net)
            for chance, net in zip(QUANTILES, sessions.quantiles(QUANTILES), strict=True)
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
