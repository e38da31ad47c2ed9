"""An evening on one page: a picture to share, and the same as a file that needs nothing else.

The picture is SVG, the page HTML with the picture in it and every mistake with its exact values
under it. Neither has a link, a script or anything to fetch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from headsup.analysis.advice.coach import Score
from headsup.analysis.training.note import Note
from headsup.analysis.training.tally import Tally, accuracy
from headsup.analysis.training.wording import action_name, antes_text, money_text, raise_label
from headsup.game.values.cards import RANKS

WIDTH, MARGIN = 800, 48
MISTAKES_SHOWN = 5
_MAX_WORD_CHARACTERS = 14  # of a book's own word for a Raise: the money stands beside it
_PIPS = "♣♦♥♠"
_SUIT_FILLS = ("#1d7a3c", "#1d5fae", "#b3121d", "#14110b")  # four colours, told apart at a glance
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"


@dataclass(frozen=True, slots=True)
class Summary:
    """What is shown: whose evening, when, and the decisions of it."""

    title: str
    when: str  # a date
    tally: Tally


def draw_summary(summary: Summary) -> str:
    """One SVG; as high as the mistakes need."""
    drawn = _Drawing()
    drawn.text(MARGIN, 74, summary.title, 30, weight=700)
    drawn.text(MARGIN, 104, f"Heads Up Hold’em · {summary.when}", 17, fill="#cfe0d6")
    _headline(drawn, summary.tally)
    y = _streets(drawn, summary.tally, 300)
    y = _mistakes(drawn, summary.tally, y + 28)
    drawn.text(
        MARGIN, y + 20, "Exact values by headsup; costs against the best play.", 14, "#cfe0d6"
    )
    return drawn.svg(y + 52, _alt_text(summary))


def summary_page(summary: Summary) -> str:
    """The picture, and under it every mistake as a table."""
    rows = "".join(_row(note) for note in summary.tally.worst(100))
    table = (
        "<h2>Every mistake, dearest first</h2><table><thead><tr><th>Cards<th>You chose<th>Best"
        "<th>Values in Antes<th>Cost</thead><tbody>" + rows + "</tbody></table>"
        if rows
        else "<p>No mistake at the table.</p>"
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


def _headline(drawn: "_Drawing", tally: Tally) -> None:
    total, drilled = tally.total, tally.drilled
    figures = [(_percent(total), f"best of {total.decisions} decisions")]
    figures.append((money_text(total.cents), f"given away, {antes_text(total.cost)}"))
    if drilled.decisions:
        figures.append((_percent(drilled), f"of {drilled.decisions} drill questions"))
    for place, (figure, words) in enumerate(figures):
        x = MARGIN + place * 240
        drawn.text(x, 190, figure, 46 if len(figure) < 9 else 30, "#f2c960", 700)
        drawn.text(x, 218, words, 15, "#cfe0d6")


def _streets(drawn: "_Drawing", tally: Tally, y: float) -> float:
    drawn.text(MARGIN, y - 30, "By street", 20, weight=700)
    for street, score in tally.by_street.items():
        share = accuracy(score)
        drawn.text(MARGIN, y + 16, street.value.capitalize(), 17)
        drawn.box(MARGIN + 110, y, 360, 20, "#0c3d2b")
        if share is not None:
            drawn.box(MARGIN + 110, y, 360 * float(share), 20, "#5fbf8f")
        words = f"{_percent(score)} of {score.decisions}" if share is not None else "none yet"
        drawn.text(MARGIN + 486, y + 16, words, 16)
        if share is not None:
            drawn.text(WIDTH - MARGIN, y + 16, antes_text(score.cost), 16, "#cfe0d6", anchor="end")
        y += 34
    return y


def _mistakes(drawn: "_Drawing", tally: Tally, y: float) -> float:
    worst = tally.worst(MISTAKES_SHOWN)
    title = "Dearest mistakes" if worst else "Not one mistake at the table."
    drawn.text(MARGIN, y + 10, title, 20, weight=700)
    y += 30
    for note in worst:
        x = _cards(drawn, note.hole, MARGIN, y)
        if note.board:
            _cards(drawn, note.board, x + 18, y)
        one = note.judgement
        word = _raise_word(note)
        words = f"{action_name(one.chosen, word)}, not {action_name(one.best, word)}"
        drawn.text(MARGIN + 352, y + 30, words, 17)
        drawn.text(WIDTH - MARGIN, y + 30, f"−{money_text(one.cents)}", 17, "#f2c960", 700, "end")
        y += 62
    return y


def _cards(drawn: "_Drawing", cards: Sequence[int], x: float, y: float) -> float:
    for card in cards:
        rank = RANKS[card >> 2].replace("T", "10")
        drawn.box(x, y, 36, 48, "#fffdf6")
        fill = _SUIT_FILLS[card & 3]
        drawn.text(x + 18, y + 23, rank, 20, fill, 700, "middle")
        drawn.text(x + 18, y + 42, _PIPS[card & 3], 18, fill, 400, "middle")
        x += 42
    return x


def _row(note: Note) -> str:
    one, word = note.judgement, _raise_word(note)
    values = "<br>".join(
        f"{escape(action_name(value, word))} {float(value.ev):+.6f} ({value.ev})"
        for value in note.values
    )
    cells = (
        _cards_text(note),
        escape(action_name(one.chosen, word)),
        escape(action_name(one.best, word)),
        values,
        f"{antes_text(one.cost)}<br>{money_text(one.cents)}",
    )
    return f"<tr>{''.join(f'<td>{cell}' for cell in cells)}"


def _raise_word(note: Note) -> str:
    """As the rule book has it that the decision was made under."""
    word = raise_label(note.rules).lower()
    return word if len(word) <= _MAX_WORD_CHARACTERS else word[: _MAX_WORD_CHARACTERS - 1] + "…"


def _cards_text(note: Note) -> str:
    def named(cards: Sequence[int]) -> str:
        names = (RANKS[card >> 2].replace("T", "10") + _PIPS[card & 3] for card in cards)
        return " ".join(names)

    return named(note.hole) + (f" on {named(note.board)}" if note.board else "")


def _percent(score: Score) -> str:
    share = accuracy(score)
    return "–" if share is None else f"{float(share * Fraction(100)):.1f} %"


class _Drawing:
    """SVG, element by element."""

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
