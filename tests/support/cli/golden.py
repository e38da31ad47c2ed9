"""Texts of the terminal, compared with files."""

import os
from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "cli" / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare a text with its file."""
    seen = "".join(line.rstrip() + "\n" for line in text.splitlines())
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(seen, encoding="utf-8")
    assert seen == path.read_text(encoding="utf-8")
