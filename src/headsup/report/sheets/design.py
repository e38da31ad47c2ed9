"""A paytable design: the present pays beside those found, and a Progressive's meter."""

from collections.abc import Iterator

from headsup.analysis.design.designer import DesignAnswer
from headsup.analysis.design.meters import MeterPlan
from headsup.analysis.design.paytables import DesignedTable
from headsup.analysis.design.rows import MAIN, DesignRow, printed_pay, row_text
from headsup.analysis.design.search import Merit
from headsup.analysis.exact_numbers import decimal_text, exact_json, percent, square_root
from headsup.game.values.amounts import show_count
from headsup.report.formats import (
    PAID_DOLLARS,
    ROOT,
    SHARE,
    Format,
    format_dollars,
    format_fraction,
    key_to_words,
)
from headsup.report.plots.design import TABLE_LETTERS, front_plot, spread_plot
from headsup.report.sheet import Chart, Column, Figure, Section, Sheet, Table, row_json
from headsup.report.sheets.main_game import rules_json

UNCHANGED = "·"  # unchanged pays, so that changed ones stand out
MERITS = {
    Merit.LEAST_CHANGE: "changes least",
    Merit.NEAREST: "nearest to the target",
    Merit.CALMEST: "lowest deviation",
    Merit.WILDEST: "highest deviation",
    Merit.BETWEEN: "none is both nearer and less changed",
}
FRONT_CAPTION = (
    "The miss is a table's distance from the target divided by the tolerance (the figure after "
    "±); with several targets the worst counts. Up to 1, the dashed line, the target is met. The "
    "change is the sum over the rows of |ln((new pay + 1) / (present pay + 1))|: doubling a pay "
    "counts about 0.7. The green line joins the tables for which no other is both nearer to the "
    "target and less changed."
)
_SHARE = SHARE._replace(is_exact=False)
_CONTRIBUTION = Format(
    lambda amount: format_dollars(amount, 6), lambda amount: decimal_text(amount, 6)
)
_HITS = Format(lambda share: percent(share, 3), exact_json)
_WAGERS = Format(lambda count: f"{round(count):,}", lambda count: decimal_text(count, 1))
_DEVIATION = ROOT._replace(text=lambda deviation: f"{deviation:.4f}")
_METER = (
    Column("house_edge", "Long-run house edge", lambda plan: plan.house_edge, _SHARE),
    Column("seed", "Seed", lambda plan: plan.seed, PAID_DOLLARS),
    Column(
        "contribution", "Contribution of each wager", lambda plan: plan.contribution, _CONTRIBUTION
    ),
    Column("fixed_return", "", lambda plan: plan.fixed_return, SHARE),
    Column("average_meter", "Average meter", lambda plan: plan.average_meter, PAID_DOLLARS),
    Column(
        "break_even_meter",
        *("Break-even meter for players", lambda plan: plan.break_even_meter, PAID_DOLLARS),
    ),
    Column(
        "wagers_per_full_award",
        *("Wagers for each full award", lambda plan: plan.wagers_per_full_award, _WAGERS),
    ),
)
_FIGURES = (
    Column("house_edge", "House edge", lambda table: table.house_edge, SHARE),
    Column("hit_frequency", "Hits", lambda table: table.hit_frequency, _HITS),
    Column(
        "standard_deviation", "Deviation", lambda table: square_root(table.variance), _DEVIATION
    ),
)
Line = tuple[str, list[str]]  # a label and a cell for each table


def design_sheet(answer: DesignAnswer) -> Sheet:
    result = answer.result
    plots = (
        Chart("plot", lambda: front_plot(result), FRONT_CAPTION),
        Chart("plot", lambda: spread_plot(result)),
    )
    sections = [_question(answer), _tables(answer), _merits(answer)]
    if answer.meter is not None:
        sections.append(_meter(answer, answer.meter))
    sections.append(Section("", "Near the target", charts=plots))
    title = answer.request.rules.book.title
    notes = (_describe_search(answer),)
    return Sheet(title, _about(answer), tuple(sections), notes, picture=plots[0])


