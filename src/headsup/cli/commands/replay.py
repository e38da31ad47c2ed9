"""`headsup replay`: a round or a log once more, as any viewer saw it."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.options.rules_option import JsonOption
from headsup.game.refusal import Code, Refused
from headsup.game.values.counts import show_count

if TYPE_CHECKING:
    from headsup.game.record.replay import AppliedEvent, ViewerStep
    from headsup.game.views.viewers import Viewer


def replay(
    words: Annotated[
        list[str], typer.Argument(metavar="FILE", help="A round (TOML, JSON) or a log (.jsonl).")
    ],
    viewer: Annotated[
        str, typer.Option("--as", metavar="VIEWER", help="seat N, dealer, rail or tablevision.")
    ] = "rail",
    table: Annotated[
        str, typer.Option("--table", metavar="NAME", help="Only this table of a log.")
    ] = "",
    round: Annotated[
        int, typer.Option("--round", metavar="NUMBER", help="Only this round of a log.")
    ] = 0,
    step: Annotated[bool, typer.Option("--step", help="Wait for enter after each event.")] = False,
    as_toml: Annotated[
        bool, typer.Option("--toml", help="Write one settled round as TOML, all its cards named.")
    ] = False,
    fair: Annotated[
        bool, typer.Option("--fair", help="Write what shows each shuffle fair, for verify.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Step through a round or a log, event by event, as a viewer sees it.

    Shown is what that viewer may know at each moment. A log that does not hold is shown as far
    as it does, and the exit status is 1.
    """
    from headsup.game.record.replay import replay_steps, write_step
    from headsup.game.views.viewers import parse_viewer

    file, as_whom = _arguments(words, viewer)
    who = parse_viewer(as_whom)
    moments = _check_seat_taken(read_moments(file), file, who, table)
    if as_toml:
        typer.echo(_one_round(file, moments, table, round), nl=False)
        return
    counted: dict[str, int] = {}
    moments = _count_rounds(moments, counted)
    if fair:
        if not _print_published(moments, table, round):
            raise _refusal_for_nothing(file, table, round, counted)
        return
    shown = 0
    for item in replay_steps(moments, who, table, round):
        shown += 1
        if as_json:
            typer.echo(json.dumps(write_step(item)))
        else:
            _print(item, who, first=shown == 1)
            if step and not _wait():
                return
    if not shown:
        raise _refusal_for_nothing(file, table, round, counted)


def _count_rounds(
    moments: "Iterator[AppliedEvent]", counted: dict[str, int]
) -> "Iterator[AppliedEvent]":
    """The same moments; how many rounds each table has seen stands in `counted`."""
    for moment in moments:
        counted[moment.table] = moment.floor.tables[moment.table].rounds
        yield moment


def _refusal_for_nothing(file: str, table: str, round: int, counted: dict[str, int]) -> Refused:
    """What was asked for is not there; of a round it is said how many there are."""
    there = {name: rounds for name, rounds in counted.items() if table in ("", name)}
    if not round or not there:
        return Refused(Code.NOTHING_TO_REPLAY, where=file)
    rounds = [f"{show_count(count, 'round')} at {name}" for name, count in there.items()]
    at = f" at {table}" if table else ""
    return Refused(Code.NOTHING_TO_REPLAY, "round", where=file, round=round, at=at, rounds=rounds)


def _arguments(words: list[str], viewer: str) -> tuple[str, str]:
    """`--as seat 2` leaves the number among the arguments."""
    if viewer == "seat":
        for word in words:
            if word.isascii() and word.isdigit() and len(words) == 2:
                return words[1 - words.index(word)], f"seat {word}"
    if len(words) != 1:
        raise Refused(Code.BAD_ARGUMENTS, "one_file")
    return words[0], viewer


# What happened.


def read_moments(file: str) -> "Iterator[AppliedEvent]":
    """Events from a written round or from a log, told apart by what the file holds."""
    from headsup.cli.commands.settle import read_input
    from headsup.game.values.safe_parse import parse_json, parse_toml

    if file.endswith(".toml"):
        return _read_round_file(file, read_input(file), parse_toml)
    if file.endswith(".jsonl") or file == "-" or _is_log(file):
        return _read_log_file(file)
    return _read_round_file(file, read_input(file), parse_json)


def _is_log(file: str) -> bool:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read(10) == '{"index":0'
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=file, reason=reason) from None


def _read_round_file(
    file: str, text: str, parse: Callable[[str], object]
) -> "Iterator[AppliedEvent]":
    from headsup.game.notation.reader import read_written_round
    from headsup.game.notation.transcript import play_at_table
    from headsup.game.record.replay import AppliedEvent

    try:
        written = read_written_round(parse(text))
        table = written.table or "table"
        for moment in play_at_table(written):
            yield AppliedEvent(table, moment.event, moment.floor)
    except Refused as refused:
        raise Refused.of(refused.refusal.within(file)) from None


