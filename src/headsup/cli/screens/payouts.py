"""Prints settlements: the cards, then each seat's wagers with results and reasons."""

from collections.abc import Collection, Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from headsup.cli.screens.felt import FELT_LABEL_WIDTH, WIDTH
from headsup.cli.screens.style import (
    RESULT_STYLES,
    cards_text,
    console,
    key_to_words,
    shorten,
    signed_dollars,
)
from headsup.game.notation.model import FinishedRound
from headsup.game.round.decision import HasRaised
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.settlement import Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.values.hands import best_five, hand_name
from headsup.game.values.money import format_micros, show_dollars, show_micro_dollars
from headsup.game.views.model import LineView, ResultView, VisibleDecision
from headsup.game.views.posted import bonus_notices

# One seat's results, on a screen of any width.


class ResultRow(NamedTuple):
    """One wager's result as a line on the screen."""

    wager: Wager
    stake: int
    result: Result
    net: int
    why: str
    clause: str


def result_rows(
    result: ResultView, decision: VisibleDecision, coupons: Collection[Wager] = ()
) -> list[ResultRow]:
    """A row for each wager. A Raise's row also says when and how much."""
    return [
        _row(wager, line, decision, by_coupon=wager in coupons)
        for wager, line in result.wagers.items()
    ]


def _row(wager: Wager, line: LineView, decision: VisibleDecision, *, by_coupon: bool) -> ResultRow:
    why = f"by coupon: {line.why}" if by_coupon else line.why
    if wager is Wager.RAISE and isinstance(decision, HasRaised):
        why = f"{decision.multiple}× on the {decision.street}: {why}"
    if line.pay is not None and line.pay.short not in ("push", "loss"):
        even = wager in (Wager.ANTE, Wager.RAISE)  # always 1 to 1
        why += "" if even else f", pays {line.pay.short}"
    if line.shortfall:
        why += f"; {show_dollars(line.shortfall)} cut by the cap"
    return ResultRow(wager, line.stake, line.result, line.net, why, line.clause)


def _net(row: ResultRow) -> str:
    """The net amount; a push is named rather than shown as zero (R50)."""
    return "push" if row.result is Result.PUSH else signed_dollars(row.net)


def draw_results(rows: Sequence[ResultRow], book: RuleBook, width: int = WIDTH) -> RenderableType:
    """Each wager's stake, result and reason with its clause. Only long names are shortened."""
    if width < _MIN_BESIDE_WIDTH:
        return Group(
            *(line for row in rows for line in result_lines(row, book.label(row.wager), width))
        )
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


_MIN_BESIDE_WIDTH = 56  # columns from which reasons are printed beside the money


def _reason(row: ResultRow) -> Text:
    return Text(f"{row.why} ").append(f"({row.clause})", style="dim")


def result_lines(row: ResultRow, name: str, width: int) -> list[Text]:
    """A line for the money and, below it, the reason."""
    money = f"{show_dollars(row.stake):>11}"
    net = f"{_net(row):>12}"
    name = shorten(name, width - len(money + net) - 2, pad=True)
    first = Text(f"  {name}{money}").append(net, style=RESULT_STYLES[row.result])
    why = wrap(f"{row.why} ({row.clause})", max(width - 4, 10))
    return [first, *(Text(f"    {line}", style="dim") for line in why)]


def print_settlement(round: FinishedRound, settlement: Settlement) -> None:
    screen = console()
    screen.print(Panel(_header(round, settlement), title=_title(round), title_align="left"))
    plays = {play.seat: play for play in round.plays}
    for seat in settlement.seats:
        _print_seat(screen, round, plays[seat.seat], seat)


def _title(round: FinishedRound) -> Text:
    name = "" if round.id is None else f"{round.id} · "
    return Text(f"{name}{round.rules.book.title}")


