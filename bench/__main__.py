"""`python -m bench [MODULE …]`: every measurement in one table, but for those of hours."""

import pkgutil
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

import bench


def main(wanted: list[str]) -> int:
    found = pkgutil.iter_modules(bench.__path__)
    modules = [name for _, name, package in found if name != "__main__" and not package]
    if unknown := set(wanted) - set(modules):
        print(f"bench: there is no {', '.join(sorted(unknown))}; there are {', '.join(modules)}")
        return 2
    console = Console()
    table = Table(title="Measured in this run", title_justify="left")
    for heading in ("what", "headsup", "peer or goal"):
        table.add_column(heading)
    table.add_column("ratio", justify="right")
    missing = []
    for name in wanted or modules:
        with console.status(f"measuring {name} …"):
            try:
                module = import_module(f"bench.{name}")
            except ImportError as error:
                missing.append(f"{name} left out: {error}")
                continue
            if not wanted and getattr(module, "ONLY_WHEN_NAMED", False):
                continue
            for row in module.rows():
                table.add_row(*row)
            table.add_section()
    console.print(table)
    for line in missing:
        console.print(line, style="dim", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