def _read_log_file(file: str) -> "Iterator[AppliedEvent]":
    from headsup.cli.options.logs import log_lines
    from headsup.game.record.audit.auditor import Auditor
    from headsup.game.record.replay import AppliedEvent

    auditor = Auditor()
    for decision in auditor.accepted(log_lines(file)):
        for event, floor in decision.moments:
            yield AppliedEvent(decision.table, event, floor, decision.at)
    if bad := auditor.report.finding:
        from headsup.cli.screens.style import printable

        sentence = printable(f"{file}: the log does not hold from here on: {bad}")
        print(f"headsup: {sentence}", file=sys.stderr)
        raise typer.Exit(1)


def _check_seat_taken(
    moments: "Iterator[AppliedEvent]", file: str, viewer: "Viewer", table: str
) -> "Iterator[AppliedEvent]":
    """The moments; a viewer from a seat that nobody ever takes is refused before the first."""
    from headsup.game.views.viewers import SeatViewer

    if not isinstance(viewer, SeatViewer):
        yield from moments
        return
    nobody = Refused(Code.NO_SUCH_VIEWER, where=file, seat=viewer.seat)
    waiting: list[AppliedEvent] = []
    taken = flowing = False
    try:
        for moment in moments:
            if table in ("", moment.table):
                at = moment.floor.tables[moment.table]
                if viewer.seat > at.rules.book.seats:
                    raise nobody
                taken = taken or viewer.seat in at.players
            waiting.append(moment)
            flowing = flowing or taken or len(waiting) >= _MAX_HELD_MOMENTS
            if flowing:
                yield from waiting
                waiting.clear()
    except typer.Exit:  # a log that does not hold is shown as far as it does
        yield from waiting
        raise
    if not taken and (waiting or flowing):
        raise nobody


# So many events are looked at for a seat to be taken before they are shown.
_MAX_HELD_MOMENTS = 10_000


def _one_round(file: str, moments: "Iterator[AppliedEvent]", table: str, number: int) -> str:
    """The text of the one settled round there is."""
    from headsup.game.record.replay import settled_round_texts

    texts = [
        found.text
        for found in settled_round_texts(moments)
        if table in ("", found.table) and number in (0, found.number)
    ]
    if len(texts) != 1:
        case = "several" if texts else "none"
        raise Refused(Code.NOT_ONE_ROUND, case, where=file, rounds=len(texts))
    return texts[0]


def _print_published(moments: "Iterator[AppliedEvent]", table: str, number: int) -> bool:
    """Each round that was sealed and opened, a line of JSON as it is published; whether any was."""
    from headsup.game.record.replay import is_selected
    from headsup.game.table.events import ShuffleOpened
    from headsup.game.table.sealing import write_published

    found = False
    for moment in moments:
        if isinstance(moment.event, ShuffleOpened) and is_selected(moment, table, number):
            opened = moment.floor.tables[moment.table].opened
            if opened is not None:
                found = True
                typer.echo(json.dumps(write_published(opened)))
    return found


# The screen.


def _print(step: "ViewerStep", viewer: "Viewer", first: bool) -> None:
    from rich.text import Text

    from headsup.cli.screens.commentary import sentence_for, small_felt
    from headsup.cli.screens.style import console, printable
    from headsup.cli.screens.tablevision import draw_tablevision
    from headsup.game.views.announcements import announced_event_name
    from headsup.game.views.model import TableVisionView
    from headsup.game.views.viewers import SeatViewer

    screen = console()
    book = step.floor.tables[step.table].rules.book
    if first:
        who = viewer if str(viewer).startswith("seat") else f"the {viewer}"
        screen.print(Text(f" REPLAY · {printable(book.id)} · as {who} sees it ", style="reverse"))
    line = Text(f"{step.number:>4}  {step.at[11:19]:<{8 if step.at else 0}}", style="dim")
    own = viewer.seat if isinstance(viewer, SeatViewer) else None
    line.append_text(Text("  " if step.at else "").append_text(sentence_for(step.news, book, own)))
    line.stylize("default", 16 if step.at else 6)
    screen.print(line)
    name = announced_event_name(step.news)
    if isinstance(step.view, TableVisionView):
        screen.print(
            draw_tablevision(step.view, whole=first or name in ("TableOpened", "RoundOpened"))
        )
    elif name in _FELT_EVENTS:
        screen.print(small_felt(step.view, book))


# After the others the felt looks as before.
_FELT_EVENTS = frozenset(
    {
        *("CardsDealt", "Checked", "Raised", "Folded", "FlopRevealed", "TurnAndRiverRevealed"),
        *("DealerRevealed", "HandVoided", "RoundVoided", "BoardCompleted", "RoundSettled"),
        *("HandResolved", "RoundOpened"),
    }
)


def _wait() -> bool:
    """Wait for enter where there is someone to press it; False when they have had enough."""
    if not sys.stdin.isatty():
        return True
    try:
        return input("      enter for more, q to stop › ").strip().lower() != "q"
    except (EOFError, KeyboardInterrupt):
        print()
        return False
