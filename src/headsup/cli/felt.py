"""The felt in a terminal: cards as boxes, wagers, results. Draws views, and so never more than
the viewer may see."""

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.console import Group
from rich.table import Table
from rich.text import Text

from headsup.cli.screen import (
    PIPS,
    RESULT_STYLES,
    SUIT_STYLES,
    cards_text,
    printable,
    short,
    signed,
)
from headsup.game.cards import RANKS, Cards
from headsup.game.decision import HasFolded, HasRaised
from headsup.game.hands import hand_name, strength
from headsup.game.money import dollars, micro_dollars
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import RuleBook
from headsup.game.views.model import LineView, RoundView, SeatView, TableView, VoidView
from headsup.game.wagers import Result, Wager

WIDTH = 78
LABEL = 20  # the width of a wager's name or a clause: money stands beside it
_EDGE, _BACK, _FREE = "white", "blue", "bright_black"


# Cards.


def card_rows(card: int | None, free: bool = False) -> list[Text]:
    """Four rows of a card; None is one face down, or a free place on the felt."""
    if card is None:
        edge, inside = (_FREE, "    ") if free else (_EDGE, "░░░░")
        style = _FREE if free else _BACK
        middle = [(inside, style), (inside, style)]
    else:
        rank = "10" if RANKS[card >> 2] == "T" else RANKS[card >> 2]
        style = f"bold {SUIT_STYLES[card & 3]}".replace("bold bold", "bold")
        edge = _EDGE
        middle = [(f"{rank:<4}", style), (f"  {PIPS[card & 3]} ", style)]
    top, bottom = ("┌┄┄┄┄┐", "└┄┄┄┄┘") if free else ("╭────╮", "╰────╯")
    rows = [Text(top, style=edge)]
    rows += [Text.assemble(("│", edge), part, ("│", edge)) for part in middle]
    return [*rows, Text(bottom, style=edge)]


def row_of(cards: Sequence[int | None], free_from: int = 99) -> list[Text]:
    """Cards side by side; from `free_from` on, places where no card lies yet."""
    rows = [Text() for _ in range(4)]
    for i, card in enumerate(cards):
        for row, part in zip(rows, card_rows(card, free=i >= free_from), strict=True):
            row.append_text(part)
    return rows


def _shown(known: Cards, count: int, dealt: bool) -> list[Text]:
    """Cards that a view names; those it does not are face down, or not there yet."""
    cards: list[int | None] = [*known, *[None] * (count - len(known))]
    return row_of(cards, free_from=99 if dealt else len(known))


# The table.


def title(view: TableView, book: RuleBook, note: str = "") -> Text:
    """One line on top: game, rules, round, meter."""
    left = f" {short(book.id, LABEL)}"
    if view.round is not None:
        left += f" · round {view.round.number}"
    meter = view.meter
    label = short(book.label(Wager.PROGRESSIVE), LABEL)
    right = f"{label} {micro_dollars(meter.shows)} " if meter else ""
    if note:
        right = f"{note}   {right}" if right else f"{note} "
    game = " Heads Up Hold'em ·"
    if len(game + left + right) < WIDTH:
        left = game + left
    space = max(WIDTH - len(left) - len(right), 1)
    return Text(left + " " * space + right, style="bold white on dark_green")


def sealed_line(view: TableView) -> list[Text]:
    """The promise of the next round's cards, where there is one."""
    sealed = view.fair.sealed if view.fair is not None else None
    return [Text(f"  sealed {sealed.commitment}", style="dim")] if sealed else []


def required_words(view: TableView) -> list[Text]:
    """What must stand wherever the figure of a Bonus Jackpot is shown (WA App. D note 5)."""
    notices = view.meter.notices if view.meter else ()
    return [
        Text(f"  {line}", style="italic")
        for notice in notices
        for line in wrap(printable(notice), WIDTH - 2)
    ]


def shared_cards(view: TableView) -> Group:
    """The dealer's cards and the board, side by side."""
    round = view.round
    dealer = _shown(round.dealer if round else (), 2, round is not None and _are_dealt(round))
    board = _shown(round.board if round else (), 5, round is not None and round.board_down > 0)
    label = Text("  Dealer", style="dim")
    if hand := _dealer_words(round):
        label = Text("  Dealer: ", style="dim").append(hand, style="bold")
    label.pad_right(max(38 - len(label), 2))
    label.append("Board", style="dim")
    if round is not None and round.voided:
        label.append(f"   {void_words(round.voided)}", style="bold magenta")
    rows = [
        Text.assemble("  ", left, " " * 24, right)
        for left, right in zip(dealer, board, strict=True)
    ]
    return Group(label, *rows)


def _dealer_words(round: RoundView | None) -> str:
    if round is None or round.dealer_hand is None:
        return ""
    return round.dealer_hand.name + ("" if round.dealer_qualifies else ", not qualified")