def _header(round: FinishedRound, settlement: Settlement) -> Group:
    deal = round.deal
    grid = Table.grid(padding=(0, 2))
    grid.add_row("Board", cards_text(deal.board))
    if deal.all_6:
        grid.add_row("All 6", cards_text(deal.all_6))
    dealer = cards_text(deal.dealer)
    if not deal.board:  # void before all cards were dealt
        dealer.append("void", style="magenta")
    else:
        dealer.append("  " + hand_name(settlement.dealer_strength), style="bold")
        if settlement.dealer_qualifies is False:
            dealer.append(", does not qualify", style="yellow")
    grid.add_row("Dealer", dealer)
    if settlement.meter_before is not None and settlement.meter_after is not None:
        before, after = show_micro_dollars(settlement.meter_before), settlement.meter_after
        change = "" if after == settlement.meter_before else f" → {show_micro_dollars(after)}"
        bonus = round.rules.bonus_jackpot
        name = round.rules.book.label(Wager.PROGRESSIVE) if bonus else "Meter"
        grid.add_row(Text(name), f"{before}{change}")
        if bonus:  # required with each display of the prize (R83)
            return Group(grid, *(Text(text, "italic") for text in bonus_notices(round.rules)))
    return Group(grid)


def _print_seat(
    screen: Console, round: FinishedRound, play: SeatPlay, seat: SeatSettlement
) -> None:
    heading = Text(f"Seat {seat.seat}  ", style="bold")
    heading.append_text(cards_text(play.hole))
    if seat.strength:
        heading.append("  " + hand_name(seat.strength))
    if play.void is not None:
        heading.append(f"  void: {key_to_words(play.void.cause)}", style="magenta")
    elif play.folded:
        heading.append("  folded", style="red")
    else:
        heading.append("  ")
        heading.append_text(cards_text(best_five((*play.hole, *round.deal.board))))
    screen.print(heading)
    if screen.width < _MIN_TABLE_WIDTH:
        _print_narrow(screen, round, play, seat)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    # Long labels and clauses are cut so that the money stays on the screen.
    table.add_column("wager", no_wrap=True, max_width=26)
    for name in ("stake", "net"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("why")
    table.add_column("clause", no_wrap=True, max_width=16)
    for line in seat.lines:
        table.add_row(*_settled_row(round, play, line))
    table.add_row("", "", Text(signed_dollars(seat.net), style="bold"), "", "", "")
    screen.print(Padding(table, (0, 0, 1, 2)))


_MIN_TABLE_WIDTH = 76  # columns from which a table has room for figures and reasons


def _print_narrow(
    screen: Console, round: FinishedRound, play: SeatPlay, seat: SeatSettlement
) -> None:
    """A line of money for each wager with its reason below, so that no amount is cut."""
    for line in seat.lines:
        row = ResultRow(line.wager, line.stake, line.result, line.net, _why(line), line.clause)
        for text in result_lines(row, _name(round, play, line), screen.width - 2):
            screen.print(text)
    screen.print(Text(f"  {'Total':<12}").append(signed_dollars(seat.net), style="bold"))
    screen.print()


def _name(round: FinishedRound, play: SeatPlay, line: Line) -> str:
    name = round.rules.book.label(line.wager)
    if line.wager is Wager.RAISE and isinstance(play.decision, HasRaised):
        name += f" {play.decision.multiple}× {play.decision.street}"
    return name


def _settled_row(round: FinishedRound, play: SeatPlay, line: Line) -> tuple[str | Text, ...]:
    name = _name(round, play, line)
    style = RESULT_STYLES[line.result]
    return (
        Text(name),
        show_dollars(line.stake),
        Text(signed_dollars(line.net), style=style),
        Text(line.result.value, style=style),
        _why(line),
        Text(line.clause, style="dim"),
    )


def _why(line: Line) -> str:
    why = line.why
    if line.pay is not None and line.pay.short not in ("push", "loss", "1"):
        why += f", pays {line.pay.short}"
    if line.breakage:
        why += f"; ${format_micros(line.breakage)} breakage"
    if line.shortfall:
        why += f"; {show_dollars(line.shortfall)} cut by the payout cap"
    return why
