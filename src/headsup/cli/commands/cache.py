"""`headsup cache`: shows or clears the cache."""

import json
from pathlib import Path

import click

from headsup.cli.options.common import json_option
from headsup.cli.shell.command import Command, option


@click.command(cls=Command)
@option("--clear", is_flag=True, help="Delete everything in the cache.")
@json_option
def cache(clear: bool, as_json: bool) -> None:
    """Show or clear the cache, which keeps solved games and compiled kernels between runs."""
    from headsup.analysis.cache import cache_folder, cached_files, clear_cache

    folder = cache_folder()
    files_by_kind = cached_files(folder) if folder else {}
    if clear and folder is not None:
        clear_cache(folder)
    sizes = {
        kind.name: {"files": len(files), "bytes": sum(_size(file) for file in files)}
        for kind, files in files_by_kind.items()
        if not clear
    }
    if as_json:
        answer = {"folder": str(folder) if folder else None, "cleared": clear, "kept": sizes}
        print(json.dumps(answer))
        return
    print(f"{folder}" if folder else "No writable cache folder: nothing is stored.")
    if clear:
        print("Cleared.")
    for kind in () if clear else files_by_kind:
        size = sizes[kind.name]
        files = "1 file " if size["files"] == 1 else f"{size['files']:,} files"
        total = f"{files:>9} {size['bytes'] / 1e6:8.1f} MB"
        print(f"  {kind.name:14}{total}  {kind.about}")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # another run has just removed it
        return 0