def void_words(void: VoidView) -> str:
    """Why, and by whose rule: most books take New York's over as a house rule (R96)."""
    return f"VOID: {void.cause.words}" + (" (house rule)" if void.house_rule else "")


def _are_dealt(round: RoundView) -> bool:
    """Whether cards lie on the table; nobody holds any in a round that was void before."""
    before = round.phase in (Phase.BETTING, Phase.NO_MORE_BETS)
    return not before and not (round.void and not round.board and not round.dealer)


def own_hand(view: TableView, seat: int, book: RuleBook) -> Group:
    """A player's cards, and beside them the chips on the felt."""
    round = view.round
    held = round.seats.get(seat) if round else None
    if round is None or held is None:
        empty = [Text.assemble("  ", row) for row in _shown((), 2, dealt=False)]
        return Group(Text("  You", style="dim"), *empty)
    label = Text("  You", style="dim")
    if hand := hand_words(held.hole, round.board):
        label = Text("  You: ", style="dim")
        label.append(hand, style="bold")
    cards = _shown(held.hole, 2, dealt=bool(held.hole))
    chips = _chips(held, book)
    rows = []
    for i, row in enumerate(cards):
        rows.append(Text.assemble("  ", row, "   ", chips[i] if i < len(chips) else ""))
    return Group(label, *rows)


def hand_words(hole: Cards, board: Cards) -> str:
    """What the cards seen so far make, as a dealer says it."""
    return hand_name(strength((*hole, *board))) if len(hole) == 2 and len(board) >= 3 else ""


def _chips(held: SeatView, book: RuleBook) -> list[Text]:
    """The wagers on the felt, two to a line."""
    parts = [
        Text.assemble((short(book.label(wager), 13, pad=True), "cyan"), f"{dollars(cents):>10}")
        for wager, cents in held.stakes.items()
    ]
    match held.decision:
        case HasRaised(street, multiple):
            amount = multiple * held.stakes[Wager.ANTE]
            parts.append(
                Text.assemble(
                    (short(book.label(Wager.RAISE), 13, pad=True), "bold green"),
                    (f"{dollars(amount):>10}", "bold"),
                    (f"  {multiple}× {street}", "green"),
                )
            )
        case HasFolded():
            parts.append(Text("folded", style="red"))
        case _:
            pass
    half = -(-len(parts) // 2) if len(parts) > 4 else len(parts)
    left, right = parts[:half], parts[half:]
    return [
        Text.assemble(one, "    ", right[i]) if i < len(right) else one
        for i, one in enumerate(left)
    ]


# Results.


class ResultRow(NamedTuple):
    """One wager's result as a line on the screen."""

    wager: Wager
    stake: int
    result: Result
    net: int
    why: str
    clause: str


def line_row(wager: Wager, line: LineView) -> ResultRow:
    why = line.why
    if line.pay is not None and line.pay.short not in ("push", "loss", "1"):
        why += f", pays {line.pay.short}"
    if line.shortfall:
        why += f"; {dollars(line.shortfall)} cut by the cap"
    return ResultRow(wager, line.stake, line.result, line.net, why, line.clause)


def _net(row: ResultRow) -> str:
    """A push is said, not left to be read off a nought (R50)."""
    return "push" if row.result is Result.PUSH else signed(row.net)


def results(rows: Sequence[ResultRow], book: RuleBook) -> Table:
    """What each wager did, why, and by which clause."""
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False, width=WIDTH + 1)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column(no_wrap=True, style="dim", max_width=LABEL)
    for row in rows:
        style = RESULT_STYLES[row.result]
        table.add_row(
            Text(f"  {short(book.label(row.wager), LABEL)}"),
            dollars(row.stake),
            Text(_net(row), style=style),
            Text(row.why),
            Text(row.clause),
        )
    return table


def short_results(rows: Sequence[ResultRow], book: RuleBook) -> Table:
    """What each wager did, two to a line, for a screen with few."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, pad_edge=False)
    for _ in range(2):
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
    cells = [
        (
            Text(f"  {short(book.label(row.wager), LABEL)}"),
            Text(dollars(row.stake)),
            Text(_net(row), style=RESULT_STYLES[row.result]),
        )
        for row in rows
    ]
    for i in range(0, len(cells), 2):
        table.add_row(*(cell for part in cells[i : i + 2] for cell in part))
    return table


def flat_cards(view: TableView, seat: int) -> Group:
    """Dealer, board and player in a line each, for a screen with few."""
    round = view.round
    held = round.seats.get(seat) if round else None
    hole, board = held.hole if held else (), round.board if round else ()
    rows = (
        ("Dealer", round.dealer if round else (), _dealer_words(round)),
        ("Board", board, void_words(round.voided) if round and round.voided else ""),
        ("You", hole, hand_words(hole, board)),
    )
    lines = []
    for name, cards, note in rows:
        line = Text().append(f"  {name:<8}", style="dim").append_text(cards_text(cards))
        lines.append(line.append(f"  {note}" if note else "", style="bold"))
    return Group(*lines)
