"""Strategies that people wrote: those that come along, files, or their text itself."""

from pathlib import Path

from headsup.analysis.strategies.examples import BEST, shipped_names, shipped_text
from headsup.analysis.strategies.written import WrittenStrategy, parse_strategy
from headsup.game.refusal import Code, Refused, nearest

LARGEST = 100_000  # bytes


def chosen_strategy(name: str) -> WrittenStrategy | None:
    """None is best play, by its name."""
    return None if name == BEST else written_strategy(name)


def written_strategy(name: str) -> WrittenStrategy:
    """`five-lines`, `./mine.toml`, or a text of several lines."""
    if "\n" in name:
        return parse_strategy(name, "the strategy")
    if name in shipped_names():
        return parse_strategy(shipped_text(name), name)
    try:
        with Path(name).open("rb") as file:
            content = file.read(LARGEST + 1)
    except FileNotFoundError:
        known = shipped_names()
        raise Refused(
            Code.UNREADABLE_FILE, "strategy", where=name, known=known, meant=nearest(name, known)
        ) from None
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=name, reason=reason) from None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Refused(Code.UNREADABLE_FILE, "encoding", where=name) from None
    if len(content) > LARGEST:
        raise Refused(Code.UNREADABLE_FILE, "size", where=name, most=LARGEST)
    return parse_strategy(text, name)
