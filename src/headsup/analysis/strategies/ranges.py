"""Reads and writes poker range notation such as `33+, A2+, K4s+, QTo+, 55-77, T9s-54s`."""

import re
from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias

from headsup.analysis.kernels.base.numbering import RANKS
from headsup.game.refusal import Code, Refused
from headsup.game.values.cards import RANKS as NAMES

POCKET_CLASSES = RANKS * RANKS
ANYTHING = "anything"
_Hand: TypeAlias = tuple[int, int, str]
_HAND_PATTERN = re.compile(rf"([{NAMES}])([{NAMES}])([so]?)")


def parse_range(text: str, where: str) -> frozenset[int]:
    """The pocket classes that a range names."""
    classes: set[int] = set()
    for part in text.split(","):
        if token := part.strip():
            classes |= {*_parse(token, where)}
    return frozenset(classes)


def _parse(token: str, where: str) -> Iterable[int]:
    if token == ANYTHING:
        return range(POCKET_CLASSES)
    if token.endswith("+"):
        high, low, kind = _hand(token[:-1], token, where)
        last = RANKS - 1 if high == low else high - 1
        return _run(high, low, last, kind)
    first, dash, last_text = token.partition("-")
    if not dash:
        high, low, kind = _hand(token, token, where)
        return _run(high, low, low, kind)
    start, end = _hand(first.strip(), token, where), _hand(last_text.strip(), token, where)
    return _between(min(start, end), max(start, end), token, where)


def _between(first: _Hand, last: _Hand, token: str, where: str) -> Iterable[int]:
    """Hands with the same high card, or with the same gap between their cards."""
    (high, low, kind), (last_high, last_low, last_kind) = first, last
    if kind == last_kind and high == last_high > last_low:
        return _run(high, low, last_low, kind)
    if kind == last_kind and high - low == last_high - last_low:
        steps = range(last_low - low + 1)
        return [
            pocket for step in steps for pocket in _run(high + step, low + step, low + step, kind)
        ]
    raise Refused(Code.BAD_STRATEGY, "range", where=where, text=token[:40])


def _hand(text: str, token: str, where: str) -> _Hand:
    """The higher rank, the lower rank, and `s`, `o` or an empty string for both."""
    match = _HAND_PATTERN.fullmatch(text)
    if match is None:
        raise Refused(Code.BAD_STRATEGY, "range", where=where, text=token[:40])
    ranks = sorted(NAMES.index(name) for name in match.group(1, 2))
    if ranks[0] == ranks[1] and match.group(3):
        raise Refused(Code.BAD_STRATEGY, "range", where=where, text=token[:40])
    return ranks[1], ranks[0], match.group(3)


def _run(high: int, first: int, last: int, kind: str) -> Iterable[int]:
    """The classes whose lower card runs from first to last; for pairs, both cards do."""
    if first == high:
        return [rank * (RANKS + 1) for rank in range(first, last + 1)]
    suited = [high * RANKS + low for low in range(first, last + 1)] if kind != "o" else []
    offsuit = [low * RANKS + high for low in range(first, last + 1)] if kind != "s" else []
    return suited + offsuit


def write_range(classes: Collection[int]) -> str:
    """The shortest notation for these classes, strongest first."""
    if len(classes) == POCKET_CLASSES:
        return ANYTHING
    parts = _pairs(classes)
    for high in range(RANKS - 1, 0, -1):
        suited = {low for low in range(high) if high * RANKS + low in classes}
        offsuit = {low for low in range(high) if low * RANKS + high in classes}
        both = suited & offsuit
        if both and suited == both == offsuit:
            parts += _write(high, both, "")
        else:
            parts += _write(high, suited, "s") + _write(high, offsuit, "o")
    return ", ".join(parts)


def _pairs(classes: Collection[int]) -> list[str]:
    ranks = [rank for rank in range(RANKS) if rank * (RANKS + 1) in classes]
    return _runs(ranks, RANKS - 1, lambda rank: NAMES[rank] * 2)


def _write(high: int, lows: set[int], kind: str) -> list[str]:
    return _runs(sorted(lows), high - 1, lambda low: f"{NAMES[high]}{NAMES[low]}{kind}")


def _runs(ranks: list[int], top: int, name: Callable[[int], str]) -> list[str]:
    """Runs of neighbouring ranks, highest first. A run that reaches the top is written with `+`."""
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][-1] == rank - 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    parts = []
    for run in reversed(runs):
        if run[-1] == top and len(run) > 1:
            parts.append(f"{name(run[0])}+")
        elif len(run) > 1:
            parts.append(f"{name(run[0])}-{name(run[-1])}")
        else:
            parts.append(name(run[0]))
    return parts
