"""Draws the felt in a terminal: cards as boxes, wagers and hands.

It draws views, so it never shows more than the viewer may see.
"""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli.screens.style import PIPS, SUIT_STYLES, cards_text, printable, shorten
from headsup.game.round.decision import HasFolded, HasRaised
from headsup.game.round.state import Phase
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.cards import RANKS, Cards
from headsup.game.values.hands import hand_name, showdown_names, strength
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.views.model import RoundView, SeatView, TableView, VoidView

WIDTH = 78
MIN_BOXED_WIDTH = 70  # columns from which cards are drawn as boxes
_MIN_ALL_6_WIDTH = 94  # columns from which the All 6 cards are drawn beside the board
_NO_MARKS: Mapping[int, str] = MappingProxyType({})
FELT_LABEL_WIDTH = 20  # columns for a wager's name or a clause, to leave room for the money
_EDGE, _BACK, _FREE = "white", "blue", "bright_black"


# Cards.

# By card, the hands whose best five it belongs to: the dealer's, the player's or both.
Marks = Mapping[int, str]
DEALER_MARK, PLAYER_MARK = "D", "Y"


def draw_card(card: int | None, free: bool = False, mark: str = "") -> list[Text]:
    """The four rows of a card. None is a face-down card or an empty spot (`free`).

    `mark` is drawn in the bottom edge.
    """
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
    if not mark:
        return [*rows, Text(bottom, style=edge)]
    left = DEALER_MARK if DEALER_MARK in mark else "─"
    right = PLAYER_MARK if PLAYER_MARK in mark else "─"
    marked = Text("╰", style=edge).append(left, _MARK_STYLES[left]).append("──", edge)
    return [*rows, marked.append(right, _MARK_STYLES[right]).append("╯", edge)]


_MARK_STYLES = {"─": _EDGE, DEALER_MARK: "bold yellow", PLAYER_MARK: "bold cyan"}


def draw_cards(
    cards: Sequence[int | None], free_from: int = 99, marks: Marks = _NO_MARKS
) -> list[Text]:
    """Cards side by side; from index `free_from` on, empty spots."""
    rows = [Text() for _ in range(4)]
    for i, card in enumerate(cards):
        mark = "" if card is None else marks.get(card, "")
        for row, part in zip(rows, draw_card(card, i >= free_from, mark), strict=True):
            row.append_text(part)
    return rows


def _draw_known_cards(
    known: Cards, count: int, dealt: bool, marks: Marks = _NO_MARKS
) -> list[Text]:
    """The cards that a view shows; the others are face down if dealt, else empty spots."""
    cards: list[int | None] = [*known, *[None] * (count - len(known))]
    return draw_cards(cards, 99 if dealt else len(known), marks)


def best_five_marks(view: TableView, seat: int) -> dict[int, str]:
    """Marks for the best five cards of the dealer and this seat, once both hands are announced."""
    round = view.round
    seat_view = round.seats.get(seat) if round else None
    marks: dict[int, str] = {}
    if round is None or seat_view is None or seat_view.hand is None or round.dealer_hand is None:
        return marks
    for mark, best in ((DEALER_MARK, round.dealer_hand.best), (PLAYER_MARK, seat_view.hand.best)):
        for card in best:
            marks[card] = marks.get(card, "") + mark
    return marks


# The table.


def title(view: TableView, book: RuleBook, note: str = "", width: int = WIDTH) -> list[Text]:
    """The title bar: game, rules, round, chips and meter, in as many lines as needed."""
    left = f" {shorten(book.id, FELT_LABEL_WIDTH)}"
    if view.round is not None:
        left += f" · round {view.round.number}"
    meter = view.meter
    label = shorten(book.label(Wager.PROGRESSIVE), FELT_LABEL_WIDTH)
    parts = [note] if note else []
    parts += [f"{label} {show_micro_dollars(meter.shows)}"] if meter else []
    right = "   ".join(parts) + " " * bool(parts)
    game = " Heads Up Hold'em ·"
    if len(game + left + right) < width - 1:
        left = game + left
    if len(left + right) < width - 1:
        lines = [left + right.rjust(width - len(left))]
    else:
        lines = [left, *(f" {part}" for part in parts)]
    return [Text(line.ljust(width), style="bold white on dark_green") for line in lines]


