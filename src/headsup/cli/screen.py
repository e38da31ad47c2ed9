"""How things look in a terminal: cards in their colours, money aligned, results in one style."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from headsup.game.cards import RANKS, SUITS
from headsup.game.money import dollars
from headsup.game.wagers import Result

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PIPS = "♣♦♥♠"
# Four colours, so that suits tell apart at a glance, on dark and light screens alike.
SUIT_STYLES = ("green", "bright_blue", "red", "bold")
RESULT_STYLES = {
    Result.WIN: "bold green",
    Result.LOSE: "red",
    Result.PUSH: "yellow",
    Result.VOID: "magenta",
}


def console(stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


def cards_text(cards: Sequence[int]) -> "Text":
    from rich.text import Text

    text, pips = Text(), PIPS if _encodes(PIPS) else SUITS
    for i, card in enumerate(cards):
        name = ("10" if RANKS[card >> 2] == "T" else RANKS[card >> 2]) + pips[card & 3]
        text.append(" " * (i > 0) + name, style=SUIT_STYLES[card & 3])
    return text


def _encodes(text: str) -> bool:
    """Whether standard output can show this; a terminal without UTF-8 gets letters for suits."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def signed(cents: int) -> str:
    return ("+" if cents > 0 else "") + dollars(cents)


def words(key: str) -> str:
    """`pair_of_aces` as a person reads it."""
    return key.replace("_", " ")
