"""`python -m bench [MODULE …]`: prints all measurements in one table.

Modules that run for hours are skipped unless they are named.
"""

import pkgutil
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

import bench


def main(names: list[str]) -> int:
    packages = pkgutil.iter_modules(bench.__path__)
    modules = [name for _, name, package in packages if name != "__main__" and not package]
    if unknown := set(names) - set(modules):
        print(f"bench: no module {', '.join(sorted(unknown))}; choose from {', '.join(modules)}")
        return 2
    console = Console()
    table = Table(title="Measured in this run", title_justify="left")
    for heading in ("measurement", "headsup", "peer or goal"):
        table.add_column(heading)
    table.add_column("ratio", justify="right")
    missing = []
    for name in names or modules:
        with console.status(f"measuring {name} …"):
            try:
                module = import_module(f"bench.{name}")
            except ImportError as error:
                missing.append(f"{name} skipped: {error}")
                continue
            if not names and getattr(module, "ONLY_WHEN_NAMED", False):
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
