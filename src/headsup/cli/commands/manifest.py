"""`headsup manifest`: lists the program's files and hashes, for approval by a laboratory."""

import json
from pathlib import Path

import click

from headsup.cli.options.common import json_option
from headsup.cli.shell.command import Command, option
from headsup.game.refusal import Code, Refused


@click.command(cls=Command)
@option("--check", metavar="FILE", type=Path, help="Compare with this list instead.")
@json_option
def manifest(check: Path | None, as_json: bool) -> None:
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
        print(json.dumps(files) + "\n" if as_json else manifest_text(files), end="")
        return
    changed = sorted(changed_files(files, read_manifest(check)))
    if as_json:
        print(json.dumps({"approved": not changed, "changed": changed}))
    elif not changed:
        print(f"All {len(files)} files match {check}.")
    else:
        print(f"NOT APPROVED: {', '.join(changed)}")
    if changed:
        raise SystemExit(1)
