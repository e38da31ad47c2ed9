"""Draws replays: each announcement as a sentence, and the felt or the TableVision display."""

from collections.abc import Mapping
from textwrap import wrap
from typing import assert_never

from rich.console import Group, RenderableType
from rich.text import Text

from headsup.cli.screens import felt
from headsup.cli.screens.style import cards_text, printable, signed_dollars
from headsup.game.round.decision import Decision, HasChecked, HasFolded, HasRaised, Undecided
from headsup.game.round.events import (
    BetsClosed,
    BetsPlaced,
    BetsWithdrawn,
    BoardCompleted,
    CardsDealt,
    Checked,
    DealerRevealed,
    DecisionReopened,
    FlopRevealed,
    Folded,
    HandResolved,
    HandVoided,
    IrregularityReported,
    Raised,
    RoundClosed,
    RoundEvent,
    RoundSettled,
    RoundVoided,
    TimeExtended,
    TurnAndRiverRevealed,
)
from headsup.game.rulebook.model import Cause, Resolution, RuleBook
from headsup.game.rulebook.wagers import Wager, felt_name
from headsup.game.table.events import (
    BonusCellSet,
    BonusEnded,
    BonusPrizeSet,
    BoughtIn,
    CashedOut,
    CouponCancelled,
    CouponIssued,
    EquipmentEvent,
    EquipmentRestored,
    EquipmentWentDown,
    FlagCorrected,
    MeterClosingPlanned,
    MeterCorrected,
    MeterFrozen,
    MeterUnfrozen,
    PayoutCorrected,
    PlayerLeft,
    PlayerSat,
    PoolTransferred,
    RoundOpened,
    SealLost,
    SeedAdded,
    SensorRead,
    ShuffleOpened,
    ShuffleSealed,
    TableClosed,
    TableEvent,
    TableOpened,
    WagersCountedByHand,
    WagersRegistered,
)
from headsup.game.table.shuffle import ShuffleSource
from headsup.game.values.cards import Cards
from headsup.game.values.money import show_dollars, show_micro_dollars
from headsup.game.values.str_enum import TextEnum
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
            if isinstance(event, RoundEvent):
                return _round_sentence(event, book)
            return _table_sentence(event, book)
        case NameOnly(name):
            return Text(_BY_NAME.get(name, f"{_split_camel_case(name)}."))
        case ChipsAnnouncement(name, seat):
            return Text(f"Seat {seat} {'buys in' if name == 'BoughtIn' else 'cashes out'}.")
        case DealAnnouncement(_, _, holes):
            return _deal_line(holes or {})
        case RevealAnnouncement(event, chosen):
            others = _others_decisions(chosen, viewer_seat)
            return others.append_text(_round_sentence(event, book))
        case IrregularityAnnouncement(_, cause, seat, resolution):
            return _irregularity(cause, seat, resolution)
        case BonusPrizeAnnouncement(name, notices):
            posted = "Jackpot prize" if name == BonusPrizeSet.__name__ else "amount"
            return _append_notices(f"A new Bonus {posted} is posted.", notices)
        case BonusPrizeDetails(order, notices):
            return _append_notices(_bonus_order_sentence(order, book), notices)
        case MeterMoved(meter):
            if meter is None:
                return Text("The jackpot is no longer in play.")
            return _append_notices(
                f"The meter shows {show_micro_dollars(meter.shows)}.", meter.notices
            )
        case _:
            assert_never(announcement)


_BY_NAME = {
    "TableOpened": "The table opens.",
    "TableClosed": "The table closes.",
    "RoundOpened": "Round opens.",
    "BetsClosed": "No more bets.",
    "WagersRegistered": "The wagers are counted.",
    "EquipmentWentDown": "The tabulator is down.",
    "EquipmentRestored": "The tabulator is up again.",
    "FlagCorrected": "The count of wagers is corrected.",
    "RoundSettled": "The dealer settles, hand by hand.",
    "RoundClosed": "The round is closed.",
    "RoundVoided": "The round is void.",
    "HandVoided": "A hand is void.",
    "MeterFrozen": "The meter is frozen.",
    "MeterUnfrozen": "The meter runs again.",
    "ShuffleSealed": "The next shuffle is sealed.",
    "ShuffleOpened": "The shuffle is opened.",
    "SealLost": "The seal is given up; it could not be opened.",
}


