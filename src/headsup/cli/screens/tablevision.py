"""The display at the table, as a replay prints it."""

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli.screens.style import printable
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.views.model import TableVisionView
from headsup.game.views.posted import PostedLimit, PostedTable, PostedView


def draw_tablevision(view: TableVisionView, whole: bool) -> RenderableType:
    """TableVision: the figure with the words that go with it and, where the whole is wanted,
    everything that is posted."""
    lines = [_figure(view)]
    lines += [_notice(text) for text in (view.meter.notices if view.meter else ())]
    if not whole:
        return Group(*lines)
    for row in view.paytable or ():
        lines.append(Text(f"      {printable(row.outcome):<40}{row.pays.short:>8}", style="dim"))
    posted = view.posted
    for table in posted.paytables:
        if table.key != Wager.PROGRESSIVE:
            lines.append(_posted_table(table))
    lines += [_posted_table(table) for table in posted.layout_paytables]
    for raises in posted.raises:
        times = " or ".join(f"{multiple}×" for multiple in raises.multiples)
        label = printable(posted.labels[Wager.RAISE])
        lines.append(Text(f"    {label} on the {raises.street}: {times} the Ante", style="dim"))
    lines += [Text(f"    {_limit(limit, posted)}", style="dim") for limit in posted.limits]
    beside = set(view.meter.notices if view.meter else ())
    lines += [_notice(text) for text in view.notices if text not in beside]
    return Group(*lines)


def _figure(view: TableVisionView) -> Text:
    if view.prize is None:
        return Text("    No progressive at this table.", style="bold")
    shows = show_micro_dollars(view.meter.shows) if view.meter else "no meter"
    frozen = view.meter.frozen if view.meter else ""
    marked = f" (frozen: {printable(frozen)})" if frozen else ""
    name = felt_name(view.prize.value)
    return Text(f"    {name} {shows}{marked}", style="bold")


def _notice(text: str) -> Text:
    return Text(f"    {printable(text)}", style="italic")


def _posted_table(table: PostedTable) -> Text:
    rows = ", ".join(f"{printable(row.label)} {row.pays.short}" for row in table.rows)
    name = felt_name(table.key)
    return Text(f"    {name} {printable(table.id)}, {table.basis} 1: {rows}", style="dim")


def _limit(limit: PostedLimit, posted: PostedView) -> str:
    bounds = (("from", limit.min), ("to", limit.max), ("in steps of", limit.step))
    said = " ".join(f"{word} {show_dollars(cents)}" for word, cents in bounds if cents)
    return f"{printable(posted.labels[limit.wager])} {said}"
