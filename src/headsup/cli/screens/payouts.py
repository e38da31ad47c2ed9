"""A settlement as a person reads it: the cards, then each seat's wagers with their reasons."""

from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from headsup.cli.screens.results import ResultRow, result_lines
from headsup.cli.screens.style import (
    RESULT_STYLES,
    cards_text,
    console,
    key_to_words,
    signed_dollars,
)
from headsup.game.notation.model import FinishedRound
from headsup.game.round.decision import HasRaised
from headsup.game.rulebook.wagers import Wager
from headsup.game.settlement import Line, SeatPlay, SeatSettlement, Settlement
from headsup.game.values.hands import best_five, hand_name
from headsup.game.values.money import format_micros, show_dollars, show_micro_dollars
from headsup.game.views.posted import bonus_notices


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
    if not deal.board:  # void before the cards were all there
        dealer.append("void", style="magenta")
    else:
        dealer.append("  " + hand_name(settlement.dealer_strength), style="bold")
        if not settlement.dealer_qualifies:
            dealer.append(", does not qualify", style="yellow")
    grid.add_row("Dealer", dealer)
    if settlement.meter_before is not None and settlement.meter_after is not None:
        before, after = show_micro_dollars(settlement.meter_before), settlement.meter_after
        change = "" if after == settlement.meter_before else f" → {show_micro_dollars(after)}"
        bonus = round.rules.bonus_jackpot
        name = round.rules.book.label(Wager.PROGRESSIVE) if bonus else "Meter"
        grid.add_row(Text(name), f"{before}{change}")
        if bonus:  # the words that go with each display of the prize (R83)
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
    # However long a label or a clause is, the money beside it stays on the screen.
    table.add_column("wager", no_wrap=True, max_width=26)
    for name in ("stake", "net"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("why")
    table.add_column("clause", no_wrap=True, max_width=16)
    for line in seat.lines:
        table.add_row(*_row(round, play, line))
    table.add_row("", "", Text(signed_dollars(seat.net), style="bold"), "", "", "")
    screen.print(Padding(table, (0, 0, 1, 2)))


_MIN_TABLE_WIDTH = 76  # columns from which a table holds every figure and its reason


def _print_narrow(
    screen: Console, round: FinishedRound, play: SeatPlay, seat: SeatSettlement
) -> None:
    """A line of money for each wager and its reason below: no amount is ever cut."""
    for line in seat.lines:
        row = ResultRow(line.wager, line.stake, line.result, line.net, _why(line), line.clause)
        for text in result_lines(row, _name(round, play, line), screen.width - 2):
            screen.print(text)
    screen.print(Text(f"  {'Together':<12}").append(signed_dollars(seat.net), style="bold"))
    screen.print()


def _name(round: FinishedRound, play: SeatPlay, line: Line) -> str:
    name = round.rules.book.label(line.wager)
    if line.wager is Wager.RAISE and isinstance(play.decision, HasRaised):
        name += f" {play.decision.multiple}× {play.decision.street}"
    return name


def _row(round: FinishedRound, play: SeatPlay, line: Line) -> tuple[str | Text, ...]:
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