# Added to a table's opening sentence.
_SHUFFLES = {
    ShuffleSource.NOT_STATED: "",
    ShuffleSource.SYSTEM: "",
    ShuffleSource.SEED: "; dealt from a seed",
    ShuffleSource.SEALED: "; its shuffles are sealed",
    ShuffleSource.ENTERED: "; its dealer enters the cards",
}


def _split_camel_case(name: str) -> str:
    """`MeterCorrected` as "Meter corrected"."""
    parts = "".join(f" {char.lower()}" if char.isupper() else char for char in name).split()
    return " ".join(parts).capitalize()


def _append_notices(first: str, notices: tuple[str, ...]) -> Text:
    text = Text(first)
    for notice in notices:
        for line in wrap(printable(notice), felt.WIDTH - 6):
            text.append(f"\n      {line}", style="italic")
    return text


def _round_sentence(event: RoundEvent, book: RuleBook) -> Text:
    match event:
        case BetsPlaced(seat, stakes, coupons):
            placed = ", ".join(
                f"{printable(book.label(wager))} {show_dollars(cents)}"
                + (" by coupon" if wager in coupons else "")
                for wager, cents in stakes.items()
            )
            return Text(f"Seat {seat} bets {placed}.")
        case BetsWithdrawn(seat):
            return Text(f"Seat {seat} withdraws its bets.")
        case CardsDealt():
            return _deal_line({})
        case Checked(seat, _, auto):
            return Text(f"Seat {seat} checks{_timeout_suffix(auto)}.")
        case Raised(seat, street, multiple):
            return Text(f"Seat {seat} raises {multiple}× on the {street}.")
        case Folded(seat, auto):
            return Text(f"Seat {seat} folds{_timeout_suffix(auto)}.")
        case TimeExtended(seat, seconds):
            return Text(f"Seat {seat} gets {seconds} more seconds.")
        case FlopRevealed(cards):
            return _revealed_line("The flop: ", cards)
        case TurnAndRiverRevealed(cards):
            return _revealed_line("Turn and river: ", cards)
        case DealerRevealed(cards):
            return _revealed_line("The dealer shows ", cards)
        case BoardCompleted(cards):
            return _revealed_line("The rest of the board: ", cards)
        case IrregularityReported(cause, seat, resolution):
            return _irregularity(cause, seat, resolution)
        case HandResolved(seat):
            return Text(f"Seat {seat} is settled, and its cards are picked up.")
        case HandVoided(seat, cause, clause, house_rule):
            why = _rule(cause, clause, house_rule)
            return Text(f"Seat {seat}'s hand is void: {why}.", style="magenta")
        case RoundVoided(cause, clause, house_rule):
            return Text(f"The round is void: {_rule(cause, clause, house_rule)}.", style="magenta")
        case DecisionReopened(seat):
            return Text(f"Seat {seat} decides again: its Raise was missed.")
        case BetsClosed() | RoundSettled() | RoundClosed():
            return Text(_BY_NAME[type(event).__name__])
        case _:
            assert_never(event)


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


def _rule(cause: Cause, clause: str, house_rule: bool) -> str:
    return f"{cause.words} ({printable(clause)}{', a house rule' if house_rule else ''})"


def _timeout_suffix(auto: bool) -> str:
    return ", out of time" if auto else ""


def _revealed_line(label: str, cards: Cards) -> Text:
    return Text(label).append_text(cards_text(cards))


def _deal_line(holes: Mapping[int, Cards]) -> Text:
    text = Text("The cards are dealt")
    for number, hole in holes.items():
        text.append(f"; seat {number} holds ").append_text(cards_text(hole))
    return text.append(".")


def _irregularity(cause: Cause, seat: int | None, resolution: Resolution) -> Text:
    where = f" at seat {seat}" if seat else ""
    return Text(f"Irregularity{where}: {cause.words}; {_resolution_word(resolution)}.")


def _resolution_word(resolution: Resolution) -> str:
    match resolution:
        case Resolution.VOID:
            return "void"
        case Resolution.CORRECT:
            return "corrected"
        case Resolution.PLAY_ON:
            return "played on"
        case _:
            assert_never(resolution)


