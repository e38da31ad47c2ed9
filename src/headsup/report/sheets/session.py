"""A session of many rounds: the player's result, the bankroll, and the house's hold."""

from collections.abc import Iterator

from headsup.analysis.exact_numbers import decimal_text, square_root
from headsup.analysis.session.report import SessionReport
from headsup.analysis.session.ruin import UltimateRuin, UnknownRuin
from headsup.game.values.amounts import show_count
from headsup.game.values.money import Cents, show_dollars
from headsup.report.formats import (
    DOLLARS,
    PAID_CENTS,
    ROOT,
    SHARE,
    Format,
    format_dollars,
)
from headsup.report.plots.session import ruin_plot, session_plot
from headsup.report.sheet import Chart, Figure, Section, Sheet
from headsup.report.sheets.main_game import rules_json

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_CHANCE = Format(lambda chance: f"{chance:.2%}", lambda chance: f"{chance:.10f}")
_RARE_CHANCE = _CHANCE._replace(text=lambda chance: f"{chance:.4%}")
_ROUNDS = Format(lambda rounds: f"{rounds:,.1f}", lambda rounds: f"{rounds:.4f}")
_MEAN = Format(format_dollars, decimal_text)
_DEVIATION = ROOT._replace(text=lambda deviation: f"${deviation:,.2f}")


def session_sheet(report: SessionReport) -> Sheet:
    """Without a bankroll, all rounds are played. With one, the first figures allow for its end."""
    house, played = "The house", ""
    sections = [_question(report)]
    if report.bankroll is not None:
        played = "If all rounds are played, regardless of bankroll"
        house = "The house, if all rounds are played"
        sections.append(_fortune(report, report.bankroll))
    sections += [_results(report, played), _house(report, house)]
    stakes = ", ".join(
        f"{report.rules.book.label(wager)} {show_dollars(cents)}"
        for wager, cents in report.stakes.items()
    )
    rounds = show_count(report.totals.rounds, "round")
    about = f"{rounds}, {report.play}; {stakes}"
    return Sheet(
        report.rules.book.title, about, tuple(sections), picture=_results(report, played).charts[0]
    )


def _question(report: SessionReport) -> Section:
    """What programs get besides the figures."""
    return Section(
        "",
        "",
        figures=(
            Figure("rounds", "", report.totals.rounds),
            Figure("strategy", "", report.strategy),
            Figure("play", "", report.play),
            *(
                Figure(f"stakes/{wager.value}", "", cents, PAID_CENTS)
                for wager, cents in report.stakes.items()
            ),
        ),
        data=lambda: rules_json(report.rules),
    )


def _results(report: SessionReport, title: str) -> Section:
    totals = report.totals
    plays_on = report.session_ruin is not None
    return Section(
        "",
        title,
        figures=tuple(_result_figures(report)),
        charts=(Chart("plot", lambda: session_plot(totals, ignores_bankroll=plays_on)),),
    )


def _result_figures(report: SessionReport) -> Iterator[Figure]:
    round, totals = report.round_nets, report.totals
    rounds, pace = totals.rounds, report.pace
    hourly = f"Expected per hour at {pace} rounds"
    error = totals.error if report.exact else None
    yield Figure("mean", "Expected result", round.mean * rounds / 100, _MEAN)
    deviation = square_root(round.variance * rounds / 10_000)
    yield Figure("standard_deviation", "Standard deviation", deviation, _DEVIATION)
    yield Figure("ahead", "Ahead", totals.ahead, _CHANCE)
    yield Figure("even", "Even", totals.even, _CHANCE)
    yield Figure("behind", "Behind", 1 - totals.ahead - totals.even, _CHANCE)
    for chance in QUANTILES:
        label = f"{chance:.0%} of sessions end at or below"
        yield Figure(f"quantiles/{chance}", label, totals.quantile(chance), PAID_CENTS)
    yield Figure("hourly/pace", "", pace)
    yield Figure("hourly/mean", hourly, round.mean * pace / 100, _MEAN)
    yield Figure("per_round/mean", "", round.mean / 100, DOLLARS)
    yield Figure("per_round/standard_deviation", "", square_root(round.variance / 10_000), ROOT)
    yield Figure("per_round/staked", "", round.mean_stake / 100, DOLLARS)
    yield Figure("exact", "", report.exact)
    yield Figure(
        "error_bound",
        *("Probabilities are accurate to", error),
        Format(lambda error: f"{error:.0e}", lambda error: f"{error:.1e}"),
        absent="unknown: All 6's cards are treated as from another deck",
    )


