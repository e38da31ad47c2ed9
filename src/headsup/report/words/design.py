"""Words a paytable design: the present pays beside those found, for screens and pages."""

from collections.abc import Iterator, Sequence

from headsup.analysis.design.designer import DesignAnswer
from headsup.analysis.design.paytables import DesignedTable
from headsup.analysis.design.rows import MAIN, DesignRow, printed_pay
from headsup.analysis.design.search import Merit
from headsup.analysis.exact_numbers import percent, root_text
from headsup.game.values.amounts import show_count
from headsup.report.formats import format_dollars, format_fraction, key_to_words

UNCHANGED = "·"  # unchanged pays, so that changed ones stand out
MERITS = {
    Merit.LEAST_CHANGE: "changes least",
    Merit.NEAREST: "nearest to the target",
    Merit.CALMEST: "lowest deviation",
    Merit.WILDEST: "highest deviation",
    Merit.BETWEEN: "none is both nearer and less changed",
}
EDGE_LABEL = "House edge"
TABLE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TableLine = tuple[str, list[str]]  # a label and a cell for each table, or a heading without cells


def about_design(answer: DesignAnswer) -> str:
    goal = answer.result.goal
    parts = [f"house edge {percent(goal.house_edge, 2)} ± {percent(goal.within, 3)}"]
    if goal.hit_frequency is not None:
        parts.append(f"hits {percent(goal.hit_frequency, 2)} ± {percent(goal.hits_within, 2)}")
    if goal.deviation is not None:
        parts.append(f"standard deviation {float(goal.deviation):g} ± 2%")
    name = (
        "Odds and Bad Beat"
        if answer.result.table == MAIN
        else key_to_words(answer.result.table).title()
    )
    return f"{name} for {', '.join(parts)}"


def describe_search(answer: DesignAnswer) -> str:
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


def table_names(answer: DesignAnswer) -> list[str]:
    return ["now", *TABLE_LETTERS[: len(answer.result.tables)]]


def pay_lines(answer: DesignAnswer) -> Iterator[TableLine]:
    result, key = answer.result, ""
    for row in result.rows:
        if not any(table.pays[row.name] for table in (result.present, *result.tables)):
            continue  # no table pays it
        if result.table == MAIN and row.key != key:
            key = row.key
            yield key_to_words(key).title(), []
        yield row.label, [_cell(row, table) for table in (result.present, *result.tables)]


def _cell(row: DesignRow, table: DesignedTable) -> str:
    pay = table.pays[row.name]
    if table.merit is not None and pay == row.now:
        return UNCHANGED
    return printed_pay(pay) if pay else ("push" if row.key == "odds" else "–")


def figure_lines(answer: DesignAnswer) -> list[TableLine]:
    tables: Sequence[DesignedTable] = (answer.result.present, *answer.result.tables)
    return [
        (EDGE_LABEL, [percent(table.house_edge) for table in tables]),
        ("Hits", [percent(table.hit_frequency, 3) for table in tables]),
        ("Deviation", [root_text(table.variance, 4) for table in tables]),
    ]


def merit_lines(answer: DesignAnswer) -> Iterator[tuple[str, str]]:
    for letter, table in zip(TABLE_LETTERS, answer.result.tables, strict=False):
        merits = ", ".join(MERITS[merit] for merit in table.merits)
        if answer.result.meeting == 1:
            merits = "the only one that meets the target"
        favours = " (favours the player)" if table.house_edge < 0 else ""
        yield f"{letter}: {merits}", f"house edge {format_fraction(table.house_edge)}{favours}"


def meter_lines(answer: DesignAnswer) -> Iterator[tuple[str, str]]:
    plan = answer.meter
    if plan is None:
        return
    new = _has_new_meter(answer)
    changed = answer.best.pays != answer.result.present.pays
    yield f"Long-run house edge{', table A' if changed else ''}", percent(plan.house_edge)
    if changed and new and answer.same_pays is not None:
        yield "With the present pays and this meter", percent(answer.same_pays.house_edge)
    if new and answer.before is not None:
        yield "With the present pays and meter (now)", percent(answer.before.house_edge)
    yield "Seed", format_dollars(plan.seed)
    yield "Contribution of each wager", format_dollars(plan.contribution, 6)
    yield "Average meter", format_dollars(plan.average_meter)
    yield "Break-even meter for players", format_dollars(plan.break_even_meter)
    if plan.wagers_per_full_award is not None:
        yield "Wagers for each full award", f"{round(plan.wagers_per_full_award):,}"
    if new and answer.before is not None:
        seed, share = (
            format_dollars(answer.before.seed),
            format_dollars(answer.before.contribution, 6),
        )
        yield "Now: seed, contribution", f"{seed}, {share}"
    for other in answer.seeds:
        share = format_dollars(other.contribution, 6)
        yield f"Or: seed {format_dollars(other.seed)}", f"{share} a wager"


def _has_new_meter(answer: DesignAnswer) -> bool:
    """Whether the design changes the seed or contribution."""
    now, new = answer.before, answer.meter
    return (
        now is not None
        and new is not None
        and (now.seed, now.contribution) != (new.seed, new.contribution)
    )
