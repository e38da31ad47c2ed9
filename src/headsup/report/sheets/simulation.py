"""A simulation: what each wager, seat and session returned, beside the exact values."""

from collections.abc import Mapping, Sequence
from typing import Any

from headsup.analysis.counts.caps import best_play_label
from headsup.analysis.exact_numbers import decimal_text
from headsup.analysis.simulation.meter_path import MeterHistory
from headsup.analysis.simulation.results import (
    SimulatedSessions,
    Simulation,
    has_rounded_pays,
    meter_growth,
    omitted_wagers,
    summarize,
)
from headsup.game.rulebook.table_rules import TableRules
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.amounts import show_count
from headsup.game.values.money import (
    Cents,
    format_cents,
    format_micros,
    show_dollars,
    show_micro_dollars,
)
from headsup.report.formats import COUNT, PAID_CENTS, WORDS, Format
from headsup.report.plots.simulation import (
    jackpots_plot,
    sessions_plot,
    wager_name,
    wagers_plot,
)
from headsup.report.sheet import Chart, Column, Figure, Section, Sheet, Table, row_json
from headsup.report.sheets.main_game import rules_json
from headsup.report.sheets.session import QUANTILES

MIN_JACKPOTS = 20  # for a plot of the rounds between them
_SHARE = Format(lambda share: f"{share:+.4%}", lambda share: f"{share:.10f}")
_HOLD = _SHARE._replace(text=lambda share: f"{share:.4%}")
_EXACT = Format(lambda share: f"{float(share):+.4%}", decimal_text)
_INTERVAL = Format(lambda ends: "{:+.4%} to {:+.4%}".format(*ends), list)
_Z = Format(lambda z: f"{z:+.2f}", lambda z: f"{z:.4f}")
_CORRELATION = Format(lambda value: f"{value:.4f}", lambda value: f"{value:.6f}")
_MICROS = Format(show_micro_dollars, format_micros)
_EXACT_MICROS = Format(lambda micros: f"${format_micros(micros)}", format_micros)
_CHANCE = Format(lambda chance: f"{chance:.3%}", lambda chance: f"{chance:.6f}")
_DOLLARS = Format(show_dollars, format_cents)

ESTIMATE = (
    Column("mean", "Mean", lambda estimate: estimate.mean, _SHARE),
    Column("standard_error", "", lambda estimate: estimate.standard_error, _SHARE),
    Column("low", "", lambda estimate: estimate.interval[0], _SHARE),
    Column("high", "", lambda estimate: estimate.interval[1], _SHARE),
    Column("", "95% interval", lambda estimate: estimate.interval, _INTERVAL),
    Column("exact", "Exact", lambda estimate: estimate.exact, _EXACT, absent="unknown"),
    Column("z", "z", lambda estimate: estimate.z, _Z),
)


def simulation_sheet(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation, requested_rounds: int
) -> Sheet:
    """`requested_rounds` are those asked for; an interrupted run has fewer."""
    return Sheet(
        rules.book.title,
        _about(rules, bets, simulation),
        (
            _question(rules, bets, simulation, requested_rounds),
            _wagers(rules, simulation),
            _seats(simulation),
            _table(simulation),
            *_all_sessions(rules, bets, simulation),
            meter_section(rules, simulation.meter),
        ),
        tuple(_notes(rules, bets)),
        picture=Chart("plot", lambda: wagers_plot(rules, simulation)),
    )


def _about(rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation) -> str:
    """Rounds, seats and styles of play, and the stakes."""
    styles = [seat.style for seat in simulation.seats]
    seats, rounds = show_count(len(styles), "seat"), show_count(simulation.rounds, "round")
    best = best_play_label(rules, bets, len(styles))
    plays = best if set(styles) == {"best"} else ", ".join(dict.fromkeys(styles))
    stakes = ", ".join(f"{rules.book.label(w)} {show_dollars(stake)}" for w, stake in bets.items())
    return f"{rounds}, {seats}, seed {simulation.seed}, {plays}; {stakes}"


def _notes(rules: TableRules, bets: Mapping[Wager, Cents]) -> list[str]:
    rounded = (
        "Some pays on these stakes are rounded to chips. The exact values allow for that; the par "
        "sheet does not."
    )
    left_out = [f"Left out: {wager}" for wager in omitted_wagers(rules, bets)]
    return [*([rounded] if has_rounded_pays(rules, bets) else []), *left_out]


