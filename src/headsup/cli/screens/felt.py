"""The felt in a terminal: cards as boxes, wagers, results. Draws views, and so never more than
the viewer may see."""

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
from headsup.game.rulebook.wagers import Wager
from headsup.game.values.cards import RANKS, Cards
from headsup.game.values.hands import hand_name, showdown_names, strength
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.views.model import RoundView, SeatView, TableView, VoidView

WIDTH = 78
MIN_BOXED_WIDTH = 70  # columns from which cards are drawn as boxes
_MIN_ALL_6_WIDTH = 94  # columns from which All 6's cards lie beside the board
_NONE: Mapping[int, str] = MappingProxyType({})
FELT_LABEL_WIDTH = 20  # the width of a wager's name or a clause: money stands beside it
_EDGE, _BACK, _FREE = "white", "blue", "bright_black"


# Cards.

# Which hands' best five a card belongs to: the dealer's, the player's.
Marks = Mapping[int, str]
DEALER_MARK, PLAYER_MARK = "D", "Y"


def draw_card(card: int | None, free: bool = False, mark: str = "") -> list[Text]:
    """Four rows of a card; None is one face down, or a free place on the felt. A mark stands in
    the edge below."""
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
    cards: Sequence[int | None], free_from: int = 99, marks: Marks = _NONE
) -> list[Text]:
    """Cards side by side; from `free_from` on, places where no card lies yet."""
    rows = [Text() for _ in range(4)]
    for i, card in enumerate(cards):
        mark = "" if card is None else marks.get(card, "")
        for row, part in zip(rows, draw_card(card, i >= free_from, mark), strict=True):
            row.append_text(part)
    return rows


def _draw_known_cards(known: Cards, count: int, dealt: bool, marks: Marks = _NONE) -> list[Text]:
    """Cards that a view names; those it does not are face down, or not there yet."""
    cards: list[int | None] = [*known, *[None] * (count - len(known))]
    return draw_cards(cards, 99 if dealt else len(known), marks)


def best_five_marks(view: TableView, seat: int) -> dict[int, str]:
    """The best five of the dealer and of this seat, once both hands are announced."""
    round = view.round
    held = round.seats.get(seat) if round else None
    marks: dict[int, str] = {}
    if round is None or held is None or held.hand is None or round.dealer_hand is None:
        return marks
    for mark, best in ((DEALER_MARK, round.dealer_hand.best), (PLAYER_MARK, held.hand.best)):
        for card in best:
            marks[card] = marks.get(card, "") + mark
    return marks


# The table.


def title(view: TableView, book: RuleBook, note: str = "", width: int = WIDTH) -> list[Text]:
    """On top: game, rules, round, chips, meter; in as many lines as the screen needs."""
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
    """The promise of the next round's cards, where there is one; whole where there is room, and
    else by its beginning. The key `v` shows it whole and explains it."""
    sealed = view.fair.sealed if view.fair is not None else None
    if sealed is None:
        return []
    promise = sealed.commitment
    told = (
        f"  cards sealed before you bet (v explains): {promise}",
        f"  cards sealed before you bet: {promise[:16]}… (v explains)",
        f"  cards sealed: {promise[:12]}… (v)",
    )
    return [Text(next((one for one in told if len(one) <= width), told[-1]), style="dim")]


def bonus_notice_lines(view: TableView, width: int = WIDTH) -> list[Text]:
    """What must stand wherever the figure of a Bonus Jackpot is shown (WA App. D note 5)."""
    notices = view.meter.notices if view.meter else ()
    return [
        Text(f"  {line}", style="italic")
        for notice in notices
        for line in wrap(printable(notice), width - 2)
    ]


class _CardGroup(NamedTuple):
    """Cards on the felt under what they are called."""

    label: Text
    rows: list[Text]


