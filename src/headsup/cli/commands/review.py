"""`headsup review`: judges your saved decisions or those of a log, and starts the drill."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headsup.analysis.limits import MAX_SEATS
from headsup.cli.options.common import json_option, read_rules, rules_option, sets_option
from headsup.cli.shell.command import Command, WholeNumber, option
from headsup.cli.shell.usage import refusal_for_choice
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Street

if TYPE_CHECKING:
    from headsup.analysis.advice.coach import Score
    from headsup.analysis.training.kinds import Kind
    from headsup.analysis.training.note import Note
    from headsup.analysis.training.tally import Tally

WORST_SHOWN = 10
WIDE_COLUMNS = 56  # columns needed to show everything


@click.command(cls=Command)
@click.argument("log", metavar="[LOG]", default="", help="Judge the decisions of this log instead.")
@option(
    "--seat",
    metavar="NUMBER",
    type=WholeNumber(MAX_SEATS, minimum=0),
    default=0,
    help="Only this seat of a log.",
)
@option("--street", metavar="STREET", default="", help="Only pocket, flop or river.")
@option("--kind", metavar="KIND", default="", help="Only one kind of hand, such as pair.")
@option("--drill", is_flag=True, help="Practise your mistakes, then new close decisions.")
@rules_option
@sets_option
@option("--html", metavar="FILE", default="", help="Write a summary as one page.")
@option("--picture", metavar="FILE", default="", help="Write a summary as one SVG picture.")
@option("--forget", is_flag=True, help="Delete your saved decisions.")
@json_option
def review(
    log: str,
    seat: int,
    street: str,
    kind: str,
    drill: bool,
    rules: str,
    sets: tuple[str, ...],
    html: str,
    picture: str,
    forget: bool,
    as_json: bool,
) -> None:
    """Review your decisions: accuracy by street and kind of hand, and the most expensive mistakes.

    Decisions you make with the coach on are saved, in the terminal and in the browser.
    """
    filters = _read_filters(street, kind)
    if forget:
        narrowed = log or seat or street or kind or sets or rules != "galaxy"
        if narrowed or drill or html or picture or as_json:
            raise Refused(Code.BAD_ARGUMENTS, "forget")
        _forget()
        return
    if seat and not log:
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where="--seat", other="a log")
    if drill:
        from headsup.cli.play.drill import Drill
        from headsup.house.training.notebook import NotebookFile

        if log or html or picture or as_json:
            raise Refused(Code.BAD_ARGUMENTS, "drill")
        Drill(read_rules(rules, sets), *filters, _load_notes(), NotebookFile()).run()
        return
    notes = list(_judge_log(log, seat) if log else _load_notes())
    notes = [note for note in notes if _is_selected(note, *filters)]
    from headsup.analysis.training.tally import Tally

    tally = Tally.of(notes)
    _write(notes, html, picture)
    if as_json:
        print(json.dumps(_json(tally)))
    else:
        _print(tally, log)


def _read_filters(street: str, kind: str) -> "tuple[Street | None, Kind | None]":
    from headsup.analysis.training.kinds import Kind

    if street and street not in tuple(Street):
        raise refusal_for_choice("--street", street, (*Street,))
    if kind and kind not in tuple(Kind):
        raise refusal_for_choice("--kind", kind, (*Kind,))
    return Street(street) if street else None, Kind(kind) if kind else None


def _is_selected(note: "Note", street: Street | None, kind: "Kind | None") -> bool:
    return street in (None, note.street) and kind in (None, note.kind)


def _forget() -> None:
    from headsup.house.training.notebook import NotebookFile

    notebook = NotebookFile()
    try:
        notebook.forget("")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=str(notebook.path), reason=reason) from None
    print("Your saved decisions are deleted.")


# Sources.


def _load_notes() -> "list[Note]":
    from headsup.analysis.training.note import read_notes
    from headsup.house.training.notebook import NotebookFile

    notebook = NotebookFile()
    try:
        return read_notes(notebook.lines(""))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=str(notebook.path), reason=reason) from None


def _judge_log(file: str, seat: int) -> "Iterator[Note]":
    """The players' decisions in a log, judged."""
    from headsup.analysis.training.note import NoteSource
    from headsup.analysis.training.valuer import Valuer, value_decision
    from headsup.cli.commands.replay import read_moments
    from headsup.cli.options.workbench import open_workbench
    from headsup.house.training.seat_decision import decision_from_event

    valuer = Valuer(open_workbench().strategy)
    for moment in read_moments(file):
        decision = decision_from_event(moment.floor, moment.table, moment.event)
        if decision is None or seat not in (0, decision.hand.seat):
            continue
        hand = decision.hand
        situation = (hand.rules, hand.hole, hand.board, hand.seen, hand.riding, hand.options)
        place = f"{hand.table}, round {hand.round}, seat {hand.seat}"
        time = moment.time or "1970-01-01T00:00:00Z"  # rounds in notation have no times
        value = value_decision(valuer, *situation)
        yield value.note(decision.chosen, time, NoteSource.LOG, hand.ante, place)