def _about(answer: DesignAnswer) -> str:
    goal, table = answer.result.goal, answer.result.table
    parts = [f"house edge {percent(goal.house_edge, 2)} ± {percent(goal.within, 3)}"]
    if goal.hit_frequency is not None:
        parts.append(f"hits {percent(goal.hit_frequency, 2)} ± {percent(goal.hits_within, 2)}")
    if goal.deviation is not None:
        parts.append(f"standard deviation {float(goal.deviation):g} ± 2%")
    name = "Odds and Bad Beat" if table == MAIN else key_to_words(table).title()
    return f"{name} for {', '.join(parts)}"


def _describe_search(answer: DesignAnswer) -> str:
    result = answer.result
    tables = show_count(result.considered, "table")
    meet = "1 meets" if result.meeting == 1 else f"{result.meeting:,} meet"
    text = f"{tables} considered, {meet} the target"
    if result.solved:
        text += f"; {show_count(result.solved, 'game')} solved exactly"
    unchanged = [
        f"{key_to_words(row.key).title()} {row.label}" if result.table == MAIN else row.label
        for row in result.rows
        if not row.free and not row.requested
    ]
    if unchanged and answer.meter is None:
        rows = ", ".join(unchanged)
        text += f". Left unchanged, as they move the edge least: {rows} (--pay frees a row)"
    if result.as_if_never_folded:
        text += ". A fold forfeits this wager, which is not counted here: the true edge is higher"
    if answer.meter is not None and _has_new_meter(answer):
        text += '. "now" is with the present meter, everything else with the one below'
    if any(table.house_edge < 0 for table in (result.present, *result.tables)):
        text += ". A negative house edge favours the player"
    return text + "."


def _question(answer: DesignAnswer) -> Section:
    """What programs get besides the figures."""
    result, goal = answer.result, answer.result.goal
    figures = [
        Figure("design", "", result.table),
        Figure("target/house_edge", "", goal.house_edge, SHARE),
        Figure("target/within", "", goal.within, SHARE),
        Figure("considered", "", result.considered),
        Figure("meeting", "", result.meeting),
        Figure("solved", "", result.solved),
        Figure("as_if_never_folded", "", result.as_if_never_folded),
    ]
    if goal.hit_frequency is not None:
        figures.append(Figure("target/hit_frequency", "", goal.hit_frequency, SHARE))
    if goal.deviation is not None:
        figures.append(Figure("target/standard_deviation", "", goal.deviation, _CONTRIBUTION))
    rows = (
        Column("label", "", lambda row: row.label),
        Column("now", "", lambda row: printed_pay(row.now)),
        Column("may_pay", "", lambda row: [printed_pay(pay) for pay in row.pays]),
    )
    by_name = Table(
        "rows", "", rows, result.rows, row_name=lambda row: row_text(result.table, row.name)
    )
    return Section(
        "",
        "",
        figures=tuple(figures),
        tables=(by_name,),
        data=lambda: rules_json(answer.request.rules),
    )


# The tables.


def _tables(answer: DesignAnswer) -> Section:
    result = answer.result
    names = ["now", *TABLE_LETTERS[: len(result.tables)]]
    groups = tuple(_groups(answer))
    columns = [Column("", " ", lambda line: line[0])]
    columns += [_cell_column(index, name) for index, name in enumerate(names)]
    programs = (
        Column("merit", "", lambda table: None if table.merit is None else table.merit.value),
        Column("merits", "", lambda table: [merit.value for merit in table.merits]),
        Column(
            "pays",
            "",
            lambda table: {
                row_text(result.table, name): printed_pay(pay) for name, pay in table.pays.items()
            },
        ),
        *_FIGURES,
        Column("change", "", lambda table: f"{table.change:.6f}"),
        Column("meets", "", lambda table: table.meets),
    )
    return Section(
        "",
        "Paytables",
        figures=(
            Figure("present", "", row_json(programs, result.present)),
            Figure("found", "", [row_json(programs, table) for table in result.tables]),
        ),
        tables=(
            Table("", "The present pays, and those found", columns, _lines(answer), groups=groups),
        ),
    )


