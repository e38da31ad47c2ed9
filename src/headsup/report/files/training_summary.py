"""Summarises a training session on one page: as an SVG picture to share, or as HTML.

The page contains the picture, and below it every mistake with exact values. Neither has links or
scripts, and neither loads anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from headsup.analysis.advice.coach import Score
from headsup.analysis.training.note import Note
from headsup.analysis.training.tally import Tally, accuracy
from headsup.game.values.cards import RANKS
from headsup.report.advice import action_name, antes_text, money_text, raise_label

WIDTH, MARGIN = 800, 48
MISTAKES_SHOWN = 5
_MAX_WORD_CHARACTERS = 14  # of a book's own word for a Raise; the cost needs the rest of the line
_PIPS = "♣♦♥♠"
_SUIT_FILLS = ("#1d7a3c", "#1d5fae", "#b3121d", "#14110b")  # a four-colour deck
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class Summary:
    """The player's decisions, with a title and a date."""

    title: str
    when: str  # the date
    tally: Tally


def draw_summary(summary: Summary) -> str:
    """The picture as SVG; its height depends on the number of mistakes."""
    drawing = _Drawing()
    drawing.text(MARGIN, 74, summary.title, 30, weight=700)
    drawing.text(MARGIN, 104, f"Heads Up Hold’em · {summary.when}", 17, fill="#cfe0d6")
    _headline(drawing, summary.tally)
    y = _streets(drawing, summary.tally, 300)
    y = _mistakes(drawing, summary.tally, y + 28)
    drawing.text(
        MARGIN, y + 20, "Exact values by headsup; costs against the best play.", 14, "#cfe0d6"
    )
    return drawing.svg(y + 52, _alt_text(summary))


def summary_page(summary: Summary) -> str:
    """The page: the picture, and a table of all mistakes."""
    rows = "".join(_row(note) for note in summary.tally.worst(100))
    table = (
        "<h2>Every mistake, costliest first</h2><table><thead><tr><th>Cards<th>You chose<th>Best"
        "<th>Values in Antes<th>Cost</thead><tbody>" + rows + "</tbody></table>"
        if rows
        else "<p>No mistakes at the table.</p>"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(summary.title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(summary.title)}</h1>{draw_summary(summary)}{table}</body></html>\n"
    )


_STYLE = (
    "body{margin:0 auto;max-width:56rem;padding:1rem;background:#082a1e;color:#f6f3e8;"
    f"font:1rem/1.5 {_FONT};font-variant-numeric:tabular-nums}}"
    "h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    "svg{width:100%;height:auto}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;padding:.35rem .6rem .35rem 0;border-top:1px solid #3f7a62;"
    "vertical-align:top;overflow-wrap:anywhere}thead th{color:#cfe0d6}"
    "@media(max-width:40rem){body{padding:.5rem}th,td{font-size:.85rem}}"
)


def _alt_text(summary: Summary) -> str:
    total = summary.tally.total
    return (
        f"{summary.title}: {total.correct} of {total.decisions} decisions were the best; "
        f"mistakes cost {antes_text(total.cost)}, {money_text(total.cents)}."
    )


def _headline(drawing: "_Drawing", tally: Tally) -> None:
    total, drilled = tally.total, tally.drilled
    figures = [(_percent(total), f"best of {total.decisions} decisions")]
    figures.append((money_text(total.cents), f"given away, {antes_text(total.cost)}"))
    if drilled.decisions:
        figures.append((_percent(drilled), f"of {drilled.decisions} drill questions"))
    for column, (figure, words) in enumerate(figures):
        x = MARGIN + column * 240
        drawing.text(x, 190, figure, 46 if len(figure) < 9 else 30, "#f2c960", 700)
        drawing.text(x, 218, words, 15, "#cfe0d6")