def seal_lines(view: TableView, width: int = WIDTH) -> list[Text]:
    """The commitment to the next round's cards, if any, shortened to fit.

    The key `v` shows it in full and explains it.
    """
    sealed = view.fair.sealed if view.fair is not None else None
    if sealed is None:
        return []
    commitment = sealed.commitment
    lines = (
        f"  cards sealed before you bet (v explains): {commitment}",
        f"  cards sealed before you bet: {commitment[:16]}… (v explains)",
        f"  cards sealed: {commitment[:12]}… (v)",
    )
    return [Text(next((line for line in lines if len(line) <= width), lines[-1]), style="dim")]


def bonus_notice_lines(view: TableView, width: int = WIDTH) -> list[Text]:
    """The notices required wherever a Bonus Jackpot's amount is shown (WA App. D note 5)."""
    notices = view.meter.notices if view.meter else ()
    return [
        Text(f"  {line}", style="italic")
        for notice in notices
        for line in wrap(printable(notice), width - 2)
    ]


class _CardGroup(NamedTuple):
    """Cards on the felt with a label above them."""

    label: Text
    rows: list[Text]


def _side_by_side(groups: Sequence[_CardGroup], gap: int) -> Group:
    lines = [Text("  ") for _ in range(5)]
    for group in groups:
        width = max(len(row) for row in group.rows) + gap
        for line, part in zip(lines, (group.label, *group.rows), strict=True):
            line.append_text(part).append(" " * (width - len(part)))
    for line in lines:
        line.rstrip()
    return Group(*lines)


def _dealer_group(round: RoundView | None, marks: Marks) -> _CardGroup:
    cards = _draw_known_cards(
        round.dealer if round else (), 2, bool(round and _has_cards(round)), marks
    )
    return _CardGroup(Text("Dealer", style="dim"), cards)


def _board_group(round: RoundView | None, marks: Marks) -> _CardGroup:
    cards = _draw_known_cards(
        round.board if round else (), 5, bool(round and round.board_down > 0), marks
    )
    return _CardGroup(Text("Board", style="dim"), cards)


def _all_6_groups(round: RoundView | None, seat: int) -> list[_CardGroup]:
    """The All 6 cards, if the seat has bet on them: face down until all have decided (R22)."""
    seat_view = round.seats.get(seat) if round else None
    if round is None or seat_view is None or Wager.ALL_6 not in seat_view.stakes:
        return []
    cards = _draw_known_cards(round.all_6, 4, _has_cards(round))
    return [_CardGroup(Text("All 6", style="dim"), cards)]


def _void_line(round: RoundView | None) -> list[Text]:
    if round is None or not round.voided:
        return []
    return [Text(f"  {void_words(round.voided)}", style="bold magenta")]


def shared_cards(view: TableView, seat: int, width: int = WIDTH) -> Group:
    """The dealer's cards and the board side by side, and the All 6 cards if there is room."""
    round, marks = view.round, best_five_marks(view, seat)
    groups = [_dealer_group(round, marks), _board_group(round, marks)]
    all_6 = _all_6_groups(round, seat) if width >= _MIN_ALL_6_WIDTH else []
    gap = 6 if width >= _MIN_ALL_6_WIDTH else 24
    return Group(*_void_line(round), _side_by_side([*groups, *all_6], gap))


