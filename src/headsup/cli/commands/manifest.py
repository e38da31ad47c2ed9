"""`headsup manifest`: what the program is made of, for whoever approves it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headsup.cli.options.rules_option import JsonOption
from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from headsup.house.integrity.manifest import SignedManifest

KEY_HELP = "The public key of who approves the program: Ed25519, PEM."


def manifest(
    check: Annotated[
        str,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Compare with this list instead, whose signature is in FILE.sig.",
        ),
    ] = "",
    key: Annotated[str, typer.Option("--key", metavar="FILE", help=KEY_HELP)] = "",
    as_json: JsonOption = False,
) -> None:
    """List every file of the program, rule books included, with its SHA-256, as sha256sum does.

    Whoever approves the program signs that list, and `headsup serve --approved` holds a server to
    it. With --check and --key it is compared here; exit status 1: the program is another one.
    """
    from headsup.house.integrity.program_files import manifest_text, program_files, unapproved_files

    files = program_files()
    signed = signed_manifest(check, key, "--check")
    if signed is None:
        for name in (name for name, digest in files.items() if not digest):
            raise Refused(Code.UNREADABLE_FILE, where=name, reason="it leads to no file")
        typer.echo(json.dumps(files) if as_json else manifest_text(files), nl=as_json)
        return
    others = sorted(unapproved_files(files, signed.files()))
    if as_json:
        said = {"approved": not others, "signer": signed.signer(), "changed": others}
        typer.echo(json.dumps(said))
    elif not others:
        typer.echo(f"All {len(files)} files are as approved by {signed.signer()}.")
    else:
        typer.echo(f"NOT APPROVED: {', '.join(others)}")
    if others:
        raise typer.Exit(1)


def signed_manifest(file: str, key: str, option: str) -> "SignedManifest | None":
    """The list that was asked for with its key, or none."""
    if bool(file) != bool(key):
        one, other = (option, "--key") if file else ("--key", option)
        raise Refused(Code.BAD_ARGUMENTS, "only_with", where=one, other=other)
    if not file:
        return None
    try:
        from headsup.house.integrity.manifest import SignedManifest
    except ModuleNotFoundError as missing:
        raise Refused(Code.MISSING_EXTRA, "signed", library=missing.name) from None
    return SignedManifest(Path(file), Path(key))
