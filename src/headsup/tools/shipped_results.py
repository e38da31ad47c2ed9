"""Solves the printed games, whose results come with the program: part of `make code`.

These are the strategy, the lessons and the round counts of every main game that a document prints.
"""

import sys
import tempfile
from pathlib import Path

from headsup.analysis.cache import (
    LESSONS,
    ROUNDS,
    STRATEGIES,
    CacheKind,
    hash_inputs,
    read_sealed,
    write_shipped,
)
from headsup.analysis.par.comparison import list_main_games
from headsup.analysis.workbench import Workbench

SHIPPED_KINDS = (STRATEGIES, LESSONS, ROUNDS)


def compute_results() -> dict[CacheKind, dict[str, bytes]]:
    """Each result by the hash of its inputs, computed again and as the cache would store it."""
    results: dict[CacheKind, dict[str, bytes]] = {kind: {} for kind in SHIPPED_KINDS}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Workbench(find_folder=lambda: folder, use_shipped=False)
        for payoffs in list_main_games():
            strategy = bench.strategy(payoffs)
            bench.lessons(payoffs)
            bench.round_counts(strategy)
            keys = payoffs.key, payoffs.key, strategy.decisions_key
            for kind, key in zip(SHIPPED_KINDS, keys, strict=True):
                content = read_sealed(kind.file(folder, [key]))
                assert content is not None
                results[kind][hash_inputs([key])] = bytes(content)
    return results


def main() -> None:
    print("Solving every printed game; this takes a minute ...", file=sys.stderr)
    for kind, results in compute_results().items():
        write_shipped(kind, results)
        path = kind.shipped_file
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
