"""A Dask scheduler and its workers in a separate process, which a test can kill.

`python -m tests.support.analysis.farm` prints its address and stays until its input ends; its
workers run the headsup that is first on the path.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Farm:
    process: "subprocess.Popen[str]"
    address: str

    def lose(self) -> None:
        """Kill scheduler and workers at once, as if their machine had failed."""
        self.process.kill()
        self.process.wait()


@contextmanager
def farm(sources: Path = ROOT / "src") -> Iterator[Farm]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.analysis.farm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(sources), str(ROOT)))},
    ) as process:
        assert process.stdout is not None
        try:
            yield Farm(process, process.stdout.readline().strip())
        finally:
            process.kill()


def main() -> None:
    with import_module("distributed").LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