def _streets(drawing: "_Drawing", tally: Tally, y: float) -> float:
    drawing.text(MARGIN, y - 30, "By street", 20, weight=700)
    for street, score in tally.by_street.items():
        share = accuracy(score)
        drawing.text(MARGIN, y + 16, street.value.capitalize(), 17)
        drawing.box(MARGIN + 110, y, 360, 20, "#0c3d2b")
        if share is not None:
            drawing.box(MARGIN + 110, y, 360 * float(share), 20, "#5fbf8f")
        words = f"{_percent(score)} of {score.decisions}" if share is not None else "none yet"
        drawing.text(MARGIN + 486, y + 16, words, 16)
        if share is not None:
            drawing.text(
                WIDTH - MARGIN, y + 16, antes_text(score.cost), 16, "#cfe0d6", anchor="end"
            )
        y += 34
    return y


def _mistakes(drawing: "_Drawing", tally: Tally, y: float) -> float:
    worst = tally.worst(MISTAKES_SHOWN)
    title = "Costliest mistakes" if worst else "No mistakes at the table."
    drawing.text(MARGIN, y + 10, title, 20, weight=700)
    y += 30
    for note in worst:
        x = _cards(drawing, note.hole, MARGIN, y)
        if note.board:
            _cards(drawing, note.board, x + 18, y)
        judgement, word = note.judgement, _raise_word(note)
        words = f"{action_name(judgement.chosen, word)}, not {action_name(judgement.best, word)}"
        drawing.text(MARGIN + 352, y + 30, words, 17)
        cost = f"−{money_text(judgement.cents)}"
        drawing.text(WIDTH - MARGIN, y + 30, cost, 17, "#f2c960", 700, "end")
        y += 62
    return y


def _cards(drawing: "_Drawing", cards: Sequence[int], x: float, y: float) -> float:
    for card in cards:
        rank = RANKS[card >> 2].replace("T", "10")
        drawing.box(x, y, 36, 48, "#fffdf6")
        fill = _SUIT_FILLS[card & 3]
        drawing.text(x + 18, y + 23, rank, 20, fill, 700, "middle")
        drawing.text(x + 18, y + 42, _PIPS[card & 3], 18, fill, 400, "middle")
        x += 42
    return x


def _row(note: Note) -> str:
    judgement, word = note.judgement, _raise_word(note)
    values = "<br>".join(
        f"{escape(action_name(value, word))} {float(value.ev):+.6f} ({value.ev})"
        for value in note.values
    )
    cells = (
        _cards_text(note),
        escape(action_name(judgement.chosen, word)),
        escape(action_name(judgement.best, word)),
        values,
        f"{antes_text(judgement.cost)}<br>{money_text(judgement.cents)}",
    )
    return f"<tr>{''.join(f'<td>{cell}' for cell in cells)}"


def _raise_word(note: Note) -> str:
    """What the decision's rule book calls a Raise, shortened if necessary."""
    word = raise_label(note.rules).lower()
    return word if len(word) <= _MAX_WORD_CHARACTERS else word[: _MAX_WORD_CHARACTERS - 1] + "…"


def _cards_text(note: Note) -> str:
    def names(cards: Sequence[int]) -> str:
        return " ".join(RANKS[card >> 2].replace("T", "10") + _PIPS[card & 3] for card in cards)

    return names(note.hole) + (f" on {names(note.board)}" if note.board else "")


def _percent(score: Score) -> str:
    share = accuracy(score)
    return "–" if share is None else f"{float(share * Fraction(100)):.1f} %"


class _Drawing:
    """An SVG picture, built element by element."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: int,
        fill: str = "#f6f3e8",
        weight: int = 400,
        anchor: str = "start",
    ) -> None:
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" font-weight="{weight}" '
            f'text-anchor="{anchor}">{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" '
            f'fill="{fill}"/>'
        )

    def svg(self, height: float, label: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
            f'width="{WIDTH}" height="{height:g}" role="img" aria-label="{escape(label)}" '
            f'font-family="{_FONT}"><rect width="{WIDTH}" height="{height:g}" rx="18" '
            f'fill="#082a1e"/><rect width="{WIDTH}" height="8" fill="#f2c960"/>'
            f"{''.join(self._parts)}</svg>"
        )
