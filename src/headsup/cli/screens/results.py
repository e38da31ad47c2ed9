"""What each wager of a settled round did, on a screen of any width."""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from headsup.cli.screens.felt import FELT_LABEL_WIDTH, WIDTH
from headsup.cli.screens.style import RESULT_STYLES, shorten, signed_dollars
from headsup.game.round.decision import HasRaised
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.values.money import show_dollars
from headsup.game.views.model import LineView, ResultView, VisibleDecision


class ResultRow(NamedTuple):
    """One wager's result as a line on the screen."""

    wager: Wager
    stake: int
    result: Result
    net: int
    why: str
    clause: str


def result_rows(result: ResultView, decision: VisibleDecision) -> list[ResultRow]:
    """A row for each wager; of a Raise it says when and how much."""
    return [_row(wager, line, decision) for wager, line in result.wagers.items()]


def _row(wager: Wager, line: LineView, decision: VisibleDecision) -> ResultRow:
    why = line.why
    if wager is Wager.RAISE and isinstance(decision, HasRaised):
        why = f"{decision.multiple}× on the {decision.street}: {why}"
    if line.pay is not None and line.pay.short not in ("push", "loss"):
        even = wager in (Wager.ANTE, Wager.RAISE)  # always 1 to 1
        why += "" if even else f", pays {line.pay.short}"
    if line.shortfall:
        why += f"; {show_dollars(line.shortfall)} cut by the cap"
    return ResultRow(wager, line.stake, line.result, line.net, why, line.clause)


def _net(row: ResultRow) -> str:
    """A push is said, not left to be read off a nought (R50)."""
    return "push" if row.result is Result.PUSH else signed_dollars(row.net)


def draw_results(rows: Sequence[ResultRow], book: RuleBook, width: int = WIDTH) -> RenderableType:
    """What each wager staked and did, why, what it pays, and by which clause: nothing is cut."""
    if width < _MIN_BESIDE_WIDTH:
        names = (book.label(row.wager) for row in rows)
        told = zip(rows, names, strict=True)
        return Group(*(line for row, name in told for line in result_lines(row, name, width)))
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False, width=width + 1)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1)
    for row in rows:
        table.add_row(
            Text(f"  {shorten(book.label(row.wager), FELT_LABEL_WIDTH)}"),
            show_dollars(row.stake),
            Text(_net(row), style=RESULT_STYLES[row.result]),
            _reason(row),
        )
    return table


_MIN_BESIDE_WIDTH = 56  # columns from which reasons stand beside the money


def _reason(row: ResultRow) -> Text:
    return Text(f"{row.why} ").append(f"({row.clause})", style="dim")


def result_lines(row: ResultRow, name: str, width: int) -> list[Text]:
    """The money in one line, and the reason below it."""
    money = f"{show_dollars(row.stake):>11}"
    net = f"{_net(row):>12}"
    name = shorten(name, width - len(money + net) - 2, pad=True)
    first = Text(f"  {name}{money}").append(net, style=RESULT_STYLES[row.result])
    why = wrap(f"{row.why} ({row.clause})", max(width - 4, 10))
    return [first, *(Text(f"    {line}", style="dim") for line in why)]
