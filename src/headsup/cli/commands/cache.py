"""`headsup cache`: what is kept between runs, and how to be rid of it."""

import json
from pathlib import Path
from typing import Annotated

import typer

from headsup.cli.options.rules_option import JsonOption


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all of it.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what is kept between runs (solved games, compiled kernels), or clear it."""
    from headsup.analysis.cache import CACHE_KINDS, cache_folder, cached_files, clear_cache

    folder = cache_folder()
    held = cached_files(folder) if folder else {}
    if clear and folder is not None:
        clear_cache(folder)
    sizes = {
        kind: {"files": len(files), "bytes": sum(_size(file) for file in files)}
        for kind, files in held.items()
        if not clear
    }
    if as_json:
        answer = {"folder": str(folder) if folder else None, "cleared": clear, "kept": sizes}
        typer.echo(json.dumps(answer))
        return
    typer.echo(f"{folder}" if folder else "No folder can be written: nothing is kept.")
    if clear:
        typer.echo("Cleared.")
    for kind, size in sizes.items():
        files = "1 file " if size["files"] == 1 else f"{size['files']:,} files"
        counted = f"{files:>9} {size['bytes'] / 1e6:8.1f} MB"
        typer.echo(f"  {kind:14}{counted}  {CACHE_KINDS[kind].about}")


def _size(file: Path) -> int:
    """Another run may have removed it meanwhile."""
    try:
        return file.stat().st_size
    except OSError:
        return 0
