"""Reads written strategies: shipped ones by name, files, or their text."""

from pathlib import Path

from headsup.analysis.strategies.examples import BEST, shipped_names, shipped_text
from headsup.analysis.strategies.written_strategy import WrittenStrategy, parse_strategy
from headsup.game.refusal import Code, Refused, closest_name
from headsup.library.rules import require_text

MAX_STRATEGY_BYTES = 100_000


def read_strategy_or_best(name: str) -> WrittenStrategy | None:
    """Read a strategy; None stands for best play."""
    return None if name == BEST else read_strategy(name)


def read_strategy(name: str) -> WrittenStrategy:
    """Read `five-lines`, `./mine.toml`, or a strategy as text of several lines."""
    if "\n" in require_text(name, "strategy"):
        return parse_strategy(name, "the strategy")
    if name in shipped_names():
        return parse_strategy(shipped_text(name), name)
    if not name:  # as a path it would be the current folder
        raise _refuse_unknown("strategy", name)
    try:
        with Path(name).open("rb") as file:
            content = file.read(MAX_STRATEGY_BYTES + 1)
    except FileNotFoundError:
        if name == BEST:
            raise Refused(Code.UNREADABLE_FILE, "best_play", where=name) from None
        raise _refuse_unknown(name, name) from None
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(Code.UNREADABLE_FILE, where=name, reason=reason) from None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise Refused(Code.UNREADABLE_FILE, "encoding", where=name) from None
    if len(content) > MAX_STRATEGY_BYTES:
        raise Refused(Code.UNREADABLE_FILE, "size", where=name, most=MAX_STRATEGY_BYTES)
    return parse_strategy(text, name)


def _refuse_unknown(where: str, name: str) -> Refused:
    known, meant = shipped_names(), closest_name(name, shipped_names())
    return Refused(Code.UNREADABLE_FILE, "strategy", where=where, known=known, meant=meant)