def one_row(view: TableView, seat: int) -> Group:
    """Dealer, board and player in one row with their hands below, for a short terminal."""
    round, marks = view.round, best_five_marks(view, seat)
    seat_view = round.seats.get(seat) if round else None
    cards = seat_view.hole if seat_view else ()
    player = _CardGroup(Text("You", style="dim"), _draw_known_cards(cards, 2, bool(cards), marks))
    row = _side_by_side([_dealer_group(round, marks), _board_group(round, marks), player], 8)
    lines: list[RenderableType] = [*_void_line(round), row, *_hand_name_lines(round, seat_view)]
    if packet := _all_6_cards(round, seat_view):
        lines.append(Text("  All 6: ", style="dim").append_text(cards_text(packet)))
    return Group(*lines)


def _hand_name_lines(round: RoundView | None, seat_view: SeatView | None) -> list[Text]:
    return [
        Text.assemble((f"  {name}{mark and f' [{mark}]'}: ", "dim"), (words, "bold"))
        for name, mark, words in _named_hands(round, seat_view)
    ]


def _named_hands(round: RoundView | None, seat_view: SeatView | None) -> list[tuple[str, str, str]]:
    """Each hand's owner, its mark, and its name as a dealer would announce it."""
    if round is None or seat_view is None:
        return []
    dealer_words, player_words = _dealer_words(round), hand_words(seat_view.hole, round.board)
    announced = seat_view.hand is not None and round.dealer_hand is not None
    if announced:
        both = (strength((*hole, *round.board)) for hole in (round.dealer, seat_view.hole))
        dealer_words, player_words = showdown_names(*both)
        dealer_words += _qualifier_note(round)
    words = (("Dealer", DEALER_MARK, dealer_words), ("You", PLAYER_MARK, player_words))
    return [(name, mark if announced else "", hand) for name, mark, hand in words if hand]


def _all_6_cards(round: RoundView | None, seat_view: SeatView | None) -> Cards:
    shown = round is not None and seat_view is not None and Wager.ALL_6 in seat_view.stakes
    return round.all_6 if round is not None and shown else ()


def _dealer_words(round: RoundView | None) -> str:
    if round is None or round.dealer_hand is None:
        return ""
    return round.dealer_hand.name + _qualifier_note(round)


def _qualifier_note(round: RoundView) -> str:
    return ", not qualified" if round.dealer_qualifies is False else ""


def void_words(void: VoidView) -> str:
    """Why a round is void, and what happens to the stakes. Most books adopt New York's rules for
    this as house rules (R96).
    """
    why = f"VOID: {void.cause.words}" + (" (house rule)" if void.house_rule else "")
    settled = ", ".join(felt_name(wager) for wager in void.settles)
    return f"{why}; stakes are returned" + (f", {settled} is settled" if settled else "")


def _has_cards(round: RoundView) -> bool:
    """Whether cards have been dealt. A round can be void before the deal."""
    before = round.phase in (Phase.BETTING, Phase.NO_MORE_BETS)
    return not before and not (round.void and not round.board and not round.dealer)


def draw_player_hand(view: TableView, seat: int, book: RuleBook, width: int = WIDTH) -> Group:
    """A player's cards with the wagers beside them.

    After settlement the wagers are in the results, and the All 6 cards take their place.
    """
    round = view.round
    seat_view = round.seats.get(seat) if round else None
    if round is None or seat_view is None:
        return _side_by_side(
            [_CardGroup(Text("You", style="dim"), _draw_known_cards((), 2, dealt=False))], 2
        )
    label = Text("You", style="dim")
    hand_group = _CardGroup(
        label,
        _draw_known_cards(seat_view.hole, 2, bool(seat_view.hole), best_five_marks(view, seat)),
    )
    if round.results and seat in round.results:
        all_6 = _all_6_groups(round, seat) if width < _MIN_ALL_6_WIDTH else []
        return Group(_side_by_side([hand_group, *all_6], 24), *_hand_name_lines(round, seat_view))
    if hand := hand_words(seat_view.hole, round.board):
        draws = "".join(f" · {draw}" for draw in seat_view.draws)
        label = Text.assemble(("You: ", "dim"), (hand, "bold"), (draws, "dim"))
    chips = _chips(seat_view, book)
    rows = []
    for i, row in enumerate(hand_group.rows):
        rows.append(Text.assemble("  ", row, "   ", chips[i] if i < len(chips) else ""))
    return Group(Text("  ").append_text(label), *rows)


