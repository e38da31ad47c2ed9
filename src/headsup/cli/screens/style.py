"""How things look in a terminal: cards in their colours, money aligned, results in one style."""

import codecs
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING

from headsup.game.rulebook.wagers import Result, Wager
from headsup.game.values.cards import RANKS, SUITS
from headsup.game.values.money import show_dollars

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from headsup.game.rulebook.table_rules import TableRules

PIPS = "♣♦♥♠"
RAISE_WIDTH = 24  # of what a rule book calls a Raise, at most
# Four colours, so that suits tell apart at a glance, on dark and light screens alike.
SUIT_STYLES = ("green", "bright_blue", "red", "bold")
RESULT_STYLES = {
    Result.WIN: "bold green",
    Result.LOSE: "red",
    Result.PUSH: "yellow",
    Result.VOID: "magenta",
}


# What stands in for a character that a screen without UTF-8 cannot show, as wide as it.
_ASCII_STAND_INS = dict(
    zip(
        "♣♦♥♠╭╮╰╯┌┐└┘─┄│░·–—›×…−≤≥",
        "cdhs++++++++-.|#.-->x.-<>",
        strict=True,
    )
)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_ASCII_STAND_INS.get(char, "?") for char in bad), error.end


codecs.register_error("headsup-plain", _stand_in)


def console(stderr: bool = False) -> "Console":
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="headsup-plain")
    # Markup is off: no title, label or name is ever read as a command to the terminal.
    return Console(stderr=stderr, highlight=False, markup=False)


def cards_text(cards: Sequence[int]) -> "Text":
    from rich.text import Text

    text, pips = Text(), PIPS if _can_encode(PIPS) else SUITS
    for i, card in enumerate(cards):
        name = ("10" if RANKS[card >> 2] == "T" else RANKS[card >> 2]) + pips[card & 3]
        text.append(" " * (i > 0) + name, style=SUIT_STYLES[card & 3])
    return text


def _can_encode(text: str) -> bool:
    """Whether standard output can show this; a terminal without UTF-8 gets letters for suits."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def signed_dollars(cents: int) -> str:
    return ("+" if cents > 0 else "") + show_dollars(cents)


def raise_word(rules: "TableRules") -> str:
    """What the rule book calls a Raise, within a line: Washington's is a play."""
    return shorten(rules.book.label(Wager.RAISE).lower(), RAISE_WIDTH)


def shorten(text: str, width: int, pad: bool = False) -> str:
    """No wider than this on the screen: a label may be long, and money stands beside it."""
    from rich.text import Text

    cut = Text(text)
    cut.truncate(width, overflow="ellipsis", pad=pad)
    return cut.plain


def key_to_words(key: str) -> str:
    """`pair_of_aces` as a person reads it."""
    return key.replace("_", " ")


def printable(text: str) -> str:
    """On one line, as any screen can show it: control characters are escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
