"""`headsup review`: the decisions that are remembered, or those of a log; and the drill."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headsup.cli.options.rules_option import JsonOption, RulesOption, SetOption, read_rules
from headsup.cli.shell.option_values import refusal_for_choice
from headsup.game.refusal import Code, Refused
from headsup.game.rulebook.wagers import Street

if TYPE_CHECKING:
    from headsup.analysis.advice.coach import Score
    from headsup.analysis.training.kinds import Kind
    from headsup.analysis.training.note import Note
    from headsup.analysis.training.tally import Tally

WORST_SHOWN = 10
WIDE_COLUMNS = 56  # columns that everything fits in


def review(
    log: Annotated[
        str,
        typer.Argument(metavar="[LOG]", help="A log: judge its decisions instead."),
    ] = "",
    seat: Annotated[
        int, typer.Option("--seat", metavar="NUMBER", help="Only this seat of a log.", min=0)
    ] = 0,
    street: Annotated[
        str, typer.Option("--street", metavar="STREET", help="Only pocket, flop or river.")
    ] = "",
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="Only one kind of hand, such as pair.")
    ] = "",
    drill: Annotated[
        bool, typer.Option("--drill", help="Ask your mistakes again, then new close decisions.")
    ] = False,
    rules: RulesOption = "galaxy",
    sets: SetOption = [],  # noqa: B006 (Typer copies it)
    html: Annotated[
        str, typer.Option("--html", metavar="FILE", help="Write a summary as one page.")
    ] = "",
    picture: Annotated[
        str, typer.Option("--picture", metavar="FILE", help="Write a summary as one SVG picture.")
    ] = "",
    forget: Annotated[bool, typer.Option("--forget", help="Forget everything remembered.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Review your decisions: accuracy by street and kind of hand, and the dearest mistakes.

    What you decide with the coach is remembered, in the terminal and in the browser alike.
    """
    chosen = _read_filters(street, kind)
    if forget:
        _forget(log)
        return
    if drill:
        from headsup.cli.play.drill import Drill
        from headsup.house.solo.notebook import NotebookFile

        if log or as_json:
            raise Refused(Code.BAD_ARGUMENTS, "drill")
        Drill(read_rules(rules, sets), *chosen, _load_notes(), NotebookFile()).run()
        return
    notes = list(_judge_log(log, seat) if log else _load_notes())
    notes = [note for note in notes if _is_selected(note, *chosen)]
    from headsup.analysis.training.tally import Tally

    tally = Tally.of(notes)
    _write(notes, html, picture)
    if as_json:
        typer.echo(json.dumps(_json(tally)))
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


def _forget(log: str) -> None:
    from headsup.house.solo.notebook import NotebookFile

    if log:
        raise Refused(Code.BAD_ARGUMENTS, "forget")
    notebook = NotebookFile()
    try:
        notebook.forget("")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=str(notebook.path), reason=reason) from None
    typer.echo("Nothing is remembered any more.")


# Where the decisions come from.


def _load_notes() -> "list[Note]":
    from headsup.analysis.training.note import read_notes
    from headsup.house.solo.notebook import NotebookFile

    notebook = NotebookFile()
    try:
        return read_notes(notebook.lines(""))
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=str(notebook.path), reason=reason) from None


def _judge_log(file: str, seat: int) -> "Iterator[Note]":
    """Every decision of a log that a player made, judged."""
    from headsup.analysis.training.judging import value_decision
    from headsup.analysis.training.note import NoteSource
    from headsup.analysis.training.valuer import Valuer
    from headsup.cli.commands.replay import read_moments
    from headsup.cli.options.solutions import get_strategy, warn_first_run
    from headsup.house.solo.seat_decision import decision_from_event

    valuer = Valuer(get_strategy)
    for moment in read_moments(file):
        made = decision_from_event(moment.floor, moment.table, moment.event)
        if made is None or seat not in (0, made.hand.seat):
            continue
        warn_first_run()
        hand = made.hand
        asked = (hand.rules, hand.hole, hand.board, hand.seen, hand.riding, hand.options)
        place = f"{hand.table}, round {hand.round}, seat {hand.seat}"
        at = moment.at or "1970-01-01T00:00:00Z"  # a round written by hand has no clock
        yield value_decision(valuer, *asked).note(made.chosen, at, NoteSource.LOG, hand.ante, place)


# Written, for programs and on the screen.


def _write(notes: "list[Note]", html: str, picture: str) -> None:
    from headsup.analysis.training import summary
    from headsup.analysis.training.tally import Tally, last_evening

    evening = last_evening(notes)
    when = evening[-1].at[:10] if evening else "nothing yet"
    told = summary.Summary("Heads up: an evening’s decisions", when, Tally.of(evening))
    for file, drawn in ((html, summary.summary_page), (picture, summary.draw_summary)):
        if file:
            _save(file, drawn(told))


def _save(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or str(error)
        raise Refused(Code.UNWRITABLE_FILE, where=file, reason=reason) from None


def _json(tally: "Tally") -> dict[str, Any]:
    from headsup.analysis.training.report import tally_json

    return tally_json(tally, WORST_SHOWN)


def _print(tally: "Tally", log: str) -> None:
    from rich.text import Text

    from headsup.analysis.training.wording import raise_label
    from headsup.cli.play.coach import mistake_line
    from headsup.cli.screens.style import RAISE_WIDTH, console, shorten

    screen = console()
    if not tally.notes and not tally.drills:
        screen.print(
            "No decision of yours is in this log."
            if log
            else "Nothing is remembered yet: headsup play --coach, or k while you play."
        )
        return
    for row in _lines(tally, screen.width):
        screen.print(Text(row))
    worst = tally.worst(WORST_SHOWN)
    if worst:
        screen.print(Text("\nThe dearest mistakes"))
    for note in worst:
        line = mistake_line(note.judgement, shorten(raise_label(note.rules).lower(), RAISE_WIDTH))
        screen.print(line.append(f"  {note.place}", style="dim") if log else line)
    if worst and not log:
        screen.print(Text("\nheadsup review --drill asks them again.", style="dim"))


def _lines(tally: "Tally", width: int) -> "Iterator[str]":
    """Right and wrong by street and by kind of hand; on a narrow screen only the money."""
    from headsup.cli.screens.style import shorten

    wide = width >= WIDE_COLUMNS
    columns = (9, 8, 9, 11) if wide else (9, 11)
    room = min(width - sum(columns), 30)

    def line(name: str, cells: list[str]) -> str:
        row = "".join(cell.rjust(size) for cell, size in zip(cells, columns, strict=True))
        return shorten(name, room, pad=True) + row

    yield line("", ["best of", "", "Antes", "cost"] if wide else ["best of", "cost"])
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
