"""The felt in a terminal: cards as boxes, wagers, results. Draws views, and so never more than
the viewer may see."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rich.console import Group
from rich.table import Table
from rich.text import Text

from headsup.cli.screen import PIPS, RESULT_STYLES, SUIT_STYLES, cards_text, signed, words
from headsup.game.amounts import parse_cents
from headsup.game.cards import RANKS, parse_cards
from headsup.game.hands import category_of, strength
from headsup.game.money import dollars
from headsup.game.rulebook.model import RuleBook
from headsup.game.settlement import Line
from headsup.game.wagers import Result, Wager

View = Mapping[str, Any]
WIDTH = 78
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


def _shown(text: str, count: int, dealt: bool) -> list[Text]:
    """Cards that a view names; those it does not are face down, or not there yet."""
    cards: list[int | None] = list(parse_cards(text))
    known = len(cards)
    cards += [None] * (count - known)
    return row_of(cards, free_from=99 if dealt else known)


# The table.


def title(view: View, book: RuleBook, note: str = "") -> Text:
    """One line on top: game, rules, round, meter."""
    round = view["round"]
    left = f" {book.id}"
    if round is not None:
        left += f" · round {round['number']}"
    meter = view.get("meter")
    right = f"{book.label(Wager.PROGRESSIVE)} {_money(meter['shows'])} " if meter else ""
    if note:
        right = f"{note}   {right}" if right else f"{note} "
    game = " Heads Up Hold'em ·"
    if len(game + left + right) < WIDTH:
        left = game + left
    space = max(WIDTH - len(left) - len(right), 1)
    return Text(left + " " * space + right, style="bold white on dark_green")


def _money(text: str) -> str:
    whole, _, cents = text.partition(".")
    return f"${int(whole):,}.{cents[:2]}"


# Before the first round: places on the felt, and nothing on them.
_EMPTY: View = {"phase": "betting", "dealer": "", "board": "", "void": "", "seats": {}}


def shared_cards(view: View) -> Group:
    """The dealer's cards and the board, side by side."""
    round = view["round"] or _EMPTY
    dealt = round["phase"] not in ("betting", "no_more_bets") and _any_cards(round)
    dealer = _shown(round["dealer"], 2, dealt)
    board = _shown(round["board"], 5, dealt=round.get("board_down", 0) > 0)
    label = Text("  Dealer", style="dim")
    if "dealer_category" in round:
        label = Text("  Dealer: ", style="dim")
        label.append(words(round["dealer_category"]), style="bold")
        if not round["dealer_qualifies"]:
            label.append(", not qualified", style="yellow")
    label.pad_right(max(38 - len(label), 0))
    label.append("Board", style="dim")
    if round["void"]:
        label.append(f"   VOID: {words(round['void'])}", style="bold magenta")
    rows = [
        Text.assemble("  ", left, " " * 24, right)
        for left, right in zip(dealer, board, strict=True)
    ]
    return Group(label, *rows)


def _any_cards(round: View) -> bool:
    """Whether cards lie on the table; nobody holds any in a round that was void before."""
    return not (round["void"] and not round["board"] and not round["dealer"])


def own_hand(view: View, seat: str, book: RuleBook) -> Group:
    """A player's cards, and beside them the chips on the felt."""
    round = view["round"] or _EMPTY
    held = round["seats"].get(seat)
    if held is None:
        empty = [Text.assemble("  ", row) for row in _shown("", 2, dealt=False)]
        return Group(Text("  You", style="dim"), *empty)
    label = Text("  You", style="dim")
    if hand := hand_words(held["hole"], round["board"]):
        label = Text("  You: ", style="dim")
        label.append(hand, style="bold")
    cards = _shown(held["hole"], 2, dealt=bool(held["hole"]))
    chips = _chips(held, book)
    rows = []
    for i, row in enumerate(cards):
        rows.append(Text.assemble("  ", row, "   ", chips[i] if i < len(chips) else ""))
    return Group(label, *rows)


