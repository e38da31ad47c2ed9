"""Sessions as JSON: amounts in dollars, probabilities as decimals."""

from fractions import Fraction
from typing import Any

from headsup.analysis.exact_numbers import decimal_text, exact_json, root_text
from headsup.analysis.session.report import SessionReport
from headsup.analysis.session.ruin import UnknownRuin
from headsup.report.sheets.main_game import rules_json

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def cents_to_dollars(cents: Fraction | int, places: int = 10) -> str:
    return decimal_text(Fraction(cents) / 100, places)


def session_json(report: SessionReport) -> dict[str, Any]:
    one_round, totals, hold = report.round_nets, report.totals, report.hold
    answer = {
        **rules_json(report.rules),
        "rounds": totals.rounds,
        "strategy": report.strategy,
        "play": report.play,
        "stakes": {
            wager.value: cents_to_dollars(cents, 2) for wager, cents in report.stakes.items()
        },
        "mean": cents_to_dollars(one_round.mean * totals.rounds),
        "standard_deviation": root_text(one_round.variance * totals.rounds / 10_000),
        "ahead": f"{totals.ahead:.10f}",
        "even": f"{totals.even:.10f}",
        "behind": f"{1 - totals.ahead - totals.even:.10f}",
        "quantiles": {f"{q}": cents_to_dollars(totals.quantile(q), 2) for q in QUANTILES},
        "exact": report.exact,
        "error_bound": f"{totals.error:.1e}" if report.exact else None,
        "per_round": {
            "mean": exact_json(one_round.mean / 100),
            "standard_deviation": root_text(one_round.variance / 10_000),
            "staked": exact_json(one_round.mean_stake / 100),
        },
        "hourly": {"pace": report.pace, "mean": cents_to_dollars(one_round.mean * report.pace)},
        "hold": {
            "theoretical": exact_json(hold.theoretical),
            "bands": {
                level: [f"{share:.6f}" for share in band] for level, band in hold.bands.items()
            },
            "volatility_index": f"{hold.volatility_index:.6f}",
            "rounds_to_show": hold.rounds_to_show,
            "rounds_to_show_exact": hold.shows is None or hold.shows.exact,
        },
    }  # fmt: skip
    if report.session_ruin is not None:
        answer["ruin"] = f"{report.session_ruin.ruin:.10f}"
        answer["target"] = f"{report.session_ruin.target:.10f}"
        answer["expected_rounds"] = f"{report.session_ruin.rounds:.4f}"
        answer["needed"] = cents_to_dollars(report.round_cost, 2)
    final = report.ultimate_ruin
    if isinstance(final, UnknownRuin):
        answer["forever"], answer["forever_unknown"] = None, final.reason
    elif final is not None:
        answer["forever"] = {
            "ruin": f"{final.ruin:.10f}",
            "target": f"{final.target:.10f}",
            "expected_rounds": None if final.rounds is None else f"{final.rounds:.4f}",
        }
    return answer