def _table_sentence(event: TableEvent, book: RuleBook) -> Text:
    match event:
        case TableOpened(rules, shuffle=shuffle):
            return Text(f"The table opens: {printable(rules)}{_SHUFFLES[shuffle]}.")
        case TableClosed(reason):
            return Text(f"The table closes: {printable(reason)}.")
        case PlayerSat(seat, player):
            return Text(f"Seat {seat} is taken by {printable(player)}.")
        case PlayerLeft(seat):
            return Text(f"Seat {seat} stands up.")
        case BoughtIn(seat, amount):
            return Text(f"Seat {seat} buys in {show_dollars(amount)}.")
        case CashedOut(seat, amount):
            return Text(f"Seat {seat} cashes out {show_dollars(amount)}.")
        case CouponIssued(coupon, player, wager, amount, expires):
            stake = f"{printable(book.label(wager))} {show_dollars(amount)}"
            return Text(f"{printable(player)} gets coupon {coupon}: {stake}, until {expires}.")
        case CouponCancelled(coupon, player):
            return Text(f"Coupon {coupon} of {printable(player)} is cancelled.")
        case RoundOpened(number):
            return Text(f"Round {number} opens.")
        case ShuffleSealed(round, commitment):
            return Text(f"Round {round} is sealed: {commitment}")
        case SeedAdded(seat, text):
            return Text(f"Seat {seat} adds a seed: {printable(text)}")
        case ShuffleOpened(round, _, server_seed):
            return Text(f"Round {round} is opened: {server_seed}")
        case SealLost(round, _, reason):
            return Text(f"The seal of round {round} is given up: {printable(reason)}.")
        case PayoutCorrected(seat, amount):
            return Text(f"Seat {seat}'s payout is corrected by {signed_dollars(amount)}.")
        case (
            MeterCorrected()
            | MeterFrozen()
            | MeterUnfrozen()
            | MeterClosingPlanned()
            | PoolTransferred()
            | BonusPrizeSet()
            | BonusEnded()
            | BonusCellSet()
        ):
            name = type(event).__name__
            return Text(_BY_NAME.get(name, f"{_split_camel_case(name)}."))
        case (
            SensorRead()
            | WagersRegistered()
            | WagersCountedByHand()
            | FlagCorrected()
            | EquipmentWentDown()
            | EquipmentRestored()
        ):
            return _equipment_sentence(event, book)
        case _:
            assert_never(event)


def _bonus_order_sentence(order: BonusPrizeSet | BonusCellSet, book: RuleBook) -> str:
    match order:
        case BonusPrizeSet(prize):
            return f"The Bonus Jackpot prize is {show_micro_dollars(prize)}."
        case BonusCellSet(key, outcome, pay):
            cell = printable(f"{book.label_for_key(key)}: {outcome.replace('_', ' ')}")
            return f"The Bonus cell of {cell} pays {printable(pay)}."
        case _:
            assert_never(order)


def _equipment_sentence(event: EquipmentEvent, book: RuleBook) -> Text:
    match event:
        case SensorRead(seat, wager, chip, reading):
            verb = "sees a chip" if chip else "no longer sees a chip"
            spot = f"seat {seat}'s {printable(book.label(wager))}"
            return Text(f"The sensor {verb} on {spot}: {_word_text(reading)}.")
        case WagersRegistered(flags):
            counts = {wager: len(seats) for wager, seats in flags.items()}
            return Text(f"The tabulator counts {_wager_counts(counts, book)}.")
        case WagersCountedByHand(counts):
            return Text(f"Counted by hand: {_wager_counts(counts, book)}.")
        case FlagCorrected(seat, wager, wagered):
            spot = f"Seat {seat}'s {printable(book.label(wager))}"
            return Text(f"{spot} {'counts' if wagered else 'does not count'} as a wager.")
        case EquipmentWentDown(reason):
            return Text(f"The tabulator is down: {printable(reason)}.")
        case EquipmentRestored():
            return Text("The tabulator is up again.")
        case _:
            assert_never(event)


def _wager_counts(counts: Mapping[Wager, int], book: RuleBook) -> str:
    counted = [f"{count} {book.label(wager)}" for wager, count in counts.items() if count]
    return printable(", ".join(counted)) or "no wagers"


def _word_text(word: TextEnum) -> str:
    return word.value.replace("_", " ")


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
