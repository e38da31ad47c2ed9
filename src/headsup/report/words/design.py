"""A design in words: the present pays beside those found, on a screen or as a page with plots."""

from collections.abc import Iterator, Sequence
from html import escape

from headsup.analysis.design.designer import DesignAnswer
from headsup.analysis.design.paytables import DesignedTable
from headsup.analysis.design.rows import MAIN, DesignRow, printed_pay
from headsup.analysis.design.search import Merit
from headsup.analysis.par.exact_numbers import percent, root_text
from headsup.game.values.counts import show_count
from headsup.report.plots.design import TABLE_LETTERS, front_plot, spread_plot
from headsup.report.plots.svg import html_figures, html_page
from headsup.report.words.numbers import format_dollars, format_fraction, key_to_words

UNCHANGED = "·"  # a pay that did not change, so that the eye finds those that did
MERITS = {
    Merit.LEAST_CHANGE: "changes least",
    Merit.NEAREST: "nearest to the target",
    Merit.CALMEST: "lowest deviation",
    Merit.WILDEST: "highest deviation",
    Merit.BETWEEN: "none is both nearer and less changed",
}
EDGE_LABEL = "House edge"
FRONT_CAPTION = (
    "A miss is how far a table is from the target, over what is allowed (the figure behind ±); of "
    "several targets the worst counts. Up to 1, the dashed line, the target is met. The change is "
    "the sum over the rows of |ln((new pay + 1) / (present pay + 1))|: a pay doubled counts about "
    "0.7. The green line joins the tables of which no other is both nearer and less "
    "changed."
)
TableLine = tuple[str, list[str]]  # a label, and a cell for each table; no cells: a heading


def about_design(answer: DesignAnswer) -> str:
    goal = answer.found.goal
    parts = [f"house edge {percent(goal.house_edge, 2)} ± {percent(goal.within, 3)}"]
    if goal.hit_frequency is not None:
        parts.append(f"hits {percent(goal.hit_frequency, 2)} ± {percent(goal.hits_within, 2)}")
    if goal.deviation is not None:
        parts.append(f"standard deviation {float(goal.deviation):g} ± 2%")
    what = (
        "Odds and Bad Beat"
        if answer.found.what == MAIN
        else key_to_words(answer.found.what).title()
    )
    return f"{what} for {', '.join(parts)}"


def describe_search(answer: DesignAnswer) -> str:
    found = answer.found
    tables = show_count(found.considered, "table")
    meet = "1 meets" if found.meeting == 1 else f"{found.meeting:,} meet"
    text = f"{tables} considered, {meet} the target"
    if found.solved:
        text += f"; {show_count(found.solved, 'game')} solved exactly"
    kept = [
        f"{key_to_words(row.key).title()} {row.label}" if found.what == MAIN else row.label
        for row in found.rows
        if not row.free and not row.asked
    ]
    if kept and answer.meter is None:
        text += f". Kept, as they move the edge least: {', '.join(kept)} (--pay frees a row)"
    if found.as_if_never_folded:
        text += ". A fold forfeits this wager, which is left out here: the true edge is higher"
    if answer.meter is not None and _has_new_meter(answer):
        text += ". What is now has the present meter, all else the one below"
    if any(table.house_edge < 0 for table in (found.present, *found.found)):
        text += ". A negative house edge favours the player"
    return text + "."


def table_names(answer: DesignAnswer) -> list[str]:
    return ["now", *TABLE_LETTERS[: len(answer.found.found)]]


def pay_lines(answer: DesignAnswer) -> Iterator[TableLine]:
    found, key = answer.found, ""
    for row in found.rows:
        if not any(table.pays[row.name] for table in (found.present, *found.found)):
            continue  # it might have been paid, and nowhere is
        if found.what == MAIN and row.key != key:
            key = row.key
            yield key_to_words(key).title(), []
        yield row.label, [_cell(row, table) for table in (found.present, *found.found)]


def _cell(row: DesignRow, table: DesignedTable) -> str:
    pay = table.pays[row.name]
    if table.merit is not None and pay == row.now:
        return UNCHANGED
    return printed_pay(pay) if pay else ("push" if row.key == "odds" else "–")


def figure_lines(answer: DesignAnswer) -> list[TableLine]:
    tables: Sequence[DesignedTable] = (answer.found.present, *answer.found.found)
    return [
        (EDGE_LABEL, [percent(table.house_edge) for table in tables]),
        ("Hits", [percent(table.hit_frequency, 3) for table in tables]),
        ("Deviation", [root_text(table.variance, 4) for table in tables]),
    ]


def merit_lines(answer: DesignAnswer) -> Iterator[tuple[str, str]]:
    for letter, table in zip(TABLE_LETTERS, answer.found.found, strict=False):
        merits = ", ".join(MERITS[merit] for merit in table.merits)
        if answer.found.meeting == 1:
            merits = "the only one that meets the target"
        favours = " (favours the player)" if table.house_edge < 0 else ""
        yield f"{letter}: {merits}", f"house edge {format_fraction(table.house_edge)}{favours}"


def meter_lines(answer: DesignAnswer) -> Iterator[tuple[str, str]]:
    plan = answer.meter
    if plan is None:
        return
    new = _has_new_meter(answer)
    changed = answer.best.pays != answer.found.present.pays
    yield f"House edge in the long run{', table A' if changed else ''}", percent(plan.house_edge)
    if changed and new and answer.kept is not None:
        yield "With the present pays and this meter", percent(answer.kept.house_edge)
    if new and answer.before is not None:
        yield "With the present pays and meter (now)", percent(answer.before.house_edge)
    yield "Seed", format_dollars(plan.seed)
    yield "Contribution of each wager", format_dollars(plan.contribution, 6)
    yield "Meter on average", format_dollars(plan.average_meter)
    yield "Meter at which players break even", format_dollars(plan.break_even_meter)
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
    """Whether what is now has another seed or contribution."""
    now, new = answer.before, answer.meter
    return (
        now is not None
        and new is not None
        and (now.seed, now.contribution) != (new.seed, new.contribution)
    )


# As a page.


def design_page(answer: DesignAnswer) -> str:
    found, title = answer.found, answer.asked.rules.book.title
    heads = "".join(f"<th scope='col'>{name}</th>" for name in table_names(answer))
    columns = len(found.found) + 2
    body = "".join(_line(line, columns) for line in pay_lines(answer))
    body += "".join(
        _line(line, columns).replace("<tr>", "<tr class='figure'>") for line in figure_lines(answer)
    )
    notes = "".join(
        f"<li>{escape(name)}; {escape(value)}</li>\n" for name, value in merit_lines(answer)
    )
    meter = "".join(_line((name, [value]), 2) for name, value in meter_lines(answer))
    return html_page(
        title,
        f"<p>{escape(about_design(answer))}</p>\n<div><table>\n<tr><th></th>{heads}</tr>\n{body}"
        f"</table></div>\n<ul>\n{notes}</ul>\n<p>{escape(describe_search(answer))}</p>\n"
        + (f"<div><table>\n{meter}</table></div>\n" if meter else "")
        + html_figures((front_plot(found),))
        + f"<p>{escape(FRONT_CAPTION)}</p>\n"
        + html_figures((spread_plot(found),)),
    )


def _line(line: TableLine, columns: int) -> str:
    label, cells = line
    if not cells:
        return f"<tr><th scope='rowgroup' colspan='{columns}'>{escape(label)}</th></tr>\n"
    tds = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f"<tr><th scope='row'>{escape(label)}</th>{tds}</tr>\n"
