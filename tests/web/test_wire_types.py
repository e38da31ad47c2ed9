"""The types of the pages are those of the server's answers."""

from headsup.tools.wire_types import type_declarations
from headsup.web.server.app import STATIC


def test_the_types_of_the_pages_are_those_of_the_server() -> None:
    """`make protocol` writes them anew."""
    declared = (STATIC / "lib" / "wire.d.ts").read_text(encoding="utf-8")
    assert declared == type_declarations()