def _question(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation, requested_rounds: int
) -> Section:
    """What programs get besides the figures."""
    return Section(
        "",
        "",
        figures=(
            Figure("rounds", "", simulation.rounds),
            Figure("asked", "", requested_rounds),
            Figure("seats", "", len(simulation.seats)),
            Figure("seed", "", simulation.seed),
            *(
                Figure(f"stakes/{wager.value}", "", stake, _DOLLARS)
                for wager, stake in bets.items()
            ),
            Figure("left_out", "", omitted_wagers(rules, bets)),
        ),
        data=lambda: rules_json(rules),
    )


def _wagers(rules: TableRules, simulation: Simulation) -> Section:
    every = simulation.everything
    name = Column("", "Wager", lambda estimate: wager_name(rules, estimate), WORDS)
    total = {column.label: column.get(every) for column in (name, *ESTIMATE)}
    one = Format(str, lambda estimate: row_json(ESTIMATE, estimate))
    return Section(
        "",
        "Each wager, per unit staked",
        figures=(Figure("everything", "", every, one),),
        tables=(
            Table(
                *("/", "Means", (name, *ESTIMATE), simulation.wagers),
                row_name=lambda estimate: estimate.wager.value,
                total=total,
            ),
        ),
        charts=(Chart("plot", lambda: wagers_plot(rules, simulation)),),
    )


def _seats(simulation: Simulation) -> Section:
    seats = simulation.seats
    columns = (
        Column("", "Seat", lambda seat: f"{seat.seat} {seat.style}", WORDS),
        *(_of_everything(column) for column in ESTIMATE),
    )
    pairs = [
        correlation
        for seat, row in enumerate(simulation.seat_correlations)
        for other, correlation in enumerate(row)
        if other < seat
    ]
    average = sum(pairs) / len(pairs) if pairs else None
    two = "Correlation of two seats"
    return Section(
        "",
        "Seats" if len(seats) > 1 else "",
        figures=(
            Figure(
                "seat_correlation",
                *(f"{two}, main game", simulation.seat_correlation, _CORRELATION),
                absent="",
            ),
            Figure("", f"{two}, all wagers", average, _CORRELATION, absent=""),
        ),
        tables=(Table("", "All wagers of a seat" if len(seats) > 1 else "", columns, seats),),
        data=lambda: {
            "by_seat": [
                {
                    "seat": seat.seat,
                    "strategy": seat.style,
                    "wagered": format_cents(seat.wagered),
                    **{str(each.wager): row_json(ESTIMATE, each) for each in seat.wagers},
                    "everything": row_json(ESTIMATE, seat.everything),
                }
                for seat in seats
            ],
            "seat_correlations": [
                [_CORRELATION.json(value) for value in row] for row in simulation.seat_correlations
            ],
        },
    )


def _of_everything(column: Column) -> Column:
    return Column(
        "", column.label, lambda seat: column.get(seat.everything), column.format, column.absent
    )


def _table(simulation: Simulation) -> Section:
    meter, exact = simulation.meter, simulation.everything.exact
    growth = None if meter is None else meter_growth(meter)
    exact_hold = None if exact is None else -exact
    return Section(
        "table",
        "The table",
        figures=(
            Figure("wagered", "Wagered at the table", simulation.wagered, _DOLLARS),
            Figure("won", "Won by the house", simulation.won, _DOLLARS),
            Figure("on_meter", "Of which on the meter", growth, _MICROS, absent=""),
            Figure("hold", "Hold", -simulation.everything.mean, _HOLD),
            Figure("exact", "", exact_hold, _EXACT),
        ),
    )


# Sessions.


def _all_sessions(
    rules: TableRules, bets: Mapping[Wager, Cents], simulation: Simulation
) -> list[Section]:
    seats, house = len(simulation.seats), simulation.table_sessions
    sections = []
    for style, sessions in simulation.sessions:
        plays = best_play_label(rules, bets, seats) if style == "best" else style
        sections.append(_sessions(f"Sessions of {sessions.rounds:,} rounds, {plays}", sessions))
    if house is not None and seats > 1:
        title = f"House win from the table over {house.rounds:,} rounds"
        sections.append(_sessions(title, house))
    one = Format(str, lambda sessions: row_json(_SESSIONS, sessions))
    columns = [_of_style(column) for column in _SESSIONS]
    by_style = Table("sessions", "", columns, simulation.sessions, row_name=lambda row: row[0])
    data = Section("", "", figures=(Figure("table_sessions", "", house, one),), tables=(by_style,))
    return [*sections, data]


