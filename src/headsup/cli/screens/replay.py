"""Draws replays: each announcement as a sentence, and the felt or the TableVision display."""

from textwrap import wrap
from typing import assert_never

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli.screens import felt
from headsup.cli.screens.style import cards_text, printable, signed_dollars
from headsup.game.record.replay import ViewerStep
from headsup.game.round.decision import HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.events import HandVoided, RoundVoided
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.values.cards import Cards
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.views.announcements import (
    Announcement,
    BonusPrizeAnnouncement,
    BonusPrizeDetails,
    FullEvent,
    MeterMoved,
)
from headsup.game.views.model import (
    HiddenDecision,
    OwedDecision,
    RoundView,
    SeatView,
    TableView,
    TableVisionView,
    VisibleDecision,
)
from headsup.game.views.posted import PostedLimit, PostedTable, PostedView
from headsup.game.words.catalogue import Catalogue


def draw_tablevision(view: TableVisionView, full: bool) -> RenderableType:
    """The TableVision display: the jackpot with its notices and, with `full`, all posted rules."""
    lines = [_jackpot_line(view)]
    lines += [_notice(text) for text in (view.meter.notices if view.meter else ())]
    if not full:
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
    shown = set(view.meter.notices if view.meter else ())
    lines += [_notice(text) for text in view.notices if text not in shown]
    return Group(*lines)


def _jackpot_line(view: TableVisionView) -> Text:
    if view.prize is None:
        return Text("    No progressive at this table.", style="bold")
    amount = show_micro_dollars(view.meter.shows) if view.meter else "no meter"
    frozen = view.meter.frozen if view.meter else ""
    frozen_note = f" (frozen: {printable(frozen)})" if frozen else ""
    name = felt_name(view.prize.value)
    return Text(f"    {name} {amount}{frozen_note}", style="bold")


def _notice(text: str) -> Text:
    return Text(f"    {printable(text)}", style="italic")


def _posted_table(table: PostedTable) -> Text:
    rows = ", ".join(f"{printable(row.label)} {row.pays.short}" for row in table.rows)
    name = felt_name(table.key)
    return Text(f"    {name} {printable(table.id)}, {table.basis} 1: {rows}", style="dim")


def _limit(limit: PostedLimit, posted: PostedView) -> str:
    bounds = (("from", limit.min), ("to", limit.max), ("in steps of", limit.step))
    words = " ".join(f"{word} {show_dollars(cents)}" for word, cents in bounds if cents)
    return f"{printable(posted.labels[limit.wager])} {words}"


# Announcements as sentences.


def step_sentence(step: ViewerStep, catalogue: Catalogue) -> Text:
    """What happened, in one sentence, with any required notices on the following lines."""
    text = Text(style="magenta" if _is_void(step.announcement) else "")
    for part in catalogue.parts(step.words(by_name=False)):
        text.append_text(Text(printable(part)) if isinstance(part, str) else cards_text(part))
    for notice in _notices_of(step.announcement):
        for line in wrap(printable(notice), felt.WIDTH - 6):
            text.append(f"\n      {line}", style="italic")
    return text


def _is_void(announcement: Announcement) -> bool:
    match announcement:
        case FullEvent(HandVoided() | RoundVoided()):
            return True
        case _:
            return False


def _notices_of(announcement: Announcement) -> tuple[str, ...]:
    match announcement:
        case BonusPrizeAnnouncement(notices=notices) | BonusPrizeDetails(notices=notices):
            return notices
        case MeterMoved(meter):
            return () if meter is None else meter.notices
        case _:
            return ()


# The small felt below a sentence.


def small_felt(view: TableView, book: RuleBook) -> RenderableType:
    """A line each for the dealer, the board and every seat."""
    round = view.round
    if round is None:
        players = ", ".join(f"{seat} {printable(name)}" for seat, name in view.players.items())
        return Text(f"    {players or 'nobody'} at the table", style="dim")
    lines = [_line("Dealer", round.dealer, 2, _dealer_note(round))]
    lines.append(_line("Board", round.board, 5, _board_note(round)))
    for number, seat in round.seats.items():
        lines.append(_line(f"Seat {number}", seat.hole, 2, _seat_note(round, number, seat, book)))
    return Group(*lines)


def _line(name: str, known: Cards, count: int, note: Text) -> Text:
    text = Text(f"    {name:<7}")
    row = cards_text(known)
    missing = count - len(known)
    row.append((" " if known else "") + " ".join(["··"] * missing) if missing else "")
    row.pad_right(max(3 * count - len(row), 0) + 1)
    return text.append_text(row).append_text(note)


def _dealer_note(round: RoundView) -> Text:
    if round.dealer_hand is None:
        return Text()
    note = f" {round.dealer_hand.name}"
    return Text(note + (", does not qualify" if round.dealer_qualifies is False else ""))


def _board_note(round: RoundView) -> Text:
    note = Text(f" {felt.void_words(round.voided)}" if round.voided else "", style="magenta")
    if round.all_6:
        note.append("   All 6 ", style="dim").append_text(cards_text(round.all_6))
    return note


def _seat_note(round: RoundView, number: int, seat: SeatView, book: RuleBook) -> Text:
    note = Text(f" {_decision_note(seat.decision)}", style="cyan")
    hand = seat.hand.name if seat.hand else felt.hand_words(seat.hole, round.board)
    hand_text = Text(f"  {hand}" if hand else "", style="default")
    result = (round.results or {}).get(number)
    if result is None:
        return note.append_text(hand_text)
    net = result.net
    note.append(
        f"  {signed_dollars(net)}", style="bold green" if net > 0 else "red" if net < 0 else "bold"
    )
    note.append_text(hand_text)
    parts = [
        f"{printable(book.label(wager))} {line.gesture or signed_dollars(line.net)}"
        for wager, line in result.wagers.items()
    ]
    return note.append(f"\n           {', '.join(parts)}", style="dim")


def _decision_note(decision: VisibleDecision) -> str:
    match decision:
        case HasRaised(street, multiple):
            return f"raised {multiple}× on the {street}"
        case HasFolded():
            return "folded"
        case HasChecked():
            return "checked"
        case OwedDecision():
            return "to decide"
        case HiddenDecision() | Undecided():
            return ""
        case _:
            assert_never(decision)