def hand_words(hole: str, board: str) -> str:
    """What the cards seen so far make."""
    cards = parse_cards(hole + board)
    if len(hole) != 4 or len(cards) < 5:
        return ""
    return category_of(strength(cards)).words


def _chips(held: View, book: RuleBook) -> list[Text]:
    """The wagers on the felt, two to a line."""
    stakes = [(Wager(name), cents) for name, cents in held["stakes"].items()]
    decision = held["decision"]
    parts = [Text.assemble((f"{book.label(w):<13}", "cyan"), f"{_money(c):>10}") for w, c in stakes]
    if decision.startswith("raise"):
        _, multiple, street = decision.split()
        amount = int(multiple) * parse_cents(held["stakes"]["ante"], "ante")
        parts.append(
            Text.assemble(
                (f"{book.label(Wager.RAISE):<13}", "bold green"),
                (f"{dollars(amount):>10}", "bold"),
                (f"  {multiple}× {street}", "green"),
            )
        )
    elif decision == "fold":
        parts.append(Text("folded", style="red"))
    half = -(-len(parts) // 2) if len(parts) > 4 else len(parts)
    left, right = parts[:half], parts[half:]
    return [
        Text.assemble(one, "    ", right[i]) if i < len(right) else one
        for i, one in enumerate(left)
    ]


# Results.


class Row(NamedTuple):
    """One wager's result as a line on the screen."""

    wager: Wager
    stake: int
    result: Result
    net: int
    why: str
    clause: str


def line_row(line: Line) -> Row:
    why = line.why
    if line.pay is not None and line.pay.short not in ("push", "loss", "1"):
        why += f", pays {line.pay.short}"
    if line.shortfall:
        why += f"; {dollars(line.shortfall)} cut by the cap"
    return Row(line.wager, line.stake, line.result, line.net, why, line.clause)


def results(rows: Sequence[Row], book: RuleBook) -> Table:
    """What each wager did, why, and by which clause."""
    table = Table(box=None, padding=(0, 1, 0, 0), show_header=False, width=WIDTH + 1)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column(no_wrap=True, style="dim")
    for row in rows:
        style = RESULT_STYLES[row.result]
        table.add_row(
            Text(f"  {book.label(row.wager)}"),
            dollars(row.stake),
            Text(signed(row.net), style=style),
            Text(row.why),
            row.clause,
        )
    return table


def short_results(rows: Sequence[Row], book: RuleBook) -> Table:
    """What each wager did, two to a line, for a screen with few."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, pad_edge=False)
    for _ in range(2):
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
    cells = [
        (
            Text(f"  {book.label(row.wager)}"),
            Text(dollars(row.stake)),
            Text(signed(row.net), style=RESULT_STYLES[row.result]),
        )
        for row in rows
    ]
    for i in range(0, len(cells), 2):
        table.add_row(*(cell for part in cells[i : i + 2] for cell in part))
    return table


def flat_cards(view: View, seat: str) -> Group:
    """Dealer, board and player in a line each, for a screen with few."""
    round = view["round"] or _EMPTY
    held = round["seats"].get(seat) or {"hole": ""}
    notes = {"Dealer": "", "Board": "", "You": hand_words(held["hole"], round["board"])}
    if "dealer_category" in round:
        notes["Dealer"] = words(round["dealer_category"])
        notes["Dealer"] += "" if round["dealer_qualifies"] else ", not qualified"
    if round["void"]:
        notes["Board"] = f"VOID: {words(round['void'])}"
    lines = []
    cards = (round["dealer"], round["board"], held["hole"])
    for (name, note), text in zip(notes.items(), cards, strict=True):
        line = Text().append(f"  {name:<8}", style="dim")
        line.append_text(cards_text(parse_cards(text)))
        lines.append(line.append(f"  {note}" if note else "", style="bold"))
    return Group(*lines)