def _of_style(column: Column) -> Column:
    """A column of the rows (style, sessions)."""
    return Column(column.key, "", lambda row: column.get(row[1]), column.format)


def _sessions(title: str, sessions: SimulatedSessions) -> Section:
    exact = sessions.exact
    simulated = sessions.quantiles(QUANTILES)
    columns = [
        Column("", "At most", lambda row: f"{row[0]:.0%}", WORDS),
        Column("", "Simulated", lambda row: row[1], PAID_CENTS),
    ]
    figures = [Figure("", "Ahead", sessions.ahead, _CHANCE)]
    if exact is not None:
        how = sessions.exactness
        columns.append(Column("", how.capitalize(), lambda row: exact.quantile(row[0]), PAID_CENTS))
        figures.append(Figure("", f"Ahead, {how}", exact.ahead, _CHANCE))
    rows = list(zip(QUANTILES, simulated, strict=True))
    quantiles = Table("", f"{sessions.count:,} sessions", columns, rows)
    has_plot = exact is not None and sessions.count > 0
    charts = (Chart("plot", lambda: sessions_plot(title, sessions)),) if has_plot else ()
    return Section("", title, figures=tuple(figures), tables=(quantiles,), charts=charts)


def _quantiles(nets: Sequence[Cents]) -> dict[str, str]:
    return {f"{chance:.2f}": format_cents(net) for chance, net in zip(QUANTILES, nets, strict=True)}


def _exact_session(sessions: SimulatedSessions) -> dict[str, Any] | None:
    exact = None if sessions.is_approximate else sessions.exact
    if exact is None:
        return None
    quantiles = _quantiles([exact.quantile(chance) for chance in QUANTILES])
    return {"ahead": _CHANCE.json(exact.ahead), "quantiles": quantiles}


_SESSIONS = (
    Column("rounds", "", lambda sessions: sessions.rounds),
    Column("sessions", "", lambda sessions: sessions.count),
    Column("mean", "", lambda sessions: f"{sessions.mean / 100:.6f}"),
    Column("ahead", "", lambda sessions: sessions.ahead, _CHANCE),
    Column("quantiles", "", lambda sessions: _quantiles(sessions.quantiles(QUANTILES))),
    Column("exact", "", _exact_session),
)


# The meter.


def meter_section(rules: TableRules, meter: MeterHistory | None) -> Section:
    if meter is None:
        return Section("", "", figures=(Figure("meter", "", None),))
    gaps, hits = summarize(meter.gaps), summarize(meter.at_hit)
    rounds = Format(str, lambda gaps: {key: str(gap) for key, gap in gaps.items()})
    pools = Format(str, lambda hits: {key: format_micros(pool) for key, pool in hits.items()})
    rows = [("Rounds between jackpots", gaps, COUNT), ("Meter when hit", hits, _MICROS)]
    columns = (
        Column("", " ", lambda row: row[0], WORDS),
        Column("", "Minimum", lambda row: row[2].text(row[1]["least"])),
        Column("", "Median", lambda row: row[2].text(row[1]["0.50"])),
        Column("", "Maximum", lambda row: row[2].text(row[1]["most"])),
        Column("", "Mean", lambda row: row[2].text(row[1]["mean"])),
    )
    has_plot = len(meter.gaps) >= MIN_JACKPOTS
    return Section(
        "meter",
        rules.book.label(Wager.PROGRESSIVE),
        figures=(
            Figure("start", "Meter at the start", meter.start, _MICROS),
            Figure("now", "Meter at the end", meter.now, _MICROS),
            Figure(
                *("average", "Meter on average", meter.average, _MICROS),
                unit="used for the exact value",
            ),
            Figure("contribution", "Added by each wager", meter.contribution, _EXACT_MICROS),
            Figure("seed", "Reset to", meter.meter_seed, _MICROS),
            Figure("awarded", "Paid from it", meter.awarded, _MICROS),
            Figure("jackpots", "Jackpots", len(meter.gaps), COUNT),
            Figure("shares", "Smaller shares", meter.shares, COUNT),
            Figure("rounds_between", "", gaps, rounds),
            Figure("at_hit", "", hits, pools),
        ),
        tables=(Table("", "Jackpots", columns, rows),) if gaps else (),
        charts=(Chart("plot", lambda: jackpots_plot(meter)),) if has_plot else (),
    )
