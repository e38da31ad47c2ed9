"""`headsup replay`: shows a round or a log again, as any viewer saw it."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from headsup.cli.options.common import json_option
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.game.refusal import Code, Refused
from headsup.game.values.amounts import show_count

if TYPE_CHECKING:
    from headsup.game.record.replay import AppliedEvent, ViewerStep
    from headsup.game.views.viewers import Viewer
    from headsup.game.words.catalogue import Catalogue


MAX_ROUND = 10**12


@click.command(cls=Command)
@click.argument(
    "words", metavar="FILE", nargs=-1, required=True, help="A round (TOML, JSON) or a log (.jsonl)."
)
@option(
    "--as", "viewer", metavar="VIEWER", default="rail", help="seat N, dealer, rail or tablevision."
)
@option("--table", metavar="NAME", default="", help="Only this table of a log.")
@option(
    "--round",
    metavar="NUMBER",
    type=WholeNumber(MAX_ROUND, minimum=0),
    default=0,
    help="Only this round of a log.",
)
@option("--step", is_flag=True, help="Wait for Enter after each event.")
@option(
    "--toml", "as_toml", is_flag=True, help="Write one settled round as TOML, with all its cards."
)
@option("--fair", is_flag=True, help="Write the proof of each shuffle, for headsup verify.")
@option(
    "--lang",
    metavar="LANGUAGE",
    default="en",
    help="The language of what happened: en or de.",
    show_default=True,
)
@json_option
def replay(
    words: tuple[str, ...],
    viewer: str,
    table: str,
    round: int,
    step: bool,
    as_toml: bool,
    fair: bool,
    lang: str,
    as_json: bool,
) -> None:
    """Step through a round or a log, event by event, as a viewer sees it.

    Only what that viewer may know at each moment is shown. A broken log is shown up to the first
    bad entry, and the exit status is 1.
    """
    from headsup.game.record.replay import replay_steps, write_step
    from headsup.game.views.viewers import parse_viewer
    from headsup.game.words.languages import require_catalogue

    catalogue = require_catalogue(lang)
    file, viewer_name = _arguments(words, viewer)
    viewed_by = parse_viewer(viewer_name)
    moments = _check_seat_taken(read_moments(file), file, viewed_by, table)
    if as_toml:
        print(_one_round(file, moments, table, round), end="")
        return
    round_counts: dict[str, int] = {}
    moments = _count_rounds(moments, round_counts)
    if fair:
        if not _print_published(moments, table, round):
            raise _refusal_for_nothing(file, table, round, round_counts)
        return
    shown = 0
    for item in replay_steps(moments, viewed_by, table, round):
        shown += 1
        if as_json:
            print(json.dumps(write_step(item, catalogue)))
        else:
            _print(item, catalogue, first=shown == 1)
            if step and not _wait():
                return
    if not shown:
        raise _refusal_for_nothing(file, table, round, round_counts)


def _count_rounds(
    moments: "Iterator[AppliedEvent]", round_counts: dict[str, int]
) -> "Iterator[AppliedEvent]":
    """Pass the moments on, and note the number of rounds at each table in `round_counts`."""
    for moment in moments:
        round_counts[moment.table] = moment.floor.tables[moment.table].rounds
        yield moment


def _refusal_for_nothing(
    file: str, table: str, round: int, round_counts: dict[str, int]
) -> Refused:
    """The refusal for an empty selection; for a missing round it says how many there are."""
    selected = {name: rounds for name, rounds in round_counts.items() if table in ("", name)}
    if not round or not selected:
        return Refused(Code.NOTHING_TO_REPLAY, where=file)
    rounds = [f"{show_count(count, 'round')} at {name}" for name, count in selected.items()]
    at = f" at {table}" if table else ""
    return Refused(Code.NOTHING_TO_REPLAY, "round", where=file, round=round, at=at, rounds=rounds)


def _arguments(words: tuple[str, ...], viewer: str) -> tuple[str, str]:
    """The file and the viewer. The number of `--as seat 2` ends up among the arguments."""
    if viewer == "seat":
        for word in words:
            if word.isascii() and word.isdigit() and len(words) == 2:
                return words[1 - words.index(word)], f"seat {word}"
    if len(words) != 1:
        raise Refused(Code.BAD_ARGUMENTS, "one_file")
    return words[0], viewer


# Reading.


def read_moments(file: str) -> "Iterator[AppliedEvent]":
    """The events of a round in notation or of a log, whichever the file contains."""
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
    for entry in auditor.verify_entries(log_lines(file)):
        for event, floor in entry.steps:
            yield AppliedEvent(entry.table, event, floor, entry.time)
    if finding := auditor.report.finding:
        from headsup.cli.screens.style import printable

        sentence = printable(f"{file}: the log is broken from here on: {finding}")
        print(f"headsup: {sentence}", file=sys.stderr)
        raise SystemExit(1)


def _check_seat_taken(
    moments: "Iterator[AppliedEvent]", file: str, viewer: "Viewer", table: str
) -> "Iterator[AppliedEvent]":
    """Pass the moments on, but refuse a seat that nobody takes before showing any."""
    from headsup.game.views.viewers import SeatViewer

    if not isinstance(viewer, SeatViewer):
        yield from moments
        return
    refusal = Refused(Code.NO_SUCH_VIEWER, where=file, seat=viewer.seat)
    waiting: list[AppliedEvent] = []
    taken = flowing = False
    try:
        for moment in moments:
            if table in ("", moment.table):
                state = moment.floor.tables[moment.table]
                if viewer.seat > state.rules.book.seats:
                    raise refusal
                taken = taken or viewer.seat in state.players
            waiting.append(moment)
            flowing = flowing or taken or len(waiting) >= _MAX_HELD_MOMENTS
            if flowing:
                yield from waiting
                waiting.clear()
    except SystemExit:  # a broken log is shown up to the first bad entry
        yield from waiting
        raise
    if not taken and (waiting or flowing):
        raise refusal


# How many events are held back to see whether the seat is taken.
_MAX_HELD_MOMENTS = 10_000


def _one_round(file: str, moments: "Iterator[AppliedEvent]", table: str, number: int) -> str:
    """The only settled round of the selection, as TOML."""
    from headsup.game.record.replay import settled_round_texts

    texts = [
        settled.text
        for settled in settled_round_texts(moments)
        if table in ("", settled.table) and number in (0, settled.number)
    ]
    if len(texts) != 1:
        case = "several" if texts else "none"
        raise Refused(Code.NOT_ONE_ROUND, case, where=file, rounds=len(texts))
    return texts[0]


def _print_published(moments: "Iterator[AppliedEvent]", table: str, number: int) -> bool:
    """Print each opened seal as a line of JSON. Returns whether there were any."""
    from headsup.game.record.replay import is_selected
    from headsup.game.table.sealed_shuffles import ShuffleOpened
    from headsup.game.table.sealing import write_published

    printed_any = False
    for moment in moments:
        if isinstance(moment.event, ShuffleOpened) and is_selected(moment, table, number):
            opened = moment.floor.tables[moment.table].opened
            if opened is not None:
                printed_any = True
                print(json.dumps(write_published(opened)))
    return printed_any


# Printing.


def _print(step: "ViewerStep", catalogue: "Catalogue", first: bool) -> None:
    from rich.text import Text

    from headsup.cli.screens.replay import draw_tablevision, small_felt, step_sentence
    from headsup.cli.screens.style import console, printable
    from headsup.game.views.announcements import announced_event_name
    from headsup.game.views.model import TableVisionView

    screen, viewer = console(), step.viewer
    book = step.floor.tables[step.table].rules.book
    if first:
        name = viewer if str(viewer).startswith("seat") else f"the {viewer}"
        screen.print(Text(f" REPLAY · {printable(book.id)} · as {name} sees it ", style="reverse"))
    line = Text(f"{step.number:>4}  {step.time[11:19]:<{8 if step.time else 0}}", style="dim")
    line.append_text(Text("  " if step.time else "").append_text(step_sentence(step, catalogue)))
    line.stylize("default", 16 if step.time else 6)
    screen.print(line)
    event = announced_event_name(step.announcement)
    if isinstance(step.view, TableVisionView):
        screen.print(
            draw_tablevision(step.view, full=first or event in ("TableOpened", "RoundOpened"))
        )
    elif event in _FELT_EVENTS:
        screen.print(small_felt(step.view, book))


# The events that change the felt.
_FELT_EVENTS = frozenset(
    {
        *("CardsDealt", "Checked", "Raised", "Folded", "FlopRevealed", "TurnAndRiverRevealed"),
        *("DealerRevealed", "HandVoided", "RoundVoided", "BoardCompleted", "RoundSettled"),
        *("HandResolved", "RoundOpened", "CardsLaid", "CardsTurned", "HandSettled"),
    }
)


def _wait() -> bool:
    """At a terminal, wait for Enter. Returns False if the user wants to stop."""
    if not sys.stdin.isatty():
        return True
    try:
        return input("      Enter for more, q to stop › ").strip().lower() != "q"
    except (EOFError, KeyboardInterrupt):
        print()
        return False
