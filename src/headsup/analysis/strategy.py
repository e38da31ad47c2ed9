"""A solved game in a file: every decision, two bits each, mapped into memory.

The file is found by a hash of payoffs and kernels, so a stale one is never looked for. It is
written under another name and renamed when complete, and its checksum is verified on loading:
a file that is damaged, or not ours, is reported and built again.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from math import comb
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headsup.analysis.chunks import Progress
from headsup.analysis.decisions import Decisions, PocketValues
from headsup.analysis.kernels.compiled import cache_folder, source_hash
from headsup.analysis.kernels.flops import LEAST, PASSIVE
from headsup.analysis.kernels.lattice import (
    FIRST_FIVE,
    FIRST_FOUR,
    FIRST_MONOTONE,
    FIRST_TWO_TONE,
    FLOPS,
    HOLES,
    PAIRS,
    RANK_BOARDS,
    RANKS,
    SUITED_BOARDS,
    TYPES,
    class_number,
    hole_number,
    multiset3,
    multiset5,
    pair_number,
    set2,
    set3,
    type_number,
)
from headsup.analysis.payoffs import Payoffs
from headsup.analysis.showdowns import Deck
from headsup.analysis.solution import Pocket, Solution
from headsup.analysis.solver import solve

MAGIC = b"headsup strategy"
VERSION = 1
KEPT = 24  # files of 4 MB
PREFIX = len(MAGIC) + 4 + 4 + 32  # magic, version, length of the head, checksum of the rest
SHAPES = {
    "flop": (FLOPS, HOLES),
    "river_ranks": (RANK_BOARDS, PAIRS),
    "river_suited": (SUITED_BOARDS, TYPES),
}
Report = Callable[[str], None]


class DamagedStrategy(ValueError):
    """The file is not one of ours, or not as we wrote it."""


class Strategy:
    """Decisions by cards. Multiples of the Ante; 0 checks or folds."""

    def __init__(self, solution: Solution, sections: dict[str, NDArray[np.uint8]]) -> None:
        self.solution, self.payoffs_key = solution, solution.payoffs.key
        self._sections = sections

    def pocket(self, hole: Sequence[int]) -> Pocket:
        return self.solution.class_values(class_number(hole[0], hole[1]))

    def on_flop(self, hole: Sequence[int], flop: Sequence[int]) -> int:
        number, suits = canonical_flop(flop)
        first, second = (card >> 2 << 2 | suits[card & 3] for card in hole)
        action = self._action("flop", number, hole_number(first, second))
        return _multiple(action, self.solution.payoffs.flop_multiples)

    def on_river(self, hole: Sequence[int], board: Sequence[int]) -> int:
        suit = _flush_suit(board)
        if suit is None:
            ranks = multiset5(*sorted(card >> 2 for card in board))
            pair = pair_number(*sorted(card >> 2 for card in hole))
            action = self._action("river_ranks", ranks, pair)
        else:
            kinds = ((card >> 2) + (RANKS if card & 3 == suit else 0) for card in hole)
            action = self._action("river_suited", _suited_board(board, suit), type_number(*kinds))
        return _multiple(action, self.solution.payoffs.river_multiples)

    def _action(self, section: str, row: int, column: int) -> int:
        at = int(row) * SHAPES[section][1] + int(column)
        return int(self._sections[section][at >> 2]) >> (2 * (at & 3)) & 3


def _multiple(action: int, multiples: tuple[int, ...]) -> int:
    return 0 if action == PASSIVE else min(multiples) if action == LEAST else max(multiples)


def canonical_flop(flop: Sequence[int]) -> tuple[int, list[int]]:
    """The number of the canonical flop, and what each suit is called on it."""
    low, middle, high = sorted(flop, key=lambda card: (card >> 2, card & 3))
    suits = [card & 3 for card in (low, middle, high)]
    ranks = [card >> 2 for card in (low, middle, high)]
    if len(set(suits)) == 3:
        return int(multiset3(*ranks)), _renamed(suits)
    if len(set(suits)) == 1:
        return int(FIRST_MONOTONE + set3(*ranks)), _renamed(suits[:1])
    twice = max(suits, key=suits.count)
    pair = [rank for rank, suit in zip(ranks, suits, strict=True) if suit == twice]
    off = next(place for place in range(3) if suits[place] != twice)
    number = FIRST_TWO_TONE + set2(*pair) * RANKS + ranks[off]
    return int(number), _renamed([twice, suits[off]])


def _renamed(suits: list[int]) -> list[int]:
    """These suits become 0, 1, 2 in turn; the others follow."""
    order = suits + [suit for suit in range(4) if suit not in suits]
    return [order.index(suit) for suit in range(4)]


def _flush_suit(board: Sequence[int]) -> int | None:
    suits = [card & 3 for card in board]
    return next((suit for suit in range(4) if suits.count(suit) >= 3), None)


def _suited_board(board: Sequence[int], suit: int) -> int:
    suited = sorted(card >> 2 for card in board if card & 3 == suit)
    off = sorted(card >> 2 for card in board if card & 3 != suit)
    number = sum(comb(rank, place + 1) for place, rank in enumerate(suited))
    if len(suited) == 3:
        return int(number * PAIRS + pair_number(*off))
    return FIRST_FOUR + number * RANKS + off[0] if off else FIRST_FIVE + number


def strategy_file(payoffs: Payoffs, folder: Path) -> Path:
    return folder / f"strategy-{payoffs.key[:16]}-{_solver_hash()}.bin"


@cache
def _solver_hash() -> str:
    """Changes with the kernels and with everything else a solution comes from."""
    digest = hashlib.sha256(source_hash().encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def load_or_build(
    payoffs: Payoffs,
    progress: Progress | None = None,
    report: Report | None = None,
    folder: Path | None = None,
) -> Strategy:
    """The saved strategy, or a new one, saved. `report` hears of files that cannot be used."""
    folder = folder or cache_folder()
    if folder is None:
        return parse(serialise(solve(payoffs, progress)), payoffs)
    path = strategy_file(payoffs, folder)
    try:
        return load(path, payoffs)
    except FileNotFoundError:
        pass
    except (DamagedStrategy, OSError) as error:
        if report is not None:
            report(f"{path} cannot be used and is built again: {error}")
    data = serialise(solve(payoffs, progress))
    try:
        save(path, data)
    except OSError as error:
        if report is not None:
            report(f"{path} cannot be written: {error}")
    return parse(data, payoffs)


def load(path: Path, payoffs: Payoffs) -> Strategy:
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < PREFIX:
            raise DamagedStrategy("it is too short")
        return parse(mmap(file.fileno(), 0, access=ACCESS_READ), payoffs)


def save(path: Path, data: bytes) -> None:
    """Whole or not at all: written beside, flushed, then renamed over."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.stem, suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _forget_oldest(path.parent)


