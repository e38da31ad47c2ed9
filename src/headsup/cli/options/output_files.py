"""Builds and writes a command's output files. Readers never see half a file."""

import csv
import io
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from headsup.game.refusal import Code, Refused

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.report.sheet import Sheet


def check_writable(paths: Iterable[Path]) -> None:
    """Refuse paths that cannot be written, before any work is done."""
    seen: set[Path] = set()
    for path in paths:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise _unwritable(path, "it is not a file")
        if not target.parent.is_dir():
            raise _unwritable(path, f"no such folder: {target.parent}")
        if not os.access(target.parent, os.W_OK):
            raise _unwritable(path, "its folder is not writable")
        if target in seen:
            raise _unwritable(path, "it is named twice on the command line")
        seen.add(target)


def check_files(**paths: Path | None) -> dict[str, Path]:
    """The files wanted, by format, after checking that they can be written."""
    wanted = {kind: path for kind, path in paths.items() if path is not None}
    check_writable(wanted.values())
    check_pdf(wanted.get("pdf"))
    return wanted


def check_pdf(path: Path | None) -> None:
    """Refuse a PDF before any work is done if the library that makes it is missing."""
    from headsup.report.files.pdf import import_typst

    if path is not None:
        import_typst()


def sheet_files(sheet: "Sheet", wanted: Mapping[str, Path]) -> dict[Path, bytes]:
    """The contents of each file wanted, by format."""
    contents: dict[Path, bytes] = {}
    if "html" in wanted:
        from headsup.report.files.html import sheet_page

        contents[wanted["html"]] = sheet_page(sheet).encode()
    if "pdf" in wanted:
        from headsup.report.files.pdf import sheet_pdf

        contents[wanted["pdf"]] = sheet_pdf(sheet)
    if "csv" in wanted:
        contents[wanted["csv"]] = _csv_bytes(sheet.rows())
    if "svg" in wanted and sheet.picture is not None:
        from headsup.report.plots.svg import svg_file

        contents[wanted["svg"]] = svg_file(sheet.picture.draw()).encode()
    return contents


def _csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write all files under temporary names, then rename them."""
    ready: list[tuple[str, Path]] = []
    try:
        for path, content in contents.items():
            try:
                ready.append((_write_temporary(path.resolve(), content), path.resolve()))
            except OSError as error:
                raise _unwritable(path, error.strerror or str(error)) from None
        while ready:
            temporary, target = ready[0]
            try:
                os.replace(temporary, target)
            except OSError as error:
                raise _unwritable(target, error.strerror or str(error)) from None
            ready.pop(0)
    finally:
        for temporary, _ in ready:
            Path(temporary).unlink(missing_ok=True)


def print_file_names(screen: "Console", paths: Iterable[Path]) -> None:
    for path in paths:
        screen.print(f"Wrote {path}")


def _write_temporary(target: Path, content: bytes) -> str:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return name


def _unwritable(path: Path, reason: str) -> Refused:
    return Refused(Code.UNWRITABLE_FILE, where=str(path), reason=reason)