def _cell_column(index: int, name: str) -> Column:
    return Column("", name, lambda line: line[1][index])


def _paid_rows(answer: DesignAnswer) -> list[DesignRow]:
    tables = (answer.result.present, *answer.result.tables)
    return [row for row in answer.result.rows if any(table.pays[row.name] for table in tables)]


def _lines(answer: DesignAnswer) -> list[Line]:
    """The rows of a paytable, then its figures; a column for each table."""
    tables = (answer.result.present, *answer.result.tables)
    pays = [(row.label, [_cell(row, table) for table in tables]) for row in _paid_rows(answer)]
    return [
        *pays,
        *((column.label, [column.text(table) for table in tables]) for column in _FIGURES),
    ]


def _groups(answer: DesignAnswer) -> Iterator[tuple[str, int]]:
    """Headings above the rows of each paytable, and above the figures."""
    rows = _paid_rows(answer)
    keys = [row.key for row in rows]
    for key in dict.fromkeys(keys):
        yield key_to_words(key).title(), keys.index(key)
    yield "Figures", len(rows)


def _cell(row: DesignRow, table: DesignedTable) -> str:
    pay = table.pays[row.name]
    if table.merit is not None and pay == row.now:
        return UNCHANGED
    return printed_pay(pay) if pay else ("push" if row.key == "odds" else "–")


def _merits(answer: DesignAnswer) -> Section:
    return Section("", "What speaks for each", figures=tuple(_merit_figures(answer)))


def _merit_figures(answer: DesignAnswer) -> Iterator[Figure]:
    for letter, table in zip(TABLE_LETTERS, answer.result.tables, strict=False):
        merits = ", ".join(MERITS[merit] for merit in table.merits)
        if answer.result.meeting == 1:
            merits = "the only one that meets the target"
        favours = " (favours the player)" if table.house_edge < 0 else ""
        edge = f"house edge {format_fraction(table.house_edge)}{favours}"
        yield Figure("", f"{letter}: {merits}", edge)


# The meter.


def _meter(answer: DesignAnswer, plan: MeterPlan) -> Section:
    changed = answer.best.pays != answer.result.present.pays
    before, same_pays, new = answer.before, answer.same_pays, _has_new_meter(answer)
    one = Format(str, lambda plan: row_json(_METER, plan))
    figures = [
        Figure(f"meter/{column.key}", column.label, column.get(plan), column.format, absent="",
               unit="table A" if changed and column.key == "house_edge" else "")
        for column in _METER
    ]  # fmt: skip
    if changed and new and same_pays is not None:
        edge = percent(same_pays.house_edge)
        figures.append(Figure("", "With the present pays and this meter", edge))
    if new and before is not None:
        figures.append(
            Figure("", "With the present pays and meter (now)", percent(before.house_edge))
        )
        share = format_dollars(before.contribution, 6)
        now = f"{format_dollars(before.seed)}, {share}"
        figures.append(Figure("", "Now: seed, contribution", now))
    for other in answer.seeds:
        share = f"{format_dollars(other.contribution, 6)} a wager"
        figures.append(Figure("", f"Or: seed {format_dollars(other.seed)}", share))
    figures.append(Figure("present_meter", "", before, one))
    figures.append(Figure("present_pays", "", same_pays, one))
    others = Table("other_seeds", "", _METER, answer.seeds)
    return Section("", "The meter", figures=tuple(figures), tables=(others,))


def _has_new_meter(answer: DesignAnswer) -> bool:
    """Whether the design changes the seed or contribution."""
    now, new = answer.before, answer.meter
    return (
        now is not None
        and new is not None
        and (now.seed, now.contribution) != (new.seed, new.contribution)
    )