def _side_by_side(places: Sequence[_CardGroup], gap: int) -> Group:
    """Each at its own columns."""
    lines = [Text("  ") for _ in range(5)]
    for place in places:
        width = max(len(row) for row in place.rows) + gap
        for line, part in zip(lines, (place.label, *place.rows), strict=True):
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
    """In a place of its own for who has bet on it, face down until all have decided (R22)."""
    held = round.seats.get(seat) if round else None
    if round is None or held is None or Wager.ALL_6 not in held.stakes:
        return []
    cards = _draw_known_cards(round.all_6, 4, _has_cards(round))
    return [_CardGroup(Text("All 6", style="dim"), cards)]


def _void_line(round: RoundView | None) -> list[Text]:
    if round is None or not round.voided:
        return []
    return [Text(f"  {void_words(round.voided)}", style="bold magenta")]


def shared_cards(view: TableView, seat: int, width: int = WIDTH) -> Group:
    """The dealer's cards and the board side by side, and All 6's where there is room."""
    round, marks = view.round, best_five_marks(view, seat)
    places = [_dealer_group(round, marks), _board_group(round, marks)]
    beside = _all_6_groups(round, seat) if width >= _MIN_ALL_6_WIDTH else []
    gap = 6 if width >= _MIN_ALL_6_WIDTH else 24
    return Group(*_void_line(round), _side_by_side([*places, *beside], gap))


def one_row(view: TableView, seat: int) -> Group:
    """Dealer, board and player in one row, their hands named below, for a screen with few lines."""
    round, marks = view.round, best_five_marks(view, seat)
    held = round.seats.get(seat) if round else None
    cards = held.hole if held else ()
    own = _CardGroup(Text("You", style="dim"), _draw_known_cards(cards, 2, bool(cards), marks))
    row = _side_by_side([_dealer_group(round, marks), _board_group(round, marks), own], 8)
    lines: list[RenderableType] = [*_void_line(round), row, *_hand_name_lines(round, held)]
    if packet := _all_6_cards(round, held):
        lines.append(Text("  All 6: ", style="dim").append_text(cards_text(packet)))
    return Group(*lines)


def _hand_name_lines(round: RoundView | None, held: SeatView | None) -> list[Text]:
    return [
        Text.assemble((f"  {name}{mark and f' [{mark}]'}: ", "dim"), (words, "bold"))
        for name, mark, words in _named_hands(round, held)
    ]


def _named_hands(round: RoundView | None, held: SeatView | None) -> list[tuple[str, str, str]]:
    """Who has what, as the dealer says it, and the letter that marks the cards of it."""
    if round is None or held is None:
        return []
    dealers, own = _dealer_words(round), hand_words(held.hole, round.board)
    told = held.hand is not None and round.dealer_hand is not None
    if told:
        both = (strength((*hole, *round.board)) for hole in (round.dealer, held.hole))
        dealers, own = showdown_names(*both)
        dealers += _qualifier_note(round)
    words = (("Dealer", DEALER_MARK, dealers), ("You", PLAYER_MARK, own))
    return [(name, mark if told else "", hand) for name, mark, hand in words if hand]


def _all_6_cards(round: RoundView | None, held: SeatView | None) -> Cards:
    shown = round is not None and held is not None and Wager.ALL_6 in held.stakes
    return round.all_6 if round is not None and shown else ()


def _dealer_words(round: RoundView | None) -> str:
    if round is None or round.dealer_hand is None:
        return ""
    return round.dealer_hand.name + _qualifier_note(round)


def _qualifier_note(round: RoundView) -> str:
    return "" if round.dealer_qualifies else ", not qualified"


def void_words(void: VoidView) -> str:
    """Why, and by whose rule: most books take New York's over as a house rule (R96)."""
    return f"VOID: {void.cause.words}" + (" (house rule)" if void.house_rule else "")


def _has_cards(round: RoundView) -> bool:
    """Whether cards lie on the table; nobody holds any in a round that was void before."""
    before = round.phase in (Phase.BETTING, Phase.NO_MORE_BETS)
    return not before and not (round.void and not round.board and not round.dealer)