# Output.


def _write(notes: "list[Note]", html: str, picture: str) -> None:
    from headsup.analysis.training.tally import Tally, last_evening
    from headsup.report.files import training_summary as summary

    evening = last_evening(notes)
    when = evening[-1].at[:10] if evening else "nothing yet"
    contents = summary.Summary("Heads up: an evening’s decisions", when, Tally.of(evening))
    for file, draw in ((html, summary.summary_page), (picture, summary.draw_summary)):
        if file:
            _save(file, draw(contents))


def _save(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=file, reason=reason) from None


def _json(tally: "Tally") -> dict[str, Any]:
    from headsup.report.advice import tally_json

    return tally_json(tally, WORST_SHOWN)


def _print(tally: "Tally", log: str) -> None:
    from rich.text import Text

    from headsup.cli.play.coach import mistake_line
    from headsup.cli.screens.style import RAISE_WIDTH, console, shorten
    from headsup.report.advice import raise_label

    screen = console()
    if not tally.notes and not tally.drills:
        screen.print(
            "This log has no such decisions."
            if log
            else "No decisions saved yet: use headsup play --coach, or press k while you play."
        )
        return
    for row in _lines(tally, screen.width):
        screen.print(Text(row))
    worst = tally.worst(WORST_SHOWN)
    if worst:
        screen.print(Text("\nMost expensive mistakes"))
    for note in worst:
        line = mistake_line(note.judgement, shorten(raise_label(note.rules).lower(), RAISE_WIDTH))
        screen.print(line.append(f"  {note.place}", style="dim") if log else line)
    if worst and not log:
        screen.print(Text("\nPractise them with headsup review --drill.", style="dim"))


def _lines(tally: "Tally", width: int) -> "Iterator[str]":
    """The scores by street and kind of hand; on a narrow screen, fewer columns."""
    from headsup.cli.screens.style import shorten

    wide = width >= WIDE_COLUMNS
    columns = (9, 8, 9, 11) if wide else (9, 11)
    room = min(width - sum(columns), 30)

    def line(name: str, cells: list[str]) -> str:
        row = "".join(cell.rjust(size) for cell, size in zip(cells, columns, strict=True))
        return shorten(name, room, pad=True) + row

    yield line("", ["correct", "", "Antes", "cost"] if wide else ["correct", "cost"])
    groups = [
        [("all", tally.total)],
        [(f"  {street}", score) for street, score in tally.by_street.items()],
        [(f"  {kind.words}", score) for kind, score in tally.by_kind.items()],
        [("drill", tally.drilled)],
    ]
    for number, group in enumerate(groups):
        rows = [line(name, _cells(score, wide)) for name, score in group if score.decisions]
        if number > 1 and rows:
            yield ""
        yield from rows


def _cells(score: "Score", wide: bool) -> list[str]:
    from headsup.game.values.money import show_dollars

    cost = "<$0.01" if 0 < score.cents < 1 else show_dollars(round(score.cents))
    share = f"{score.correct / score.decisions:.1%}"
    more = [share, f"{float(score.cost):.3f}"] if wide else []
    return [f"{score.correct} / {score.decisions}", *more, cost]
