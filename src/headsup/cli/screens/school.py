"""Draws the exercises of the dealer school and their results in a terminal."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from headsup.cli.screens.felt import MIN_BOXED_WIDTH, draw_cards
from headsup.cli.screens.style import cards_text, shorten
from headsup.game.round.decision import HasFolded, HasRaised
from headsup.game.round.state import Phase, Seat
from headsup.game.rulebook.wagers import Wager
from headsup.game.school.exercise import Exercise, Item, ItemKind
from headsup.game.school.grading import GradedExercise, Mark, Score
from headsup.game.values.amounts import show_count
from headsup.game.values.cards import Cards
from headsup.game.values.hands import hand_name
from headsup.game.values.money import show_dollars, show_micro_dollars

_LABEL_WIDTH = 20  # columns for a rule book's name of a wager


def draw_exercise(exercise: Exercise, width: int) -> RenderableType:
    """The felt as it lies: no card that is face down, and the wagers of each seat."""
    state = exercise.round
    deal = state.open_deal()
    hides = exercise.preview is not None
    packet = () if hides or not _bets_on_all_6(exercise) else deal.all_6
    shared = [("Dealer", deal.dealer), ("Board", deal.board), ("All 6", packet)]
    lines: list[RenderableType] = [_draw_shared(shared, width)]
    if exercise.meter is not None and any(
        Wager.PROGRESSIVE in seat.stakes for seat in state.seats.values()
    ):
        label = state.rules.book.label(Wager.PROGRESSIVE)
        lines.append(Text(f"  {shorten(label, 30)} shows {show_micro_dollars(exercise.meter)}"))
    seats = Table.grid(padding=(0, 0, 0, 2))
    for number, seat in sorted(state.seats.items()):
        hole = () if hides else (cards_text(seat.hole),)
        seats.add_row(Text(f"Seat {number}", style="bold"), *hole, _wagers_text(exercise, seat))
    lines.append(Padding(seats, (0, 0, 0, 2)))
    if exercise.preview is not None:
        lines.append(Padding(Text(_story(exercise), style="bold"), (1, 0, 0, 2)))
    return Group(*lines)


def _bets_on_all_6(exercise: Exercise) -> bool:
    return any(Wager.ALL_6 in seat.stakes for seat in exercise.round.seats.values())


def _draw_shared(places: Sequence[tuple[str, Cards]], width: int) -> RenderableType:
    shown = [(name, cards) for name, cards in places if cards]
    if width < MIN_BOXED_WIDTH:
        return Group(
            *(
                Text(f"  {name:<8}", style="dim").append_text(cards_text(cards))
                for name, cards in shown
            )
        )
    grid = Table.grid(padding=(0, 0, 0, 2))
    columns = [Group(Text(name, style="dim"), *draw_cards(cards)) for name, cards in shown]
    grid.add_row(*columns)
    return Padding(grid, (0, 0, 0, 2)) if columns else Text("  No card is face up.", style="dim")


def _wagers_text(exercise: Exercise, seat: Seat) -> Text:
    book = exercise.round.rules.book
    wagers = [
        f"{shorten(book.label(wager), _LABEL_WIDTH)} {show_dollars(cents)}"
        for wager, cents in seat.stakes.items()
    ]
    match seat.decision:
        case HasRaised(street, multiple):
            amount = show_dollars(multiple * seat.stakes[Wager.ANTE])
            raised = f"{shorten(book.label(Wager.RAISE), _LABEL_WIDTH)} {amount}"
            wagers.append(f"{raised} ({multiple}× on the {street})")
        case HasFolded():
            wagers.append("folded")
        case _:
            pass
    return Text(" · ".join(wagers))


_MOMENTS = {
    Phase.NO_MORE_BETS: "Bets are closed, and no card is dealt yet.",
    Phase.POCKET: "The hole cards are dealt, and players decide.",
    Phase.FLOP_DUE: "The first decisions are made; the flop is next.",
    Phase.FLOP: "The flop is open, and players decide.",
    Phase.RIVER_DUE: "The second decisions are made; turn and river are next.",
    Phase.RIVER: "Turn and river are open, and players decide.",
    Phase.REVEAL_DUE: "All have decided; the dealer's hand is next.",
    Phase.SETTLEMENT_DUE: "The dealer's hand is open; settlement is next.",
}


def _story(exercise: Exercise) -> str:
    preview = exercise.preview
    if preview is None:
        return ""
    where = f" at seat {preview.seat}" if preview.seat is not None else ""
    done = {"void": "it voids", "correct": "it is corrected", "play_on": "play goes on"}
    moment = _MOMENTS.get(exercise.round.phase, "")
    return f"{moment} Reported: {preview.cause.words}{where}; approved: {done[preview.resolution]}."


# Items and results.


def ask_text(exercise: Exercise, item: Item) -> str:
    """The question of one item."""
    book = exercise.round.rules.book
    match item.kind:
        case ItemKind.ORDER:
            return "Order of settlement"
        case ItemKind.HAND:
            return "Dealer's hand" if item.seat is None else f"Seat {item.seat}'s hand"
        case ItemKind.QUALIFIES:
            return "Does the dealer qualify?"
        case ItemKind.PAYOUT | ItemKind.FATE:
            label = "" if item.wager is None else shorten(book.label(item.wager), _LABEL_WIDTH)
            return f"Seat {item.seat} {label}"
        case ItemKind.METER:
            return "Contributions that go back off the meter"


def result_lines(graded: GradedExercise, seconds: int) -> list[Text]:
    """What was wrong, with the right answer, its reason and its clause; then the score."""
    exercise, lines = graded.exercise, []
    for each in graded.items:
        if each.mark is Mark.RIGHT:
            continue
        item = each.item
        right = hand_name(item.strength) if item.kind is ItemKind.HAND else item.right
        line = Text(f"  {ask_text(exercise, item)}: ").append(right, style="bold")
        line.append(f", not {each.answer or 'nothing'}", style="red")
        if each.mark is Mark.FOLLOWS:
            line.append(" (follows from the hand, counted once)", style="yellow")
        lines.append(line)
        lines.append(Text(f"    {item.why} ({item.clause})", style="dim"))
    target = exercise.target_seconds
    pace = f"{show_count(seconds, 'second')}, the target is {target}"
    verdict = Text("  All right. " if not lines else f"  {score_text(graded.score)}. ")
    verdict.stylize("green" if not lines else "red")
    return [*lines, verdict.append(f"{exercise.kind.words.capitalize()}; {pace}.", style="dim")]


def score_text(score: Score) -> str:
    share = 100 * score.right / score.counted if score.counted else 0
    return f"{score.right} of {score.counted} right, {share:.1f} %"


def print_exam(
    screen: Console,
    graded: Sequence[GradedExercise],
    seconds: Sequence[int],
    facts: Sequence[tuple[str, str]],
) -> None:
    """The result of an exam on one page, to print and sign."""
    screen.print(Text("headsup school: exam", style="bold"))
    for name, value in facts:
        screen.print(Text(f"  {name:<18}{value}"), soft_wrap=True)
    screen.print()
    for number, (each, time) in enumerate(zip(graded, seconds, strict=True), 1):
        score = each.score
        row = f"  {number:>2}  {score.right:>3} of {score.counted:<3} {time:>4} s  "
        screen.print(Text(row + each.exercise.kind.words), soft_wrap=True)
    wrong = [each for each in graded if each.score.right < each.score.counted]
    if wrong:
        screen.print(Text("\nMistakes"))
    for each in wrong:
        screen.print(Text(f"  Exercise {graded.index(each) + 1}", style="bold"))
        for line in result_lines(each, 0)[:-1]:
            screen.print(line)
