"""Plots of a simulation: wagers beside their exact values, sessions, time between jackpots."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import exp

from headsup.analysis.counts.caps import best_play_label
from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    NORMAL_95,
    SimulatedSessions,
    Simulation,
    WagerEstimate,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.counts import show_count
from headsup.game.values.money import Cents, show_dollars, show_micro_dollars
from headsup.report.json.simulation import omitted_wagers, summarize
from headsup.report.plots.session import format_whole_dollars, session_bars
from headsup.report.plots.svg import (
    BOTTOM_MARGIN,
    TOP_MARGIN,
    Plot,
    html_figures,
    html_page,
    svg_bar,
    svg_curve,
    svg_dot,
    svg_label,
    svg_line,
    svg_text,
    tick_formatter,
)

ROW_HEIGHT = 34  # of a wager, in the plot of all
NAMES_WIDTH, FIGURES_WIDTH = 140, 212  # room for the names at the left and the figures at the right
MIN_Z_SPAN = 4.0  # standard errors that the plot has room for, at least
GAP_BARS = 24  # bars of the time between jackpots
MIN_JACKPOTS = 20  # jackpots that make no picture yet


def wager_names(rules: TableRules, found: Simulation) -> list[tuple[str, WagerEstimate]]:
    """Each wager as the felt calls it, and all together."""
    named = [
        ("Main game" if one.wager is Wager.ANTE else rules.book.label(one.wager), one)
        for one in found.wagers
        if one.wager is not None
    ]
    return [*named, ("All that is wagered", found.everything)]


def wagers_plot(rules: TableRules, found: Simulation) -> str:
    """How far each mean is from its exact value in standard errors, with its 95 % interval."""
    rows = [(label, one) for label, one in wager_names(rules, found) if one.z is not None]
    far = max([MIN_Z_SPAN, *(abs(one.z or 0.0) + NORMAL_95 for _, one in rows)])
    plot = Plot(
        "Means dealt, beside the exact values",
        (-far, far),
        (0.0, float(len(rows) or 1)),
        ("Standard errors from the exact value", ""),
        height=TOP_MARGIN + BOTTOM_MARGIN + ROW_HEIGHT * (len(rows) or 1),
        left=NAMES_WIDTH,
        right=FIGURES_WIDTH,
    )
    parts = [*plot.marks_across(tick_formatter(plot.xs), lines=True)]
    parts.append(
        svg_line(plot.across(0), TOP_MARGIN, plot.across(0), plot.base, "ink", dashed=True)
    )
    for place, (label, one) in enumerate(rows):
        z, y = one.z or 0.0, TOP_MARGIN + ROW_HEIGHT * (place + 0.5)
        low, high = plot.across(z - NORMAL_95), plot.across(z + NORMAL_95)
        colour = "gain" if abs(z) < MIN_Z_SPAN else "loss"
        parts.append(svg_bar(low, y - 2, high, y + 2, colour, 0.45))
        parts.append(svg_dot(plot.across(z), y, 5, colour))
        parts.append(svg_text(16, y + 4, label, colour="ink"))
        figures_told = f"{one.mean:+.4%}, exact {float(one.exact or 0):+.4%}"
        parts.append(svg_text(plot.end + 16, y + 4, figures_told))
    return plot.drawn(parts)


def sessions_plot(title: str, sessions: SimulatedSessions) -> str:
    """Results as dealt, as bars; the exact distribution as a line."""
    exact = sessions.known
    if exact is None:
        raise ValueError("no distribution to set beside")
    bars = session_bars(exact)
    step = exact.step
    dealt = _shares(sessions.results, [(a, b) for a, b, _ in bars], sessions.count, step)
    highest = max([*dealt, *(height for *_, height in bars)]) or 1.0
    plot = Plot(title, (bars[0][0], bars[-1][1]), (0.0, highest), ("Won or lost", ""), left=24)
    drawn = [
        svg_bar(plot.across(a), plot.up(share), plot.across(b), plot.base,
            "gain" if a + b > 0 else "loss", 0.75)
        for (a, b, _), share in zip(bars, dealt, strict=True)
    ]  # fmt: skip
    line_of = [(plot.across((a + b) / 2), plot.up(height)) for a, b, height in bars]
    told = f"bars: {sessions.count:,} sessions dealt, ahead {sessions.ahead:.2%}"
    words = svg_text(
        16, TOP_MARGIN - 12, f"{told}; line: {sessions.exactness}, ahead {exact.ahead:.2%}"
    )
    return plot.drawn(
        [*drawn, svg_curve(line_of, "ink", 1.5), words, *plot.marks_across(format_whole_dollars)]
    )


def _shares(
    results: Counter[int], between: Sequence[tuple[float, float]], count: int, step: int
) -> list[float]:
    """How often a place on the grid between two bounds came, on average over its places."""
    shares = [0.0] * len(between)
    at = 0
    for net in sorted(results):
        while at < len(between) - 1 and net > between[at][1]:
            at += 1
        if between[at][0] <= net <= between[at][1]:
            shares[at] += results[net] / count
    return [
        share / max(1, round((high - low) / step))
        for share, (low, high) in zip(shares, between, strict=True)
    ]


def jackpots_plot(meter: MeterHistory) -> str:
    """Rounds between jackpots, as bars; the line is chance alone, with the same mean."""
    gaps = sorted(meter.gaps)
    mean, last = sum(gaps) / len(gaps), float(gaps[-1])
    width = last / GAP_BARS
    counts = Counter(min(int(gap / width), GAP_BARS - 1) for gap in gaps)
    expected = [
        len(gaps) * (exp(-place * width / mean) - exp(-(place + 1) * width / mean))
        for place in range(GAP_BARS)
    ]
    plot = Plot(
        f"Rounds between jackpots: {len(gaps):,}, {mean:,.0f} on average",
        (0.0, last),
        (0.0, float(max([*counts.values(), *expected]))),
        ("Rounds", ""),
    )
    drawn = [
        svg_bar(plot.across(place * width), plot.up(counts[place]),
            plot.across((place + 1) * width), plot.base, "gain", 0.75)
        for place in range(GAP_BARS)
    ]  # fmt: skip
    line_of = [
        (plot.across((place + 0.5) * width), plot.up(count)) for place, count in enumerate(expected)
    ]
    x, y = line_of[GAP_BARS // 3]
    words = svg_label(x + 10, y - 10, "by chance alone", "start", "ink")
    return plot.drawn(
        [
            *plot.marks_up(tick_formatter(plot.ys)),
            *drawn,
            svg_curve(line_of, "ink", 1.5),
            words,
            *plot.marks_across(tick_formatter(plot.xs)),
        ]
    )


def about_simulation(
    rules: TableRules, bets: Mapping[Wager, Cents], found: Simulation
) -> tuple[str, str]:
    """Who played how long, and for how much."""
    styles = [seat.style for seat in found.seats]
    seats, rounds = show_count(len(styles), "seat"), show_count(found.rounds, "round")
    best = best_play_label(rules, bets, len(styles))
    plays = best if set(styles) == {"best"} else ", ".join(dict.fromkeys(styles))
    stakes = ", ".join(f"{rules.book.label(w)} {show_dollars(stake)}" for w, stake in bets.items())
    return f"{rounds}, {seats}, seed {found.seed}, {plays}", stakes


def simulation_facts(
    rules: TableRules, bets: Mapping[Wager, Cents], found: Simulation
) -> list[tuple[str, str]]:
    """The table as a whole, and its meter."""
    facts = [
        ("Wagered at the table", show_dollars(found.wagered)),
        ("Won by the house", show_dollars(found.won)),
        ("Hold", f"{-found.everything.mean:.4%}"),
    ]
    if found.seat_correlation is not None:
        facts.append(("Correlation of two seats' main games", f"{found.seat_correlation:.4f}"))
    if (meter := found.meter) is not None:
        facts += [
            ("Meter, from", show_micro_dollars(meter.start)),
            ("to", show_micro_dollars(meter.now)),
            ("on average", show_micro_dollars(meter.average)),
            ("Jackpots", f"{len(meter.gaps):,}"),
        ]
        if meter.gaps:
            facts.append(
                ("Meter when hit, median", show_micro_dollars(summarize(meter.at_hit)["0.50"]))
            )
    return [*facts, *(("Left out", one) for one in omitted_wagers(rules, bets))]


def simulation_page(rules: TableRules, bets: Mapping[Wager, Cents], found: Simulation) -> str:
    plots = [wagers_plot(rules, found)]
    for style, sessions in found.sessions:
        if sessions.known is not None and sessions.count:
            plays = best_play_label(rules, bets, len(found.seats)) if style == "best" else style
            title = f"Sessions of {sessions.rounds:,} rounds, {plays}"
            plots.append(sessions_plot(title, sessions))
    if found.meter is not None and len(found.meter.gaps) >= MIN_JACKPOTS:
        plots.append(jackpots_plot(found.meter))
    wagers = "".join(
        _cells(
            label,
            f"{one.mean:+.4%}",
            "{:+.4%} to {:+.4%}".format(*one.interval),
            "unknown" if one.exact is None else f"{float(one.exact):+.4%}",
            "" if one.z is None else f"{one.z:+.2f}",
        )
        for label, one in wager_names(rules, found)
    )
    about = "".join(f"<p>{escape(told)}</p>\n" for told in about_simulation(rules, bets, found))
    facts = "".join(_cells(*fact) for fact in simulation_facts(rules, bets, found))
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("mean", "95%", "exact", "z"))
    return html_page(
        rules.book.title,
        f"{about}{html_figures(plots)}"
        f"<div><table>\n<tr><th></th>{heads}</tr>\n{wagers}</table></div>\n<h2>The table</h2>\n"
        f"<div><table>\n{facts}</table></div>\n",
    )


def _cells(label: str, *cells: str) -> str:
    told = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{escape(label)}</th>{told}</tr>\n"