def _fortune(report: SessionReport, bankroll: Cents) -> Section:
    title = f"With a bankroll of {show_dollars(bankroll)}"
    if report.target is not None:
        title += f" and a target of {show_dollars(report.target)}"
    ruin = report.session_ruin
    charts = () if ruin is None else (Chart("plot", lambda: ruin_plot(ruin)),)
    return Section("", title, figures=tuple(_fortune_figures(report)), charts=charts)


def _fortune_figures(report: SessionReport) -> Iterator[Figure]:
    if (ruin := report.session_ruin) is not None:
        label = f"Ruined (below {show_dollars(report.round_cost)})"
        yield Figure("ruin", label, ruin.ruin, _RARE_CHANCE)
        yield Figure("target", "Target reached" if ruin.target else "", ruin.target, _RARE_CHANCE)
        yield Figure("expected_rounds", "Rounds played on average", ruin.rounds, _ROUNDS)
        yield Figure("needed", "", report.round_cost, PAID_CENTS)
    match report.ultimate_ruin:
        case UnknownRuin() as unknown:
            reason = f"unknown: too many balances to follow ({unknown.grid_points:,})"
            yield Figure("forever", "If play never ends", None, absent=reason)
            yield Figure("forever_unknown", "", unknown.reason)
        case UltimateRuin() as ultimate:
            yield from _ultimate_figures(ultimate)
        case None:
            pass


def _ultimate_figures(ultimate: UltimateRuin) -> Iterator[Figure]:
    has_target = ultimate.rounds is not None
    ruined = "" if has_target else "Ruined, if play never ends"
    target = "Target before ruin, however long it takes" if has_target else ""
    certain = _RARE_CHANCE._replace(
        text=lambda chance: "certain" if chance == 1 else _RARE_CHANCE.text(chance)
    )
    yield Figure("forever/ruin", ruined, ultimate.ruin, certain)
    yield Figure("forever/target", target, ultimate.target, _RARE_CHANCE)
    until = "Rounds until either" if has_target else ""
    yield Figure("forever/expected_rounds", until, ultimate.rounds, _ROUNDS)


def _house(report: SessionReport, title: str) -> Section:
    hold = report.hold
    is_exact = hold.shows is None or hold.shows.exact
    band = Format(
        lambda ends: "{:+.3%} to {:+.3%}".format(*ends), lambda ends: [f"{end:.6f}" for end in ends]
    )
    index = Format(lambda index: f"{index:.3f}", lambda index: f"{index:.6f}")
    rounds = Format(lambda rounds: f"{rounds:,} rounds", lambda rounds: rounds)
    share, shows = SHARE._replace(is_exact=False), hold.rounds_to_show
    ahead = "95% certain to be ahead after" if is_exact else "95% certain to be ahead after about"
    return Section(
        "hold",
        title,
        figures=(
            Figure(
                "theoretical", "Theoretical hold", hold.theoretical, share, "of the average wager"
            ),
            *(
                Figure(f"bands/{level}", f"Hold with {float(level):.0%}", ends, band)
                for level, ends in hold.bands.items()
            ),
            Figure("volatility_index", "Volatility index", hold.volatility_index, index),
            Figure("rounds_to_show", ahead, shows, rounds, absent="never"),
            Figure("rounds_to_show_exact", "", is_exact),
        ),
    )