def _forget_oldest(folder: Path) -> None:
    """Strategies are quickly built again, and each paytable tried leaves one."""
    with suppress(OSError):  # another process may be doing the same
        saved = sorted(folder.glob("strategy-*.bin"), key=lambda path: path.stat().st_mtime)
        for path in saved[:-KEPT]:
            path.unlink(missing_ok=True)


def serialise(solution: Solution) -> bytes:
    decisions = solution.decisions
    if decisions is None or solution.deck != Deck():
        raise ValueError("only a whole solution of the whole deck can be saved")
    values = solution.pocket_values
    head = json.dumps(
        {
            "payoffs": solution.payoffs.key,
            "kernels": source_hash(),
            "joint": solution.joint.tolist(),
            "pocket": [values.actions, values.raised, values.checked],
        }
    ).encode()
    head += b" " * (-(PREFIX + len(head)) % 8)
    rest = head + b"".join(_packed(section) for section in _sections(decisions))
    lengths = VERSION.to_bytes(4, "little") + len(head).to_bytes(4, "little")
    return MAGIC + lengths + hashlib.sha256(rest).digest() + rest


def _sections(decisions: Decisions) -> list[NDArray[np.uint8]]:
    return [decisions.flop, decisions.river.ranks, decisions.river.suited]


def _packed(actions: NDArray[np.uint8]) -> bytes:
    flat = actions.ravel() & 3  # holes that a flop excludes come out as 3
    flat = np.concatenate([flat, np.zeros(-len(flat) % 4, np.uint8)]).reshape(-1, 4)
    packed = flat[:, 0] | flat[:, 1] << 2 | flat[:, 2] << 4 | flat[:, 3] << 6
    return packed.astype(np.uint8).tobytes()


def parse(data: bytes | mmap, payoffs: Payoffs) -> Strategy:
    view = memoryview(data)
    head = _head(view, payoffs)
    at = PREFIX + int.from_bytes(view[20:24], "little")
    sections = {}
    for name, (rows, columns) in SHAPES.items():
        length = -(-rows * columns // 4)
        sections[name] = np.frombuffer(view[at : at + length], np.uint8)
        at += length
    if at != len(view):
        raise DamagedStrategy("its length is wrong")
    joint = np.array(head["joint"], np.int64)
    solution = Solution(payoffs, Deck(), PocketValues(*head["pocket"]), joint)
    return Strategy(solution, sections)


def _head(view: memoryview, payoffs: Payoffs) -> dict[str, Any]:
    if bytes(view[:16]) != MAGIC:
        raise DamagedStrategy("it is not a strategy")
    if int.from_bytes(view[16:20], "little") != VERSION:
        raise DamagedStrategy("it is of another version")
    if hashlib.sha256(view[PREFIX:]).digest() != bytes(view[24:PREFIX]):
        raise DamagedStrategy("its checksum does not match")
    head: dict[str, Any] = json.loads(
        bytes(view[PREFIX : PREFIX + int.from_bytes(view[20:24], "little")])
    )
    if (head["payoffs"], head["kernels"]) != (payoffs.key, source_hash()):
        raise DamagedStrategy("it belongs to other payoffs or kernels")
    return head