def hand_words(hole: Cards, board: Cards) -> str:
    """The hand made so far, as a dealer would announce it."""
    return hand_name(strength((*hole, *board))) if len(hole) == 2 and len(board) >= 3 else ""


def _chips(seat_view: SeatView, book: RuleBook) -> list[Text]:
    """The wagers on the felt, two to a line."""
    parts = [
        Text.assemble(
            (shorten(book.label(wager), 13, pad=True), "cyan"), f"{show_dollars(cents):>10}"
        )
        for wager, cents in seat_view.stakes.items()
    ]
    match seat_view.decision:
        case HasRaised(street, multiple):
            amount = multiple * seat_view.stakes[Wager.ANTE]
            parts.append(
                Text.assemble(
                    (shorten(book.label(Wager.RAISE), 13, pad=True), "bold green"),
                    (f"{show_dollars(amount):>10}", "bold"),
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
        Text.assemble(part, "    ", right[i]) if i < len(right) else part
        for i, part in enumerate(left)
    ]


# For a screen with few lines or columns.


def flat_cards(view: TableView, seat: int, book: RuleBook, width: int = WIDTH) -> Group:
    """Dealer, board and player as lines of text, then each hand's name and best five cards."""
    round = view.round
    seat_view = round.seats.get(seat) if round else None
    hole, board = seat_view.hole if seat_view else (), round.board if round else ()
    rows = [("Dealer", round.dealer if round else (), 2), ("Board", board, 5), ("You", hole, 2)]
    if packet := _all_6_cards(round, seat_view):
        rows.append(("All 6", packet, 4))
    lines = _void_line(round)
    for name, cards, count in rows:
        line = Text().append(f"  {name:<8}", style="dim").append_text(cards_text(cards))
        missing = " ".join(["··"] * (count - len(cards)))
        lines.append(line.append(" " * bool(cards and missing) + missing, style="dim"))
    best = {}
    if round is not None and round.dealer_hand is not None:
        best["Dealer"] = round.dealer_hand.best
    if seat_view is not None and seat_view.hand is not None:
        best["You"] = seat_view.hand.best
    for name, _, words in _named_hands(round, seat_view):
        lines += _hand_lines(f"{name}: {words}", best.get(name, ()), width)
    if (
        round is not None
        and seat_view is not None
        and not (round.results and seat in round.results)
    ):
        lines += _felt_lines(seat_view, book, width)
    return Group(*lines)


def _felt_lines(seat_view: SeatView, book: RuleBook, width: int) -> list[Text]:
    """The wagers on the felt, wrapped between wagers only."""
    parts = [
        f"{shorten(book.label(wager), FELT_LABEL_WIDTH)} {show_dollars(cents)}"
        for wager, cents in seat_view.stakes.items()
    ]
    if isinstance(seat_view.decision, HasRaised):
        amount = seat_view.decision.multiple * seat_view.stakes[Wager.ANTE]
        parts.append(f"{shorten(book.label(Wager.RAISE), FELT_LABEL_WIDTH)} {show_dollars(amount)}")
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(longer) + 3 > width and lines[-1]:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = longer
    return [Text(f"  {line}", style="cyan") for line in lines if line]


def _hand_lines(words: str, best: Cards, width: int) -> list[Text]:
    cards = cards_text(best)
    lines = [Text(f"  {line}", style="bold") for line in wrap(words, width - 2)]
    if not best:
        return lines
    if len(lines[-1]) + len(cards) + 2 <= width:
        lines[-1] = Text.assemble(lines[-1], "  ", cards)
        return lines
    return [*lines, Text.assemble("    ", cards)]
