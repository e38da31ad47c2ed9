"""`headsup manifest`: lists the program's files and hashes, for approval by a laboratory."""

import json
from pathlib import Path
from typing import Annotated

import typer

from headsup.cli.options.common import JsonOption
from headsup.game.refusal import Code, Refused


def manifest(
    check: Annotated[
        Path | None,
        typer.Option("--check", metavar="FILE", help="Compare with this list instead."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List every file of the program, rule books included, with its SHA-256, as sha256sum does.

    The approver signs that list, and `headsup serve --approved` runs no other program. With
    --check, compare the program with a list; exit status 1 if it differs.
    """
    from headsup.house.integrity.program_files import (
        changed_files,
        manifest_text,
        program_files,
        read_manifest,
    )

    files = program_files()
    if check is None:
        for name in (name for name, digest in files.items() if not digest):
            raise Refused(Code.UNREADABLE_FILE, where=name, reason="the link is broken")
        typer.echo(json.dumps(files) if as_json else manifest_text(files), nl=as_json)
        return
    changed = sorted(changed_files(files, read_manifest(check)))
    if as_json:
        typer.echo(json.dumps({"approved": not changed, "changed": changed}))
    elif not changed:
        typer.echo(f"All {len(files)} files match {check}.")
    else:
        typer.echo(f"NOT APPROVED: {', '.join(changed)}")
    if changed:
        raise typer.Exit(1)
