"""`headsup manifest`: lists the program's files and hashes, for approval by a laboratory."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.options.common import JsonOption
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.integrity.manifest import SignedManifest

KEY_HELP = "The approver's public key: Ed25519, PEM."


def manifest(
    check: Annotated[
        str,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Compare with this list instead; its signature is in FILE.sig.",
        ),
    ] = "",
    key: Annotated[str, typer.Option("--key", metavar="FILE", help=KEY_HELP)] = "",
    as_json: JsonOption = False,
) -> None:
    """List every file of the program, rule books included, with its SHA-256, as sha256sum does.

    The approver signs that list, and `headsup serve --approved` refuses to run any other program.
    With --check and --key, compare the program with a signed list; exit status 1 if it differs.
    """
    from headsup.house.integrity.program_files import manifest_text, program_files, unapproved_files

    files = program_files()
    signed = signed_manifest(check, key, "--check")
    if signed is None:
        for name in (name for name, digest in files.items() if not digest):
            raise Refused(Code.UNREADABLE_FILE, where=name, reason="the link is broken")
        typer.echo(json.dumps(files) if as_json else manifest_text(files), nl=as_json)
        return
    changed = sorted(unapproved_files(files, signed.files()))
    if as_json:
        answer = {"approved": not changed, "signer": signed.signer(), "changed": changed}
        typer.echo(json.dumps(answer))
    elif not changed:
        typer.echo(f"All {len(files)} files match the list approved by {signed.signer()}.")
    else:
        typer.echo(f"NOT APPROVED: {', '.join(changed)}")
    if changed:
        raise typer.Exit(1)


def signed_manifest(file: str, key: str, option: str) -> "SignedManifest | None":
    """The signed list named by `option` and --key; None if neither is given."""
    if bool(file) != bool(key):
        given, needed = (option, "--key") if file else ("--key", option)
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where=given, other=needed)
    if not file:
        return None
    try:
        from headsup.house.integrity.manifest import SignedManifest
    except ModuleNotFoundError as missing:
        raise Refused(Code.MISSING_EXTRA, "signed", library=missing.name) from None
    return SignedManifest(Path(file), Path(key))