def draw_player_hand(view: TableView, seat: int, book: RuleBook, width: int = WIDTH) -> Group:
    """A player's cards, and beside them the chips on the felt, or All 6's cards once they are
    turned up: the stakes then stand in the results."""
    round = view.round
    held = round.seats.get(seat) if round else None
    if round is None or held is None:
        return _side_by_side(
            [_CardGroup(Text("You", style="dim"), _draw_known_cards((), 2, dealt=False))], 2
        )
    label = Text("You", style="dim")
    place = _CardGroup(
        label, _draw_known_cards(held.hole, 2, bool(held.hole), best_five_marks(view, seat))
    )
    if round.results and seat in round.results:
        beside = _all_6_groups(round, seat) if width < _MIN_ALL_6_WIDTH else []
        return Group(_side_by_side([place, *beside], 24), *_hand_name_lines(round, held))
    if hand := hand_words(held.hole, round.board):
        short = "".join(f" · {one}" for one in held.draws)
        label = Text.assemble(("You: ", "dim"), (hand, "bold"), (short, "dim"))
    chips = _chips(held, book)
    rows = []
    for i, row in enumerate(place.rows):
        rows.append(Text.assemble("  ", row, "   ", chips[i] if i < len(chips) else ""))
    return Group(Text("  ").append_text(label), *rows)


def hand_words(hole: Cards, board: Cards) -> str:
    """What the cards seen so far make, as a dealer says it."""
    return hand_name(strength((*hole, *board))) if len(hole) == 2 and len(board) >= 3 else ""


def _chips(held: SeatView, book: RuleBook) -> list[Text]:
    """The wagers on the felt, two to a line."""
    parts = [
        Text.assemble(
            (shorten(book.label(wager), 13, pad=True), "cyan"), f"{show_dollars(cents):>10}"
        )
        for wager, cents in held.stakes.items()
    ]
    match held.decision:
        case HasRaised(street, multiple):
            amount = multiple * held.stakes[Wager.ANTE]
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
        Text.assemble(one, "    ", right[i]) if i < len(right) else one
        for i, one in enumerate(left)
    ]


# For a screen with few lines or columns.


def flat_cards(view: TableView, seat: int, book: RuleBook, width: int = WIDTH) -> Group:
    """Dealer, board and player in a line each, for a screen with few; then the hands by name, each
    with its best five cards."""
    round = view.round
    held = round.seats.get(seat) if round else None
    hole, board = held.hole if held else (), round.board if round else ()
    rows = [("Dealer", round.dealer if round else (), 2), ("Board", board, 5), ("You", hole, 2)]
    if packet := _all_6_cards(round, held):
        rows.append(("All 6", packet, 4))
    lines = _void_line(round)
    for name, cards, count in rows:
        line = Text().append(f"  {name:<8}", style="dim").append_text(cards_text(cards))
        missing = " ".join(["··"] * (count - len(cards)))
        lines.append(line.append(" " * bool(cards and missing) + missing, style="dim"))
    best = {}
    if round is not None and round.dealer_hand is not None:
        best["Dealer"] = round.dealer_hand.best
    if held is not None and held.hand is not None:
        best["You"] = held.hand.best
    for name, _, words in _named_hands(round, held):
        lines += _hand_lines(f"{name}: {words}", best.get(name, ()), width)
    if round is not None and held is not None and not (round.results and seat in round.results):
        lines += _felt_lines(held, book, width)
    return Group(*lines)


def _felt_lines(held: SeatView, book: RuleBook, width: int) -> list[Text]:
    """The wagers that lie on the felt, none of them broken in two."""
    parts = [
        f"{shorten(book.label(wager), FELT_LABEL_WIDTH)} {show_dollars(cents)}"
        for wager, cents in held.stakes.items()
    ]
    if isinstance(held.decision, HasRaised):
        amount = held.decision.multiple * held.stakes[Wager.ANTE]
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
    shown = cards_text(best)
    lines = [Text(f"  {line}", style="bold") for line in wrap(words, width - 2)]
    if not best:
        return lines
    if len(lines[-1]) + len(shown) + 2 <= width:
        lines[-1] = Text.assemble(lines[-1], "  ", shown)
        return lines
    return [*lines, Text.assemble("    ", shown)]
