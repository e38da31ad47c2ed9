"""Draws replays: each announcement as a sentence, and the felt or the TableVision display."""

from collections.abc import Mapping
from textwrap import wrap
from typing import assert_never

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli.screens import felt
from headsup.cli.screens.style import cards_text, printable, signed_dollars
from headsup.game.round.audience import Sentence
from headsup.game.round.decision import Decision, HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.events import HandVoided, RoundVoided, irregularity_sentence
from headsup.game.rulebook.model import RuleBook
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.table.meter_control import BonusPrizeSet
from headsup.game.values.cards import Cards
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.views.announcements import (
    Announcement,
    BonusPrizeAnnouncement,
    BonusPrizeDetails,
    ChipsAnnouncement,
    DealAnnouncement,
    FullEvent,
    IrregularityAnnouncement,
    MeterMoved,
    NameOnly,
    RevealAnnouncement,
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


def sentence_for(
    announcement: Announcement, book: RuleBook, viewer_seat: int | None = None
) -> Text:
    """What happened, in one sentence, with any required notices on the following lines."""
    match announcement:
        case FullEvent(event):
            style = "magenta" if isinstance(event, HandVoided | RoundVoided) else ""
            return _text(event.sentence(book), style)
        case NameOnly(_, headline) | ChipsAnnouncement(_, _, headline):
            return Text(headline)
        case DealAnnouncement(_, _, holes):
            return _deal_line(holes or {})
        case RevealAnnouncement(event, chosen):
            others = _others_decisions(chosen, viewer_seat)
            return others.append_text(_text(event.sentence(book)))
        case IrregularityAnnouncement(_, cause, seat, resolution):
            return Text(irregularity_sentence(cause, seat, resolution))
        case BonusPrizeAnnouncement(name, notices):
            posted = "Jackpot prize" if name == BonusPrizeSet.__name__ else "amount"
            return _append_notices(Text(f"A new Bonus {posted} is posted."), notices)
        case BonusPrizeDetails(order, notices):
            return _append_notices(_text(order.sentence(book)), notices)
        case MeterMoved(meter):
            if meter is None:
                return Text("The jackpot is no longer in play.")
            shown = Text(f"The meter shows {show_micro_dollars(meter.shows)}.")
            return _append_notices(shown, meter.notices)
        case _:
            assert_never(announcement)


def _text(sentence: Sentence, style: str = "") -> Text:
    parts = (sentence,) if isinstance(sentence, str) else sentence
    text = Text(style=style)
    for part in parts:
        text.append_text(Text(printable(part)) if isinstance(part, str) else cards_text(part))
    return text


def _append_notices(text: Text, notices: tuple[str, ...]) -> Text:
    for notice in notices:
        for line in wrap(printable(notice), felt.WIDTH - 6):
            text.append(f"\n      {line}", style="italic")
    return text


def _others_decisions(chosen: Mapping[int, Decision], viewer_seat: int | None) -> Text:
    """The other seats' decisions, now public. Viewers already know their own."""
    others = [
        f"seat {seat} {_decision_verb(decision)}"
        for seat, decision in chosen.items()
        if seat != viewer_seat
    ]
    return Text(f"{', '.join(others).capitalize()}. " if others else "")


def _decision_verb(decision: Decision) -> str:
    match decision:
        case HasRaised(_, multiple):
            return f"raised {multiple}×"
        case HasFolded():
            return "folded"
        case HasChecked() | Undecided():
            return "checked"
        case _:
            assert_never(decision)


def _deal_line(holes: Mapping[int, Cards]) -> Text:
    text = Text("The cards are dealt")
    for number, hole in holes.items():
        text.append(f"; seat {number} holds ").append_text(cards_text(hole))
    return text.append(".")


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
