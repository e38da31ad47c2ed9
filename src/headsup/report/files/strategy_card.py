"""Builds a strategy card that a player can carry: as lines of text, web page or small PDF."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from headsup.analysis.strategies.written_strategy import (
    PASSIVE_ACTIONS,
    RAISE,
    RAISE_LEAST,
    WrittenStrategy,
)
from headsup.report.files.pdf import import_typst
from headsup.report.plots.svg import COLOUR_CSS, PLOT_FONT

HEADINGS = {"pocket": "Before the flop", "flop": "On the flop", "river": "At the river"}
# A card of 105 × 74 mm; its content is passed as JSON.
TYPST = """
#let card = json(bytes(sys.inputs.card))
#set page(width: 105mm, height: auto, margin: 7mm)
#set text(font: "Libertinus Serif", size: 10pt)
#text(size: 13pt, weight: "bold")[#card.name] \\
#text(size: 8.5pt, fill: luma(90))[#card.about]
#for street in card.streets [
  #v(1mm)
  #text(weight: "bold")[#street.heading]
  #v(-2mm)
  #grid(columns: (18mm, 1fr), row-gutter: 2mm,
    ..street.choices.map(choice => (
      text(fill: rgb("#2b7a4b"), weight: "bold", choice.what),
      choice.lines.join(linebreak()),
    )).flatten())
]
"""


@dataclass(frozen=True)
class StreetCard:
    heading: str
    choices: tuple[tuple[str, tuple[str, ...]], ...]  # each action, with the hands to do it with


def street_cards(
    written: WrittenStrategy, multiples: Mapping[str, Sequence[int]]
) -> tuple[StreetCard, ...]:
    """Each street's choices in the words of the game."""
    cards = []
    for street, rules in written.streets.items():
        words = {
            RAISE: f"Raise {max(multiples[street])}×",
            RAISE_LEAST: f"Raise {min(multiples[street])}×",
            PASSIVE_ACTIONS[street]: PASSIVE_ACTIONS[street].capitalize(),
        }
        choices = [(words[choice], lines) for choice, lines in rules.lines.items() if lines]
        if rules.otherwise is not None:
            choices.append((words[rules.otherwise], ("otherwise" if choices else "always",)))
        cards.append(StreetCard(HEADINGS[street], tuple(choices)))
    return tuple(cards)


def card_page(written: WrittenStrategy, about: str, cards: Sequence[StreetCard]) -> str:
    parts = "".join(
        f"<h2>{escape(card.heading)}</h2>\n<dl>\n"
        + "".join(
            f"<dt>{escape(action)}</dt><dd>{'</dd><dd>'.join(map(escape, lines))}</dd>\n"
            for action, lines in card.choices
        )
        + "</dl>\n"
        for card in cards
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(written.name)}</title>\n<style>\n'
        f"{COLOUR_CSS}\nbody {{ font: 16px/1.45 {PLOT_FONT}; color: var(--ink);"
        " background: var(--ground); }\n"
        "main { max-width: 27rem; margin: 2rem auto; padding: 1.25rem 1.5rem;\n"
        "  background: var(--paper); border-radius: 12px; border: 1px solid var(--grid); }\n"
        "h1 { margin: 0; font-size: 1.35rem; } h2 { font-size: 1rem; margin: 1.1rem 0 .3rem; }\n"
        "p { margin: .2rem 0; color: var(--muted); } dl { margin: 0; display: grid;\n"
        "  grid-template-columns: 5.5rem 1fr; gap: .25rem .75rem; } dd { grid-column: 2; }\n"
        "dt { font-weight: 600; color: var(--gain); }\n"
        "dd { margin: 0; padding-left: .8rem; text-indent: -.8rem; }\n"
        "@media print { body { background: #fff; } main { border: 0; margin: 0; } }\n"
        f"</style>\n</head>\n<body>\n<main>\n<h1>{escape(written.name)}</h1>\n"
        f"<p>{escape(about)}</p>\n{parts}</main>\n</body>\n</html>\n"
    )


def card_pdf(written: WrittenStrategy, about: str, cards: Sequence[StreetCard]) -> bytes:
    content = {
        "name": written.name,
        "about": about,
        "streets": [
            {
                "heading": card.heading,
                "choices": [{"what": action, "lines": lines} for action, lines in card.choices],
            }
            for card in cards
        ],
    }
    pdf: bytes = import_typst().compile(
        TYPST.encode(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"card": json.dumps(content)},
        timestamp=0,
    )
    return pdf
