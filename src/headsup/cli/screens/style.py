"""Terminal style: the console, cards in colour, money, and safe text."""

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING

from headsup.cli.shell.stand_ins import STDERR_ERRORS, STDOUT_ERRORS
from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.values.cards import RANKS, SUITS
from headsup.game.values.money import show_dollars

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from headsup.game.rulebook.table_rules import TableRules

PIPS = "♣♦♥♠"
RAISE_WIDTH = 24  # columns for a rule book's word for a Raise
# One colour per suit, readable on dark and light screens.
SUIT_STYLES = ("green", "bright_blue", "red", "bold")
RESULT_STYLES = {
    Result.WIN: "bold green",
    Result.LOSE: "red",
    Result.PUSH: "yellow",
    Result.VOID: "magenta",
}


def console(stderr: bool = False) -> "Console":
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=STDERR_ERRORS if stderr else STDOUT_ERRORS)
    # Without markup, so that titles, labels and names are never read as Rich tags.
    return Console(stderr=stderr, highlight=False, markup=False)


def cards_text(cards: Sequence[int]) -> "Text":
    from rich.text import Text

    text, pips = Text(), PIPS if _can_encode(PIPS) else SUITS
    for i, card in enumerate(cards):
        name = ("10" if RANKS[card >> 2] == "T" else RANKS[card >> 2]) + pips[card & 3]
        text.append(" " * (i > 0) + name, style=SUIT_STYLES[card & 3])
    return text


def _can_encode(text: str) -> bool:
    """Whether standard output can show this text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def signed_dollars(cents: int) -> str:
    return ("+" if cents > 0 else "") + show_dollars(cents)


def raise_word(rules: "TableRules") -> str:
    """The rule book's word for a raise, in lower case: in Washington it is "play"."""
    return shorten(rules.book.label(Wager.RAISE).lower(), RAISE_WIDTH)


def shorten(text: str, width: int, pad: bool = False) -> str:
    """Cut a text to this many columns."""
    from rich.text import Text

    cut = Text(text)
    cut.truncate(width, overflow="ellipsis", pad=pad)
    return cut.plain


def key_to_words(key: str) -> str:
    """`pair_of_aces` as "pair of aces"."""
    return key.replace("_", " ")


def printable(text: str) -> str:
    """Escape control characters, so that the text stays on one line and is harmless."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
